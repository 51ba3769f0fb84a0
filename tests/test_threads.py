"""Threads start or are refused at once, however little memory a process may use."""

import subprocess
import sys

import pytest

from numberline.threads import NEEDED_BYTES, require_address_space, thread_pool

# Limits itself to a few megabytes more than it has, then counts with two threads.
LIMITED = """
import resource, sys
from pathlib import Path
from numberline.cli import main
from numberline.reading import counting, native

used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
limit = used + (int(sys.argv.pop(1)) << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
main.main()
"""


def test_a_pool_works():
    with thread_pool(2) as pool:
        assert list(pool.map(abs, [-1, 2])) == [1, 2]


def test_what_is_needed_is_given_back():
    for _ in range(2**47 // NEEDED_BYTES // 1000):
        require_address_space()


@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
@pytest.mark.parametrize("megabytes", [0, 16, 70])
def test_a_command_without_memory_for_threads_says_so_in_one_line(megabytes, tmp_path):
    """Python 3.11 would wait without end for a thread that ends before it has begun."""
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("we sold 5 cups\n" * 9)
    command = [sys.executable, "-c", LIMITED, str(megabytes), "stats", corpus, "--threads", "2"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2, ended.stderr
    assert ended.stderr.startswith("numberline: out of memory; ")
    assert ended.stderr.count("\n") == 1
