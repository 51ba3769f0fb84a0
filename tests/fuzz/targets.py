"""Bytes from a fuzzer → one reader each, which may refuse them but must never fail otherwise."""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

import numberline as nl
from numberline.errors import NumberlineError
from numberline.evaluation.result import Evaluation
from numberline.files import checked_json
from numberline.model.interchange import read_vectors
from numberline.model.word_vectors import WordVectors
from numberline.reading import tokenizer
from numberline.reading.quantities import native
from numberline.settings import TextSettings
from numberline.tagging.sentences import read_sentences

LONGEST_MESSAGE = 4000  # characters; the command line shows 500
FOLDER = Path(tempfile.mkdtemp(prefix="numberline-fuzz-"))

Target = Callable[[bytes], object]


def refused_or_read(target: Target, data: bytes) -> str:
    """Run a target; anything but an answer or an error of one line is raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            target(data)
        except NumberlineError as error:
            message = str(error)
            if len(message) > LONGEST_MESSAGE:
                raise AssertionError(f"a message of {len(message)} characters") from error
            return "refused"
    return "read"


def written(name: str, data: bytes) -> Path:
    path = FOLDER / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return path


def joined(first: bytes, second: bytes) -> bytes:
    """Return two files as one input: the length of the first, then both."""
    return len(first).to_bytes(4, "little") + first + second


def halves(data: bytes) -> tuple[bytes, bytes]:
    end = 4 + int.from_bytes(data[:4], "little")
    return data[4:end], data[end:]


def vectors(data: bytes) -> None:
    read = read_vectors(written("vectors", data))
    assert isinstance(read, WordVectors)
    assert np.isfinite(read.table).all()
    assert len(read.words) == len(set(read.words)) == len(read.table)


def npy_folder(data: bytes) -> None:
    words, table = halves(data)
    written("npy/words.json", words)
    written("npy/vectors.npy", table)
    read_vectors(FOLDER / "npy")


def count(path: Path, **settings: Any) -> None:
    vocabulary = nl.count(path, threads=1, min_count=1, **settings)
    for word in vocabulary.words:
        word.encode()  # no lone surrogates
    assert np.isfinite(vocabulary.numeral_values).all()


def json_lines(data: bytes) -> None:
    count(written("text.jsonl", data))


def json_array(data: bytes) -> None:
    count_with_field(written("text.json", data))


def delimited(data: bytes) -> None:
    count_with_field(written("text.csv", data))


def count_with_field(path: Path) -> None:
    with suppress(NumberlineError):  # that there is no field
        count(path)
    count(path, text_field="text")


def corpus(data: bytes) -> None:
    """Read text, compressed or not, Parquet or Arrow."""
    count(written("corpus", data))


def tables(data: bytes) -> None:
    count(written("table", data), text_field="text")


def labelled(data: bytes) -> None:
    read_sentences(written("sentences", data))


def evaluation(data: bytes) -> None:
    content = checked_json.with_digits(data, checked_json.checksum(data))
    Evaluation.load(written("evaluation.json", content))


def scanners(data: bytes) -> None:
    """Compare the native scanner and its definition, on text with lone surrogates too."""
    options = data[0] if data else 0
    settings = TextSettings(*(bool(options >> bit & 1) for bit in range(4)))
    for text in (
        data[1:].decode("utf-8", "replace"),
        data[1:].decode("utf-16-le", "surrogatepass" if len(data) % 2 else "replace"),
    ):
        assert native.tokenize(text, settings) == tokenizer.tokenize(text, settings)


def model_folder(data: bytes) -> None:
    """Load a model whose two files are the halves of the data; the header's checksum is right."""
    header, tensors = halves(data)
    written(
        "model/numberline.json", checked_json.with_digits(header, checked_json.checksum(header))
    )
    written("model/model.safetensors", tensors)
    model = nl.load(FOLDER / "model", verify=len(data) % 2 == 0)
    if len(model):
        model.similar(model.words[0])


QUESTIONS = ("about", "map", "number", "line", "curves", "check", "expected")


class Explorer:
    """Asks the explorer's handlers what a browser could ask, without a socket."""

    def __init__(self) -> None:
        from numberline.explore.answers import Answers
        from numberline.explore.server import application
        from numberline.explore.word_map import WordMap
        from tests.small_models import small_model

        answers = Answers(small_model(), "fuzzed")
        self._application = application(answers, WordMap(answers.landmarks), "localhost")

    def __call__(self, data: bytes) -> None:
        import asyncio

        path = f"/api/{QUESTIONS[(data[0] if data else 0) % len(QUESTIONS)]}"
        status, body = asyncio.run(self._answer(path, data[1:]))
        assert status in (200, 400, 414), body
        json.loads(body, parse_constant=refuse_constant)

    async def _answer(self, path: str, query: bytes) -> tuple[int, bytes]:
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": query,
            "headers": [(b"host", b"localhost")],
        }
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self._application(scope, receive, send)
        return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


def refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


class Lazy:
    """A target that is made when it is first used."""

    def __init__(self, make: Callable[[], Target]) -> None:
        self._make, self._target = make, None

    def __call__(self, data: bytes) -> object:
        self._target = self._target or self._make()
        return self._target(data)


TARGETS: dict[str, Target] = {
    "corpus": corpus,
    "delimited": delimited,
    "evaluation": evaluation,
    "explorer": Lazy(Explorer),
    "json_array": json_array,
    "json_lines": json_lines,
    "labelled": labelled,
    "model_folder": model_folder,
    "npy_folder": npy_folder,
    "scanners": scanners,
    "tables": tables,
    "vectors": vectors,
}

if __name__ == "__main__":
    print(*TARGETS)
