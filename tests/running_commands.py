"""Run numberline in a process of its own, and check how it refuses."""

import os
import subprocess
import sys

NUMBERLINE = [sys.executable, "-m", "numberline"]


def run(*arguments, stdin=b"", cwd=None, **environment):
    command = [*NUMBERLINE, *map(str, arguments)]
    environment = os.environ | {"COLUMNS": "200", "NO_COLOR": "1"} | environment
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, env=environment)


def assert_refused(result, *needles):
    """Assert exit code 2 and one line on standard error that holds the needles."""
    message = result.stderr.decode()
    assert result.returncode == 2, message
    assert len(message.splitlines()) == 1, message
    for needle in needles:
        assert needle in message
