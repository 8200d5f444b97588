"""The built documentation in Chromium, from files and without a network."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

SITE = os.environ.get("EOMC_SITE", "")
pytestmark = pytest.mark.skipif(not SITE, reason=".ci/run docs builds what these tests read")

FOUND = {
    "Kane": {"explanation/kane_to_hamilton.html"},
    "holonomic": {"explanation/constraints.html", "howto/constraints.html"},
    "Baumgarte": {"explanation/drift.html"},
    "URDF": {"howto/robots.html", "tutorials/robot.html"},
    "event": {"howto/events.html", "reference/python/Event.html"},
    "FMU": {"howto/fmu.html"},
    "multiplier": {"explanation/constraints.html", "howto/constraints.html"},
    "float": {"howto/embed.html"},
    "linearize": {"howto/linearize.html", "reference/python/linearize.html"},
    "cffi": {"explanation/how_the_c_is_made.html"},
}
"""What is searched, and the pages of which one is to be the first or the second that is found."""


@pytest.mark.parametrize("word", FOUND)
def test_the_search_finds_the_right_page(browser: Any, word: str) -> None:
    """From a file, the first or the second of what is found is where the word is explained."""
    page = browser.new_context(offline=True).new_page()
    page.goto(f"{Path(SITE, 'search.html').as_uri()}?q={word}")
    page.wait_for_selector("#search-results li a", timeout=20_000)
    page.wait_for_timeout(300)
    first = [link.get_attribute("href") for link in page.locator("#search-results li a").all()[:2]]
    assert FOUND[word] & {link.partition("#")[0] for link in first}, first
    page.close()


def test_pages_of_the_gallery_are_drawn(browser: Any) -> None:
    """Nothing fails, formulas have their fonts, what is planar and what is not moves."""
    page, said = browser.new_context(offline=True).new_page(), []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("requestfailed", lambda request: said.append(request.url))
    for name in ("four_bar", "rolling_disk"):
        page.goto(Path(SITE, "gallery", f"{name}.html").as_uri())
        page.wait_for_timeout(500)
        assert page.evaluate("document.fonts.check('16px KaTeX_Main')")
        assert page.locator(".katex").count() > 10
    assert page.frame_locator("iframe.motion").locator("canvas").count() == 1
    assert said == []
    page.close()
