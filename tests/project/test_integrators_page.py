"""The page on integrators does what it says, and names all of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import blocks_of, run_python

from eomc.integrators import INTEGRATORS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "integrators" / "README.md"
README = PAGE.parents[2] / "README.md"


@pytest.mark.needs_cc
def test_the_session_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Schemes of one order agree, energies stay, reasons are named, points and jumps move no step, stiff is stiff."""
    run_python(PAGE)
    apart, swing, refused, points, film, stiff = capsys.readouterr().out.splitlines()
    assert float(apart) < 1e-4
    assert float(swing) < 1e-8
    assert refused.startswith("double_pendulum has no step of verlet: th1' depends on th1")
    assert (points, film, stiff) == ("(101, 4)", "501 True", "True")


@pytest.mark.needs_cc
def test_its_commands_run(shell: Callable[[str], str]) -> None:
    """Each ends well; the balances hold."""
    commands = "".join(blocks_of(PAGE.read_text(encoding="utf-8"), "sh")).splitlines()
    for command in commands:
        said = shell(command)
        assert " check " not in command or "holds" in said
    assert len(commands) == 6


@pytest.mark.parametrize("page", [PAGE, README], ids=["page", "README"])
def test_its_table_has_every_integrator(page: Path) -> None:
    """With its order, and whether its steps are fixed."""
    text = page.read_text(encoding="utf-8")
    told = {}
    for row in re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (any|[\d, ]+) \| (fixed|adaptive) \|", text, flags=re.MULTILINE):
        names, orders = re.findall(r"\w+", row[0]), row[1].split(", ")
        for name, order in zip(names, orders * (len(names) // len(orders)), strict=True):
            told[name] = order, row[2]
    assert told == {
        row.name: ("any" if row.expands else str(row.order), "adaptive" if row.adaptive else "fixed")
        for row in INTEGRATORS
    }
