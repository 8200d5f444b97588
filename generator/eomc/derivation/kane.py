"""Kane's equations F_r + F*_r = 0 as M u' = f, and their nonholonomic form.

M_rs and the generalized forces come from partial velocities (see `mass_matrix`, `forces`). With velocity constraints
J u + b = 0 and dependent speeds u_D = A u_I + B the nonholonomic partial velocities are v~_r = v_r + sum_s v_s A_sr
(Kane & Levinson, *Dynamics* (1985), section 2.14), hence M~ = [1 A^T] M [1; A] and f~ = [1 A^T](f - M [0; B']), where
u_D' = A u_I' + B' comes from the constraints' time derivative.

The frames of the user compete with the recursions of trees where the bodies are one (see `found`).
"""

from __future__ import annotations

from eomc.derivation.bodies import BodySystem
from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.found.motion import cheaper_motion
from eomc.derivation.given_frames import GivenFrames
from eomc.derivation.problem import Problem
from eomc.derivation.speeds import refuse_nonlinear_velocities


def derive_kane(problem: Problem, bodies: BodySystem, rows: ConstraintRows) -> ConstrainedMotion:
    """Derive Kane's equations.

    Raises
    ------
    DerivationError
        A velocity is not linear in the speeds, the mass matrix is singular (naming the speed without inertia), or the
        constraints do not determine a dependent speed.
    """
    refuse_nonlinear_velocities(problem, bodies)
    return cheaper_motion(problem, bodies, rows, GivenFrames(problem, bodies, rows))
