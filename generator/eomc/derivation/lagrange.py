"""Lagrange's equations d/dt dL/dq' - dL/dq = Q as M q'' = f, over the graph.

The momenta p = dL/dq' come from one reverse sweep over L; M = dp/dq' from forward sweeps over p; and
f = Q + dL/dq - (dp/dq) q' - dp/dt, whose last two terms are one forward sweep along (q', 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.added_inertia import equation_matrix, solve_equations
from eomc.derivation.constrained import ConstrainedMotion, solve_motion, solved_motion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.mass_matrix import mirrored
from eomc.derivation.problem import Problem
from eomc.errors import DerivationError
from eomc.ir.graph import Node, Rows
from eomc.model.names import name_of
from eomc.model.parts import MechanicalSystem
from eomc.passes.differentiate import depends_on, gradient, jacobian
from eomc.solving.solution import Solution


@dataclass(frozen=True, slots=True)
class KineticForm:
    """What L (or T alone) brings: itself, p = dL/dq', and M = dp/dq'."""

    lagrangian: Node
    momenta: list[Node]
    mass_matrix: Rows


def kinetic_form(problem: Problem, lagrangian: Node) -> KineticForm:
    """Return p = dL/dq' by a reverse sweep and M = dp/dq' by forward sweeps (the lower triangle is mirrored)."""
    momenta = gradient(problem.graph, lagrangian, problem.motion)
    return KineticForm(lagrangian, momenta, mirrored(jacobian(problem.graph, momenta, problem.motion)))


def quadratic_form(problem: Problem, matrix: Rows) -> KineticForm:
    """Return T = q'.M q'/2 of a scleronomic system with p = M q'."""
    graph, rates = problem.graph, problem.motion
    n = len(rates)
    filled = [[(j, m) for j, m in enumerate(row) if m != graph.zero] for row in matrix]
    momenta = [graph.sum([graph.mul(m, rates[j]) for j, m in row]) for row in filled]
    squares = graph.sum(graph.mul(matrix[i][i], graph.powi(rates[i], 2)) for i in range(n))
    mixed = graph.sum(
        [graph.mul(m, graph.mul(rates[i], rates[j])) for i, row in enumerate(filled) for j, m in row if j < i]
    )
    return KineticForm(graph.add(graph.div(squares, graph.constant(2)), mixed), momenta, matrix)


def lagrange_forcing(problem: Problem, form: KineticForm, forces: Sequence[Node]) -> list[Node]:
    """Return f = Q + dL/dq - d/dt(dL/dq') without q''."""
    graph = problem.graph
    slopes = gradient(graph, form.lagrangian, problem.q)
    return [
        graph.add(force, graph.sub(slope, problem.rate(momentum)))
        for force, slope, momentum in zip(forces, slopes, form.momenta, strict=True)
    ]


def refuse_no_inertia(problem: Problem, matrix: Rows) -> None:
    """Refuse a mass matrix that is singular everywhere, naming the coordinate without inertia."""
    names = [name_of(q) for q in problem.model.coordinates]
    for row, name in zip(matrix, names, strict=True):
        if set(row) == {problem.graph.zero}:
            raise DerivationError(f"{problem.model.name}: {_no_inertia(name)}")
    weakest = problem.ranks.undetermined(matrix)
    if weakest is not None:
        raise DerivationError(f"{problem.model.name}: {_no_inertia(names[weakest])}")


def _no_inertia(name: str) -> str:
    return (
        f"the mass matrix is singular: coordinate {name} has no inertia "
        f"(the kinetic energy is not quadratic in {name}'); give it mass, or make it an extra state"
    )


def solve_mass_matrix(problem: Problem, matrix: Rows, right: Sequence[Node]) -> tuple[Solution, str]:
    """Return x with M x = right, and what solves it, for a comment.

    That is L D L^T, but for a Lagrangian whose M is regular and not positive definite (L = x'y' - x y).

    Raises
    ------
    DerivationError
        M is singular by its structure.
    """
    names = [name_of(q) for q in problem.model.coordinates]
    definite = isinstance(problem.model.dynamics, MechanicalSystem) or problem.ranks.is_positive_definite(matrix)
    found, solver = solve_equations(problem, matrix, right, names, definite, _no_inertia)
    return found, solver if definite else "elimination (M is not positive definite)"


def solve_lagrange(problem: Problem, inertia: Rows, forcing: list[Node], rows: ConstraintRows) -> ConstrainedMotion:
    """Return q'' of M q'' = f, or of M q'' + J^T lambda = f under constraints.

    Raises
    ------
    DerivationError
        A coordinate has no inertia, and no constraint determines it.
    """
    equations = equation_matrix(problem, inertia, forcing)
    if rows:
        return solve_motion(problem, equations, rows, [], no_inertia_of)
    refuse_no_inertia(problem, equations.entries)
    names = [name_of(q) for q in problem.model.coordinates]
    if equations.has_loads:
        definite = equations.is_definite
        found, solver = solve_equations(problem, equations.entries, equations.forcing, names, definite, no_inertia_of)
    else:
        found, solver = solve_mass_matrix(problem, inertia, forcing)
    return solved_motion(problem.graph, equations, names, found.column, solver, found.steps)


def no_inertia_of(name: str) -> str:
    """Say that neither inertia nor a constraint determines a coordinate."""
    return f"the mass matrix is singular: {name} has neither inertia nor a constraint that determines it; give it mass"


def is_velocity_dependent(problem: Problem, matrix: Rows) -> bool:
    """Whether a mass matrix d2L/dq'2 depends on q': L is then not quadratic in q'."""
    return bool(depends_on(problem.graph, [entry for row in matrix for entry in row], problem.motion))


def refuse_velocity_dependent(problem: Problem, matrix: Rows) -> None:
    """Hamilton's q' from p is a linear solve only when L is quadratic in q'."""
    if is_velocity_dependent(problem, matrix):
        raise DerivationError(
            f"{problem.model.name}: the kinetic energy is not quadratic in the generalized velocities, "
            "so q' is no linear function of the momenta; use lagrange"
        )
