"""Hamilton's canonical equations over the graph.

From a Lagrangian with T = T2 + T1 + T0, the Legendre transformation is done where it is cheap: p = M q' + b is solved
numerically for q', and p' = dL/dq + Q at that q', since dH/dq at constant p is -dL/dq at constant q'. From a given
H(q, p, t): q' = dH/dp, p' = -dH/dq + Q, by one reverse sweep (Goldstein, *Classical Mechanics*, sections 8.1 and 8.2).

Dependent coordinates enter in one of two ways. With L* = L + sigma^T Phi' in place of L, p = M q' + b + Phi_q^T sigma
is solved together with Phi_q q' = -Phi_t, and p' = dL*/dq + Q; sigma' is the multiplier of Lagrange's equations
(J. Garcia de Jalon and E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems* (1994)). Or else p = M q' + b
as without constraints, and p' = dL/dq + Q - J^T lambda with Lagrange's lambda(q, q'(q, p), t), which serves
nonholonomic constraints, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import sympy

from eomc.derivation.constrained import (
    SOLVER_WORDS,
    closing_rates,
    constraint_forces,
    refuse_free_without_inertia,
    refuse_range_space,
)
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.lagrange import (
    KineticForm,
    lagrange_forcing,
    no_inertia_of,
    refuse_no_inertia,
    refuse_velocity_dependent,
    solve_lagrange,
    solve_mass_matrix,
)
from eomc.derivation.problem import Problem
from eomc.derivation.states import coordinate_names
from eomc.ir.graph import Node
from eomc.ir.systems import Factorization
from eomc.passes.differentiate import gradient, vjp
from eomc.passes.substitute import Substitution


@dataclass(frozen=True, slots=True)
class CanonicalEquations:
    """q' and p' as functions of (q, p, t); `velocities` rewrites q' in (q, p, t)."""

    rates: list[Node]
    forcing: list[Node]
    velocities: Substitution
    solver: str = ""  # what solves p = M q' + b
    multipliers: list[Node] = field(default_factory=list)  # sigma, or lambda
    order: tuple[int, ...] = ()  # of the rates: each is written in those before it
    steps: tuple[Node, ...] = ()  # of the elimination, where it is written out, in order of evaluation


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
    solved, solver = solve_mass_matrix(problem, form.mass_matrix, _momenta_above_rest(problem, form))
    velocities = Substitution(graph, dict(zip(problem.motion, solved.column, strict=True)))
    slopes = gradient(graph, form.lagrangian, problem.q)
    forcing = [velocities(graph.add(slope, force)) for slope, force in zip(slopes, forces, strict=True)]
    return CanonicalEquations(solved.column, forcing, velocities, solver, order=solved.order, steps=solved.steps)


def derive_dependent(
    problem: Problem, form: KineticForm, forces: Sequence[Node], rows: ConstraintRows
) -> CanonicalEquations:
    """Derive the canonical equations of L + sigma^T Phi' under configuration constraints.

    Raises
    ------
    DerivationError
        The mass matrix depends on q', or a coordinate has neither inertia nor a constraint that determines it.
    """
    graph, names = problem.graph, coordinate_names(problem.model)
    refuse_velocity_dependent(problem, form.mass_matrix)
    refuse_free_without_inertia(problem, form.mass_matrix, rows, no_inertia_of)
    refuse_range_space(problem, form.mass_matrix, names)
    above = _momenta_above_rest(problem, form)
    below = [graph.neg(rate) for rate in problem.still.all(closing_rates(problem, rows))]
    kind = problem.options.constraints
    solution, multipliers = graph.solve_constrained(
        Factorization(kind), form.mass_matrix, rows.jacobian, [[x] for x in (*above, *below)], [*names, *rows.names]
    )
    rates, sigma = [row[0] for row in solution], [row[0] for row in multipliers]
    velocities = Substitution(graph, dict(zip(problem.motion, rates, strict=True)))
    seeds = [(form.lagrangian, graph.one), *zip(rows.residuals, sigma, strict=True)]
    slopes = vjp(graph, seeds, problem.q)
    forcing = [velocities(graph.add(slope, force)) for slope, force in zip(slopes, forces, strict=True)]
    return CanonicalEquations(rates, forcing, velocities, SOLVER_WORDS[kind], sigma)


def _momenta_above_rest(problem: Problem, form: KineticForm) -> list[Node]:
    """Return p - b of p = M q' + b."""
    return list(map(problem.graph.sub, problem.symbols.second_half, problem.still.all(form.momenta)))


def derive_with_multipliers(
    problem: Problem, form: KineticForm, forces: Sequence[Node], rows: ConstraintRows
) -> CanonicalEquations:
    """Derive q' = M^-1 (p - b), p' = dL/dq + Q - J^T lambda."""
    free = derive_hamilton(problem, form, forces)
    motion = solve_lagrange(problem, form.mass_matrix, lagrange_forcing(problem, form, forces), rows)
    multipliers = free.velocities.all(motion.multipliers)
    reactions = free.velocities.all(constraint_forces(problem.graph, rows, motion.multipliers))
    return replace(free, forcing=list(map(problem.graph.add, free.forcing, reactions)), multipliers=multipliers)


def derive_canonical(
    problem: Problem, hamiltonian: Node, generalized_forces: Sequence[sympy.Expr]
) -> tuple[CanonicalEquations, list[Node]]:
    """Derive the canonical equations of a given H(q, p, t), and lower Q, which may hold q' as well: q' = dH/dp."""
    graph = problem.graph
    slopes = gradient(graph, hamiltonian, [*problem.q, *problem.symbols.second_half])
    n = len(problem.q)
    forces = [problem.scalars(force) for force in generalized_forces]
    forcing = [graph.sub(force, slope) for force, slope in zip(forces, slopes[:n], strict=True)]
    return CanonicalEquations(slopes[n:], forcing, Substitution(graph, {})), forces
