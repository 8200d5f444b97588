"""u' and q'' in what users write: symbols of the graph until the motion is known.

With u' as symbols, the time derivative of x(q, u, t) is its rate at constant u plus the sum of dx/du_r u'_r: so q'' is
known where the motion is written in speeds, and u' where it is written in q'.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import sympy

from eomc.derivation.problem import Problem
from eomc.derivation.states import speeds_in_state
from eomc.ir.graph import Node
from eomc.passes.substitute import Substitution


def define_accelerations(problem: Problem) -> None:
    """Let expressions hold u', q'' and z'; their nodes are made where one does."""
    model, scalars = problem.model, problem.scalars
    for u in speeds_in_state(model):
        scalars.define_later(u, 1, partial(_u_dot, problem, u, 0))
    for q in model.coordinates:
        scalars.define_later(q, 2, partial(_u_dot, problem, q, 1))
    for z in model.extra_states:
        scalars.define_later(z.symbol, 1, partial(scalars, z.rate))


def _u_dot(problem: Problem, function: sympy.Expr, order: int) -> Node:
    """Return the time derivative of a time derivative of a coordinate or motion variable."""
    node = problem.scalars(sympy.Derivative(function, (problem.model.time, order)))
    graph, u_dots = problem.graph, problem.u_dots
    if node in problem.motion:
        return u_dots[problem.motion.index(node)]
    terms = (graph.mul(slope(node), u_dot) for slope, u_dot in zip(problem.partials, u_dots, strict=True))
    return graph.add(problem.rate(node), graph.sum(terms))


def at_no_acceleration(problem: Problem) -> Substitution:
    """Return what is left of nodes where the motion variables do not change."""
    return Substitution(problem.graph, dict.fromkeys(problem.u_dots, problem.graph.zero))


def put_accelerations(problem: Problem, accelerations: Sequence[Node]) -> Callable[[Node], Node]:
    """Return how to write nodes that hold u' by the accelerations that the equations of motion give."""

    @cache
    def put() -> Substitution:
        return Substitution(problem.graph, dict(zip(problem.u_dots, accelerations, strict=True)))

    return lambda node: put()(node) if problem.has_u_dots else node
