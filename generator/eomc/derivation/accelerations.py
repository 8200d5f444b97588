"""u' and q'' in what users write: symbols of the graph until the motion is known.

With u' as symbols, the time derivative of x(q, u, t) is its rate at constant u plus the sum of dx/du_r u'_r: so q'' is
known where the motion is written in speeds, and u' where it is written in q'.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import sympy

from eomc.derivation.problem import Problem
from eomc.derivation.states import speeds_in_state
from eomc.ir.graph import Node
from eomc.passes.substitute import Substitution

__all__ = ["at_no_acceleration", "define_accelerations", "put_accelerations"]


def define_accelerations(problem: Problem) -> None:
    """Let expressions hold u', q'' and z'; their nodes are made where one does."""
    model, scalars = problem.model, problem.scalars
    for u in speeds_in_state(model):
        scalars.define_later(u, 1, partial(_growth, problem, u))
    for q in model.coordinates:
        scalars.define_later(q, 2, partial(_growth, problem, sympy.Derivative(q, model.time)))
    for z in model.extra_states:
        scalars.define_later(z.symbol, 1, partial(scalars, z.rate))


def _growth(problem: Problem, expression: sympy.Expr) -> Node:
    """Return the time derivative of what holds coordinates and motion variables."""
    graph, growths, node = problem.graph, problem.growths, problem.scalars(expression)
    if node in problem.motion:
        return growths[problem.motion.index(node)]
    terms = (graph.mul(slope(node), growth) for slope, growth in zip(problem.partials, growths, strict=True))
    return graph.add(problem.rate(node), graph.sum(terms))


def at_no_acceleration(problem: Problem) -> Substitution:
    """Return what is left of nodes where the motion variables do not change."""
    return Substitution(problem.graph, dict.fromkeys(problem.growths, problem.graph.zero))


def put_accelerations(problem: Problem, accelerations: Sequence[Node]) -> Callable[[Node], Node]:
    """Return how to write nodes that hold u' by the accelerations that the equations of motion give."""
    made: list[Substitution] = []

    def put(node: Node) -> Node:
        if not problem.has_growths:
            return node
        if not made:
            made.append(Substitution(problem.graph, dict(zip(problem.growths, accelerations, strict=True))))
        return made[0](node)

    return put
