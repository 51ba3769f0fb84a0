"""The native plan and kernel must equal their definitions, on every instruction set there is."""

import numpy as np
import pytest

from numberline.config import ENCODERS, EncoderConfig, TrainingConfig
from numberline.kernels import require_native
from numberline.numerals.registry import fit_encoder
from numberline.training.negatives import (
    alias_table,
    keep_shares,
    negative_shares,
    numeral_shares,
)
from numberline.training.numerals import BlockNumerals
from numberline.training.plan import CENTRES_PER_DRAW, Sampling, plan_windows
from numberline.training.random import epoch_key
from numberline.training.reference import Tables, train_windows
from numberline.training.tables import padded
from numberline.training.trainer import ignorant_loss
from tests.training.small_corpora import random_corpus

native = require_native()


@pytest.fixture(params=native.instruction_sets())
def instruction_set(request):
    before = native.instruction_set()
    native.use_instruction_set(request.param)
    yield request.param
    native.use_instruction_set(before)


def both_samplings(corpus, window, negatives, sample, groups, numeral_negatives=0):
    vocabulary = corpus.vocabulary
    numerals = alias_table(numeral_shares(vocabulary.numeral_counts))
    table = alias_table(negative_shares(vocabulary.word_counts, vocabulary.numeral_counts))
    keep = keep_shares(vocabulary.word_counts, len(corpus.ids), sample)
    defined = Sampling(keep, table, window, negatives, groups, numerals, numeral_negatives)
    ours = native.Sampling(
        keep_share=keep,
        thresholds=table.thresholds,
        others=table.others,
        window=window,
        negatives_per_centre=negatives,
        numeral_thresholds=numerals.thresholds,
        numeral_others=numerals.others,
        numeral_negatives=numeral_negatives,
    )
    return defined, ours


def both_plans(
    corpus, seed, window=3, negatives=4, sample=0.05, tokens=None, groups=None, numeral_negatives=0
):
    if groups is None:
        groups = np.arange(len(corpus.vocabulary.numeral_values), dtype=np.int32)
    defined, ours = both_samplings(corpus, window, negatives, sample, groups, numeral_negatives)
    first, last = tokens or (0, len(corpus.ids))
    kernel = native.BlockTrainer(ours, groups)
    ends = corpus.sentence_offsets[1:]
    key = epoch_key(seed, 0)
    kernel.plan(ids=corpus.ids, sentence_ends=ends, first_token=first, last_token=last, key=key)
    return plan_windows(corpus.ids, ends, first, last, defined, key), kernel


def assert_same_plan(defined, kernel):
    arrays = kernel.plan_arrays()
    for name, array in arrays.items():
        expected = getattr(defined, name)
        assert array.ravel().tolist() == np.ravel(expected).tolist(), name


@pytest.mark.parametrize("seed", range(8))
def test_plans(seed):
    corpus = random_corpus(seed)
    assert_same_plan(*both_plans(corpus, seed))
    assert_same_plan(*both_plans(corpus, seed, window=9, negatives=1, sample=0))
    assert_same_plan(*both_plans(corpus, seed, tokens=(seed, len(corpus.ids) // 2)))
    assert_same_plan(*both_plans(corpus, seed, numeral_negatives=1 + seed % 4))


def test_numerals_among_the_negatives_of_numerals():
    defined, kernel = both_plans(random_corpus(2), 1, numeral_negatives=3)
    assert_same_plan(defined, kernel)
    plain, _ = both_plans(random_corpus(2), 1)
    with_numeral = 0
    for draw, rows in enumerate(defined.negative_rows):
        centres = slice(draw * CENTRES_PER_DRAW, (draw + 1) * CENTRES_PER_DRAW)
        is_word = [row >= 0 for row in rows]
        if min(defined.output_rows[centres]) < 0:
            with_numeral += 1
            assert not any(is_word[:3])
        else:
            assert is_word == [row >= 0 for row in plain.negative_rows[draw]]
    assert 0 < with_numeral < len(defined.negative_rows)


def test_plans_of_one_kernel_do_not_disturb_each_other():
    corpus = random_corpus(3)
    defined, kernel = both_plans(corpus, 5)
    ends = corpus.sentence_offsets[1:]
    kernel.plan(ids=corpus.ids, sentence_ends=ends, first_token=3, last_token=40, key=1)
    kernel.plan(
        ids=corpus.ids,
        sentence_ends=ends,
        first_token=0,
        last_token=len(corpus.ids),
        key=epoch_key(5, 0),
    )
    assert_same_plan(defined, kernel)


def test_numerals_of_one_group_share_a_row():
    corpus = random_corpus(4)
    groups = (np.arange(len(corpus.vocabulary.numeral_values)) // 3).astype(np.int32)
    defined, kernel = both_plans(corpus, 2, groups=groups)
    assert_same_plan(defined, kernel)
    used = groups[kernel.output_numerals]
    assert len(set(used.tolist())) == len(used)


def test_a_plan_holds_what_it_should():
    """Numerals as centre, context and negative; windows cut at sentence ends; centres as none."""
    defined, _ = both_plans(random_corpus(1), 1)
    assert min(defined.input_rows) < 0
    assert min(row for rows in defined.negative_rows for row in rows) < 0
    assert any(
        row in defined.negative_rows[centre // CENTRES_PER_DRAW]
        for centre, row in enumerate(defined.output_rows)
    )
    widths = np.subtract(defined.last_context, defined.first_context)
    assert widths.max() == 7
    assert widths.min() < 4


def random_tables(corpus, kernel, dim, random):
    words = len(corpus.vocabulary.words)
    sizes = words, words, len(kernel.input_numerals), len(kernel.output_numerals)
    return Tables(*(random.normal(0, 0.4, (size, dim)) for size in sizes))


def trained_natively(kernel, tables, rate, objective):
    names = "word_input", "word_output", "numeral_input", "numeral_output"
    rows = {name: padded(getattr(tables, name)) for name in names}
    kernel.train(**rows, learning_rate=rate, cbow=objective == "cbow", loss_phase=0)
    return rows


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("dim", [1, 5, 16, 37, 100])
@pytest.mark.parametrize("negatives", [1, 5, 9])
def test_kernel(instruction_set, objective, dim, negatives):
    corpus = random_corpus(dim + negatives)
    defined, kernel = both_plans(corpus, dim, negatives=negatives)
    tables = random_tables(corpus, kernel, dim, np.random.default_rng(dim))
    rows = trained_natively(kernel, tables, 0.05, objective)
    train_windows(defined, tables, 0.05, objective)
    for name, table in rows.items():
        assert table[:, :dim] == pytest.approx(getattr(tables, name), rel=1e-3, abs=1e-4), name
        assert not table[:, dim:].any()


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
def test_rows_met_twice_in_a_window(instruction_set, objective):
    """Three words only: contexts and negatives repeat all the time."""
    corpus = random_corpus(6, words=3, numerals=2)
    defined, kernel = both_plans(corpus, 9, window=5, sample=0)
    tables = random_tables(corpus, kernel, 10, np.random.default_rng(9))
    rows = trained_natively(kernel, tables, 0.02, objective)
    train_windows(defined, tables, 0.02, objective)
    for name, table in rows.items():
        assert table[:, :10] == pytest.approx(getattr(tables, name), rel=1e-3, abs=2e-4), name


@pytest.mark.parametrize("name", ENCODERS)
def test_a_step_with_every_encoder(instruction_set, name):
    """compose, train, absorb: natively in float32 and by definition in float64."""
    if name == "lstm":
        pytest.importorskip("torch")
    corpus = random_corpus(7)
    vocabulary = corpus.vocabulary
    random = np.random.default_rng(1)
    moved = []
    for dtype in (np.float32, np.float64):
        encoder = fit_encoder(
            EncoderConfig(encoder=name),
            vocabulary.numeral_values,
            vocabulary.numeral_counts,
            np.random.default_rng(2),
        ).start(6, np.random.default_rng(3), dtype)
        numerals = BlockNumerals(encoder, vocabulary, TrainingConfig())
        defined, kernel = both_plans(corpus, 4, groups=numerals.groups)
        inputs, outputs = (
            vocabulary.numeral_values[used]
            for used in (kernel.input_numerals, kernel.output_numerals)
        )
        random = np.random.default_rng(5)
        words = len(vocabulary.words)
        tables = Tables(
            random.normal(0, 0.3, (words, 6)),
            random.normal(0, 0.3, (words, 6)),
            encoder.compose(inputs, "input"),
            encoder.compose(outputs, "output"),
        )
        before = tables.numeral_input.copy(), tables.numeral_output.copy()
        if dtype == np.float32:
            rows = trained_natively(kernel, tables, 0.05, "skipgram")
            after = rows["numeral_input"][:, :6], rows["numeral_output"][:, :6]
        else:
            train_windows(defined, tables, 0.05, "skipgram")
            after = tables.numeral_input, tables.numeral_output
        encoder.absorb(inputs, after[0] - before[0], "input")
        encoder.absorb(outputs, after[1] - before[1], "output")
        moved.append(encoder.compose(vocabulary.numeral_values, "output"))
    assert moved[0] == pytest.approx(moved[1], rel=2e-3, abs=2e-4)


def test_loss_is_the_mean_over_pairs():
    corpus = random_corpus(8)
    _, kernel = both_plans(corpus, 1, negatives=4)
    tables = random_tables(corpus, kernel, 8, np.random.default_rng(1))
    zero = Tables(*(np.zeros_like(table) for table in vars(tables).values()))
    names = "word_input", "word_output", "numeral_input", "numeral_output"
    rows = {name: padded(getattr(zero, name)) for name in names}
    total, pairs = kernel.train(**rows, learning_rate=0.05, cbow=False, loss_phase=0)
    assert pairs > 0
    without_one = ignorant_loss(4) - np.log1p(1 / 4)  # a negative that is the centre
    assert without_one < total / pairs <= ignorant_loss(4) + 1e-6


def test_what_would_reach_beyond_an_array_is_refused():
    corpus = random_corpus(1)
    _, kernel = both_plans(corpus, 1)
    tables = {
        name: np.zeros((len(corpus.vocabulary.words), 16), np.float32)
        for name in ("word_input", "word_output", "numeral_input", "numeral_output")
    }
    settings = {"learning_rate": 0.1, "cbow": False, "loss_phase": 0}
    with pytest.raises(ValueError, match="fewer rows"):
        kernel.train(**tables | {"numeral_output": np.zeros((1, 16), np.float32)}, **settings)
    with pytest.raises(ValueError, match="padded"):
        kernel.train(**{n: np.zeros((99, 17), np.float32) for n in tables}, **settings)
    ends = corpus.sentence_offsets[1:]
    with pytest.raises(ValueError, match="beyond the vocabulary"):
        kernel.plan(ids=corpus.ids + 999, sentence_ends=ends, first_token=0, last_token=5, key=1)
    with pytest.raises(ValueError, match="beyond the corpus"):
        kernel.plan(ids=corpus.ids, sentence_ends=ends, first_token=0, last_token=10**9, key=1)
