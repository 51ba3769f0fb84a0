"""The demo's model folder → docs/images: the explorer in light, dark and on a phone; plots.

    numberline demo && python tools/make_screenshots.py numberline-demo/model

Needs the extras explore and plot, playwright, and chromium.
"""

import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from few_colours import reduce_colours
from tests.explore.browsing import browser, served

import numberline
from numberline.explore.plots.figures import plot

IMAGES = Path(__file__).parents[1] / "docs/images"
VIEWS = {
    "explore-light": ((1280, 940), "light", "body"),
    "explore-dark": ((1280, 940), "dark", "body"),
    "explore-phone": ((390, 844), "light", "body"),
    "explore-sentence": ((1280, 900), "light", "#sentence"),
    "explore-words": ((1280, 900), "light", "#words"),
    "explore-map": ((1280, 900), "dark", "#map"),
}


def photograph(page, address, path, part):
    page.goto(address)
    page.wait_for_selector("#word-bars li")
    page.wait_for_selector("#map-hint:has-text('t-SNE')", timeout=120_000)
    page.wait_for_timeout(600)  # transitions
    if part == "body":
        page.screenshot(path=path)
    else:
        page.locator(part).screenshot(path=path)


def main():
    folder = Path(sys.argv[1])
    model = numberline.load(folder)
    IMAGES.mkdir(exist_ok=True)
    with browser() as chromium, served(model, "the shop") as address:
        for name, ((width, height), scheme, part) in VIEWS.items():
            context = chromium.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                reduced_motion="reduce",
            )
            photograph(context.new_page(), address, IMAGES / f"{name}.png", part)
            context.close()
    draw(model)


def draw(model):
    for theme in ("light", "dark"):
        for path in plot(model, IMAGES / theme, "the shop", theme=theme):
            if path.stem in ("line", "prediction"):
                reduce_colours(path)
                shutil.move(path, IMAGES / f"plot-{path.stem}-{theme}.png")
        shutil.rmtree(IMAGES / theme)


if __name__ == "__main__":
    main()
