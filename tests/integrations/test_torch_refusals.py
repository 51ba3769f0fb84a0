"""What the torch module cannot read is refused in one clear line."""

import pytest

from numberline.errors import ConfigError, NumberlineError, TokensError

torch = pytest.importorskip("torch")
from numberline.integrations.torch import NUMERAL, UNKNOWN, NumberlineEmbedding  # noqa: E402


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ("few 7", "'few 7' .* no list of tokens; tokenize a text first"),
        (["few", None], "None .* is no token"),
        ([["few"], "many"], "'many' .* stands among lists"),
        ([["few", ["7"]]], r"\['7'\] .* is no token"),
        ([b"few"], "is no token"),
        (torch.tensor([1]), "without values"),
    ],
)
def test_what_is_no_token_is_refused(planted_model, tokens, message):
    with pytest.raises(TokensError, match=message):
        NumberlineEmbedding(planted_model)(tokens)


@pytest.mark.parametrize(
    ("ids", "values", "message"),
    [
        ([74], [0.0], "id 74 came, but this model has 74 words"),
        ([-4], [0.0], "id -4 came"),
        ([UNKNOWN], [0.0], "unknown='zero'"),
        ([NUMERAL], [float("nan")], "nan"),
        ([1, 2], [0.0], "of one shape"),
        ([1], [0], "floats"),
        ([1.0], [0.0], "int64"),
    ],
)
def test_wrong_ids_are_refused(planted_model, ids, values, message):
    with pytest.raises(NumberlineError, match=message):
        NumberlineEmbedding(planted_model)(torch.tensor(ids), torch.tensor(values))


def test_wrong_settings_are_refused(planted_model):
    with pytest.raises(KeyError, match=r"'boxes' .* unknown"):
        NumberlineEmbedding(planted_model)(["boxes"])
    for setting in ("side", "unknown", "mode"):
        with pytest.raises(ConfigError, match=f"{setting}='sum'"):
            NumberlineEmbedding(planted_model, **{setting: "sum"})
    with pytest.raises(TypeError, match=r"'folder' .* no model"):
        NumberlineEmbedding("folder")
