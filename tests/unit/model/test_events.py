"""Events and impacts as users write them: what is kept, and what is said of mistakes."""

from __future__ import annotations

from typing import Any

import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.errors import ModelError
from eomc.model import Event, Impact

T = dynamicsymbols._t
Y, V, Z, W = dynamicsymbols("y v z w")
M, G, E, S = sympy.symbols("m g e s")
A = sympy.MatrixSymbol("a", 2, 1)


def ball(named_rate: bool = False, **described: Any) -> eomc.Model:
    """Return a ball over a floor; its speed is v, or y' without a name of its own."""
    frame, origin, point = ReferenceFrame("N"), Point("O"), Point("P")
    origin.set_vel(frame, 0)
    point.set_pos(origin, Y * frame.y)
    speed = Y.diff(T) if named_rate else V
    point.set_vel(frame, speed * frame.y)
    given = {"parameters": {M: 1.0, G: 9.81, **described.pop("parameters", {})}}
    return eomc.Model(
        name="ball",
        inertial_frame=frame,
        coordinates=[Y],
        speeds=[speed],
        bodies=[Particle("P", point, M)],
        gravity=-G * frame.y,
        **given,
        **described,
    )


def test_directions() -> None:
    """Without a word both, one alone is that one, and a false one leaves the other."""
    ways = [Event(Y), Event(Y, falling=True), Event(Y, rising=True), Event(Y, falling=False), Event(Y, rising=False)]
    assert [(one.falling, one.rising) for one in ways] == [
        (True, True), (True, False), (False, True), (False, True), (True, False),
    ]  # fmt: skip


def test_names_and_order() -> None:
    """Events come first, then impacts, which are numbered unless they have names."""
    model = ball(
        events={"apex": Event(V)}, impacts=[Impact(Y), Impact(3 - Y, name="ceiling")], parameters={}, unused="refuse"
    )
    assert [one.name for one in model.events] == ["apex", "impact_1", "ceiling"]


def test_a_parameter_that_is_reset_is_a_state() -> None:
    """With its value at the start, its unit, and the numbers that it is set to as its range."""
    model = ball(
        events={"stick": Event(V, reset={S: 0}), "slip": Event(Y - 1, reset={S: 2})},
        parameters={S: (1.0, "N", "friction")},
        outputs={"force": S * V},
    )
    assert [(one.name, one.rate, one.mode) for one in model.extra_states] == [("s", 0, True)]
    assert "s" not in [one.name for one in model.parameters]
    assert dict(model.initial)[S] == 1.0
    assert [(one.low, one.high) for one in model.ranges if one.symbol == S] == [(0.0, 2.0)]
    build = eomc.compile(model)
    state = build.program.states[-1]
    assert (state.name, state.value, state.unit, state.description) == ("s", 1.0, "N", "friction")


def test_speeds_that_are_rates() -> None:
    """q.diff(t) may be reset where it is the speed."""
    model = ball(named_rate=True, events={"floor": Event(Y, falling=True, reset={Y.diff(T): -Y.diff(T)})})
    build = eomc.compile(model)
    function = next(one for one in build.program.functions if one.name == "resets")
    assert len(function.outputs) == 2


def test_a_model_without_events_has_none_of_their_functions() -> None:
    """Nor names of them."""
    build = eomc.compile(ball())
    assert not build.program.events
    assert all("event" not in one.name and one.name != "resets" for one in build.program.functions)


def test_events_are_there_whatever_functions_are_chosen() -> None:
    """A run needs them."""
    build = eomc.compile(ball(events={"floor": Event(Y, reset={V: -V})}), functions="energy")
    assert [one.name for one in build.program.functions] == [
        "rhs", "events", "event_rates", "event_sizes", "resets", "energy",
    ]  # fmt: skip


WRONG: list[tuple[Any, str]] = [
    (lambda: Event(), "needs a function g that changes its sign, or its time as at="),
    (lambda: Event(Y, at=1.0), "one of the two"),
    (lambda: Event(Y > 0), r"is the condition y\(t\) > 0: give an expression that changes its sign"),
    (lambda: Event(sympy.And(Y > 0, V > 0)), "is the condition"),
    (lambda: Event(True), "is the condition True"),
    (lambda: Event(Y, falling=False, rising=False), "never happens: let falling or rising be True"),
    (lambda: Event(Y, falling=1), "falling of an event is 1: give True or False"),
    (lambda: Event(at=1.0, falling=True), "neither falls nor rises"),
    (lambda: Event(Y, stop=True, count=0), "count of an event is 0: give a whole number from 1 on"),
    (lambda: Event(Y, count=2), "give stop=True with it"),
    (lambda: Event(Y, reset=[V]), "reset of an event"),
    (lambda: Impact(Y > 0), "the gap of an impact is the condition"),
    (lambda: Impact(Y, restitution=1.5), "the restitution of an impact is 1.5"),
    (lambda: Impact(Y, name=3), "the name of an impact is 3: give text"),
    (lambda: ball(events=[Event(Y)]), "events is "),
    (lambda: ball(events={"a": Y}), "event 'a' is .*: give an eomc.Event"),
    (lambda: ball(events={3: Event(Y)}), "event 3: events are named by text"),
    (lambda: ball(impacts=[Y]), r"impacts\[0\] is y\(t\): give an eomc.Impact"),
    (lambda: ball(impacts=[Impact(Y, name="a"), Impact(1 - Y, name="a")]), "two events or impacts are named 'a'"),
    (lambda: ball(events={"a": Event(S + 1)}, parameters={S: 1.0}), "is the same whatever moves"),
    (lambda: ball(events={"a": Event(T - 2)}), r"depends on the time alone: give its time, as in eomc.Event\(at=2.0\)"),
    (lambda: ball(events={"a": Event(at=Y)}), r"the time of event 'a' contains y\(t\)"),
    (lambda: ball(events={"a": Event(at=W)}, inputs=[W]), r"the time of event 'a' contains the input w\(t\)"),
    (lambda: ball(events={"a": Event(Y, reset={Y.diff(T): 0})}), "the motion is written in v: reset these speeds"),
    (lambda: ball(events={"a": Event(Y, reset={W: 0})}, inputs=[W]), "an input is given from outside"),
    (lambda: ball(events={"a": Event(Y, reset={sympy.Symbol("v"): 0})}), "the reset of v in event 'a'"),
    (lambda: ball(events={"a": Event(Y, reset={sympy.Symbol("vv"): 0})}), "did you mean v?"),
    (lambda: ball(events={"a": Event(Y, reset={V: -E * V})}), r"no value for e \(the reset of v in event 'a'\)"),
    (lambda: ball(events={"a": Event(Y - E)}), r"no value for e \(event 'a'\)"),
    (
        lambda: ball(events={"a": Event(Y, reset={A[0]: 1})}, parameters={A: [1, 2]}, outputs={"o": A[0] + A[1]}),
        "is an element of the array a, which no reset can change",
    ),
    (
        lambda: ball(True, events={"a": Event(Y, reset={Y.diff(T): 0, sympy.Function("y_d")(T): 1})}),
        "event 'a' resets y_d twice",
    ),
    (lambda: ball(impacts=[Impact(Y + V)]), r"the gap of impact 'impact_1' contains v\(t\)"),
    (lambda: ball(impacts=[Impact(S)], parameters={S: 1.0}), "holds no coordinate, so that no motion closes it"),
    (lambda: ball(impacts=[Impact(Y, restitution=E)], parameters={E: 1.2}), "is 1.2: give it 0 to 1"),
]


@pytest.mark.parametrize(("make", "message"), WRONG)
def test_mistakes(make: Any, message: str) -> None:
    """Each is told in one sentence, with what to do."""
    with pytest.raises(ModelError, match=message):
        make()
