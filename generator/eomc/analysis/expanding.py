"""Whose equations of motion the power series of a run are made of: those with the fewest products of series.

What a further order costs grows with the products of two series, and these with the form of the equations. The rates
x' = f(t, x, r, p) are the same function whoever derives them where nothing constrains the motion, M has an inverse, and
the state is the same: Kane's and Gibbs and Appell's always, Lagrange's where each speed is the rate of one coordinate,
as the kinematical equations say it without a further term or factor. Under constraints forms differ away from them,
where rounding takes a run, and what reactions feed is solved along with them: the form stays the one that was given.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace

from eomc.derivation.derive import derive
from eomc.derivation.methods import able_by_counts, choose_method
from eomc.derivation.methods.record import Derivation
from eomc.derivation.options import Options
from eomc.errors import EomcError, UnsupportedError
from eomc.expansions import FORMS
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.graph import Node
from eomc.ir.method import Method, SecondHalf
from eomc.ir.program import Function
from eomc.ir.symbols import Role, Symbol
from eomc.model.model import Model
from eomc.passes.transplant import transplant
from eomc.programs.series import Expanded, expanded

MOST = 3_000
"""Nodes of a derivation beyond which no other is tried: a choice is worth no long wait."""


def expand(
    model: Model, equations: EquationsOfMotion, options: Options, form: str = "", *, freely: bool = True
) -> Expanded:
    """Return the power series of the motion.

    Parameters
    ----------
    model, equations, options
        The model, its equations of motion, and how constraints are met in them.
    form
        The method whose equations are expanded; "" for a choice.
    freely
        Whether there is a choice; else the equations are expanded as they are.

    Raises
    ------
    UnsupportedError
        A rate has no power series; or the equations of the method that is named have another state.
    """
    own = equations.method
    found = [(equations, expanded(equations))]
    reason = _why_alone(model, equations)
    if form not in ("", own.name):
        if reason:
            raise UnsupportedError(f"{model.name}: taylor:{form}: {reason}; taylor expands the equations of {own.name}")
        other = derive(model, choose_method(model, form), None, options)
        if _places(equations, other) is None:
            raise UnsupportedError(
                f"{model.name}: taylor:{form}: the state of {form} is not that of {own.name}, whose speeds are not the "
                f"rates of coordinates one by one: compile it by {form}"
            )
        found = [(other, expanded(other))]
    elif freely and not form and not reason and found[0][1].count and len(equations.graph) <= MOST:
        others = [method for method in able_by_counts(model) if method.name in FORMS and method.name != own.name]
        if not {*_second_half(equations)} <= {*equations.motion.rates} and own.second is SecondHalf.SPEEDS:
            others = [method for method in others if method.second is own.second]
        found += [pair for pair in _tried(model, others, options) if _places(equations, pair[0]) is not None]
    found.sort(key=lambda pair: pair[1].count)  # of equal ones the first, which is the model's own
    chosen, series = found[0]
    counts = tuple(one.products[0] for _, one in found)
    return Expanded(_on(equations, chosen, series.functions), series.authors, counts)


def cheaper_state(
    model: Model, equations: EquationsOfMotion, options: Options, products: int
) -> tuple[Method, int] | None:
    """Return the method of other rates that saves a fifth of so many products of series, and how many it has; or None.

    That is for the user to choose: it has another state, or leaves the constraints in another way.
    """
    if not products or len(equations.graph) > MOST or model.is_first_order:
        return None
    alone = bool(_why_alone(model, equations))
    others = [method for method in able_by_counts(model) if method.name != equations.method.name]
    counts = [
        (other.method, series.count)
        for other, series in _tried(model, others, options)
        if alone or _places(equations, other) is None
    ]
    best = min(counts, key=lambda pair: pair[1], default=None)
    return best if best is not None and 5 * best[1] <= 4 * products else None


def _tried(
    model: Model, methods: Iterable[Derivation], options: Options
) -> Iterator[tuple[EquationsOfMotion, Expanded]]:
    """Yield the equations of those methods that derive them, with their power series."""
    for method in methods:
        try:
            with warnings.catch_warnings(action="ignore"):  # they are the model's, and were given
                equations = derive(model, method, None, options)
            yield equations, expanded(equations)
        except EomcError:  # it was not asked for
            continue


def _why_alone(model: Model, equations: EquationsOfMotion) -> str:
    """Return why no other equations have the same rates everywhere, "" where some may."""
    if model.is_first_order:
        return "a system of first order is as it is given"
    if equations.method.second is SecondHalf.MOMENTA:
        return "the state holds momenta"
    if model.is_constrained:
        return "away from the constraints, where rounding takes a run, other equations have other rates"
    if equations.constraints.reactions_act:
        return "loads follow reactions, which each method finds in its own way"
    return ""


def _places(own: EquationsOfMotion, other: EquationsOfMotion) -> tuple[int, ...] | None:
    """Return where each state of other equations stands in one's own; None where some is no state there."""
    if (own.inputs, own.parameters, len(own.states)) != (other.inputs, other.parameters, len(other.states)):
        return None
    by_name = own.method.second is other.method.second
    wanted, places = _meanings(other, by_name), {one: place for place, one in enumerate(_meanings(own, by_name))}
    return tuple(map(places.__getitem__, wanted)) if set(wanted) == set(places) else None


def _meanings(equations: EquationsOfMotion, by_name: bool) -> list[str]:
    """Return the name of each state; or else, of one that is the rate of a coordinate and nothing more, what it is."""
    meanings = [state.symbol.name for state in equations.states]
    if by_name:
        return meanings
    rates = dict(zip(equations.motion.rates, meanings, strict=False))
    for place, leaf in enumerate(_second_half(equations), len(equations.motion.rates)):
        meanings[place] = f"{rates[leaf]}'" if leaf in rates else f"{meanings[place]} alone"
    return meanings


def _second_half(equations: EquationsOfMotion) -> list[Node]:
    """Return the leaves of what follows the coordinates, without extra states."""
    motion = equations.motion
    first = len(motion.rates)
    states = equations.states[first : first + len(motion.accelerations)]
    return [equations.graph.symbol(state.symbol) for state in states]


def _on(own: EquationsOfMotion, other: EquationsOfMotion, functions: tuple[Function, ...]) -> tuple[Function, ...]:
    """Return functions of other equations over one's own state, on one's own graph."""
    if other is own:
        return functions
    places = _places(own, other)
    assert places is not None
    renamed = {}
    for place, state in zip(places, other.states, strict=True):
        for role in (Role.STATE, Role.TERM):
            there = Symbol(role, state.symbol.index, state.symbol.name)
            renamed[there] = Symbol(role, place, own.states[place].symbol.name)
    first = len(other.motion.rates)
    labels = (own.motion.labels[place - first] for place in places[first:])
    names = dict(zip(other.motion.labels, labels, strict=False))
    order = sorted(range(len(places)), key=places.__getitem__)
    written = []
    for function in transplant(other.graph, functions, own.graph, renamed):
        rates, rest = function.outputs[: len(places)], function.outputs[len(places) :]
        checks = tuple(replace(check, label=names.get(check.label, check.label)) for check in function.checks)
        written.append(replace(function, outputs=(*(rates[i] for i in order), *rest), checks=checks))
    return tuple(written)
