"""The task of tagging: its sets, their harder test sets, portions, rows, and learnt vectors."""

import json
from pathlib import Path

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError, EvaluationDataError
from numberline.evaluation import Spread
from numberline.tagging import Scores
from numberline_paper.settings import TaggingSettings
from numberline_paper.tagging import sets
from numberline_paper.tagging.augmented import augmented, replacements
from numberline_paper.tagging.hard import cues, hard
from numberline_paper.tagging.learnt_vectors import learnt_source, preset_of, tagging_tables
from numberline_paper.tagging.sets import TaggedSet, load_set, read_chat, read_utterances
from numberline_paper.tagging.task import RANDOM_ROWS, portion_of, random_sources, spread, tables
from tests.small_models import small_model
from tests.tagging.planted_sentences import planted_sentences

SHARED = Path(__file__).parents[3] / "shared/data/eval"


def tagged(text):
    """Parse "5|B-people for": a token with its label, and one without."""
    return [(word.split("|")[0], word.partition("|")[2] or "O") for word in text.split()]


def test_numerals_are_replaced_by_nearby_ones_of_the_same_form():
    assert replacements(tagged("for 9|B-people at 11|B-time :|I-time 59|I-time")) == {
        1: ["8"],
        5: ["57", "58"],
    }
    assert replacements(tagged("may 22|B-date nd 12|B-time pm 4 1.75|B-price")) == {
        3: ["11"],  # a tenth at most
        6: ["1.73", "1.74", "1.76", "1.77"],
    }
    assert replacements(tagged("0099|B-ssn")) == {0: ["0097", "0098", "0100", "0101"]}
    assert replacements(tagged("12345678901234567890|B-card two|B-people")) == {}


def test_augmented_sentences_are_new_and_labelled_alike():
    test = [tagged("for 50|B-people on 12|B-date"), tagged("hello")]
    others = [tagged("for 51|B-people on 13|B-date")]
    new = augmented(test, others, np.random.default_rng(1))
    assert len(new) in (4, 5)
    for sentence in new:
        assert [label for _, label in sentence] == ["O", "B-people", "O", "B-date"]
        assert sentence not in test + others
        assert sentence[1] != test[0][1]
        assert sentence[3] != test[0][3]


def test_augmented_sentences_are_in_no_other_set():
    rng = np.random.default_rng(1)
    assert augmented([tagged("9|B-people")], [], rng) == [tagged("8|B-people")]
    assert augmented([tagged("9|B-people")], [tagged("8|B-people")], rng) == []


def test_hard_sentences_have_no_cue():
    train = [tagged("for 5|B-people guests"), tagged("come at 5|B-time pm")] * 5
    train += [tagged("for 5|B-time")] * 5
    assert cues(train) == {("guests", "people"), ("pm", "time"), ("at", "time"), ("come", "time")}
    easy = [tagged("7|B-people guests"), tagged("8|B-time 30|I-time o pm"), tagged("no guests")]
    without = [tagged("7|B-people"), tagged("7|B-people a b c guests"), tagged("7|B-people at")]
    assert hard(easy + without, train) == without


def test_portions_are_nested_and_drawn_by_seed():
    train = planted_sentences(50, seed=1)
    ten, thirty = (portion_of(train, percent, seed=3) for percent in (10, 30))
    assert (len(ten), len(thirty)) == (5, 15)
    assert all(sentence in thirty for sentence in ten)
    assert portion_of(train, 100, seed=3) == train
    assert portion_of(train, 30, seed=4) != thirty
    assert len(portion_of(train[:3], 10, seed=3)) == 1


def test_a_spread_is_mean_and_deviation_over_seeds():
    scores = [Scores(90, 1, 1, 70), Scores(94, 1, 1, 74)]
    assert spread(scores, "f1") == Spread(72, pytest.approx(8**0.5))
    assert spread(scores[:1], "accuracy") == Spread(90, 0)


@pytest.fixture
def planted_set(monkeypatch):
    tests = {"original": planted_sentences(40, 3), "augmented": planted_sentences(40, 4)}
    one = TaggedSet(planted_sentences(150, 1), planted_sentences(30, 2), tests)
    monkeypatch.setattr(sets, "shop", lambda: one)
    monkeypatch.setattr("numberline.tagging.network.DROPOUT", 0.1)


@pytest.mark.usefixtures("planted_set")
def test_composed_vectors_beat_random_ones():
    pytest.importorskip("torch")
    settings = {"tagging_portions": "100", "tagging_seeds": 1, "tagger_epochs": 12}
    (table,) = nl.evaluate(small_model(), "tagging", **settings).tables["tagging"]
    assert table.columns == ["train %", "vectors", "test", "accuracy", "P", "R", "F1"]
    (random,) = tables(random_sources(12), TaggingSettings(**settings), lambda *_: None)
    rows = [*table.rows, *random.rows]
    f1 = {(row["vectors"], row["test"]): row["F1"].mean for row in rows}
    assert len(f1) == 6
    for test in ("original", "augmented"):
        assert f1["model", test] > 95
        assert f1["random, frozen", test] < 75  # unseen numerals share one vector
        assert f1["random, fine-tuned", test] < 75


@pytest.mark.parametrize("row", ["default", "gmm"])
def test_vectors_are_learnt_from_the_labelled_sentences(row):
    sentences = [[(word, "O") for word in f"i am {at} and well".split()] for at in range(60)]
    source = learnt_source(row, TaggingSettings(), {"epochs": 1})
    model = source.vectors(sentences, 100, 1)
    assert {*model.words} == {"i", "am", "and", "well"}
    assert model.dim == 50


@pytest.mark.usefixtures("planted_set")
def test_each_portion_has_a_row_per_source_of_vectors():
    pytest.importorskip("torch")
    settings = TaggingSettings(tagging_portions="50", tagging_seeds=1, tagger_epochs=1, threads=1)
    reports = []
    rows = ["gmm", "fixed", *RANDOM_ROWS]
    (table,) = tagging_tables(rows, settings, lambda *args: reports.append(args), epochs=1)
    assert [row["vectors"] for row in table.rows[::2]] == rows
    assert [what.rpartition(", ")[0] for what, _ in reports[:2]] == ["tagging shop, 50 %"] * 2


def test_each_portion_of_the_paper_has_its_preset():
    presets = [preset_of(portion) for portion in (100, 30, 10)]
    assert presets == ["tagging", "tagging-30", "tagging-10"]


def test_files_of_sets_are_read(tmp_path):
    folder = tmp_path / "tagging"
    for name in ("restaurants-8k", "multidogo-finance"):
        (folder / name).mkdir(parents=True)
    row = {"text": "Table for 5 people", "spans": [[10, 18, "people"]]}
    for part in ("train", "test"):
        (folder / f"restaurants-8k/{part}.jsonl").write_text((json.dumps(row) + "\n") * 20)
    for part in ("train", "dev", "test"):
        path = folder / f"multidogo-finance/{part}.tsv"
        path.write_text('ssn 4577 12\tO ssn ssn\n"ford\tmondeo"\n')
    settings = TaggingSettings(data=str(tmp_path))
    restaurants = load_set("restaurants-8k", settings)
    assert (len(restaurants.train), len(restaurants.dev)) == (18, 2)
    assert restaurants.tests["original"][0] == tagged("table for 5|B-people people|I-people")
    assert restaurants.tests["augmented"]
    chat = load_set("multidogo-finance", settings)
    assert chat.train == [tagged("ssn 4577|B-ssn 12|I-ssn")]
    with pytest.raises(EvaluationDataError, match="MultiDoGO"):
        load_set("multidogo-insurance", settings)


def test_broken_files_are_refused(tmp_path):
    path = tmp_path / "file"
    path.write_text("two words\tO\n")
    with pytest.raises(EvaluationDataError, match="line 1: words, a tab and as many labels"):
        read_chat(path)
    with pytest.raises(EvaluationDataError, match="line 1: a text and its spans"):
        read_utterances(path)


def test_unknown_sets_and_portions_are_refused():
    with pytest.raises(ConfigError, match="tagging_sets='shops'"):
        TaggingSettings(tagging_sets="shop, shops")
    for portion in ("0", "101", "x", ""):
        with pytest.raises(ConfigError, match="tagging_portions"):
            TaggingSettings(tagging_portions=f"100,{portion}")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the evaluation sets are not here")
def test_real_sets_have_their_sizes():
    settings = TaggingSettings(data=str(SHARED))
    for name, train in [("restaurants-8k", 7378), ("multidogo-insurance", 14485)]:
        tagged_set = load_set(name, settings)
        assert len(tagged_set.train) == train
        assert list(tagged_set.tests) == ["original", "augmented", "hard"]
        assert 200 < len(tagged_set.tests["hard"]) < len(tagged_set.tests["original"]) / 5
