"""q' and p' from a Lagrangian: what Hamilton's method shares with and without multipliers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from eomc.derivation.accelerations import put_accelerations
from eomc.derivation.balance import balance_of
from eomc.derivation.blocks import elimination, labelled, matrix_entries
from eomc.derivation.constraints import ConstraintRows, constraint_rows
from eomc.derivation.events import Inertia, with_events
from eomc.derivation.finish import Rewrite, after, energetics_of, finish, rewritten
from eomc.derivation.hamilton import CanonicalEquations
from eomc.derivation.lagrange import KineticForm, lagrange_forcing, solve_lagrange
from eomc.derivation.pose import pose
from eomc.derivation.problem import Problem
from eomc.derivation.projection import Corrections, corrections
from eomc.derivation.source import Source, cyclic, powers_of, source_of
from eomc.derivation.states import coordinate_names, momentum_names
from eomc.ir.equations import Constraints, EquationsOfMotion, Matrix, Motion, MotionMatrices
from eomc.ir.graph import Node
from eomc.ir.method import Method, SecondHalf
from eomc.ir.program import Block
from eomc.model.events import written_in
from eomc.model.model import Model
from eomc.passes.cost import cost
from eomc.passes.differentiate import depends_on

Transform: TypeAlias = Callable[[Problem, KineticForm, Sequence[Node], ConstraintRows], CanonicalEquations]
ConstraintsOf: TypeAlias = Callable[
    [Problem, KineticForm, CanonicalEquations, ConstraintRows, Corrections], Constraints
]


@dataclass(frozen=True, slots=True)
class InMomenta:
    """What a method says and does of its own."""

    transform: Transform
    summary: Callable[[ConstraintRows], str]
    constraints: ConstraintsOf


def refusal_of_accelerations(model: Model) -> str:
    """Return why no Hamilton's equations hold the loads of a model."""
    if not model.following_load:
        return ""
    return f"{model.following_load} holds accelerations, and Hamilton's equations hold none"


def derive_in_momenta(method: Method, in_speeds: Problem, own: InMomenta) -> EquationsOfMotion:
    """Derive the canonical equations of a model that has a Lagrangian."""
    model = in_speeds.model
    problem = pose(model, SecondHalf.MOMENTA, in_speeds.options)
    rows = constraint_rows(problem)
    source = source_of(problem, rows)
    choices = [(form, own.transform(problem, form, source.forces, rows)) for form in source.forms]
    form, equations = min(choices, key=lambda pair: cost(problem.graph, [*pair[1].rates, *pair[1].forcing]))
    momenta, kept = ([], []) if rows else cyclic(problem, source, problem.symbols.second_half)
    matrix = rewritten(form.mass_matrix, equations.velocities)
    blocks = [
        Block("mass matrix: M = d2L/dq'2", matrix_entries("M", matrix, problem.graph)),
        elimination(
            f"q' from p = M q' + b by {equations.solver}", equations.steps, coordinate_names(model), equations.rates
        ),
        Block("p' = dL/dq + Q = -dH/dq + Q", labelled([f"{n}'" for n in momentum_names(model)], equations.forcing)),
    ]
    rewrite = after(_accelerations_in_momenta(problem, form, source, rows), equations.velocities)
    constraints = own.constraints(problem, form, equations, rows, corrections(problem, rows, form.mass_matrix))
    lagranges = not constraints.impulses  # the multipliers, or there are none
    powers = powers_of(problem, source, rows, equations.multipliers if lagranges else None)
    made = finish(
        problem,
        method,
        own.summary(rows),
        motion_in_momenta(model, equations, matrix),
        constraints,
        energetics_of(source.energies, momenta, [*source.invariants, *kept], powers),
        blocks,
        rewrite,
    )
    made = made.balanced(partial(balance_of, problem, rows, source.bodies, equations.velocities))
    return with_events(made, problem, Inertia(form.mass_matrix, rows, form.momenta), rewrite)


def motion_in_momenta(model: Model, equations: CanonicalEquations, mass_matrix: Matrix = ()) -> Motion:
    """Return the part of the equations that tells the motion."""
    forcing = tuple(equations.forcing)
    names = tuple(coordinate_names(model))
    return Motion(tuple(equations.rates), MotionMatrices(mass_matrix, forcing), names, forcing, order=equations.order)


def _accelerations_in_momenta(problem: Problem, form: KineticForm, source: Source, rows: ConstraintRows) -> Rewrite:
    """Return how to write what holds q'' by Lagrange's M q'' = f, whose M is that of p = M q' + b."""
    written = [output.expression for output in problem.model.outputs] + [z.rate for z in problem.model.extra_states]
    nodes = [problem.scalars(expression) for expression in [*written, *written_in(problem.model.events)]]
    if not (problem.has_u_dots and depends_on(problem.graph, nodes, problem.u_dots)):
        return lambda node: node
    motion = solve_lagrange(problem, form.mass_matrix, lagrange_forcing(problem, form, source.forces), rows)
    return put_accelerations(problem, motion.accelerations)
