"""The name of a target → valid inputs, from which a fuzzer starts."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from numberline.files import checked_json
from numberline.model.interchange import write_vectors
from numberline.model.word_vectors import WordVectors
from tests.fuzz.targets import joined
from tests.reading.reading_corpora import COMPRESSORS, TEXT

ROWS = 60


def seeds_of(target: str) -> list[bytes]:
    return list(SEEDS[target]())


def vectors() -> Iterator[bytes]:
    some = WordVectors(["a", "b", "1,250"], np.arange(9, dtype=np.float32).reshape(3, 3))
    with tempfile.TemporaryDirectory() as folder:
        for format in ("word2vec", "word2vec-text", "glove"):
            path = Path(folder, format)
            write_vectors(some, path, format)
            yield path.read_bytes()
            yield COMPRESSORS["zstd"](path.read_bytes())


def npy_folder() -> Iterator[bytes]:
    for table in (np.ones((2, 3), np.float32), np.ones((2, 3), np.float32, order="F")):
        file = io.BytesIO()
        np.save(file, table)
        yield joined(b'["a", "b"]', file.getvalue())


def json_lines() -> Iterator[bytes]:
    records: list[dict[str, Any]] = [
        {"text": "size 190 \ud800", "x": [[{}], 1e9, None]},
        {"text": None},
        {"id": 7, "text": "½ Straße\n5'8\""},
    ]
    yield "\n".join(map(json.dumps, records)).encode()
    yield '{"text": "größe 4", "x": NaN}\n'.encode()


def json_array() -> Iterator[bytes]:
    for line in json_lines():
        records = [json.loads(record) for record in line.splitlines()]
        yield json.dumps(records, indent=1).encode()
        yield b"[" + b", ".join(line.splitlines()) + b"]"


def delimited() -> Iterator[bytes]:
    yield 'id,text\r\n1,"size ½ ""XL""\nand 5\'4"\r\n2,\r\n'.encode()
    yield b"\xef\xbb\xbfsep=;\nid;text\n1;caf\xe9 7\n\n;;\n"
    yield b'id\ttext\n1\t"Great" 5\'4"\n2\tsize 7\n'


def corpus() -> Iterator[bytes]:
    yield TEXT
    for compress in COMPRESSORS.values():
        yield compress(TEXT)
    yield from tables()


def tables() -> Iterator[bytes]:
    import pyarrow as pa

    texts = pa.array([None if n % 7 == 0 else f"row {n} of a longer text" for n in range(ROWS)])
    lists = pa.array([["a", f"w{n}", None] if n % 5 else None for n in range(ROWS)])
    pairs = pa.array(["x", "y"] * 3).dictionary_encode()
    for column in (
        texts,
        texts.cast(pa.large_string()),
        texts.cast(pa.string_view()),
        texts.dictionary_encode(),
        lists,
        lists.cast(pa.large_list(pa.large_string())),
        pa.ListArray.from_arrays(pa.array([0, 2, 4, 6], pa.int32()), pairs),
    ):
        yield from files_of(pa.table({"text": column, "id": list(range(len(column)))}))


def files_of(table: Any) -> Iterator[bytes]:
    import pyarrow as pa
    import pyarrow.parquet

    for compression in (None, "lz4", "zstd"):
        options = pa.ipc.IpcWriteOptions(compression=compression)
        for new_writer in (pa.ipc.new_file, pa.ipc.new_stream):
            file = io.BytesIO()
            with new_writer(file, table.schema, options=options) as writer:
                writer.write_table(table, max_chunksize=ROWS // 3)
            yield file.getvalue()
    for version, dictionary in (("1.0", True), ("2.0", False)):
        for compression in ("none", "snappy", "zstd"):
            file = io.BytesIO()
            try:
                pyarrow.parquet.write_table(
                    table,
                    file,
                    compression=compression,
                    data_page_version=version,
                    use_dictionary=dictionary,
                    row_group_size=ROWS // 3,
                )
            except pa.ArrowNotImplementedError:  # lists of dictionaries
                continue
            yield file.getvalue()


def labelled() -> Iterator[bytes]:
    yield b"size\tO\n190\tB-height\ncm\tI-height\n\nxxl S-size\n"


def evaluation() -> Iterator[bytes]:
    table = {"title": "t", "rows": [{"a": 1, "b": [1.5, 0.5]}], "notes": [], "decimals": 2}
    facts = {"model": {}, "settings": {}, "tables": {"a": [table]}, "seconds": {"a": 1.0}}
    yield checked_json.to_bytes({"format": "evaluation", "version": 1, **facts})


def scanners() -> Iterator[bytes]:
    text = "\ud800 Rs5,000 5'8\" 3½ °C covid-19 1e400 ٣ 中5 two hundred\r\n" * 2
    yield b"\x0f" + text.encode("utf-8", "replace")
    yield b"\x05 " + text.encode("utf-16-le", "surrogatepass")


def explorer() -> Iterator[bytes]:
    for number, query in enumerate(
        [
            *("", "", "text=5&among=all", "low=-1e9&high=1e300", "words=a,b&low=0&high=1"),
            *("text=the+cat+has+9+lives", "text=the+9+lives&start=4&end=5"),
        ]
    ):
        yield bytes([number]) + query.encode()


def model_folder() -> Iterator[bytes]:
    from tests.small_models import small_model

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        small_model().save(path)
        header, tensors = (path / name for name in ("numberline.json", "model.safetensors"))
        yield joined(header.read_bytes(), tensors.read_bytes())


SEEDS = {
    "corpus": corpus,
    "delimited": delimited,
    "evaluation": evaluation,
    "explorer": explorer,
    "json_array": json_array,
    "json_lines": json_lines,
    "labelled": labelled,
    "model_folder": model_folder,
    "npy_folder": npy_folder,
    "scanners": scanners,
    "tables": tables,
    "vectors": vectors,
}
