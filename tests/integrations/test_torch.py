"""The torch module returns the model's vectors, and gradients reach its parameters."""

import copy
import pickle

import numpy as np
import pytest

import numberline as nl
from numberline.errors import TokensError
from numberline.numerals.registry import BUILT_IN
from tests.training.small_corpora import planted

torch = pytest.importorskip("torch")
from numberline.integrations.torch import (  # noqa: E402
    PADDING,
    UNKNOWN,
    NumberlineEmbedding,
)

SENTENCES = [["few", "7", "boxes"], [], ["4,321.5", "Many", "-1e300", 4321.5, "7.0"]]
KNOWN = [["few", "7"], ["4,321.5", "many", "190"]]


@pytest.fixture(scope="module", params=BUILT_IN)
def any_model(request):
    settings = {"dim": 6, "epochs": 1, "threads": 1, "min_count": 1, "encoder": request.param}
    return nl.train(planted(200), **settings)


@pytest.mark.parametrize("side", ["input", "output"])
def test_rows_are_the_models(any_model, side):
    embedding = NumberlineEmbedding(any_model, side=side)
    tokens = ["few", "7", "4,321.5", "-1e300", 0.5, "Many"]
    rows = embedding(tokens)
    assert rows.numpy() == pytest.approx(any_model.vectors(tokens, side), abs=1e-6)
    assert not rows.requires_grad


@pytest.mark.parametrize("unknown", ["zero", "mean"])
def test_token_lists_are_padded_with_zeros(planted_model, unknown):
    rows = NumberlineEmbedding(planted_model, unknown=unknown)(SENTENCES).numpy()
    assert rows.shape == (3, 5, 12)
    for sentence, got in zip(SENTENCES, rows, strict=True):
        expected = planted_model.vectors(sentence, unknown=unknown)
        assert got[: len(sentence)] == pytest.approx(expected, abs=1e-6)
        assert (got[len(sentence) :] == 0).all()


def test_ids_and_numerals_can_be_kept(planted_model):
    embedding = NumberlineEmbedding(planted_model, unknown="zero")
    ids, rows = embedding.read(SENTENCES)
    words = len(planted_model)
    assert ids[0].tolist() == [planted_model.words.index("few"), words, UNKNOWN, *[PADDING] * 2]
    numerals = ids[2][ids[2] >= words] - words
    assert rows[numerals].tolist() == [[4321.5, -1], [-1e300, -1], [4321.5, -1], [7, -1]]
    assert (embedding(ids[1:], rows) == embedding(SENTENCES)[1:]).all()
    batch = embedding.collate(SENTENCES)
    assert batch.mask.sum(dim=1).tolist() == [3, 0, 5]
    assert (embedding(batch) == embedding(SENTENCES)).all()


def test_tokens_of_texts_are_read_like_strings(planted_model):
    embedding = NumberlineEmbedding(planted_model, unknown="zero")
    texts = ["few 7 boxes", "4,321.5 Many"]
    scanned = embedding([nl.tokenize(text) for text in texts])
    assert (scanned == embedding([text.split() for text in texts])).all()


def test_mean_leaves_padding_out(planted_model):
    embedding = NumberlineEmbedding(planted_model, unknown="zero", mode="mean")
    means = embedding(SENTENCES).numpy()
    for sentence, mean in zip(SENTENCES, means, strict=True):
        rows = planted_model.vectors(sentence, unknown="zero")
        assert mean == pytest.approx(rows.mean(axis=0) if sentence else np.zeros(12), abs=1e-6)
    assert embedding(["few", "7"]).shape == (12,)


def test_gradients_are_weights_times_changes(any_model):
    embedding = NumberlineEmbedding(any_model, freeze=False)
    values = [7.0, 190.5, 4321.0]
    changes = np.random.default_rng(1).normal(size=(4, 6)).astype(np.float32)
    (embedding([*values, "few"]) * torch.from_numpy(changes)).sum().backward()
    expected_words = np.zeros_like(any_model.word_input)
    expected_words[any_model.words.index("few")] = changes[3]
    assert (embedding.words.grad.numpy() == expected_words).all()
    fitted, table = any_model.numerals.fitted, embedding.numerals.table
    if fitted.is_frozen:
        assert table.grad is None
        return
    expected = any_model.numerals.weights(values).dense().T @ changes[:3]
    assert np.abs(expected).max() > 0
    assert table.grad.numpy() == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("mode", ["rows", "mean"])
def test_gradients_are_right(any_model, mode):
    embedding = NumberlineEmbedding(any_model, freeze=False, unknown="mean", mode=mode).double()
    batch = embedding.collate([["few", "7", "boxes", "few"], ["4,321.5", "7"], []])
    trained = {name: p for name, p in embedding.named_parameters() if p.requires_grad}

    def rows(*parameters):
        chosen = dict(zip(trained, parameters, strict=True))
        return torch.func.functional_call(embedding, chosen, (batch,))

    assert torch.autograd.gradcheck(rows, tuple(trained.values()))


def test_freeze_decides_what_is_trained(planted_model):
    assert not any(p.requires_grad for p in NumberlineEmbedding(planted_model).parameters())
    embedding = NumberlineEmbedding(planted_model, freeze=False, unknown="mean")
    trained = {name for name, p in embedding.named_parameters() if p.requires_grad}
    assert trained == {"words", "unknown_row", "numerals.table"}


def fine_tuned(model, **settings):
    """Train a module to move two tokens towards ones."""
    embedding = NumberlineEmbedding(model, freeze=False, **settings)
    optimizer = torch.optim.SGD(embedding.parameters(), lr=0.5)
    for _ in range(5):
        optimizer.zero_grad()
        ((embedding(["few", "7"]) - 1) ** 2).mean().backward()
        optimizer.step()
    return embedding


@pytest.mark.parametrize("side", ["input", "output"])
def test_a_fine_tuned_model_comes_back(any_model, side, tmp_path):
    before = any_model.vectors(["few", "7", "many"], side)
    embedding = fine_tuned(any_model, side=side)
    embedding.to_model().save(tmp_path / "model")
    tuned = nl.load(tmp_path / "model")
    tokens = ["few", "7", "8", "many"]
    assert tuned.vectors(tokens, side) == pytest.approx(
        embedding(tokens).detach().numpy(), abs=1e-6
    )
    other = "output" if side == "input" else "input"
    assert (tuned.vectors(tokens, other) == any_model.vectors(tokens, other)).all()
    assert (any_model.vectors(["few", "7", "many"], side) == before).all()
    moved = np.abs(tuned.vectors(["few", "7", "many"], side) - before).max(axis=1) > 1e-4
    assert moved.tolist() == [True, not any_model.numerals.fitted.is_frozen, False]


def test_fine_tuning_is_the_same_each_time(planted_model):
    first, second = (fine_tuned(planted_model).state_dict() for _ in range(2))
    assert all((first[name] == second[name]).all() for name in first)


def test_state_goes_into_a_new_module(any_model):
    tuned = fine_tuned(any_model, unknown="mean")
    fresh = NumberlineEmbedding(any_model, unknown="mean")
    tokens = ["few", "7", "boxes"]
    assert (fresh(tokens) != tuned(tokens)).any()
    fresh.load_state_dict(tuned.state_dict())
    assert (fresh(tokens) == tuned(tokens)).all()


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_dtype_and_device(any_model, dtype):
    embedding = NumberlineEmbedding(any_model, unknown="mean").to("cpu").to(dtype)
    rows = embedding(["few", "7", "boxes"])
    assert rows.dtype == dtype
    expected = any_model.vectors(["few", "7", "boxes"], unknown="mean")
    assert rows.float().numpy() == pytest.approx(expected, rel=0.02, abs=0.02)


@pytest.mark.parametrize("mode", ["rows", "mean"])
@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_a_batch_compiles_into_one_graph(any_model, mode, backend):
    embedding = NumberlineEmbedding(any_model, freeze=False, unknown="mean", mode=mode)
    compiled = torch.compile(embedding, fullgraph=True, backend=backend)
    for sentences in (SENTENCES, KNOWN, [["few"]]):
        batch = embedding.collate(sentences)
        assert torch.equal(compiled(batch), embedding(batch))
        compiled(batch).sum().backward()
    torch.compiler.reset()


def test_tokens_compile_with_a_break(any_model):
    embedding = NumberlineEmbedding(any_model)
    compiled = torch.compile(embedding, backend="eager")
    assert torch.equal(compiled(KNOWN), embedding(KNOWN))
    assert torch.equal(compiled(*embedding.read(KNOWN)), embedding(KNOWN))
    torch.compiler.reset()


def test_readers_go_to_workers_and_modules_can_be_copied(any_model):
    embedding = NumberlineEmbedding(any_model, unknown="zero")
    collate = pickle.loads(pickle.dumps(embedding.collate))
    expected = embedding(SENTENCES)
    assert torch.equal(embedding(collate(SENTENCES)), expected)
    assert torch.equal(copy.deepcopy(embedding)(SENTENCES), expected)
    assert torch.equal(pickle.loads(pickle.dumps(embedding))(SENTENCES), expected)


def test_a_data_loader_collates_in_workers(planted_model):
    embedding = NumberlineEmbedding(planted_model)
    loader = torch.utils.data.DataLoader(
        KNOWN * 2,
        batch_size=2,
        num_workers=1,
        collate_fn=embedding.collate,
        multiprocessing_context="spawn",
    )
    for batch in loader:
        assert torch.equal(embedding(batch), embedding(KNOWN))


def test_a_model_without_numerals():
    with pytest.warns(UserWarning, match="no numerals"):
        model = nl.train(["a cat", "a dog"] * 10, dim=4, min_count=1, threads=1)
    embedding = NumberlineEmbedding(model, unknown="zero")
    assert (embedding(["cat", "7"]).numpy() == model.vectors(["cat", "7"], unknown="zero")).all()
    assert (embedding.to_model()["cat"] == model["cat"]).all()
    with pytest.raises(TokensError, match="without numerals"):
        embedding(torch.tensor([len(model)]), torch.tensor([[7.0, 0]]))


def test_a_model_without_words():
    with pytest.warns(UserWarning, match="only numerals"):
        model = nl.train(["a 1 2", "a 3 4"] * 10, dim=4, min_count=1000, threads=1)
    for unknown in ("zero", "mean"):
        rows = NumberlineEmbedding(model, unknown=unknown)(["a", "3"])
        assert rows.numpy() == pytest.approx(model.vectors(["a", "3"], unknown=unknown))


def test_no_tokens_at_all(planted_model):
    embedding = NumberlineEmbedding(planted_model)
    assert embedding([]).shape == (0, 12)
    assert embedding([[], []]).shape == (2, 0, 12)
    assert (NumberlineEmbedding(planted_model, mode="mean")([[], []]) == 0).all()
