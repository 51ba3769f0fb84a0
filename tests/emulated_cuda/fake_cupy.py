"""The part of CuPy that training needs, in NumPy; kernels are compiled by g++ and run in fibers."""

import ctypes
import shutil
import subprocess
import time
import types
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
KERNELS = {  # True: threads wait for each other
    "mark_kept": False,
    "drop_lonely": False,
    "count_groups": False,
    "plan_windows": False,
    "draw_negatives": False,
    "train_windows": True,
}
LAUNCHER = """
extern "C" void launch_{name}(unsigned blocks, unsigned threads, void** arguments) {{
    emulator::launch(&{name}, blocks, threads, arguments, {has_fibers});
}}
extern "C" void sizes_of_{name}(unsigned* sizes) {{ emulator::sizes_of(&{name}, sizes); }}
"""


class DeviceArray(np.ndarray):
    @property
    def data(self):
        return types.SimpleNamespace(ptr=self.ctypes.data)

    def get(self, out=None, stream=None):
        if out is None:
            return np.array(self)
        assert out.flags.c_contiguous
        assert (out.shape, out.dtype) == (self.shape, self.dtype)
        out[...] = self
        return out

    def set(self, values):
        assert (values.shape, values.dtype) == (self.shape, self.dtype)
        self[...] = values


def on_device(array):
    return np.ascontiguousarray(array).view(DeviceArray)


class Kernel:
    """A compiled kernel. Scalars and structs are passed by value and must have the right size."""

    max_dynamic_shared_size_bytes = 0
    kernel = types.SimpleNamespace(ptr=0)

    def __init__(self, library, name):
        self._function = getattr(library, f"launch_{name}")
        sizes = (ctypes.c_uint * 32)()
        getattr(library, f"sizes_of_{name}")(sizes)
        self._sizes = list(sizes)[: list(sizes).index(0)]

    def __call__(self, grid, block, arguments, shared_mem=0):
        values = [np.array(argument) for argument in arguments]
        assert [value.nbytes for value in values] == self._sizes
        pointers = (ctypes.c_void_p * len(values))(*(value.ctypes.data for value in values))
        self._function(ctypes.c_uint(grid[0]), ctypes.c_uint(block[0]), pointers)


COMPILED = {}  # libraries by source and options: each is compiled once in a run of tests


class RawModules:
    """Compiles modules in a folder."""

    def __init__(self, folder):
        self._folder = folder

    def __call__(self, code, options):
        if (code, options) not in COMPILED:
            COMPILED[code, options] = self._compiled(code, options)
        library = COMPILED[code, options]
        return types.SimpleNamespace(get_function=lambda name: Kernel(library, name))

    def _compiled(self, code, options):
        stem = self._folder / f"kernels{len(COMPILED)}"
        launchers = [
            LAUNCHER.format(name=name, has_fibers=str(has_fibers).lower())
            for name, has_fibers in KERNELS.items()
        ]
        shared = "alignas(16) float shared[1 << 20];\n"
        stem.with_suffix(".cpp").write_text(
            f'#include "emulator.h"\n{shared}{code}\n{"".join(launchers)}'
        )
        command = [compiler(), "-O1", "-w", "-fPIC", "-shared", f"-I{HERE}", *options]
        target = stem.with_suffix(".so")
        subprocess.run([*command, str(stem.with_suffix(".cpp")), "-o", str(target)], check=True)
        return ctypes.CDLL(str(target))


def compiler():
    return shutil.which("g++")


class Stream:
    def __init__(self, non_blocking=False):
        pass


class Event:
    def record(self):
        self.seconds = time.perf_counter()

    def synchronize(self):
        pass


def fake_cupy(folder):
    """Return a module that can replace cupy in sys.modules."""
    module = types.ModuleType("cupy")
    for name in ("zeros", "empty"):
        setattr(module, name, wrapped(getattr(np, name)))
    module.asarray = lambda array: on_device(np.array(array))
    module.cumsum = lambda array, out: np.cumsum(array, out=out)
    module.RawModule = RawModules(folder)
    properties = {
        "sharedMemPerBlockOptin": 1 << 20,
        "multiProcessorCount": 1,
        "name": b"no GPU but fibers",
    }
    runtime = types.SimpleNamespace(
        getDeviceCount=lambda: 1,
        getDeviceProperties=lambda number: properties,
        memGetInfo=lambda: (1 << 34, 1 << 34),
        CUDARuntimeError=RuntimeError,
    )
    module.cuda = types.SimpleNamespace(
        runtime=runtime,
        driver=types.SimpleNamespace(occupancyMaxActiveBlocksPerMultiprocessor=lambda *a: 1),
        Device=lambda: types.SimpleNamespace(id=0),
        Stream=Stream,
        Event=Event,
        get_elapsed_time=lambda begin, end: 1000 * (end.seconds - begin.seconds),
    )
    return module


def wrapped(function):
    return lambda *arguments, **settings: on_device(function(*arguments, **settings))
