"""Figures of a model: what is on them, and that it can be read."""

from types import SimpleNamespace

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ContextError, QuestionError, UnknownWordError
from numberline.explore.answers import Answers
from numberline.explore.landmarks import Landmark, Landmarks
from numberline.explore.plots import number_line
from numberline.explore.plots.figures import figures
from numberline.explore.plots.labels import count_overlaps
from numberline.explore.plots.prediction import prediction_figure
from numberline.explore.plots.similarity import similarity_figure
from numberline.explore.plots.style import THEMES, new_figure
from numberline.numerals.squash import squash
from tests.small_models import small_model

pytest.importorskip("matplotlib")
pytest.importorskip("openTSNE")

TOKENS = "few many small box 3 7 12 3000 4000 5,000"
ANSWERS = Answers(small_model(), "planted")


def texts_of(figure):
    figure.canvas.draw()
    return [text for axes in figure.axes for text in axes.texts if text.get_text()]


@pytest.mark.parametrize("theme", THEMES)
def test_ink_stands_out_from_paper(theme):
    colours = pytest.importorskip("matplotlib.colors")

    def luminance(colour):
        channels = np.array(colours.to_rgb(colour))
        linear = np.where(
            channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
        )
        return float(linear @ [0.2126, 0.7152, 0.0722])

    chosen = THEMES[theme]
    for colour in (chosen.ink, chosen.words, chosen.numerals):
        light, dark = sorted([luminance(colour), luminance(chosen.paper)], reverse=True)
        assert (light + 0.05) / (dark + 0.05) > 4  # WCAG asks for 4.5, of large type for 3


def test_figures_have_the_colours_of_their_theme():
    colours = pytest.importorskip("matplotlib.colors")
    dark = THEMES["dark"]
    for _, figure in figures(small_model(), theme="dark", tokens=TOKENS):
        assert colours.same_color(figure.get_facecolor(), dark.paper)
        for axes in figure.axes:
            assert colours.same_color(axes.title.get_color(), dark.ink)


def test_words_on_the_line_stand_apart_and_at_their_numbers():
    figure = number_line.line_figure(ANSWERS, THEMES["light"])
    words = texts_of(figure)
    boxes = np.array([word.get_window_extent().extents for word in words])
    assert len(words) > 8
    assert (count_overlaps(boxes, boxes) == 1).all()  # each overlaps itself
    few = next(word for word in words if word.get_text() == "few")
    assert squash(1) < few.get_position()[0] < squash(100)


@pytest.mark.parametrize(
    ("prototypes", "line"),
    [
        (np.arange(150, 200), (0, 1e8)),  # all in one place of a long line
        (np.zeros(0), (-5, 5)),
        (np.array([7.0]), (6, 8)),
        (np.array([3e15]), (3e15 - 1, 3e15 + 1)),  # squashed into one place
    ],
)
def test_pieces_of_the_line_follow_prototypes_and_leave_nothing_out(prototypes, line):
    answers = SimpleNamespace(prototypes=prototypes.astype(float), whole_line=line)
    ends = number_line.piece_ends(answers)
    assert (np.diff(ends) > 0).all()
    assert len(ends) == number_line.PIECES + 1
    first, last = squash(ends[[0, -1]]) - squash(np.array(line))
    assert first <= 1e-9
    assert last >= -1e-9
    held = np.histogram(prototypes, ends)[0]
    assert held.max(initial=0) < 0.7 * len(prototypes) + 2


def test_words_of_one_width_at_one_number_stand_apart():
    class Twins:
        def along(self, low, high, count):
            return [Landmark(word, 5.0, 0.5) for word in ("abc", "acb", "bac", "bca")]

    figure = new_figure(6, 3)
    axes = figure.subplots()
    axes.set_xlim(squash(1), squash(10))
    figure.canvas.draw()
    number_line.write_words(axes, Twins(), 1, 10)
    heights = [text.get_position()[1] for text in texts_of(figure)]
    assert len(set(heights)) == len(heights) == 4


def test_similar_numbers_are_dark_and_all_of_them_whole(monkeypatch):
    """One with decimals among them would be a line across the picture."""
    asked, rows_of = [], Landmarks.numeral_rows

    def recorded(landmarks, values):
        asked.extend(values.tolist())
        return rows_of(landmarks, values)

    monkeypatch.setattr(Landmarks, "numeral_rows", recorded)
    figure = similarity_figure(ANSWERS, THEMES["light"])
    assert asked == [round(value) for value in asked]
    assert (min(asked), max(asked)) == (1, 10**6)
    heat = np.asarray(figure.axes[0].images[0].get_array())
    assert np.diag(heat) == pytest.approx(1, abs=1e-5)
    at = {value: round(np.log10(value) / 6 * (len(heat) - 1)) for value in (5, 9, 4000, 6000)}
    assert heat[at[5], at[9]] > heat[at[5], at[4000]]
    assert heat[at[4000], at[6000]] > heat[at[9], at[6000]]


def test_a_gap_is_drawn_where_its_numbers_are():
    text = "small box holds ___ pens"
    axes = prediction_figure(ANSWERS, text, THEMES["light"]).axes[0]
    assert axes.get_title("left").startswith(text)
    positions, heights = axes.lines[0].get_data()
    assert positions[np.argmax(heights)] < squash(25)


def test_models_without_prototypes_are_drawn():
    model = nl.train(
        ["small box holds 7 pens", "big hall seats 4000 people"] * 30,
        encoder="fixed",
        dim=4,
        epochs=1,
        threads=1,
        min_count=1,
    )
    names = [name for name, _ in figures(model, tokens="small big box hall 7 8")]
    assert names == ["line", "histogram", "similarity", "prediction", "map"]
    for answers, label in ((ANSWERS, ""), (Answers(model, "boxes"), "without a gap model")):
        axes = prediction_figure(answers, "small box holds ___ pens", THEMES["light"]).axes[0]
        assert axes.get_xlabel().partition(":")[0] == label


@pytest.mark.parametrize(
    ("settings", "error", "needle"),
    [
        ({"theme": "pink"}, nl.NumberlineError, "theme"),
        ({"sentence": "nothing here"}, ContextError, "gap"),
        ({"tokens": "few many"}, QuestionError, "5 tokens or more, not 2"),
        ({"tokens": "unheard few many 1 2 3"}, UnknownWordError, "unheard"),
    ],
)
def test_bad_settings_are_refused_before_drawing(settings, error, needle):
    with pytest.raises(error, match=needle):
        list(figures(small_model(), **settings))
