"""A spaCy pipeline with a model knows unseen numerals, also after it was saved or pickled."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

from numberline.errors import InputError, NumberlineError, StoreError

spacy = pytest.importorskip("spacy")
from spacy.training import Example  # noqa: E402

TEXT = "small box holds 17.5 pens , unheard"


@pytest.fixture
def nlp(planted_model):
    nlp = spacy.blank("en")
    nlp.add_pipe("numberline").use(planted_model)
    return nlp


def expected_rows(model, doc):
    return model.vectors([token.text for token in doc], unknown="zero")


def test_tokens_have_the_models_vectors(nlp, planted_model):
    doc = nlp(TEXT)
    assert (np.array([token.vector for token in doc]) == expected_rows(planted_model, doc)).all()
    assert [token.has_vector for token in doc] == [*[True] * 5, False, False]
    assert [token.is_oov for token in doc] == [*[False] * 5, True, True]
    assert doc.has_vector
    assert not nlp("unheard").has_vector
    assert (nlp.vocab["17.5"].vector == planted_model["17.5"]).all()


def test_docs_and_spans_are_means(nlp, planted_model):
    doc = nlp(TEXT)
    rows = expected_rows(planted_model, doc)
    assert doc.vector == pytest.approx(rows.mean(axis=0), abs=1e-6)
    assert doc[2:4].vector == pytest.approx(rows[2:4].mean(axis=0), abs=1e-6)


def test_similarity_knows_unseen_numerals(nlp, planted_model):
    few, many, numeral = nlp("few"), nlp("many"), nlp("it holds 17.5")
    assert numeral[2].similarity(few[0]) == pytest.approx(
        planted_model.similarity("17.5", "few"), abs=1e-5
    )
    for part in (numeral[2], numeral[2:], nlp("17.5")):
        assert part.similarity(few) > part.similarity(many)
    assert nlp("4,321.5").similarity(many) > nlp("4,321.5").similarity(few)


def test_a_batch_of_keys(nlp, planted_model):
    doc = nlp(TEXT)
    rows = nlp.vocab.vectors.get_batch(doc.to_array("ORTH"))
    assert (rows == expected_rows(planted_model, doc)).all()


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("$3.50", ["$", 3.5]),
        ("10km", [10, "km"]),
        ("50%", [50, "%"]),
        ("1,250.5", [1250.5]),
        ("-5", [-5]),
        ("½", [0.5]),
        ("2018-07-04", [2018, "-", 7, "-", 4]),
        ("3 1/2", [3, 0.5]),
        ("5'8\"", ["5'8", '"']),
        ("20th", ["20th"]),
        ("12:30", ["12:30"]),
        ("1914–1918", ["1914–1918"]),
    ],
)
def test_numerals_are_those_that_spacy_cuts_out(nlp, planted_model, text, read):
    for token, expected in zip(nlp(text), read, strict=True):
        if isinstance(expected, str):
            assert token.text == expected
            assert (token.vector == planted_model.vector(expected, unknown="zero")).all()
        else:
            assert (token.vector == planted_model[expected]).all()


def test_a_pipeline_is_made_from_a_folder(planted_folder, planted_model):
    nlp = spacy.blank("en")
    nlp.add_pipe("numberline", config={"path": str(planted_folder)})
    assert (nlp("17.5")[0].vector == planted_model["17.5"]).all()
    assert nlp.meta["vectors"]["width"] == 12


def test_a_saved_pipeline_brings_its_model(planted_model, tmp_path):
    planted_model.save(tmp_path / "model")
    nlp = spacy.blank("en")
    nlp.add_pipe("numberline", config={"path": str(tmp_path / "model")})
    nlp.to_disk(tmp_path / "pipeline")
    (tmp_path / "model").rename(tmp_path / "away")
    again = spacy.load(tmp_path / "pipeline")
    assert (again(TEXT).vector == nlp(TEXT).vector).all()
    again.to_disk(tmp_path / "pipeline")
    assert (spacy.load(tmp_path / "pipeline")(TEXT).vector == nlp(TEXT).vector).all()


def test_a_new_process_finds_the_component(nlp, planted_model, tmp_path):
    nlp.to_disk(tmp_path / "pipeline")
    code = "import spacy, sys; print(*spacy.load(sys.argv[1])('17.5')[0].vector)"
    result = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "pipeline"],
        capture_output=True,
        text=True,
        check=True,
    )
    printed = np.array(result.stdout.split(), np.float32)
    assert printed == pytest.approx(planted_model["17.5"], rel=1e-5)


def test_bytes_hold_the_model(nlp):
    again = spacy.blank("en")
    again.add_pipe("numberline")
    again.from_bytes(nlp.to_bytes())
    assert (again(TEXT).vector == nlp(TEXT).vector).all()
    vectors = again.vocab.vectors.model.word_input
    assert not isinstance(vectors, np.memmap) or vectors.filename is None


def test_an_unpickled_vocabulary_reads_new_numerals(nlp):
    vocabulary = pickle.loads(pickle.dumps(nlp.vocab))
    assert (vocabulary["6,543.25"].vector == nlp.vocab["6,543.25"].vector).all()
    assert (pickle.loads(pickle.dumps(nlp))(TEXT).vector == nlp(TEXT).vector).all()


# From Python 3.12 on, a fork of a process with threads warns; spaCy forks.
@pytest.mark.filterwarnings("ignore:This process .* multi-threaded:DeprecationWarning")
def test_several_processes(nlp, planted_model):
    for doc in nlp.pipe([TEXT] * 4, n_process=2, batch_size=2):
        assert (
            np.array([token.vector for token in doc]) == expected_rows(planted_model, doc)
        ).all()


def test_a_trained_component_can_use_the_vectors(nlp):
    """Numbers of small boxes and of big halls are told apart by unseen numerals alone."""
    nlp.add_pipe(
        "textcat",
        config={
            "model": {
                "@architectures": "spacy.TextCatReduce.v1",
                "tok2vec": {
                    "@architectures": "spacy.Tok2Vec.v2",
                    "embed": {
                        "@architectures": "spacy.MultiHashEmbed.v2",
                        "width": 8,
                        "attrs": ["SHAPE"],
                        "rows": [1],
                        "include_static_vectors": True,
                    },
                    "encode": {
                        "@architectures": "spacy.MaxoutWindowEncoder.v2",
                        "width": 8,
                        "depth": 1,
                        "window_size": 1,
                        "maxout_pieces": 2,
                    },
                },
                "exclusive_classes": True,
                "use_reduce_first": False,
                "use_reduce_last": False,
                "use_reduce_max": False,
                "use_reduce_mean": True,
                "nO": None,
            }
        },
    )
    numbers = {"box": range(1, 20, 2), "hall": range(2001, 9000, 700)}
    examples = [
        Example.from_dict(nlp.make_doc(str(n)), {"cats": {k: k == kind for k in numbers}})
        for kind, values in numbers.items()
        for n in values
    ]
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(20):
        nlp.update(examples, sgd=optimizer)
    for text, kind in (("6.5", "box"), ("14", "box"), ("3,456.5", "hall"), ("7777", "hall")):
        assert nlp(text).cats[kind] > 0.5


def test_misuse_is_an_error_that_says_what_to_do(nlp, planted_model, tmp_path):
    with pytest.raises(NumberlineError, match="cannot be set"):
        nlp.vocab.set_vector("17.5", np.zeros(12))
    with pytest.raises(InputError, match="a model or the path of its folder is needed, not None"):
        nlp.get_pipe("numberline").use(None)
    with pytest.raises(StoreError, match="no model 'folder'"):
        nlp.get_pipe("numberline").use("folder")
    without = spacy.blank("en")
    without.add_pipe("numberline")
    with pytest.raises(NumberlineError, match="no model yet"):
        without("17.5")
    missing = spacy.blank("en")
    missing.add_pipe("numberline", config={"path": str(tmp_path / "nothing")})
    with pytest.raises(StoreError, match="nothing' holds no model"):
        missing("17.5")
    with pytest.raises(StoreError, match="holds no model"):
        spacy.blank("en").add_pipe("numberline", config={"path": str(tmp_path)})
