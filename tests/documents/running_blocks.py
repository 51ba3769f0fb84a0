"""Run the blocks of a document, and compare what it shows with what they print.

Python blocks of a document share their names, as a reader's session does. A block of text right
after one is what it prints. In blocks of the console, commands of numberline are run in this
process; the lines below them are what they print, with … for what is left out.
"""

import contextlib
import io
import re
import shlex

from typer.testing import CliRunner

from numberline.cli.main import app
from tests.documents.pages import commands_of

# What these print follows from the text alone, on every machine.
EXACT = ("tokenize", "stats", "prototypes", "export", "encode")
SHOWN_FRACTION = 0.7  # of the words and numbers of a model's answer that must be printed again


class Reader:
    """Follows a document from top to bottom, in the current folder."""

    def __init__(self, document, not_run=(), exit_codes=None):
        self.document = document
        self.not_run = not_run  # commands, or how they begin
        self.exit_codes = exit_codes or {}  # of commands that do not end with 0
        self.names = {"__name__": "__main__"}
        self.printed = ""

    def read(self, blocks):
        """Return how many blocks were run, or compared with what was printed."""
        count = 0
        for block in blocks:
            count += block.language in ("python", "console") or block.follows
            if block.language == "python":
                self.printed = self.run_python(block)
            elif block.language == "console":
                for command in commands_of(block):
                    self.run_command(command)
            elif block.follows:
                assert_shown(block.code.splitlines(), self.printed, exact=True)
        return count

    def run_python(self, block):
        # Blank lines before it make tracebacks name the line of the document.
        code = compile("\n" * (block.line - 1) + block.code, self.document, "exec")
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(code, self.names)
        return printed.getvalue()

    def run_command(self, command):
        piped, program, line = command.line.rpartition("numberline ")
        if any(matches(command.line, pattern) for pattern in self.not_run):
            if command.line.startswith("numberline "):
                invoke(f"{line.partition('#')[0]} --help", "", 0)  # its flags exist at least
            return
        assert program, f"no command of numberline: {command.line}"
        echo = re.fullmatch(r"echo (.*) \| ", piped)
        assert echo or not piped, f"only echo can stand before numberline: {command.line}"
        stdin = shlex.split(echo[1])[0] + "\n" if echo else ""
        printed = invoke(line, stdin, self.exit_codes.get(command.line, 0))
        assert_shown(command.output, printed, exact=line.split()[0] in EXACT)


def matches(line, pattern):
    """Compare with the whole line, or with its beginning if the pattern ends in …"""
    if pattern.endswith("…"):
        return line.startswith(pattern.removesuffix("…"))
    return line == pattern


def invoke(line, stdin, exit_code):
    arguments = shlex.split(line, comments=True)
    environment = {"COLUMNS": "100", "NO_COLOR": "1"}
    result = CliRunner(env=environment).invoke(app, arguments, input=stdin)
    assert result.exit_code == exit_code, f"{line}: {result.output}{result.exception}"
    return result.stdout


def assert_shown(shown, printed, exact):
    """Assert that what a document shows was printed, with any line breaks; it may show nothing."""
    wanted, words = " ".join(shown).split(), printed.split()
    if not wanted:
        return
    if exact:
        pattern = " ".join(".*" if word == "…" else re.escape(word) for word in wanted)
        assert re.fullmatch(pattern, " ".join(words)), f"shown {wanted}, printed {words}"
    else:
        missing = {word for word in set(wanted) - {"…"} if not is_among(word, words)}
        assert len(missing) <= (1 - SHOWN_FRACTION) * len(set(wanted)), (
            f"not printed: {missing}; but {words}"
        )


def is_among(word, printed):
    """Look for a word, or a number within a tenth: kernels of other machines round differently."""
    value = number_in(word)
    if value is None:
        return word in printed
    others = (number_in(other) for other in printed)
    return any(other is not None and abs(value - other) <= 0.1 * abs(value) for other in others)


def number_in(word):
    with contextlib.suppress(ValueError):
        return float(word.strip(",;:()").replace(",", ""))
    return None
