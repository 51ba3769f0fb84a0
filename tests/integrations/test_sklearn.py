"""scikit-learn transformers: their results, and scikit-learn's own checks."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.compose import ColumnTransformer  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.linear_model import LogisticRegression, Ridge  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402

import numberline as nl  # noqa: E402
from numberline.errors import ConfigError, NumberlineError, StoreError  # noqa: E402
from numberline.integrations.sklearn import (  # noqa: E402
    NumberChecker,
    NumberlineVectorizer,
    NumeralEncoder,
)
from numberline.numerals.base import Encoder  # noqa: E402
from numberline.numerals.registry import register  # noqa: E402
from tests.small_models import model_without_numerals, small_model  # noqa: E402


@pytest.fixture(scope="module")
def model():
    return small_model()


def checks_that_do_not_apply(estimator):
    if estimator.model is None:
        return {}
    reason = "its hash of a model and of a deep copy differ: only the model's rows are padded"
    return {"check_estimators_overwrite_params": reason}


@pytest.mark.parametrize(
    "settings",
    [{}, {"encoder": "som:prototypes=3"}, {"encoder": nl.Gmm()}, {"model": small_model()}],
)
def test_scikit_learn_accepts_columns(settings):
    estimator = NumeralEncoder(**settings)
    excused = checks_that_do_not_apply(estimator)
    checked = estimator_checks.check_estimator(
        estimator, expected_failed_checks=excused, on_fail=None, on_skip=None
    )
    failed = {one["check_name"]: one["exception"] for one in checked if one["status"] == "failed"}
    assert failed == {}
    assert sum(one["status"] == "passed" for one in checked) > 40


@pytest.mark.parametrize(
    "check",
    # scikit-learn checks estimators of texts only where no data is needed.
    """estimator_cloneable estimator_tags_renamed valid_tag_types estimator_repr
    no_attributes_set_in_init do_not_raise_errors_in_init_or_set_params mixin_order
    parameters_default_constructible get_params_invariance set_params""".split(),
)
def test_scikit_learn_accepts_texts(model, check):
    vectorizer = NumberlineVectorizer(model)
    getattr(estimator_checks, f"check_{check}")("NumberlineVectorizer", vectorizer)


def test_mean_of_known_tokens(model):
    rows = NumberlineVectorizer(model).fit_transform(["Few pens, few unheard", "4,321", "", "?"])
    expected = (2 * model["few"] + model["pens"]) / 3
    assert np.allclose(rows[0], expected, atol=1e-6)
    assert (rows[1] == model[4321]).all()
    assert not rows[2:].any()
    assert rows.dtype == np.float32


def test_idf_counts_texts(model):
    texts = ["few pens 7", "few few people", "few 7.0"]
    vectorizer = NumberlineVectorizer(model, weighting="idf").fit(texts)
    few, seven, unseen = 1, np.log(4 / 3) + 1, np.log(4) + 1
    row = vectorizer.transform(["few 7 many many"])[0]
    total = few * model["few"] + seven * model["7"] + 2 * unseen * model["many"]
    assert np.allclose(row, total / (few + seven + 2 * unseen), atol=1e-6)


def test_normalized(model):
    rows = NumberlineVectorizer(model, normalize=True).fit_transform(["few pens", ""])
    assert np.allclose(np.linalg.norm(rows, axis=1), [1, 0], atol=1e-6)


@pytest.mark.parametrize("as_column", [list, tuple, iter, np.array])
def test_texts_in_many_forms(model, as_column):
    texts = ["few pens", "many people"]
    vectorizer = NumberlineVectorizer(model).fit(texts)
    assert (vectorizer.transform(as_column(texts)) == vectorizer.transform(texts)).all()


def test_model_without_numerals():
    model = model_without_numerals()
    rows = NumberlineVectorizer(model).fit_transform(["a cat 7", "7"])
    assert np.allclose(rows[0], (model["a"] + model["cat"]) / 2)
    assert not rows[1].any()
    with pytest.raises(NumberlineError, match="has learnt no numerals"):
        NumeralEncoder(model).fit([[1.0]])


def test_vectors_of_columns(model):
    table = np.array([[1, 4321], [np.nan, 7], [3, np.nan]])
    rows = NumeralEncoder(model).fit_transform(table)
    assert (rows[0] == np.concatenate([model[1], model[4321]])).all()
    assert (rows[1] == np.concatenate([np.zeros(12), model[7]])).all()
    assert (rows[2] == np.concatenate([model[3], np.zeros(12)])).all()


def test_weights_over_prototypes():
    random = np.random.default_rng(1)
    table = np.stack([random.choice([2, 1000], 300), random.normal(170, 9, 300).round(1)], axis=1)
    table = table * random.uniform(0.99, 1.01, table.shape)
    encoder = NumeralEncoder(encoder="gmm:prototypes=2").fit(table)
    rows = encoder.transform([[2, 170], [1000, 170], [5e5, np.nan]])
    assert rows.shape == (3, 4)
    assert np.allclose(rows[:2].sum(axis=1), 2, atol=1e-5)
    assert rows[:, :2] == pytest.approx(np.array([[1, 0], [0, 1], [0, 1]]), abs=1e-3)
    assert not rows[2, 2:].any()
    assert encoder.encoders_[0].labels == pytest.approx([2, 1000], rel=0.02)


def test_a_step_that_no_line_can_draw():
    """The answer is 1 between 30 and 300: not linear in the number, but in the weights."""
    values = np.geomspace(1, 10_000, 400)[:, None]
    answer = ((values > 30) & (values < 300)).ravel()
    plain = LogisticRegression().fit(np.log(values), answer).score(np.log(values), answer)
    aware = make_pipeline(NumeralEncoder(encoder=nl.Line(16)), LogisticRegression(C=100))
    assert aware.fit(values, answer).score(values, answer) > 0.95 > 0.8 > plain


def test_with_other_columns(model):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(
        {
            "said": ["few pens 3", "many people 4000", "few pens 7", "many people 7,000"],
            "height": [3, 4000, np.nan, 7000],
            "width": [1.5, 2, 2.5, 3],
        }
    )
    columns = ColumnTransformer(
        [
            ("text", NumberlineVectorizer(model), "said"),
            ("numbers", NumeralEncoder(model), ["height", "width"]),
        ]
    ).set_output(transform="pandas")
    rows = columns.fit_transform(table)
    assert rows.shape == (4, 36)
    assert list(rows.columns[[0, 11, 12, 24]]) == [
        "text__numberline0",
        "text__numberline11",
        "numbers__height_0",
        "numbers__width_0",
    ]
    fitted = make_pipeline(columns, Ridge(1e-3)).fit(table, [0, 1, 0, 1])
    assert np.allclose(fitted.predict(table), [0, 1, 0, 1], atol=0.1)


def test_names_of_columns(model):
    encoder = NumeralEncoder(encoder=nl.Line(2)).fit([[1.0, 2], [3, 5], [9, 4]])
    assert list(encoder.get_feature_names_out()) == ["x0_0", "x0_1", "x1_0", "x1_1"]
    assert list(encoder.get_feature_names_out(["a", "b"])) == ["a_0", "a_1", "b_0", "b_1"]
    with pytest.raises(NumberlineError, match="fit saw the columns"):
        encoder.get_feature_names_out(["a"])


@pytest.mark.parametrize("kind", [NumberlineVectorizer, NumeralEncoder])
def test_clones_share_only_the_model(model, kind):
    transformer = kind(model).set_output(transform="default")
    copy = clone(transformer)
    assert copy is not transformer
    assert copy.model is transformer.model is model
    assert copy.get_params().keys() == transformer.get_params().keys()
    assert copy._sklearn_output_config == transformer._sklearn_output_config
    assert not hasattr(clone(NumeralEncoder(model).fit([[1.0]])), "model_")


def test_pickled_and_from_a_folder(model, tmp_path):
    model.save(tmp_path / "model")
    texts, numbers = ["few pens 5", "many"], [[5.0], [4000]]
    for source in (model, tmp_path / "model", str(tmp_path / "model")):
        vectorizer = NumberlineVectorizer(source, weighting="idf").fit(texts)
        encoder = NumeralEncoder(source).fit(numbers)
        for fitted, data in ((vectorizer, texts), (encoder, numbers)):
            again = pickle.loads(pickle.dumps(fitted))
            assert (again.transform(data) == fitted.transform(data)).all()


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("few pens", "a list of texts is needed, not one text"),
        ([], "list of texts is empty"),
        (["few", None], r"text 1 is None \(NoneType\), but a string is needed"),
        (np.array([["few"], ["many"]]), r"not a table of shape \(2, 1\)"),
        (7, "a list of texts is needed, not 7"),
    ],
)
def test_other_things_than_texts_are_refused(model, texts, message):
    for work in (NumberlineVectorizer(model).fit, NumberlineVectorizer(model).fit(["a"]).transform):
        with pytest.raises(NumberlineError, match=message):
            work(texts)


def test_wrong_parameters(model, tmp_path):
    with pytest.raises(StoreError, match="holds no model"):
        NumberlineVectorizer(tmp_path / "none").fit(["a"])
    with pytest.raises(NumberlineError, match=r"path of its folder is needed, not None"):
        NumberlineVectorizer(None).fit(["a"])
    with pytest.raises(ConfigError, match="weighting='tfidf', but it must be one of mean, idf"):
        NumberlineVectorizer(model, weighting="tfidf").fit(["a"])
    with pytest.raises(ConfigError, match="encoder='gmm', but it must be left out: the model"):
        NumeralEncoder(model, encoder="gmm").fit([[1.0]])
    with pytest.raises(ConfigError, match="encoder='nothing'"):
        NumeralEncoder(encoder="nothing").fit([[1.0]])
    with pytest.raises(
        NumberlineError,
        match=r"line:prototypes=3 .* column 0 holds 1 dist",
    ):
        NumeralEncoder(encoder="line:prototypes=3").fit([[1.0]])
    with pytest.raises(NumberlineError, match="column 1 holds no number"):
        NumeralEncoder().fit([[1.0, np.nan], [2, np.nan]])
    with pytest.raises(NotFittedError):
        NumberlineVectorizer(model).transform(["a"])


@pytest.mark.usefixtures("registered")
def test_an_encoder_without_weights_is_refused():
    @register
    @dataclass(frozen=True)
    class WithoutWeights(Encoder):
        name = "without_weights"

        def fit(self, values, counts, rng):
            raise AssertionError

    for encoder in ("without_weights", WithoutWeights()):
        with pytest.raises(ConfigError, match="it must be an encoder with weights"):
            NumeralEncoder(encoder=encoder).fit([[1.0]])


def test_an_encoder_is_a_parameter():
    transformer = NumeralEncoder(encoder=nl.Gmm(5))
    assert transformer.get_params()["encoder"] == nl.Gmm(5)
    assert clone(transformer).encoder == nl.Gmm(5)
    assert transformer.set_params(encoder="line:prototypes=7").encoder == "line:prototypes=7"


def test_number_checks_are_those_of_the_model(planted_model):
    texts = ["small box holds 5000 pens and small box holds 7", "no number", "unheard 7", "7"]
    checker = NumberChecker(planted_model).fit(texts)
    rows = checker.transform(iter(texts))
    odd, fitting = planted_model.check(texts[0])
    assert odd.is_odd
    assert not fitting.is_odd
    assert rows[:, :2].tolist() == [[2, 1], [0, 0], [1, 0], [1, 0]]
    # Products of matrices round differently if other texts are checked at the same time.
    assert rows[:, 2] == pytest.approx([odd.probability_wrong, 0, 0, 0], rel=1e-5)
    with pytest.raises(NumberlineError, match="has learnt no numerals"):
        NumberChecker(model_without_numerals()).fit(texts)
    assert checker.get_feature_names_out().tolist() == ["numbers", "odd_numbers", "most_wrong"]
    assert (clone(checker).fit(texts).transform(texts) == rows).all()
