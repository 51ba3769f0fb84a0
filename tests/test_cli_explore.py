"""`numberline explore` and `numberline plot` as commands."""

import http.client
import os
import signal
import socket
import subprocess
from urllib.parse import urlsplit

import pytest

from tests.running_commands import NUMBERLINE, assert_refused, run


def test_a_page_is_exported(planted_folder, tmp_path):
    result = run(
        "explore", planted_folder, "--export", tmp_path / "page.html", XDG_CACHE_HOME=str(tmp_path)
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"page.html: 0." in result.stdout
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert 'src="' not in page
    assert 'href="style.css"' not in page


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_it_serves_until_it_is_interrupted(planted_folder, tmp_path):
    pytest.importorskip("uvicorn")
    command = [*NUMBERLINE, "explore", str(planted_folder), "--port", "0", "--no-open"]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=environment, **pipes) as process:
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


def test_a_port_that_is_taken_is_said(planted_folder):
    pytest.importorskip("uvicorn")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("explore", planted_folder, "--port", port, "--no-open")
    assert_refused(result, f"cannot listen on 127.0.0.1, port {port}")


def test_settings_that_cannot_be_are_refused(planted_folder, tmp_path):
    assert_refused(run("explore", planted_folder, "--port", "70000"), "port=70000")
    assert_refused(run("explore", tmp_path / "none"), "none")
    result = run("plot", planted_folder, "--out", tmp_path / "plots", "--theme", "pink")
    assert_refused(result, "theme='pink'", "light, dark")
    assert not (tmp_path / "plots").exists()


def test_pictures_are_written(planted_folder, tmp_path):
    pytest.importorskip("openTSNE")
    tokens = "few many small 7 8 4000"
    result = run("plot", planted_folder, "--out", tmp_path / "plots", "--tokens", tokens)
    assert (result.returncode, result.stderr) == (0, b"")
    assert len(result.stdout.splitlines()) == 5
    assert len(list((tmp_path / "plots").glob("*.png"))) == 5
