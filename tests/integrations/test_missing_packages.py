"""An integration without its package says what to install."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["torch", "spacy", "gensim"])
def test_a_missing_package_is_named(name):
    code = f"import sys; sys.modules[{name!r}] = None; import numberline.integrations.{name}"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"pip install 'numberline[{name}]'" in result.stderr.splitlines()[-1]


def test_sentence_transformers_is_named_as_its_extra():
    pytest.importorskip("torch")
    code = "import sys; sys.modules['sentence_transformers'] = None; "
    code += "import numberline.integrations.sentence_transformers"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'numberline[sentence-transformers]'" in result.stderr.splitlines()[-1]


def test_a_package_that_cannot_be_imported_is_not_called_missing(tmp_path):
    (tmp_path / "torch.py").write_text("raise ImportError('libtorch.so: cannot map it\\nmore')")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import numberline.integrations.torch"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    message = result.stderr.splitlines()[-1]
    assert "torch cannot be imported: libtorch.so: cannot map it; free memory, or run" in message
