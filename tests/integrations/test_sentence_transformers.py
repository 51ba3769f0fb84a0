"""The module in pipelines of sentence-transformers: vectors, saving, training; and model2vec."""

import numpy as np
import pytest

import numberline as nl
from numberline.errors import InputError
from numberline.model.text_vectors import text_vectors
from tests.small_models import model_without_numerals

sentence_transformers = pytest.importorskip("sentence_transformers")
torch = pytest.importorskip("torch")
from numberline.integrations.sentence_transformers import Numberline  # noqa: E402

SentenceTransformer = sentence_transformers.SentenceTransformer
TEXTS = ["small box holds 7 pens", "", "zzz few", "big hall seats 5,000 people", "7.77", "zzz"]


def pipeline(model, **settings):
    return SentenceTransformer(modules=[Numberline(model, **settings)], device="cpu")


@pytest.mark.parametrize("batch_size", [1, 2, 32])
def test_vectors_are_those_of_texts(planted_model, batch_size):
    rows = pipeline(planted_model).encode(TEXTS, batch_size=batch_size)
    assert rows.dtype == np.float32
    assert rows == pytest.approx(text_vectors(planted_model, TEXTS), abs=1e-6)


def test_a_single_string_is_one_vector(planted_model):
    encoder = pipeline(planted_model)
    assert encoder.encode(TEXTS[0]) == pytest.approx(text_vectors(planted_model, TEXTS)[0])
    assert not encoder.encode("").any()
    assert encoder.encode(["", ""]).shape == (2, planted_model.dim)
    assert encoder.get_embedding_dimension() == planted_model.dim
    prompted = encoder.encode("box", prompt="small ")
    assert prompted == pytest.approx(text_vectors(planted_model, ["small box"])[0])


def test_models_without_numerals_are_modules_too():
    model = model_without_numerals()
    assert pipeline(model).encode(["a cat 5"]) == pytest.approx(text_vectors(model, ["a cat 5"]))


@pytest.mark.parametrize("freeze", [True, False])
def test_a_saved_pipeline_is_the_same(planted_model, tmp_path, freeze):
    encoder = pipeline(planted_model, freeze=freeze)
    encoder.save(str(tmp_path / "encoder"))
    encoder.save(str(tmp_path / "encoder"))  # replaces it
    loaded = SentenceTransformer(str(tmp_path / "encoder"), trust_remote_code=True, device="cpu")
    assert (loaded.encode(TEXTS) == encoder.encode(TEXTS)).all()
    assert loaded[0].freeze is freeze
    model = nl.load(tmp_path / "encoder" / "numberline")
    assert (model["7.77"] == planted_model["7.77"]).all()


def test_tokens_may_be_pooled_otherwise(planted_model):
    modules = pytest.importorskip("sentence_transformers.sentence_transformer.modules")
    pooling = modules.Pooling(planted_model.dim, "max")
    encoder = SentenceTransformer(modules=[Numberline(planted_model), pooling], device="cpu")
    expected = planted_model.vectors(["small", "7"]).max(axis=0)
    assert encoder.encode(["small 7", "small box 7"])[0] == pytest.approx(expected, abs=1e-6)


def test_training_changes_words_and_prototypes_unless_they_are_frozen(planted_model, tmp_path):
    losses = pytest.importorskip("sentence_transformers.sentence_transformer.losses")
    encoder = pipeline(planted_model, freeze=False)
    pairs = [["few", "7.77"], ["many", "5,000"]]
    before = encoder.similarity(*encoder.encode(["few", "7.77"])).item()
    loss = losses.CosineSimilarityLoss(encoder)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
    for _ in range(5):
        features = [encoder.preprocess(list(column)) for column in zip(*pairs, strict=True)]
        optimizer.zero_grad()
        loss(features, torch.tensor([-1.0, 1.0])).backward()
        optimizer.step()
    after = encoder.similarity(*encoder.encode(["few", "7.77"])).item()
    assert after < before - 0.01
    encoder.save(str(tmp_path / "tuned"))
    tuned = nl.load(tmp_path / "tuned" / "numberline")
    assert tuned.similarity("few", "7.77") == pytest.approx(after, abs=1e-5)
    assert tuned.similarity("few", "7.78") < planted_model.similarity("few", "7.78")
    assert not any(one.requires_grad for one in pipeline(planted_model).parameters())


def test_pairs_and_other_things_than_texts_are_refused(planted_model):
    module = Numberline(planted_model)
    with pytest.raises(InputError, match=r"text 0 is \('few', 'many'\)"):
        module.preprocess([("few", "many")])
    with pytest.raises(InputError, match="not one text"):
        module.preprocess("few")


# ---- model2vec ----


@pytest.fixture
def exported(planted_model, tmp_path):
    planted_model.export(tmp_path / "exported", "model2vec", numerals=["7", "5,000"])
    return str(tmp_path / "exported")


def test_model2vec_reads_words_and_chosen_numerals(planted_model, exported):
    static = pytest.importorskip("model2vec").StaticModel.from_pretrained(exported)
    texts = ["Small box, holds 7 pens!", "hall: 5,000 people", "zzz unheard few", "few"]
    expected = text_vectors(planted_model, texts)
    rows = static.encode(texts)
    cosines = (rows * expected).sum(axis=1) / np.linalg.norm(rows, axis=1)
    assert cosines / np.linalg.norm(expected, axis=1) == pytest.approx(1)
    assert (static.encode(["few 7.77"]) == static.encode(["few"])).all()  # 7.77 is not in it
    assert not static.encode(["7.77"]).any()


def test_sentence_transformers_reads_the_same_folder(planted_model, exported):
    encoder = SentenceTransformer(exported, device="cpu")
    row, expected = encoder.encode("small box 7"), text_vectors(planted_model, ["small box 7"])[0]
    cosine = row @ expected / np.linalg.norm(row) / np.linalg.norm(expected)
    assert cosine == pytest.approx(1)


def test_its_tokens_are_nearly_ours(exported):
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_file(f"{exported}/tokenizer.json")
    text = "Don’t see-through mp3 covid-19 1,250.5 5'8\" 10km Größe rock'n'roll 20th x_1, $7!"
    normalized = tokenizer.normalizer.normalize_str(text)
    pieces = [piece for piece, _ in tokenizer.pre_tokenizer.pre_tokenize_str(normalized)]
    words = [piece for piece in pieces if piece not in ",!-"]
    assert words == [token.text for token in nl.tokenize(text)]
