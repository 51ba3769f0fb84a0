"""Settings and a corpus → whether a GPU trains."""

from __future__ import annotations

from typing import Any

from numberline.errors import ConfigError, MissingExtraError, TrainingError
from numberline.extras import optional
from numberline.kernels import native
from numberline.settings import Settings
from numberline.training.cuda.kernels import KernelShape

WORTH_A_GPU = 20_000_000  # tokens of all epochs: a CPU trains fewer in seconds


def trains_on_gpu(settings: Settings, tokens: int) -> bool:
    """Return whether a GPU trains: if it is required, or is there and worth it."""
    if settings.device == "cpu":
        return False
    if settings.device == "cuda":
        if not gpu_count(optional("cupy", "cuda")):
            raise TrainingError("device='cuda', but CUDA finds no GPU on this machine")
        return True
    try:
        is_there = gpu_count(optional("cupy", "cuda")) > 0
    except MissingExtraError:
        return False
    is_worth_it = tokens * settings.epochs >= WORTH_A_GPU or native() is None
    return is_there and is_worth_it and fits(settings)


def gpu_count(cupy: Any) -> int:
    try:
        return int(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError:
        return 0  # no driver


def fits(settings: Settings) -> bool:
    """Return whether the kernels can do what is set."""
    try:
        KernelShape.of(settings)
    except ConfigError:
        return False
    return True


def gpu_name() -> str:
    cupy = optional("cupy", "cuda")
    properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    return str(properties["name"].decode())
