"""The name of a text → the encoded corpus that models are trained on, made once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numberline
from numberline.evaluation.task import Progress
from numberline.evaluation.titles import training_titles
from numberline.reading.corpus import CorpusSource
from numberline.reading.encoded import EncodedCorpus, is_encoded
from numberline_paper.grid import HEADLINES, WIKIPEDIA, short_count, usual_settings
from numberline_paper.held_out import HELD_OUT, prepare_text
from numberline_paper.settings import ReproductionSettings

# Texts that come with evaluation sets: the folder of the sets → the lines to train on.
LINES: dict[str, Callable[[Path], Iterable[str]]] = {
    HEADLINES: lambda data: training_titles(data / HEADLINES),
}


class Texts:
    """All texts of a reproduction, below one folder."""

    def __init__(
        self,
        corpus: CorpusSource,
        data: Path,
        folder: Path,
        settings: ReproductionSettings,
        progress: Progress,
    ) -> None:
        self._corpus = corpus
        self._data = data
        self._folder = folder
        self._settings = settings
        self._progress = progress
        self._open: dict[str, EncodedCorpus] = {}

    def encoded(self, name: str) -> EncodedCorpus:
        if name not in self._open:
            self._open[name] = self._wikipedia() if name == WIKIPEDIA else self._small_text(name)
        return self._open[name]

    @property
    def held_out(self) -> Path:
        self.encoded(WIKIPEDIA)
        return self._wikipedia_folder / HELD_OUT

    @property
    def _wikipedia_folder(self) -> Path:
        budget, seed = self._settings.budget, self._settings.seed
        parts = [WIKIPEDIA, *([short_count(budget)] if budget else [])]
        return self._folder / "-".join([*parts, *([f"seed{seed}"] if seed != 1 else [])])

    def _wikipedia(self) -> EncodedCorpus:
        return prepare_text(self._corpus, self._wikipedia_folder, self._settings, self._progress)

    def _small_text(self, name: str) -> EncodedCorpus:
        folder = self._folder / name
        if is_encoded(folder):
            return numberline.load_encoded(folder)
        words = usual_settings(name)["max_vocabulary"]
        return numberline.encode(LINES[name](self._data), folder, max_vocabulary=words)
