"""M u' = f in the model's speeds: what Kane's method and Gibbs and Appell's share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from eomc.derivation.accelerations import put_accelerations
from eomc.derivation.balance import balance_of
from eomc.derivation.blocks import (
    dependent_blocks,
    elimination,
    is_mirrored,
    labelled,
    matrix_entries,
    reaction_blocks,
    vector_entries,
)
from eomc.derivation.bodies import BodySystem
from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import ConstraintRows, constraint_rows
from eomc.derivation.energetics import bodies_energies
from eomc.derivation.events import Inertia, with_events
from eomc.derivation.finish import after, constraints_of, energetics_of, finish, motion_of
from eomc.derivation.integrability import warn_of_contradictions
from eomc.derivation.momenta import momenta_in_speeds
from eomc.derivation.power import bodies_powers
from eomc.derivation.problem import Problem
from eomc.derivation.projection import corrections
from eomc.derivation.reactions import with_reactions
from eomc.derivation.states import rate_names
from eomc.ir.equations import EquationsOfMotion, GibbsFunction
from eomc.ir.method import Method
from eomc.ir.program import Block

Solve: TypeAlias = Callable[[Problem, BodySystem, ConstraintRows], ConstrainedMotion]


MATRIX_BY_RECURSION = "mass matrix: M by composite bodies"
FORCING_BY_RECURSION = "generalized active forces less inertia forces without u', by Newton-Euler recursion: f"


@dataclass(frozen=True, slots=True)
class InSpeeds:
    """What a method says and does of its own."""

    solve: Solve
    matrix_title: str
    forcing_title: str
    prefix: str = ""  # of the summary
    gibbs: Callable[[BodySystem], GibbsFunction] | None = None


def derive_in_speeds(method: Method, problem: Problem, own: InSpeeds) -> EquationsOfMotion:
    """Derive the equations of a model of bodies."""
    bodies = BodySystem(problem)
    bodies.warn_of_strange_accelerations()
    rows = constraint_rows(problem)
    motion = own.solve(problem, bodies, rows)
    motion, reactions = with_reactions(problem, bodies, rows, motion)
    energies, invariants = bodies_energies(problem, bodies, rows)
    momenta, kept = momenta_in_speeds(problem, bodies, motion.inertia, energies)
    title = MATRIX_BY_RECURSION if motion.recursive else own.matrix_title
    of_matrix = title + (", less the slopes dF_r/du'_s of the loads" if motion.loads_added else "")
    independent = [motion.accelerations[i] for i in motion.independent]
    blocks = [
        Block(
            "kinematical differential equations: q' = Y^-1 (u - Z)",
            labelled(rate_names(problem.model), problem.rates),
        ),
        *dependent_blocks(motion.constraint_matrix, problem.graph),
        Block(of_matrix, matrix_entries("M", motion.mass_matrix, problem.graph, is_mirrored(motion))),
        Block(FORCING_BY_RECURSION if motion.recursive else own.forcing_title, vector_entries("f", motion.forcing)),
        *reaction_blocks(reactions.quantities),
        elimination(f"M u' = f by {motion.solver}", motion.steps, motion.labels, independent),
    ]
    if motion.dependent:
        names = [variable.name for variable in problem.symbols.states[len(problem.q) :]]
        blocks.append(
            Block(
                "dependent speeds: u_D' = A u_I' + B'",
                tuple((f"{names[d]}'", motion.accelerations[d]) for d in motion.dependent),
            )
        )
    constraints = constraints_of(problem, rows, motion.multipliers, corrections(problem, rows, motion.free_matrix))
    powers = bodies_powers(problem, bodies, rows, motion.multipliers, energies)
    rewrite = after(put_accelerations(problem, motion.accelerations), reactions.rewrite)
    equations = finish(
        problem,
        method,
        own.prefix + summary_in_speeds(motion, rows),
        motion_of(problem.rates, motion, problem.kinematics.order),
        replace(constraints, reactions=tuple(reactions.quantities), reactions_act=reactions.act),
        energetics_of(energies, momenta, [*invariants, *kept], powers),
        blocks,
        rewrite,
    )
    equations = equations.balanced(partial(balance_of, problem, rows, bodies))
    equations = with_events(equations, problem, Inertia(motion.free_matrix, rows), rewrite)
    warn_of_contradictions(problem, bodies)
    if own.gibbs is None:
        return equations
    return replace(equations, motion=replace(equations.motion, gibbs=own.gibbs(bodies)))


def summary_in_speeds(motion: ConstrainedMotion, rows: ConstraintRows) -> str:
    """Return the form of the equations in one line."""
    if not rows or motion.dependent:
        return "M(q, t) u' = f(q, u, r, t), q' from the kinematical differential equations"
    return "M u' + J^T lambda = f, J u' = -(J' u + b'), q' from the kinematical differential equations"
