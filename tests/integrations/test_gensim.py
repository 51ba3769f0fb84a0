"""Whatever gensim can do with words, it can do with numerals."""

import numpy as np
import pytest

import numberline as nl
from numberline.model.interchange import FORMATS, export, read_vectors
from numberline.numerals.registry import BUILT_IN
from tests.training.small_corpora import planted

gensim_models = pytest.importorskip("gensim.models")
KeyedVectors = gensim_models.KeyedVectors

from numberline.integrations.gensim import NumeralKeyedVectors, to_keyed_vectors  # noqa: E402


def cosine(first, second):
    return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))


@pytest.fixture
def keyed(planted_model):
    return to_keyed_vectors(planted_model)


def test_words_are_as_in_gensim(planted_model, keyed):
    assert isinstance(keyed, KeyedVectors)
    assert keyed.index_to_key == planted_model.words
    assert (keyed.vectors == planted_model.word_input).all()
    assert keyed.vectors.flags.writeable
    assert (
        keyed.get_vecattr("few", "count")
        == planted_model.vocabulary.word_counts[planted_model.vocabulary.word_ids["few"]]
    )
    assert (keyed[3] == keyed.vectors[3]).all()
    assert (keyed["Few"] == keyed["few"]).all()


@pytest.mark.parametrize("numeral", ["7.25", "1,250", "-3", "½", "1e300", "4321"])
def test_unseen_numerals_have_vectors(planted_model, keyed, numeral):
    assert numeral in keyed
    assert not keyed.has_index_for(numeral)
    assert (keyed[numeral] == planted_model[numeral]).all()
    assert (keyed[["few", numeral]] == planted_model.vectors(["few", numeral])).all()
    assert np.linalg.norm(keyed.get_vector(numeral, norm=True)) == pytest.approx(1)
    assert not keyed[numeral].flags.writeable


@pytest.mark.parametrize("key", ["unheard", "covid-19", 10**6, "", "7 8"])
def test_other_keys_are_unknown(keyed, key):
    assert key not in keyed
    with pytest.raises(KeyError, match="not present"):
        keyed[key]


def test_similarities(planted_model, keyed):
    few, many = planted_model["few"], planted_model["many"]
    small, large = planted_model["7.25"], planted_model["4321.5"]
    assert keyed.similarity("few", "7.25") == pytest.approx(cosine(few, small), abs=1e-5)
    assert keyed.distance("7.25", "4321.5") == pytest.approx(1 - cosine(small, large), abs=1e-5)
    assert keyed.distances("7.25", ["many", "4321.5"]) == pytest.approx(
        [1 - cosine(small, many), 1 - cosine(small, large)], abs=1e-5
    )
    assert keyed.distances(small, ("4321.5",)) == pytest.approx(
        [1 - cosine(small, large)], abs=1e-5
    )
    assert keyed.distances("7.25").shape == (len(keyed),)
    assert keyed.n_similarity(["few", "7.25"], ["many", "4321.5"]) == pytest.approx(
        cosine((few + small) / 2, (many + large) / 2), abs=1e-5
    )
    assert keyed.get_mean_vector(["few", "7.25"], pre_normalize=False) == pytest.approx(
        (few + small) / 2, abs=1e-6
    )
    assert keyed.relative_cosine_similarity("7.25", "few") > keyed.relative_cosine_similarity(
        "7.25", "many"
    )


def test_neighbours(planted_model, keyed):
    found = keyed.most_similar("7.25", topn=5)
    expected = planted_model.similar("7.25", 5)
    assert [word for word, _ in found] == [neighbour.token for neighbour in expected]
    assert [near for _, near in found] == pytest.approx([n.similarity for n in expected], abs=1e-5)
    assert keyed.similar_by_word("4321.5", topn=1)[0][0] == "many"
    assert keyed.similar_by_vector(keyed["4321.5"], topn=1)[0][0] == "many"
    assert keyed.most_similar(["7.25", ("8.5", 0.5)], ["4321.5"], topn=1)[0][0] == "few"
    assert keyed.most_similar_to_given("7.25", ["many", "9.5", "4321"]) == "9.5"
    assert keyed.doesnt_match(["7.25", "few", "9.5", "4321.5"]) == "4321.5"


@pytest.mark.filterwarnings("ignore:Call to deprecated `init_sims`:DeprecationWarning")
def test_neighbours_by_products(keyed):
    assert keyed.most_similar_cosmul(["7.25"], ["4321.5"], topn=1)[0][0] == "few"


def test_ranks(keyed):
    plain = keyed.vectors_for_all([*keyed.index_to_key, "7.25", "4321.5"])
    for first, second in [("few", "many"), ("7.25", "many"), ("few", "7.25"), ("7.25", "4321.5")]:
        among_words = set(plain.closer_than(first, second)) - {"7.25", "4321.5"}
        assert set(keyed.closer_than(first, second)) == among_words
        assert keyed.rank(first, second) == len(among_words) + 1


def test_vectors_for_all_gives_numerals_an_index(keyed):
    plain = keyed.vectors_for_all(["7.25", "few", "unheard"])
    assert type(plain) is KeyedVectors
    assert plain.index_to_key == ["7.25", "few"]
    assert (plain["7.25"] == keyed["7.25"]).all()


def test_materialised_numerals_are_found(planted_model):
    keyed = to_keyed_vectors(planted_model, numerals=["7", "9.5", "123456"])
    assert keyed.has_index_for("9.5")
    assert {"7", "9.5"} <= {key for key, _ in keyed.most_similar("8.25", topn=3)}
    seven = planted_model.vocabulary.numeral_values.tolist().index(7)
    assert keyed.get_vecattr("7", "count") == planted_model.vocabulary.numeral_counts[seven]
    assert keyed.get_vecattr("123456", "count") == 0


def test_the_output_side(planted_model):
    keyed = to_keyed_vectors(planted_model, side="output")
    for token in ("few", "7.25"):
        assert (keyed[token] == planted_model.vector(token, "output")).all()


def test_scaling_to_length_one_is_for_numerals_too(keyed):
    similarity = keyed.n_similarity(["few"], ["7.25"])
    keyed.unit_normalize_all()
    for key in ("few", "7.25"):
        assert np.linalg.norm(keyed[key]) == pytest.approx(1)
    assert keyed.n_similarity(["few"], ["7.25"]) == pytest.approx(similarity, abs=1e-5)


def test_keys_that_are_added_come_first(keyed):
    keyed.add_vectors(["7.25"], np.ones((1, 12), np.float32))
    assert (keyed["7.25"] == 1).all()
    assert keyed.has_index_for("7.25")


@pytest.mark.parametrize("encoder", BUILT_IN)
def test_saved_and_loaded(encoder, tmp_path):
    model = nl.train(
        planted(200), tmp_path / "model", encoder=encoder, dim=6, epochs=1, threads=1, min_count=1
    )
    for source in (model, nl.load(tmp_path / "model")):
        keyed = to_keyed_vectors(source)
        keyed.save(str(tmp_path / "keyed"))
        again = KeyedVectors.load(str(tmp_path / "keyed"))
        assert isinstance(again, NumeralKeyedVectors)
        for token in ("box", "7.25", "4321"):
            assert (again[token] == source[token]).all()
        assert again.most_similar("7.25") == keyed.most_similar("7.25")


def test_a_model_without_numerals():
    with pytest.warns(match="no numerals"):
        model = nl.train(["no numeral in here"] * 9, dim=4, min_count=1, epochs=1, threads=1)
    keyed = to_keyed_vectors(model)
    assert "here" in keyed
    assert "7" not in keyed


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # gensim, without a header
def test_gensim_reads_what_is_exported(planted_model, tmp_path):
    for format, arguments in {
        "word2vec": {"binary": True},
        "word2vec-text": {},
        "glove": {"no_header": True},
    }.items():
        written = export(planted_model, tmp_path / format, format, numerals=["7.25", "½"])
        for reader in (KeyedVectors, NumeralKeyedVectors):
            read = reader.load_word2vec_format(tmp_path / format, **arguments)
            assert read.index_to_key == written.words
            assert (read.vectors == written.table).all()
    assert set(FORMATS) == {"word2vec", "word2vec-text", "glove", "npy"}


@pytest.mark.parametrize("binary", [False, True])
def test_what_gensim_writes_is_read(keyed, tmp_path, binary):
    keyed.save_word2vec_format(str(tmp_path / "out"), binary=binary)
    read = read_vectors(tmp_path / "out")
    assert set(read.words) == set(keyed.index_to_key)
    assert (read.table == keyed[read.words]).all()
