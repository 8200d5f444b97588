"""Lagrange's equations d/dt dL/dq' - dL/dq = Q as M q'' = f, over the graph.

The momenta p = dL/dq' come from one reverse sweep over L; M = dp/dq' from forward sweeps over p; and
f = Q + dL/dq - (dp/dq) q' - dp/dt, whose last two terms are one forward sweep along (q', 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.problem import Problem, weakest_unknown
from eomc.errors import DerivationError
from eomc.ir.graph import Node
from eomc.model.names import name_of
from eomc.passes.differentiate import depends_on, gradient, jacobian

__all__ = ["LagrangeEquations", "derive_lagrange", "momenta_of", "refuse_no_inertia"]


@dataclass(frozen=True, slots=True)
class LagrangeEquations:
    """M q'' = f, with the momenta on the way."""

    mass_matrix: list[list[Node]]
    forcing: list[Node]
    momenta: list[Node]


def momenta_of(problem: Problem, lagrangian: Node) -> tuple[list[Node], list[list[Node]]]:
    """Return p = dL/dq' and M = dp/dq', symmetric by construction (the lower triangle is mirrored).

    Raises
    ------
    DerivationError
        The mass matrix is singular; the message names the coordinate without inertia.
    """
    graph = problem.graph
    momenta = gradient(graph, [(lagrangian, graph.one)], problem.motion)
    matrix = jacobian(graph, momenta, problem.motion)
    n = len(momenta)
    matrix = [[matrix[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
    refuse_no_inertia(problem, matrix)
    return momenta, matrix


def derive_lagrange(problem: Problem, lagrangian: Node, forces: Sequence[Node]) -> LagrangeEquations:
    """Derive Lagrange's equations of the second kind from L(q, q', t) and the generalized forces Q.

    Raises
    ------
    DerivationError
        The mass matrix is singular.
    """
    graph = problem.graph
    momenta, matrix = momenta_of(problem, lagrangian)
    slopes = gradient(graph, [(lagrangian, graph.one)], problem.q)
    forcing = [
        graph.add(force, graph.sub(slope, problem.rate(momentum)))
        for force, slope, momentum in zip(forces, slopes, momenta, strict=True)
    ]
    return LagrangeEquations(matrix, forcing, momenta)


def refuse_no_inertia(problem: Problem, matrix: list[list[Node]]) -> None:
    """A mass matrix singular at two random states is singular: say which coordinate has no inertia."""
    names = [name_of(q) for q in problem.model.coordinates]
    for row, name in zip(matrix, names, strict=True):
        if all(problem.graph.is_zero(entry) for entry in row):
            raise DerivationError(_no_inertia(problem, name))
    for seed in (3, 4):
        sample = problem.sample(seed)
        weakest = weakest_unknown([[sample[entry] for entry in row] for row in matrix])
        if weakest is None:
            return
    raise DerivationError(_no_inertia(problem, names[weakest]))


def _no_inertia(problem: Problem, name: str) -> str:
    return (
        f"{problem.model.name}: the mass matrix is singular: coordinate {name} has no inertia "
        f"(the kinetic energy is not quadratic in {name}'); give it mass, or make it an extra state"
    )


def refuse_velocity_dependent(problem: Problem, matrix: list[list[Node]]) -> None:
    """Hamilton's q' from p is a linear solve only when L is quadratic in q'."""
    graph = problem.graph
    entries = [entry for row in matrix for entry in row]
    if depends_on(graph, entries, problem.motion).intersection(entries):
        raise DerivationError(
            f"{problem.model.name}: the kinetic energy is not quadratic in the generalized velocities, so that q' is no "
            "linear function of the momenta; use lagrange"
        )
