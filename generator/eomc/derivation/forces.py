"""Generalized active and inertia forces, all at once.

The virtual power (Jourdain) of forces F on velocities v and torques T on angular velocities w is the sum of F.dv +
T.dw; so F_r = sum of F.v_r + T.w_r (Kane & Levinson, *Dynamics* (1985), section 4.4) is one vector-Jacobian product
of the velocities, seeded with the force values. The forces themselves are not differentiated, and through recursive
velocities they are gathered from the outermost body inwards before they are projected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eomc.derivation.bodies import BodySystem, GraphBody
from eomc.derivation.motion import Motion
from eomc.derivation.problem import Problem
from eomc.ir.graph import Node
from eomc.lowering.vectors import add, each
from eomc.model.parts import Lagrangian, MechanicalSystem
from eomc.model.sympy_private import Frame
from eomc.passes.differentiate import gradient, vjp

Seeds = list[tuple[Node, Node]]


def inertia_seeds(
    system: BodySystem, frames: Sequence[Frame], chosen: Sequence[GraphBody] | None = None, weights: bool = True
) -> Seeds:
    """Return (velocity component, force) for m g - d(m v)/dt and -d(I w)/dt of all or some bodies, with u' = 0.

    `frames` gives for each body the frame in which its velocity is expressed; m g is left out without `weights`.
    """
    graph, motion = system.graph, system.motion
    gravity = system.frames.lower(system.system.gravity if weights else None)
    upward = system.frames.map(gravity, graph.neg)
    seeds: Seeds = []
    for body, frame in zip(system.bodies if chosen is None else chosen, frames, strict=True):
        parts = system.frames.express(add(graph, upward, system.acceleration(body)), frame)
        velocity = motion.velocity_in(body.center, frame)
        mass_rate = system.problem.rate(body.mass)  # zero but for a mass that varies in time
        for v, a in zip(velocity, parts, strict=True):
            seeds.append((v, graph.neg(graph.add(graph.mul(body.mass, a), graph.mul(mass_rate, v)))))
        if body.inertia is not None:
            seeds += zip(system.spin(body), each(graph.neg, system.inertia_moment(body)), strict=True)
    return seeds


def weight_seeds(system: BodySystem) -> Seeds:
    """Return (velocity component, m g) of every body."""
    graph, motion = system.graph, system.motion
    gravity = system.frames.lower(system.system.gravity)
    seeds: Seeds = []
    for body in system.bodies:
        for frame, piece in gravity.items():
            velocity = motion.velocity_in(body.center, frame)
            seeds.extend((v, graph.mul(body.mass, x)) for v, x in zip(velocity, piece, strict=True))
    return seeds


def active_seeds(system: BodySystem, motion: Motion | None = None) -> Seeds:
    """Return (velocity component, force component) of the loads, with the velocities of `motion` where it is given."""
    return [pair for place, vector in system.system.loads for pair in load_seeds(system, place, vector, motion)]


def load_seeds(system: BodySystem, place: Any, vector: Any, motion: Motion | None = None) -> Seeds:
    """Return (velocity component, force component) of one load."""
    motion = system.motion if motion is None else motion
    seeds: Seeds = []
    for frame, piece in system.frames.lower(vector).items():
        if hasattr(place, "dcm"):
            moving = motion.angular_velocity_in(place, frame)
        else:
            moving = motion.velocity_in(place, frame)
        seeds.extend(zip(moving, piece, strict=True))
    return seeds


def potential_seeds(problem: Problem, system: MechanicalSystem) -> Seeds:
    """Return (q'_i, -dV/dq_i) of the potential energy: its power is -dV/dt."""
    slopes = gradient(problem.graph, problem.scalars(system.potential_energy), problem.q)
    return list(zip(problem.rates, map(problem.graph.neg, slopes), strict=True))


def generalized_forces(
    problem: Problem, seeds: Seeds, system: MechanicalSystem, chosen: Sequence[Node] | None = None
) -> list[Node]:
    """Return the generalized forces of the seeds, less dF/du_r of the dissipation function.

    One for each of the `chosen` motion variables; None: for each there is.
    """
    dissipation = problem.scalars(system.dissipation_function)
    variables = problem.motion if chosen is None else chosen
    return vjp(problem.graph, [*seeds, (dissipation, problem.graph.constant(-1))], variables)


def lagrangian_forces(problem: Problem, dynamics: Lagrangian) -> list[Node]:
    """Return Q_r - dF/dq_r' of what stands beside a Lagrangian: generalized forces and a dissipation function."""
    slopes = gradient(problem.graph, problem.scalars(dynamics.dissipation_function), problem.motion)
    return list(map(problem.graph.sub, map(problem.scalars, dynamics.generalized_forces), slopes))
