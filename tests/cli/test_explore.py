"""`numberline explore` and `numberline plot` as commands."""

import http.client
import os
import signal
import socket
import subprocess
from urllib.parse import urlsplit

import pytest
from typer.testing import CliRunner

from numberline.cli.main import app
from tests.running_commands import NUMBERLINE, assert_refused, run


def invoke(*arguments):
    """Run a command in this process, which has imported everything already."""
    result = CliRunner().invoke(app, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    return result.output


def test_a_page_is_exported(planted_folder, tmp_path):
    output = invoke("explore", planted_folder, "--export", tmp_path / "page.html")
    assert "page.html: 0." in output
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert 'src="' not in page
    assert 'href="style.css"' not in page


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_it_serves_until_it_is_interrupted(planted_folder):
    pytest.importorskip("uvicorn")
    command = [*NUMBERLINE, "explore", str(planted_folder), "--port", "0", "--no-open"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        try:
            address = urlsplit(process.stdout.readline().split(" at ")[1].split()[0])
            connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=10)
            connection.request("GET", "/")
            assert b"numberline" in connection.getresponse().read()
            connection.close()
        finally:
            process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert process.returncode in (0, 130)
        assert "Traceback" not in errors


def test_a_port_in_use_is_refused(planted_folder):
    pytest.importorskip("uvicorn")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("explore", planted_folder, "--port", port, "--no-open")
    assert_refused(result, f"cannot listen on 127.0.0.1, port {port}")


def test_bad_settings_are_refused(planted_folder, tmp_path):
    pytest.importorskip("uvicorn")
    pytest.importorskip("matplotlib")
    assert_refused(run("explore", planted_folder, "--port", "70000"), "--port 70000,")
    assert_refused(run("explore", tmp_path / "none"), "none")
    result = run("plot", planted_folder, "--output", tmp_path / "plots", "--theme", "pink")
    assert_refused(result, "--theme 'pink'", "light, dark")
    assert not (tmp_path / "plots").exists()


def test_pictures_are_written(planted_folder, tmp_path):
    pytest.importorskip("openTSNE")
    output = invoke(
        *["plot", planted_folder, "--output", tmp_path / "plots", "--picture", "svg"],
        *["--tokens", "few many small 7 8 4,000", "--sentence", "small box holds ___ pens"],
    )
    names = ["line.svg", "histogram.svg", "similarity.svg", "prediction.svg", "map.svg"]
    assert output.splitlines() == [f"written to {tmp_path / 'plots' / name}" for name in names]
    for name in names:
        assert b"<svg" in (tmp_path / "plots" / name).read_bytes()
