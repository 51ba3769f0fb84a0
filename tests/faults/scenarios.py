"""Commands that write files, each with small inputs, what it writes, and what a user runs next."""

import hashlib
import json
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import numberline as nl
from tests.training.small_corpora import planted

SMALL = {"dim": 4, "epochs": 2, "threads": 1, "min_count": 1}
STOPPED = 3  # exit code of a training that was stopped on purpose
FLAGS = "--dim 4 --epochs 2 --threads 1 --min-count 1 --quiet".split()


@dataclass(frozen=True)
class Scenario:
    """A command and its inputs; all paths are below the current folder."""

    name: str
    prepare: Callable[[], None]
    command: list[str]
    outputs: Callable[[], dict[str, str]]  # the content of each output that exists, as a hash
    again: list[str]  # what a user runs after a failure
    patch: Callable[[], None] = lambda: None  # before the command, in its process
    with_memory: bool = False  # allocations and threads may fail, too
    keeps_results: bool = False  # the next run reads what is there instead of writing it anew
    is_slow: bool = False  # seconds for each try, so that only some calls are tried


def digest(*parts):
    total = hashlib.sha256()
    for part in parts:
        is_array = isinstance(part, np.ndarray)
        total.update(np.ascontiguousarray(part).tobytes() if is_array else repr(part).encode())
    return total.hexdigest()[:16]


# ---- What commands write, by its content ----


def model_at(path):
    if not Path(path).exists():
        return {}
    model = nl.load(path)
    numerals = [] if model.numerals is None else [model.numerals.input, model.numerals.output]
    gaps = [] if model.gap_model is None else model.gap_model.state().values()
    return {str(path): digest(model.words, model.word_input, model.word_output, *numerals, *gaps)}


def encoded_at(path):
    if not Path(path).exists():
        return {}
    corpus = nl.load_encoded(path)
    return {str(path): digest(corpus.vocabulary.words, corpus.ids, corpus.sentence_offsets)}


def tagger_at(path):
    from numberline.tagging.folder import load_tagger

    if not Path(path).exists():
        return {}
    tagger = load_tagger(path)
    state = [tensor.numpy() for tensor in tagger.network.state_dict().values()]
    return {str(path): digest(tagger.labels, tagger.model.word_input, *state)}


def evaluation_at(path):
    from numberline.evaluation import Evaluation

    if not Path(path).exists():
        return {}
    return {str(path): digest(sorted(Evaluation.load(path).tables.items()))}


def files_at(*patterns):
    return {
        str(path): digest(path.read_bytes())
        for pattern in patterns
        for path in sorted(Path().glob(pattern))
        if path.is_file()
    }


# ---- Inputs ----


def write_corpus():
    Path("corpus.txt").write_text("\n".join(planted(60)) + "\n", encoding="utf-8")


def trained(path, seed=1):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nl.train(planted(60), path, encoder="gmm", seed=seed, **SMALL)


def corpus_and_model():
    write_corpus()
    trained("model", seed=7)


def corpus_and_encoded():
    write_corpus()
    nl.encode(["an older 5 text"] * 9, "encoded", min_count=1)


def model_and_exports():
    trained("model")
    older = nl.train(planted(60), encoder="gmm", seed=7, **SMALL)
    for name, format in (("out.bin", "word2vec"), ("out.txt.gz", "glove"), ("out.npy", "npy")):
        older.export(name, format)


BLOCK_TOKENS = 300  # so few that a short text has several blocks


def frequent_checkpoints():
    """Write a checkpoint after every block of a small size, and train a gap model on few numerals.

    Nothing here depends on time, so that every run makes the same system calls.
    """
    from numberline.gap_model import train
    from numberline.training import schedule
    from numberline.training.cpu import CpuTrainer

    schedule.MAX_BLOCK_TOKENS = BLOCK_TOKENS
    train.FEWEST_NUMERALS = 20
    next_block = CpuTrainer._next_block

    def last_block(trainer):
        block = next_block(trainer)
        trainer._is_stopped = True
        return block

    CpuTrainer._next_block = last_block


def stopped_training():
    """Leave a checkpoint of a training that was interrupted after its first block."""
    write_corpus()
    child = os.fork()
    if child == 0:
        from numberline.training import checkpoint, fit

        def write_and_stop(*arguments):
            checkpoint.write_checkpoint(*arguments)
            os._exit(STOPPED)

        frequent_checkpoints()
        fit.write_checkpoint = write_and_stop
        try:
            nl.train("corpus.txt", "model", encoder="gmm", **SMALL)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == STOPPED


def model_and_evaluation():
    trained("model")
    folder = Path("sets/naik")
    folder.mkdir(parents=True)
    (folder / "numerals.txt").write_text("\n".join(map(str, range(1, 21))))
    for name in ("sc", "bc"):
        (folder / f"{name}.tsv").write_text("anchor\tclose\tfar\n5\t6\t15\n7\t6\t16\n")


def model_and_sentences():
    from numberline.tagging.sentences import to_conll
    from tests.tagging.planted_sentences import planted_sentences

    trained("model")
    Path("labelled").write_text("".join(map(to_conll, planted_sentences(12, 1))))


def model_and_page():
    trained("model")
    Path("page.html").write_text("an old page")


def model_only():
    trained("model")


def quick_map():
    """Leave out t-SNE, which takes seconds and writes nothing."""
    from numberline.explore.word_map import WordMap

    WordMap.improve = lambda self: setattr(self, "is_final", True)


def short_shop():
    """Write few labelled sentences, and train on less."""
    from numberline_shop import story, tagged

    tagged.TRAIN, tagged.DEV, tagged.TEST = 9, 9, 9
    story.TRAINING.update(epochs=1, dim=8, threads=1, min_count=1)
    story.chapters = lambda model: []


def demo_outputs():
    return {**files_at("shop/chat.txt", "shop/tagged/*.tsv"), **model_at("shop/model")}


def small_reproduction():
    from numberline_shop import write_corpus as write_chat

    write_chat("chat.txt", 400)
    for number, line in enumerate(("size,xl,9\nsize,xs,8\n", "")):
        if number == 0:
            folder = Path("sets/word-similarity")
            folder.mkdir(parents=True)
            from numberline.evaluation.similarity import SIMILARITY_SETS

            (folder / SIMILARITY_SETS["WordSim-353"].file).write_text(line)


def reproduction_outputs():
    found = {}
    for path in sorted(Path("results").rglob("*.json")) if Path("results").exists() else []:
        if path.parent.name == "evaluations" or path.name == "source.json":
            json.loads(path.read_text())
    for path in sorted(Path("results/models").glob("*")):
        if not path.name.startswith(".") and path.suffix != ".checkpoint":
            found |= model_at(path)
    for path in Path("results/texts").glob("*/encoded"):
        found |= encoded_at(path)
    if Path("results/report.html").exists():
        assert Path("results/report.html").read_text().endswith("</html>\n")
        found["report"] = "whole"
    return found


TRAIN = ["train", "corpus.txt", "-o", "model", "--encoder", "gmm", *FLAGS]
REPRODUCE = (
    "reproduce --corpus chat.txt --eval sets -o results --encoders token --tasks similarity "
    "--dim 4 --threads 1 --budget 3000 --epochs 1 --quiet"
).split()


def exporting(format, name):
    command = ["export", "model", name, "--format", format, "--overwrite"]
    return Scenario(
        f"export {format}",
        model_and_exports,
        command,
        lambda: files_at(f"{name}*", f"{name}/*"),
        command,
    )


SCENARIOS = [
    Scenario("train", write_corpus, TRAIN, lambda: model_at("model"), [*TRAIN, "--overwrite"]),
    Scenario(
        "train over a model",
        corpus_and_model,
        [*TRAIN, "--overwrite"],
        lambda: model_at("model"),
        [*TRAIN, "--overwrite"],
    ),
    Scenario(
        "train with checkpoints",
        corpus_and_model,
        [*TRAIN, "--overwrite"],
        lambda: model_at("model"),
        [*TRAIN, "--overwrite", "--resume"],
        frequent_checkpoints,
    ),
    Scenario(
        "train --resume",
        stopped_training,
        [*TRAIN, "--resume"],
        lambda: model_at("model"),
        [*TRAIN, "--overwrite", "--resume"],
        frequent_checkpoints,
    ),
    Scenario(
        "train without memory",
        write_corpus,
        TRAIN,
        lambda: model_at("model"),
        [*TRAIN, "--overwrite"],
        with_memory=True,
    ),
    Scenario(
        "encode",
        write_corpus,
        ["encode", "corpus.txt", "-o", "encoded", "--min-count", "1"],
        lambda: encoded_at("encoded"),
        ["encode", "corpus.txt", "-o", "encoded", "--min-count", "1", "--overwrite"],
    ),
    Scenario(
        "encode over a corpus",
        corpus_and_encoded,
        ["encode", "corpus.txt", "-o", "encoded", "--min-count", "1", "--overwrite"],
        lambda: encoded_at("encoded"),
        ["encode", "corpus.txt", "-o", "encoded", "--min-count", "1", "--overwrite"],
    ),
    exporting("word2vec", "out.bin"),
    exporting("glove", "out.txt.gz"),
    exporting("npy", "out.npy"),
    Scenario(
        "evaluate",
        model_and_evaluation,
        "evaluate model --task magnitude --data sets --json out.json --quiet".split(),
        lambda: evaluation_at("out.json"),
        "evaluate model --task magnitude --data sets --json out.json --quiet".split(),
    ),
    Scenario(
        "prototypes --plot",
        write_corpus,
        "prototypes corpus.txt --plot plot.png --quiet --encoder gmm".split(),
        lambda: files_at("plot.png"),
        "prototypes corpus.txt --plot plot.png --quiet --encoder gmm".split(),
    ),
    Scenario(
        "explore --export",
        model_and_page,
        "explore model --export page.html".split(),
        lambda: files_at("page.html"),
        "explore model --export page.html".split(),
        quick_map,
    ),
    Scenario(
        "plot",
        model_only,
        "plot model -o plots".split(),
        lambda: files_at("plots/*.png"),
        "plot model -o plots".split(),
        is_slow=True,
    ),
    Scenario(
        "tag train",
        model_and_sentences,
        "tag train model labelled -o tagger --epochs 1 --hidden 4 --quiet".split(),
        lambda: tagger_at("tagger"),
        "tag train model labelled -o tagger --epochs 1 --hidden 4 --quiet --overwrite".split(),
    ),
    Scenario(
        "demo",
        lambda: None,
        "demo shop --sentences 50".split(),
        demo_outputs,
        "demo shop --sentences 50".split(),
        short_shop,
    ),
    Scenario(
        "reproduce",
        small_reproduction,
        REPRODUCE,
        reproduction_outputs,
        REPRODUCE,
        keeps_results=True,
    ),
]
