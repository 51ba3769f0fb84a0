"""Settings and a corpus → whether a GPU trains."""

from __future__ import annotations

from typing import Any

from numberline.errors import ConfigError, MissingExtraError, TrainingError, setting_text
from numberline.extras import optional
from numberline.kernels import native
from numberline.settings import Settings
from numberline.training.cuda.kernels import KernelShape

MIN_GPU_TOKENS = 20_000_000  # of all epochs: a CPU trains fewer in seconds


def trains_on_gpu(settings: Settings, tokens: int) -> bool:
    """Return whether a GPU trains: if it is required, or if there is one and the text is long."""
    if settings.device == "cpu":
        return False
    if settings.device == "cuda":
        if not gpu_count(optional("cupy", "cuda")):
            chosen = setting_text("device", "cuda")
            raise TrainingError(f"{chosen}, but CUDA finds no GPU on this machine")
        return True
    try:
        has_gpu = gpu_count(optional("cupy", "cuda")) > 0
    except MissingExtraError:
        return False
    is_worth_it = tokens * settings.epochs >= MIN_GPU_TOKENS or native() is None
    return has_gpu and is_worth_it and kernels_support(settings)


def gpu_count(cupy: Any) -> int:
    try:
        return int(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError:
        return 0  # no driver


def kernels_support(settings: Settings) -> bool:
    """Return whether the kernels support these settings."""
    try:
        KernelShape.of(settings)
    except ConfigError:
        return False
    return True


def gpu_name() -> str:
    cupy = optional("cupy", "cuda")
    properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    return str(properties["name"].decode())
