"""Hamilton's canonical equations over the graph.

From a Lagrangian with T = T2 + T1 + T0, the Legendre transformation is done where it is cheap: p = M q' + b is solved
numerically for q', and p' = dL/dq + Q at that q', since dH/dq at constant p is -dL/dq at constant q'. From a given
H(q, p, t): q' = dH/dp, p' = -dH/dq + Q, by one reverse sweep (Goldstein, *Classical Mechanics*, sections 8.1 and 8.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.lagrange import KineticForm, refuse_no_inertia, refuse_velocity_dependent, solve_mass_matrix
from eomc.derivation.problem import Problem
from eomc.ir.graph import Node
from eomc.passes.differentiate import gradient
from eomc.passes.substitute import Substitution

__all__ = ["CanonicalEquations", "derive_canonical", "derive_hamilton"]


@dataclass(frozen=True, slots=True)
class CanonicalEquations:
    """q' and p' as functions of (q, p, t); `velocities` rewrites q' in (q, p, t)."""

    rates: list[Node]
    forcing: list[Node]
    velocities: Substitution
    solver: str = ""  # what solves p = M q' + b


def derive_hamilton(problem: Problem, form: KineticForm, forces: Sequence[Node]) -> CanonicalEquations:
    """Derive the canonical equations of L(q, q', t) by a numeric Legendre transformation.

    Raises
    ------
    DerivationError
        The mass matrix is singular, or depends on q'.
    """
    graph = problem.graph
    refuse_no_inertia(problem, form.mass_matrix)
    refuse_velocity_dependent(problem, form.mass_matrix)
    still = Substitution(graph, dict.fromkeys(problem.motion, graph.zero))
    right = [graph.sub(p, still(momentum)) for p, momentum in zip(problem.second_half, form.momenta, strict=True)]
    rates, solver = solve_mass_matrix(problem, form.mass_matrix, right)
    velocities = Substitution(graph, dict(zip(problem.motion, rates, strict=True)))
    slopes = gradient(graph, [(form.lagrangian, graph.one)], problem.q)
    forcing = [velocities(graph.add(slope, force)) for slope, force in zip(slopes, forces, strict=True)]
    return CanonicalEquations(rates, forcing, velocities, solver)


def derive_canonical(problem: Problem, hamiltonian: Node, forces: Sequence[Node]) -> CanonicalEquations:
    """Derive the canonical equations of a given H(q, p, t)."""
    graph = problem.graph
    slopes = gradient(graph, [(hamiltonian, graph.one)], [*problem.q, *problem.second_half])
    n = len(problem.q)
    forcing = [graph.sub(force, slope) for force, slope in zip(forces, slopes[:n], strict=True)]
    return CanonicalEquations(slopes[n:], forcing, Substitution(graph, {}))
