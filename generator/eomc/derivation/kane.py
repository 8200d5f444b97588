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
from dataclasses import dataclass

from eomc.derivation.bodies import BodySystem
from eomc.derivation.clusters import find_clusters
from eomc.derivation.energetics import is_negligible
from eomc.derivation.forces import active_seeds, generalized_forces, inertia_seeds, potential_seeds
from eomc.derivation.mass_matrix import MassMatrix, lower_triangle, symmetric
from eomc.derivation.problem import Problem
from eomc.errors import DerivationError
from eomc.ir.graph import Graph, Node
from eomc.model.names import name_of
from eomc.model.parts import MechanicalSystem
from eomc.passes.cost import Tally, cost
from eomc.passes.degree import nonlinear_nodes
from eomc.passes.differentiate import depends_on, jacobian
from eomc.solving.ldlt import solve_positive_definite
from eomc.solving.linear import solve_general
from eomc.solving.structure import StructurallySingularError

__all__ = ["KaneEquations", "derive_kane", "refuse_nonlinear_velocities"]

Rows = list[list[Node]]


@dataclass(frozen=True, slots=True)
class KaneEquations:
    """M u_I' = f over the independent speeds, and u' of all speeds in their order."""

    mass_matrix: Rows
    forcing: list[Node]
    labels: list[str]
    accelerations: list[Node]
    constraint_matrix: Rows  # A, dependent over independent speeds; empty without constraints
    independent: list[int]
    dependent: list[int]
    constraints: list[Node]  # residuals J u + b


def derive_kane(problem: Problem, bodies: BodySystem) -> KaneEquations:
    """Derive Kane's equations.

    Raises
    ------
    DerivationError
        A velocity is not linear in the speeds, the mass matrix is singular (naming the speed without inertia), or the
        constraints do not determine a dependent speed.
    """
    system = bodies.system
    refuse_nonlinear_velocities(problem, bodies)
    _refuse_unkept_constraints(problem, system)
    matrix, forcing = _cheapest(problem, bodies)
    names = [problem.symbol_of(u).name for u in problem.motion]
    if not system.velocity_constraints:
        _refuse_no_inertia(problem, matrix, names)
        accelerations = solve_positive_definite(problem.graph, matrix, forcing, names, problem.checks)
        everything = list(range(len(names)))
        return KaneEquations(matrix, forcing, names, accelerations, [], everything, [], [])
    return _nonholonomic(problem, system, matrix, forcing, names)


# -- frames by counting ----------------------------------------------------------------------------------------------


def _cheapest(problem: Problem, bodies: BodySystem) -> tuple[Rows, list[Node]]:
    """Derive M and f with a few choices of frames and return the cheapest."""
    system = bodies.system
    clusters = find_clusters(bodies)
    common = [*active_seeds(bodies), *potential_seeds(problem, system)]
    best: tuple[Rows, list[Node]] | None = None
    fewest = math.inf
    for frames in bodies.frame_choices():
        forcing = generalized_forces(problem, [*inertia_seeds(bodies, frames), *common], system)
        maker = MassMatrix(bodies, clusters, frames)
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


def _refuse_unkept_constraints(problem: Problem, system: MechanicalSystem) -> None:
    """Demand that the kinematics (a quaternion's norm) or a velocity constraint keep each configuration constraint."""
    rates = [problem.rate(problem.scalars(f)) for f in system.configuration_constraints]
    unkept = [index for index, rate in enumerate(rates) if not is_negligible(problem, [rate])]
    if len(unkept) > len(system.velocity_constraints):
        index = unkept[len(system.velocity_constraints)]
        raise DerivationError(
            f"{problem.model.name}: nothing keeps configuration_constraints[{index}] while the mechanism moves; "
            "add its time derivative to velocity_constraints and name a dependent speed"
        )


def _refuse_no_inertia(problem: Problem, matrix: Rows, names: list[str]) -> None:
    """Refuse a mass matrix that is singular at two random states, naming the speed without inertia."""
    weakest = problem.undetermined(matrix)
    if weakest is not None:
        raise DerivationError(
            f"{problem.model.name}: the mass matrix is singular: {names[weakest]} has no inertia of its own; "
            "give a body that it moves mass or inertia, or remove it"
        )


# -- dependent speeds ------------------------------------------------------------------------------------------------


def _nonholonomic(
    problem: Problem, system: MechanicalSystem, matrix: Rows, forcing: list[Node], names: list[str]
) -> KaneEquations:
    graph = problem.graph
    constraints = [problem.scalars(c) for c in system.velocity_constraints]
    dependent_names = {name_of(u) for u in system.dependent_speeds}
    dependent = [i for i, name in enumerate(names) if name in dependent_names]
    independent = [i for i, name in enumerate(names) if name not in dependent_names]
    slopes = jacobian(graph, constraints, problem.motion)
    for index, row in enumerate(slopes):
        if all(graph.is_zero(entry) for entry in row):
            raise DerivationError(
                f"{problem.model.name}: no generalized speed appears in velocity_constraints[{index}]; "
                "is it a configuration constraint?"
            )
        if depends_on(graph, row, problem.motion).intersection(row):
            raise DerivationError(
                f"{problem.model.name}: velocity_constraints[{index}] is not linear in the speeds; "
                "only constraints linear in u are supported"
            )
    rates = [problem.rate(c) for c in constraints]  # J' u + b', with u held
    left = [[row[d] for d in dependent] for row in slopes]
    right = [
        [*(graph.neg(row[i]) for i in independent), graph.neg(rate)] for row, rate in zip(slopes, rates, strict=True)
    ]
    dependents = [names[d] for d in dependent]
    _refuse_undetermined(problem, slopes, left, dependents)
    try:
        solved = solve_general(graph, left, right, dependents, problem.checks)
    except StructurallySingularError as error:
        raise DerivationError(_undetermined(problem, [dependents[j] for j in error.columns])) from error
    a = [row[:-1] for row in solved]
    bias = [row[-1] for row in solved]
    reduced, load = _reduce(graph, matrix, forcing, a, bias, independent, dependent)
    labels = [names[i] for i in independent]
    _refuse_no_inertia(problem, reduced, labels)
    found = solve_positive_definite(graph, reduced, load, labels, problem.checks)
    accelerations = [graph.zero] * len(names)
    for position, i in enumerate(independent):
        accelerations[i] = found[position]
    for row, d, extra in zip(a, dependent, bias, strict=True):
        accelerations[d] = graph.add(graph.sum(graph.mul(x, y) for x, y in zip(row, found, strict=True)), extra)
    return KaneEquations(reduced, load, labels, accelerations, a, independent, dependent, constraints)


def _reduce(
    graph: Graph,
    matrix: Rows,
    forcing: list[Node],
    a: Rows,
    bias: list[Node],
    independent: list[int],
    dependent: list[int],
) -> tuple[Rows, list[Node]]:
    """Return M~ and f~, sharing M_DD A and M_D. B'."""
    coupled = [  # (M_ID + ...) rows: M_kD A for every k, and f_k - M_kD B'
        [graph.sum(graph.mul(row[d], a[p][c]) for p, d in enumerate(dependent)) for c in range(len(independent))]
        for row in matrix
    ]
    pushed = [
        graph.sub(f, graph.sum(graph.mul(row[d], bias[p]) for p, d in enumerate(dependent)))
        for row, f in zip(matrix, forcing, strict=True)
    ]
    n = len(independent)
    half = [[graph.add(matrix[k][independent[c]], coupled[k][c]) for c in range(n)] for k in range(len(matrix))]
    reduced = [[graph.zero] * n for _ in range(n)]
    for r in range(n):
        for c in range(r + 1):
            value = half[independent[r]][c]
            for p, d in enumerate(dependent):
                value = graph.add(value, graph.mul(a[p][r], half[d][c]))
            reduced[r][c] = reduced[c][r] = value
    load = []
    for r in range(n):
        value = pushed[independent[r]]
        for p, d in enumerate(dependent):
            value = graph.add(value, graph.mul(a[p][r], pushed[d]))
        load.append(value)
    return reduced, load


def _refuse_undetermined(problem: Problem, slopes: Rows, left: Rows, names: list[str]) -> None:
    weakest = problem.undetermined(left)
    if weakest is not None:
        problem.refuse_redundant(slopes, "velocity_constraints")
        raise DerivationError(_undetermined(problem, [names[weakest]]))


def _undetermined(problem: Problem, names: list[str]) -> str:
    return (
        f"{problem.model.name}: the velocity constraints do not determine the dependent speed {', '.join(names)}; "
        "choose dependent speeds that they contain"
    )
