"""The page on units does what it says."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from pages import run_python

from eomc.units import read_unit

PAGE = Path(__file__).resolve().parents[2] / "docs" / "units" / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.needs_cc
def test_the_session_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Its blocks make one session, which prints what the text around them says."""
    run_python(PAGE)
    parameters, start, rates, pushed, *errors = capsys.readouterr().out.splitlines()
    assert "('l', 0.2, 'm', 'mm')" in parameters
    assert [float(one) for one in start.strip("[]").split()] == pytest.approx([math.pi / 6, math.pi / 3], rel=1e-7)
    assert float(rates.strip("[]").split()[1]) == pytest.approx(-9.81 / 0.3, rel=1e-2)
    assert [float(one) for one in pushed.strip("[]").split()] == [0.02, 0.0]
    assert "\n".join(errors) in TEXT


def test_what_the_table_lists_is_read() -> None:
    """Every unit of the table is one; the first rows write one unit in several ways."""
    rows = [re.findall(r"`([^`\"]+)`", line) for line in TEXT.splitlines() if line.startswith("| ")]
    products, quotients, *others = filter(None, rows)
    assert {read_unit("page", text).si for text in products} == {"N m"}
    for text in (*quotients, *(one for row in others for one in row if not one.startswith("pip "))):
        read_unit("page", text)
