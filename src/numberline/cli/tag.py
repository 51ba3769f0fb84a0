"""`numberline tag train`, `predict` and `test`: labelled sentences → a tagger → labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import numberline
from numberline.cli.flags import with_settings
from numberline.cli.process import lines_of_standard_input, print_json
from numberline.cli.progress import task_progress
from numberline.fields import made_of
from numberline.files.whole_folder import free_folder
from numberline.tagging.sentences import lines_of, read_sentences, read_tokens, stretches, to_conll
from numberline.tagging.settings import TaggerSettings

# torch takes seconds to import; --help needs none.
if TYPE_CHECKING:
    from numberline.tagging.tagger import Tagger

LINES_AT_A_TIME = 1000

app = typer.Typer(no_args_is_help=True)
TaggerFolder = Annotated[
    Path, typer.Argument(help="Folder of the tagger.", metavar="TAGGER", show_default=False)
]


@app.command()
@with_settings(TaggerSettings)
def train(
    model: Annotated[
        Path, typer.Argument(help="Folder of the model.", metavar="MODEL", show_default=False)
    ],
    sentences: Annotated[
        Path,
        typer.Argument(
            help="File with a token, a tab or blank and its label per line; an empty line between "
            "sentences. Labels may be BIO, BIOES or plain.",
            metavar="TRAIN",
            show_default=False,
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the tagger.")],
    settings: dict[str, Any],
    dev: Annotated[
        Path | None, typer.Option(help="Such a file that says which epoch is best.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the folder.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Train a tagger on labelled sentences: BiLSTM and CRF on the vectors of a model."""
    chosen = made_of(TaggerSettings, settings)
    labelled = read_sentences(sentences)
    held_out = read_sentences(dev) if dev is not None else []
    from numberline.tagging.fit import fit_tagger
    from numberline.tagging.folder import is_tagger
    from numberline.tagging.tagger import require_known

    target = free_folder(output, "tagger", is_tagger, overwrite)
    require_known(held_out, sorted({label for one in labelled for _, label in one}), dev)
    with task_progress(quiet) as progress:
        tagger = fit_tagger(numberline.load(model), labelled, held_out, chosen, progress)
    tagger.save(target)
    facts = tagger.training
    on_dev = "" if facts["dev_f1"] is None else f", F1 on dev {facts['dev_f1']:.2f}"
    print(
        f"{output}: {len(tagger.labels)} labels; {facts['sentences']:,} sentences in "
        f"{facts['seconds']:.1f} s, epoch {facts['epoch']} kept{on_dev}"
    )


@app.command()
def predict(
    tagger: TaggerFolder,
    file: Annotated[str, typer.Argument(help="File with a text per line, or - for stdin.")] = "-",
    tokenised: Annotated[
        bool,
        typer.Option(
            "--tokenised", help="FILE has a token per line, and an empty line between sentences."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each.")] = False,
) -> None:
    """Label texts: a token, a tab and its label per line."""
    from numberline.tagging.folder import load

    loaded = load(tagger)
    lines = lines_of_standard_input() if file == "-" else lines_of(Path(file))
    answer = labelled_tokens if tokenised else labelled_texts
    for found in answer(loaded, lines):
        if as_json:
            print_json(found)
        else:
            print(to_conll(list(zip(found["tokens"], found["labels"], strict=True))), end="")


@app.command("test")
def score_file(
    tagger: TaggerFolder,
    file: Annotated[
        Path,
        typer.Argument(help="File of labelled tokens.", metavar="FILE", show_default=False),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how well a tagger labels sentences whose labels are known."""
    from numberline.tagging.folder import load

    loaded = load(tagger)
    sentences = read_sentences(file)
    loaded.require_known_labels(sentences, file)
    scores = loaded.test(sentences)
    if as_json:
        print_json(scores._asdict())
    else:
        shown = [f"{name} {value:.2f}" for name, value in scores._asdict().items()]
        print(f"{len(sentences):,} sentences: {', '.join(shown)}")


def labelled_tokens(tagger: Tagger, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    sentences = read_tokens(lines)
    for tokens, labels in zip(sentences, tagger.tag(sentences), strict=True):
        yield {"tokens": tokens, "labels": labels}


def labelled_texts(tagger: Tagger, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """A line without a token is passed over."""
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
