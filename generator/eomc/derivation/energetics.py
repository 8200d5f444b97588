"""Kinetic and potential energy, the Jacobi integral, momenta of cyclic coordinates; and when they are constant.

With T = T2 + T1 + T0 by degree in q', the Jacobi integral is h = sum of q'_i dT/dq'_i - T + V = T2 - T0 + V: constant
when time does not appear and no force but those of V does work (Goldstein, *Classical Mechanics*, section 2.7). It
equals T + V when T is all T2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from eomc.derivation.bodies import BodySystem, asked_once
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.forces import active_seeds
from eomc.derivation.inertial import dot_numbers
from eomc.derivation.integrability import keeps_own_energy, without_rates_of_positions
from eomc.derivation.placed import are_placed
from eomc.derivation.problem import Problem
from eomc.derivation.states import momentum_units
from eomc.ir.equations import Invariant, Quantity
from eomc.ir.graph import Level, Node
from eomc.ir.rounding import Number, Rounded
from eomc.lowering.vectors import components
from eomc.model.names import name_of
from eomc.passes.differentiate import depends_on, gradient, jacobian
from eomc.passes.substitute import Substitution
from eomc.solving.linear import solve_general

_WITHOUT_LOADS = "; the loads are not in it"
WITHOUT_FORCES = "; the generalized forces are not in it"


def bodies_energies(
    problem: Problem, bodies: BodySystem, rows: ConstraintRows
) -> tuple[list[Quantity], list[Invariant]]:
    """Return T, V, T + V and h of a system of bodies, and which of them the motion keeps.

    Where gravity's potential cannot be told from positions (a mass centre without a place, say), only T is returned.
    """
    graph, system = problem.graph, bodies.system
    kinetic = bodies.kinetic_energy()
    quantities = [Quantity("kinetic", kinetic, "J", "kinetic energy T")]
    gravity = bodies.gravity_potential()
    if not _is_potential_of_weight(problem, bodies, gravity):
        return quantities, []
    potential = graph.add(problem.scalars(system.potential_energy), gravity)
    scleronomic = is_scleronomic(problem, bodies)
    quantities += [
        Quantity("potential", potential, "J", f"potential energy V{_WITHOUT_LOADS if system.loads else ''}"),
        Quantity("total", graph.add(kinetic, potential), "J", "total energy T + V"),
    ]
    if not scleronomic and len(problem.motion) != len(problem.q):
        return quantities, []  # no speeds make q' = 0, so that T has no parts by degree in q'
    still = Substitution(graph, still_motion(problem))
    moving = kinetic if scleronomic else bodies.rate_energy_difference(still)
    quantities.append(
        Quantity("jacobi", graph.add(moving, potential), "J", "Jacobi integral T2 - T0 + V, degrees in q'")
    )
    return quantities, _invariants(problem, bodies, rows, [kinetic, potential], scleronomic, still)


def still_motion(problem: Problem) -> dict[Node, Node]:
    """Return motion variable -> its value at q' = 0: zero for velocities, u(q' = 0) for speeds where that exists."""
    graph = problem.graph
    if not problem.rates or problem.motion == problem.rates:
        return dict.fromkeys(problem.motion, graph.zero)
    at_rest = Substitution(graph, dict.fromkeys(problem.kinematics.unknowns, graph.zero))
    still = at_rest.all(problem.kinematics.equations)
    offsets = problem.still.all(still)
    if all(map(graph.is_zero, offsets)) or len(problem.motion) != len(problem.q):
        return dict.fromkeys(problem.motion, graph.zero)
    matrix, right = jacobian(graph, still, problem.motion), [[graph.neg(w)] for w in offsets]
    solution = solve_general(graph, matrix, right, problem.motion_names, problem.checks)
    return dict(zip(problem.motion, solution.column, strict=True))


@asked_once
def is_scleronomic(problem: Problem, bodies: BodySystem) -> bool:
    """Whether every body is at rest when q' = 0: T is then all of second degree in q'."""
    still = Substitution(problem.graph, still_motion(problem))
    motion, frames = bodies.motion, bodies.frames
    twists = [vector for body in bodies.bodies for vector in bodies.twist(body)]
    shared = dict.fromkeys(node for vector in twists for node in components(vector))
    if all(map(problem.graph.is_zero, map(still, shared))):
        return True
    return all(motion.same(frames.map(vector, still), {}) for vector in twists)


def _is_potential_of_weight(problem: Problem, bodies: BodySystem, potential: Node) -> bool:
    """Whether dV/dt is minus the power of the weights."""
    motion = bodies.motion
    gravity = bodies.frames.lower(bodies.system.gravity)
    steady = [*components(gravity), *(body.mass for body in bodies.bodies)]
    constant = not gravity.keys() - {bodies.frames.root} and all(problem.graph.level[x] < Level.VARYING for x in steady)
    if constant and motion.hangs_together(body.center for body in bodies.bodies) and are_placed(problem, bodies):
        return True  # as it is written
    rate = problem.rate(potential)

    def total(sample: Rounded) -> list[Number]:
        numbers = motion.numbers(sample)
        terms = [sample.number(rate)]
        for body in bodies.bodies:
            power = dot_numbers(numbers(gravity), numbers(motion.velocity(body.center)))
            terms.append(dot_numbers([sample.number(body.mass)], [power]))
        values, sizes = zip(*terms, strict=True)
        return [(sum(values), sum(sizes))]

    return problem.is_zero.vanish(total)


def _invariants(
    problem: Problem,
    bodies: BodySystem,
    rows: ConstraintRows,
    energies: Sequence[Node],
    scleronomic: bool,
    still: Substitution,
) -> list[Invariant]:
    """Return which energies are constant: dh/dt is the power of the loads on the velocities less those at q' = 0."""
    graph, system = problem.graph, bodies.system
    explicit = depends_on(graph, energies, problem.symbols.outside)
    dissipative = graph.zero != problem.scalars(system.dissipation_function)
    if explicit or dissipative or bodies.strange_accelerations or bodies.has_varying_inertia:
        return []
    if not all(map(problem.is_zero, still.all(rows.residuals))):
        return []  # the constraints do work
    working = [graph.mul(graph.sub(v, still(v)), force) for v, force in active_seeds(bodies)]
    condition = when_zero(problem, graph.sum(working))
    if condition is None:
        return []
    if scleronomic:  # whatever the velocities are
        kept = keeps_own_energy(problem, bodies)
        return [Invariant(name, condition) for name in ("total", "jacobi")] if kept else []
    if problem.rates != problem.motion and depends_on(graph, problem.kinematics.equations, problem.symbols.outside):
        return []  # T is explicit in time at given q'
    return [] if without_rates_of_positions(problem, bodies) else [Invariant("jacobi", condition)]


def when_zero(problem: Problem, node: Node) -> str | None:
    """Return under which condition a node is zero as a function: "" for always, None for never."""
    if problem.is_zero(node):
        return ""
    without = Substitution(problem.graph, dict.fromkeys(problem.symbols.signals, problem.graph.zero))
    return "while the inputs are zero" if problem.is_zero(without(node)) else None


def lagrangian_energies(
    problem: Problem, lagrangian: Node, forces: Sequence[Node], rows: ConstraintRows
) -> tuple[list[Quantity], list[Invariant]]:
    """Return the energies that a Lagrangian alone defines: h, its value at q' = 0, and the rest of it.

    L does not tell T from V: a charge in a magnetic field has a T1 that is no energy, a relativistic particle no T2.
    Where h has no value at q' = 0, only h is returned.
    """
    graph = problem.graph
    momenta = gradient(graph, lagrangian, problem.motion)
    product = graph.sum(graph.mul(p, v) for p, v in zip(momenta, problem.motion, strict=True))
    potential = graph.neg(problem.still(lagrangian))
    if _is_quadratic(problem, momenta):  # without a difference of what may be large: L = T - V
        kinetic = graph.div(product, graph.constant(2))
        jacobi, words = graph.add(kinetic, potential), "kinetic energy, h - potential"
    else:
        jacobi = graph.sub(product, lagrangian)
        kinetic, words = graph.sub(jacobi, potential), "h - potential"
    left_out = "" if all(map(graph.is_zero, forces)) else WITHOUT_FORCES
    quantities = [
        Quantity("total", jacobi, "J", f"total energy h = sum of q' dL/dq' - L{left_out}"),
        Quantity("jacobi", jacobi, "J", "Jacobi integral h = sum of q' dL/dq' - L"),
    ]
    if _has_value(problem, potential, jacobi):
        quantities = [
            Quantity("kinetic", kinetic, "J", words),
            Quantity("potential", potential, "J", f"h at q' = 0{left_out}"),
            *quantities,
        ]
    if depends_on(graph, [lagrangian], problem.symbols.outside):
        return quantities, []
    if not all(map(problem.is_zero, problem.still.all(rows.residuals))):
        return quantities, []  # the constraints do work
    condition = when_zero(problem, graph.sum(graph.mul(f, v) for f, v in zip(forces, problem.motion, strict=True)))
    if condition is None:
        return quantities, []
    return quantities, [Invariant(name, condition) for name in ("total", "jacobi")]


def _has_value(problem: Problem, node: Node, other: Node) -> bool:
    """Whether a node has a value at one of the points at which another has one."""
    samples = [problem.sampling.state(number) for number in range(8)]
    known = [sample for sample in samples if math.isfinite(sample[other])]
    return not known or any(math.isfinite(sample[node]) for sample in known)


def _is_quadratic(problem: Problem, momenta: Sequence[Node]) -> bool:
    """Whether the momenta are M(q, t) q': L is then of second degree in q', with no linear part."""
    graph = problem.graph
    slopes = [entry for row in jacobian(graph, momenta, problem.motion) for entry in row]
    return not depends_on(graph, slopes, problem.motion) and all(map(problem.is_zero, problem.still.all(momenta)))


def cyclic_momenta(
    problem: Problem,
    slopes: Sequence[Node],
    momenta: Sequence[Node],
    forces: Sequence[Node],
    names: Sequence[str],
    chosen: Sequence[int] | None = None,
) -> tuple[list[Quantity], list[Invariant]]:
    """Return the momenta of the coordinates that L does not depend on, constant where their generalized force vanishes.

    Parameters
    ----------
    problem
        The problem.
    slopes
        dL/dq (or dH/dq), to be looked at for zeros.
    momenta, forces
        p, and the generalized forces that are not in L.
    names
        What to call p; one for each coordinate.
    chosen
        The coordinates of which slopes, momenta and forces are, by index. None: each there is.
    """
    quantities, invariants = [], []
    units = momentum_units(problem.model)
    indices = range(len(names)) if chosen is None else chosen
    for index, slope, momentum, force in zip(indices, slopes, momenta, forces, strict=True):
        if not problem.is_zero(slope):
            continue
        q, name, unit = name_of(problem.model.coordinates[index]), names[index], units[index]
        condition = when_zero(problem, force)
        if condition is None:
            text = f"generalized momentum dL/d{q}' of {q}; its rate is the generalized force on {q}"
        else:
            text = f"momentum of {q}, constant{condition and ' '}{condition}: {q} is cyclic"
            invariants.append(Invariant(name, condition))
        quantities.append(Quantity(name, momentum, unit, text))
    return quantities, invariants
