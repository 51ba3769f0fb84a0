"""Running documents can fail: wrong code, commands and output are detected."""

import pytest

from tests.documents.pages import blocks_of, commands_of
from tests.documents.running_blocks import Reader, assert_shown


def read(text, **listed):
    return Reader("page.md", **listed).read(blocks_of(text))


def fenced(language, code):
    return f"```{language}\n{code}\n```\n"


def test_blocks_and_commands_are_found():
    text = "# Title\n\n" + fenced("python", "x = 1") + "\n" + fenced("text", "out") + "Words\n"
    text += fenced("console", "$ one \\\n  two\nprinted\n$ three")
    python, shown, console = blocks_of(text)
    assert (python.language, python.line, python.follows) == ("python", 4, False)
    assert shown.follows
    assert not console.follows
    assert commands_of(console) == [("one    two", ["printed"]), ("three", [])]


def test_what_is_right_passes():
    assert (
        read(fenced("python", "x = 6") + fenced("python", "print(x * 7)") + fenced("text", "42"))
        == 3
    )
    assert read(fenced("console", '$ numberline tokenize "5 cats"   # a comment\n[5] cats')) == 1
    assert read(fenced("console", '$ echo "5 cats" | numberline tokenize\n[5] cats')) == 1
    assert read(fenced("console", "$ rm -rf everything"), not_run=["rm …"]) == 1
    assert (
        read(
            fenced("console", "$ numberline load nothing"),
            exit_codes={"numberline load nothing": 2},
        )
        == 1
    )
    assert (
        read(
            fenced("console", "$ numberline reproduce --dim 3"), not_run=["numberline reproduce …"]
        )
        == 1
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (fenced("python", "print(1)") + fenced("text", "2"), "shown"),
        (fenced("python", "assert False, 'broken'"), "broken"),
        (fenced("console", '$ numberline tokenize "5 cats"\n[6] cats'), "shown"),
        (fenced("console", "$ numberline stats nowhere.txt"), "nowhere.txt"),
        (fenced("console", "$ numberline tokenize 5 --no-such-flag"), "no-such-flag"),
        (fenced("console", "$ rm -rf everything"), "no command of numberline"),
        (fenced("console", "$ cat x | numberline tokenize"), "only echo"),
        (fenced("console", "numberline tokenize 5"), "output without a command"),
    ],
)
def test_what_is_wrong_is_found(text, message):
    with pytest.raises(AssertionError, match=message):
        read(text)


def test_flags_of_commands_that_are_not_run_must_exist():
    with pytest.raises(AssertionError, match="no-such-flag"):
        read(
            fenced("console", "$ numberline reproduce --no-such-flag"),
            not_run=["numberline reproduce …"],
        )


def test_tracebacks_name_the_line_of_the_document():
    with pytest.raises(ZeroDivisionError) as raised:
        read("# Title\n\n" + fenced("python", "x = 0\n1 / x"))
    last = raised.traceback[-1]
    assert (str(last.path).endswith("page.md"), last.lineno + 1) == (True, 5)


def test_what_models_say_may_differ_a_little(planted_folder):
    command = f"$ numberline similar {planted_folder} few -n 2 --kind numerals\n"
    with pytest.raises(AssertionError, match="not printed"):
        read(fenced("console", command + "few\n  0.999  zebra\n  0.998  giraffe"))


def test_numbers_of_models_may_differ_by_a_tenth():
    assert_shown(["0.466  xl", "1,000:  xxl"], "0.470 xl 995 xxl", exact=False)
    with pytest.raises(AssertionError, match="not printed"):
        assert_shown(["0.466  xl", "1,000:  xxl"], "0.300 xl 80 xxl", exact=False)
    with pytest.raises(AssertionError, match="shown"):
        assert_shown(["0.466  xl"], "0.470 xl", exact=True)
