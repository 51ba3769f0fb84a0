"""The compiled kernels, loaded when first needed.

Where the package was not built, a kernel's definition in NumPy is used, which is slower. Counting
and encoding a corpus and training on a CPU need the kernels.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from types import ModuleType

from numberline.errors import ConfigError, MissingKernelsError

NAME = "numberline._native"
INSTRUCTION_SET_VARIABLE = "NUMBERLINE_ISA"  # environment; overrides the best set


@cache
def native() -> ModuleType | None:
    """Return the native module, or None where the package was not built."""
    try:
        kernels = import_module(NAME)
    except ModuleNotFoundError as error:
        if error.name != NAME:
            raise
        return None
    if name := os.environ.get(INSTRUCTION_SET_VARIABLE):
        available = kernels.instruction_sets()
        if name not in available:
            raise ConfigError(INSTRUCTION_SET_VARIABLE, name, f"one of {', '.join(available)}")
        kernels.use_instruction_set(name)
    return kernels


def require_native() -> ModuleType:
    """Return the native module; it is an error if the package was not built."""
    kernels = native()
    if kernels is None:
        raise MissingKernelsError
    return kernels
