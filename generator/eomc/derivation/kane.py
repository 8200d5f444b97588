"""Kane's equations F_r + F*_r = 0 as M u' = f, and their nonholonomic form.

M_rs and the generalized forces come from partial velocities (see `mass_matrix`, `forces`). With velocity constraints
J u + b = 0 and dependent speeds u_D = A u_I + B the nonholonomic partial velocities are v~_r = v_r + sum_s v_s A_sr
(Kane & Levinson, *Dynamics* (1985), section 2.14), hence M~ = [1 A^T] M [1; A] and f~ = [1 A^T](f - M [0; B']), where
u_D' = A u_I' + B' comes from the constraints' time derivative.

Frames matter for the cost, and a local guess chooses wrongly: whole derivations are tried with a few choices and
counted.
"""

from __future__ import annotations

import math

from eomc.derivation.added_inertia import equation_matrix, solve_equations
from eomc.derivation.bodies import BodySystem
from eomc.derivation.clusters import find_clusters
from eomc.derivation.constrained import ConstrainedMotion, solve_motion, without_constraints
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.forces import active_seeds, generalized_forces, inertia_seeds, potential_seeds
from eomc.derivation.mass_matrix import MassMatrix, lower_triangle, symmetric
from eomc.derivation.problem import Problem
from eomc.derivation.shortest import shortest_system
from eomc.errors import DerivationError
from eomc.ir.graph import Graph, Node
from eomc.model.names import name_of
from eomc.passes.cost import Tally, cost
from eomc.passes.degree import nonlinear_nodes
from eomc.solving.ldlt import solve_positive_definite

__all__ = ["derive_kane", "refuse_nonlinear_velocities", "solve_for_speeds"]

Rows = list[list[Node]]


def derive_kane(problem: Problem, bodies: BodySystem, rows: ConstraintRows) -> ConstrainedMotion:
    """Derive Kane's equations.

    Raises
    ------
    DerivationError
        A velocity is not linear in the speeds, the mass matrix is singular (naming the speed without inertia), or the
        constraints do not determine a dependent speed.
    """
    refuse_nonlinear_velocities(problem, bodies)
    return solve_for_speeds(problem, bodies, rows, *_cheapest(problem, bodies))


def solve_for_speeds(
    problem: Problem, bodies: BodySystem, rows: ConstraintRows, matrix: Rows, forcing: list[Node]
) -> ConstrainedMotion:
    """Return u' of M u' = f, or of M u' + J^T lambda = f under constraints.

    Raises
    ------
    DerivationError
        The mass matrix is singular (naming the speed without inertia), or the constraints do not determine a dependent
        speed.
    """
    beside = [entry for row in rows.jacobian for entry in row]
    matrix, forcing = shortest_system(problem.graph, matrix, forcing, beside)
    equations = equation_matrix(problem, matrix, forcing)
    if rows:
        dependent = [name_of(u) for u in bodies.system.dependent_speeds]
        return solve_motion(problem, equations, rows, dependent, _no_inertia)
    names = [problem.symbol_of(u).name for u in problem.motion]
    weakest = problem.undetermined(equations.entries)
    if weakest is not None:
        raise DerivationError(f"{problem.model.name}: {_no_inertia(names[weakest])}")
    if equations.has_loads:
        found = solve_equations(
            problem, equations.entries, equations.forcing, names, equations.is_definite, _no_inertia
        )
        return without_constraints(problem.graph, equations, names, *found)
    accelerations = solve_positive_definite(problem.graph, matrix, equations.forcing, names, problem.checks)
    return without_constraints(problem.graph, equations, names, accelerations, "L D L^T")


def _no_inertia(name: str) -> str:
    return (
        f"the mass matrix is singular: {name} has no inertia of its own; "
        "give a body that it moves mass or inertia, or remove it"
    )


# -- frames by counting ----------------------------------------------------------------------------------------------


def _cheapest(problem: Problem, bodies: BodySystem) -> tuple[Rows, list[Node]]:
    """Derive M and f with a few choices of frames and return the cheapest."""
    system = bodies.system
    clusters = find_clusters(bodies)
    common = [*active_seeds(bodies), *potential_seeds(problem, system)]
    best: tuple[Rows, list[Node]] | None = None
    fewest = math.inf
    choices = bodies.frame_choices()
    for frames in choices:
        forcing = generalized_forces(problem, [*inertia_seeds(bodies, frames), *common], system)
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


# -- refusals --------------------------------------------------------------------------------------------------------


def refuse_nonlinear_velocities(problem: Problem, bodies: BodySystem) -> None:
    """Velocities must be linear in the speeds; else there are no partial velocities."""
    components: dict[str, list[Node]] = {}
    for body in bodies.bodies:
        velocity, spin = bodies.twist(body)
        components[f"point {body.center.name}"] = [x for piece in velocity.values() for x in piece]
        if body.frame is not None:
            components[f"frame {body.frame.name}"] = [x for piece in spin.values() for x in piece]
    nonlinear = nonlinear_nodes(problem.graph, (x for nodes in components.values() for x in nodes), problem.motion)
    for what, nodes in components.items():
        if not nonlinear.isdisjoint(nodes):
            raise DerivationError(
                f"{problem.model.name}: the velocity of {what} is not linear in the speeds; "
                "partial velocities need velocities linear in u, and kinematical equations linear in q' and u"
            )
