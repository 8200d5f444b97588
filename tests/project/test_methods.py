"""Methods of derivation are records: nothing that comes after the derivation asks for one by its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from eomc.derivation.methods import METHODS
from eomc.ir.method import SecondHalf

PACKAGE = Path(__file__).resolve().parents[2] / "generator" / "eomc"
NAMES = {method.name for method in METHODS}
# The reference has its own table, and what compares references asks them.
OWN = (PACKAGE / "reference", PACKAGE / "analysis" / "agreement" / "methods.py")


def names_asked_for(path: Path) -> Iterator[str]:
    """Yield the names of methods that a comparison or `startswith` holds."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        asked: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
            asked = node.args
        for part in asked:
            for constant in ast.walk(part):
                if isinstance(constant, ast.Constant) and constant.value in NAMES:
                    yield f"{path.relative_to(PACKAGE)}:{constant.lineno}"


def test_nobody_asks_for_the_name_of_a_method() -> None:
    """A new method is its module and its row: no comparison elsewhere would have to learn its name."""
    places = [path for path in PACKAGE.rglob("*.py") if not any(map(path.is_relative_to, OWN))]
    assert not [place for path in places for place in names_asked_for(path)]


@pytest.mark.parametrize(
    ("name", "second"),
    [
        ("kane", SecondHalf.SPEEDS),
        ("gibbs-appell", SecondHalf.SPEEDS),
        ("lagrange", SecondHalf.VELOCITIES),
        ("hamilton", SecondHalf.MOMENTA),
        ("hamilton-multipliers", SecondHalf.MOMENTA),
    ],
)
def test_the_second_half_of_the_state(name: str, second: SecondHalf) -> None:
    """x = [q; u], [q; q'] or [q; p]."""
    assert [method.second for method in METHODS if method.name == name] == [second]
