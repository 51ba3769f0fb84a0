"""Settings → compiled CUDA kernels, for the GPU at hand.

CuPy compiles the sources of this folder at run time and keeps the result in its own cache on disk.
What is known by then is a constant: rows stay in registers.
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
from numberline.training.plan import CENTRES_PER_DRAW
from numberline.training.reference import CENTRES_PER_STEP
from numberline.training.tables import padded_width

BEFORE_STEPS = ("random.cu", "plan.cu", "rows.cu", "numerals.cu", "draws.cu", "step.cu")
PLAN_KERNELS = ("mark_kept", "drop_lonely", "count_draws", "plan_windows", "draw_negatives")
LANES = 32
GROUP = 8  # kGroup in step.cu
SHARED_ALIGNMENT = 4  # floats of a copy to shared memory
WARPS_PER_BLOCK = 4
PLAN_THREADS = 256
MOST_NEGATIVES = LANES - CENTRES_PER_STEP  # a lane looks after each output
MOST_DIM = 4096


@dataclass(frozen=True)
class KernelShape:
    """The constants of the kernels."""

    dim: int
    window: int
    negatives: int
    is_cbow: bool

    @staticmethod
    def of(settings: Settings) -> KernelShape:
        """Refuse what the kernels cannot do."""
        widest = (LANES - CENTRES_PER_DRAW) // 2
        for name, most in (("window", widest), ("negatives", MOST_NEGATIVES), ("dim", MOST_DIM)):
            if getattr(settings, name) > most:
                raise ConfigError(name, getattr(settings, name), f"{most} or less on a GPU")
        is_cbow = settings.objective == "cbow"
        return KernelShape(settings.dim, settings.window, settings.negatives, is_cbow)

    @property
    def vector(self) -> int:
        """Return how many neighbouring columns a lane has: most lanes should have some."""
        return min((4, 2), key=lambda size: (self.columns_per_lane(size), -size))

    def columns_per_lane(self, vector: int) -> int:
        vectors = -(-self.dim // vector)
        return -(-vectors // LANES) * vector

    @property
    def inputs(self) -> int:
        """Return the most inputs of a draw."""
        return 2 * self.window + CENTRES_PER_DRAW

    @property
    def outputs(self) -> int:
        """Return the outputs of a step."""
        return CENTRES_PER_STEP + self.negatives

    @property
    def bytes_per_warp(self) -> int:
        """Return the shared memory of a warp: kWarpFloats in step.cu."""
        slots = self.inputs + CENTRES_PER_STEP * self.is_cbow
        groups = -(-self.outputs // GROUP)
        stride = -(-self.dim // SHARED_ALIGNMENT) * SHARED_ALIGNMENT
        return 4 * (slots * stride + self.inputs * groups * GROUP)

    @property
    def scratch_floats(self) -> int:
        """Return the room of a warp for composed rows: all inputs and outputs may be numerals."""
        return (self.inputs + self.outputs) * padded_width(self.dim)

    @property
    def warps_per_processor(self) -> int:
        """Return the number of warps that registers should suffice for."""
        return 12 if self.columns_per_lane(self.vector) <= 4 else 8

    def threads(self, shared_bytes: int) -> int:
        """Return the size of a block: at most what its shared memory allows."""
        warps = min(WARPS_PER_BLOCK, shared_bytes // self.bytes_per_warp)
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
            "CENTRES_PER_STEP": CENTRES_PER_STEP,
            "CENTRES_PER_DRAW": CENTRES_PER_DRAW,
            "THREADS": threads,
            "BLOCKS": max(1, self.warps_per_processor * LANES // threads),
        }
        return ("--std=c++17", *(f"-D{name}={value}" for name, value in constants.items()))


def source(is_cbow: bool) -> str:
    """Return all files as one; they keep their names in messages of the compiler."""
    names = (*BEFORE_STEPS, "cbow.cu" if is_cbow else "skipgram.cu", "windows.cu")
    folder = files(__package__)
    parts = (f'#line 1 "{name}"\n{folder.joinpath(name).read_text("utf-8")}' for name in names)
    return "\n".join(parts)


@dataclass(frozen=True)
class Grid:
    """The size of a launch."""

    blocks: int
    threads: int  # of a block

    @property
    def warps(self) -> int:
        return self.blocks * self.threads // LANES


class CudaKernels:
    """Compiled, and launched by name."""

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
        blocks = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
            self._train.kernel.ptr, self._threads, self._shared_bytes(self._threads)
        )
        self.warps = properties["multiProcessorCount"] * int(blocks) * self._threads // LANES

    def _shared_bytes(self, threads: int) -> int:
        return threads // LANES * self.shape.bytes_per_warp

    def grid_of(self, warps: int) -> Grid:
        """Return a grid of at most so many warps, and at least one."""
        per_block = self._threads // LANES
        return Grid(max(1, warps // per_block), LANES * max(1, min(warps, per_block)))

    def for_each(self, name: str, count: int, *arguments: Any) -> None:
        """Launch a kernel of plan.cu with a thread for each of `count` things."""
        if count:
            blocks = -(-count // PLAN_THREADS)
            self._plan[name]((blocks,), (PLAN_THREADS,), passed(arguments))

    def train_windows(self, grid: Grid, *arguments: Any) -> None:
        shared = self._shared_bytes(grid.threads)
        self._train((grid.blocks,), (grid.threads,), passed(arguments), shared_mem=shared)


def passed(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(packed(argument) for argument in arguments)


@cache
def cuda_kernels(shape: KernelShape) -> CudaKernels:
    return CudaKernels(shape)
