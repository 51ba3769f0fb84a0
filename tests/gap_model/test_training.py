"""From text to answers, where only the order of words tells how large a number is."""

import numpy as np
import pytest

import numberline as nl
from numberline.errors import (
    ContextError,
    NumberlineError,
    NumberlineWarning,
    OutputError,
    TokensError,
)
from numberline.gap_model import train as gap_training
from numberline.gap_model.calibration import LEVELS
from numberline.gap_model.fit import examples_of
from numberline.model.check import ODD_ABOVE
from tests.files.crafted import arrays_of, replace_arrays
from tests.gap_model.planted_gaps import LEFT, RIGHT, SETTINGS, ordered, ordered_model

NEVER_SEEN = {"small": [40, 7.5, 90], "large": [4320, 5001.5, 8000]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ordered") / "model"
    ordered_model().save(folder)
    return folder


@pytest.fixture
def few_are_enough(monkeypatch):
    monkeypatch.setattr(gap_training, "FEWEST_NUMERALS", 300)


def arrays_in(model):
    return model.gap_model.state()


def test_the_side_of_a_word_decides_for_numbers_seen_and_never_seen():
    model = ordered_model()
    known = set(model.vocabulary.numeral_values)
    assert not known & {*NEVER_SEEN["small"], *NEVER_SEEN["large"]}
    for small, large in [([7, 51], [3001, 7777]), NEVER_SEEN.values()]:
        lifts = model.score_gaps([LEFT, RIGHT], [*small, *large])
        count = len(small)
        assert lifts[0, :count].min() > 5 * lifts[0, count:].max()
        assert lifts[1, count:].min() > 5 * lifts[1, :count].max()


def test_a_bag_of_words_cannot_know():
    """So the test above is one of the order of words."""
    for score in ("s0", "lift"):
        left, right = (ordered_model().predict(text, [40, 4320], score) for text in (LEFT, RIGHT))
        assert left[0].value == right[0].value


def test_predictions_lie_on_the_side_of_the_word():
    left, right = map(ordered_model().predict, (LEFT, RIGHT))
    assert left.interval()[1] < 100 < 2000 < right.interval()[0]
    assert left.median in left.values
    assert max(left.likely()) < 100 < 2000 < min(right.likely())
    assert [one.value for one in ordered_model().predict(RIGHT, [40, 4320])] == [4320, 40]


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("filleraa 40 box fillerbc", None),
        ("filleraa box 4320 fillerbc", None),
        ("filleraa 4320 box fillerbc", 4320),
        ("filleraa box 40 fillerbc", 40),
    ],
)
def test_a_number_on_the_wrong_side_is_odd(text, odd):
    (found,) = ordered_model().check(text)
    assert [one.value for one in [found] if one.is_odd] == ([] if odd is None else [odd])
    if odd is not None:
        is_right = (lambda value: value < 100) if odd > 100 else (lambda value: value > 2000)
        assert all(is_right(value) for value, _ in found.better)


def test_held_out_intervals_hold_nine_numbers_in_ten():
    held_out = ordered(1500, seed=2)
    inside = 0
    for line in held_out:
        (number,) = (float(word) for word in line.split() if word.isdecimal())
        low, high = ordered_model().predict(line.replace(f" {number:.0f} ", " ___ ")).interval()
        inside += low <= number <= high
    assert inside / len(held_out) == pytest.approx(0.9, abs=0.03)


def test_numbers_that_slipped_are_wrong_with_the_probability_that_is_told():
    """Half of the numbers change sides; few of the others are called wrong."""
    texts = ordered(600, seed=3)
    swapped = [" ".join([a, c, b, d]) for a, b, c, d in map(str.split, texts)]
    right, wrong = (ordered_model().check_all(some) for some in (texts, swapped))
    assert np.mean([one.is_odd for (one,) in right]) < 0.02
    assert np.mean([one.is_odd for (one,) in wrong]) > 0.98
    assert all(one.is_odd is (one.probability_wrong > ODD_ABOVE) for (one,) in right + wrong)


def test_scores_of_gaps_have_their_shape():
    model = ordered_model()
    lifts = model.score_gaps(iter([LEFT, "unheard ___ unseen", RIGHT]), iter(["7", 4320]))
    assert lifts.shape == (3, 2)
    assert np.isnan(lifts).tolist() == [[False] * 2, [True] * 2, [False] * 2]
    alone = np.vstack([model.score_gaps([text], [7, 4320]) for text in (LEFT, RIGHT)])
    assert lifts[[0, 2]] == pytest.approx(alone, rel=1e-4)
    ranked = model.predict(LEFT, [7, 4320])
    assert [one.score for one in ranked] == pytest.approx(lifts[0].tolist(), rel=1e-4)
    assert model.score_gaps([], [7]).shape == (0, 1)
    assert model.score_gaps([LEFT], []).shape == (1, 0)
    with pytest.raises(ContextError, match="2 gaps"):
        model.score_gaps([LEFT, "___ box ___"], [7])
    with pytest.raises(ContextError, match="0 gaps"):
        model.score_gaps(["box"], [7])
    with pytest.raises(TokensError, match="is not a number"):
        model.score_gaps([LEFT], ["box"])


def test_unknown_words_take_no_place():
    """Training has not seen them either."""
    lifts = ordered_model().score_gaps(
        [LEFT, "unheard filleraa ___ unseen box fillerbc"], NEVER_SEEN["small"]
    )
    assert lifts[0].tolist() == pytest.approx(lifts[1].tolist(), rel=1e-5)


def test_a_loaded_model_gives_the_same_answers(folder):
    before, after = ordered_model(), nl.load(folder)
    assert after.training["gap_model_seconds"] > 0
    candidates = [7, 40, 4320, 1e300]
    expected = before.score_gaps([LEFT, RIGHT], candidates)
    assert (after.score_gaps([LEFT, RIGHT], candidates) == expected).all()
    texts = [*ordered(50, seed=4), "filleraa 4320 box 7 fillerbc", "3 million box"]
    assert after.check_all(texts) == before.check_all(texts)
    arrays = arrays_in(after)
    assert arrays.keys() == arrays_in(before).keys()
    for name, array in arrays_in(before).items():
        assert (arrays[name].dtype, arrays[name].tobytes()) == (array.dtype, array.tobytes()), name


@pytest.mark.usefixtures("few_are_enough")
def test_one_seed_gives_one_gap_model():
    first, again = (arrays_in(nl.train(ordered(400), **SETTINGS)) for _ in range(2))
    assert all(first[name].tobytes() == again[name].tobytes() for name in first)
    other = arrays_in(nl.train(ordered(400), **SETTINGS, seed=2))
    assert not np.array_equal(first["gap_model.hidden"], other["gap_model.hidden"])


@pytest.mark.parametrize(
    ("lines", "settings"),
    [
        (ordered(3100), {"gap_model": False}),
        (ordered(2900), {}),
        (["filleraa 5 box"] * 99 + ["7"] * 3000, {}),
    ],
    ids=["not wanted", "too few", "most stand alone"],
)
def test_some_models_have_none(lines, settings):
    model = nl.train(lines, **SETTINGS | settings)
    assert model.gap_model is model.gap_scorer is None
    assert "gap_model_seconds" not in model.training
    with pytest.warns(NumberlineWarning, match="has no gap model") as warned:
        assert len(model.check("filleraa 5 box 7")) == 2
    assert len(warned) == 1


@pytest.mark.filterwarnings("ignore:the corpus holds no numerals")
def test_a_text_without_numerals_has_none():
    model = nl.train(["a cat", "a dog"] * 2000, **SETTINGS)
    assert model.gap_model is None
    with pytest.raises(ContextError, match="learnt no numerals"):
        model.score_gaps(["a ___"], [])


def test_three_thousand_numerals_are_enough(monkeypatch):
    """A numeral alone in its sentence is no example."""
    asked = []
    monkeypatch.setattr(gap_training, "fit_number_features", lambda *_: asked.append(1) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        nl.train(ordered(3000) + ["7"] * 5, **SETTINGS)
    assert asked == [1]
    assert nl.train(ordered(2999) + ["7"] * 5, **SETTINGS).gap_model is None


@pytest.mark.usefixtures("few_are_enough")
def test_odd_texts_are_learnt_from_without_a_warning():
    """One number; numbers that never slip; enormous ones; numerals alone."""
    for lines in (
        ["box 7 pens"] * 400,
        ["box 1/3 pens", "box 1/7 pens"] * 200,
        ["box 1e300 pens", "box -1e300 pens", "box 1e-300 pens"] * 200,
    ):
        model = nl.train(lines, **SETTINGS)
        calibration = model.gap_model.calibration
        assert all(np.isfinite(array).all() for array in arrays_in(model).values())
        assert calibration.coverage.shape == LEVELS.shape
        (found,) = model.check("box 7 pens")
        assert 0 <= found.probability_wrong <= 1
    with pytest.warns(NumberlineWarning, match="no word occurs"):
        numerals = nl.train(["5 6 7"] * 200, **SETTINGS)
    assert np.isfinite(numerals.score_gaps(["5 ___ 7"], [6, 100])).all()


@pytest.mark.usefixtures("few_are_enough")
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_gap_model_is_resumed(error, tmp_path, monkeypatch):
    whole = nl.train(ordered(400), **SETTINGS)

    def interrupt(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(gap_training, "train_gap_model", interrupt)
        with pytest.raises(error):
            nl.train(ordered(400), tmp_path / "model", **SETTINGS)
    assert [path.name for path in tmp_path.iterdir()] == ["model.checkpoint"]
    model = nl.train(ordered(400), tmp_path / "model", resume=True, **SETTINGS)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert model.word_input.tobytes() == whole.word_input.tobytes()
    for name, array in arrays_in(whole).items():
        assert arrays_in(model)[name].tobytes() == array.tobytes(), name


@pytest.mark.usefixtures("few_are_enough")
def test_progress_tells_of_the_gap_model_and_can_interrupt_it(tmp_path):
    told = []

    def progress(now):
        told.append((now.tokens / now.total_tokens, now.gap_model))
        if now.gap_model == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nl.train(ordered(400), tmp_path / "model", progress=progress, **SETTINGS)
    fractions = [fraction for _, fraction in told if fraction is not None]
    assert len(fractions) > 2
    assert fractions == sorted(fractions)
    assert all(tokens == 1 for tokens, fraction in told if fraction is not None)
    assert (tmp_path / "model.checkpoint").is_dir()


@pytest.mark.usefixtures("few_are_enough")
def test_an_interrupt_goes_on_if_no_checkpoint_can_be_written(tmp_path, monkeypatch):
    def full(*_):
        raise OutputError("no space left")

    monkeypatch.setattr("numberline.training.checkpoint.write_checkpoint", full)

    def interrupt(now):
        if now.gap_model is not None:
            raise KeyboardInterrupt

    with (
        pytest.warns(NumberlineWarning, match="no checkpoint of the finished training: no space"),
        pytest.raises(KeyboardInterrupt),
    ):
        nl.train(ordered(400), tmp_path / "model", progress=interrupt, **SETTINGS)


DAMAGES = {
    "lacks hidden_bias": lambda arrays: {"hidden_bias": None},
    "context in the state of the gap model has shape": lambda arrays: {
        "context": arrays["gap_model.context"][:-1]
    },
    "word_projection in the state": lambda arrays: {
        "word_projection": arrays["gap_model.word_projection"][:-1]
    },
    "word_projection in the state of the gap model has": lambda arrays: {
        "word_projection": arrays["gap_model.word_projection"][:, :-1].copy()
    },
    "number_projection in the state": lambda arrays: {
        "number_projection": np.zeros((24, 9999), np.float32)
    },
    "hidden in the state": lambda arrays: {"hidden": arrays["gap_model.hidden"].T.copy()},
    "number in the state": lambda arrays: {"number": arrays["gap_model.number"][1:]},
    "coverage in the state": lambda arrays: {"coverage": np.zeros(7)},
    "coverage in the state of the gap model is not": lambda arrays: {"coverage": np.full(41, 1.5)},
    "sharpness in the state of the gap model is 1e\\+30": lambda arrays: {
        "sharpness": np.array([1e30])
    },
    "wrongness in the state": lambda arrays: {"wrongness": np.zeros(4, np.int64)},
    "lacks sharpness": lambda arrays: {"sharpness": None},
    "holds colour, which it does not know": lambda arrays: {"colour": np.zeros(3)},
}


@pytest.mark.parametrize(("message", "damage"), DAMAGES.items())
def test_a_gap_model_that_does_not_fit_is_refused(message, damage, folder, tmp_path):
    copy = tmp_path / "copy"
    nl.load(folder).save(copy)
    arrays = {f"gap_model.{name}": one for name, one in damage(arrays_of(copy)).items()}
    replace_arrays(copy, **arrays)
    with pytest.raises(NumberlineError, match=message) as refused:
        nl.load(copy, verify=False)
    assert "\n" not in str(refused.value)
    assert "the gap model" in str(refused.value)


@pytest.mark.parametrize("name", ["hidden", "wrongness", "number_projection", "log_scale"])
def test_a_gap_model_that_is_not_finite_is_refused(name, folder, tmp_path):
    copy = tmp_path / "copy"
    nl.load(folder).save(copy)
    array = arrays_of(copy)[f"gap_model.{name}"]
    array.flat[-1] = np.nan
    replace_arrays(copy, **{f"gap_model.{name}": array})
    with pytest.raises(NumberlineError, match="its parts do not fit"):
        nl.load(copy)


def test_held_out_numerals_are_not_trained_on():
    examples = examples_of(nl.encode(ordered(1000), min_count=1))
    held_out, training = gap_training.split(examples, np.random.default_rng(1))
    assert (len(held_out), len(training)) == (50, 950)
    assert sorted([*held_out.tokens, *training.tokens]) == examples.tokens.tolist()


def test_wrong_values_are_others_than_the_right_ones():
    model = ordered_model()
    examples = examples_of(nl.encode(ordered(4000), min_count=1))
    wrong = gap_training.wrong_values(examples, model.gap_scorer, np.random.default_rng(1))
    right = model.vocabulary.numeral_values[examples.numerals]
    is_wrong = ~np.isnan(wrong)
    assert 0.3 < is_wrong.mean() < 0.5  # a slip such as "from the text" is impossible here
    assert (wrong[is_wrong] != right[is_wrong]).all()
    assert np.isfinite(wrong[is_wrong]).all()
