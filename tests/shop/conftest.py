"""The chat that several tests look at."""

from itertools import islice

import pytest

from numberline_shop import chat


@pytest.fixture(scope="package")
def messages():
    return list(islice(chat(seed=1), 40_000))
