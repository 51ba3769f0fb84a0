// CUDA for kernels on a CPU: every thread is a fiber, and fibers take turns when threads wait for each
// other. Blocks run one after the other.
#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#define __device__
#define __global__
#define __shared__
#define __launch_bounds__(...)
#define __noinline__
#define __align__(bytes) __attribute__((aligned(bytes)))

using std::max;
using std::min;

struct float2 {
    float x, y;
};
struct float4 {
    float x, y, z, w;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

namespace emulator {

struct Index {
    unsigned x = 0;
};
struct Fiber {
    ucontext_t context;  // to begin with
    jmp_buf resumption;  // to continue with: much faster than switching contexts
    bool is_begun = false;
    std::vector<char> stack;
    Index thread;
    bool is_done = false;
};
// Fibers that wait for each other; a generation ends when all have arrived. The values of a generation
// stay until the one after the next.
struct Meeting {
    unsigned arrived = 0, generation = 0;
    uint64_t shown[2][32];
};
struct Warp {
    std::map<unsigned, Meeting> meetings;  // by the lanes that take part
};

inline jmp_buf scheduler;
inline std::vector<std::unique_ptr<Fiber>> fibers;
inline std::vector<Warp> warps;
inline Meeting block_meeting;
inline Fiber* current;
inline Index block, block_size, grid_size;
inline std::function<void()> body;

inline void yield() {
    if (!_setjmp(current->resumption)) _longjmp(scheduler, 1);
}
inline void resume(Fiber& fiber) {
    current = &fiber;
    if (_setjmp(scheduler)) return;
    if (fiber.is_begun) _longjmp(fiber.resumption, 1);
    fiber.is_begun = true;
    setcontext(&fiber.context);
}
inline void wait(Meeting& meeting, unsigned count) {
    if (++meeting.arrived == count) {
        meeting.arrived = 0;
        ++meeting.generation;
        return;
    }
    for (const unsigned before = meeting.generation; meeting.generation == before;) yield();
}
inline Warp& warp() { return warps[current->thread.x / 32]; }
inline unsigned lane() { return current->thread.x % 32; }
inline void wait_warp(unsigned lanes) {
    wait(warp().meetings[lanes], static_cast<unsigned>(__builtin_popcount(lanes)));
}

// All lanes show a value; then this lane looks at the others' values.
template <class Value, class Look>
auto exchange(unsigned lanes, Value mine, Look look) {
    static_assert(sizeof(Value) <= 8);
    Meeting& meeting = warp().meetings[lanes];
    uint64_t* shown = meeting.shown[meeting.generation % 2];
    __builtin_memcpy(&shown[lane()], &mine, sizeof(Value));
    wait(meeting, static_cast<unsigned>(__builtin_popcount(lanes)));
    return look([=](unsigned of) {
        Value value;
        __builtin_memcpy(&value, &shown[of], sizeof(Value));
        return value;
    });
}

inline void enter() {
    body();
    current->is_done = true;
    yield();
}

inline void run_block(unsigned threads) {
    fibers.clear();
    warps.assign((threads + 31) / 32, {});
    block_meeting = {};
    for (unsigned at = 0; at < threads; ++at) {
        fibers.push_back(std::make_unique<Fiber>());
        Fiber& fiber = *fibers.back();
        fiber.stack.resize(1 << 17);
        fiber.thread.x = at;
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.data();
        fiber.context.uc_stack.ss_size = fiber.stack.size();
        makecontext(&fiber.context, enter, 0);
    }
    for (bool is_any_left = true; is_any_left;) {
        is_any_left = false;
        for (auto& fiber : fibers)
            if (!fiber->is_done) {
                resume(*fiber);
                is_any_left |= !fiber->is_done;
            }
    }
}

// Write the size of each argument of a kernel, so that the caller can check what it packs.
template <class... Arguments>
void sizes_of(void (*)(Arguments...), unsigned* sizes) {
    ((*sizes++ = sizeof(Arguments)), ...);
    *sizes = 0;
}

template <class... Arguments, size_t... At>
void call(void (*kernel)(Arguments...), void** arguments, std::index_sequence<At...>) {
    kernel(*static_cast<Arguments*>(arguments[At])...);
}

// A kernel whose threads do not wait for each other needs no fibers.
template <class... Arguments>
void launch(void (*kernel)(Arguments...), unsigned blocks, unsigned threads, void** arguments,
            bool has_fibers) {
    body = [=] { call(kernel, arguments, std::index_sequence_for<Arguments...>()); };
    grid_size.x = blocks;
    block_size.x = threads;
    for (block.x = 0; block.x < blocks; ++block.x) {
        if (has_fibers) {
            run_block(threads);
            continue;
        }
        Fiber alone;
        current = &alone;
        for (; alone.thread.x < threads; ++alone.thread.x) body();
    }
}

}  // namespace emulator

#define threadIdx (emulator::current->thread)
#define blockIdx (emulator::block)
#define blockDim (emulator::block_size)
#define gridDim (emulator::grid_size)

inline void __threadfence_block() {}
inline void __syncwarp() { emulator::wait_warp(0xFFFFFFFFu); }
inline void __syncthreads() { emulator::wait(emulator::block_meeting, blockDim.x); }
template <class Value>
Value __shfl_sync(unsigned lanes, Value mine, int from) {
    return emulator::exchange(lanes, mine, [&](auto shown) { return shown(from); });
}
template <class Value>
Value __shfl_xor_sync(unsigned lanes, Value mine, int bits) {
    return emulator::exchange(lanes, mine, [&](auto shown) { return shown(emulator::lane() ^ bits); });
}
template <class Value>
unsigned __match_any_sync(unsigned lanes, Value mine) {
    return emulator::exchange(lanes, mine, [&](auto shown) {
        unsigned same = 0;
        for (unsigned at = 0; at < 32; ++at)
            if (lanes >> at & 1 && shown(at) == mine) same |= 1u << at;
        return same;
    });
}
inline unsigned __ballot_sync(unsigned lanes, bool mine) {
    return __match_any_sync(lanes, mine) ^ (mine ? 0u : lanes);
}
inline bool __any_sync(unsigned lanes, bool mine) { return __ballot_sync(lanes, mine) != 0; }
inline int __ffs(unsigned bits) { return __builtin_ffs(static_cast<int>(bits)); }
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline float __expf(float x) { return std::exp(x); }
template <class Value>
Value __ldcg(const Value* from) {
    return *from;
}
template <class Value>
Value __ldg(const Value* from) {
    return *from;
}
template <class Value, class More>
Value atomicAdd(Value* to, More more) {
    const Value before = *to;
    *to += static_cast<Value>(more);
    return before;
}
