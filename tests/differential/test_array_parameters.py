"""Parameters that are arrays: elements of matrices and indexed bases, in C, in Python and in the reference."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import KanesMethod, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.errors import ModelError, UsageError

q, u = dynamicsymbols("q u", real=True)
MOMENTS = sympy.MatrixSymbol("IA", 6, 1)
STIFFNESS = sympy.MatrixSymbol("K", 2, 2)
MASSES = sympy.IndexedBase("m")
g, length = sympy.symbols("g l", positive=True)
VALUES = (0.05, 0.06, 0.07, 0.01, 0.02, 0.03)


def pendulum(parameters: dict[Any, Any], through_kane: bool = False) -> eomc.Model:
    """Return a body on a pivot with a spring of first and third order: I from one array, K and m from others."""
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    A = N.orientnew("A", "Axis", (q, N.z))
    A.set_ang_vel(N, u * N.z)
    centre = origin.locatenew("C", -length * A.y)
    centre.v2pt_theory(origin, N, A)
    body = RigidBody("body", centre, A, MASSES[1], (inertia(A, *(MOMENTS[i] for i in range(6))), centre))
    loads = [(A, -(STIFFNESS[0, 1] * q + STIFFNESS[1, 1] * q**3) * N.z), (centre, -MASSES[1] * g * N.y)]
    if through_kane:
        kane = KanesMethod(N, [q], [u], [q.diff() - u])
        kane.kanes_equations([body], loads)
        return eomc.from_kanes_method(kane, parameters=parameters, name="arrays")
    return eomc.Model(
        name="arrays", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[body], loads=loads, parameters=parameters
    )


def right(moment: float, mass: float, first: float, third: float) -> float:
    """Return u' at q = 0.3, by hand."""
    torque = -first * 0.3 - third * 0.3**3 - mass * 9.81 * 0.5 * np.sin(0.3)
    return float(torque / (moment + mass * 0.25))


WHOLE = {MOMENTS: (np.array(VALUES), "kg m^2", "inertia"), STIFFNESS: [[1, 2], [3, 4]], MASSES: (1, 2.0, 3)}
OTHERS = {g: 9.81, length: 0.5}
SINGLE = {
    **{MOMENTS[i]: value for i, value in enumerate(VALUES)}, STIFFNESS[1, 1]: 4.0, STIFFNESS[0, 1]: 2.0, MASSES[1]: 2.0
}  # fmt: skip


@pytest.mark.needs_cc
@pytest.mark.parametrize("through_kane", [False, True])
@pytest.mark.parametrize("given", [WHOLE, SINGLE, {**WHOLE, MOMENTS: sympy.Matrix(VALUES)}])
def test_arrays_and_their_elements_mean_the_same(given: dict[Any, Any], through_kane: bool) -> None:
    """u' is that of the closed form, in C and in the reference, whether values come whole or one by one."""
    model = pendulum({**given, **OTHERS}, through_kane)
    for solver in (eomc.compile(model).load(), eomc.reference(model)):
        assert solver.rhs(0.0, [0.3, 0.1])[1] == pytest.approx(right(0.07, 2, 2, 4), rel=1e-14)
        for parameters, expected in (
            ({"IA": np.full(6, 0.2)}, right(0.2, 2, 2, 4)),
            ({MOMENTS: np.full((6, 1), 0.2)}, right(0.2, 2, 2, 4)),
            ({"IA[2]": 0.2}, right(0.2, 2, 2, 4)),
            ({MOMENTS[2]: 0.2, MASSES[1]: 1.0}, right(0.2, 1, 2, 4)),
            ({"K": np.eye(2)}, right(0.07, 2, 0, 1)),
            ({STIFFNESS: sympy.eye(2)}, right(0.07, 2, 0, 1)),
        ):
            found = solver.rhs(0.0, [0.3, 0.1], parameters=parameters)[1]
            assert found == pytest.approx(expected, rel=1e-14), parameters
        with pytest.raises(UsageError, match=r"IA is an array of the shape \(6,\), not \(3,\)"):
            solver.rhs(0.0, [0.3, 0.1], parameters={"IA": [1.0, 2.0, 3.0]})


@pytest.mark.needs_cc
def test_c_has_one_array(tmp_path: Path) -> None:
    """The struct holds arrays of their shapes, strict compilers take their initializers, --set names an element."""
    build = eomc.compile(pendulum({**WHOLE, **OTHERS}))
    build.write(tmp_path)
    header = (tmp_path / "arrays.h").read_text()
    assert all(text in header for text in ("arrays_real IA[6];", "arrays_real K[2][2];", "arrays_real m[3];"))
    flags = "-std=c99 -O0 -Wall -Wextra -Wpedantic -Wmissing-braces -Wconversion -Werror"
    subprocess.run(["make", "-s", "-C", tmp_path, f"CFLAGS={flags}"], check=True)
    command = [tmp_path / "arrays", "--set", "IA[2]=0.2", "--init", "q=0.3", "--t-end", "0.001", "--dt", "0.001"]
    rows = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    sim = build.load()
    assert float(rows[-1].split(",")[2]) == sim.simulate(0.001, 1e-3, [0.3, 0.0], parameters={"IA[2]": 0.2}).x[-1, 1]
    A, *_ = eomc.linearize(build.model, at=[0.0, 0.0], parameters={"IA": np.full(6, 0.2)})
    assert A[1, 0] == pytest.approx(-(2 + 2 * 9.81 * 0.5) / (0.2 + 0.5), rel=1e-12)


def test_an_indexed_base_is_as_large_as_its_elements() -> None:
    """A Lagrangian in m[0] and m[2]: the place between is filled, and the motion does not know it."""
    x = dynamicsymbols("x")
    lagrangian = MASSES[0] * x.diff() ** 2 / 2 - MASSES[2] * x**2 / 2
    model = eomc.from_lagrangian(lagrangian, coordinates=[x], parameters={MASSES[2]: 3.0, MASSES[0]: 2.0})
    assert [(one.name, one.value, one.given) for one in model.parameters] == [
        ("m[0]", 2.0, True), ("m[1]", 0.0, False), ("m[2]", 3.0, True)
    ]  # fmt: skip
    assert eomc.reference(model).rhs(0.0, [0.3, 0.0])[1] == pytest.approx(-0.45)


i = sympy.Symbol("i", integer=True)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({**SINGLE, MOMENTS: VALUES}, r"IA\[0\] has two values"),
        ({**WHOLE, MOMENTS: VALUES[:3]}, r"IA is given numbers of the shape \(3,\): it has the shape \(6,\)"),
        ({**WHOLE, MASSES: 2.0}, "m is given numbers of the shape"),
        ({**WHOLE, MASSES: [1.0, "two"]}, r"m\[1\]"),
        ({key: value for key, value in SINGLE.items() if key != MOMENTS[2]}, r"no value for IA\[2"),
        ({**WHOLE, MASSES: [1.0]}, r"no value for m\[1\]"),
        ({**WHOLE, sympy.MatrixSymbol("J", 2, 2): np.eye(2)}, "used nowhere"),
        ({**WHOLE, MASSES[i]: 1.0}, "its index is no number"),
        ({**WHOLE, sympy.Symbol("IA"): 1.0}, "IA"),
        ({**WHOLE, sympy.MatrixSymbol("J", i, 2): np.eye(2)}, "give it numbers"),
    ],
)
def test_bad_arrays_are_refused(parameters: dict[Any, Any], message: str) -> None:
    """A wrong shape, a missing or a double element, an index that is no number: one clear error."""
    with pytest.raises(ModelError, match=message):
        pendulum({**parameters, **OTHERS})
