"""Word similarity and analogies: on planted vectors, with unknown words and broken files."""

import json

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError, EvaluationDataError, OutputError, StoreError
from numberline.evaluation import Evaluation, no_progress
from numberline.evaluation.similarity import (
    SIMILARITY_SETS,
    Pair,
    analogy_rows,
    read_pairs,
    read_questions,
    similarity_row,
)
from numberline.model.word_vectors import WordVectors

pytest.importorskip("scipy")

WORDS = ["man", "woman", "king", "queen", "apple", "paris", "france", "rome", "italy"]
ROWS = [
    [1, 0, 0],
    [1, 1, 0],
    [0, 0, 1],
    [0, 1, 1],
    [1, 1, 1],
    [2, 0, 1],
    [2, 2, 1],
    [3, 0, 1],
    [3, 3, 1],
]


@pytest.fixture
def vectors():
    return WordVectors(WORDS, np.array(ROWS, np.float32))


def write_sets(folder):
    """Write all sets with a few pairs each, and three analogies."""
    lines = {
        "WordSim-353": "Word 1,Word 2,Human (mean)\nMan,woman,9\nking,queen,8\nman,apple,1\n",
        "MEN": "man woman 50\nking queen 40\nman unheard 20\nking apple 10\n",
        "SimLex-999": "word1\tword2\tPOS\tSimLex999\nman\twoman\tN\t9\nking\tapple\tN\t1\n",
        "Rare Words": ",word1,word2,similarity\n0,man,queen,3\n1,man,woman,4\n2,king,rome,1\n",
        "MTurk-771": "man,woman,4\nking,queen,3\nparis,italy,2\n",
    }
    for name, text in lines.items():
        path = folder / "word-similarity" / SIMILARITY_SETS[name].file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (folder / "analogy").mkdir()
    questions = ": family\nMan king woman queen\n: gram1\nman king woman apple\n: x\nman a b c\n"
    (folder / "analogy/questions-words.txt").write_text(questions)


def test_all_sets_are_read_and_scored(vectors, tmp_path):
    write_sets(tmp_path)
    evaluation = nl.evaluate(vectors, "similarity", data=str(tmp_path))
    similarity, analogies = evaluation.tables["similarity"]
    assert [row["set"] for row in similarity.rows] == list(SIMILARITY_SETS)
    assert similarity.rows[1]["coverage"] == 75
    assert similarity.rows[2]["Spearman"] is None  # two pairs are too few
    assert [row["solved"] for row in analogies.rows] == [100, 0, 50]
    assert [row["coverage"] for row in analogies.rows] == [50, 100, pytest.approx(100 * 2 / 3)]
    assert "| WordSim-353 |" in evaluation.markdown()
    evaluation.save(tmp_path / "saved.json")
    assert json.loads((tmp_path / "saved.json").read_text())["settings"]["seed"] == 1
    assert Evaluation.load(tmp_path / "saved.json") == evaluation


def test_only_evaluations_are_replaced_and_only_whole_ones_are_read(vectors, tmp_path):
    write_sets(tmp_path)
    evaluation = nl.evaluate(vectors, "similarity", data=str(tmp_path))
    path = tmp_path / "saved.json"
    path.write_text('{"mine": 1}')
    with pytest.raises(OutputError, match="is no evaluation"):
        evaluation.save(path)
    with pytest.raises(StoreError, match="no file of numberline"):
        Evaluation.load(path)
    path.unlink()
    evaluation.save(path)
    data = bytearray(path.read_bytes())
    for at in range(0, len(data), 7):
        data[at] ^= 1
        path.write_bytes(data)
        with pytest.raises(StoreError, match=r"saved\.json cannot be read"):
            Evaluation.load(path)
        data[at] ^= 1
    evaluation.save(path)  # a damaged one is replaced
    assert Evaluation.load(path) == evaluation


def test_spearman_of_known_pairs(vectors, tmp_path):
    path = tmp_path / "men.txt"
    path.write_text("man woman 1\nman king 3\nman apple 2\nman unheard 9\n")
    row = similarity_row(vectors, read_pairs(path, SIMILARITY_SETS["MEN"]))
    # cosines .71, 0, .58 against 1, 3, 2
    assert row == {"Spearman": pytest.approx(-100), "coverage": 75, "pairs": 4}


def test_an_analogy_is_never_answered_with_its_own_words(vectors, tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text(": capitals\nparis france rome italy\nman man king king\n")
    rows = analogy_rows(vectors, read_questions(path), no_progress)
    assert rows[0] == {"questions": "meaning", "solved": 50, "coverage": 100, "number": 2}
    assert rows[1]["solved"] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"man woman 1\nman woman\n", "line 2: two words and a number"),
        (b"", "holds no pairs of words"),
        (b"word word judgement\n", "holds no pairs of words"),
        (b"man w\xffman 1\n", "it is not UTF-8 text"),
    ],
)
def test_broken_pairs_are_refused(tmp_path, text, message):
    path = tmp_path / "men.txt"
    path.write_bytes(text)
    with pytest.raises(EvaluationDataError, match=message):
        read_pairs(path, SIMILARITY_SETS["MEN"])


@pytest.mark.parametrize(("text", "message"), [(b"man woman\n", "four words"), (b"\xff", "UTF-8")])
def test_broken_questions_are_refused(tmp_path, text, message):
    path = tmp_path / "questions-words.txt"
    path.write_bytes(text)
    with pytest.raises(EvaluationDataError, match=message):
        read_questions(path)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_byte_order_marks_and_line_ends_of_windows_are_read(tmp_path, line_end):
    path = tmp_path / "men.txt"
    path.write_bytes(line_end.join(["\ufeffsun moon 5", "sea sand 3", ""]).encode())
    assert read_pairs(path, SIMILARITY_SETS["MEN"]) == [("sun", "moon", 5), ("sea", "sand", 3)]


@pytest.mark.parametrize(
    ("rows", "judgements"), [(np.zeros((9, 3)), (1, 3, 2)), (np.array(ROWS), (2, 2, 2))]
)
def test_constant_values_have_no_correlation(rows, judgements):
    pairs = [Pair("man", *one) for one in zip(WORDS[1:4], judgements, strict=True)]
    assert similarity_row(WordVectors(WORDS, rows.astype(np.float32)), pairs)["Spearman"] is None


def test_missing_data_are_named(vectors, tmp_path):
    with pytest.raises(EvaluationDataError, match=r"data=FOLDER .*Finkelstein"):
        nl.evaluate(vectors, "similarity")
    with pytest.raises(EvaluationDataError, match=r"wordsim-353\.csv is missing"):
        nl.evaluate(vectors, ["similarity"], data=str(tmp_path))
    with pytest.raises(ConfigError, match="tasks='similarty'"):
        nl.evaluate(vectors, "similarty")
    assert "is missing" in nl.evaluate(vectors, data=str(tmp_path)).left_out["similarity"]
