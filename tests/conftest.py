"""Files for tests that read them."""

import pytest


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("the cat has 9 lives\nthe dog has 1,000 or 1000\n" * 5)
    return path
