"""Functions of the user's own in forces, shapes and prescribed motions: the same motion as with what they stand for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols
from sympy.utilities.lambdify import implemented_function

import eomc
from eomc.analysis.agreement import compare
from eomc.errors import ModelError

Function: TypeAlias = Callable[..., Any]

METHODS = ("kane", "gibbs-appell", "lagrange", "hamilton")
t = dynamicsymbols._t
x, v = dynamicsymbols("x v")
m, g, k, a = sympy.symbols("m g k a")


class Profile(sympy.Function):
    """A wire's height over x: a function of the user's that says by ``doit`` what it is."""

    def doit(self, **hints: Any) -> sympy.Expr:
        """Return a (cos x - 1)."""
        del hints
        argument, height = self.args
        return height * (sympy.cos(argument) - 1)


def code(place: Any, height: Any) -> Any:
    """Return the same height, as code."""
    return height * (sympy.cos(place) - 1)


SHAPES: dict[str, Any] = {
    "written": lambda place, height: height * (sympy.cos(place) - 1),
    "class": Profile,
    "code": implemented_function("h", code),
}


def bead(shape: str) -> Any:
    """Return a bead on a wire; velocity and all derivatives of the shape are SymPy's, as far as it carries them out."""
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    height = SHAPES[shape](x, a)
    point = origin.locatenew("P", x * frame.x + height * frame.y)
    point.set_vel(frame, v * frame.x + sympy.diff(height, x) * v * frame.y)
    stiff = implemented_function("stiff", lambda s: sympy.Piecewise((s + s**3, s > 0), (0, True)))
    return eomc.Model(
        name=f"bead_{shape}",
        inertial_frame=frame,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("P", point, m)],
        gravity=-g * frame.y,
        loads=[(point, -k * stiff(x) * frame.x)],
        parameters={m: 2.0, g: 9.81, k: 3.0, a: 0.4},
        outputs={"height": height, "slope": sympy.diff(height, x)},
        ranges={x: (-2.0, 2.0)},
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", ["class", "code"])
def test_bead_on_a_wire(shape: str, method: str, compiled: Function) -> None:
    """m (1 + h'^2) x'' = -m h' h'' x'^2 - m g h' - k (x + x^3) where x > 0."""
    sim = compiled(bead(shape), method)
    for place, speed in ((0.7, 1.3), (-1.1, 0.4)):
        slope, bend = -0.4 * np.sin(place), -0.4 * np.cos(place)
        push = 3.0 * (place + place**3) if place > 0 else 0.0
        weight = 2.0 * (1 + slope**2)
        force = -2.0 * slope * bend * speed**2 - 2.0 * 9.81 * slope - push
        state = sim.state({"x": place}, {"v": speed})
        if method == "hamilton":  # p' = dT/dx + Q, half of the term with h''
            force += 2.0 * 2.0 * slope * bend * speed**2
            weight = 1.0
        assert_allclose(sim.rhs(0.0, state), [speed, force / weight], rtol=1e-13)
        assert_allclose(sim.outputs(0.0, state), [0.4 * (np.cos(place) - 1), slope], rtol=1e-14)


@pytest.mark.needs_cc
@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton"])
def test_emitted_code_is_that_of_the_written_model(method: str) -> None:
    """The same operations, whichever way the shape was given, and the same numbers as the reference."""
    builds = [eomc.compile(bead(shape).renamed("bead"), method=method) for shape in SHAPES]
    sources = [next(a.text for a in build.artifacts if a.path == "bead.c") for build in builds]
    written, by_class, by_code = (re.sub(r"sha256:\w+|0x\w{8}U", "", source) for source in sources)
    assert by_class == written
    assert by_code == written
    for agreement in compare(builds[2], count=20):
        assert agreement.holds, agreement


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", METHODS)
def test_prescribed_motion_as_code(method: str, compiled: Function) -> None:
    """A support that moves by a function of time, with its derivatives: x'' = -k (x - z(t)) - z'' in its frame."""
    signal = implemented_function("z", lambda time: sympy.sin(3 * time) / 5)(t)
    frame, support, origin = ReferenceFrame("N"), Point("S"), Point("O")
    origin.set_vel(frame, 0)
    support.set_pos(origin, signal * frame.x)
    point = support.locatenew("P", x * frame.x)
    point.set_vel(frame, (v + signal.diff(t)) * frame.x)
    model = eomc.Model(
        name="shaken",
        inertial_frame=frame,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("P", point, m)],
        loads=[(point, -k * x * frame.x)],
        parameters={m: 2.0, k: 3.0},
    )
    sim = compiled(model, method)
    at = 0.4
    state = sim.state({"x": 0.1}, {"v": 0.6}, t=at)
    moving = -9 * np.sin(3 * at) / 5
    expected = -0.3 if method == "hamilton" else -0.15 - moving
    assert_allclose(sim.rhs(at, state), [0.6, expected], rtol=1e-13)


def test_a_table_of_numbers_is_refused_where_it_stands() -> None:
    """One line: which function, in which load, and what to do."""
    table = implemented_function("table", lambda s: np.interp(s, [0.0, 1.0], [0.0, 2.0]))
    frame, point = ReferenceFrame("N"), Point("P")
    point.set_vel(frame, v * frame.x)
    with pytest.raises(
        ModelError, match=r"load 1 on P: the implementation of the function table does not work"
    ) as caught:
        eomc.Model(
            name="tabulated",
            inertial_frame=frame,
            coordinates=[x],
            speeds=[v],
            bodies=[Particle("P", point, m)],
            loads=[(point, table(x) * frame.x)],
            parameters={m: 1.0},
        )
    assert "\n" not in str(caught.value)
