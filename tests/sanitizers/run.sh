#!/bin/sh
# Build the native module with sanitizers and run its tests: memory and arithmetic, then threads.
#
#   tests/sanitizers/run.sh [TRIES]    TRIES damaged calls (default 13000)
#
# It needs g++ and a Python with what the tests need. Everything is built in a temporary folder.
set -eu
tries=${1:-13000}
root=$(cd "$(dirname "$0")/../.." && pwd)
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build NAME FLAGS: a copy of the package whose native module has these flags
build() {
    mkdir "$work/$1"
    cp -r "$root/src" "$work/$1/src"
    rm -f "$work/$1"/src/numberline/_native*.so
    cmake -S "$root" -B "$work/$1/build" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER=g++ \
        -DPython_EXECUTABLE="$(command -v "$python")" \
        -DCMAKE_CXX_FLAGS="-O1 -g -fno-omit-frame-pointer $2" > "$work/$1.log" 2>&1 &&
        cmake --build "$work/$1/build" -j 2 >> "$work/$1.log" 2>&1 || { tail -40 "$work/$1.log"; exit 1; }
    cp "$work/$1"/build/_native*.so "$work/$1/src/numberline/"
    # An editable install would import its own package before that of PYTHONPATH.
    cat > "$work/$1/src/sitecustomize.py" << 'END'
import sys

sys.meta_path[:] = [one for one in sys.meta_path if "Redirecting" not in type(one).__name__]
END
}

# checked NAME LIBRARIES COMMAND…: run it with that package and these libraries loaded first
checked() {
    package=$work/$1/src libraries=$2
    shift 2
    (cd "$root" && PYTHONPATH=$package LD_PRELOAD=$libraries "$python" "$@")
}

library() { g++ -print-file-name="$1"; }

# require NAME LIBRARIES: end unless the module that has just been built is the one that is tested
require() {
    file=$(checked "$1" "$2" -c "from numberline import _native; print(_native.__file__)")
    case $file in
        "$work/$1"/*) ;;
        *) echo "tests would import $file instead of the module with sanitizers"; exit 1 ;;
    esac
}

echo "memory and arithmetic (address, undefined)"
build memory "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
# Python keeps memory until it ends, which is no leak; a failed allocation is to be a MemoryError.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
memory="$(library libasan.so) $(library libubsan.so) $(library libstdc++.so)"
require memory "$memory"
checked memory "$memory" -m tests.native.calls --tries "$tries"
checked memory "$memory" -m tests.native.threads --tries 1000
checked memory "$memory" -m pytest -q -p no:cacheprovider tests/native tests/test_kernels.py \
    tests/conformance/test_kernel_arguments.py tests/conformance/test_training_kernel.py \
    tests/conformance/test_native_scanner.py tests/numerals/test_gmm_fit.py tests/reading \
    --ignore tests/reading/test_decompression.py -k "not two_gigabytes"  # these run no native code

echo "threads"
build threads "-fsanitize=thread"
export OPENBLAS_NUM_THREADS=1  # how its own threads wait for each other cannot be seen
export TSAN_OPTIONS="suppressions=$root/tests/sanitizers/threads.txt history_size=4 exitcode=66"
threads="$(library libtsan.so) $(library libstdc++.so)"
require threads "$threads"
checked threads "$threads" -m tests.native.threads --tries 1000
checked threads "$threads" -m pytest -q -p no:cacheprovider tests/reading/test_parallel.py \
    tests/reading/test_encoding.py tests/training/test_training.py
echo "no sanitizer found anything"
