"""What the tests of the command line share: a way to run it, and how it refuses."""

import os
import subprocess
import sys

NUMBERLINE = [sys.executable, "-m", "numberline"]


def run(*arguments, stdin=b"", cwd=None, **environment):
    command = [*NUMBERLINE, *map(str, arguments)]
    environment = os.environ | {"COLUMNS": "200", "NO_COLOR": "1"} | environment
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, env=environment)


def assert_refused(result, *needles):
    """Exit code 2, one line on standard error that says what is wrong, and no traceback."""
    message = result.stderr.decode()
    assert result.returncode == 2, message
    assert len(message.splitlines()) == 1, message
    for needle in needles:
        assert needle in message
