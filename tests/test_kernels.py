"""Without a build, calls that need the kernels are errors."""

import pytest

import numberline
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
def test_a_package_that_was_not_built_says_so():
    assert kernels.native() is None
    with pytest.raises(MissingKernelsError, match="was not built here"):
        kernels.require_native()


@pytest.mark.usefixtures("unbuilt")
def test_counting_without_a_build_is_an_error_for_users():
    with pytest.raises(MissingKernelsError, match="was not built here"):
        numberline.count(["a 1"])
