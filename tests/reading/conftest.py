"""A fixture that writes the files that tests read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reading.reading_corpora import Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file
