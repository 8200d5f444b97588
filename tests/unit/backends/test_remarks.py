"""Units and descriptions in the emitted header and README."""

from __future__ import annotations

import re
from functools import cache

import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.model import Model


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


def test_results_say_their_unit_and_what_they_are() -> None:
    """Header, README and trajectory tell an output's unit, and the former two what it is."""
    x, u = dynamicsymbols("x u")
    m = sm.Symbol("m")
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, u * frame.x)
    model = Model(
        name="told", inertial_frame=frame, coordinates=[x], speeds=[u], bodies=[Particle("p", point, m)],
        parameters={m: 1.0}, outputs={"push": (m * u, "N s", "momentum | of the particle"), "plain": x},
    )  # fmt: skip
    build = eomc.compile(model)
    files = {artifact.path: artifact.text for artifact in build.artifacts}
    assert "TOLD_OUTPUTS_PUSH = 0, /**< [N s] momentum | of the particle */" in files["told.h"]
    assert "| `TOLD_OUTPUTS_PUSH` | `push` | N s | momentum \\| of the particle |" in files["README.md"]
    assert "[J] kinetic energy T" in files["told.h"]
    quantities = build.load().simulate(0.01, 0.01).quantities
    assert [(quantity.name, quantity.unit) for quantity in quantities[-2:]] == [("push", "N s"), ("plain", "")]
