"""The task of tagging: its sets, what is made of them, portions, rows, and the grid of encoders."""

import json
from pathlib import Path

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError, EvaluationDataError
from numberline.evaluation.result import Spread
from numberline.evaluation.settings import EvaluationSettings, TaggingConfig
from numberline.settings import made_of
from numberline.tagging.scores import Scores
from numberline_paper import tagging_sets
from numberline_paper.numerals_moved import augmented, moves
from numberline_paper.numerals_without_cues import cues, hard
from numberline_paper.tagging import RANDOM_ROWS, portion_of, spread
from numberline_paper.tagging_grid import preset_of
from numberline_paper.tagging_sets import TaggedSet, load_set, read_chat, read_utterances
from tests.small_models import small_model
from tests.tagging.planted_sentences import planted_sentences

SHARED = Path(__file__).parents[3] / "shared/data/eval"
QUICK = {"tagger_hidden": 16, "tagger_epochs": 4, "tagger_learning_rate": 0.05, "tagging_seeds": 2}


def tagged(text):
    """5/people for → the token 5 with its label, and one without."""
    return [(word.split("|")[0], word.partition("|")[2] or "O") for word in text.split()]


def test_numerals_move_within_their_places():
    assert moves(tagged("for 9|B-people at 11|B-time :|I-time 59|I-time")) == {
        1: ["8"],
        5: ["57", "58"],
    }
    assert moves(tagged("may 22|B-date nd 12|B-time pm 4 1.75|B-price")) == {
        3: ["11"],  # a tenth at most
        6: ["1.73", "1.74", "1.76", "1.77"],
    }
    assert moves(tagged("0099|B-ssn")) == {0: ["0097", "0098", "0100", "0101"]}
    assert moves(tagged("12345678901234567890|B-card two|B-people")) == {}


def test_augmented_sentences_are_new_and_labelled_alike():
    test = [tagged("for 50|B-people on 12|B-date"), tagged("hello")]
    others = [tagged("for 51|B-people on 13|B-date")]
    found = augmented(test, others, np.random.default_rng(1))
    assert len(found) in (4, 5)
    for sentence in found:
        assert [label for _, label in sentence] == ["O", "B-people", "O", "B-date"]
        assert sentence not in test + others
        assert sentence[1] != test[0][1]
        assert sentence[3] != test[0][3]


def test_what_is_in_a_set_already_is_no_new_sentence():
    rng = np.random.default_rng(1)
    assert augmented([tagged("9|B-people")], [], rng) == [tagged("8|B-people")]
    assert augmented([tagged("9|B-people")], [tagged("8|B-people")], rng) == []


def test_hard_sentences_have_no_cue():
    train = [tagged("for 5|B-people guests"), tagged("come at 5|B-time pm")] * 5
    train += [tagged("for 5|B-time")] * 5
    assert cues(train) == {("guests", "people"), ("pm", "time"), ("at", "time"), ("come", "time")}
    easy = [tagged("7|B-people guests"), tagged("8|B-time 30|I-time o pm"), tagged("no guests")]
    wanted = [tagged("7|B-people"), tagged("7|B-people a b c guests"), tagged("7|B-people at")]
    assert hard(easy + wanted, train) == wanted


def test_portions_are_nested_and_drawn_by_seed():
    train = planted_sentences(50, seed=1)
    ten, thirty = (portion_of(train, percent, seed=3) for percent in (10, 30))
    assert (len(ten), len(thirty)) == (5, 15)
    assert all(sentence in thirty for sentence in ten)
    assert portion_of(train, 100, seed=3) == train
    assert portion_of(train, 30, seed=4) != thirty
    assert len(portion_of(train[:3], 10, seed=3)) == 1


def test_spread_over_seeds():
    scores = [Scores(90, 1, 1, 70), Scores(94, 1, 1, 74)]
    assert spread(scores, "f1") == Spread(72, pytest.approx(8**0.5))
    assert spread(scores[:1], "accuracy") == Spread(90, 0)


@pytest.fixture
def planted_set(monkeypatch):
    tests = {"original": planted_sentences(40, 3), "augmented": planted_sentences(40, 4)}
    one = TaggedSet(planted_sentences(150, 1), planted_sentences(30, 2), tests)
    monkeypatch.setattr(tagging_sets, "shop", lambda: one)


@pytest.mark.usefixtures("planted_set")
def test_numerals_composed_beat_numerals_drawn():
    pytest.importorskip("torch")
    settings = {**QUICK, "tagging_portions": "100", "tagging_random": True}
    (table,) = nl.evaluate(small_model(), "tagging", **settings).tables["tagging"]
    assert table.columns == ["train %", "vectors", "test", "accuracy", "P", "R", "F1"]
    f1 = {(row["vectors"], row["test"]): row["F1"].mean for row in table.rows}
    assert len(f1) == 6
    for test in ("original", "augmented"):
        assert f1["model", test] > 95
        assert f1["random, frozen", test] < 75  # unseen numerals are all one
        assert f1["random, fine-tuned", test] < 75


@pytest.mark.parametrize("row", ["default", "gmm"])
def test_the_grid_takes_labelled_sentences_as_they_stand(row):
    from numberline_paper.tagging_grid import learnt_source

    sentences = [[(word, "O") for word in f"i am {at} and well".split()] for at in range(60)]
    source = learnt_source(row, EvaluationSettings(), {"epochs": 1})
    assert not source.vectors(sentences, 100, 1).settings.shuffle


@pytest.mark.usefixtures("planted_set")
def test_the_grid_learns_from_the_portion():
    pytest.importorskip("torch")
    from numberline_paper.tagging_grid import tagging_grid

    settings = {**QUICK, "tagging_portions": "50", "tagging_seeds": 1, "tagger_epochs": 1}
    config = made_of(EvaluationSettings, {**settings, "threads": 1})
    seen = []
    rows = ["gmm", "fixed", *RANDOM_ROWS]
    (table,) = tagging_grid(rows, config, lambda *said: seen.append(said), epochs=1)
    assert [row["vectors"] for row in table.rows[::2]] == ["gmm", "fixed", *RANDOM_ROWS]
    assert [what.rpartition(", ")[0] for what, _ in seen[:2]] == ["tagging shop, 50 %"] * 2
    assert [preset_of(portion) for portion in (100, 30, 10)] == [
        *["tagging", "tagging-30", "tagging-10"]
    ]


def test_sets_are_read(tmp_path):
    folder = tmp_path / "tagging"
    for name in ("restaurants-8k", "multidogo-finance"):
        (folder / name).mkdir(parents=True)
    row = {"text": "Table for 5 people", "spans": [[10, 18, "people"]]}
    for part in ("train", "test"):
        (folder / f"restaurants-8k/{part}.jsonl").write_text((json.dumps(row) + "\n") * 20)
    for part in ("train", "dev", "test"):
        path = folder / f"multidogo-finance/{part}.tsv"
        path.write_text('ssn 4577 12\tO ssn ssn\n"ford\tmondeo"\n')
    config = made_of(EvaluationSettings, {"data": str(tmp_path)})
    found = load_set("restaurants-8k", config)
    assert (len(found.train), len(found.dev)) == (18, 2)
    assert found.tests["original"][0] == tagged("table for 5|B-people people|I-people")
    assert found.tests["augmented"]
    chat = load_set("multidogo-finance", config)
    assert chat.train == [tagged("ssn 4577|B-ssn 12|I-ssn")]
    with pytest.raises(EvaluationDataError, match="MultiDoGO"):
        load_set("multidogo-insurance", config)


def test_odd_files_and_settings(tmp_path):
    path = tmp_path / "file"
    path.write_text("two words\tO\n")
    with pytest.raises(EvaluationDataError, match="line 1: words, a tab and as many labels"):
        read_chat(path)
    with pytest.raises(EvaluationDataError, match="line 1: a text and its spans"):
        read_utterances(path)
    with pytest.raises(ConfigError, match="tagging_sets='shops'"):
        TaggingConfig(tagging_sets="shop, shops")
    for portion in ("0", "101", "x", ""):
        with pytest.raises(ConfigError, match="tagging_portions"):
            TaggingConfig(tagging_portions=f"100,{portion}")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the evaluation sets are not here")
def test_real_sets_have_their_sizes():
    config = made_of(EvaluationSettings, {"data": str(SHARED)})
    for name, train in [("restaurants-8k", 7378), ("multidogo-insurance", 14485)]:
        found = load_set(name, config)
        assert len(found.train) == train
        assert list(found.tests) == ["original", "augmented", "hard"]
        assert 200 < len(found.tests["hard"]) < len(found.tests["original"]) / 5
