"""A folder → the files that documents speak of: MODEL, CORPUS, reviews, evaluation sets."""

import csv
import json
import shutil

import numberline as nl
from numberline.evaluation.similarity import SIMILARITY_SETS
from numberline.files.decompression import zstd
from numberline.model.interchange import export
from tests.evaluation.small_sets import write_naik
from tests.tagging.planted_sentences import planted_sentences
from tests.training.small_corpora import planted

HELD_OUT = [f"a small box holds {number} pens" for number in range(3, 1500)]
PAIRS = [("small", "box", 9), ("big", "hall", 8), ("pens", "people", 1), ("few", "many", 3)]
LAYOUTS = {  # how the sets of word pairs are written
    "WordSim-353": "{0},{1},{2}\n",
    "MEN": "{0} {1} {2}\n",
    "SimLex-999": "{0}\t{1}\tN\t{2}\n",
    "Rare Words": "0,{0},{1},{2}\n",
    "MTurk-771": "{0},{1},{2}\n",
}


def fill(folder, model_folder):
    shutil.copytree(model_folder, folder / "MODEL")
    export(nl.load(model_folder), folder / "of-another-tool.bin")
    (folder / "CORPUS").write_text("\n".join(planted(2000)) + "\n")
    (folder / "held-out.txt").write_text("\n".join(HELD_OUT) + "\n")
    (folder / "my-numerals.txt").write_text("187.3\n1,250\n")
    reviews = "\n".join(json.dumps({"text": f"I am {150 + i} cm tall"}) for i in range(50))
    (folder / "reviews.jsonl.zst").write_bytes(zstd.compress(reviews.encode()))
    write_reviews(folder / "womens-clothing.csv")
    write_sets(folder / "sets")
    write_labelled(folder / "labelled.tsv", planted_sentences(60, seed=1))


def write_reviews(path):
    """Write a small stand-in for the reviews that the README and the tutorial train on."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["", "Age", "Review Text"])
        for number in range(2000):
            height, weight, size = 1 + number % 9, 100 + number % 60, 2 * (number % 8)
            text = f"I am 5'{height}\" and {weight} lbs; I usually wear a size {size} or 34d"
            text += " but the xs was too big" if weight < 120 else " and the xl was too small"
            rows.writerow([number, 20 + number % 60, text if number % 20 else ""])


def write_sets(folder):
    (folder / "word-similarity").mkdir(parents=True)
    for name, layout in LAYOUTS.items():
        text = "".join(layout.format(*pair) for pair in PAIRS)
        (folder / "word-similarity" / SIMILARITY_SETS[name].file).write_text(text)
    (folder / "analogy").mkdir()
    (folder / "analogy/questions-words.txt").write_text(": boxes\nsmall box big hall\n")
    write_naik(folder)


def write_labelled(path, sentences):
    lines = ["".join(f"{token}\t{label}\n" for token, label in one) for one in sentences]
    path.write_text("\n".join(lines))
