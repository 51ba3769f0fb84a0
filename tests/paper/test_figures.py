"""Figures and the table of prototypes, of a model of the demo shop."""

import os

import numpy as np
import pytest

from numberline.errors import MissingExtraError
from numberline.evaluation.result import Table
from numberline.evaluation.run import ignore
from numberline.evaluation.settings import ReproductionSettings
from numberline.evaluation.task import TASKS, Task
from numberline.explore import word_map
from numberline.explore.plots import prototypes_figure
from numberline.numerals.squash import squash
from numberline.settings import made_of
from numberline_paper import figures as paper_figures
from numberline_paper.figures import draw_figures
from numberline_paper.prototype_words import prototype_words
from numberline_paper.reproduce import reproduce
from numberline_paper.texts import Texts
from numberline_shop.shop import write_corpus


class Nothing(Task):
    def evaluate(self, model, config, progress):
        return [Table("Word similarity", [])]


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures")
    write_corpus(folder / "chat.txt", 9000)
    config = made_of(ReproductionSettings, {"dim": 8, "threads": 1})
    texts = Texts(folder / "chat.txt", folder, folder / "texts", config, ignore)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(TASKS, "similarity", Nothing("", ""))
        return reproduce(texts, folder, folder, config, ignore, ["som", "token"], ["similarity"])


def test_figures_are_drawn_once(done, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(1)
    monkeypatch.setattr(
        word_map, "map_places", lambda _, tokens, seed: rng.random((len(tokens), 2))
    )
    pictures, left_out = draw_figures(done, tmp_path, ignore)
    names = ["histogram-som-200-dim8.png", "map-som-200-dim8.png"]
    assert [picture.path.name for picture in pictures] == names
    assert left_out == []
    assert all(picture.path.read_bytes().startswith(b"\x89PNG") for picture in pictures)
    first, second = (picture.path for picture in pictures)
    os.utime(second, (0, 0))  # older than its model
    before = first.stat().st_mtime_ns
    draw_figures(done, tmp_path, ignore)
    assert first.stat().st_mtime_ns == before
    assert second.stat().st_mtime_ns > 0


def test_what_cannot_be_drawn_is_named(done, tmp_path, monkeypatch):
    def without_package(name, model):
        raise MissingExtraError("openTSNE", "plot")

    monkeypatch.setattr(paper_figures, "map_figure", without_package)
    monkeypatch.setattr(paper_figures, "histogram", without_package)
    pictures, left_out = draw_figures(done, tmp_path, ignore)
    assert pictures == []
    assert len(left_out) == 2
    assert "pip install 'numberline[plot]'" in left_out[0]


def test_prototypes_beside_those_of_the_paper(done):
    name, model = done.model("som", "similarity")
    table = prototype_words(name, model)
    values = model.numerals.labels
    for paper, words, ours, own_words in table.rows:
        asked = float(paper.text.replace(",", ""))
        nearest = min(values, key=lambda value: abs(squash(value) - squash(asked)))
        assert ours.text == f"{nearest:,.2f}"
        assert own_words.text.split(", ")[0] == model.similar(float(nearest), count=1)[0].token
        assert words.text
    assert len(table.rows) == 5
    assert done.model("gmm", "similarity") is None


def test_a_span_cuts_and_says_so():
    pytest.importorskip("matplotlib")
    values, ones = np.array([-5.0, 1, 10, 1e20]), np.ones(4)
    figure = prototypes_figure(values, ones, values, span=(0.0, 1e13))
    assert [axes.get_title("left") for axes in figure.axes] == [
        "4 occurrences of numerals, 2 of them beyond",
        "4 prototypes, 2 of them beyond",
    ]
