"""The explorer's web application: what it answers, and whom."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from numberline.explore.answers import Answers
from numberline.explore.export_page import export_page
from numberline.explore.landmarks import Landmarks
from numberline.explore.server import (
    HEADERS,
    LONGEST_QUERY,
    application,
    is_own_host,
    page_files,
)
from numberline.explore.word_map import WordMap
from tests.small_models import small_model

testclient = pytest.importorskip("starlette.testclient")

MODEL = small_model()
APP = application(Answers(MODEL, "planted"), WordMap(Landmarks(MODEL)), "127.0.0.1")
CLIENT = testclient.TestClient(APP, "http://127.0.0.1:8190")
QUESTIONS = ("about", "map", "number", "line", "curves", "check", "expected")
NAMES = ("text", "low", "high", "words", "start", "end", "among")


ASKED = {
    "about": {},
    "map": {},
    "number": {"text": "1,250.5"},
    "line": {"low": "1", "high": "1e3"},
    "curves": {"words": "few many", "low": "1", "high": "100"},
    "check": {"text": "small box holds 7 pens"},
    "expected": {"text": "small box holds ___ pens", "start": "16", "end": "19"},
}


def test_questions_are_answered():
    assert set(ASKED) == set(QUESTIONS)
    for question, parameters in ASKED.items():
        answer = CLIENT.get(f"/api/{question}", params=parameters)
        assert answer.status_code == 200, (question, answer.text)
        assert isinstance(answer.json(), dict)


@pytest.mark.filterwarnings("ignore")
def test_vectors_that_no_training_leads_to_are_answered(tmp_path):
    """Cosines of numbers that overflow are nan, which JSON lacks."""
    table = np.full_like(MODEL.word_input, 3e38)
    table[:, ::2] *= -1
    answers = Answers(replace(MODEL, word_input=table, word_output=table), "hostile")
    word_map = WordMap(answers.landmarks)
    word_map.improve()
    client = testclient.TestClient(application(answers, word_map, "127.0.0.1"), CLIENT.base_url)
    for question, parameters in ASKED.items():
        assert client.get(f"/api/{question}", params=parameters).status_code == 200, question
    export_page(answers, word_map, tmp_path / "page.html")


@given(
    st.sampled_from(QUESTIONS),
    st.dictionaries(
        st.sampled_from(NAMES),
        st.one_of(
            st.text(max_size=40),
            st.text("0123456789.,eE+-½ ", max_size=12),
            st.floats().map(str),
            st.integers(-9, 10**12).map(str),
            st.sampled_from(["few", "holds 7 pens", "___", "1e308", "-1e308"]),
        ),
    ),
)
@example("line", {"low": "-1e308", "high": "1e308"})
@settings(max_examples=150)
def test_any_question_gets_an_answer_or_one_line_of_reason(question, parameters):
    answer = CLIENT.get(f"/api/{question}", params=parameters)
    assert answer.status_code in (200, 400), answer.text
    body = json.loads(answer.text, parse_constant=lambda name: pytest.fail(name))
    if answer.status_code == 400:
        assert list(body) == ["error"]
        assert "Traceback" not in body["error"]


def test_the_reason_for_a_refusal_is_given():
    for query, needle in (
        ("number", "needs text"),
        ("number?text=few", "no number"),
        ("line?low=a&high=2", "low='a' is not a number"),
        ("expected?text=few&start=-1&end=2", "start='-1' is not an index"),
        ("curves?words=unheard&low=1&high=9", "is unknown"),
    ):
        answer = CLIENT.get(f"/api/{query}")
        assert answer.status_code == 400
        assert needle in answer.json()["error"]


def test_long_questions_are_refused():
    answer = CLIENT.get("/api/check", params={"text": "a" * LONGEST_QUERY})
    assert answer.status_code == 414
    assert "too long" in answer.json()["error"]


@pytest.mark.parametrize("path", ["/", "/api/about", "/page.js"])
def test_foreign_hosts_are_refused(path):
    for host in ("evil.example", "evil.example:8190", "127.0.0.1.evil.example", ""):
        assert CLIENT.get(path, headers={"Host": host}).status_code == 421
    for host in ("localhost:8190", "127.0.0.1", "[::1]:8190"):
        assert CLIENT.get(path, headers={"Host": host}).status_code == 200


def test_a_server_open_to_the_network_takes_addresses_but_no_names():
    assert is_own_host("192.168.1.7:8190", "0.0.0.0")
    assert is_own_host("[fe80::1]:8190", "::")
    assert not is_own_host("evil.example", "0.0.0.0")
    assert not is_own_host("192.168.1.7:8190", "127.0.0.1")
    assert is_own_host("box.local:8190", "box.local")


def test_only_reading_is_allowed():
    for method in ("post", "put", "delete"):
        assert getattr(CLIENT, method)("/api/about").status_code == 405
    for path in ("/api/none", "/../config.py", "/static", "/style.css/"):
        assert CLIENT.get(path, follow_redirects=False).status_code in (307, 404)


def test_pages_come_with_headers_that_keep_others_out():
    for file in page_files():
        path = "/" if file.name == "index.html" else f"/{file.name}"
        answer = CLIENT.get(path)
        assert answer.status_code == 200
        assert answer.content == file.read_bytes()
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_page_fetches_nothing_from_elsewhere():
    for file in page_files():
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, file.name
        assert "https://" not in text, file.name


def test_details_of_a_bug_are_not_shown(monkeypatch, caplog):
    monkeypatch.setattr(Answers, "about", lambda self: 1 / 0)
    answer = CLIENT.get("/api/about")
    assert answer.status_code == 500
    assert "division" not in answer.text
    assert "ZeroDivisionError" in caplog.text


def test_errors_come_with_the_same_headers(monkeypatch):
    monkeypatch.setattr(Answers, "about", lambda self: 1 / 0)
    for method, path, host, status in [
        ("GET", "/api/number", "127.0.0.1", 400),
        ("GET", "/none", "127.0.0.1", 404),
        ("POST", "/", "127.0.0.1", 405),
        ("GET", "/" + "?" * (LONGEST_QUERY + 2), "127.0.0.1", 414),
        ("GET", "/", "evil.example", 421),
        ("GET", "/none", "evil.example", 421),
        ("GET", "/style.css/", "127.0.0.1", 307),
        ("GET", "/api/about", "127.0.0.1", 500),
    ]:
        answer = CLIENT.request(method, path, headers={"Host": host}, follow_redirects=False)
        assert answer.status_code == status, path
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, path
