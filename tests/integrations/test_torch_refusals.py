"""The torch module refuses what it cannot read, in one clear line."""

from dataclasses import replace

import numpy as np
import pytest

from numberline.errors import ConfigError, InputError, NumberlineError, TokensError
from tests.numerals.waves import Waves, WaveVectors

torch = pytest.importorskip("torch")
from numberline.integrations.torch import UNKNOWN, NumberlineEmbedding  # noqa: E402


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ("few 7", "'few 7' .* not a list of tokens; tokenize a text first"),
        (["few", None], "None .* is not a token"),
        ([["few"], "many"], "'many' .* is among lists"),
        ([["few", ["7"]]], r"\['7'\] .* is not a token"),
        ([b"few"], "is not a token"),
        (["small box holds 7 pens", "few"], "'small box holds 7 pens' .* is a text, not a token"),
        ([["few"], ["a box of 7"]], r"'a box of 7' .* \[\[token.text for token in"),
        (torch.tensor([1]), "without numerals"),
    ],
)
def test_other_things_than_tokens_are_refused(planted_model, tokens, message):
    with pytest.raises(TokensError, match=message):
        NumberlineEmbedding(planted_model)(tokens)


@pytest.mark.parametrize("unknown", ["zero", "mean"])
def test_raw_sentences_are_no_unknown_words(planted_model, unknown):
    embedding = NumberlineEmbedding(planted_model, unknown=unknown)
    with pytest.raises(TokensError, match="is a text, not a token"):
        embedding(["small box", "big hall"])
    assert embedding(["boxes", "2,000"]).shape == (2, planted_model.dim)


@pytest.mark.parametrize(
    ("ids", "numerals", "message"),
    [
        ([75], [[0.0, 0]], "id 75 came with 1 numerals, but this model has 74 words"),
        ([-3], [[0.0, 0]], "id -3 came"),
        ([UNKNOWN], [[0.0, 0]], "unknown='zero'"),
        ([74], [[float("nan"), 0]], "nan"),
        ([1, 2], [0.0], "rows of two floats"),
        ([1], [[0, 0]], "floats"),
        ([1.0], [[0.0, 0]], "int64"),
    ],
)
def test_wrong_ids_are_refused(planted_model, ids, numerals, message):
    with pytest.raises(NumberlineError, match=message):
        NumberlineEmbedding(planted_model)(torch.tensor(ids), torch.tensor(numerals))


def test_wrong_settings_are_refused(planted_model):
    with pytest.raises(KeyError, match=r"'boxes' .* unknown"):
        NumberlineEmbedding(planted_model)(["boxes"])
    for setting in ("side", "unknown", "mode"):
        with pytest.raises(ConfigError, match=f"{setting}='sum'"):
            NumberlineEmbedding(planted_model, **{setting: "sum"})
    with pytest.raises(InputError, match="a model or the path of its folder is needed, not 5"):
        NumberlineEmbedding(5)


def test_numerals_without_prototypes_are_composed_but_not_trained(planted_model):
    waves = WaveVectors(Waves(), np.arange(planted_model.dim, dtype=np.float32))
    model = replace(planted_model, numerals=waves)
    tokens = [["few", "7.25"], ["190"]]
    for side in ("input", "output"):
        embedding = NumberlineEmbedding(model, side=side)
        rows = embedding(tokens)
        assert rows[0].numpy() == pytest.approx(model.vectors(tokens[0], side), abs=1e-6)
        assert embedding.to_model().numerals is waves
    with pytest.raises(InputError, match=r"numerals of encoder waves have no .* freeze=True"):
        NumberlineEmbedding(model, freeze=False)
