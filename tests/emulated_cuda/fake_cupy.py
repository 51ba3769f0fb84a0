"""As much of CuPy as training needs, by NumPy; kernels are compiled by g++ and run in fibers."""

import ctypes
import shutil
import subprocess
import types
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
# Whether the threads of a kernel wait for each other.
KERNELS = {
    "find_places": False,
    "mark_kept": False,
    "drop_lonely": False,
    "plan_windows": False,
    "draw_negatives": False,
    "find_rounds": False,
    "mark_members": False,
    "train_rounds": True,
}
WRAPPED = (
    *("zeros", "empty", "full", "arange", "concatenate", "flatnonzero", "searchsorted"),
    "diff",
)
LAUNCHER = """
extern "C" void launch_{name}(unsigned blocks, unsigned threads, void** arguments) {{
    emulator::launch(&{name}, blocks, threads, arguments, {has_fibers});
}}
"""


class DeviceArray(np.ndarray):
    def get(self, out=None):
        if out is None:
            return np.array(self)
        assert out.flags.c_contiguous
        assert (out.shape, out.dtype) == (self.shape, self.dtype)
        out[...] = self
        return out

    def set(self, values, stream=None):
        self[...] = values


def on_device(array):
    return np.ascontiguousarray(array).view(DeviceArray)


class Kernel:
    max_dynamic_shared_size_bytes = 0
    kernel = types.SimpleNamespace(ptr=0)

    def __init__(self, function):
        self._function = function

    def __call__(self, grid, block, arguments, shared_mem=0):
        values = [
            np.array(a.ctypes.data, np.uintp)
            if isinstance(a, np.ndarray) and a.ndim
            else np.array(a)
            for a in arguments
        ]
        pointers = (ctypes.c_void_p * len(values))(*(value.ctypes.data for value in values))
        self._function(ctypes.c_uint(grid[0]), ctypes.c_uint(block[0]), pointers)


class RawModules:
    """Makes modules in a folder; the same sources and constants are compiled once."""

    def __init__(self, folder):
        self._folder, self._known = folder, {}

    def __call__(self, code, options, enable_cooperative_groups=False):
        if (code, options) not in self._known:
            self._known[code, options] = self._compiled(code, options)
        library = self._known[code, options]
        get = lambda name: Kernel(getattr(library, f"launch_{name}"))  # noqa: E731
        return types.SimpleNamespace(get_function=get)

    def _compiled(self, code, options):
        stem = self._folder / f"kernels{len(self._known)}"
        launchers = [
            LAUNCHER.format(name=name, has_fibers=str(has_fibers).lower())
            for name, has_fibers in KERNELS.items()
            if f" {name}(" in code or f"\n{name}(" in code
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

    def synchronize(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


def fake_cupy(folder):
    """A module that can stand in sys.modules for cupy."""
    module = types.ModuleType("cupy")
    for name in WRAPPED:
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
        alloc_pinned_memory=bytearray,
    )
    return module


def wrapped(function):
    return lambda *arguments, **settings: on_device(function(*arguments, **settings))
