"""Fixtures of all tests: texts, a small trained model, a GPU or an emulated one."""

import sys

import pytest

import numberline as nl
from numberline.numerals import registry
from numberline.training.cuda.kernels import cuda_kernels
from tests.emulated_cuda.fake_cupy import compiler, fake_cupy
from tests.small_models import small_model
from tests.training.small_corpora import is_gpu_here


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("the cat has 9 lives\nthe dog has 1,000 or 1000\n" * 5)
    return path


@pytest.fixture(scope="session")
def planted_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted") / "model"
    small_model().save(folder)
    return folder


@pytest.fixture(scope="session")
def planted_model(planted_folder):
    return nl.load(planted_folder)


@pytest.fixture
def registered(monkeypatch):
    """Keep encoders that a test registers from other tests."""
    monkeypatch.setattr(registry, "registered", encoders := {})
    return encoders


@pytest.fixture(scope="module")
def cuda_device(tmp_path_factory):
    """Provide a GPU, or an emulated one on a machine without."""
    if is_gpu_here():
        yield
        return
    if compiler() is None:
        pytest.skip("neither a GPU nor g++ here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cupy", fake_cupy(tmp_path_factory.mktemp("kernels")))
        cuda_kernels.cache_clear()
        yield
    cuda_kernels.cache_clear()
