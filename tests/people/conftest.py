"""What tests of pages share; what runs their C in node lies in benchmarks/."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))


@pytest.fixture
def opened(browser: Any) -> Callable[..., Any]:
    """Return what opens a page without a network, which has no error until it is closed."""

    @contextmanager
    def open_page(path: Path, wide: int = 600, high: int = 800, **wishes: Any) -> Iterator[Any]:
        context = browser.new_context(viewport={"width": wide, "height": high}, offline=True, **wishes)
        page, said = context.new_page(), []
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.goto(path.as_uri())
        yield page
        assert said == []
        context.close()

    return open_page
