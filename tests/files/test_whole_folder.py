"""A folder is replaced as a whole or not at all, only if it is ours, by one writer at a time."""

import os
from pathlib import Path

import pytest

import numberline as nl
from numberline.errors import OutputError
from numberline.files import whole_folder
from numberline.files.lock import OLD, Lock, hidden_folder
from numberline.files.whole_folder import FolderKind, FolderWriter, replace_folder, require_free
from tests.small_models import small_model

posix = pytest.mark.skipif(os.name != "posix", reason="needs links and modes of POSIX")

LETTERS = FolderKind("letters", frozenset("abc"), lambda folder: (folder / "a").exists())


def write(folder, content="new", overwrite=True, during=lambda: None):
    with replace_folder(folder, LETTERS, overwrite) as new:
        (new / "a").write_text(content)
        during()


def content(folder):
    assert names_in(folder) == ["a"]
    return (folder / "a").read_text()


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(params=["exchange", "two renames"])
def swap(request, monkeypatch):
    """Run a test with and without a system that can exchange two folders."""
    if request.param == "two renames":
        monkeypatch.setattr(whole_folder, "exchange", lambda first, second: False)
    return request.param


def corpus_not_to_be_read():
    pytest.fail("the corpus was read although its folder cannot be written")
    yield ""


def refused_before_the_work(folder, overwrite=False):
    with pytest.raises(OutputError) as caught:
        nl.encode(corpus_not_to_be_read(), folder, overwrite=overwrite)
    return str(caught.value)


def test_the_new_folder_takes_the_place_of_the_old(tmp_path, swap):
    write(tmp_path / "deep/folder", "old")
    write(tmp_path / "deep/folder", "new")
    assert content(tmp_path / "deep/folder") == "new"
    assert names_in(tmp_path / "deep") == ["folder"]


@posix
def test_all_is_flushed_to_the_disk_before_the_swap_and_names_after_it(tmp_path, monkeypatch, swap):
    """So that a power failure leaves the old or the new folder, as SECURITY.md promises."""
    folder, events, before = tmp_path / "folder", [], set()
    flush, move = os.fsync, whole_folder.exchange
    write(folder, "old")

    def flushed(descriptor):
        events.append(os.fstat(descriptor).st_ino)
        flush(descriptor)

    def moved(*names):
        before.update(events)
        events.clear()
        return move(*names)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(whole_folder, "exchange", moved)
    write(folder, "new")
    assert {(folder / "a").stat().st_ino, folder.stat().st_ino} <= before
    assert tmp_path.stat().st_ino in events


def test_an_empty_folder_is_filled_without_overwrite(tmp_path, swap):
    (tmp_path / "folder").mkdir()
    write(tmp_path / "folder", overwrite=False)
    assert content(tmp_path / "folder") == "new"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["thesis.txt"], "holds no letters"),
        (["b"], "holds no letters"),  # not recognised
        (["a", "thesis.txt"], "holds thesis.txt, which is no part of a letters"),
        (["a", "b/"], "holds b, which is no part"),  # a folder, but letters are files
        (["a", ".hidden"], "holds .hidden"),
    ],
)
def test_foreign_files_are_never_touched(tmp_path, swap, names, message):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in names:
        (folder / name).mkdir() if name.endswith("/") else (folder / name).write_text("mine")
    before = names_in(folder)
    with pytest.raises(OutputError, match=message):
        write(folder)
    with pytest.raises(OutputError, match=message):
        require_free(folder, LETTERS, overwrite=True)
    assert names_in(folder) == before
    assert names_in(tmp_path) == ["folder"]


def test_a_file_is_not_replaced_by_a_folder(tmp_path):
    (tmp_path / "thesis").write_text("mine")
    with pytest.raises(OutputError, match="holds no letters"):
        write(tmp_path / "thesis")
    assert (tmp_path / "thesis").read_text() == "mine"


@pytest.mark.parametrize("moment", ["before", "at"])
def test_foreign_files_that_come_during_the_work_stay(tmp_path, monkeypatch, swap, moment):
    folder = tmp_path / "folder"
    write(folder, "old")

    def late_file(*_):
        (folder / "thesis.txt").write_text("mine")

    if moment == "at":  # between the last look and the swap
        monkeypatch.setattr(FolderWriter, "_swap", after(late_file, FolderWriter._swap))
    during = late_file if moment == "before" else lambda: None
    with pytest.raises(OutputError, match=r"holds thesis\.txt"):
        write(folder, "new", during=during)
    assert names_in(folder) == ["a", "thesis.txt"]
    assert (folder / "a").read_text() == "old"
    assert names_in(tmp_path) == ["folder"]


def after(first, then):
    return lambda *arguments: (first(), then(*arguments))[1]


def test_overwriting_must_be_asked_for(tmp_path):
    write(tmp_path / "folder", "old")
    with pytest.raises(OutputError, match="exists already; overwrite it"):
        write(tmp_path / "folder", overwrite=False)
    assert content(tmp_path / "folder") == "old"


@posix
def test_folders_and_files_have_the_modes_of_any_other(tmp_path):
    before = os.umask(0o027)
    try:
        small_model().save(tmp_path / "folder")
        (tmp_path / "other").mkdir()
        (tmp_path / "other/file").touch()
    finally:
        os.umask(before)
    assert (tmp_path / "folder").stat().st_mode == (tmp_path / "other").stat().st_mode
    for file in (tmp_path / "folder").iterdir():
        assert file.stat().st_mode == (tmp_path / "other/file").stat().st_mode


@pytest.mark.parametrize("failure", [KeyboardInterrupt, SystemExit, OSError(5, "Input/output")])
@pytest.mark.parametrize("fails_at", [1, 2])
def test_the_old_folder_stays_if_the_swap_is_stopped(tmp_path, monkeypatch, fails_at, failure):
    write(tmp_path / "folder", "old")
    moves = []

    def stopped_replace(source, target, replace=os.replace):
        moves.append(source)
        if len(moves) == fails_at:
            raise failure
        replace(source, target)

    monkeypatch.setattr(whole_folder, "exchange", lambda first, second: False)
    monkeypatch.setattr(os, "replace", stopped_replace)
    with pytest.raises((KeyboardInterrupt, SystemExit, OutputError)):
        write(tmp_path / "folder", "new")
    assert content(tmp_path / "folder") == "old"
    assert names_in(tmp_path) == ["folder"]


def test_the_new_folder_stays_if_it_is_stopped_after_the_swap(tmp_path, monkeypatch, swap):
    write(tmp_path / "folder", "old")

    def stop(*_):
        raise KeyboardInterrupt

    swap_folders = FolderWriter._swap
    monkeypatch.setattr(FolderWriter, "_swap", lambda *all: (swap_folders(*all), stop())[1])
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "folder", "new")
    assert content(tmp_path / "folder") == "new"
    assert names_in(tmp_path) == ["folder"]


def test_one_process_writes_at_a_time(tmp_path):
    with FolderWriter(tmp_path / "folder", LETTERS, overwrite=True):
        with pytest.raises(OutputError, match="another process is writing"):
            write(tmp_path / "folder")
        write(tmp_path / "another")
    write(tmp_path / "folder")
    assert names_in(tmp_path) == ["another", "folder"]


def test_what_killed_writers_left_is_collected(tmp_path):
    for left in ("new", OLD, "discarded"):
        write(tmp_path / "folder", "old")
        hidden = hidden_folder(tmp_path / "folder")
        (hidden / left).mkdir(parents=True)
        (hidden / left / "a").write_text("left")
        (hidden / "lock").touch()
        write(tmp_path / "folder", "new")
        assert content(tmp_path / "folder") == "new"
        assert names_in(tmp_path) == ["folder"]


def test_a_folder_whose_writer_was_killed_between_two_renames_comes_back(tmp_path):
    model = small_model()
    model.save(tmp_path / "model")
    hidden = hidden_folder(tmp_path / "model")
    hidden.mkdir()
    os.replace(tmp_path / "model", hidden / OLD)
    assert nl.load(tmp_path / "model").words == model.words
    assert names_in(tmp_path) == ["model"]


def test_a_lock_that_its_last_holder_deletes_is_taken_anew(tmp_path, monkeypatch):
    target = tmp_path / "folder"
    first = Lock(target)
    monkeypatch.setattr("numberline.files.lock.lock_file", lambda _: first.release() or True)
    monkeypatch.setattr(first, "release", lambda: None)
    Lock(target)
    assert (hidden_folder(target) / "lock").exists()


@posix
def test_links_are_followed(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk/target")  # dangling at first
    for overwrite in (False, True):
        encoded = nl.encode(["some words 5"], tmp_path / "link", overwrite=overwrite, min_count=1)
        assert len(encoded) == 1
        assert (tmp_path / "link").is_symlink()
        assert names_in(tmp_path) == ["disk", "link"]
        assert names_in(tmp_path / "disk") == ["target"]
    assert "exists already" in refused_before_the_work(tmp_path / "link")


@posix
def test_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert "links that lead nowhere" in refused_before_the_work(tmp_path / "a")
    assert "links that lead nowhere" in refused_before_the_work(tmp_path / "a/inside")


def test_the_current_folder_is_refused(tmp_path, monkeypatch):
    nl.encode(["some words 5"], tmp_path / "here", min_count=1)
    (tmp_path / "here/inside").mkdir()
    for current in ("here", "here/inside"):
        monkeypatch.chdir(tmp_path / current)
        for folder in (Path.cwd(), tmp_path / "here", "."):
            message = refused_before_the_work(folder, overwrite=True)
            assert "current folder" in message
            assert str(folder) in message


@pytest.mark.skipif(not os.path.ismount("/proc"), reason="needs a mount point")
def test_a_mount_point_is_refused():
    with pytest.raises(OutputError, match="mount point"):
        nl.encode(corpus_not_to_be_read(), "/proc")


@posix
def test_a_long_name_is_no_obstacle(tmp_path):
    write(tmp_path / ("x" * 255))
    assert names_in(tmp_path) == ["x" * 255]
