"""M q'' = f from a Lagrangian: Lagrange's equations, and Kane's where u = q'. They differ in what is told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from eomc.derivation.accelerations import put_accelerations
from eomc.derivation.balance import balance_of
from eomc.derivation.blocks import elimination, is_mirrored, matrix_entries, vector_entries
from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import ConstraintRows, constraint_rows
from eomc.derivation.events import Inertia, with_events
from eomc.derivation.finish import constraints_of, energetics_of, finish, motion_of
from eomc.derivation.lagrange import lagrange_forcing, solve_lagrange
from eomc.derivation.mass_matrix import lower_triangle
from eomc.derivation.pose import pose
from eomc.derivation.problem import Problem
from eomc.derivation.projection import corrections
from eomc.derivation.shortest import shortest_system
from eomc.derivation.source import Source, cyclic, powers_of, source_of
from eomc.derivation.states import rate_names
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.method import Method, SecondHalf
from eomc.ir.program import Block
from eomc.model.model import Model
from eomc.passes.cost import cost


@dataclass(frozen=True, slots=True)
class InVelocities:
    """What a method says and does of its own."""

    prepare: Callable[[Problem, Source], Source]
    labels: Callable[[Model], Sequence[str]]  # of the rows of M
    matrix_title: str
    forcing_title: str
    summary: Callable[[ConstrainedMotion, ConstraintRows], str]


def derive_in_velocities(method: Method, in_speeds: Problem, own: InVelocities) -> EquationsOfMotion:
    """Derive the equations of a model that has a Lagrangian."""
    model = in_speeds.model
    problem = pose(model, SecondHalf.VELOCITIES, in_speeds.options)
    rows = constraint_rows(problem)
    source = own.prepare(problem, source_of(problem, rows))
    choices = [(form, lagrange_forcing(problem, form, source.forces)) for form in source.forms]
    form, forcing = min(choices, key=lambda pair: cost(problem.graph, [*lower_triangle(pair[0].mass_matrix), *pair[1]]))
    beside = [entry for row in rows.jacobian for entry in row]
    inertia, forcing = shortest_system(problem.graph, form.mass_matrix, forcing, beside)
    momenta, kept = ([], []) if rows else cyclic(problem, source, form.momenta)
    motion = solve_lagrange(problem, inertia, forcing, rows)
    matrix, forcing = motion.mass_matrix, motion.forcing
    of_matrix = own.matrix_title
    of_matrix += ", less the slopes dQ_r/dq_s'' of the generalized forces" if motion.loads_added else ""
    blocks = [
        Block(of_matrix, matrix_entries("M", matrix, problem.graph, is_mirrored(motion))),
        Block(own.forcing_title, vector_entries("f", forcing)),
        elimination(f"M q'' = f by {motion.solver}", motion.steps, rate_names(model), motion.accelerations),
    ]
    back = corrections(problem, rows, motion.free_matrix)
    accelerated = put_accelerations(problem, motion.accelerations)
    equations = finish(
        problem,
        method,
        own.summary(motion, rows),
        replace(motion_of(problem.rates, motion), labels=tuple(own.labels(model))),
        constraints_of(problem, rows, motion.multipliers, back),
        energetics_of(
            source.energies,
            momenta,
            [*source.invariants, *kept],
            powers_of(problem, source, rows, motion.multipliers),
        ),
        blocks,
        accelerated,
    )
    equations = equations.balanced(partial(balance_of, problem, rows, source.bodies))
    return with_events(equations, problem, Inertia(motion.free_matrix, rows), accelerated)
