"""Figures and the table of prototype words, of models of the demo shop."""

import os

import numpy as np
import pytest

from numberline.errors import MissingExtraError
from numberline.evaluation import Table, Task, no_progress
from numberline.evaluation.task import BUILT_IN
from numberline.numerals import squash
from numberline_paper.experiments import do_experiments
from numberline_paper.report import figures as paper_figures
from numberline_paper.report.figures import draw_figures
from numberline_paper.report.prototype_words import prototype_words
from numberline_paper.settings import ReproductionSettings
from numberline_paper.texts import Texts
from numberline_paper.workshop import Workshop
from numberline_shop import write_corpus


class EmptyTask(Task):
    def evaluate(self, model, settings, progress):
        return [Table("Word similarity", [])]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures")
    write_corpus(folder / "chat.txt", 9000)
    settings = ReproductionSettings(dim=8, threads=1)
    texts = Texts(folder / "chat.txt", folder, folder / "texts", settings, no_progress)
    workshop = Workshop(texts, folder, folder, settings, no_progress)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BUILT_IN, "similarity", EmptyTask("", ""))
        return do_experiments(workshop, ["som", "token"], ["similarity"])


def test_figures_are_drawn_once(results, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(1)
    quick_tsne = lambda rows, seed, perplexity: rng.random((len(rows), 2))  # noqa: E731
    monkeypatch.setattr("numberline.explore.plots.map.tsne", quick_tsne)
    pictures, left_out = draw_figures(results, tmp_path, no_progress)
    names = ["histogram-som-200-dim8.png", "map-som-200-dim8.png"]
    assert [picture.path.name for picture in pictures] == names
    assert left_out == []
    assert all(picture.path.read_bytes().startswith(b"\x89PNG") for picture in pictures)
    first, second = (picture.path for picture in pictures)
    os.utime(second, (0, 0))  # older than its model
    before = first.stat().st_mtime_ns
    draw_figures(results, tmp_path, no_progress)
    assert first.stat().st_mtime_ns == before
    assert second.stat().st_mtime_ns > 0


def test_figures_that_cannot_be_drawn_are_named(results, tmp_path, monkeypatch):
    def without_package(name, model):
        raise MissingExtraError("openTSNE", "plot")

    monkeypatch.setattr(paper_figures, "map_figure", without_package)
    monkeypatch.setattr(paper_figures, "histogram", without_package)
    pictures, left_out = draw_figures(results, tmp_path, no_progress)
    assert pictures == []
    assert len(left_out) == 2
    assert "pip install 'numberline[plot]'" in left_out[0]


def test_prototypes_are_shown_beside_those_of_the_paper(results):
    name, model = results.model("som", "similarity")
    table = prototype_words(name, model)
    values = model.numerals.labels
    for paper, words, ours, our_words in table.rows:
        published = float(paper.text.replace(",", ""))
        nearest = min(values, key=lambda value: abs(squash(value) - squash(published)))
        assert ours.text == f"{nearest:,.2f}"
        assert our_words.text.split(", ")[0] == model.similar(float(nearest), count=1)[0].token
        assert words.text
    assert len(table.rows) == 5
    assert results.model("gmm", "similarity") is None
