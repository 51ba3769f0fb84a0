"""The explorer in a real browser: typed, dragged, narrow, dark, and without a server."""

import re
from dataclasses import replace

import numpy as np
import pytest

import numberline as nl
from numberline.explore.answers import Answers
from numberline.explore.export_page import export_page
from numberline.explore.landmarks import Landmarks
from numberline.explore.word_map import WordMap
from tests.explore.browsing import browser, served
from tests.small_models import small_model


@pytest.fixture(scope="module")
def chromium():
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def address():
    with served(small_model()) as found:
        yield found


@pytest.fixture
def look(chromium, address):
    """Open pages; afterwards no page may have had an error."""
    contexts, errors = [], []

    def open_page(width=1280, height=900, at=address, **settings):
        context = chromium.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", **settings
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(at)
        page.wait_for_selector("body[data-ready]")
        page.wait_for_selector("#word-bars li")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def first_word(page):
    return page.locator("#near-words span").first.text_content()


def assert_text(page, selector, pattern):
    page.wait_for_function(
        "([selector, pattern]) => new RegExp(pattern).test("
        "document.querySelector(selector)?.textContent ?? '')",
        arg=[selector, pattern],
    )


def test_a_number_is_typed(look):
    page = look()
    page.fill("#numeral", "4,321")
    assert_text(page, "#near-words", "^many")
    page.fill("#numeral", "７")
    assert_text(page, "#near-words", "^few")
    assert page.get_attribute(".stage", "aria-valuetext").startswith("7, near few")
    assert page.locator("#made-of").is_visible()


def test_an_error_goes_away_with_the_next_number(look):
    page = look()
    page.fill("#numeral", "seven pens")
    assert_text(page, "#number-error", "holds no number")
    page.fill("#numeral", "7")
    assert_text(page, "#number-error", "^$")


def test_the_line_is_dragged(look):
    page = look()
    page.fill("#numeral", "5")
    assert_text(page, "#seen", "times")
    stage = page.locator(".stage").bounding_box()
    y = stage["y"] + 200
    page.mouse.move(stage["x"] + 0.3 * stage["width"], y)
    page.mouse.down()
    seen = []
    for share in (0.4, 0.5, 0.6, 0.7):
        page.mouse.move(stage["x"] + share * stage["width"], y, steps=3)
        seen.append(float(page.input_value("#numeral")))
    page.mouse.up()
    assert seen == sorted(set(seen))
    handle = page.locator(".handle circle").bounding_box()
    middle = handle["x"] + handle["width"] / 2
    assert middle == pytest.approx(stage["x"] + 0.7 * stage["width"], abs=3)


def test_the_whole_line_is_dragged(look):
    page = look()
    strip = page.locator(".strip").bounding_box()
    page.mouse.click(strip["x"] + 0.95 * strip["width"], strip["y"] + 15)
    assert_text(page, "#near-words", "^many")
    assert float(page.input_value("#numeral").replace(",", "")) > 2000


def test_keys_move_and_zoom(look):
    page = look()
    page.focus(".stage")
    before = float(page.input_value("#numeral"))
    page.keyboard.press("ArrowRight")
    assert float(page.input_value("#numeral")) > before
    width = float(page.get_attribute(".brush", "width"))
    page.keyboard.press("-")
    assert float(page.get_attribute(".brush", "width")) > width
    page.keyboard.press("End")
    assert_text(page, "#near-words", "^many")


def test_all_controls_can_be_reached_by_keys(look):
    page = look()
    reached = set()
    for _ in range(45):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("document.activeElement.id || document.activeElement.className.baseVal")
        )
    assert {"numeral", "stage", "all-words", "text", "compared", "whole"} <= reached
    assert {"sought", "nearer", "farther", "plane"} <= reached


def test_an_odd_number_is_marked_and_replaced(look):
    page = look()
    page.fill("#text", "🙂 small box holds 4321 pens")
    page.wait_for_selector("#read button.odd")
    assert_text(page, "#verdict-facts", "4321 is odd")
    better = page.locator("#verdict-facts button").first
    value = better.text_content()
    better.click()
    page.wait_for_selector("#read button.fits")
    assert page.input_value("#text") == f"🙂 small box holds {value} pens"
    assert_text(page, "#verdict-facts", f"{value} fits")


def positions_of(page, selector):
    """Return the text and the x of each SVG text."""
    script = "all => all.map(one => [one.textContent, Number(one.getAttribute('x'))])"
    return page.locator(selector).evaluate_all(script)


def as_number(text):
    for letter, size in (("k", 1e3), ("M", 1e6), ("B", 1e9)):
        if text.endswith(letter):
            return as_number(text[:-1]) * size
    return float(text.replace(",", "").replace("−", "-"))


@pytest.mark.parametrize("number", ["1,200,000", "-300"])
def test_a_number_far_from_what_is_expected_stands_where_it_is(look, number):
    page = look(width=390)
    page.fill("#text", f"small box holds {number} pens")
    assert_text(page, "#verdict-facts", f"{number} is odd")
    ((_, at),) = page.locator(".stands").evaluate_all(
        "all => all.map(one => ['', Number(one.getAttribute('x1'))])"
    )
    assert 0 <= at <= page.locator("#expected svg").bounding_box()["width"]
    ticks = positions_of(page, "#expected .tick-text")
    assert len(ticks) > 3
    for text, x in ticks:
        assert (as_number(text) < as_number(number)) == (x < at)


def test_a_number_beyond_the_corpus_is_on_the_whole_line(look):
    page = look()
    page.fill("#numeral", "5,000,000")
    assert_text(page, "#seen", "not in the corpus")
    mark = float(page.get_attribute(".strip .mark", "x1"))
    assert mark == pytest.approx(page.locator(".strip").bounding_box()["width"])
    assert max(as_number(text) for text, _ in positions_of(page, ".strip text")) >= 500_000


def test_the_page_says_what_is_a_guess(look):
    page = look()
    page.fill("#numeral", "300")
    page.wait_for_selector("#guess", state="visible")
    page.wait_for_selector("#curves .guessed", state="attached")
    page.fill("#numeral", "7")
    page.wait_for_selector("#guess", state="hidden")


def test_a_gap_is_predicted_and_a_text_without_numbers_is_left_alone(look):
    page = look()
    page.fill("#text", "small box holds ___ pens")
    page.wait_for_selector("#read button.gap")
    assert_text(page, "#verdict-facts", "Expected here")
    assert page.locator("#expected svg path").count() == 3
    page.fill("#text", "nothing to see")
    page.wait_for_selector("#verdict", state="hidden")


def test_the_page_says_that_a_model_has_no_gap_model(look):
    note = "#no-gap-model"
    assert look().locator(note).is_hidden()
    with served(replace(small_model(), gap_model=None)) as address:
        page = look(at=address)
        page.wait_for_selector(note, state="visible")
        assert_text(page, note, "This model has no gap model")


def test_a_number_without_known_words_around_it_has_no_verdict(look):
    page = look()
    page.fill("#text", "unheard 7")
    page.wait_for_selector("#read button.unknown")
    assert_text(page, "#text-error", "knows none of the words")
    page.wait_for_selector("#verdict", state="hidden")
    page.fill("#text", "few 7")
    page.wait_for_selector("#verdict", state="visible")
    assert_text(page, "#text-error", "^$")


def test_text_is_never_taken_for_markup(look):
    page = look()
    page.fill("#text", "<img src=x onerror=alert(1)> holds 7 <b>pens</b>")
    assert_text(page, "#read", "<b>pens</b>")
    assert page.locator("#read img, #read b").count() == 0


def test_words_are_compared(look):
    page = look()
    page.fill("#compared", "few many")
    assert_text(page, "#curves", "few.*many")
    page.click("#whole")
    assert_text(page, "#curves", "1000")
    page.fill("#compared", "fews")
    assert_text(page, "#words-error", "close words are few")


@pytest.mark.parametrize("width", [390, 1280])
def test_names_of_curves_do_not_cover_each_other(look, width):
    page = look(width=width)
    page.fill("#compared", "hall seats people many big pens")
    assert_text(page, "#curves", "hall.*pens")
    page.click("#whole")
    page.wait_for_function("document.querySelectorAll('#curves .name').length === 6")
    chart = page.locator("#curves").bounding_box()
    boxes = [one.bounding_box() for one in page.locator("#curves .name").all()]
    for at, one in enumerate(boxes):
        assert one["x"] >= chart["x"] - 1
        assert one["x"] + one["width"] <= chart["x"] + chart["width"] + 1
        for other in boxes[:at]:
            is_beside = abs(middle(one, "x") - middle(other, "x")) >= one["width"] / 2
            assert is_beside or abs(middle(one, "y") - middle(other, "y")) > 15


def middle(box, axis):
    return box[axis] + box[{"x": "width", "y": "height"}[axis]] / 2


RECORD_LABELS = """() => {
  const paint = CanvasRenderingContext2D.prototype;
  const { clearRect, fillText } = paint;
  paint.clearRect = function (...all) { window.labels = []; clearRect.apply(this, all); };
  paint.fillText = function (text, x, y) {
    const pixels = parseInt(this.font.match(/(\\d+)px/)[1]);
    window.labels.push({ text, x, y, pixels, half: this.measureText(text).width / 2 });
    fillText.call(this, text, x, y);
  };
}"""


def open_map(look, **settings):
    """Return a page with its final map in view, and record what is drawn there from now on."""
    page = look(**settings)
    assert_text(page, "#map-hint", "laid out by (?!.*better layout)")
    page.locator("#plane").scroll_into_view_if_needed()
    page.evaluate(RECORD_LABELS)
    return page


def labels_of(page):
    """Return the position of each label of the latest drawing, by its text."""
    return {label["text"]: (label["x"], label["y"]) for label in page.evaluate("window.labels")}


def marked_labels(page):
    labels = page.evaluate("window.labels")
    usual = min(label["pixels"] for label in labels)
    return [label["text"] for label in labels if label["pixels"] > usual]


def test_the_map_is_searched(look):
    page = open_map(look)
    plane = page.locator("#plane").bounding_box()
    for sought, found in [("many", "many"), ("FEW", "few"), ("man", "many")]:
        page.fill("#sought", sought)
        assert marked_labels(page) == [found]
        centre = (plane["width"] / 2, plane["height"] / 2)
        assert labels_of(page)[found] == pytest.approx(centre, abs=1)
        assert page.text_content("#map-error") == ""
    page.fill("#sought", "unheard")
    assert_text(page, "#map-error", "not on the map")
    assert marked_labels(page) == []


def test_no_label_of_the_map_is_cut(look):
    page = open_map(look, width=390)
    plane = page.locator("#plane").bounding_box()
    for key in ("+", "ArrowLeft", "ArrowUp", "+"):
        page.press("#plane", key)
        labels = page.evaluate("window.labels")
        assert labels
        for label in labels:
            assert label["half"] <= label["x"] <= plane["width"] - label["half"]
            assert 6 <= label["y"] <= plane["height"] - 6


def fingers_on(page):
    """Return a function that touches the map, in pixels from its corner."""
    session = page.context.new_cdp_session(page)
    plane = page.locator("#plane").bounding_box()

    def touch(kind, *points):
        moved = [(plane["x"] + x, plane["y"] + y) for x, y in points]
        places = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(moved)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    return touch


def assert_moved(before, after, where):
    """Assert that enough labels are in view before and after, and moved as they should."""
    both = [text for text in before if text in after]
    assert len(both) > 9
    expected = np.array([where(*before[text]) for text in both])
    assert np.array([after[text] for text in both]) == pytest.approx(expected, abs=2)


def test_fingers_zoom_and_move_the_map(look):
    page = open_map(look, has_touch=True)
    touch = fingers_on(page)
    page.press("#plane", "ArrowLeft")
    at_first = labels_of(page)
    touch("touchStart", (300, 250), (500, 350))
    touch("touchMove", (280, 240), (520, 360))
    touch("touchMove", (200, 210), (600, 410))
    touch("touchEnd")
    zoomed = labels_of(page)
    # What was midway between the fingers is so again, and all else twice as far from there.
    assert_moved(at_first, zoomed, lambda x, y: (400 + 2 * (x - 400), 310 + 2 * (y - 300)))
    touch("touchStart", (300, 200))
    touch("touchMove", (330, 150))
    touch("touchEnd")
    assert_moved(zoomed, labels_of(page), lambda x, y: (x + 30, y - 50))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_needs_no_scrolling_aside(look, scheme):
    page = look(width=390, height=844, color_scheme=scheme, has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    brightness = sum(map(int, re.findall(r"\d+", paper)[:3]))
    assert (brightness < 150) == (scheme == "dark")
    assert page.locator(".handle circle").bounding_box()["x"] < 390


def test_the_page_says_when_the_server_is_gone(look):
    page = look()
    page.route("**/api/**", lambda route: route.abort())
    page.fill("#numeral", "8")
    assert_text(page, "#number-error", "does not answer")


def test_an_exported_page_tells_decimals_from_whole_numbers(look, tmp_path):
    lines = [f"small box holds {n} pens. it costs {n}.{n % 9 + 1} euros" for n in range(1, 90)]
    settings = {"dim": 8, "epochs": 5, "threads": 1, "min_count": 1, "seed": 1, "kinds": False}
    model = nl.train(lines * 20, encoder=nl.NumeralTokens(), **settings)
    answers, word_map = Answers(model, "shop"), WordMap(Landmarks(model))
    word_map.is_final = True
    path = tmp_path / "page.html"
    export_page(answers, word_map, path)
    page = look(at=path.as_uri())
    for number, on_page in (("40", "40"), ("40.45", "40.5")):
        page.fill("#numeral", number)
        nearest = model.similar(on_page, 1)[0].token
        assert_text(page, "#near-words", f"^{nearest}")
    assert model.similar("40", 1)[0].token != nearest
    page.fill("#compared", "euros")
    page.wait_for_selector("#curves .curve")
    path_of_curve = page.get_attribute("#curves .curve", "d")
    heights = [float(y) for _, y in re.findall(r"(-?[\d.]+)[ ,](-?[\d.]+)", path_of_curve)]
    shown = answers.curves("euros", *answers.whole_line)["curves"][0]["similarities"]
    assert roughness(heights) < 2 * roughness(shown) + 1


def roughness(heights):
    """Return how far a curve goes up and down in all, divided by its height."""
    return np.abs(np.diff(heights)).sum() / np.ptp(heights)


def test_an_exported_page_needs_no_server(look, tmp_path):
    model = small_model()
    word_map = WordMap(Landmarks(model))
    word_map.is_final = True
    path = tmp_path / "page.html"
    export_page(Answers(model, "</script><b>planted"), word_map, path)
    page = look(at=path.as_uri())
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    assert page.text_content("#model-name").startswith("</script><b>planted: 74 words")
    page.fill("#numeral", "4,321")
    assert_text(page, "#near-words", "^many")
    page.fill("#numeral", "7")
    assert_text(page, "#near-words", "^few")
    shown = float(page.locator("#word-bars small").first.text_content())
    assert shown == pytest.approx(model.similarity("7", "few"), abs=0.02)
    page.locator("#verdict-facts button").last.click()
    page.wait_for_selector("#read button")
    assert_text(page, "#verdict-facts", "fits|odd")
    assert_text(page, "#text-error", "^$")
    page.fill("#text", "another 7")
    assert_text(page, "#text-error", "example sentences only")
    page.fill("#compared", "few many")
    assert_text(page, "#curves", "few.*many")
    page.fill("#compared", "unheard")
    assert_text(page, "#words-error", "not among the words")
    assert_text(page, "#map-hint", "components")
    assert requested == []


def test_an_exported_page_runs_no_script_of_others(look, tmp_path):
    word_map = WordMap(Landmarks(small_model()))
    word_map.is_final = True
    path = tmp_path / "page.html"
    export_page(Answers(small_model(), "planted"), word_map, path)
    page = look(at=path.as_uri())
    page.evaluate(
        """() => {
            window.refused = [];
            document.addEventListener("securitypolicyviolation",
                event => refused.push(event.effectiveDirective));
            const add = (name, attributes) =>
                document.body.append(Object.assign(document.createElement(name), attributes));
            add("script", {textContent: "window.injected = true"});
            add("script", {src: "data:text/javascript,window.injected = true"});
            add("style", {textContent: "body { display: none }"});
            add("img", {src: "http://127.0.0.1:9/pixel"});
            document.body.setAttribute("onclick", "window.injected = true");
            document.body.click();
            fetch("http://127.0.0.1:9/").catch(() => refused.push("fetch"));
        }"""
    )
    page.wait_for_function("refused.length >= 7")
    assert set(page.evaluate("refused")) == {
        *("script-src-elem", "script-src-attr", "style-src-elem", "img-src", "connect-src"),
        "fetch",
    }
    assert page.evaluate("window.injected") is None
