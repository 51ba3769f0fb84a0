"""The command line among other processes: closed pipes, signals, streams that take little."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.running_commands import NUMBERLINE, assert_refused, run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs pipes and signals of POSIX")

PIPED = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


@pytest.fixture(autouse=True)
def buffered_output(monkeypatch):
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)


def shell(command):
    return subprocess.run(["sh", "-c", command, *NUMBERLINE], capture_output=True)


# ---- Pipes ----


def test_a_pipe_that_is_closed_early_is_no_error(tmp_path):
    (tmp_path / "long.txt").write_bytes(b"a 1\n" * 100_000)
    with (
        (tmp_path / "long.txt").open() as lines,
        subprocess.Popen([*NUMBERLINE, "tokenize"], **PIPED | {"stdin": lines}) as process,
    ):
        assert process.stdout.readline() == b"a [1]\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("verb", ["stats", "stats --json", "encode -o out", "demo --sentences 9"])
def test_a_pipe_that_nobody_reads_is_no_error(text, tmp_path, monkeypatch, verb):
    monkeypatch.chdir(tmp_path)
    corpus = "" if verb.startswith("demo") else str(text)
    reading, writing = os.pipe()
    os.close(reading)
    command = [*NUMBERLINE, *verb.split(), *corpus.split()]
    result = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert result.stderr == b""
    assert result.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full disk")
@pytest.mark.parametrize("flag", ["", "--json"])
def test_a_full_disk_is_named(text, flag):
    result = shell(f'"$0" "$@" stats {text} {flag} > /dev/full')
    assert_refused(result, "No space left")


# ---- Streams that are closed or take few characters ----


@pytest.mark.parametrize("verb", ["stats -", "tokenize", "encode - -o {}/out"])
def test_closed_standard_input_is_refused(tmp_path, verb):
    result = shell(f'"$0" "$@" {verb.format(tmp_path)} <&-')
    assert_refused(result, "cannot read <stdin>: it is closed")


def test_closed_standard_output_is_no_error(text):
    result = shell(f'"$0" "$@" stats {text} --json >&-')
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_characters_that_the_output_cannot_take_are_escaped(tmp_path, encoding):
    word = "東é😀"
    shown = run("tokenize", word, PYTHONIOENCODING=encoding)
    assert shown.stderr == b""
    assert shown.stdout.rstrip() == "東é".encode(encoding, "backslashreplace")
    as_json = run("tokenize", "--json", word, PYTHONIOENCODING=encoding)
    assert "".join(token["text"] for token in json.loads(as_json.stdout.decode(encoding))) == "東é"
    (tmp_path / "text").write_text(f"{word} 5", encoding="utf-8")
    facts = run("stats", "--json", "--min-count", 1, tmp_path / "text", PYTHONIOENCODING=encoding)
    assert json.loads(facts.stdout.decode(encoding))["most_frequent_words"] == ["東é"]


def test_arguments_need_not_be_utf8(tmp_path):
    result = run("tokenize", os.fsdecode(b"caf\xe9 5"))
    assert (result.stdout, result.stderr) == (b"caf [5]\n", b"")
    assert_refused(run("stats", os.fsdecode(b"caf\xe9.txt")), "no such file")


# ---- Signals ----


def stop_while_reading(number, folder):
    """Stop `encode` while it waits for more standard input."""
    command = [*NUMBERLINE, "encode", "-", "-o", str(folder / "out"), "--min-count", "1"]
    with subprocess.Popen(command, **PIPED) as process:
        process.stdin.write(b"some words 5\n" * 1_000_000)
        process.stdin.flush()
        process.send_signal(number)
        return process.wait(timeout=30), process.stdout.read(), process.stderr.read()


def stop_while_writing(number, folder):
    """Stop `encode` while its folder is half written."""
    code = (
        "import sys, time\n"
        "from numberline.cli import main as cli\n"
        "from numberline.reading import encoding\n"
        "wait = lambda *_: (print('writing', flush=True), time.sleep(60))\n"
        "encoding.write_encoded = wait\n"
        f"sys.argv[1:] = ['encode', '-', '-o', {str(folder / 'out')!r}, '--min-count', '1']\n"
        "cli.main()"
    )
    with subprocess.Popen([sys.executable, "-c", code], **PIPED) as process:
        process.stdin.write(b"some words 5\n")
        process.stdin.close()
        assert process.stdout.readline() == b"writing\n"
        assert [path.name[:12] for path in folder.iterdir()] == [".numberline-"]
        process.send_signal(number)
        return process.wait(timeout=30), process.stdout.read(), process.stderr.read()


@pytest.mark.parametrize("stop", [stop_while_reading, stop_while_writing])
@pytest.mark.parametrize(
    ("number", "message"),
    [(signal.SIGINT, b"numberline: interrupted\n"), (signal.SIGTERM, b"")],
)
def test_a_signal_ends_the_work_and_leaves_nothing_behind(tmp_path, stop, number, message):
    assert stop(number, tmp_path) == (128 + number, b"", message)
    assert list(tmp_path.iterdir()) == []


def test_warnings_are_notes_of_one_line(tmp_path):
    (tmp_path / "words.txt").write_text("only words\n" * 9)
    result = run("stats", tmp_path / "words.txt")
    note = "numberline: note: the corpus holds no numerals; "
    assert result.stderr.decode().startswith(note)
    assert len(result.stderr.splitlines()) == 1


def test_warnings_of_others_say_their_kind(capsys):
    from numberline.cli import main as cli

    cli.print_warning("old", DeprecationWarning, "file.py", 3)
    assert capsys.readouterr().err == "numberline: note: DeprecationWarning: old\n"


# ---- Errors that cannot be printed, and memory ----


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full disk")
@pytest.mark.parametrize("errors", ["2>/dev/full", "2>&-"])
def test_errors_that_cannot_be_printed_change_nothing(text, tmp_path, errors):
    result = shell(f'"$0" "$@" stats {tmp_path}/none {errors}')
    assert (result.returncode, result.stdout) == (2, b"")
    settings = "--epochs 1 --dim 4 --min-count 1 --threads 1"
    result = shell(f'"$0" "$@" train {text} -o {tmp_path}/model {settings} {errors}')
    assert result.returncode == 0
    assert b"model: 6 words" in result.stdout
    assert b"training" not in result.stdout


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (MemoryError(), "out of memory; "),
        (RuntimeError("can't start new thread"), "cannot start a thread; "),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: 9"), "out of memory; "),
    ],
)
def test_a_lack_of_memory_is_an_error_of_one_line(monkeypatch, capsys, error, message):
    from numberline.cli import main as cli

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr(cli, "prepare_process", lambda: None)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"numberline: {message}")


def test_other_errors_of_that_class_are_bugs(monkeypatch):
    from numberline.cli import main as cli

    def fail(*_, **__):
        raise RuntimeError("a bug")

    monkeypatch.setattr(cli, "app", fail)
    monkeypatch.setattr(cli, "prepare_process", lambda: None)
    with pytest.raises(RuntimeError, match="a bug"):
        cli.main()
