"""Settings → compiled CUDA kernels, for the GPU at hand.

CuPy compiles the sources of this folder at run time and keeps the result in its own cache on disk.
What is known by then is a constant: rows stay in registers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from numberline.config import TrainingConfig
from numberline.errors import ConfigError
from numberline.extras import optional
from numberline.training.plan import CENTRES_PER_DRAW
from numberline.training.reference import CENTRES_PER_STEP

PLAN_SOURCES = ("random.cu", "plan.cu")
ROUND_SOURCES = ("random.cu", "rows.cu", "windows.cu", "rounds.cu")
LANES = 32
GROUP = 8  # kGroup in windows.cu
ROW_ALIGNMENT = 8  # floats: what memory moves at once
WARPS_PER_BLOCK = 4
PLAN_THREADS = 256
MOST_NEGATIVES = LANES  # a lane looks after each
MOST_DIM = 4096


@dataclass(frozen=True)
class KernelShape:
    """The constants of the kernels."""

    dim: int
    window: int
    negatives: int
    is_cbow: bool

    @staticmethod
    def of(config: TrainingConfig) -> KernelShape:
        """Refuses what the kernels cannot do."""
        widest = (LANES - CENTRES_PER_DRAW) // 2
        for name, most in (("window", widest), ("negatives", MOST_NEGATIVES), ("dim", MOST_DIM)):
            if getattr(config, name) > most:
                raise ConfigError(name, getattr(config, name), f"{most} or less on a GPU")
        is_cbow = config.objective == "cbow"
        return KernelShape(config.dim, config.window, config.negatives, is_cbow)

    @property
    def stride(self) -> int:
        """Floats from one row to the next."""
        return -(-self.dim // ROW_ALIGNMENT) * ROW_ALIGNMENT

    @property
    def vector(self) -> int:
        """Neighbouring columns of a lane: as many as leave fewest lanes without any."""
        return min((4, 2), key=lambda size: (self.columns_per_lane(size), -size))

    def columns_per_lane(self, vector: int) -> int:
        vectors = -(-self.dim // vector)
        return -(-vectors // LANES) * vector

    @property
    def bytes_per_warp(self) -> int:
        """Of shared memory: kWarpFloats in windows.cu."""
        inputs = 2 * self.window + CENTRES_PER_DRAW
        slots = inputs + CENTRES_PER_STEP * self.is_cbow
        groups = -(-(CENTRES_PER_STEP + self.negatives) // GROUP)
        return 4 * (slots * self.stride + inputs * groups * GROUP)

    @property
    def warps_per_processor(self) -> int:
        """That registers are meant for."""
        return 12 if self.columns_per_lane(self.vector) <= 4 else 8

    def threads(self, shared_bytes: int) -> int:
        """Of a block, as many as its shared memory allows."""
        warps = min(WARPS_PER_BLOCK, shared_bytes // self.bytes_per_warp)
        if not warps:
            raise ConfigError("dim", self.dim, "less: windows do not fit into shared memory")
        return LANES * warps

    def options(self, threads: int) -> tuple[str, ...]:
        constants = {
            "DIM": self.dim,
            "STRIDE": self.stride,
            "VECTOR": self.vector,
            "WINDOW": self.window,
            "NEGATIVES": self.negatives,
            "LOG_NEGATIVES": f"{math.log(self.negatives)!r}f",
            "CBOW": int(self.is_cbow),
            "CENTRES_PER_STEP": CENTRES_PER_STEP,
            "CENTRES_PER_DRAW": CENTRES_PER_DRAW,
            "THREADS": threads,
            "BLOCKS": max(1, self.warps_per_processor * LANES // threads),
        }
        return ("--std=c++17", *(f"-D{name}={value}" for name, value in constants.items()))


def source(names: Iterable[str]) -> str:
    """Files as one, which keep their names in messages of the compiler."""
    folder = files(__package__)
    parts = (f'#line 1 "{name}"\n{folder.joinpath(name).read_text("utf-8")}' for name in names)
    return "\n".join(parts)


@dataclass(frozen=True)
class Grid:
    """What a launch is made of."""

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
        self._plan = cupy.RawModule(code=source(PLAN_SOURCES), options=options)
        # Rounds wait for each other: all blocks have to be at work at once.
        rounds = cupy.RawModule(
            code=source(ROUND_SOURCES), options=options, enable_cooperative_groups=True
        )
        self._rounds = rounds.get_function("train_rounds")
        self._rounds.max_dynamic_shared_size_bytes = self._shared_bytes(self._threads)
        blocks = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
            self._rounds.kernel.ptr, self._threads, self._shared_bytes(self._threads)
        )
        self.warps = properties["multiProcessorCount"] * int(blocks) * self._threads // LANES

    def _shared_bytes(self, threads: int) -> int:
        return threads // LANES * self.shape.bytes_per_warp

    def grid_of(self, warps: int) -> Grid:
        """Up to so many warps, and at least one."""
        per_block = self._threads // LANES
        return Grid(max(1, warps // per_block), LANES * max(1, min(warps, per_block)))

    def each(self, name: str, count: int, *arguments: Any) -> None:
        """A thread for each of so many."""
        if count:
            kernel = self._plan.get_function(name)
            kernel((-(-count // PLAN_THREADS),), (PLAN_THREADS,), arguments)

    def train_rounds(self, grid: Grid, *arguments: Any) -> None:
        shared = self._shared_bytes(grid.threads)
        self._rounds((grid.blocks,), (grid.threads,), arguments, shared_mem=shared)


@cache
def cuda_kernels(shape: KernelShape) -> CudaKernels:
    return CudaKernels(shape)
