"""The compiled kernels, or None where the package is used without having been built.

All that has a definition in NumPy then runs by that, more slowly; reading text needs the kernels.
"""

from __future__ import annotations

from types import ModuleType

native: ModuleType | None
try:
    from numberline import _native as native
except ModuleNotFoundError as error:
    if error.name != "numberline._native":
        raise
    native = None
except ImportError as error:
    if "_native" not in str(error):
        raise
    native = None
