"""Hamilton's method with Lagrange's multipliers: for constraints of any kind."""

from __future__ import annotations

from functools import partial

from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.finish import constraints_of
from eomc.derivation.hamilton import CanonicalEquations, derive_with_multipliers
from eomc.derivation.lagrange import KineticForm
from eomc.derivation.methods.in_momenta import InMomenta, derive_in_momenta, refusal_of_accelerations
from eomc.derivation.methods.record import Derivation, Need
from eomc.derivation.problem import Problem
from eomc.derivation.projection import Corrections
from eomc.derivation.states import why_velocities_are_no_state
from eomc.ir.equations import Constraints
from eomc.ir.method import SecondHalf
from eomc.model.model import Model


def _refusal(model: Model) -> str:
    unconstrained = "" if model.is_constrained else "it has no constraints: hamilton gives the same equations"
    return refusal_of_accelerations(model) or unconstrained or why_velocities_are_no_state(model)


def _constraints(
    problem: Problem, form: KineticForm, equations: CanonicalEquations, rows: ConstraintRows, back: Corrections
) -> Constraints:
    graph = problem.graph
    *velocities, off = back.velocities
    moved = [graph.sum(graph.mul(m, v) for m, v in zip(row, velocities, strict=True)) for row in form.mass_matrix]
    back = Corrections(back.coordinates, [*moved, off])
    return constraints_of(problem, rows, equations.multipliers, back, equations.velocities)


_LAGRANGIAN = InMomenta(
    transform=derive_with_multipliers,
    summary=lambda rows: "q' = dH/dp, p' = -dH/dq + Q - J^T lambda",
    constraints=_constraints,
)


HAMILTON_MULTIPLIERS = Derivation(
    name="hamilton-multipliers",
    second=SecondHalf.MOMENTA,
    title="Hamilton's method with multipliers",
    authors="Hamilton",
    native=None,
    refusal=_refusal,
    needs=frozenset({Need.ENERGY, Need.LINEAR_MOMENTA}),
    derive=partial(derive_in_momenta, own=_LAGRANGIAN),
)
