"""`numberline tag train`, `predict` and `test`: labelled sentences → a tagger → labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import numberline
from numberline.cli.arguments import Json, JsonLines, Model, Overwrite, Quiet, TextCommand
from numberline.cli.flags import with_settings
from numberline.cli.process import lines_of_standard_input, print_json
from numberline.cli.progress import task_progress
from numberline.errors import visible
from numberline.fields import made_of
from numberline.files.whole_folder import require_free
from numberline.tagging.sentences import lines_of, read_sentences, read_tokens, stretches, to_conll
from numberline.tagging.settings import TaggerSettings

# torch takes seconds to import, and --help does not need it.
if TYPE_CHECKING:
    from numberline.tagging.tagger import Tagger

LINES_AT_A_TIME = 1000

tag = typer.Typer(help="Label the tokens of sentences: train a tagger, predict, test.")
TaggerFolder = Annotated[
    Path, typer.Argument(help="Folder of the tagger.", metavar="TAGGER", show_default=False)
]


@tag.command(cls=TextCommand)
@with_settings(TaggerSettings)
def train(
    model: Model,
    sentences: Annotated[
        Path,
        typer.Argument(
            help="File with a token, a tab or blank, and its label per line; an empty line between "
            "sentences. Labels may be BIO, BIOES or plain.",
            metavar="TRAIN",
            show_default=False,
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the tagger.")],
    settings: dict[str, Any],
    dev: Annotated[
        Path | None,
        typer.Option(help="A file like TRAIN; the epoch that labels it best is kept."),
    ] = None,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Train a tagger on labelled sentences: a BiLSTM and a CRF on the vectors of a model."""
    chosen = made_of(TaggerSettings, settings)
    labelled = read_sentences(sentences)
    held_out = read_sentences(dev) if dev is not None else []
    from numberline.tagging.fit import fit_tagger
    from numberline.tagging.folder import TAGGER
    from numberline.tagging.tagger import require_known_labels

    require_free(output, TAGGER.kind, overwrite)
    require_known_labels(held_out, sorted({label for one in labelled for _, label in one}), dev)
    with task_progress(quiet) as progress:
        tagger = fit_tagger(numberline.load(model), labelled, held_out, chosen, progress)
    tagger.save(output, overwrite)
    facts = tagger.training
    on_dev = "" if facts["dev_f1"] is None else f", F1 on dev {facts['dev_f1']:.2f}"
    print(
        f"{visible(output)}: {len(tagger.labels)} labels; {facts['sentences']:,} sentences in "
        f"{facts['seconds']:.1f} s, epoch {facts['epoch']} kept{on_dev}"
    )


@tag.command(cls=TextCommand)
def predict(
    tagger: TaggerFolder,
    file: Annotated[
        str, typer.Argument(help="File with one text per line, or - for stdin.", metavar="FILE")
    ] = "-",
    tokenised: Annotated[
        bool,
        typer.Option(
            "--tokenised", help="FILE has one token per line, and an empty line between sentences."
        ),
    ] = False,
    as_json: JsonLines = False,
) -> None:
    """Label texts; print one token per line, a tab, and its label."""
    from numberline.tagging.folder import load_tagger

    loaded = load_tagger(tagger)
    lines = lines_of_standard_input() if file == "-" else lines_of(Path(file))
    labelled = labelled_tokens(loaded, lines) if tokenised else labelled_texts(loaded, lines)
    for sentence in labelled:
        if as_json:
            print_json(sentence)
        else:
            pairs = zip(sentence["tokens"], sentence["labels"], strict=True)
            print(to_conll([(visible(token), visible(label)) for token, label in pairs]), end="")


@tag.command("test", cls=TextCommand)
def score_file(
    tagger: TaggerFolder,
    file: Annotated[
        Path,
        typer.Argument(help="File of labelled tokens.", metavar="FILE", show_default=False),
    ],
    as_json: Json = False,
) -> None:
    """Measure how well a tagger labels sentences whose labels are known."""
    from numberline.tagging.folder import load_tagger
    from numberline.tagging.tagger import require_known_labels

    loaded = load_tagger(tagger)
    sentences = read_sentences(file)
    require_known_labels(sentences, loaded.labels, file)
    scores = loaded.test(sentences)
    if as_json:
        print_json(scores._asdict())
    else:
        shown = [f"{name} {value:.2f}" for name, value in scores._asdict().items()]
        print(f"{len(sentences):,} sentences: {', '.join(shown)}")


def labelled_tokens(tagger: Tagger, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the tokens and labels of each sentence."""
    sentences = read_tokens(lines)
    for tokens, labels in zip(sentences, tagger.tag(sentences), strict=True):
        yield {"tokens": tokens, "labels": labels}


def labelled_texts(tagger: Tagger, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the tokens, labels and labelled spans of each line that has a token."""
    rest = iter(lines)
    while texts := list(islice(rest, LINES_AT_A_TIME)):
        read = [(text, tokens) for text in texts if (tokens := tagger.tokenize(text))]
        words = [[token.text for token in tokens] for _, tokens in read]
        for (text, tokens), labels in zip(read, tagger.tag(words), strict=True):
            yield {
                "text": text,
                "tokens": [token.text for token in tokens],
                "labels": labels,
                "spans": [
                    {
                        "label": label,
                        "start": tokens[start].start,
                        "end": tokens[end - 1].end,
                        "text": text[tokens[start].start : tokens[end - 1].end],
                    }
                    for label, start, end in stretches(labels)
                ],
            }
