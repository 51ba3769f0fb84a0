"""The compiled kernels, loaded when first needed; None where the package was not built.

All that has a definition in NumPy then runs by that, more slowly. Reading text and training on a
CPU need the kernels.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from types import ModuleType

from numberline.errors import ConfigError, MissingKernelsError

NAME = "numberline._native"
INSTRUCTION_SET_VARIABLE = "NUMBERLINE_ISA"  # names another than the best that the machine has


@cache
def native() -> ModuleType | None:
    try:
        kernels = import_module(NAME)
    except ModuleNotFoundError as error:
        if error.name != NAME:
            raise
        return None
    if asked := os.environ.get(INSTRUCTION_SET_VARIABLE):
        known = kernels.instruction_sets()
        if asked not in known:
            raise ConfigError(INSTRUCTION_SET_VARIABLE, asked, f"one of {', '.join(known)}")
        kernels.use_instruction_set(asked)
    return kernels


def require_native() -> ModuleType:
    kernels = native()
    if kernels is None:
        raise MissingKernelsError
    return kernels
