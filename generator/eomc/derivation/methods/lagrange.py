"""Lagrange's method: of the second kind, and of the first under constraints."""

from __future__ import annotations

from functools import partial

from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.methods.in_velocities import InVelocities, derive_in_velocities
from eomc.derivation.methods.record import Derivation, Need
from eomc.derivation.states import coordinate_names, why_velocities_are_no_state
from eomc.ir.method import SecondHalf
from eomc.model.parts import Lagrangian


def _summary(motion: ConstrainedMotion, rows: ConstraintRows) -> str:
    if rows:
        return "M q'' + J^T lambda = f, J q'' = -(J' q' + b'), Lagrange's equations of the first kind"
    return "M(q, t) q'' = f(q, q', r, t), Lagrange's equations of the second kind"


_LAGRANGIAN = InVelocities(
    prepare=lambda problem, source: source,
    labels=coordinate_names,
    matrix_title="mass matrix: M = d2L/dq'2",
    forcing_title="f = Q + dL/dq - d/dt(dL/dq') without q''",
    summary=_summary,
)


LAGRANGE = Derivation(
    name="lagrange",
    second=SecondHalf.VELOCITIES,
    title="Lagrange's method",
    authors="Lagrange",
    native=Lagrangian,
    refusal=why_velocities_are_no_state,
    needs=frozenset({Need.ENERGY}),
    derive=partial(derive_in_velocities, own=_LAGRANGIAN),
)
