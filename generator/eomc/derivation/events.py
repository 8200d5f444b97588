"""Events and impacts over the state: g, dg/dt along the motion, the state after a reset, what an impulse does.

A reset is written in coordinates and speeds. What is not named is kept: coordinates, extra states and the model's
speeds, from which the second half of the state follows at the coordinates after the reset. An impulse L along a gap
with the rate g' = J v + dg/dt changes v by M (v+ - v-) = J^T L + A^T L_c with A (v+ - v-) = 0, where A v + b = 0 are
the constraints; momenta change by the right side.

Source: F. Pfeiffer and C. Glocker, *Multibody Dynamics with Unilateral Contacts* (1996), chapter 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import sympy

from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.finish import Rewrite, refuse_missing_derivatives
from eomc.derivation.problem import Problem
from eomc.derivation.states import speeds_in_state
from eomc.errors import UnsupportedError
from eomc.ir.equations import EquationsOfMotion, Events, Matrix
from eomc.ir.graph import Node, Rows
from eomc.ir.program import EventKind
from eomc.ir.systems import Factorization
from eomc.model.events import Event, Impact
from eomc.model.parts import MechanicalSystem
from eomc.model.trees.tree import JointTree
from eomc.passes.differentiate import Tangents, depends_on, jacobian
from eomc.passes.substitute import Substitution
from eomc.solving.checks import Checks
from eomc.solving.ldlt import solve_positive_definite_rows
from eomc.solving.linear import solve_general


@dataclass(frozen=True, slots=True)
class Inertia:
    """What changes the motion variables v by impulses: M and the constraints; `momenta` where the state holds them."""

    matrix: Rows
    rows: ConstraintRows | None = None
    momenta: Sequence[Node] = ()  # M v + b
    sizes: Sequence[Node] | None = None  # bounds of the terms of M's diagonal, where they are known


def with_events(
    equations: EquationsOfMotion, problem: Problem, inertia: Inertia | None, rewrite: Rewrite = lambda node: node
) -> EquationsOfMotion:
    """Return the equations with what interrupts the motion.

    Parameters
    ----------
    equations
        All else, written in terms of the state.
    problem
        The model, written in its speeds or in q'.
    inertia
        Of the motion variables; None for a given Hamiltonian, and where nothing moves.
    rewrite
        Writes what holds accelerations, reactions and q' in terms of the state.

    Raises
    ------
    UnsupportedError
        The gap of an impact holds an input whose derivative is none, or impulses have no mass to act on.
    """
    given = [one.what for one in problem.model.events]
    if not given:
        return equations
    checks = Checks(problem.graph)
    events = [one for one in given if isinstance(one, Event)]
    gaps = [problem.scalars(one.gap) for one in given if isinstance(one, Impact)]
    times = [problem.scalars(one.at) for one in events if one.at is not None]
    functions = [*_event_functions(problem, events), *gaps]
    refuse_missing_derivatives(problem, [problem.rate(gap) for gap in gaps])
    functions = [rewrite(node) for node in functions]
    impulses, jumps = _impulses(problem, gaps, inertia, checks) if gaps else ([], [])
    after = _States(problem, inertia, checks).after(events) if any(one.reset for one in events) else []
    checks.rewrite(rewrite)
    made = Events(
        kinds=_kinds(problem),
        functions=tuple(functions),
        rates=tuple(_along(problem, equations).all(functions)),
        times=tuple(times),
        after=_rewritten(after, rewrite),
        impulses=_rewritten(impulses, rewrite),
        jumps=_rewritten(jumps, rewrite),
        restitution=tuple(rewrite(problem.scalars(one.restitution)) for one in given if isinstance(one, Impact)),
        checks=checks.all(),
    )
    return replace(equations, motion=replace(equations.motion, events=made))


def _kinds(problem: Problem) -> tuple[EventKind, ...]:
    made = []
    for one in problem.model.events:
        if isinstance(one.what, Impact):
            made.append(EventKind(one.name, True, False, 0, True, True, False, f"gap of {one.name}"))
            continue
        event, timed = one.what, one.what.at is not None
        way = "falls or rises" if event.falling and event.rising else "falls" if event.falling else "rises"
        text = "t less its time" if timed else f"happens where this {way} through zero"
        ends_at = event.count if event.stop else 0
        made.append(EventKind(one.name, event.falling, event.rising, ends_at, bool(event.reset), False, timed, text))
    return tuple(made)


def _event_functions(problem: Problem, events: Sequence[Event]) -> list[Node]:
    graph, t = problem.graph, problem.symbols.t
    return [
        graph.sub(t, problem.scalars(event.at)) if event.at is not None else problem.scalars(event.expression)
        for event in events
    ]


def _along(problem: Problem, equations: EquationsOfMotion) -> Tangents:
    """Return the time derivative along the motion; inputs whose derivatives are no inputs count as held."""
    graph, outside = problem.graph, problem.outside_rates
    states = [graph.symbol(state.symbol) for state in equations.states]
    signals = {
        node: outside.of[node] for node in problem.symbols.signals if outside.of.get(node) not in outside.missing
    }
    return Tangents(
        graph,
        {problem.symbols.t: graph.one, **signals, **dict(zip(states, equations.motion.derivative, strict=True))},
    )


def _rewritten(matrix: Sequence[Sequence[Node]], rewrite: Rewrite) -> Matrix:
    return tuple(tuple(map(rewrite, row)) for row in matrix)


# -- impulses ----------------------------------------------------------------------------------------------------------


def _impulses(problem: Problem, gaps: Sequence[Node], inertia: Inertia | None, checks: Checks) -> tuple[Rows, Rows]:
    """Return W and the jumps of the second half of the state."""
    if inertia is None:
        return _impulses_of_momenta(problem, gaps)
    graph = problem.graph
    directions = jacobian(graph, [problem.rate(gap) for gap in gaps], problem.motion)
    columns = _moved(problem, inertia, directions, checks)
    impulses = [[_product(problem, row, column) for column in zip(*columns, strict=True)] for row in directions]
    if not inertia.momenta:
        return impulses, columns
    jumps = [[_product(problem, row, column) for column in zip(*columns, strict=True)] for row in inertia.matrix]
    return impulses, jumps


def _moved(problem: Problem, inertia: Inertia, directions: Rows, checks: Checks) -> Rows:
    """Return M^-1 J^T under the constraints, by rows of the motion variables."""
    graph, names = problem.graph, problem.motion_names
    right = [list(column) for column in zip(*directions, strict=True)]
    rows = inertia.rows
    if rows:
        nothing = [[graph.zero] * len(directions) for _ in rows.jacobian]
        form = Factorization(problem.options.constraints)
        labels = [*names, *rows.names]
        return graph.solve_constrained(form, inertia.matrix, rows.jacobian, [*right, *nothing], labels)[0]
    bodies = isinstance(problem.model.dynamics, (MechanicalSystem, JointTree))
    if not bodies and not problem.ranks.is_positive_definite(inertia.matrix):
        raise UnsupportedError(f"{problem.model.name}: impacts need a kinetic energy that is positive for any motion")
    return solve_positive_definite_rows(graph, inertia.matrix, right, names, checks, inertia.sizes).rows


def _impulses_of_momenta(problem: Problem, gaps: Sequence[Node]) -> tuple[Rows, Rows]:
    """Return W = J d2H/dp2 J^T and the jumps J^T of a given Hamiltonian."""
    graph, momenta = problem.graph, problem.motion
    directions = jacobian(graph, gaps, problem.q)
    mobility = jacobian(graph, problem.rates, momenta)
    if depends_on(graph, [entry for row in mobility for entry in row], momenta):
        raise UnsupportedError(f"{problem.model.name}: impacts need a Hamiltonian that is quadratic in the momenta")
    columns = [[_product(problem, row, direction) for direction in directions] for row in mobility]
    impulses = [[_product(problem, row, column) for column in zip(*columns, strict=True)] for row in directions]
    return impulses, [list(column) for column in zip(*directions, strict=True)]


def _product(problem: Problem, row: Sequence[Node], column: Sequence[Node]) -> Node:
    return problem.graph.sum(map(problem.graph.mul, row, column))


# -- resets ------------------------------------------------------------------------------------------------------------


class _States:
    """States after resets, over q and the motion variables before them."""

    def __init__(self, problem: Problem, inertia: Inertia | None, checks: Checks) -> None:
        self._problem = problem
        self._checks = checks
        self._momenta = list(inertia.momenta) if inertia else []
        self._speeds = speeds_in_state(problem.model)
        self._leaves = tuple(map(problem.scalars, self._speeds))
        self._second = problem.motion  # over these
        if self._leaves != problem.motion:  # the state holds q', and the model has other speeds
            self._leaves = problem.kinematics.unknowns
            self._second = tuple(self._rates_of_speeds())

    def _rates_of_speeds(self) -> Sequence[Node]:
        """Return q' of the speeds' leaves, by the kinematical equations."""
        problem, graph = self._problem, self._problem.graph
        kinematics = problem.kinematics
        matrix = jacobian(graph, kinematics.equations, kinematics.motion)
        right = [[graph.neg(rest)] for rest in problem.still.all(kinematics.equations)]
        return solve_general(graph, matrix, right, problem.motion_names, self._checks).column

    def after(self, events: Sequence[Event]) -> Rows:
        """Return the state after each event."""
        return [self._after(dict(event.reset)) for event in events]

    def _after(self, reset: Mapping[sympy.Expr, sympy.Expr]) -> list[Node]:
        problem, model = self._problem, self._problem.model
        values = {symbol: problem.scalars(value) for symbol, value in reset.items()}
        q = [values.get(symbol, node) for symbol, node in zip(model.coordinates, problem.q, strict=True)]
        extra = [
            values.get(one.symbol, node) for one, node in zip(model.extra_states, problem.symbols.extra, strict=True)
        ]
        speeds = [values.get(u, problem.scalars(u)) for u in self._speeds]
        return [*q, *self._second_half(q, speeds, extra), *extra]

    def _second_half(self, q: list[Node], speeds: list[Node], extra: list[Node]) -> list[Node]:
        """Return the second half of the state at other coordinates, speeds and extra states."""
        problem, graph = self._problem, self._problem.graph
        held = speeds == list(map(problem.scalars, self._speeds))
        places = {
            **dict(zip(problem.q, q, strict=True)),
            **dict(zip(problem.symbols.extra, extra, strict=True)),
        }
        changed = {node: value for node, value in places.items() if node != value}
        if held and not depends_on(graph, [*self._second, *self._momenta], changed):
            return list(problem.symbols.second_half)
        moved = {**changed, **{leaf: u for leaf, u in zip(self._leaves, speeds, strict=True) if leaf != u}}
        second = Substitution(graph, moved).all(self._second)
        if not self._momenta:
            return second
        rates = {leaf: rate for leaf, rate in zip(problem.motion, second, strict=True) if leaf != rate}
        return Substitution(graph, {**changed, **rates}).all(self._momenta)
