"""`numberline evaluate`: a model, or vectors of another tool → tables, and a JSON file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

import numberline
from numberline.cli.arguments import Quiet, listed
from numberline.cli.flags import with_settings
from numberline.cli.process import Output
from numberline.cli.progress import task_progress
from numberline.errors import EvaluationDataError, VectorsError, visible
from numberline.evaluation.result import require_free
from numberline.evaluation.task import all_tasks, settings_classes
from numberline.files.store import HEADER
from numberline.model.token_vectors import TokenVectors

TASKS = all_tasks()
EXPLAINED_TASKS = "; ".join(f"{name}: {task.explanation}" for name, task in TASKS.items())
NOT_BY_DEFAULT = ", ".join(name for name, task in TASKS.items() if not task.by_default)


@with_settings(*settings_classes(TASKS))
def evaluate(
    model: Annotated[
        Path,
        typer.Argument(
            help="Folder of a model or another tool's vectors: word2vec, GloVe, a folder of npy.",
            metavar="MODEL",
            show_default=False,
        ),
    ],
    settings: dict[str, Any],
    tasks: Annotated[
        list[str] | None,
        typer.Option(
            "--task",
            help="Tasks, separated by commas, or one --task for each; by default all but "
            f"{NOT_BY_DEFAULT}. {EXPLAINED_TASKS}.",
            show_default=False,
        ),
    ] = None,
    json_file: Annotated[
        Path | None,
        typer.Option("--json", help="File to write; by default MODEL.evaluation.json."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Measure how good the vectors of a model are; print and save the tables."""
    chosen = [name for names in tasks for name in listed(names)] if tasks else None
    named = model if model.name.strip(".") else model.resolve()  # neither . nor .. is a name
    path = json_file or named.with_name(named.name + ".evaluation.json")
    require_free(path)  # before the work
    vectors = load_vectors(model)
    with task_progress(quiet) as progress:
        evaluation = numberline.evaluate(vectors, chosen, progress=progress, **settings)
    console = Output()
    for tables in evaluation.tables.values():
        for table in tables:
            console.print(table)
    reasons = [f"{name} left out: {reason}" for name, reason in evaluation.left_out.items()]
    if chosen is None:
        for reason in reasons:
            console.print(visible(reason), style="dim", highlight=False, markup=False)
    evaluation.save(path)
    print(f"written to {visible(path)}")
    if chosen is not None and reasons:
        raise EvaluationDataError("; ".join(reasons))


def load_vectors(path: Path) -> TokenVectors:
    """Return the model in a folder, or the vectors in the file of another tool."""
    from numberline.files.npy_folder import VECTORS, WORDS
    from numberline.model.folder import is_model
    from numberline.model.installed import model_folder
    from numberline.model.interchange import read_vectors

    path = model_folder(path)
    if is_model(path):
        return numberline.load(path)
    if path.is_dir() and not any((path / name).exists() for name in (VECTORS, WORDS)):
        raise VectorsError(
            f"{path} holds neither a model nor exported vectors: no {HEADER} and no {VECTORS} in it"
        )
    return read_vectors(path)
