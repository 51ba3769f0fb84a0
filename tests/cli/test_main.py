"""Help, version and usage errors of the command line."""

import pytest

import numberline
from numberline.cli.commands import MODULES
from numberline.settings import ReadingSettings, setting_names
from tests.running_commands import assert_refused, run


def test_help_lists_the_commands():
    result = run("--help")
    for name in (*MODULES, "demo", "reproduce"):
        assert name in result.stdout.decode()


def test_version():
    assert run("--version").stdout.decode().strip() == numberline.__version__


def test_no_arguments_show_the_help():
    assert b"Usage" in run().stdout + run().stderr


@pytest.mark.parametrize("verb", ["stats", "encode"])
def test_every_setting_is_a_flag(verb):
    shown = run(verb, "--help").stdout.decode()
    for name in setting_names(ReadingSettings):
        assert "--" + name.replace("_", "-") in shown


@pytest.mark.parametrize("typo", ["--jsn", "-j", "--jsn=yes", "--magnitude"])
def test_misspelt_options_are_refused_in_one_line(typo):
    assert_refused(run("tokenize", "some text", typo), "No such option", "tokenize --help")


def test_other_usage_errors_take_one_line_too():
    assert_refused(run("train"), "Missing argument", "numberline train --help")
    assert_refused(run("train", "x", "-o", "y", "--dim", "cat"), "--dim")
    assert_refused(run("tag"), "Missing command", "numberline tag --help")


def test_negative_values_of_options_and_files_are_read_as_they_are(text):
    assert_refused(run("stats", text, "--min-count", -1), "--min-count -1,", "from 1 to")
    assert_refused(run("train", text, "-o", "x", "--learning-rate", "-.5"), "--learning-rate -0.5,")
    assert_refused(run("export", "-5", "out", cwd=text.parent), "no model '-5'")
