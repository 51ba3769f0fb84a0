"""A file is written as a whole or not at all."""

import gzip

import pytest

from numberline.errors import OutputError
from numberline.files.whole_file import replace_file


def test_a_file_is_written_with_the_folders_above_it(tmp_path):
    with replace_file(tmp_path / "new/deep/out") as file:
        file.write(b"text")
    assert (tmp_path / "new/deep/out").read_bytes() == b"text"


@pytest.mark.parametrize("name", ["out", "out.gz"])
def test_the_old_file_stays_if_writing_fails(tmp_path, name):
    (tmp_path / name).write_bytes(b"old")
    with pytest.raises(TypeError), replace_file(tmp_path / name, overwrite=True) as file:
        file.writelines([b"new", None])
    assert (tmp_path / name).read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_full_disk_is_an_error_in_one_line(tmp_path):
    full = OSError(28, "No space left on device")
    message = r"cannot write .*out: No space left"
    with pytest.raises(OutputError, match=message), replace_file(tmp_path / "out"):
        raise full
    assert list(tmp_path.iterdir()) == []


def test_compressed_bytes_do_not_depend_on_name_or_time(tmp_path):
    for name in ("a.gz", "b.gz"):
        with replace_file(tmp_path / name) as file:
            file.write(b"text")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert (tmp_path / "a.gz").read_bytes()[4:8] == bytes(4)  # where gzip keeps the time
    assert gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"text"


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(OutputError, match="exists already"), replace_file(tmp_path / "link"):
        pass
    with replace_file(tmp_path / "link", overwrite=True) as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_permissions_are_those_of_new_files(tmp_path):
    (tmp_path / "plain").touch()
    with replace_file(tmp_path / "out"):
        pass
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode
