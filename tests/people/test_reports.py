"""Reports in Chromium, without a network: formulas are set, the picture moves, a reader's wishes are kept."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import eomc

pytestmark = [
    pytest.mark.needs_cc,
    pytest.mark.skipif("EOMC_VIEWERS" not in os.environ, reason=".ci/run people installs what these tests need"),
]
MODELS = ("four_bar", "rolling_disk", "whipple_bicycle", "bouncing_ball")


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write reports of a planar model, one in space, a large one and one with events."""
    folder = tmp_path_factory.mktemp("reports")
    for name in MODELS:
        eomc.compile(eomc.load(name)).report(folder / f"{name}.html")
    return {name: folder / f"{name}.html" for name in MODELS}


def picture(page: Any) -> np.ndarray:
    """Return what is seen of the motion."""
    shot = page.locator("figure.picture > canvas, figure.picture > svg").screenshot()
    return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), dtype=int)


@pytest.mark.parametrize("name", MODELS)
def test_the_picture_moves(opened: Callable[..., Any], reports: dict[str, Path], name: str) -> None:
    """Two times are two pictures."""
    with opened(reports[name]) as page:
        page.wait_for_timeout(300)
        first = picture(page)
        page.locator("#time").fill("0.37")
        page.wait_for_timeout(200)
        assert np.ptp(first) > 50
        assert (np.abs(first - picture(page)).max(axis=-1) > 50).sum() > 20
        assert page.locator("#play").inner_text() == "Play"


@pytest.mark.parametrize("name", MODELS)
def test_formulas_are_set(opened: Callable[..., Any], reports: dict[str, Path], name: str) -> None:
    """Folded at first; then a fraction is as high as its parts together, and no TeX is in the page."""
    with opened(reports[name], reduced_motion="reduce") as page:
        assert page.locator("#equations math").first.is_hidden()
        page.locator("#equations summary").click()
        assert page.locator("#equations math").first.is_visible()
        heights = page.evaluate(
            """() => Array.from(document.querySelectorAll("#equations mfrac"), one => {
                 const high = e => e.getBoundingClientRect().height;
                 return [high(one), high(one.children[0]), high(one.children[1])];
               })"""
        )
        assert all(whole >= top + bottom > 0 for whole, top, bottom in heights)
        assert "\\" not in page.inner_text("body")


def test_it_rests_for_those_who_prefer_it(opened: Callable[..., Any], reports: dict[str, Path]) -> None:
    """With less motion preferred it stands until it is played."""
    for preferred, word in (("reduce", "Play"), ("no-preference", "Pause")):
        with opened(reports["four_bar"], reduced_motion=preferred) as page:
            page.wait_for_timeout(400)
            assert page.locator("#play").inner_text() == word
            assert (float(page.locator("#time").input_value()) == 0.0) == (preferred == "reduce")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_told_from_its_ground(opened: Callable[..., Any], reports: dict[str, Path], scheme: str) -> None:
    """In light and in dark: numbers of the chart, tables and formulas."""
    with opened(reports["four_bar"], color_scheme=scheme, reduced_motion="reduce") as page:
        page.locator("#equations summary").click()
        for selector in (".chart", "#parameters table", "#equations .right"):
            shot = page.locator(selector).first.screenshot()
            grey = np.asarray(Image.open(io.BytesIO(shot)).convert("L"), dtype=int)
            assert np.ptp(grey) > 150, selector
            assert (np.median(grey) > 128) == (scheme == "light"), selector
