"""Fixtures of all tests: texts, a small model, a GPU or an emulated one; which tests are slow."""

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

import numberline as nl
from numberline.numerals import registry
from numberline.training.cuda.kernels import cuda_kernels
from tests.emulated_cuda.fake_cupy import compiler, fake_cupy
from tests.small_models import small_model
from tests.training.small_corpora import has_gpu

# No test depends on the time that it takes.
hypothesis_settings.register_profile(
    "numberline", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("numberline")

TESTS = Path(__file__).parent
SLOW = {  # file or folder -> why pytest --quick leaves it out
    "cli": "starts a process for each command",
    "conformance/test_cuda_source.py": "compiles kernels for three chips",
    "conformance/test_cuda_training.py": "emulates a GPU",
    "conformance/test_real_corpora.py": "reads 336 MB of text",
    "documents/test_code.py": "runs all code of the documents",
    "documents/test_site.py": "builds the site and starts a browser",
    "explore/test_browser.py": "starts a browser",
    "explore/plots": "draws all figures of a model",
    "integrations": "imports torch, spaCy, gensim and scikit-learn",
    "paper": "trains with torch",
    "reading/test_decompression.py": "unpacks gigabytes",
    "shop": "writes the whole chat and trains on it",
    "tagging/test_crf.py": "imports torch",
    "tagging/test_tagger.py": "imports torch",
    "test_benchmarks.py": "imports the peers",
    "training/test_cuda.py": "emulates a GPU",
}


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="leave out the slow tests")


def pytest_configure(config):
    if moved := [path for path in SLOW if not (TESTS / path).exists()]:
        raise pytest.UsageError(f"SLOW in tests/conftest.py names what is not there: {moved}")


def pytest_ignore_collect(collection_path, config):
    """Slow files are not even imported; None leaves the decision to pytest."""
    path = collection_path.relative_to(TESTS).as_posix() if collection_path != TESTS else ""
    return True if config.getoption("quick") and path in SLOW else None


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
    if has_gpu():
        yield
        return
    if compiler() is None:
        pytest.skip("neither a GPU nor g++ here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cupy", fake_cupy(tmp_path_factory.mktemp("kernels")))
        cuda_kernels.cache_clear()
        yield
    cuda_kernels.cache_clear()
