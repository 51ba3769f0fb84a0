"""The folder of evaluation sets → its files; what is missing is named, with where it comes from."""

from __future__ import annotations

from pathlib import Path

from numberline.errors import EvaluationDataError
from numberline.evaluation.settings import EvaluationSettings

TITLES = "Numeracy-600K article titles (Chen et al. 2019), or others in that format"
SOURCES = {
    "word-similarity/wordsim-353.csv": "WordSim-353 (Finkelstein et al. 2001), combined.csv",
    "word-similarity/men.txt": "MEN (Bruni et al. 2014), MEN_dataset_natural_form_full",
    "word-similarity/simlex-999.txt": "SimLex-999 (Hill et al. 2015), SimLex-999.txt",
    "word-similarity/rare-words.csv": "Rare Words (Luong et al. 2013), as a table of two words",
    "word-similarity/mturk-771.csv": "MTurk-771 (Halawi et al. 2012)",
    "analogy/questions-words.txt": "Google analogies (Mikolov et al. 2013), from word2vec",
    "headlines/train.json": f"{TITLES}, part to train on",
    "headlines/validation.json": f"{TITLES}, part to choose settings by",
    "headlines/test.json": f"{TITLES}, part to test with",
    "naik/numerals.txt": "the numerals of Naik et al. 2019, one per line",
    "naik/sc.tsv": "their strict contrastive triples: a header, then anchor, close and far",
    "naik/bc.tsv": "their broad contrastive triples: a header, then anchor, close and far",
    **{
        f"tagging/restaurants-8k/{part}.jsonl": f"Restaurants-8k (Coope et al. 2020), {part}: "
        "a line of JSON per utterance with its text and spans [start, end, label]"
        for part in ("train", "test")
    },
    **{
        f"tagging/multidogo-{domain}/{part}.tsv": f"MultiDoGO (Peskov et al. 2019), {domain}, "
        f"annotated per turn, {part}: words, a tab, and a label per word"
        for domain in ("finance", "insurance")
        for part in ("train", "dev", "test")
    },
}


def read_set(path: Path) -> str:
    """The text of a file; a byte order mark is no part of it."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise EvaluationDataError(f"{path} cannot be read: {reason}") from error


def find_set(settings: EvaluationSettings, name: str) -> Path:
    """The file of a set, below the folder `data`."""
    if settings.data is None:
        raise EvaluationDataError(f"data=FOLDER is needed, with {name} in it: {SOURCES[name]}")
    path = Path(settings.data) / name
    if not path.is_file():
        raise EvaluationDataError(f"{path} is not there; it holds {SOURCES[name]}")
    return path
