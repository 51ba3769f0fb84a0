"""An integration without its package says what to install."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["torch", "spacy", "gensim"])
def test_a_missing_package_is_named(name):
    code = f"import sys; sys.modules[{name!r}] = None; import numberline.integrations.{name}"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"pip install 'numberline[{name}]'" in result.stderr.splitlines()[-1]
