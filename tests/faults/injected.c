// A library to preload: it counts the system calls of a process on files below one folder, and
// fails, shortens or interrupts the n-th of them.
//
// faults_state() returns memory that is shared with forked processes: so a parent arms a fault
// before it forks, and reads what its child did even after a kill.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN, CREATE, READ, WRITE, SYNC, RENAME, MKDIR, REMOVE, TRUNCATE, MAP, CLOSE, LOCK,
            LINK, MODE, MEMORY, THREAD };
enum action { COUNT, FAIL, FAIL_FROM_HERE_ON, SHORTEN, KILL_BEFORE, KILL_AFTER };
enum { MOST_CALLS = 1 << 20, MOST_DESCRIPTORS = 1 << 16 };

struct state {
  int is_armed, action, error;
  unsigned later_kinds;          // of FAIL_FROM_HERE_ON: a bit per kind that fails after the n-th
  long at;                       // the number of the call, from 1
  long memory_bytes;             // allocations from this size on, and threads, count; 0: none
  long calls;                    // out
  long hits;                     // out: calls that were failed, shortened or killed
  char root[4096];
  unsigned char kinds[MOST_CALLS];  // out: the kind of each call
};

static struct state* state;
static unsigned char is_tracked[MOST_DESCRIPTORS];

__attribute__((constructor)) static void start(void) {
  state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

struct state* faults_state(void) { return state; }

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int is_below_root(const char* path) {
  size_t length = strlen(state->root);
  return length && !strncmp(path, state->root, length) && (path[length] == '/' || !path[length]);
}

static int tracked(int fd) { return fd >= 0 && fd < MOST_DESCRIPTORS && is_tracked[fd]; }

static void track(int fd, int value) {
  if (fd >= 0 && fd < MOST_DESCRIPTORS) is_tracked[fd] = value;
}

static int concerns(int folder, const char* path) {
  char here[4096];
  if (!state || !path) return 0;
  if (path[0] == '/') return is_below_root(path);
  if (folder != AT_FDCWD) return tracked(folder);
  return getcwd(here, sizeof here) && is_below_root(here);
}

static void kill_self(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

// Count a call; return its number, or 0 if it is none of ours.
static long counted(int ours, enum kind kind) {
  if (!ours || !state || !state->is_armed) return 0;
  long number = __atomic_add_fetch(&state->calls, 1, __ATOMIC_SEQ_CST);
  if (number < MOST_CALLS) state->kinds[number] = kind;
  return number;
}

// Tell whether the call must fail, with errno set, and kill the process if that is due.
static int fails(long number, enum kind kind) {
  if (!number || number < state->at) return 0;
  if (number > state->at) {
    if (state->action != FAIL_FROM_HERE_ON || !(state->later_kinds >> kind & 1)) return 0;
  } else if (state->action == KILL_BEFORE) {
    state->hits++;
    kill_self();
  } else if (state->action != FAIL && state->action != FAIL_FROM_HERE_ON) {
    return 0;
  }
  state->hits++;
  errno = state->error;
  return 1;
}

static void after(long number) {
  if (number && number == state->at && state->action == KILL_AFTER) {
    state->hits++;
    kill_self();
  }
}

static size_t shortened(long number, size_t size) {
  if (!number || number != state->at || state->action != SHORTEN || size < 2) return size;
  state->hits++;
  return size / 2;
}

#define INJECT(ours, kind, failure, type, call) \
  long number = counted(ours, kind); \
  if (fails(number, kind)) return failure; \
  type result = call; \
  int kept = errno; \
  after(number); \
  errno = kept; \
  return result

// ---- Opening and closing ----

static enum kind kind_of_opening(int flags) {
  return flags & (O_CREAT | O_WRONLY | O_RDWR) ? CREATE : OPEN;
}

#define OPENING(name, folder, parameters, ...) \
  int name parameters { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = va_arg(rest, mode_t); \
    va_end(rest); \
    int ours = concerns(folder, path); \
    long number = counted(ours, kind_of_opening(flags)); \
    if (fails(number, kind_of_opening(flags))) return -1; \
    int fd = real(__VA_ARGS__, mode); \
    track(fd, ours); \
    int kept = errno; \
    after(number); \
    errno = kept; \
    return fd; \
  }

OPENING(open, AT_FDCWD, (const char* path, int flags, ...), path, flags)
OPENING(open64, AT_FDCWD, (const char* path, int flags, ...), path, flags)
OPENING(openat, folder, (int folder, const char* path, int flags, ...), folder, path, flags)
OPENING(openat64, folder, (int folder, const char* path, int flags, ...), folder, path, flags)

#define OPENING_STREAM(name) \
  FILE* name(const char* path, const char* mode) { \
    REAL(name); \
    int ours = concerns(AT_FDCWD, path); \
    enum kind kind = mode[0] == 'r' && !strchr(mode, '+') ? OPEN : CREATE; \
    long number = counted(ours, kind); \
    if (fails(number, kind)) return NULL; \
    FILE* file = real(path, mode); \
    if (file) track(fileno(file), ours); \
    after(number); \
    return file; \
  }

OPENING_STREAM(fopen)
OPENING_STREAM(fopen64)

DIR* opendir(const char* path) {
  REAL(opendir);
  INJECT(concerns(AT_FDCWD, path), OPEN, NULL, DIR*, real(path));
}

// A descriptor is closed even if close fails.
int close(int fd) {
  REAL(close);
  int ours = tracked(fd);
  track(fd, 0);
  long number = counted(ours, CLOSE);
  if (fails(number, CLOSE)) {
    int error = errno;
    real(fd);
    errno = error;
    return -1;
  }
  int result = real(fd), kept = errno;
  after(number);
  errno = kept;
  return result;
}

int closedir(DIR* folder) {
  REAL(closedir);
  track(dirfd(folder), 0);
  return real(folder);
}

int fclose(FILE* file) {
  REAL(fclose);
  int ours = tracked(fileno(file));
  track(fileno(file), 0);
  long number = counted(ours, CLOSE);
  if (fails(number, CLOSE)) {
    int error = errno;
    real(file);
    errno = error;
    return EOF;
  }
  int result = real(file);
  after(number);
  return result;
}

int dup(int fd) {
  REAL(dup);
  int copy = real(fd);
  track(copy, tracked(fd));
  return copy;
}

int dup2(int fd, int copy) {
  REAL(dup2);
  int result = real(fd, copy);
  if (result >= 0) track(copy, tracked(fd));
  return result;
}

int dup3(int fd, int copy, int flags) {
  REAL(dup3);
  int result = real(fd, copy, flags);
  if (result >= 0) track(copy, tracked(fd));
  return result;
}

static int is_lock(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
         command == F_OFD_SETLKW;
}

#define CONTROLLING(name) \
  int name(int fd, int command, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, command); \
    void* argument = va_arg(rest, void*); \
    va_end(rest); \
    long number = counted(tracked(fd) && is_lock(command), LOCK); \
    if (fails(number, LOCK)) return -1; \
    int result = real(fd, command, argument); \
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) track(result, tracked(fd)); \
    after(number); \
    return result; \
  }

CONTROLLING(fcntl)
CONTROLLING(fcntl64)

int flock(int fd, int operation) {
  REAL(flock);
  INJECT(tracked(fd), LOCK, -1, int, real(fd, operation));
}

// ---- Reading and writing ----

ssize_t read(int fd, void* buffer, size_t size) {
  REAL(read);
  INJECT(tracked(fd), READ, -1, ssize_t, real(fd, buffer, shortened(number, size)));
}

#define READING_AT(name, offset_type) \
  ssize_t name(int fd, void* buffer, size_t size, offset_type at) { \
    REAL(name); \
    INJECT(tracked(fd), READ, -1, ssize_t, real(fd, buffer, shortened(number, size), at)); \
  }

READING_AT(pread, off_t)
READING_AT(pread64, off64_t)

ssize_t write(int fd, const void* buffer, size_t size) {
  REAL(write);
  INJECT(tracked(fd), WRITE, -1, ssize_t, real(fd, buffer, shortened(number, size)));
}

#define WRITING_AT(name, offset_type) \
  ssize_t name(int fd, const void* buffer, size_t size, offset_type at) { \
    REAL(name); \
    INJECT(tracked(fd), WRITE, -1, ssize_t, real(fd, buffer, shortened(number, size), at)); \
  }

WRITING_AT(pwrite, off_t)
WRITING_AT(pwrite64, off64_t)

ssize_t writev(int fd, const struct iovec* pieces, int count) {
  REAL(writev);
  INJECT(tracked(fd), WRITE, -1, ssize_t, real(fd, pieces, count));
}

size_t fwrite(const void* buffer, size_t size, size_t count, FILE* file) {
  REAL(fwrite);
  INJECT(tracked(fileno(file)), WRITE, 0, size_t, real(buffer, size, count, file));
}

ssize_t sendfile(int to, int from, off_t* at, size_t size) {
  REAL(sendfile);
  INJECT(tracked(to), WRITE, -1, ssize_t, real(to, from, at, shortened(number, size)));
}

ssize_t sendfile64(int to, int from, off64_t* at, size_t size) {
  REAL(sendfile64);
  INJECT(tracked(to), WRITE, -1, ssize_t, real(to, from, at, shortened(number, size)));
}

int fsync(int fd) {
  REAL(fsync);
  INJECT(tracked(fd), SYNC, -1, int, real(fd));
}

int fdatasync(int fd) {
  REAL(fdatasync);
  INJECT(tracked(fd), SYNC, -1, int, real(fd));
}

int ftruncate(int fd, off_t size) {
  REAL(ftruncate);
  INJECT(tracked(fd), TRUNCATE, -1, int, real(fd, size));
}

int ftruncate64(int fd, off64_t size) {
  REAL(ftruncate64);
  INJECT(tracked(fd), TRUNCATE, -1, int, real(fd, size));
}

int posix_fallocate(int fd, off_t at, off_t size) {
  REAL(posix_fallocate);
  INJECT(tracked(fd), TRUNCATE, state->error, int, real(fd, at, size));
}

int posix_fallocate64(int fd, off64_t at, off64_t size) {
  REAL(posix_fallocate64);
  INJECT(tracked(fd), TRUNCATE, state->error, int, real(fd, at, size));
}

// ---- Names ----

int rename(const char* from, const char* to) {
  REAL(rename);
  INJECT(concerns(AT_FDCWD, from) || concerns(AT_FDCWD, to), RENAME, -1, int, real(from, to));
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  REAL(renameat);
  INJECT(concerns(from_folder, from) || concerns(to_folder, to), RENAME, -1, int,
         real(from_folder, from, to_folder, to));
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  REAL(renameat2);
  INJECT(concerns(from_folder, from) || concerns(to_folder, to), RENAME, -1, int,
         real(from_folder, from, to_folder, to, flags));
}

long syscall(long which, ...) {
  static long (*real)(long, ...);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_list rest;
  va_start(rest, which);
  long a[6];
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  int ours = which == SYS_renameat2 &&
             (concerns((int)a[0], (const char*)a[1]) || concerns((int)a[2], (const char*)a[3]));
  INJECT(ours, RENAME, -1, long, real(which, a[0], a[1], a[2], a[3], a[4], a[5]));
}

int mkdir(const char* path, mode_t mode) {
  REAL(mkdir);
  INJECT(concerns(AT_FDCWD, path), MKDIR, -1, int, real(path, mode));
}

int mkdirat(int folder, const char* path, mode_t mode) {
  REAL(mkdirat);
  INJECT(concerns(folder, path), MKDIR, -1, int, real(folder, path, mode));
}

int unlink(const char* path) {
  REAL(unlink);
  INJECT(concerns(AT_FDCWD, path), REMOVE, -1, int, real(path));
}

int unlinkat(int folder, const char* path, int flags) {
  REAL(unlinkat);
  INJECT(concerns(folder, path), REMOVE, -1, int, real(folder, path, flags));
}

int rmdir(const char* path) {
  REAL(rmdir);
  INJECT(concerns(AT_FDCWD, path), REMOVE, -1, int, real(path));
}

int link(const char* from, const char* to) {
  REAL(link);
  INJECT(concerns(AT_FDCWD, to), LINK, -1, int, real(from, to));
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  REAL(linkat);
  INJECT(concerns(to_folder, to), LINK, -1, int, real(from_folder, from, to_folder, to, flags));
}

int symlink(const char* target, const char* path) {
  REAL(symlink);
  INJECT(concerns(AT_FDCWD, path), LINK, -1, int, real(target, path));
}

int chmod(const char* path, mode_t mode) {
  REAL(chmod);
  INJECT(concerns(AT_FDCWD, path), MODE, -1, int, real(path, mode));
}

int fchmod(int fd, mode_t mode) {
  REAL(fchmod);
  INJECT(tracked(fd), MODE, -1, int, real(fd, mode));
}

int fchmodat(int folder, const char* path, mode_t mode, int flags) {
  REAL(fchmodat);
  INJECT(concerns(folder, path), MODE, -1, int, real(folder, path, mode, flags));
}

// ---- Memory ----

static int is_large(size_t size) {
  return state && state->is_armed && state->memory_bytes && size >= (size_t)state->memory_bytes;
}

#define MAPPING(name, offset_type) \
  void* name(void* near, size_t size, int access, int flags, int fd, offset_type at) { \
    REAL(name); \
    int is_file = tracked(fd); \
    INJECT(is_file || (fd < 0 && is_large(size)), is_file ? MAP : MEMORY, MAP_FAILED, void*, \
           real(near, size, access, flags, fd, at)); \
  }

MAPPING(mmap, off_t)
MAPPING(mmap64, off64_t)

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);

void* malloc(size_t size) {
  INJECT(is_large(size), MEMORY, NULL, void*, __libc_malloc(size));
}

void* calloc(size_t count, size_t size) {
  INJECT(size && is_large(count * size), MEMORY, NULL, void*, __libc_calloc(count, size));
}

void* realloc(void* old, size_t size) {
  INJECT(is_large(size), MEMORY, NULL, void*, __libc_realloc(old, size));
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*begin)(void*),
                   void* argument) {
  REAL(pthread_create);
  INJECT(state && state->memory_bytes, THREAD, EAGAIN, int,
         real(thread, attributes, begin, argument));
}
