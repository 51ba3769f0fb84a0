"""Without a browser its tests are skipped, but never where one is asked for."""

import pytest

from tests.explore import browsing


def test_a_missing_browser_is_a_reason_to_skip_or_to_fail(monkeypatch):
    monkeypatch.setattr(browsing.shutil, "which", lambda command: None)
    monkeypatch.delenv("NUMBERLINE_REQUIRE_BROWSER", raising=False)
    with pytest.raises(pytest.skip.Exception, match="none of chromium"):
        browsing.browser_path("/nowhere/chrome")
    monkeypatch.setenv("NUMBERLINE_REQUIRE_BROWSER", "1")
    with pytest.raises(pytest.fail.Exception, match="asks for a browser"):
        browsing.browser_path("/nowhere/chrome")


def test_the_browser_of_playwright_is_the_last_choice(monkeypatch):
    for there, found in [({"/own"}, "/own"), ({"/own", "chromium"}, "chromium")]:
        monkeypatch.setattr(
            browsing.shutil, "which", lambda name, there=there: name if name in there else None
        )
        assert browsing.browser_path("/own") == found
