"""What makes a model usable: every mistake found here is the user's, and is answered with one sentence.

The checks are structural and linear in the size of the model; whether matrices can be inverted is found out in the
derivation, numerically.
"""

from __future__ import annotations

import re

import sympy
from sympy.core.function import AppliedUndef

from eomc.errors import ModelError
from eomc.model.arguments import kind_of
from eomc.model.arrays import array_of, is_element
from eomc.model.interruptions import check_interruptions
from eomc.model.mechanism import Mechanism
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian, Lagrangian, MechanicalSystem
from eomc.model.placements import placements
from eomc.model.roles import check_configuration_constraints, check_free_of, check_velocity_constraints
from eomc.model.shapes import refuse_negative
from eomc.model.times import common_time, other_time
from eomc.model.trees.tree import JointTree
from eomc.model.trees.wellformed import check_joint_tree
from eomc.model.usage import Loose, check_usage
from eomc.model.vocabulary import excerpt
from eomc.model.walking import is_time_function
from eomc.wording import are, counted, with_article


def validate(model: Mechanism, ignore_unused: bool) -> Loose:
    """Raise ModelError at the first mistake in `model`, naming what and where and saying what to do.

    Return what hangs loose in it without being a mistake; unused parameters and inputs are none with `ignore_unused`.
    """
    _check_name(model)
    try:
        _check_symbols(model)
        _check_duplicates(model)
        _check_values(model)
        dynamics = model.dynamics
        if isinstance(dynamics, MechanicalSystem):
            from eomc.model.mechanics import check_mechanical_system  # needs all of sympy.physics.mechanics

            check_mechanical_system(model, dynamics)
        elif isinstance(dynamics, Lagrangian):
            _check_lagrangian(model, dynamics)
        elif isinstance(dynamics, JointTree):
            check_joint_tree(model, dynamics)
        else:
            _check_hamiltonian(model, dynamics)
        check_interruptions(model)
        if model.appearance.moves_poses:
            placements(model)
        loose = check_usage(model, ignore_unused)
        _check_shapes(model)
        return loose
    except ModelError as error:
        named = type(error)(f"model {model.name!r}: {error}")
        named.remedy = error.remedy
        raise named from error.__cause__


def _check_shapes(model: Mechanism) -> None:
    """Raise ModelError unless shapes are fixed and no size is negative with the default parameters."""
    values = {parameter.symbol: sympy.Float(parameter.value) for parameter in model.parameters}
    for entry, label, kind in model.appearance.expressions():
        number = entry.xreplace(values)
        if not number.is_number:
            names = ", ".join(sorted(map(str, number.free_symbols)))
            raise ModelError(f"{label} is {excerpt(entry)}, where {names} is no parameter: shapes are fixed")
        if kind is not None:
            refuse_negative(kind, label, float(number), " with the default parameters")


def _check_name(model: Mechanism) -> None:
    if not isinstance(model.name, str):
        raise ModelError(
            f"the model's name {model.name!r} is {with_article(kind_of(model.name))}: give text, such as name='cart'"
        )
    if not isinstance(model.description, str):
        raise ModelError(f"the description of {model.name} is {with_article(kind_of(model.description))}: give text")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", model.name):
        proposal = re.sub(r"\W+", "_", model.name, flags=re.ASCII).strip("_")
        proposal = proposal if proposal[:1].isalpha() else f"model_{proposal}".rstrip("_")
        raise ModelError(
            f"the model's name {model.name!r} is no identifier (a letter, then letters, digits and underscores): "
            f"take name={proposal!r}"
        )


def _check_symbols(model: Mechanism) -> None:
    """Raise ModelError unless coordinates, speeds, states, inputs and parameters are symbols of the right kind."""
    time = common_time(model)
    if not model.coordinates and isinstance(model.dynamics, JointTree):
        raise ModelError("no joint of the tree can move: give it joints that are not fixed")
    if not model.coordinates and not isinstance(model.dynamics, MechanicalSystem):
        raise ModelError("there are no coordinates: list them in coordinates=[...]")
    if not model.coordinates and not model.speeds and not _is_first_order(model):
        raise ModelError(
            "there are neither coordinates nor speeds: list them in coordinates=[...] and speeds=[...] "
            "(extra_states={...} alone make a model, too, where there are no bodies, loads, energies and constraints)"
        )
    lists = [("coordinate", model.coordinates), ("extra state", tuple(state.symbol for state in model.extra_states))]
    if isinstance(model.dynamics, (MechanicalSystem, JointTree)):
        lists.append(("speed", model.speeds))
    elif isinstance(model.dynamics, Hamiltonian):
        lists.append(("momentum", model.speeds))
    modes = {state.symbol for state in model.extra_states if state.mode}
    for kind, symbols in lists:
        for symbol in symbols:
            if symbol not in modes and not is_time_function(symbol, time):
                raise ModelError(f"{kind} {other_time(model, symbol) or _no_time_function(symbol)}")
    for parameter in model.parameters:
        if parameter.symbol == time:
            raise ModelError(f"parameter {time} is the time: take it out of parameters")
        if not isinstance(parameter.symbol, sympy.Symbol) and not is_element(parameter.symbol):
            kind = with_article(kind_of(parameter.symbol))
            raise ModelError(
                f"parameter {excerpt(parameter.symbol)} is {kind}, not a plain symbol: "
                f"parameters are constants made by symbols(...), signals belong in inputs"
            )
        if not parameter.symbol.is_commutative:
            raise ModelError(f"parameter {parameter.symbol} does not commute, as numbers do: make it with symbols(...)")
    for given in model.inputs:
        symbol = given.symbol
        base = symbol.expr if isinstance(symbol, sympy.Derivative) else symbol
        plain = isinstance(base, sympy.Symbol) and base is symbol and base != time
        if not plain and not is_time_function(base, time):
            if text := other_time(model, symbol):
                raise ModelError(f"input {text}")
            raise ModelError(
                f"input {excerpt(symbol)} is neither a function of {time}, nor a time derivative of one, nor a symbol: "
                f"make it with dynamicsymbols(...)"
            )


def _is_first_order(model: Mechanism) -> bool:
    """Whether a model has extra states, and nothing that would need coordinates or speeds."""
    system = model.dynamics
    assert isinstance(system, MechanicalSystem)
    mechanical = (
        *system.bodies,
        *system.loads,
        *system.configuration_constraints,
        *system.velocity_constraints,
        *system.kinematical_equations,
    )
    energies = system.potential_energy == 0 and system.dissipation_function == 0 and system.gravity is None
    return bool(model.extra_states) and not mechanical and energies


def _no_time_function(symbol: sympy.Basic) -> str:
    alone = " alone" if isinstance(symbol, AppliedUndef) else ""
    return f"{excerpt(symbol)} is no function of time{alone}: make it with dynamicsymbols({name_of(symbol)!r})"


def _check_duplicates(model: Mechanism) -> None:
    """Raise ModelError if a symbol has two roles, or two symbols have one name."""
    known: dict[str, tuple[str, sympy.Basic]] = {}
    momenta = "momentum" if isinstance(model.dynamics, Hamiltonian) else "speed"
    arrays = {one.array: array_of(one.symbol) for one in model.parameters if one.array}
    reactions = model.dynamics.reactions if isinstance(model.dynamics, MechanicalSystem) else ()
    rows: list[tuple[str, str, sympy.Basic]] = [
        ("time", name_of(model.time), model.time),
        *(("coordinate", name_of(symbol), symbol) for symbol in model.coordinates),
        *((momenta, name_of(symbol), symbol) for symbol in model.speeds),
        *(("extra state", state.name, state.symbol) for state in model.extra_states),
        *(("input", given.name, given.symbol) for given in model.inputs),
        *(("parameter", parameter.name, parameter.symbol) for parameter in model.parameters),
        *(("parameter", name, symbol) for name, symbol in arrays.items()),
        *(("reaction", reaction.name, reaction.symbol) for reaction in reactions),
        *(("output", output.name, sympy.Symbol(output.name)) for output in model.outputs),
    ]
    for kind, name, symbol in rows:
        if name not in known:
            known[name] = kind, symbol
            continue
        other, first = known[name]
        if kind == "output":
            raise ModelError(f"output {name!r} has the name of a {other}: give it another name")
        if symbol == first:
            where = f"twice among the {_plural(kind)}" if kind == other else f"as {other} and as {kind}"
            raise ModelError(f"{symbol} is listed {where}: list it once")
        raise ModelError(
            f"the {other} {first} and the {kind} {symbol} are different symbols with the same name {name!r}: rename "
            f"one, or make it once and use the same object everywhere"
        )
    for output in model.outputs:
        if not output.name:
            raise ModelError("an output has an empty name: give it one")


def _plural(kind: str) -> str:
    return "momenta" if kind == "momentum" else f"{kind}s"


def _check_values(model: Mechanism) -> None:
    """Raise ModelError unless initial values and ranges belong to states."""
    states = {state for _, state in _states(model)}
    auxiliary = getattr(model.dynamics, "auxiliary_speeds", ())
    for symbol, value in model.initial:
        if symbol in auxiliary and value:
            raise ModelError(f"initial value of {symbol}: an auxiliary speed is always zero; take it out of initial")
        if symbol not in states:
            raise ModelError(f"initial value of {excerpt(symbol)}: {_no_state(model, symbol)}")
    drawn = states | {given.symbol for given in model.inputs} | {parameter.symbol for parameter in model.parameters}
    for bounds in model.ranges:
        if bounds.symbol not in drawn:
            raise ModelError(f"range of {excerpt(bounds.symbol)}: {_no_state(model, bounds.symbol)}")
        if not bounds.low < bounds.high:
            raise ModelError(
                f"the range of {bounds.symbol} is ({bounds.low:g}, {bounds.high:g}): the first must be the smaller one"
            )


def _no_state(model: Mechanism, symbol: object) -> str:
    if isinstance(symbol, str):
        return "give the symbol itself, not its name"
    for kind, state in _states(model):
        if name_of(state) == str(getattr(symbol, "name", "")) and isinstance(symbol, sympy.Symbol):
            return f"this is a plain symbol, and the {kind} {name_of(state)} is {state}: give that object as the key"
        if str(state) == str(symbol):
            return f"this is not the {kind} {state}, but has other assumptions: give the {kind} itself as the key"
    names = ", ".join(name_of(state) for state in (*model.coordinates, *model.speeds))
    return f"it is neither a coordinate nor a speed nor an extra state of the model (those are {names})"


def _states(model: Mechanism) -> list[tuple[str, sympy.Basic]]:
    """Return what can have an initial value, and what it is called."""
    kind = "momentum" if isinstance(model.dynamics, Hamiltonian) else "speed"
    rates = [] if kind == "momentum" else [sympy.Derivative(q, model.time) for q in model.coordinates]
    speeds = set(model.speeds)
    return [
        *(("coordinate", q) for q in model.coordinates),
        *((kind, u) for u in model.speeds),
        *(("extra state", state.symbol) for state in model.extra_states),
        *(("velocity", rate) for rate in rates if rate not in speeds),
    ]


def _check_lagrangian(model: Mechanism, dynamics: Lagrangian) -> None:
    rates = tuple(sympy.Derivative(q, model.time) for q in model.coordinates)
    if model.speeds != rates:
        raise ModelError("the speeds of a Lagrangian are the time derivatives of its coordinates, in their order")
    _check_forces(model, dynamics.generalized_forces)
    check_configuration_constraints(dynamics.configuration_constraints, model.coordinates, model.speeds)
    check_velocity_constraints(dynamics.velocity_constraints, model.speeds)


def _check_hamiltonian(model: Mechanism, dynamics: Hamiltonian) -> None:
    if len(model.speeds) != len(model.coordinates):
        raise ModelError(
            f"there {are(len(model.coordinates), 'coordinate')} and "
            f"{counted(len(model.speeds), 'momentum', 'momenta')}: list one momentum for each coordinate, in the same "
            f"order"
        )
    _check_forces(model, dynamics.generalized_forces)
    rates = {sympy.Derivative(q, model.time) for q in model.coordinates}
    check_free_of(dynamics.expression, rates, "the Hamiltonian", "write it in the coordinates and momenta")


def _check_forces(model: Mechanism, forces: tuple[sympy.Expr, ...]) -> None:
    if len(forces) != len(model.coordinates):
        raise ModelError(
            f"there {are(len(forces), 'generalized force')} for {counted(len(model.coordinates), 'coordinate')}: give "
            f"one for each"
        )
