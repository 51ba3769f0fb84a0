"""`numberline vector`, `similar`, `predict` and `check` as a user meets them."""

import json

import numpy as np
import pytest

import numberline as nl
from tests.running_commands import assert_refused, run

SENTENCE = "small box holds 7 pens"
ODD = "small box holds 5,000 pens"


def answers(result):
    """Return the JSON values of the lines; a command that went well prints nothing else."""
    assert result.stderr == b""
    return [json.loads(line) for line in result.stdout.decode().splitlines()]


def test_vectors_as_json(planted_folder):
    found = answers(run("vector", planted_folder, "few", "-5", "1,250.5", "--json"))
    assert [each["token"] for each in found] == ["few", "-5", "1,250.5"]
    model = nl.load(planted_folder)
    for each, query in zip(found, ["few", -5, 1250.5], strict=True):
        assert each["vector"] == model[query].tolist()


def test_vectors_as_text_round_trip(planted_folder):
    result = run("vector", planted_folder, "few", "--side", "output")
    token, numbers = result.stdout.decode().rstrip("\n").split("\t")
    assert token == "few"
    expected = nl.load(planted_folder).vector("few", "output").tolist()
    assert [float(number) for number in numbers.split(" ")] == expected


def test_tokens_are_lines_of_standard_input(planted_folder):
    found = answers(run("vector", planted_folder, "--json", stdin=b"few \r\n\n  -5\nmany"))
    assert [each["token"] for each in found] == ["few", "-5", "many"]


def test_unknown_words_are_refused_or_get_a_vector(planted_folder):
    assert_refused(run("vector", planted_folder, "fewe"), "'fewe'", "close words are few")
    (found,) = answers(run("vector", planted_folder, "fewe", "--unknown", "zero", "--json"))
    assert found["vector"] == [0.0] * 12
    assert_refused(run("vector", planted_folder, "few", "--unknown", "skip"), "--unknown 'skip'")
    assert_refused(run("vector", planted_folder, "few", "--side", "left"), "--side 'left'")


def test_an_unknown_token_keeps_the_answers_for_the_others(planted_folder):
    for command in ("similar", "vector"):
        result = run(command, planted_folder, "few", "fewe", "7", "--json")
        assert_refused(result, "'fewe' (str) is unknown; close words are few")
        found = [json.loads(line) for line in result.stdout.splitlines()]
        assert [each["token"] for each in found] == ["few", "7"]
    result = run("predict", planted_folder, "no gap", SENTENCE.replace("7", "___"), "--json")
    assert_refused(result, "gap")
    assert json.loads(result.stdout)["text"] == "small box holds ___ pens"


def test_similar_leaves_out_what_is_rare(planted_folder):
    vocabulary = nl.load(planted_folder).vocabulary
    limit = int(vocabulary.word_counts[5])
    frequent = {vocabulary.words[id] for id in np.flatnonzero(vocabulary.word_counts >= limit)}
    (found,) = answers(run("similar", planted_folder, "few", "--min-count", limit, "--json"))
    assert len(frequent) < 10
    assert {near["token"] for near in found["similar"]} == frequent - {"few"}
    refused = run("similar", planted_folder, "few", "--min-count", 0)
    assert_refused(refused, "--min-count 0, but it must be a whole number from 1")


def test_similar_prints_neighbours(planted_folder):
    shown = run("similar", planted_folder, "[few]", "many", "--count", "2")
    assert_refused(shown, "'[few]'")
    lines = run("similar", planted_folder, "few", "many", "-n", "2").stdout.decode().splitlines()
    assert [lines[0], lines[3]] == ["few", "many"]
    assert [line.split()[1] for line in lines[1:3]] == [
        near.token for near in nl.load(planted_folder).similar("few", 2)
    ]


def test_similar_numerals_as_json(planted_folder):
    arguments = ("--kind", "numerals", "--among", "corpus", "--count", 3, "--json")
    (found,) = answers(run("similar", planted_folder, "few", *arguments))
    expected = nl.load(planted_folder).similar("few", 3, "numerals", among="corpus")
    assert found == {"token": "few", "similar": [near._asdict() for near in expected]}
    assert_refused(run("similar", planted_folder, "few", "--count", 0), "--count 0,")
    assert_refused(run("similar", planted_folder, "few", "--kind", "word"), "--kind 'word'")


def test_candidates_are_ranked(planted_folder):
    arguments = ("-c", "5,000", "--candidate", "7", "-c", "-5", "--json")
    (found,) = answers(run("predict", planted_folder, "small box holds ___ pens", *arguments))
    assert found["text"] == "small box holds ___ pens"
    values = [numeral["value"] for numeral in found["candidates"]]
    assert sorted(values) == [-5, 7, 5000]
    assert values[0] != 5000
    refused = run("predict", planted_folder, "holds ___", "-c", "lots")
    assert_refused(refused, "'lots'", "not a number")


def test_predictions_are_printed_and_fit_their_words(planted_folder):
    texts = ("small box holds ___ pens", "big hall seats ___ people")
    small, large = answers(run("predict", planted_folder, *texts, "--json"))
    assert small["median"] < 20 < 2000 <= large["median"]
    assert small["interval"][0] <= small["median"] <= small["interval"][1]
    shown = run("predict", planted_folder, stdin="\n".join(texts).encode()).stdout.decode()
    for text, answer in zip(texts, (small, large), strict=True):
        likely = f"likely: {answer['likely'][0]['value']:.0f} ("
        assert likely in shown.split(text)[1].splitlines()[2]
        assert f"{text}\n  median {answer['median']:.0f}, 90 % from" in shown


@pytest.mark.parametrize(
    ("text", "needle"),
    [
        ("no gap here", "0 gaps"),
        ("___ and ___", "2 gaps"),
        ("unheard ___ unseen", "no word around the gap"),
    ],
)
def test_texts_without_one_gap_among_known_words_are_refused(planted_folder, text, needle):
    assert_refused(run("predict", planted_folder, text), needle)


def test_unknown_scores_are_refused(planted_folder):
    assert_refused(run("predict", planted_folder, "holds ___", "--score", "S_C"), "--score 'S_C'")


def test_check_as_json(planted_folder):
    fitting, odd, unknown = answers(run("check", planted_folder, SENTENCE, ODD, "x 7", "--json"))
    assert [each["text"] for each in (fitting, odd, unknown)] == [SENTENCE, ODD, "x 7"]
    assert not fitting["numerals"][0]["is_odd"]
    (numeral,) = odd["numerals"]
    assert numeral["is_odd"]
    assert numeral["text"] == "5,000" == ODD[numeral["start"] : numeral["end"]]
    assert all(better["value"] < 20 for better in numeral["better"])
    assert 0.5 < numeral["probability_wrong"] <= 1
    assert (unknown["numerals"][0]["lift"], unknown["numerals"][0]["probability_wrong"]) == (
        None,
        None,
    )


def test_check_shows_texts_as_they_are(planted_folder):
    text = "[bold]:smile: " + ODD
    lines = run("check", planted_folder, text, "x 7", SENTENCE).stdout.decode().splitlines()
    assert lines[0] == text
    assert lines[1].startswith("  5,000: odd, ")
    assert "; likelier are " in lines[1]
    assert lines[2:4] == ["x 7", "  7: no word around it is known"]
    assert lines[5].startswith("  7: fits, ")


def test_check_fails_on_odd_numbers_when_asked_to(planted_folder):
    assert run("check", planted_folder, ODD).returncode == 0
    assert run("check", planted_folder, ODD, "--fail").returncode == 1
    assert run("check", planted_folder, ODD, SENTENCE, "--fail").returncode == 1
    assert run("check", planted_folder, SENTENCE, "--fail").returncode == 0
    assert run("check", planted_folder, ODD, "--fail", "--odd-above", 1).returncode == 0
    assert_refused(run("check", planted_folder, ODD, "--odd-above", "nan"), "--odd-above nan,")


def test_a_text_may_begin_with_a_minus(planted_folder):
    (found,) = answers(run("check", planted_folder, "-5 pens", "--json"))
    assert found["text"] == "-5 pens"
    assert found["numerals"][0]["value"] == -5
    assert b"No such option" in run("check", planted_folder, ODD, "--fial").stderr


@pytest.mark.parametrize("verb", ["vector", "similar", "predict", "check"])
def test_a_missing_model_is_named(verb, tmp_path):
    assert_refused(run(verb, tmp_path / "nothing", "few"), "holds no model")


@pytest.mark.parametrize("verb", ["vector", "similar", "predict", "check"])
def test_empty_input_prints_nothing(verb, planted_folder):
    result = run(verb, planted_folder, stdin=b"\n  \n")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
