"""Text vectors that tell numbers apart: the documented mix, and what is refused."""

import csv
from pathlib import Path

import numpy as np
import pytest

import numberline as nl
from numberline.errors import ConfigError, NumberlineError
from numberline.integrations.companion import NumberAwareEncoder, magnitude_vectors
from tests.small_models import model_without_numerals, small_model

TRIPLES = Path(__file__).parents[2] / "benchmarks/companion_triples.tsv"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def letters(texts):
    """Encode texts as counts of letters: blind to digits, as sentence encoders nearly are."""
    return np.array([[text.lower().count(letter) for letter in LETTERS] for text in texts], float)


def cosines(rows):
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows @ rows.T / (lengths * lengths.T)


@pytest.fixture(scope="module")
def model():
    return small_model()


@pytest.fixture(scope="module")
def encoder(model):
    return NumberAwareEncoder(letters, model)


def test_the_changed_number_is_further(encoder):
    lease, rent, changed = encoder.encode(["lease at 4,000", "rental for 4100", "lease at 12"])
    alone = cosines(letters(["lease at 4,000", "rental for 4100", "lease at 12"]))
    assert alone[0, 2] == pytest.approx(1)
    assert alone[0, 1] < alone[0, 2]
    assert lease @ rent > lease @ changed


@pytest.mark.parametrize("weight", [0, 0.3, 0.9, 1])
@pytest.mark.parametrize("magnitude", [0, 0.5, 1])
def test_the_cosine_is_the_documented_mix(model, weight, magnitude):
    encoder = NumberAwareEncoder(letters, model, weight=weight, magnitude=magnitude)
    texts = ["box of 7", "hall with 4,000 seats for 90", "a box"]
    rows = encoder.encode(texts)
    said, numerals = (
        cosines(letters(texts))[0],
        encoder.numerals(texts) @ encoder.numerals(texts)[0],
    )
    assert rows[0] @ rows[0] == pytest.approx(1, abs=1e-5)
    mixed = (1 - weight) * said[1] + weight * numerals[1]
    assert rows[0] @ rows[1] == pytest.approx(mixed, abs=1e-5)
    assert rows[0] @ rows[2] == pytest.approx(np.sqrt(1 - weight) * said[2], abs=1e-5)


def test_without_numerals_the_encoder_decides(model):
    texts = ["a box", "big halls", "few pens"]
    rows = NumberAwareEncoder(letters, model, weight=0.6).encode(texts)
    assert np.allclose(rows @ rows.T, cosines(letters(texts)), atol=1e-5)
    assert not NumberAwareEncoder(letters, model).numerals(texts).any()


def test_a_text_without_numerals_lies_between(encoder):
    same, near, none, far = encoder.encode(["box 7", "box 7.1", "box", "box 4000"])
    assert same @ near > same @ none > same @ far


def test_all_numerals_of_a_text_count_in_any_order(encoder):
    rows = encoder.numerals(["7 or 4,000", "4000.0 vs 7", "7"])
    assert np.allclose(rows[0], rows[1], atol=1e-6)
    assert 0.3 < rows[0] @ rows[2] < 0.9


def test_numerals_are_read_as_in_training():
    model = nl.train(
        ["it costs 3 million", "it costs 2000 more"] * 40,
        magnitudes=True,
        min_count=1,
        dim=4,
        epochs=1,
        threads=1,
    )
    rows = NumberAwareEncoder(letters, model).numerals(["3 million", "3,000,000", "3"])
    assert rows[0] @ rows[1] == pytest.approx(1, abs=1e-5)
    assert rows[0] @ rows[2] < 0.9


@pytest.mark.parametrize(
    ("ratio", "cosine"), [(1, 1), (1.1, 0.93), (1.5, 0.26), (2, 0.03), (10, 0), (1000, 0)]
)
@pytest.mark.parametrize("value", [1, 37.5, -4, 1e9])
def test_magnitudes_compare_by_ratio(value, ratio, cosine):
    first, second = magnitude_vectors(np.array([value, value * ratio]))
    assert first @ second == pytest.approx(cosine, abs=0.03)


def test_magnitudes_never_meet_again():
    values = np.exp(np.linspace(np.log(2), np.log(1e7), 5000))
    assert np.abs(magnitude_vectors(values) @ magnitude_vectors(np.array([1.0]))[0]).max() < 0.14


def test_numerals_that_are_all_alike_add_no_noise():
    settings = {"encoder": nl.NumeralTokens(min_count=1000)}  # all share the vector of the rest
    texts = [f"{value} pens" for value in range(50)]
    model = nl.train(texts, dim=4, epochs=1, threads=1, min_count=1, **settings)
    rows = NumberAwareEncoder(letters, model, magnitude=0).numerals(["7", "4000"])
    assert not rows.any()


def test_sparse_rows_are_taken(model):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    texts = ["box of 7", "hall"]
    sparse = NumberAwareEncoder(lambda texts: scipy_sparse.csr_array(letters(texts)), model)
    assert (sparse(texts) == NumberAwareEncoder(letters, model)(texts)).all()


def test_from_a_folder(model, encoder, tmp_path):
    model.save(tmp_path / "model")
    again = NumberAwareEncoder(letters, tmp_path / "model")
    assert (again.encode(["box of 7"]) == encoder.encode(["box of 7"])).all()


@pytest.mark.parametrize(
    ("encode_fn", "message"),
    [
        (lambda texts: np.zeros(4), r"shape \(4,\) for 2 texts; it must return one row for each"),
        (lambda texts: np.zeros((3, 4)), r"shape \(3, 4\) for 2 texts"),
        (lambda texts: [["a"]] * 2, "not rows of numbers"),
        (lambda texts: [[1, 2], [3]], "not rows of numbers"),
        (lambda texts: np.full((2, 4), np.nan), "not finite"),
    ],
)
def test_encoders_that_do_not_return_rows_are_refused(model, encode_fn, message):
    with pytest.raises(NumberlineError, match=message):
        NumberAwareEncoder(encode_fn, model).encode(["a", "b"])


@pytest.mark.parametrize("texts", ["box of 7", [], ["a", 7], 7])
def test_other_things_than_texts_are_refused(encoder, texts):
    with pytest.raises(NumberlineError, match="text"):
        encoder.encode(texts)


def test_wrong_arguments(model):
    with pytest.raises(NumberlineError, match="encode_fn must be a function of texts, not 'all"):
        NumberAwareEncoder("all-MiniLM", model)
    with pytest.raises(NumberlineError, match="has learnt no numerals"):
        NumberAwareEncoder(letters, model_without_numerals())
    for weight in (-0.1, 1.1, "half", True, float("nan")):
        with pytest.raises(ConfigError, match=r"weight=.* must be a number 0 or more, at most 1"):
            NumberAwareEncoder(letters, model, weight=weight)


def test_triples_are_what_they_say():
    with TRIPLES.open(encoding="utf-8") as lines:
        triples = list(csv.DictReader(lines, delimiter="\t"))
    assert len(triples) == 140
    for triple in triples:
        anchor, paraphrase, changed = (
            sorted(t.value for t in nl.tokenize(triple[name]) if t.value is not None)
            for name in ("anchor", "paraphrase", "changed")
        )
        assert np.allclose(anchor, paraphrase, rtol=0.1), triple
        assert len(anchor) == len(changed), triple
        assert not np.allclose(anchor, changed, rtol=0.06), triple
