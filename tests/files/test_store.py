"""Stored folders: any damage is an error; loading sees one version; only regular files are read."""

import json
import os
import shutil
import threading
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file

import numberline as nl
from numberline.errors import NumberlineError, StoreError
from numberline.files import checked_json, snapshot
from numberline.files.store import HEADER, Format, read_store, write_store
from numberline.files.tensors import Pieces, TensorFile, write_tensors
from numberline.files.whole_folder import replace_folder
from numberline.numerals import BUILT_IN
from tests.faults.tampering import KINDS, tampered_copies, try_to_read
from tests.files.crafted import arrays_of, replace_arrays

THINGS = Format("things", 1, "things.safetensors")
ARRAYS = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.arange(3, dtype=np.int32)}


def saved(folder, header=None, arrays=ARRAYS):
    with replace_folder(folder, THINGS.kind, overwrite=True) as new:
        write_store(new, THINGS, header or {}, arrays)
    return folder


def test_header_and_arrays_come_back(tmp_path):
    header, arrays = read_store(saved(tmp_path / "it", {"word": "größe\ud83d\ude00"[:5]}), THINGS)
    assert header["word"] == "größe"
    for name, array in ARRAYS.items():
        assert (arrays[name] == array).all()
        assert arrays[name].dtype == array.dtype
        assert not arrays[name].flags.writeable


@given(
    st.dictionaries(
        st.text(max_size=20).filter(lambda name: not name.startswith("padding")),
        st.tuples(
            st.sampled_from([np.float64, np.int64, np.float32, np.int32, np.uint8]),
            st.lists(st.integers(0, 5), max_size=2),
        ),
        max_size=6,
    )
)
def test_any_arrays_come_back_aligned_and_to_other_readers(tmp_path_factory, described):
    path = tmp_path_factory.mktemp("tensors") / "file"
    rng = np.random.default_rng(len(described))
    arrays = {
        name.encode("utf-8", "replace").decode(): rng.integers(0, 99, shape).astype(dtype)
        for name, (dtype, shape) in described.items()
    }
    with path.open("wb") as file:
        checksum = write_tensors(file, arrays)
    with path.open("rb") as file:
        read = TensorFile(file)
        assert read.checksum() == checksum
        again = read.arrays()
    others = load_file(path)
    assert list(again) == list(arrays)
    for name, array in arrays.items():
        for copy in (again[name], others[name]):
            assert copy.shape == array.shape
            assert copy.dtype == array.dtype
            assert (copy == array).all()
        assert again[name].flags.aligned


def test_an_array_in_pieces_is_as_one_that_is_whole(tmp_path):
    pieces = [np.arange(5, dtype=np.int32), np.zeros(0, np.int32), np.arange(2, dtype=np.int32)]
    for name, array in (
        ("pieces", Pieces(np.int32, iter(pieces))),
        ("whole", np.concatenate(pieces)),
    ):
        saved(tmp_path / name, arrays={"a": array, "b": np.arange(3.0)})
    for file in (HEADER, THINGS.tensors):
        assert (tmp_path / "pieces" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_no_changed_byte_is_read(kind, tmp_path):
    """A small part of `python -m tests.faults.tampering`."""
    if kind == "tagger":
        pytest.importorskip("torch")
    original = KINDS[kind](tmp_path / "original")
    copies = tampered_copies(original, tmp_path / "copy", range(40), seed=5)
    assert [what for what, folder in copies if try_to_read(kind, folder) != "refused"] == []


def described_by(**tensor):
    return {"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]} | tensor}


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"[]",
        b"{",
        b"\xff{}",
        b"[" * 100_000,
        b'{"a": 5}',
        *(
            json.dumps(one).encode()
            for one in (
                described_by(dtype="F16"),
                described_by(dtype=["F32"]),
                described_by(shape=[2]),
                described_by(shape=[-1]),
                described_by(shape=[True]),
                described_by(shape=[1.0]),
                described_by(shape=[1, 1, 1]),
                described_by(shape=[1 << 62, 1 << 62], data_offsets=[0, 1 << 126]),
                described_by(shape=[0, 1 << 62], data_offsets=[0, 0]),
                described_by(data_offsets=[4, 8]),
                described_by(data_offsets=[0, 5]),
                described_by(data_offsets=[0]),
                described_by(extra=1),
                described_by() | {"b": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}},
                described_by() | {"b": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}},
                {},
            )
        ),
    ],
)
def test_hostile_headers_of_arrays_are_refused(tmp_path, header):
    path = tmp_path / "file"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    with path.open("rb") as file, pytest.raises(ValueError, match=r"\w"):
        TensorFile(file).arrays()


@pytest.mark.parametrize("length", [0, 5, 1 << 21, 1 << 40, (1 << 64) - 1])
def test_a_header_cannot_be_longer_than_its_file_or_the_limit(tmp_path, length):
    path = tmp_path / "file"
    path.write_bytes(length.to_bytes(8, "little"))
    os.truncate(path, 1 << 22)
    with path.open("rb") as file, pytest.raises(ValueError, match=r"\w"):
        TensorFile(file).arrays()


@pytest.mark.parametrize("nested", [b"[" * 500_000, b'{"a":' * 100_000])
def test_nested_headers_are_refused(tmp_path, nested):
    folder = saved(tmp_path / "it")
    data = b'{\n "checksum": "00000000", "a": ' + nested
    checksum = checked_json.checksum(data)
    (folder / HEADER).write_bytes(checked_json.with_digits(data, checksum))
    with pytest.raises(StoreError, match=r"cannot be read: .*(deep|Expecting)"):
        read_store(folder, THINGS)


def test_a_header_that_is_too_long_is_not_read(tmp_path):
    folder = saved(tmp_path / "it")
    os.truncate(folder / HEADER, 1 << 33)  # without taking room
    with pytest.raises(StoreError, match="more than 1,048,576 bytes"):
        read_store(folder, THINGS)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes of POSIX")
@pytest.mark.parametrize("name", [HEADER, THINGS.tensors])
def test_pipes_folders_and_devices_are_refused_without_waiting(tmp_path, name):
    for replacement in ("pipe", "folder", "device"):
        folder = saved(tmp_path / replacement)
        (folder / name).unlink()
        if replacement == "pipe":
            os.mkfifo(folder / name)
        elif replacement == "folder":
            (folder / name).mkdir()
        else:
            (folder / name).symlink_to("/dev/zero")
        with pytest.raises(StoreError, match=r"regular file|Is a directory"):
            read_store(folder, THINGS)


def test_a_file_that_is_a_link_is_read(tmp_path):
    """The Hub's cache is made of links."""
    folder = saved(tmp_path / "it")
    for name in (HEADER, THINGS.tensors):
        os.replace(folder / name, tmp_path / name)
        (folder / name).symlink_to(tmp_path / name)
    assert (read_store(folder, THINGS)[1]["a"] == ARRAYS["a"]).all()


def test_a_reader_never_sees_two_versions(tmp_path):
    """A header of one version with arrays of another would be a silent wrong answer."""
    folder = tmp_path / "it"
    stopped = threading.Event()
    saved(folder, {"n": 0}, {"a": np.full(4, 0.0)})

    def write_all_the_time():
        number = 0
        while not stopped.is_set():
            number += 1
            saved(folder, {"n": number}, {"a": np.full(4, float(number))})

    writer = threading.Thread(target=write_all_the_time)
    writer.start()
    try:
        for verify in [True, False] * 150:
            header, arrays = read_store(folder, THINGS, verify)
            assert (arrays["a"] == header["n"]).all()
    finally:
        stopped.set()
        writer.join()


def test_a_file_that_vanishes_between_two_looks_is_read_in_the_new_folder(tmp_path, monkeypatch):
    folder = saved(tmp_path / "it", {"n": 1})
    opened = snapshot.Snapshot.open
    names = []

    def replaced_after_the_header(self, name):
        names.append(name)
        if len(names) == 2:
            saved(folder, {"n": 2})
        return opened(self, name)

    monkeypatch.setattr(snapshot.Snapshot, "open", replaced_after_the_header)
    assert read_store(folder, THINGS)[0]["n"] == 2
    assert names == [HEADER, THINGS.tensors] * 2


def test_a_folder_that_returns_while_it_is_looked_for_is_read(tmp_path, monkeypatch):
    """As where a system cannot exchange folders and a writer renames twice."""
    path, aside = saved(tmp_path / "it", {"n": 1}), tmp_path / "aside"
    path.rename(aside)
    opened = snapshot.Snapshot.__init__

    def late(self, folder):
        try:
            opened(self, folder)
        except FileNotFoundError:
            if aside.exists():
                aside.rename(path)
            raise

    monkeypatch.setattr(snapshot.Snapshot, "__init__", late)
    assert read_store(path, THINGS)[0]["n"] == 1


@pytest.mark.parametrize("encoder", BUILT_IN)
def test_states_of_encoders_with_right_checksums_but_wrong_numbers(encoder, tmp_path):
    lines = ["we sold 5 cups", "we sold 7.5 litres in 2019"] * 20
    nl.train(lines, tmp_path / "model", dim=4, epochs=1, min_count=1, encoder=encoder)
    for name, array in arrays_of(tmp_path / "model").items():
        if not name.startswith("numerals.") or not array.size:
            continue
        for wrong in (np.full_like(array, np.nan), array[:0], array.astype(np.int32), array[None]):
            copy = shutil.copytree(tmp_path / "model", tmp_path / "copy")
            try:
                replace_arrays(copy, **{name: wrong})
            except (StopIteration, ValueError):
                shutil.rmtree(copy)
                continue
            with pytest.raises(NumberlineError):
                nl.load(copy)
            shutil.rmtree(copy)


def test_bytes_on_disk_are_pinned(tmp_path):
    """Models are kept for years: what is written must not change unnoticed."""
    saved(tmp_path / "it", {"word": "cup"}, {"a": np.arange(3, dtype=np.int32)})
    header = b"""{
 "checksum": "%s",
 "format": "things",
 "version": 1,
 "tensors": {
  "bytes": 328,
  "checksum": "%s"
 },
 "word": "cup"
}"""
    data = (tmp_path / "it/things.safetensors").read_bytes()
    of_data = b"%08x" % zlib.crc32(data[-16:] + data[:-16])  # the arrays, then their header
    of_header = b"%08x" % zlib.crc32(header % (b"00000000", of_data))
    assert (tmp_path / "it/numberline.json").read_bytes() == header % (of_header, of_data)
    described = (
        b'{"a": {"dtype": "I32", "shape": [3], "data_offsets": [0, 12]}, '
        b'"padding1": {"dtype": "U8", "shape": [4], "data_offsets": [12, 16]}}'
    )
    assert data == (
        (304).to_bytes(8, "little")
        + described.ljust(304)
        + bytes.fromhex("00000000 01000000 02000000 00000000")
    )
