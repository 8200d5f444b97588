"""Measures of links as SymPy's scalars: functions of time that say by themselves of which link, point and axes.

By them SymPy speaks to a tree: expressions hold ``position_hand_x(t)`` like any other time function, and nothing else
has to be looked up, whatever is copied or pickled. Their time derivatives are measures again. In axes that turn with a
link A, d/dt (components of v) = components of dv/dt - w_A x v, where w_A is the angular velocity of A.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import sympy
from sympy.core.function import AppliedUndef, UndefinedFunction

from eomc.model.trees.records import WORLD, ZERO, Entry, Measure, MeasureKind

POSITIONS = frozenset({MeasureKind.POSITION, MeasureKind.ROTATION, MeasureKind.JACOBIAN})
VELOCITIES = frozenset({MeasureKind.VELOCITY, MeasureKind.ANGULAR_VELOCITY})
ACCELERATIONS = frozenset({MeasureKind.ACCELERATION, MeasureKind.ANGULAR_ACCELERATION})
"""Kinds of measures that coordinates alone decide, that are linear in the speeds, and that the motion decides."""

_AXES = "xyz"
_ROWS = ("x", "y", "z", "turn_x", "turn_y", "turn_z")  # of a Jacobian


class _OfLink(UndefinedFunction):  # type: ignore[misc]  # SymPy has no types
    """The class of functions that are components of measures; pickled by what they say, not by their names alone."""


class Component(AppliedUndef):  # type: ignore[misc]  # SymPy has no types
    """A component of a measure, as an expression: ``measure`` and ``index`` say which.

    Attributes
    ----------
    measure
        The quantity.
    index
        (i,) of a vector; row and column of a rotation; row and number of a speed, among those of the tree, of a
        Jacobian.
    """

    measure: Measure
    index: tuple[int, ...]

    def _eval_derivative(self, symbol: Any) -> Any:
        """Return the time derivative; nothing but the time stands in a component."""
        if symbol != self.args[0]:
            return sympy.S.Zero
        rate = rate_of(self)
        return sympy.Derivative(self, symbol, evaluate=False) if rate is None else rate


def _reduce(function: _OfLink) -> tuple[Callable[..., _OfLink], tuple[str, dict[str, Any]]]:
    return _rebuilt, (function.name, function._kwargs)


def _rebuilt(name: str, kwargs: dict[str, Any]) -> _OfLink:
    return _OfLink(name, bases=(Component,), **kwargs)


copyreg.pickle(_OfLink, _reduce)  # as SymPy does for its own undefined functions


def component(measure: Measure, index: tuple[int, ...], time: sympy.Symbol, speed: str = "") -> Component:
    """Return a component of a measure; `speed` names that of a Jacobian's column."""
    function = _OfLink(_name(measure, index, speed), bases=(Component,), measure=measure, index=index, real=True)
    made: Component = function(time)
    return made


def components(measure: Measure, time: sympy.Symbol) -> sympy.ImmutableMatrix:
    """Return the components of a vector as a column, those of a rotation as a 3 x 3 matrix."""
    if measure.kind is MeasureKind.ROTATION:
        return sympy.ImmutableMatrix(3, 3, lambda i, k: component(measure, (int(i), int(k)), time))
    return sympy.ImmutableMatrix([component(measure, (i,), time) for i in range(3)])


def components_in(expressions: Iterable[sympy.Basic]) -> list[Component]:
    """Return the components that occur in expressions, each once, in the order in which they are met."""
    found: dict[Component, None] = {}
    seen: set[int] = set()
    stack = list(expressions)[::-1]
    kept = list(stack)  # so that no id is taken by another object
    while stack:
        node = stack.pop()
        if isinstance(node, Component):
            found[node] = None
        elif id(node) not in seen and node.args and not isinstance(node, AppliedUndef):
            seen.add(id(node))
            kept.append(node)
            stack.extend(reversed(node.args))
    return list(found)


def rate_of(one: Component) -> sympy.Expr | None:
    """Return the time derivative of a component in measures; None where there is no measure for it."""
    measure, time = one.measure, one.args[0]
    rate = _RATES.get(measure.kind)
    if rate is None:
        return None
    if measure.kind is MeasureKind.ROTATION:
        i, k = one.index
        column = [component(measure, (row, k), time) for row in range(3)]
        turning = _cross(_vector(rate, measure, time), column)
        return turning[i] - _turned(measure, column, time)[i]
    (i,) = one.index
    held = [component(measure, (row,), time) for row in range(3)]
    return _vector(rate, measure, time)[i] - _turned(measure, held, time)[i]


_RATES = {
    MeasureKind.POSITION: MeasureKind.VELOCITY,
    MeasureKind.VELOCITY: MeasureKind.ACCELERATION,
    MeasureKind.ANGULAR_VELOCITY: MeasureKind.ANGULAR_ACCELERATION,
    MeasureKind.ROTATION: MeasureKind.ANGULAR_VELOCITY,
}


def _vector(kind: MeasureKind, measure: Measure, time: sympy.Symbol) -> list[sympy.Expr]:
    """Return another vector of the same point or link, in the same axes."""
    of_points = (MeasureKind.POSITION, MeasureKind.VELOCITY, MeasureKind.ACCELERATION)
    other = Measure(kind=kind, link=measure.link, at=measure.at if kind in of_points else ZERO, axes=measure.axes)
    return [component(other, (i,), time) for i in range(3)]


def _turned(measure: Measure, held: Sequence[sympy.Expr], time: sympy.Symbol) -> list[sympy.Expr]:
    """Return w x v for the axes of a measure, zero for the world's."""
    if measure.axes == WORLD:
        return [sympy.S.Zero] * 3
    axes = Measure(kind=MeasureKind.ANGULAR_VELOCITY, link=measure.axes, axes=measure.axes)
    return _cross([component(axes, (i,), time) for i in range(3)], held)


def _cross(a: Sequence[sympy.Expr], b: Sequence[sympy.Expr]) -> list[sympy.Expr]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _name(measure: Measure, index: tuple[int, ...], speed: str) -> str:
    """Return a name that says what a component is, such as ``position_hand_z`` or ``velocity_hand_at_0_0_0.1_x``."""
    words = [measure.kind.value, measure.link]
    if any(entry != 0 for entry in measure.at):
        words += ["at", *map(_short, measure.at)]
    if measure.axes != WORLD:
        words += ["in", measure.axes]
    if measure.kind is MeasureKind.JACOBIAN:
        return "_".join([*words, _ROWS[index[0]], speed])
    return "_".join([*words, "".join(_AXES[i] for i in index)])


def _short(entry: Entry) -> str:
    return f"{entry:.15g}" if isinstance(entry, (int, float)) else str(entry).replace(" ", "")
