"""Nothing but regular files is opened, and opening anything else does not wait."""

import json
import os
import socket

import numpy as np
import pytest

from numberline.errors import EvaluationDataError, SentencesError, VectorsError
from numberline.evaluation.result import Evaluation
from numberline.evaluation.sets import read_set
from numberline.files import regular
from numberline.files.npy_folder import read_npy
from numberline.files.regular import open_regular, read_text
from numberline.model.interchange import read_vectors
from numberline.tagging.sentences import read_sentences

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs pipes and sockets of POSIX")


@pytest.fixture(params=["a pipe", "a socket", "a device"])
def odd_file(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets must be short
    if request.param == "a pipe":
        os.mkfifo("odd")
    elif request.param == "a socket":
        with socket.socket(socket.AF_UNIX) as one:
            one.bind("odd")
    else:
        os.symlink("/dev/zero", "odd")
    return tmp_path / "odd", f"it is {request.param}, no regular file"


@pytest.mark.parametrize(
    ("read", "error"),
    [
        (open_regular, OSError),
        (read_vectors, VectorsError),
        (read_set, EvaluationDataError),
        (Evaluation.load, EvaluationDataError),
        (read_sentences, SentencesError),
    ],
)
def test_pipes_sockets_and_devices_are_refused_at_once(odd_file, read, error):
    path, reason = odd_file
    with pytest.raises(error, match=reason):
        read(path)


@pytest.mark.parametrize("name", ["words.json", "vectors.npy"])
def test_the_files_of_a_folder_of_vectors_must_be_regular(odd_file, tmp_path, name):
    path, reason = odd_file
    folder = tmp_path / "vectors"
    folder.mkdir()
    (folder / "words.json").write_text('["a"]')
    np.save(folder / "vectors.npy", np.zeros((1, 2), np.float32))
    (folder / name).unlink()
    (folder / name).symlink_to(path)
    with pytest.raises(VectorsError, match=reason):
        read_npy(folder)


def test_a_text_larger_than_the_limit_is_refused_unread(tmp_path, monkeypatch):
    monkeypatch.setattr(regular, "LARGEST_TEXT", 9)
    (tmp_path / "a").write_text("123456789")
    assert read_text(tmp_path / "a") == "123456789"
    (tmp_path / "a").write_text("1234567890")
    with pytest.raises(ValueError, match="more than 9 bytes"):
        read_text(tmp_path / "a")


@pytest.mark.parametrize(
    "content", ["[", "[" * 100_000, "1", '{"tables": 1}', '{"tables": {"a": [{"rows": 1}]}}']
)
def test_a_damaged_evaluation_is_refused(tmp_path, content):
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(EvaluationDataError, match="it is no saved evaluation"):
        Evaluation.load(tmp_path / "a.json")


@pytest.mark.parametrize(
    "words", ["[" * 100_000, json.dumps([["a"]]), '[{"a": 1}]', "9" * 5000, "", '["\ud800"']
)
def test_hostile_lists_of_words_are_refused(tmp_path, words):
    np.save(tmp_path / "vectors.npy", np.zeros((1, 2), np.float32))
    (tmp_path / "words.json").write_bytes(words.encode("utf-8", "surrogatepass"))
    with pytest.raises(VectorsError):
        read_npy(tmp_path)


@pytest.mark.parametrize(
    "header",
    [
        "(" * 9000,
        "-" * 9000 + "1",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, -2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (True, 2)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1, 2)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3)}",
        "{'descr': " + "[" * 50 + "]" * 50 + ", 'fortran_order': False, 'shape': (1, 2)}",
    ],
)
@pytest.mark.parametrize("version", [1, 2, 3, 9])
def test_hostile_headers_of_tables_are_refused(tmp_path, header, version):
    (tmp_path / "words.json").write_text('["a"]')
    size = len(header).to_bytes(2 if version == 1 else 4, "little")
    magic = b"\x93NUMPY" + bytes([version, 0]) + size
    (tmp_path / "vectors.npy").write_bytes(magic + header.encode() + bytes(8))
    with pytest.raises(VectorsError):
        read_npy(tmp_path)
