"""A folder is written as a whole or not at all, also through links, or refused at once."""

import os
from pathlib import Path

import pytest

import numberline as nl
from numberline.errors import OutputError
from numberline.files.whole_folder import replace_folder

posix = pytest.mark.skipif(os.name != "posix", reason="needs links and modes of POSIX")


def write(folder, name="new"):
    with replace_folder(folder) as unfinished:
        (unfinished / name).touch()


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def corpus_not_to_be_read():
    pytest.fail("the corpus was read although its folder cannot be written")
    yield ""


def refused_before_the_work(folder, overwrite=False):
    with pytest.raises(OutputError) as caught:
        nl.encode(corpus_not_to_be_read(), folder, overwrite=overwrite)
    return str(caught.value)


def test_the_new_folder_takes_the_place_of_the_old(tmp_path):
    write(tmp_path / "deep/folder", "old")
    write(tmp_path / "deep/folder", "new")
    assert names_in(tmp_path / "deep/folder") == ["new"]
    assert names_in(tmp_path / "deep") == ["folder"]


@posix
def test_a_folder_has_the_mode_of_any_other(tmp_path):
    before = os.umask(0o027)
    try:
        write(tmp_path / "folder")
        (tmp_path / "other").mkdir()
    finally:
        os.umask(before)
    assert (tmp_path / "folder").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.parametrize("fails_at", [1, 2])
@pytest.mark.parametrize("failure", [KeyboardInterrupt, SystemExit])
def test_the_old_folder_stays_if_the_swap_is_stopped(tmp_path, monkeypatch, fails_at, failure):
    write(tmp_path / "folder", "old")
    moves = []

    def stopped_replace(source, target, replace=os.replace):
        moves.append(source)
        if len(moves) == fails_at:
            raise failure
        replace(source, target)

    monkeypatch.setattr(os, "replace", stopped_replace)
    with pytest.raises(failure):
        write(tmp_path / "folder", "new")
    assert names_in(tmp_path / "folder") == ["old"]
    assert names_in(tmp_path) == ["folder"]


def test_the_new_folder_stays_if_it_is_stopped_after_the_swap(tmp_path, monkeypatch):
    write(tmp_path / "folder", "old")

    def replace_and_stop(source, target, replace=os.replace):
        replace(source, target)
        if target == tmp_path / "folder":
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", replace_and_stop)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "folder", "new")
    assert names_in(tmp_path / "folder") == ["new"]
    assert names_in(tmp_path) == ["folder"]


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
    write(tmp_path / ("x" * 250))
    assert names_in(tmp_path) == ["x" * 250]
