"""Character tables → the file that fuzz_scanner reads: each array after its length."""

import sys
from pathlib import Path

import numpy as np

from numberline.reading.shapes import digit_zeros, folded_codes, shape_codes, vulgar_fractions

fractions = vulgar_fractions()
arrays = [
    shape_codes(),
    folded_codes(lowercase=True),
    digit_zeros(),
    np.array([ord(character) for character in fractions], np.uint32),
    np.array(list(fractions.values()), np.float64),
]
with Path(sys.argv[1]).open("wb") as file:
    for array in arrays:
        file.write(np.uint64(array.size).tobytes() + array.tobytes())
