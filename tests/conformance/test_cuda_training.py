"""What CUDA kernels plan and train must equal the definitions. One warp does all in their order."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from numberline.numerals.multiscale import MultiscaleEncoder

import numberline as nl
from numberline.config import ENCODERS, EncoderConfig, TrainingConfig
from numberline.numerals.registry import fit_encoder, register
from numberline.numerals.rows import DenseWeights
from numberline.training.cuda import trainer as cuda_trainer
from numberline.training.cuda.kernels import KernelShape, cuda_kernels
from numberline.training.cuda.trainer import CudaTrainer
from numberline.training.numerals import BlockNumerals
from numberline.training.plan import Sampling, plan_windows
from numberline.training.random import epoch_key
from numberline.training.reference import Tables, train_windows
from numberline.training.schedule import Schedule
from numberline.training.tables import WordTables, padded
from tests.training.small_corpora import random_corpus

pytestmark = pytest.mark.usefixtures("cuda_device")


def started(corpus, config, encoder_name, seed):
    """Random tables and an encoder with random bases; output rows are not zero."""
    random = np.random.default_rng(seed)
    vocabulary = corpus.vocabulary
    settings = EncoderConfig(encoder=encoder_name)
    counts = vocabulary.numeral_counts.astype(float)
    encoder = fit_encoder(settings, vocabulary.numeral_values, counts, random)
    encoder.start(config.dim, random)
    for basis in getattr(encoder, "bases", {}).values():
        basis[...] = random.normal(0, 0.4, basis.shape)
    rows = [random.normal(0, 0.4, (len(vocabulary.words), config.dim)) for _ in range(2)]
    return encoder, rows


def trained_by_definition(corpus, config, encoder, rows, seed):
    """Block by block, in double precision."""
    vocabulary = corpus.vocabulary
    word_input, word_output = (table.copy() for table in rows)
    encoder = encoder.in_double()
    numerals = BlockNumerals(encoder, vocabulary, config)
    schedule = Schedule(corpus, config, seed, numerals.most_per_block)
    sampling = Sampling.of(vocabulary, len(corpus.ids), numerals.groups, config)
    for number in range(schedule.blocks):
        block = schedule[number]
        ends = corpus.sentence_offsets[block.first_sentence + 1 : block.last_sentence + 1]
        key = epoch_key(seed, block.epoch)
        plan = plan_windows(corpus.ids, ends, block.first_token, block.last_token, sampling, key)
        values = [
            vocabulary.numeral_values[used] for used in (plan.input_numerals, plan.output_numerals)
        ]
        composed = [
            encoder.compose(some, side) if len(some) else np.zeros((0, config.dim))
            for some, side in zip(values, ("input", "output"), strict=True)
        ]
        tables = Tables(word_input, word_output, *(part.copy() for part in composed))
        train_windows(plan, tables, schedule.learning_rate(block), config.objective)
        after = tables.numeral_input, tables.numeral_output
        for some, before, now, side in zip(
            values, composed, after, ("input", "output"), strict=True
        ):
            if len(some):
                encoder.absorb(some, now - before, side)
    return word_input, word_output, encoder


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("encoder_name", ENCODERS)
def test_encoders(encoder_name, objective):
    if encoder_name == "lstm":
        pytest.importorskip("torch")
    assert_trained_as_defined(encoder_name, objective=objective, dim=37)


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("dim", [1, 6, 130])
def test_dimensions(objective, dim):
    assert_trained_as_defined("piecewise", objective=objective, dim=dim)


@pytest.mark.parametrize(("window", "negatives"), [(1, 1), (2, 9), (9, 3), (14, 20)])
def test_windows_and_negatives(window, negatives):
    assert_trained_as_defined("gmm", dim=24, window=window, negatives=negatives)


@pytest.mark.parametrize("numeral_negatives", [1, 4])
def test_numerals_among_the_negatives_of_numerals(numeral_negatives):
    assert_trained_as_defined("piecewise", dim=8, negatives=4, numeral_negatives=numeral_negatives)


@pytest.mark.parametrize("objective", ["skipgram", "cbow"])
@pytest.mark.parametrize("words", [1, 3])
def test_rows_met_again_and_again(objective, words):
    assert_trained_as_defined(
        "som", corpus=random_corpus(6, words=words, numerals=2), objective=objective, dim=20
    )


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_small_blocks_and_several_epochs(monkeypatch, seed, shuffle):
    """Sentences longer than a block are cut; the rate falls from block to block."""
    monkeypatch.setattr(cuda_trainer, "ROUNDS", 1_000_000)  # each block is a round
    monkeypatch.setattr(cuda_trainer, "STRETCH_TOKENS", 130)
    blocks = {"block_tokens": 19, "epochs": 3, "shuffle": shuffle}
    assert_trained_as_defined("piecewise", seed=seed, dim=16, learning_rate=0.1, **blocks)


@register
class SidesOfTwoKinds(MultiscaleEncoder):
    """As somebody may write one: sparse inputs, by columns of another type, and dense outputs."""

    name = "sides-of-two-kinds"

    def weights(self, values):
        return with_wide_columns(super().weights(values))

    def output_weights(self, values):
        return DenseWeights(super().output_weights(values).dense())


def with_wide_columns(weights):
    return replace(weights, columns=weights.columns.astype(np.int64))


def test_an_encoder_whose_sides_are_of_two_kinds():
    assert SidesOfTwoKinds.has_own_outputs
    assert_trained_as_defined("sides-of-two-kinds", seed=2, dim=12)


@register
class WideColumns(MultiscaleEncoder):
    name = "wide-columns"

    def weights(self, values):
        return with_wide_columns(super().weights(values))

    def output_weights(self, values):
        return with_wide_columns(super().output_weights(values))


def test_an_encoder_with_columns_of_another_type():
    encoder = fit_encoder(EncoderConfig("wide-columns"), np.arange(9.0), np.ones(9), None)
    for weights in encoder.prepare_sides([7.0]).values():
        assert weights.columns.dtype == np.int64
    assert_trained_as_defined("wide-columns", seed=3, dim=12)


@pytest.mark.parametrize("segments", [1, 3, 8])
def test_rounds_of_segments(segments):
    """Each draw is in one round, and all its numerals are among those of that round."""
    corpus = random_corpus(11, sentences=120)
    config = TrainingConfig(dim=4, sample=0.05, block_tokens=40)
    encoder, rows = started(corpus, config, "gmm", 1)
    tables = WordTables(config.dim, *(padded(table) for table in rows))
    trainer = CudaTrainer(corpus, encoder, tables, config, 1, warps=1)
    blocks = trainer.schedule.blocks_per_epoch
    starts, _ = trainer.rounds_of(0, blocks, segments)
    plan = trainer._planner.plan(trainer.schedule.ranges(0, blocks), starts, 5, segments)
    bounds, member_bounds = plan.draw_bounds.get(), plan.member_bounds.get()
    assert plan.rounds > 10
    draws = len(plan.first_centre) - 1
    trained = []
    for number in range(plan.rounds):
        bounds_of_sides = itertools.pairwise(member_bounds[2 * number : 2 * number + 3])
        members = [set(plan.members[first:end].tolist()) for first, end in bounds_of_sides]
        for segment in range(segments):
            first, last = segment * draws // segments, (segment + 1) * draws // segments
            part = [first + (last - first) * int(b) // draws for b in bounds[number : number + 2]]
            for draw in range(*part):
                trained.append(draw)
                for needed, there in zip(numerals_of(plan, draw), members, strict=True):
                    assert needed <= there
    assert sorted(trained) == list(range(draws))


def numerals_of(plan, draw):
    """Groups of all numerals that a draw needs input rows of, and output rows."""
    centres = range(*plan.first_centre[draw : draw + 2].tolist())
    contexts = [
        plan.rows[plan.first_context[centre] : plan.last_context[centre]] for centre in centres
    ]
    outputs = [plan.rows[centres.start : centres.stop], plan.negative_rows[draw]]
    sides = (np.concatenate(contexts), np.concatenate(outputs))
    return [{-1 - row for row in rows.tolist() if row < 0} for rows in sides]


def test_rounds_hold_as_many_numerals_wherever_these_are(monkeypatch):
    """Numerals in the second half of the text only: each warp has some of them all the time."""
    monkeypatch.setattr(cuda_trainer, "ROUNDS", 1)
    words = [f"word{chr(97 + at % 26)} word{chr(97 + at % 7)} and so on" for at in range(400)]
    numbers = [f"word{chr(97 + at % 26)} {at % 50} and {at % 30}" for at in range(400)]
    corpus = nl.encode(words + numbers, min_count=1)
    config = TrainingConfig(dim=4, sample=0, epochs=1, block_tokens=40)
    encoder, rows = started(corpus, config, "gmm", 1)
    tables = WordTables(config.dim, *(padded(table) for table in rows))
    trainer = CudaTrainer(corpus, encoder, tables, config, 1, warps=1)
    trainer._most_numerals = 80.0
    blocks, segments = trainer.schedule.blocks_per_epoch, 10
    starts, rates = trainer.rounds_of(0, blocks, segments)
    plan = trainer._planner.plan(trainer.schedule.ranges(0, blocks), starts, 5, segments)
    bounds, draws = plan.draw_bounds.get().astype(int), len(plan.first_centre) - 1
    held = np.zeros(plan.rounds)
    for segment in range(segments):
        first, last = segment * draws // segments, (segment + 1) * draws // segments
        ends = first + (last - first) * bounds // draws
        for number, (begin, end) in enumerate(itertools.pairwise(ends)):
            held[number] += (plan.rows[slice(*plan.first_centre[[begin, end]])] < 0).sum()
    assert held.sum() == 800
    loads = held * rates / config.learning_rate / trainer._most_numerals
    assert loads.max() < 1.4
    assert plan.rounds >= 5


@pytest.mark.parametrize("encoder_name", ["gmm", "som", "multiscale", "lstm"])
def test_several_warps_learn_about_the_same(encoder_name):
    corpus = random_corpus(4, sentences=150)
    config = TrainingConfig(dim=8, epochs=1, sample=0.05, block_tokens=100, learning_rate=0.01)
    encoder, rows = started(corpus, config, encoder_name, 1)
    expected = trained_by_definition(corpus, config, encoder, rows, 1)
    tables = WordTables(config.dim, *(padded(table) for table in rows))
    trainer = CudaTrainer(corpus, encoder, tables, config, 1, warps=4)
    assert trainer.run()
    for found, aim, before in zip(
        (trainer.tables.input, trainer.tables.output), expected, rows, strict=False
    ):
        moved, wanted = found - before, aim - before
        cosine = (moved * wanted).sum() / np.linalg.norm(moved) / np.linalg.norm(wanted)
        assert cosine > 0.9
        assert 0.7 < np.linalg.norm(moved) / np.linalg.norm(wanted) < 1.1


@pytest.mark.parametrize(("asked", "blocks", "warps"), [(0, 1, 1), (3, 1, 3), (9, 2, 8)])
def test_a_grid_has_no_more_warps_than_asked_for(asked, blocks, warps):
    grid = cuda_kernels(KernelShape(8, window=2, negatives=2, is_cbow=False)).grid_of(asked)
    assert (grid.blocks, grid.warps) == (blocks, warps)


@pytest.mark.parametrize("warps", [2, 5])
def test_warps_share_out_all_draws(monkeypatch, warps):
    """In one round of small steps, what draws change adds up: none is left out or done twice."""
    monkeypatch.setattr(cuda_trainer, "ROUNDS", 1)
    corpus = random_corpus(9, sentences=90)
    config = TrainingConfig(dim=8, epochs=1, sample=0.05, learning_rate=1e-4)
    moved = []
    for count in (1, warps):
        encoder, rows = started(corpus, config, "gmm", 1)
        tables = WordTables(config.dim, *(padded(table) for table in rows))
        trainer = CudaTrainer(corpus, encoder, tables, config, 1, warps=count)
        assert trainer.run()
        assert trainer.work.rounds == 1
        moved.append([trainer.tables.input - rows[0], trainer.tables.output - rows[1]])
    for alone, together in zip(*moved, strict=True):
        assert np.linalg.norm(alone - together) < 2e-3 * np.linalg.norm(alone)


def assert_trained_as_defined(encoder_name, corpus=None, seed=1, **settings):
    corpus = corpus or random_corpus(seed + 40)
    settings = {"sample": 0.05, "epochs": 1, "learning_rate": 0.05, "block_tokens": 200} | settings
    config = TrainingConfig(**settings)
    encoder, rows = started(corpus, config, encoder_name, seed)
    expected = trained_by_definition(corpus, config, encoder, rows, seed)
    tables = WordTables(config.dim, *(padded(table) for table in rows))
    trainer = CudaTrainer(corpus, encoder, tables, config, seed, warps=1)
    assert trainer.run()
    found = trainer.tables
    assert found.input == pytest.approx(expected[0], rel=2e-3, abs=2e-4)
    assert found.output == pytest.approx(expected[1], rel=2e-3, abs=2e-4)
    state, expected_state = trainer.encoder.state(), expected[2].state()
    for name, array in state.items():
        assert array == pytest.approx(expected_state[name], rel=2e-3, abs=3e-4), name
