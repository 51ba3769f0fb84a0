"""Where the package was not built, what needs its kernels says so."""

import pytest

from numberline import kernels
from numberline.errors import MissingKernelsError


@pytest.fixture
def unbuilt(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError(name=name)

    kernels.native.cache_clear()
    monkeypatch.setattr(kernels, "import_module", missing)
    yield
    kernels.native.cache_clear()


@pytest.mark.usefixtures("unbuilt")
def test_missing_kernels_are_said():
    assert kernels.native() is None
    with pytest.raises(MissingKernelsError, match="was not built here"):
        kernels.require_native()
