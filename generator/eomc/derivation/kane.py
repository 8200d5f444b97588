"""Kane's equations F_r + F*_r = 0 as M u' = f, and their nonholonomic form.

M_rs and the generalized forces come from partial velocities (see `mass_matrix`, `forces`). With velocity constraints
J u + b = 0 and dependent speeds u_D = A u_I + B the nonholonomic partial velocities are v~_r = v_r + sum_s v_s A_sr
(Kane & Levinson, *Dynamics* (1985), section 2.14), hence M~ = [1 A^T] M [1; A] and f~ = [1 A^T](f - M [0; B']), where
u_D' = A u_I' + B' comes from the constraints' time derivative.

Frames matter for the cost, and a local guess chooses wrongly: whole derivations are tried with a few choices and
counted, one by the recursions of trees among them where the bodies are one (see `found`).
"""

from __future__ import annotations

import math
from functools import partial

from eomc.derivation.bodies import BodySystem
from eomc.derivation.clusters import find_clusters
from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.forces import active_seeds, generalized_forces, inertia_seeds, potential_seeds
from eomc.derivation.found.motion import cheaper_motion
from eomc.derivation.mass_matrix import MassMatrix, lower_triangle, symmetric
from eomc.derivation.problem import Problem
from eomc.derivation.speeds import refuse_nonlinear_velocities, solve_for_speeds
from eomc.ir.graph import Graph, Node, Rows
from eomc.passes.cost import Tally, cost


def derive_kane(problem: Problem, bodies: BodySystem, rows: ConstraintRows) -> ConstrainedMotion:
    """Derive Kane's equations.

    Raises
    ------
    DerivationError
        A velocity is not linear in the speeds, the mass matrix is singular (naming the speed without inertia), or the
        constraints do not determine a dependent speed.
    """
    refuse_nonlinear_velocities(problem, bodies)
    return cheaper_motion(problem, bodies, rows, partial(motion_in_frames_given, problem, bodies, rows))


def motion_in_frames_given(problem: Problem, bodies: BodySystem, rows: ConstraintRows) -> ConstrainedMotion:
    """Return the motion by partial velocities in the frames of the user, whether they are those of a tree or not."""
    return solve_for_speeds(problem, bodies, rows, *_cheapest(problem, bodies))


# -- frames by counting ----------------------------------------------------------------------------------------------


def _cheapest(problem: Problem, bodies: BodySystem) -> tuple[Rows, list[Node]]:
    """Derive M and f with a few choices of frames and return the cheapest."""
    clusters = find_clusters(bodies)
    common = [*active_seeds(bodies), *potential_seeds(problem, bodies.system)]
    best: tuple[Rows, list[Node]] | None = None
    fewest = math.inf
    choices = bodies.frame_choices()
    for frames in choices:
        forcing = generalized_forces(problem, [*inertia_seeds(bodies, frames), *common], bodies.system)
        maker = MassMatrix(bodies, clusters, frames)
        if len(choices) == 1 and not maker.has_rotation:
            return maker.forward(), forcing  # nothing to choose from
        if maker.has_rotation:
            matrix = maker.reverse()
            count = cost(problem.graph, [*lower_triangle(matrix), *forcing])
            if count < fewest:
                best, fewest = (matrix, forcing), count
            if maker.is_long_chain:
                break
        cheaper = _cheaper(problem.graph, maker, forcing, fewest)
        if cheaper is not None:
            best, fewest = (cheaper[0], forcing), cheaper[1]
    assert best is not None
    return best


def _cheaper(graph: Graph, maker: MassMatrix, forcing: list[Node], fewest: float) -> tuple[Rows, int] | None:
    """Return M multiplied out forwards and the cost of M and f if that is below `fewest`; give up once it is not."""
    tally = Tally(graph)
    rows = []
    count = tally.add(forcing)
    for row in maker.upper_rows():
        count = tally.add(row)
        if count >= fewest:
            return None
        rows.append(row)
    return symmetric(rows), count
