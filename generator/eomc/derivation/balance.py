"""The balance of forces with v' as arguments: what a controller asks of a model, made where a function asks for it.

M v' + c + g = Q + tau - J^T lambda: c are the generalized inertia forces at v' = 0 with their sign turned, those of
Coriolis, the centrifugal ones and those of prescribed motions; g = dV/dq dq'/dv are those of weights and potentials; Q
are all others. Of bodies tau comes from one sweep outwards for accelerations and one inwards for forces, as in the
recursive Newton-Euler algorithm (R. Featherstone, *Rigid Body Dynamics Algorithms* (2008), chapter 5); of a Lagrangian
from d/dt dL/dq' - dL/dq - Q, with V = -L at q' = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from eomc.derivation.bodies import BodySystem
from eomc.derivation.constrained import prescribed_rates
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.finish import Rewrite, refuse_missing_derivatives
from eomc.derivation.forces import (
    active_seeds,
    generalized_forces,
    inertia_seeds,
    lagrangian_forces,
    potential_seeds,
    weight_seeds,
)
from eomc.derivation.gibbs_appell import accelerated_seeds
from eomc.derivation.problem import Problem
from eomc.derivation.states import rate_names
from eomc.ir.equations import Balance
from eomc.ir.graph import Node, Rows
from eomc.ir.program import Variable
from eomc.ir.symbols import Role, Symbol
from eomc.model.names import name_of
from eomc.model.parts import Lagrangian, MechanicalSystem
from eomc.passes.cost import cost
from eomc.passes.differentiate import Tangents, depends_on, gradient, vjp
from eomc.passes.shorten import shorten
from eomc.passes.substitute import Substitution


class Forces(NamedTuple):
    """Generalized forces, one for each motion variable; `missing` holds the leaves of v'."""

    missing: list[Node]  # M v' + c + g - Q
    coriolis: list[Node]
    gravity: list[Node]


def balance_of(
    problem: Problem, rows: ConstraintRows, bodies: BodySystem | None, velocities: Rewrite = lambda node: node
) -> Balance:
    """Return the balance of a system of bodies, or of a Lagrangian alone.

    Parameters
    ----------
    problem, rows
        The model in its speeds or in q', and its constraints.
    bodies
        Its bodies; None for a Lagrangian.
    velocities
        How q' is written where the state holds momenta.

    Raises
    ------
    UnsupportedError
        Forces hold derivatives of inputs that are not known.
    """
    forces = _of_lagrangian(problem) if bodies is None else _of_bodies(problem, bodies)
    return balance_with(problem, rows, forces, velocities)


def balance_with(
    problem: Problem, rows: ConstraintRows, forces: Forces, velocities: Rewrite = lambda node: node
) -> Balance:
    """Return the balance of forces that are known, as `balance_of` does."""
    graph = problem.graph
    wanted = prescribed_rates(problem, rows)
    turned = [
        graph.sub(graph.sum(map(graph.mul, row, problem.u_dots)), c)
        for row, c in zip(rows.jacobian, wanted, strict=True)
    ]
    accelerations = _accelerations(problem)
    leaves = [graph.symbol(variable.symbol) for variable in accelerations]
    given = Substitution(graph, dict(zip(problem.u_dots, leaves, strict=True)))

    def written(nodes: Sequence[Node]) -> tuple[Node, ...]:
        return tuple(given(velocities(node)) for node in nodes)

    refuse_missing_derivatives(problem, [*forces.missing, *turned])
    problem.checks.rewrite(lambda node: given(velocities(node)))
    return Balance(
        accelerations=accelerations,
        names=tuple(problem.motion_names),
        missing=written(forces.missing),
        coriolis=written(forces.coriolis),
        gravity=written(forces.gravity),
        jacobian=tuple(map(written, rows.jacobian)),
        turned=written(turned),
        rows=tuple(rows.names),
        kept=tuple(_independent(problem, rows.jacobian)),
        dependent=_dependent(problem),
        follows=tuple(
            graph.symbol_of(node).name
            for node in problem.symbols.reactions
            if depends_on(graph, forces.missing, [node])
        ),
        checks=problem.checks.all(),
    )


def balance_of_momenta(problem: Problem, forcing: Sequence[Node]) -> Balance:
    """Return p' - (-dH/dq + Q) of a Hamiltonian as given: it does not tell what is gravity's."""
    graph = problem.graph
    accelerations = _accelerations(problem)
    missing = [graph.sub(graph.symbol(one.symbol), f) for one, f in zip(accelerations, forcing, strict=True)]
    return Balance(accelerations, tuple(problem.motion_names), tuple(missing))


def _accelerations(problem: Problem) -> tuple[Variable, ...]:
    """Return v' as arguments, named after v; the rate of x_d is x_dd."""
    rates = set(rate_names(problem.model))
    names = [f"{name}d" if name in rates else f"{name}_d" for name in problem.motion_names]
    return tuple(Variable(Symbol(Role.ACCELERATION, index, name), name) for index, name in enumerate(names))


def _dependent(problem: Problem) -> tuple[int, ...]:
    """Return the motion variables that are named dependent."""
    dynamics = problem.model.dynamics
    named = dynamics.dependent_speeds if isinstance(dynamics, MechanicalSystem) else ()
    names = set(map(name_of, named))
    return tuple(index for index, name in enumerate(problem.motion_names) if name in names)


def _independent(problem: Problem, jacobian: Rows) -> list[int]:
    """Return the rows of J that do not follow everywhere from others."""
    kept = list(range(len(jacobian)))
    while len(kept) > 1 and (redundant := problem.ranks.redundant([jacobian[k] for k in kept])) is not None:
        del kept[redundant]
    return kept


def _of_bodies(problem: Problem, bodies: BodySystem) -> Forces:
    graph, system = problem.graph, bodies.system
    active = [*active_seeds(bodies), *potential_seeds(problem, system)]
    damping = generalized_forces(problem, [], system)
    found = []
    for frames in bodies.frame_choices():
        seeds, along = accelerated_seeds(bodies, frames)
        loads = [(along(velocity), force) for velocity, force in active]
        forces = vjp(graph, [*seeds, *loads], problem.u_dots)
        found.append([graph.neg(graph.add(force, more)) for force, more in zip(forces, damping, strict=True)])
    missing = min(found, key=lambda nodes: cost(graph, nodes))
    frames = bodies.frame_choices()[0]
    inertia = vjp(graph, inertia_seeds(bodies, frames, weights=False), problem.motion)
    weights = vjp(graph, [*weight_seeds(bodies), *potential_seeds(problem, system)], problem.motion)
    coriolis, gravity = ([graph.neg(force) for force in forces] for forces in (inertia, weights))
    return Forces(shorten(graph, missing), shorten(graph, coriolis), shorten(graph, gravity))


def _of_lagrangian(problem: Problem) -> Forces:
    graph, dynamics = problem.graph, problem.model.dynamics
    assert isinstance(dynamics, Lagrangian)
    lagrangian = problem.scalars(dynamics.expression)
    momenta = gradient(graph, lagrangian, problem.motion)
    held = {**problem.outside_rates.of, **dict(zip(problem.q, problem.rates, strict=True))}
    moving = Tangents(graph, {**held, **dict(zip(problem.motion, problem.u_dots, strict=True))})
    slopes = gradient(graph, lagrangian, problem.q)
    at_rest = Substitution(graph, dict.fromkeys(problem.motion, graph.zero))(lagrangian)
    gravity = [graph.neg(slope) for slope in gradient(graph, at_rest, problem.q)]
    forces = lagrangian_forces(problem, dynamics)
    inertia = [graph.sub(moving(p), slope) for p, slope in zip(momenta, slopes, strict=True)]
    still = [graph.sub(problem.rate(p), slope) for p, slope in zip(momenta, slopes, strict=True)]
    missing = [graph.sub(a, force) for a, force in zip(inertia, forces, strict=True)]
    coriolis = [graph.sub(c, g) for c, g in zip(still, gravity, strict=True)]
    return Forces(shorten(graph, missing), shorten(graph, coriolis), shorten(graph, gravity))
