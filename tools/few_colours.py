"""A PNG file → the same picture with few colours, a third of its size."""

from PIL import Image

COLOURS = 64  # lines and letters of a plot need no more


def reduce_colours(path):
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
