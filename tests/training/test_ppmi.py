"""PPMI: the matrix, its singular vectors, and the exact solution for composed vectors."""

import numpy as np
import pytest

import numberline as nl
from numberline.cooccurrence.counting import counted
from numberline.cooccurrence.definition import units_by_distance
from numberline.errors import ConfigError, TrainingError
from numberline.kernels import require_native
from numberline.numerals.registry import BUILT_IN
from numberline.numerals.rows import rows_of_table
from numberline.objectives import OBJECTIVES, Ppmi, objective_of
from numberline.settings import Settings, saved_settings
from numberline.training import svd
from numberline.training.composed_side import composed_side, numeral_importance
from numberline.training.ppmi import ComposedMatrix, factorised
from numberline.training.ppmi_matrix import PairMatrix, defined_matrix
from numberline.training.state import TrainingState
from numberline.training.svd import largest_singular, rows_of
from numberline.training.tables import tables_of
from tests.training.small_corpora import FixedRows, planted, random_corpus
from tests.training.test_training import cosine

native = require_native()
SETTINGS = {"dim": 16, "min_count": 1, "gap_model": False}
VARIANTS = [
    Ppmi(),
    Ppmi(smoothing=0.75, shift=2),
    Ppmi(matrix="counts"),
    Ppmi(smoothing=0.5, input_power=0),
]


@pytest.fixture(params=native.instruction_sets())
def instruction_set(request):
    before = native.instruction_set()
    native.use_instruction_set(request.param)
    yield request.param
    native.use_instruction_set(before)


def pairs_of(corpus, threads=1):
    return counted(corpus, units_by_distance("ramp", 4), threads)


def dense(pairs):
    table = np.zeros((len(pairs), len(pairs)))
    rows = np.repeat(np.arange(len(pairs)), np.diff(pairs.offsets))
    table[rows, pairs.columns] = pairs.counts
    return table


@pytest.mark.parametrize("settings", VARIANTS, ids=str)
@pytest.mark.parametrize("dim", [1, 16, 150])
@pytest.mark.usefixtures("instruction_set")
def test_native_products_equal_the_definition(settings, dim):
    pairs, random = pairs_of(random_corpus(dim)), np.random.default_rng(dim)
    table = random.normal(size=(len(pairs), dim)).astype(np.float32)
    defined = defined_matrix(dense(pairs), settings)
    matrix = PairMatrix(pairs, settings, 2)
    assert matrix.times(table) == pytest.approx(defined @ table, rel=1e-3, abs=1e-3)
    transposed = matrix.times(table, is_transposed=True)
    assert transposed == pytest.approx(defined.T @ table, rel=1e-3, abs=1e-3)


def test_the_matrix_is_positive_mutual_information():
    """Two words that always meet, among others that meet by chance."""
    corpus = nl.encode(["new york"] * 8 + ["old town"] * 8 + ["new town"] * 8 + ["5"], min_count=1)
    information = defined_matrix(dense(pairs_of(corpus)), Ppmi(smoothing=1))
    new, york, old = (corpus.vocabulary.word_ids[word] for word in ("new", "york", "old"))
    assert information[york, new] == pytest.approx(np.log((8 / 48) / (8 / 48 * 16 / 48)))
    assert information[york, old] == 0
    assert information == pytest.approx(information.T)
    shifted = defined_matrix(dense(pairs_of(corpus)), Ppmi(smoothing=1, shift=2))
    assert shifted[york, new] == pytest.approx(np.log(3 / 2))


class DenseMatrix:
    def __init__(self, table):
        self.table, self.shape = table.astype(np.float32), table.shape

    def times(self, table):
        return self.table @ table

    def transposed_times(self, table):
        return self.table.T @ table


@pytest.mark.parametrize(("rows", "columns", "rank"), [(300, 200, 200), (40, 90, 7), (5, 3, 3)])
def test_singular_values_are_those_of_numpy(rows, columns, rank):
    random = np.random.default_rng(rows)
    table = random.normal(size=(rows, rank)) * 0.9 ** np.arange(rank)
    table = table @ random.normal(size=(rank, columns))
    with rows_of(2) as products:
        u, values, v = largest_singular(DenseMatrix(table), 8, random, products)
    expected = np.append(np.linalg.svd(table)[1], np.zeros(8))[:8]
    kept = min(rank, 8)
    assert values == pytest.approx(expected, rel=2e-3, abs=1e-3)
    for vectors in (u, v):
        assert vectors[:, :kept].T @ vectors[:, :kept] == pytest.approx(np.eye(kept), abs=1e-4)
        assert not vectors[:, kept:].any()
    assert u.T @ table @ v == pytest.approx(np.diag(values), abs=1e-3 * values[0])


def test_singular_vectors_are_as_good_as_those_of_scikit_learn():
    """Of the part of a slowly falling spectrum that can be captured, at least as much is."""
    extmath = pytest.importorskip("sklearn.utils.extmath")
    random = np.random.default_rng(1)
    table = random.normal(size=(400, 400)) * np.arange(1, 401) ** -0.4
    with rows_of(1) as products:
        _, values, _ = largest_singular(DenseMatrix(table), 40, random, products)
    theirs = extmath.randomized_svd(table, 40, n_iter=4, random_state=1)[1]
    assert (values**2).sum() >= (theirs**2).sum()


def random_rows(numerals, prototypes, random):
    """Rows of weights, also negative ones; one prototype is not used, another is used alone."""
    table = random.normal(size=(numerals, prototypes)) * (
        random.random((numerals, prototypes)) < 0.5
    )
    table[:, 1] = 0
    table[:, 4] += 0.3
    table[0], table[1:, 0] = 0, 0
    table[0, 0] = 1.5
    return rows_of_table(table)


@pytest.mark.parametrize("seed", range(5))
def test_the_basis_of_a_side_is_orthonormal_and_spans_its_rows(seed):
    random = np.random.default_rng(seed)
    weights, counts = random_rows(12, 5, random), random.integers(1, 50, 12).astype(float)
    side = composed_side(3, weights, counts)
    root = np.sqrt(np.append(np.ones(3), numeral_importance(weights, counts)))
    basis = side.expanded(np.eye(side.size, dtype=np.float32)) / root[:, None]
    assert basis.T @ basis == pytest.approx(np.eye(side.size), abs=1e-4)
    rows = root[3:, None] * weights.dense()
    assert basis[3:] @ (basis[3:].T @ rows) == pytest.approx(rows, abs=1e-3)
    table = random.normal(size=(15, 4)).astype(np.float32)
    gathered = side.gathered(table)
    assert gathered == pytest.approx((root[:, None] * basis).T @ table, abs=1e-3)


def test_a_prototype_weighs_as_much_as_a_word():
    weights = rows_of_table(np.array([[1, 0], [0.5, 0.5], [0, 1], [0, 1]]))
    importance = numeral_importance(weights, np.array([2.0, 4, 1, 5]))
    assert importance.sum() == pytest.approx(2)
    assert importance[3] == pytest.approx(5 * importance[2])


def problem(seed, dim=6):
    """Return pairs of a corpus, its vocabulary, and a state with random rows of weights."""
    corpus, random = random_corpus(seed), np.random.default_rng(seed)
    words, numerals = len(corpus.vocabulary.words), len(corpus.vocabulary.numerals)
    rows = random_rows(numerals, 5, random)
    tables = [np.zeros((count, dim), np.float32) for count in (words, 5)]
    state = TrainingState(tables_of((tables[0],) * 2, (tables[1],) * 2), FixedRows(rows))
    return pairs_of(corpus), corpus.vocabulary, state, rows


def weighted_loss(tables, rows, information, root):
    """Return the squared error of composed vectors, each row and column times its `root`."""
    inputs, outputs = (
        np.concatenate([words, rows.dense() @ prototypes]).astype(np.float64)
        for words, prototypes in (
            (tables.word_input, tables.prototype_input),
            (tables.word_output, tables.prototype_output),
        )
    )
    return float(((root[:, None] * (information - inputs @ outputs.T) * root) ** 2).sum())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("settings", VARIANTS, ids=str)
def test_no_change_of_composed_vectors_makes_the_error_smaller(settings, seed):
    pairs, vocabulary, state, rows = problem(seed)
    tables = factorised(pairs, vocabulary, state, settings, 1, 1)
    information = defined_matrix(dense(pairs), settings)
    root = np.sqrt(
        np.append(
            np.ones(len(vocabulary.words)), numeral_importance(rows, vocabulary.numerals.counts)
        )
    )
    best = weighted_loss(tables, rows, information, root)
    # The error that is left is the part outside the composed rows, and the small singular values.
    dense_rows = np.zeros((len(information), len(vocabulary.words) + rows.size))
    words = len(vocabulary.words)
    dense_rows[:words, :words], dense_rows[words:, words:] = np.eye(words), rows.dense()
    u, s, _ = np.linalg.svd(root[:, None] * dense_rows, full_matrices=False)
    basis = u[:, s > 1e-6]
    target = root[:, None] * information * root
    values = np.linalg.svd(basis.T @ target @ basis)[1]
    outside = (target**2).sum() - (values**2).sum()
    assert best == pytest.approx(outside + (values[6:] ** 2).sum(), rel=1e-2)
    random = np.random.default_rng(seed)
    for _ in range(20):
        changed = [
            table + random.normal(0, 0.01, table.shape)
            for table in (tables.padded_input, tables.padded_output)
        ]
        other = type(tables)(tables.words, tables.dim, *changed)
        assert weighted_loss(other, rows, information, root) > 0.999 * best


def test_the_same_bytes_with_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(svd, "CHUNK_ROWS", 7)
    expected = None
    for threads in (1, 2, 5):
        model = nl.train(planted(400), objective="ppmi", threads=threads, **SETTINGS)
        arrays = [model.word_input, model.word_output, *model.numerals.state().values()]
        found = [array.tobytes() for array in arrays]
        assert expected in (None, found)
        expected = found
    other = nl.train(planted(400), objective="ppmi", seed=2, **SETTINGS)
    assert other.word_input.tobytes() != expected[0]


@pytest.mark.parametrize("encoder", ["line", "gmm", "som", "fourier"])
def test_unseen_numerals_are_near_the_words_of_similar_numerals(encoder):
    model = nl.train(planted(), encoder=encoder, objective="ppmi", **SETTINGS | {"dim": 4})
    for number in ("7", "7.5", "13.25"):
        assert cosine(model, number, "few") > cosine(model, number, "many") + 0.3
    for number in ("4,321", "2500.5", "8999"):
        assert cosine(model, number, "many") > cosine(model, number, "few") + 0.3


@pytest.mark.parametrize("name", [name for name in BUILT_IN if name != "fixed"])
@pytest.mark.parametrize("objective", VARIANTS, ids=str)
def test_every_encoder_that_learns_is_solved(name, objective):
    model = nl.train(planted(300), encoder=name, objective=objective, **SETTINGS)
    assert np.isfinite(model.vectors(["few", "7", 1e300, "-5"])).all()
    assert np.isfinite(model.vectors(["few", "7"], "output")).all()


def test_products_are_what_is_factorised():
    """x · o of words approximates their mutual information, with any power."""
    corpus = nl.encode(planted(400), min_count=1)
    information = defined_matrix(dense(counted(corpus, units_by_distance("ramp", 5), 1)), Ppmi())
    for power in (0, 0.5, 1):
        model = nl.train(corpus, objective=Ppmi(input_power=power), dim=400, gap_model=False)
        words = len(model)
        products = model.word_input @ model.word_output.T
        error = products - information[:words, :words]
        assert np.abs(error).max() < 0.01 * information.max()


def test_a_model_comes_back_from_its_folder(tmp_path):
    model = nl.train(planted(300), tmp_path / "model", objective=Ppmi(shift=3), **SETTINGS)
    again = nl.load(tmp_path / "model")
    assert again.settings.objective == Ppmi(shift=3)
    assert again.word_input.tobytes() == model.word_input.tobytes()
    assert again.training["pairs"] > 0


def test_a_gap_model_is_trained_on_the_vectors():
    model = nl.train(planted(4000), objective="ppmi", dim=16, min_count=1)
    assert model.gap_model is not None
    ranked = model.predict("big hall seats ___ people", ["7", "5,000"])
    assert ranked[0].value == 5000


@pytest.mark.parametrize("notation", [*OBJECTIVES, "ppmi:shift=5,matrix=counts", "glove:epochs=3"])
def test_objectives_come_back_from_text_and_json(notation):
    objective = objective_of(notation)
    assert objective_of(str(objective)) == objective
    settings = Settings(objective=notation)
    assert Settings(**saved_settings(settings)) == settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"objective": "hal"},
            "objective='hal', but it must be one of skipgram, cbow, glove, ppmi",
        ),
        ({"objective": "ppmi:beta=2"}, "ppmi alone or with weighting=…"),
        ({"objective": "ppmi:shift=no"}, "shift='no'"),
        ({"objective": 5}, "an objective, or the name of one"),
        ({"objective": {"name": "ppmi", "beta": 2}}, "without beta"),
        ({"objective": "ppmi", "epochs": 5}, "epochs=5, .*ppmi does not use it"),
        ({"objective": "glove", "epochs": 5}, "set as objective='glove:epochs=5'"),
        ({"objective": "ppmi", "negatives": 5}, "negatives=5, .*does not use it"),
        ({"objective": "ppmi", "device": "cuda"}, "'auto' or 'cpu': objective ppmi"),
        ({"pairs": "folder"}, "pairs='folder', .*skipgram counts no pairs"),
    ],
)
def test_what_an_objective_cannot_do_is_refused_before_the_work(settings, message):
    with pytest.raises(ConfigError, match=message):
        nl.train("no such file", **settings)


def test_vectors_that_do_not_learn_are_refused():
    with pytest.raises(TrainingError, match="ppmi cannot use encoder fixed"):
        nl.train(planted(100), objective="ppmi", encoder="fixed", **SETTINGS)


def test_composed_matrix_has_a_row_for_each_word_and_used_prototype():
    pairs, vocabulary, _, rows = problem(1)
    counts = vocabulary.numerals.counts.astype(np.float64)
    side = composed_side(len(vocabulary.words), rows, counts)
    matrix = ComposedMatrix(PairMatrix(pairs, Ppmi(), 1), side, side)
    assert matrix.shape == (len(vocabulary.words) + 4,) * 2
