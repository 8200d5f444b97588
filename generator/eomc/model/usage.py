"""Every symbol in a model has a value, and every value has a use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from eomc.errors import ModelError
from eomc.model.arrays import is_element
from eomc.model.definitions import definition
from eomc.model.following import accelerations_of, check_following_loads
from eomc.model.mechanism import Mechanism
from eomc.model.names import name_of
from eomc.model.parts import Lagrangian, MechanicalSystem
from eomc.model.place import Place, Role
from eomc.model.places import marginal_places, places
from eomc.model.times import other_time
from eomc.model.trees.measures import ACCELERATIONS, Component
from eomc.model.trees.tree import JointTree
from eomc.model.vocabulary import excerpt, refusal
from eomc.model.walking import Seen, distinct_nodes, is_time_function, mentions

_ACCELERATED = frozenset({Role.ACCELERATION, Role.LOAD, Role.RATE, Role.OUTPUT})
_LISTED = 6  # symbols without a value whose places one message tells


class _Usage:
    """What the expressions of a model use, collected in one pass over their distinct nodes."""

    def __init__(self, model: Mechanism) -> None:
        self.model = model
        self.time = model.time
        self.accelerating = {*model.coordinates, *model.speeds, *(state.symbol for state in model.extra_states)}
        self.second = accelerations_of(model)
        held = model.dynamics.reactions if isinstance(model.dynamics, MechanicalSystem) else ()
        self.reactions: set[sympy.Basic] = {reaction.symbol for reaction in held}
        self.accelerated = False  # whether a load, an output or the rate of an extra state holds u' or q''
        moving = [z for z in model.extra_states if not z.mode]
        self.extra_rates = {sympy.Derivative(z.symbol, model.time) for z in moving}
        self.known: set[sympy.Basic] = {
            *self.reactions,
            *self.accelerating,
            *(sympy.Derivative(q, model.time) for q in model.coordinates),
            *(given.symbol for given in model.inputs),
            *(parameter.symbol for parameter in model.parameters if parameter.given),
            model.time,
        }
        self.seen = Seen()
        self.used: set[sympy.Basic] = set()
        self.moving: set[sympy.Basic] = set()  # time functions in motion: the derivation uses their derivatives too
        self.missing: dict[sympy.Basic, str] = {}  # and where it stands
        self.rates: dict[sympy.Basic, int] = {}  # of the missing ones, whose derivatives the accelerations need too
        self.codes: dict[str, Callable[..., Any]] = {}  # of implemented functions, by name

    def visit(self, place: Place) -> None:
        """Take in one expression that needs a value, with what the functions in it stand for."""

        def meaning(node: sympy.Basic) -> sympy.Basic | None:
            return None if node in self.known else self._meaning(node, place)

        for node in distinct_nodes([place.expression], self.seen, meaning):
            if isinstance(node, (sympy.Symbol, AppliedUndef, sympy.Derivative)) or is_element(node):
                self._leaf(node, place)
            elif text := refusal(node):
                raise ModelError(f"{place.label}: {text}")

    def _meaning(self, node: sympy.Basic, place: Place) -> sympy.Basic | None:
        """Return what a function stands for; one name means one function, for SymPy takes them to be equal."""
        try:
            meaning = definition(node)
        except ModelError as error:
            raise ModelError(f"{place.label}: {error}") from error.__cause__
        code = getattr(node, "_imp_", None)
        if code is not None and self.codes.setdefault(node.func.__name__, code) is not code:
            raise ModelError(
                f"{place.label}: there are two functions {node.func.__name__} with different implementations, which "
                f"SymPy takes for one: give them different names"
            )
        return meaning

    def _leaf(self, node: sympy.Basic, place: Place) -> None:
        if isinstance(node, Component):
            self._component(node, place)
        elif node in self.known:
            self.used.add(node)
            if node in self.reactions and place.role in (Role.MOTION, Role.ACCELERATION):
                raise ModelError(f"{place.label} contains the reaction {node}: a reaction belongs in loads")
            if place.role is Role.MOTION:
                self.moving.add(node.expr if isinstance(node, sympy.Derivative) else node)
        elif isinstance(node, sympy.Derivative):
            self._derivative(node, place)
        elif isinstance(node, AppliedUndef) and not is_time_function(node, self.time):
            if text := other_time(self.model, node):
                raise ModelError(f"{place.label}: {text}")
            raise ModelError(
                f"{place.label}: the undefined function {excerpt(node)} is not supported: write out what it stands "
                f"for, or give it an implementation by implemented_function"
            )
        else:
            self._miss(node, place)

    def _component(self, node: Component, place: Place) -> None:
        """Take in a component of a measure, which has a value wherever the tree is that of the model."""
        dynamics = self.model.dynamics
        if not isinstance(dynamics, JointTree) or node.args != (self.time,):
            raise ModelError(f"{place.label} holds {node}, a measure of a tree of joints that is not this model's")
        if node.measure.kind in ACCELERATIONS:
            if place.role not in (Role.RATE, Role.OUTPUT):
                raise _determined(node, place)
            self.accelerated = True

    def _miss(self, node: sympy.Basic, place: Place) -> None:
        self.missing.setdefault(node, place.label)
        if not _is_constant(node):
            self.rates[node] = max(place.rates, self.rates.get(node, 0))

    def _derivative(self, node: sympy.Derivative, place: Place) -> None:
        if not is_time_function(node.expr, self.time) or set(node.variables) != {self.time}:
            if text := other_time(self.model, node):
                raise ModelError(f"{place.label}: {text}")
            raise ModelError(
                f"{place.label}: {excerpt(node)} cannot be carried out: write out the derivative, or make the symbols "
                f"in it real, as in dynamicsymbols('x', real=True)"
            )
        if isinstance(node.expr, Component):
            raise ModelError(f"{place.label}: no measure is the time derivative of {node.expr}: write it without")
        of_output = node in self.extra_rates and place.role is Role.OUTPUT
        if of_output or (node in self.second and place.role in _ACCELERATED):
            self.accelerated = True
            return
        if node.expr in self.accelerating:
            raise _determined(node, place)
        self._miss(node, place)

    def refuse_misplaced(self, every: Iterable[Place]) -> None:
        """Refuse u', q'' and z' where they have no meaning; what a load may hold was not looked at again elsewhere."""
        seen = {role: Seen() for role in Role}
        rates = {state.symbol for state in self.model.extra_states if mentions(state.rate, self.second)}
        for place in every:
            known = {*(() if place.role in _ACCELERATED else self.second), *self.extra_rates}
            if place.role is Role.OUTPUT:
                continue
            for node in distinct_nodes([place.expression], seen[place.role], self._known_meaning):
                if node in known:
                    raise _determined(node, place)
                if node in rates and place.role is Role.MOTION:
                    raise ModelError(
                        f"{place.label} contains {node}, whose rate contains accelerations: these would then depend "
                        f"on themselves; write the rate of {node} in coordinates, speeds and time"
                    )

    def _known_meaning(self, node: sympy.Basic) -> sympy.Basic | None:
        return None if node in self.known else definition(node)

    def missing_with_rates(self) -> dict[sympy.Basic, str]:
        """Return what has no value; so do derivatives that the accelerations will hold."""
        whole: dict[sympy.Basic, str] = {}
        dynamics = self.model.dynamics
        momenta = [dynamics.expression.diff(u) for u in self.model.speeds] if isinstance(dynamics, Lagrangian) else []
        for node, label in self.missing.items():
            whole.setdefault(node, label)
            rates = self.rates.get(node, 0)
            for _ in range(max(rates, node in self.rates and any(p.has(node) for p in momenta))):
                node = node.diff(self.time)
                if node not in self.known and node not in self.missing:
                    whole.setdefault(node, "its time derivative")
        return whole


def _determined(node: sympy.Basic, place: Place) -> ModelError:
    return ModelError(
        f"{place.label} contains {node}, which the equations of motion determine: it may not be used here; write it "
        f"in coordinates, speeds and time (loads, outputs and rates of extra states may hold u' and q'')"
    )


@dataclass(frozen=True, slots=True)
class Loose:
    """What hangs loose in a model: symbols that need no value and have none, parameters and inputs of no use."""

    idle: tuple[sympy.Symbol, ...]
    unused: tuple[sympy.Basic, ...]


def check_usage(model: Mechanism, ignore_unused: bool) -> Loose:
    """Raise ModelError for unsupported functions, symbols without a value, and parameters and inputs without a use.

    Parameters
    ----------
    model
        The model.
    ignore_unused
        Parameters and inputs without a use are no mistake.
    """
    usage = _Usage(model)
    found = [*places(model), *marginal_places(model)]
    for place in found:
        if place.needed:
            usage.visit(place)
    needed = set(usage.missing)
    for place in found:
        if not place.needed:
            usage.visit(place)
    if usage.accelerated:
        usage.refuse_misplaced(found)
        check_following_loads(model)
    idle = [symbol for symbol in usage.missing if symbol not in needed and isinstance(symbol, sympy.Symbol)]
    for symbol in idle:
        del usage.missing[symbol]
    if usage.missing:
        raise _missing(usage)
    arrays = {parameter.array for parameter in model.parameters if parameter.symbol in usage.used}
    single = (p.symbol for p in model.parameters if not p.array or p.array not in arrays)
    listed = [*single, *(given.symbol for given in model.inputs)]
    unused = tuple(symbol for symbol in listed if not _is_used(symbol, usage))
    if unused and not ignore_unused:
        names = ", ".join(map(str, unused))
        is_, them = ("is", "it") if len(unused) == 1 else ("are", "them")
        raise ModelError(
            f"{names} {is_} listed among the parameters and inputs but {is_} used nowhere: take {them} out, or look "
            f'for a misspelling, or pass unused="ignore"'
        )
    return Loose(tuple(idle), unused)


def _is_used(symbol: sympy.Basic, usage: _Usage) -> bool:
    base = symbol.expr if isinstance(symbol, sympy.Derivative) else symbol
    return symbol in usage.used or base in usage.moving


def _is_constant(node: sympy.Basic) -> bool:
    return isinstance(node, sympy.Symbol) or is_element(node)


def _missing(usage: _Usage) -> ModelError:
    """Return the error on symbols without a value, with the whole lines that give them one."""
    items = list(usage.missing_with_rates().items())
    names = ", ".join(f"{symbol} ({label})" for symbol, label in items[:_LISTED])
    names += f" and {len(items) - _LISTED} more" if len(items) > _LISTED else ""
    constants = [symbol for symbol, _ in items if _is_constant(symbol)]
    signals = [symbol for symbol, _ in items if not _is_constant(symbol)]
    lines = []
    if constants:
        lines.append("parameters={" + ", ".join(f"{symbol}: 1.0" for symbol in constants) + "}")
    if signals:
        lines.append("inputs=[" + ", ".join(map(str, signals)) + "]")
    twins = {name_of(symbol) for symbol in usage.known}
    twin = next((symbol for symbol, _ in items if name_of(symbol) in twins), None)
    if twin is not None:
        return ModelError(
            f"no value for {names}: {twin} has the name of a listed symbol but other assumptions (such as real=True) "
            f"or another kind; use one and the same object everywhere"
        )
    dynamics = usage.model.dynamics
    held = isinstance(dynamics, MechanicalSystem) and dynamics.auxiliary_speeds and not dynamics.reactions
    unknown = "; what holds the auxiliary speeds belongs in reactions=[...]" if held else ""
    error = ModelError(f"no value for {names}: add {' and '.join(lines)}{unknown}")
    error.remedy = ", ".join(lines)
    return error
