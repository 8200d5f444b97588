"""What interrupts a motion: events, after which the state may be another, and impacts of unilateral contacts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import sympy

from eomc.errors import ModelError
from eomc.model.arguments import expression_of, mapping_of, quoted, sequence_of
from eomc.model.names import name_of
from eomc.wording import suggesting


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Event:
    """What happens where a function g changes its sign, or at a time that is known beforehand.

    Parameters
    ----------
    g
        Expression in coordinates, speeds, extra states, inputs, parameters and time, which changes its sign; it may
        hold u', q'' and reactions, too.
    falling, rising
        Whether it happens where g falls or rises through zero. One alone means that direction alone, none means both.
    reset
        Mapping coordinate, speed, extra state or parameter -> its value after the event, an expression in all of them
        as they were before. What is not named keeps its value; speeds are kept rather than momenta. A parameter that a
        reset names is a mode: a state whose rate is zero.
    stop
        Whether a run ends there, after the reset.
    count
        It ends at the `count`-th such event.
    at
        In place of g: the time [s], a number or an expression in parameters. A step ends exactly there.

    Raises
    ------
    ModelError
        An argument is of the wrong kind, or two exclude each other.

    Examples
    --------
    >>> import eomc
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> y, v = dynamicsymbols("y v")
    >>> floor = eomc.Event(y, falling=True, reset={y: 0, v: -v / 2})
    >>> eomc.Event(at=2.0, stop=True).stop
    True
    """

    expression: sympy.Expr | None
    falling: bool
    rising: bool
    reset: tuple[tuple[sympy.Expr, sympy.Expr], ...]
    stop: bool
    count: int
    at: sympy.Expr | None

    @suggesting
    def __init__(
        self,
        g: Any = None,
        *,
        falling: bool | None = None,
        rising: bool | None = None,
        reset: Mapping[sympy.Expr, Any] | None = None,
        stop: bool = False,
        count: Any = 1,
        at: Any = None,
    ) -> None:
        if (g is None) is (at is None):
            raise ModelError("an event needs a function g that changes its sign, or its time as at=..., one of the two")
        flags = {"falling": falling, "rising": rising, "stop": stop}
        for name, flag in flags.items():
            if flag is not None and not isinstance(flag, bool):
                raise ModelError(f"{name} of an event is {quoted(flag)}: give True or False")
        if at is not None and (falling is not None or rising is not None):
            raise ModelError("an event at a time neither falls nor rises: take falling and rising out")
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise ModelError(f"count of an event is {quoted(count)}: give a whole number from 1 on")
        if count > 1 and not stop:
            raise ModelError("count tells at which of its hits an event ends a run: give stop=True with it")
        falls = not rising if falling is None else falling
        rises = not falling if rising is None else rising
        if not falls and not rises:
            raise ModelError("an event that neither falls nor rises never happens: let falling or rising be True")
        fields = {
            "expression": None if g is None else function_of("the function g of an event", g),
            "falling": falls,
            "rising": rises,
            "reset": tuple(_reset(key, value) for key, value in mapping_of("reset of an event", reset).items()),
            "stop": stop,
            "count": count,
            "at": None if at is None else expression_of("the time of an event", at),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def named(self, rates: Mapping[sympy.Expr, sympy.Expr]) -> Event:
        """Return the event with other keys of its reset: speeds that were given as rates have names.

        `rates` gives the name for each speed that was given as the rate of a coordinate.
        """
        return _with(self, reset=tuple((rates.get(key, key), value) for key, value in self.reset))

    def rewritten(self, write: Callable[[Any], Any]) -> Event:
        """Return the event with its expressions as `write` makes them."""
        return _with(
            self,
            expression=None if self.expression is None else write(self.expression),
            at=None if self.at is None else write(self.at),
            reset=tuple((key, write(value)) for key, value in self.reset),
        )


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Impact:
    """A frictionless contact: a gap, which an impulse keeps from becoming negative.

    Newton's law of restitution holds at all gaps that are closed at one instant: with the rates g' of the gaps before
    and after, 0 <= L, g'+ + e g'- >= 0, L (g'+ + e g'-) = 0.

    Parameters
    ----------
    gap
        Expression in coordinates, and in parameters, inputs and time: positive where the bodies are apart.
    restitution
        The coefficient e, from 0 to 1; an expression in parameters, coordinates and speeds is possible.
    name
        What hits are called; ``impact_1`` and so on without one.

    Raises
    ------
    ModelError
        An argument is of the wrong kind.

    Examples
    --------
    >>> import eomc
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> eomc.Impact(dynamicsymbols("y"), restitution=0.8, name="floor").name
    'floor'
    """

    gap: sympy.Expr
    restitution: sympy.Expr
    name: str

    @suggesting
    def __init__(self, gap: Any, *, restitution: Any = 1, name: str = "") -> None:
        if not isinstance(name, str):
            raise ModelError(f"the name of an impact is {quoted(name)}: give text")
        e = expression_of("the restitution of an impact", restitution)
        if e.is_number and not 0 <= e <= 1:
            raise ModelError(f"the restitution of an impact is {e}: give a number from 0 to 1")
        object.__setattr__(self, "gap", function_of("the gap of an impact", gap))
        object.__setattr__(self, "restitution", e)
        object.__setattr__(self, "name", name)

    def rewritten(self, write: Callable[[Any], Any]) -> Impact:
        """Return the impact with its expressions as `write` makes them."""
        return _with(self, gap=write(self.gap), restitution=write(self.restitution))


Interruption: TypeAlias = Event | Impact
_One = TypeVar("_One", Event, Impact)


def _with(one: _One, **changes: Any) -> _One:
    """Return an event or impact with some fields changed."""
    made: _One = object.__new__(type(one))
    for name in type(one).__slots__:
        object.__setattr__(made, name, changes.get(name, getattr(one, name)))
    return made


@dataclass(frozen=True, slots=True)
class Named:
    """An event or an impact with its name."""

    name: str
    what: Interruption


def function_of(what: str, value: Any) -> sympy.Expr:
    """Return a function that changes its sign; a condition has none."""
    if isinstance(value, (bool, sympy.logic.boolalg.Boolean)) and not isinstance(value, sympy.Symbol):
        raise ModelError(
            f"{what} is the condition {quoted(value)}: give an expression that changes its sign where the condition "
            "changes, such as left side minus right side"
        )
    return expression_of(what, value)


def _reset(key: Any, value: Any) -> tuple[sympy.Expr, sympy.Expr]:
    symbol = expression_of(f"what a reset names, {quoted(key)},", key)
    return symbol, expression_of(f"the reset of {name_of(symbol)}", value)


def interruptions_of(
    events: Mapping[str, Any] | None, impacts: Any, rates: Mapping[sympy.Expr, sympy.Expr]
) -> tuple[Named, ...]:
    """Return the events and then the impacts, with their names.

    Parameters
    ----------
    events
        Mapping name -> event.
    impacts
        List of impacts.
    rates
        Names of the speeds that were given as time derivatives of coordinates.
    """
    made = []
    for name, event in mapping_of("events", events).items():
        if not isinstance(name, str) or not name:
            raise ModelError(f"event {name!r}: events are named by text, such as events={{'impact': eomc.Event(y)}}")
        if not isinstance(event, Event):
            raise ModelError(f"event {name!r} is {quoted(event)}: give an eomc.Event")
        made.append(Named(name, event.named(rates)))
    for number, impact in enumerate(sequence_of("impacts", impacts), 1):
        if not isinstance(impact, Impact):
            raise ModelError(f"impacts[{number - 1}] is {quoted(impact)}: give an eomc.Impact")
        made.append(Named(impact.name or f"impact_{number}", impact))
    return tuple(made)


def written_in(interruptions: Iterable[Named]) -> list[sympy.Expr]:
    """Return the expressions of events that may hold accelerations: functions, and values after resets."""
    events = [one.what for one in interruptions if isinstance(one.what, Event)]
    functions = [event.expression for event in events if event.expression is not None]
    return functions + [value for event in events for _, value in event.reset]


def reset_targets(interruptions: Iterable[Named]) -> dict[sympy.Expr, list[sympy.Expr]]:
    """Return what resets name, each with the values that it gets."""
    targets: dict[sympy.Expr, list[sympy.Expr]] = {}
    for one in interruptions:
        for key, value in one.what.reset if isinstance(one.what, Event) else ():
            targets.setdefault(key, []).append(value)
    return targets
