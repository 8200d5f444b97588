"""What all equations in the speeds share: velocities linear in u, and M u' = f solved for u'."""

from __future__ import annotations

import itertools

from eomc.derivation.added_inertia import EquationMatrix, equation_matrix, solve_equations
from eomc.derivation.bodies import BodySystem
from eomc.derivation.constrained import ConstrainedMotion, solve_motion, solved_motion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.problem import Problem
from eomc.derivation.shortest import shortest_system
from eomc.errors import DerivationError
from eomc.ir.graph import Node, Rows
from eomc.lowering.vectors import components
from eomc.model.names import name_of
from eomc.passes.nonlinear import nonlinear_nodes


def refuse_nonlinear_velocities(problem: Problem, bodies: BodySystem) -> None:
    """Velocities must be linear in the speeds; else there are no partial velocities."""
    moving: dict[str, list[Node]] = {}
    for body in bodies.bodies:
        velocity, spin = bodies.twist(body)
        moving[f"point {body.center.name}"] = list(components(velocity))
        if body.frame is not None:
            moving[f"frame {body.frame.name}"] = list(components(spin))
    nonlinear = nonlinear_nodes(problem.graph, itertools.chain.from_iterable(moving.values()), problem.motion)
    for what, nodes in moving.items():
        if not nonlinear.isdisjoint(nodes):
            raise DerivationError(
                f"{problem.model.name}: the velocity of {what} is not linear in the speeds; "
                "partial velocities need velocities linear in u, and kinematical equations linear in q' and u"
            )


def equations_for_speeds(problem: Problem, rows: ConstraintRows, matrix: Rows, forcing: list[Node]) -> EquationMatrix:
    """Return M u' = f, or M of M u' + J^T lambda = f, in as few operations as there are found.

    Raises
    ------
    DerivationError
        The mass matrix without constraints is singular; the message names the speed without inertia.
    """
    beside = [entry for row in rows.jacobian for entry in row]
    equations = equation_matrix(problem, *shortest_system(problem.graph, matrix, forcing, beside))
    weakest = None if rows else problem.ranks.undetermined(equations.entries)
    if weakest is not None:
        raise DerivationError(f"{problem.model.name}: {no_inertia(problem.motion_names[weakest])}")
    return equations


def solve_for_speeds(
    problem: Problem, bodies: BodySystem, rows: ConstraintRows, equations: EquationMatrix
) -> ConstrainedMotion:
    """Return u' of M u' = f, where M has an inverse, or of M u' + J^T lambda = f under constraints.

    Raises
    ------
    DerivationError
        The constraints do not determine a dependent speed, or M has no inverse where they leave it free.
    """
    if rows:
        dependent = [name_of(u) for u in bodies.system.dependent_speeds]
        return solve_motion(problem, equations, rows, dependent, no_inertia)
    names = problem.motion_names
    found, solver = solve_equations(
        problem, equations.entries, equations.forcing, names, equations.is_definite, no_inertia
    )
    return solved_motion(problem.graph, equations, names, found.column, solver, found.steps)


def no_inertia(name: str) -> str:
    """Return what is wrong where a speed is left without inertia."""
    return (
        f"the mass matrix is singular: {name} has no inertia of its own; "
        "give a body that it moves mass or inertia, or remove it"
    )
