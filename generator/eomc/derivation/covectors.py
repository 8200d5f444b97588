"""What goes with q', such as momenta and generalized forces, from what goes with the speeds."""

from __future__ import annotations

from eomc.derivation.problem import Problem
from eomc.ir.graph import Rows
from eomc.model.names import name_of
from eomc.passes.differentiate import jacobian
from eomc.passes.substitute import Substitution
from eomc.solving.checks import Checks
from eomc.solving.linear import solve_general


def in_rates(problem: Problem, covectors: Rows, checks: Checks) -> Rows | None:
    """Return what goes with q', such as dT/dq', from what goes with u, such as dT/du, by dT/dq' = (du/dq')^T dT/du.

    With the kinematical differential equations E(q', u, q, t) = 0, du/dq' = -(dE/du)^-1 dE/dq': nothing is divided by
    where they are given as u = Y q' + Z; the pivot tests go to `checks`. None where q' does not determine u.
    """
    if problem.rates == problem.motion:
        return covectors
    graph = problem.graph
    equations, unknowns = problem.kinematics.equations, problem.kinematics.unknowns
    known = Substitution(graph, dict(zip(unknowns, problem.rates, strict=True)))
    by_speed = [known.all(list(column)) for column in zip(*jacobian(graph, equations, problem.motion), strict=True)]
    if problem.ranks.undetermined(by_speed) is not None:
        return None
    names = [name_of(q) for q in problem.model.coordinates]
    sides = [list(entries) for entries in zip(*covectors, strict=True)]
    solved = solve_general(graph, by_speed, sides, names, checks)
    slopes = list(zip(*jacobian(graph, equations, unknowns), strict=True))
    columns = zip(*solved.rows, strict=True)
    return [[graph.neg(graph.sum(map(graph.mul, row, column))) for row in slopes] for column in columns]
