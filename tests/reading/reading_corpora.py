"""A text for the tests of corpora, functions that compress it, and functions that read it."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from numberline.errors import CorpusError
from numberline.files.decompression import zstd
from numberline.reading.blocks import Block
from numberline.reading.corpus import open_corpus
from numberline.settings import ReadingSettings

TEXT = "Jeff is 190 cm, size XXL.\nÅse weighs ½ of that.\n".encode()


def compress_zstd(data: bytes) -> bytes:
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: True})


COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": compress_zstd,
}
every_compression = pytest.mark.parametrize("compression", COMPRESSORS)


Write = Callable[[str, bytes | str], Path]


def blocks_of(source: Any, **settings: Any) -> list[Block]:
    return list(open_corpus(source, ReadingSettings(**settings)).blocks())


def text_of(source: Any, **settings: Any) -> bytes:
    return b"".join(block.data for block in blocks_of(source, **settings))


def sentences_of(source: Any, **settings: Any) -> list[list[str]]:
    blocks = blocks_of(source, **settings)
    assert all(block.tokenised for block in blocks)
    return unpack(blocks)


def unpack(blocks: Iterable[Block]) -> list[list[str]]:
    packed = b"".join(block.data for block in blocks).decode()
    return [sentence.split("\0") for sentence in packed.split("\0\0")[:-1]]


def message_of(source: Any, **settings: Any) -> str:
    with pytest.raises(CorpusError) as caught:
        blocks_of(source, **settings)
    message = str(caught.value)
    assert "\n" not in message
    return message


def feed_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
