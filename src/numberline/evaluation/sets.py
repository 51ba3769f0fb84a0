"""The folder of evaluation sets → its files; an error says what a missing one should hold."""

from __future__ import annotations

from pathlib import Path

from numberline.errors import EvaluationDataError
from numberline.evaluation.settings import EvaluationSettings
from numberline.files.regular import read_text, reason_of

SOURCES = {
    "word-similarity/wordsim-353.csv": "WordSim-353 (Finkelstein et al. 2001), combined.csv",
    "word-similarity/men.txt": "MEN (Bruni et al. 2014), MEN_dataset_natural_form_full",
    "word-similarity/simlex-999.txt": "SimLex-999 (Hill et al. 2015), SimLex-999.txt",
    "word-similarity/rare-words.csv": "Rare Words (Luong et al. 2013), as a table of two words",
    "word-similarity/mturk-771.csv": "MTurk-771 (Halawi et al. 2012)",
    "analogy/questions-words.txt": "Google analogies (Mikolov et al. 2013), from word2vec",
    "naik/numerals.txt": "the numerals of Naik et al. 2019, one per line",
    "naik/sc.tsv": "their strict contrastive triples: a header, then anchor, close and far",
    "naik/bc.tsv": "their broad contrastive triples: a header, then anchor, close and far",
}


def read_set(path: Path) -> str:
    """Return the text of a file, without a byte order mark."""
    try:
        return read_text(path)
    except (OSError, ValueError) as error:
        raise EvaluationDataError(f"{path} cannot be read: {reason_of(error)}") from error


def find_set(settings: EvaluationSettings, name: str, source: str = "") -> Path:
    """Return the path of a file below the folder `data`; `source` says what it holds."""
    source = source or SOURCES[name]
    if settings.data is None:
        raise EvaluationDataError(f"data=FOLDER is needed, with {name} in it: {source}")
    path = Path(settings.data) / name
    if not path.is_file():
        raise EvaluationDataError(f"{path} is missing; it should hold {source}")
    return path
