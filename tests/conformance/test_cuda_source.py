"""NVIDIA's compiler compiles the CUDA kernels for all supported chips."""

import ctypes
import importlib.util
from pathlib import Path

import pytest

from numberline.settings import Settings
from numberline.training.cuda.kernels import KernelShape, source


def nvrtc():
    """Load the library of the package nvidia-cuda-nvrtc, which needs no GPU."""
    spec = importlib.util.find_spec("nvidia")
    folders = spec.submodule_search_locations if spec else []
    libraries = [path for folder in folders for path in Path(folder).glob("**/libnvrtc.so.*")]
    if not libraries:
        pytest.skip("no NVRTC here")
    return ctypes.CDLL(str(libraries[0]))


def compiled(library, code, options):
    """Return machine code, or fail with the compiler's messages."""
    program = ctypes.c_void_p()
    library.nvrtcCreateProgram(ctypes.byref(program), code.encode(), b"all.cu", 0, None, None)
    flags = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    status = library.nvrtcCompileProgram(program, len(options), flags)
    kind = "CUBIN" if status == 0 else "ProgramLog"
    size = ctypes.c_size_t()
    getattr(library, f"nvrtcGet{kind}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{kind}")(program, text)
    assert status == 0, text.value.decode()
    return text.raw


def chips_of(library):
    count = ctypes.c_int()
    library.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    numbers = (ctypes.c_int * count.value)()
    library.nvrtcGetSupportedArchs(numbers)
    return [f"sm_{number}" for number in numbers]


@pytest.mark.parametrize("chip", ["sm_70", "sm_80", "sm_90"])
@pytest.mark.parametrize(
    "shape", [(100, "skipgram"), (300, "skipgram"), (300, "cbow"), (7, "skipgram")]
)
def test_kernels_compile(chip, shape):
    dim, objective = shape
    constants = KernelShape.of(Settings(dim=dim, objective=objective))
    library = nvrtc()
    if chip not in chips_of(library):
        pytest.skip(f"this NVRTC no longer supports {chip}")
    threads = constants.threads(shared_bytes=96 << 10)
    options = [*constants.options(threads), f"--gpu-architecture={chip}"]
    assert compiled(library, source(constants.is_cbow), options)[:4] == b"\x7fELF"


def test_a_wrong_kernel_does_not_compile():
    options = KernelShape.of(Settings(dim=8)).options(128)
    with pytest.raises(AssertionError, match="error"):
        compiled(nvrtc(), source(is_cbow=False) + "int wrong = ;", [*options])
