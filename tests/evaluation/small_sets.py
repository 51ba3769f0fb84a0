"""Small evaluation sets, and vectors whose order on the number line is known."""

import numpy as np

from numberline.model.word_vectors import WordVectors

NUMERALS = [*range(1, 31), 40, 60, 100, 1000]


def write_naik(folder, numerals=NUMERALS):
    """Write a list of numerals, and triples whose far one is always farther on the line."""
    (folder / "naik").mkdir()
    (folder / "naik/numerals.txt").write_text("".join(f"{value}\n" for value in numerals))
    triples = "".join(f"{n}\t{n + 1}\t{n + 3}\n" for n in range(1, 20))
    (folder / "naik/sc.tsv").write_text("anchor\tclose\tfar\n" + triples)
    (folder / "naik/bc.tsv").write_text("anchor\tclose\tfar\n5\t6\t1000\n7\t8\t99999\n")


def on_a_line(values=NUMERALS, dim=4):
    """Return vectors that are linear functions of their numerals."""
    rows = np.outer(values, np.arange(1, dim + 1)) + 3.0
    return WordVectors([str(value) for value in values], rows.astype(np.float32))
