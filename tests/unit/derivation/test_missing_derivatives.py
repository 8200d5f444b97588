"""A prescribed motion without its derivatives: all that are missing are named at once, whoever notices."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.errors import ModelError, UnsupportedError

T = dynamicsymbols._t
x, v, r, s = dynamicsymbols("x v r s")
m, k = sm.symbols("m k")


def carried(inputs: list[Any], velocity: bool) -> eomc.Model:
    """Return a mass that slides on a support at (r, s), whose velocity is given or follows from its place."""
    N, origin, mass = ReferenceFrame("N"), Point("O"), Point("P")
    origin.set_vel(N, 0)
    mass.set_pos(origin, (x + r) * N.x + (x / 2 + s) * N.y)
    if velocity:
        mass.set_vel(N, (v + r.diff()) * N.x + (v / 2 + s.diff()) * N.y)
    return eomc.Model(
        name="carried",
        inertial_frame=N,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("P", mass, m)],
        potential_energy=k * x**2 / 2,
        parameters={m: 1.0, k: 4.0},
        inputs=inputs,
    )


@pytest.mark.parametrize(
    ("inputs", "missing"),
    [
        ([r, s], ["r.diff(t)", "r.diff(t, 2)", "s.diff(t)", "s.diff(t, 2)"]),
        ([r, r.diff(), s], ["r.diff(t, 2)", "s.diff(t)", "s.diff(t, 2)"]),
        ([r, r.diff(), r.diff(T, 2), s, s.diff()], ["s.diff(t, 2)"]),
    ],
)
def test_the_derivation_names_all(inputs: list[Any], missing: list[str]) -> None:
    """A place is differentiated twice: r' and r'' of every input; listed, they serve."""
    with pytest.raises(UnsupportedError, match="carried: the motion needs time derivatives of inputs: list ") as caught:
        eomc.compile(carried(inputs, velocity=False))
    named = str(caught.value).partition(": list ")[2].removesuffix(" among the inputs too")
    assert sorted(named.replace("), ", ")|").split("|")) == sorted(missing)
    eomc.compile(carried([*inputs, *(eval(one, {"r": r, "s": s, "t": T}) for one in missing)], velocity=False))


@pytest.mark.parametrize("velocity", [False, True])
@pytest.mark.parametrize("inputs", [[], [r, s], [r, r.diff(), s, s.diff(T, 2)]])
def test_what_a_model_asks_for_is_enough(velocity: bool, inputs: list[Any]) -> None:
    """A velocity that holds r' needs r'', too: one attempt at most is answered by the model itself."""
    if velocity or not inputs:
        with pytest.raises(ModelError, match="no value for") as caught:
            carried(inputs, velocity)
        words = {"Derivative": sm.Derivative, "r": sm.Function("r"), "s": sm.Function("s"), "t": T}
        added = eval(caught.value.remedy.removeprefix("inputs="), words)
        if r.diff() in inputs:  # listed, so that only the derivation knows that r'' is needed
            added.append(r.diff(T, 2))
        eomc.compile(carried([*inputs, *added], velocity))


def test_a_lagrangian_asks_for_the_rate_of_what_its_momenta_hold() -> None:
    """L = (x' + r')^2/2 - k (x - s)^2: dL/dx' holds r', so that r'' is needed; s is not differentiated."""
    lagrangian = (x.diff() + r.diff()) ** 2 / 2 - k * (x - s) ** 2
    with pytest.raises(ModelError) as caught:
        eomc.from_lagrangian(lagrangian, coordinates=[x], parameters={k: 1.0})
    inputs = [r.diff(), r.diff(T, 2), s]
    assert caught.value.remedy == f"inputs=[{', '.join(map(str, inputs))}]"
    eomc.compile(eomc.from_lagrangian(lagrangian, coordinates=[x], parameters={k: 1.0}, inputs=inputs))


def test_a_point_that_only_a_load_acts_on_has_no_acceleration() -> None:
    """The velocity of the load's point holds r', and nothing asks for r''."""
    N, mass, hook = ReferenceFrame("N"), Point("P"), Point("Q")
    mass.set_vel(N, v * N.x)
    hook.set_vel(N, (v + r.diff()) * N.x)
    model: dict[str, Any] = {
        "name": "hooked",
        "inertial_frame": N,
        "coordinates": [x],
        "speeds": [v],
        "bodies": [Particle("P", mass, m)],
        "loads": [(hook, -k * x * N.x)],
        "parameters": {m: 1.0, k: 4.0},
    }
    with pytest.raises(ModelError, match=r"add inputs=\[Derivative\(r\(t\), t\)\]$"):
        eomc.Model(**model)
    eomc.compile(eomc.Model(**model, inputs=[r.diff()]))


def test_a_plain_symbol_has_no_derivative_to_list() -> None:
    """An input made by symbols(...) must become a function of time first."""
    stiffness = sm.Symbol("c")
    model = eomc.from_lagrangian(stiffness * x.diff() ** 2 / 2 - x**2, coordinates=[x], inputs=[stiffness])
    with pytest.raises(UnsupportedError, match=r"list c.diff\(t\), with c made by dynamicsymbols, among the inputs"):
        eomc.compile(model)
