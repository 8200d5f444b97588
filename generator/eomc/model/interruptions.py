"""The validation of events and impacts, and the parameters that resets make modes of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from eomc.errors import ModelError
from eomc.model.events import Event, Impact, Named, reset_targets
from eomc.model.mechanism import Mechanism
from eomc.model.names import name_of
from eomc.model.parts import ExtraState, Hamiltonian, Meaning, Parameter, Value
from eomc.model.roles import check_free_of
from eomc.model.trees.measures import POSITIONS, components_in
from eomc.model.vocabulary import excerpt
from eomc.model.walking import Seen, distinct_nodes, mentions
from eomc.wording import did_you_mean


def modes_of(interruptions: Sequence[Named], parameters: Sequence[Parameter]) -> list[Parameter]:
    """Return the parameters that resets name."""
    targets = reset_targets(interruptions)
    modes = [parameter for parameter in parameters if parameter.symbol in targets]
    for mode in modes:
        if mode.array:
            raise ModelError(
                f"{mode.name} is an element of the array {mode.array}, which no reset can change: make it a parameter "
                "of its own"
            )
    return modes


def with_modes(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a model with the parameters that resets name among the states: modes, whose rate is zero.

    A mode starts at the parameter's value, and its range are the numbers that it is set to.
    """
    modes = modes_of(fields["events"], fields["parameters"])
    symbols = {mode.symbol for mode in modes}
    known = {bounds.symbol for bounds in fields["ranges"]}
    given = {symbol for symbol, _ in fields["initial"]}
    told = [
        Meaning(mode.symbol, mode.unit, mode.description or "mode, which events change", mode.written) for mode in modes
    ]
    return {
        **fields,
        "parameters": tuple(one for one in fields["parameters"] if one.symbol not in symbols),
        "extra_states": (
            *fields["extra_states"],
            *(ExtraState(mode.symbol, mode.name, sympy.S.Zero, mode=True) for mode in modes),
        ),
        "initial": (*fields["initial"], *((m.symbol, m.value) for m in modes if m.symbol not in given)),
        "meanings": (*fields["meanings"], *told),
        "ranges": (
            *fields["ranges"],
            *(bounds for m in modes if m.symbol not in known for bounds in _range(m, fields["events"])),
        ),
    }


def _range(mode: Parameter, interruptions: Sequence[Named]) -> list[Value]:
    """Return the range of the numbers that a mode is set to; none where there is one number."""
    values = [mode.value, *(float(v) for v in reset_targets(interruptions)[mode.symbol] if v.is_number)]
    return [Value(mode.symbol, min(values), max(values))] if min(values) < max(values) else []


def check_interruptions(model: Mechanism) -> None:
    """Raise ModelError at the first event or impact that has no meaning."""
    known: set[str] = set()
    for one in model.events:
        if one.name in known:
            raise ModelError(f"two events or impacts are named {one.name!r}: give one another name")
        known.add(one.name)
        if isinstance(one.what, Event):
            _check_event(model, one.name, one.what)
        else:
            _check_impact(model, one.name, one.what)


def _check_event(model: Mechanism, name: str, event: Event) -> None:
    if event.expression is not None:
        _check_function(model, f"event {name!r}", event.expression)
    else:
        assert event.at is not None
        remedy = "give its time in numbers and parameters"
        check_free_of(event.at, {model.time, *_states(model)}, f"the time of event {name!r}", remedy)
        for node in distinct_nodes([event.at], Seen()):
            if node in {given.symbol for given in model.inputs}:
                raise ModelError(f"the time of event {name!r} contains the input {node}: {remedy}")
    targets = _targets(model)
    seen: set[sympy.Expr] = set()
    for key, _ in event.reset:
        if key not in targets:
            raise ModelError(f"the reset of {excerpt(key)} in event {name!r}: {_no_target(model, key)}")
        if key in seen:
            raise ModelError(f"event {name!r} resets {name_of(key)} twice: give one value")
        seen.add(key)


def _check_function(model: Mechanism, what: str, function: sympy.Expr) -> None:
    """Refuse a function that no motion changes."""
    inputs = [given.symbol for given in model.inputs]
    reactions = [one.symbol for one in getattr(model.dynamics, "reactions", ())]
    moving = {*_states(model), *inputs, *reactions}
    if mentions(function, moving) or function.atoms(sympy.Derivative) or components_in([function]):
        return
    if mentions(function, {model.time}):
        raise ModelError(f"{what} depends on the time alone: give its time, as in eomc.Event(at=2.0)")
    raise ModelError(f"{what}: {excerpt(function)} is the same whatever moves, so that its sign never changes")


def _check_impact(model: Mechanism, name: str, impact: Impact) -> None:
    rates = {sympy.Derivative(q, model.time) for q in model.coordinates}
    others = {*model.speeds, *rates, *(z.symbol for z in model.extra_states)}
    what = f"the gap of impact {name!r}"
    measures = components_in([impact.gap])
    others |= {one for one in measures if one.measure.kind not in POSITIONS}
    check_free_of(impact.gap, others, what, "write it in coordinates; what holds speeds may be an eomc.Event")
    if not measures and not mentions(impact.gap, set(model.coordinates)):
        raise ModelError(f"{what} holds no coordinate, so that no motion closes it")
    defaults = {parameter.symbol: parameter.value for parameter in model.parameters}
    value = defaults.get(impact.restitution)
    if value is not None and not 0 <= value <= 1:
        raise ModelError(f"the restitution {impact.restitution} of impact {name!r} is {value:g}: give it 0 to 1")


def _states(model: Mechanism) -> set[sympy.Expr]:
    rates = {sympy.Derivative(q, model.time) for q in model.coordinates}
    return {*model.coordinates, *model.speeds, *rates, *(z.symbol for z in model.extra_states)}


def _targets(model: Mechanism) -> set[sympy.Expr]:
    """Return what a reset may name."""
    auxiliary = set(getattr(model.dynamics, "auxiliary_speeds", ()))
    return {*model.coordinates, *model.speeds, *(z.symbol for z in model.extra_states)} - auxiliary


def _no_target(model: Mechanism, key: sympy.Expr) -> str:
    """Say what is wrong with the key of a reset."""
    if isinstance(key, sympy.Derivative) and key.expr in model.coordinates:
        kind = "momenta" if isinstance(model.dynamics, Hamiltonian) else "speeds"
        return f"the motion is written in {', '.join(map(name_of, model.speeds))}: reset these {kind}"
    if key in {given.symbol for given in model.inputs}:
        return "an input is given from outside, and no event changes it"
    if key in getattr(model.dynamics, "auxiliary_speeds", ()):
        return "an auxiliary speed is always zero"
    names = [name_of(symbol) for symbol in (*model.coordinates, *model.speeds)]
    names += [*(one.name for one in model.extra_states), *(one.name for one in model.parameters)]
    near = did_you_mean(name_of(key), names)
    return f"it is neither a coordinate nor a speed, extra state or parameter of the model; {near}"
