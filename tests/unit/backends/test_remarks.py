"""Units and descriptions in the emitted header and README."""

from __future__ import annotations

import re
from functools import cache

import pytest
import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

import eomc


@cache
def emitted(with_units: bool) -> dict[str, str]:
    """Return file name -> text of an oscillator, of whose two states and parameters at most one each has a unit."""
    x, p = dynamicsymbols("x p")
    m, k = sm.symbols("m k")
    metre, kilogram = ("m", "kg") if with_units else ("", "")
    model = eomc.from_hamiltonian(
        p**2 / (2 * m) + k * x**2 / 2,
        name="spring",
        coordinates=[x],
        momenta=[p],
        parameters={m: (1.0, kilogram, "mass"), k: (2.0, "", "stiffness")},
        initial={x: (0.1, metre, "elongation"), p: (0.0, "", "momentum")},
    )
    return {artifact.path: artifact.text for artifact in eomc.compile(model).artifacts}


def remark(header: str, word: str) -> str:
    """Return the comment that says `word`, from its opening on."""
    found = re.search(rf"/\*\*<(.*\b{word}\b.*)\*/", header)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(("known", "missing"), [("elongation", "momentum"), ("mass", "stiffness")])
def test_a_missing_unit_leaves_its_column_blank(known: str, missing: str) -> None:
    """What has no unit gets no bracket, and its description stands below the others."""
    header = emitted(True)["spring.h"]
    assert remark(header, known).startswith((" [m] ", " [kg] "))
    assert "[" not in remark(header, missing)
    assert remark(header, missing).index(missing) == remark(header, known).index(known)


def test_no_column_of_units_where_nothing_has_one() -> None:
    """Without any unit the descriptions begin the comments."""
    header = emitted(False)["spring.h"]
    for word in ("elongation", "momentum", "mass", "stiffness"):
        assert remark(header, word).startswith(f" {word}")


def test_a_missing_unit_is_an_empty_cell() -> None:
    """The README's tables show nothing for a missing unit."""
    readme = emitted(True)["README.md"]
    assert "| `x` | m | 0.1 | elongation |" in readme
    assert "| `p` |  | 0 | momentum |" in readme
    assert "| `k` | `k` |  | 2 | stiffness |" in readme
