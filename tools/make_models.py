"""Corpora → the pretrained models: "en", which comes with numberline, and "en-full".

    python tools/make_models.py CORPORA WORK [--sets FOLDER] [--only en]

CORPORA is a folder with the texts of SOURCES. The model "en" is written to
src/numberline/pretrained/en, "en-full" to packages/numberline-en. WORK keeps the texts, split into
lines to train on and lines that are held out. --sets names a folder with evaluation sets, for the
measures in the manifest.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numberline as nl
from numberline.reading import open_corpus, sentences_of

ROOT = Path(__file__).parents[1]
SOURCES = {
    "wikipedia-2015.txt.zst": "English Wikipedia, articles of 2015",
    "wikipedia-leads.txt.zst": "English Wikipedia, lead sections",
    "simplewiki-2022.txt.zst": "Simple English Wikipedia of 2022",
    "wikipedia-2021-new.txt.zst": "English Wikipedia, articles begun from 2018 to 2021",
}
HELD_OUT_PART = 50  # one line of so many is held out
TASKS = ["similarity", "magnitude", "numeration", "prediction", "detection"]


@dataclass(frozen=True)
class Recipe:
    """How one of the models is trained."""

    folder: Path
    max_vocabulary: int
    dim: int
    settings: dict[str, Any] = field(default_factory=dict)


RECIPES = {
    "en": Recipe(ROOT / "src/numberline/pretrained/en", 50_000, 100),
    "en-full": Recipe(ROOT / "packages/numberline-en/src/numberline_en", 200_000, 200),
}


def lines_of(path: Path) -> Iterator[str]:
    for line in sentences_of(open_corpus(path)):
        assert isinstance(line, str), "a text, not lists of tokens"
        yield line


def is_held_out(line: str) -> bool:
    digest = blake2b(line.encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest, "little") % HELD_OUT_PART == 0


def split_texts(corpora: Path, work: Path) -> tuple[Path, Path]:
    """Write the lines to train on, and those that are held out, unless they are there."""
    training, held_out = work / "training.txt", work / "held-out.txt"
    if training.exists() and held_out.exists():
        return training, held_out
    work.mkdir(parents=True, exist_ok=True)
    with training.open("w", encoding="utf-8") as train, held_out.open("w", encoding="utf-8") as out:
        for name in SOURCES:
            for line in lines_of(corpora / name):
                (out if is_held_out(line) else train).write(line + "\n")
    return training, held_out


def make(name: str, training: Path, held_out: Path, sets: Path | None) -> None:
    recipe, began = RECIPES[name], time.monotonic()
    settings = {"max_vocabulary": recipe.max_vocabulary, "dim": recipe.dim, **recipe.settings}
    print(f"{name}: training with {settings}", flush=True)
    trained = nl.train(training, **settings)
    seconds = time.monotonic() - began
    files = recipe.folder / "model"
    trained.save(files, overwrite=True, compact=True)
    model = nl.load(files)
    manifest = {
        "name": name,
        "licence": "CC-BY-SA-4.0",
        "attribution": "Learnt from texts of Wikipedia, whose authors are listed in the history of "
        "each article at wikipedia.org.",
        "text": "Wikipedia in English and Simple English",
        "sources": list(SOURCES.values()),
        "held out": f"one line of {HELD_OUT_PART}",
        "tokens": model.vocabulary.totals.tokens,
        "settings": settings,
        "seconds": round(seconds),
        "numberline": nl.__version__,
        "measures": measures_of(model, held_out, sets),
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (recipe.folder / "manifest.json").write_text(text, encoding="utf-8")
    for file in files.iterdir():
        file.replace(recipe.folder / file.name)
    files.rmdir()
    size = sum(file.stat().st_size for file in recipe.folder.iterdir() if file.is_file())
    print(f"{name}: {size / 1e6:.1f} MB, {seconds:.0f} s; {text}")


def measures_of(model: nl.Embeddings, held_out: Path, sets: Path | None) -> dict[str, Any]:
    """Return the tables of the evaluation tasks as lists of rows, by task."""
    data = {} if sets is None else {"data": str(sets)}
    measured = nl.evaluate(model, TASKS, text=str(held_out), **data)
    return {
        task: [row for table in tables for row in table.rows]
        for task, tables in measured.tables.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--sets", type=Path)
    parser.add_argument("--only", choices=list(RECIPES), help="make this model alone")
    options = parser.parse_args()
    texts = split_texts(options.corpora, options.work)
    for name in [options.only] if options.only else RECIPES:
        make(name, *texts, options.sets)


if __name__ == "__main__":
    main()
