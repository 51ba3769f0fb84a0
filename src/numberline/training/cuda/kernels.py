"""Settings → compiled CUDA kernels, for the GPU at hand.

CuPy compiles the sources of this folder at run time and caches the result on disk. All sizes are
known by then and become constants, so that rows stay in registers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from numberline.errors import ConfigError
from numberline.extras import optional
from numberline.settings import Settings
from numberline.training.cuda.structs import packed
from numberline.training.plan import CENTRES_PER_GROUP, CENTRES_PER_STEP
from numberline.training.reference import LARGEST_LOAD
from numberline.training.tables import padded_width

BEFORE_STEPS = ("random.cu", "plan.cu", "rows.cu", "numerals.cu", "groups.cu", "step.cu")
PLAN_KERNELS = ("mark_kept", "drop_lonely", "count_groups", "plan_windows", "draw_negatives")
LANES = 32
OUTPUT_TILE = 8  # kOutputTile in step.cu
SHARED_ALIGNMENT = 4  # floats of a copy to shared memory
WARPS_PER_THREAD_BLOCK = 4
PLAN_THREADS = 256
MAX_NEGATIVES = LANES - CENTRES_PER_STEP  # one lane per output of a step
MAX_DIM = 4096
LOAD_SLOTS = 1024  # of a warp: prototypes whose indices agree modulo this share a load


@dataclass(frozen=True)
class KernelShape:
    """The constants of the kernels."""

    dim: int
    window: int
    negatives: int
    is_cbow: bool
    score_offset: float  # is subtracted from every score

    @staticmethod
    def of(settings: Settings) -> KernelShape:
        """Return the constants for some settings; refuse what kernels do not support."""
        widest = (LANES - CENTRES_PER_GROUP) // 2
        for name, most in (("window", widest), ("negatives", MAX_NEGATIVES), ("dim", MAX_DIM)):
            if getattr(settings, name) > most:
                raise ConfigError(name, getattr(settings, name), f"{most} or less on a GPU")
        is_cbow = settings.objective == "cbow"
        return KernelShape(
            settings.dim, settings.window, settings.negatives, is_cbow, settings.score_offset
        )

    @property
    def vector(self) -> int:
        """Return how many columns a lane reads at once: the size that leaves the fewest idle."""
        return min((4, 2), key=lambda size: (self.columns_per_lane(size), -size))

    def columns_per_lane(self, vector: int) -> int:
        vectors = -(-self.dim // vector)
        return -(-vectors // LANES) * vector

    @property
    def inputs(self) -> int:
        """Return the most inputs of a group."""
        return 2 * self.window + CENTRES_PER_GROUP

    @property
    def outputs(self) -> int:
        """Return the outputs of a step."""
        return CENTRES_PER_STEP + self.negatives

    @property
    def bytes_per_warp(self) -> int:
        """Return the shared memory of a warp: kWarpFloats in step.cu."""
        slots = self.inputs + CENTRES_PER_STEP * self.is_cbow
        gradients = -(-self.outputs // OUTPUT_TILE) * OUTPUT_TILE
        stride = -(-self.dim // SHARED_ALIGNMENT) * SHARED_ALIGNMENT
        return 4 * (slots * stride + self.inputs * gradients)

    @property
    def scratch_floats(self) -> int:
        """Return the floats of a warp for composed rows: all inputs and outputs may be numerals."""
        return (self.inputs + self.outputs) * padded_width(self.dim)

    @property
    def warps_per_processor(self) -> int:
        """Return the warps for which each processor must have enough registers."""
        return 12 if self.columns_per_lane(self.vector) <= 4 else 8

    def threads(self, shared_bytes: int) -> int:
        """Return the number of threads of a thread block that its shared memory allows."""
        warps = min(WARPS_PER_THREAD_BLOCK, shared_bytes // self.bytes_per_warp)
        if not warps:
            raise ConfigError("dim", self.dim, "less: windows do not fit into shared memory")
        return LANES * warps

    def options(self, threads: int) -> tuple[str, ...]:
        constants = {
            "DIM": self.dim,
            "STRIDE": padded_width(self.dim),
            "VECTOR": self.vector,
            "WINDOW": self.window,
            "NEGATIVES": self.negatives,
            "CBOW": int(self.is_cbow),
            "SCORE_OFFSET": f"{self.score_offset:.9g}",
            "CENTRES_PER_STEP": CENTRES_PER_STEP,
            "CENTRES_PER_GROUP": CENTRES_PER_GROUP,
            "LARGEST_LOAD": LARGEST_LOAD,
            "LOAD_SLOTS": LOAD_SLOTS,
            "THREADS": threads,
            "THREAD_BLOCKS": max(1, self.warps_per_processor * LANES // threads),
        }
        return ("--std=c++17", *(f"-D{name}={value}" for name, value in constants.items()))


def source(is_cbow: bool) -> str:
    """Return all sources as one; compiler messages still name the files."""
    names = (*BEFORE_STEPS, "cbow.cu" if is_cbow else "skipgram.cu", "windows.cu")
    folder = files(__package__)
    parts = (f'#line 1 "{name}"\n{folder.joinpath(name).read_text("utf-8")}' for name in names)
    return "\n".join(parts)


@dataclass(frozen=True)
class Grid:
    """The size of a launch."""

    thread_blocks: int
    threads: int  # of a thread block

    @property
    def warps(self) -> int:
        return self.thread_blocks * self.threads // LANES


class CudaKernels:
    """The compiled kernels, launched by name."""

    def __init__(self, shape: KernelShape) -> None:
        cupy = optional("cupy", "cuda")
        properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
        self.shape = shape
        self._threads = shape.threads(properties["sharedMemPerBlockOptin"])
        options = shape.options(self._threads)
        module = cupy.RawModule(code=source(shape.is_cbow), options=options)
        self._plan = {name: module.get_function(name) for name in PLAN_KERNELS}
        self._train = module.get_function("train_windows")
        self._train.max_dynamic_shared_size_bytes = self._shared_bytes(self._threads)
        thread_blocks = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
            self._train.kernel.ptr, self._threads, self._shared_bytes(self._threads)
        )
        warps_per_processor = int(thread_blocks) * self._threads // LANES
        self.warps = properties["multiProcessorCount"] * warps_per_processor

    def _shared_bytes(self, threads: int) -> int:
        return threads // LANES * self.shape.bytes_per_warp

    def grid_of(self, warps: int) -> Grid:
        """Return a grid of at most `warps` warps, and at least one."""
        per_thread_block = self._threads // LANES
        threads = LANES * max(1, min(warps, per_thread_block))
        return Grid(max(1, warps // per_thread_block), threads)

    def for_each(self, name: str, count: int, *structs: Any) -> None:
        """Launch a kernel of plan.cu with `count` threads."""
        if count:
            thread_blocks = -(-count // PLAN_THREADS)
            self._plan[name]((thread_blocks,), (PLAN_THREADS,), tuple(map(packed, structs)))

    def train_windows(self, grid: Grid, *structs: Any) -> None:
        arguments, shared = tuple(map(packed, structs)), self._shared_bytes(grid.threads)
        self._train((grid.thread_blocks,), (grid.threads,), arguments, shared_mem=shared)


@cache
def cuda_kernels(shape: KernelShape) -> CudaKernels:
    return CudaKernels(shape)
