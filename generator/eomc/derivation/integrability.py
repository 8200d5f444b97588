"""Whether velocities are rates of positions, as the kinetic energy asks it.

Lagrange's inertia forces d/dt(dT/dq'_r) - dT/dq_r are Kane's only where velocities v = sum v_s q'_s + v_t and angular
velocities w are rates of positions and of orientations. Their difference is the sum over the bodies of

    m v . (d/dt v_r - dv/dq_r) + I w . (d/dt w_r - dw/dq_r - w x w_r) + (w_r - c_r) . (I w x w),

derivatives in the inertial frame. The first bracket vanishes where v is a closed form in (q, t, prescribed signals);
the second where w meets the Maurer-Cartan condition dw_s/dq_r - dw_r/dq_s = w_r x w_s; the third where the inertia
turns with the body, or is symmetric about the axis on which its frame, with the partial angular velocities c_r, turns
otherwise. Here the difference itself is looked at: it asks no more than the equations need, so that a rod's spin, which
has no inertia, and a round body's frame, which need not spin with it, may be anything.

Source: V. I. Arnold, *Mathematical Methods of Classical Mechanics* (1989), sections 19 and 32; T. R. Kane,
D. A. Levinson, *Dynamics: Theory and Applications* (1985), section 5.6.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace

from eomc.derivation.bodies import BodySystem, GraphBody, asked_once
from eomc.derivation.covectors import in_rates
from eomc.derivation.forces import inertia_seeds
from eomc.derivation.placed import are_placed, turn_as_oriented
from eomc.derivation.problem import Problem
from eomc.derivation.units import unit_coordinates
from eomc.derivation.zeros import Zeros
from eomc.ir.graph import Node
from eomc.lowering.vectors import components
from eomc.model.sympy_private import Frame
from eomc.passes.differentiate import depends_on, gradient, vjp
from eomc.solving.checks import Checks


def why_no_energy_gives_forces(problem: Problem, bodies: BodySystem) -> str:
    """Return why Lagrange's and Hamilton's equations do not serve a system of bodies, "" where they do."""
    if bodies.has_mass_by_place:
        return (
            "a mass depends on the coordinates, so that forces and energies give different equations; use kane, which "
            "takes the rate of momentum"
        )
    strange = next(iter(bodies.strange_accelerations), None)
    if strange is not None:
        return (
            f"the acceleration set for {strange} is not the time derivative of its velocity, and energies hold no "
            "accelerations; use kane or gibbs-appell, which take it as set, or do not set it"
        )
    return without_rates_of_positions(problem, bodies)


@asked_once
def without_rates_of_positions(problem: Problem, bodies: BodySystem) -> str:
    """Return which body's velocity is no rate of a position, as a clause that names what serves; "" for none.

    There are as many motion variables as coordinates.
    """
    if (len(problem.q) == 1 and not _moves_by_itself(problem, bodies)) or are_placed(problem, bodies):
        return ""
    frames = dict(zip(bodies.bodies, bodies.frame_choices()[0], strict=True))
    if all(map(problem.is_zero, _differences(problem, bodies, frames))):
        return ""
    for part, frame in _parts(problem, bodies):
        if not all(map(problem.is_zero, _differences(problem, bodies, {part: frame}))):
            return _told(part, spins=part.inertia is not None)
    return "the velocities of its bodies are no rates of positions; use kane or gibbs-appell"


def _told(body: GraphBody, spins: bool) -> str:
    what = f"the velocity of {body.center.name}, the mass centre of {body.name}, is no rate of a position"
    if spins:
        assert body.frame is not None
        what = (
            f"the angular velocity of {body.frame.name}, the frame of {body.name}, is no rate of an orientation, or "
            "its inertia does not turn with it"
        )
    return f"{what}: no energy gives the inertia forces; use kane or gibbs-appell"


def _moves_by_itself(problem: Problem, bodies: BodySystem) -> bool:
    """Whether velocities or inertias change with what is neither a coordinate nor a motion variable."""
    nodes = []
    for body in bodies.bodies:
        velocity, spin = bodies.twist(body)
        nodes += [*components(velocity), *components(spin)]
        if body.inertia is not None:
            nodes += [*bodies.spin(body), *(x for row in body.inertia for x in row)]
    return bool(depends_on(problem.graph, nodes, problem.outside_rates.of))


def _differences(problem: Problem, bodies: BodySystem, chosen: Mapping[GraphBody, Frame]) -> list[Node]:
    """Return d/dt(dT/dq'_r) - dT/dq_r + F*_r of some bodies for each coordinate.

    All at u' = 0; what u' brings is the mass matrix either way. F*_r are Kane's generalized inertia forces, without the
    weights.
    """
    graph = problem.graph
    kinetic, seeds = _inertia(bodies, chosen)
    slopes = gradient(graph, kinetic, problem.motion)
    found = in_rates(problem, [slopes, vjp(graph, seeds, problem.motion)], Checks(graph))
    if found is None:
        return []
    momenta, forces = found
    held = [(rate, graph.neg(p)) for rate, p in zip(problem.rates, momenta, strict=True)]
    slopes = vjp(graph, [(kinetic, graph.one), *held], problem.q)
    rates = map(problem.rate, momenta)
    return [graph.add(graph.sub(rate, slope), force) for rate, slope, force in zip(rates, slopes, forces, strict=True)]


@asked_once
def keeps_own_energy(problem: Problem, bodies: BodySystem) -> bool:
    """Whether dT/dt is the power against the inertia forces, with quaternions as long as their constraints say.

    It is not where an inertia does not turn with its body, or angular velocities contradict orientations.
    """
    frames = dict(zip(bodies.bodies, bodies.frame_choices()[0], strict=True))
    return turn_as_oriented(problem, bodies) or _keep_own_energy(problem, bodies, frames)


def _keep_own_energy(problem: Problem, bodies: BodySystem, chosen: Mapping[GraphBody, Frame]) -> bool:
    graph = problem.graph
    kinetic, seeds = _inertia(bodies, chosen)
    power = graph.sum(graph.mul(v, force) for v, force in seeds)
    difference = graph.add(problem.rate(kinetic), power)
    if problem.is_zero(difference):
        return True
    symbols = dict(zip(problem.model.coordinates, map(graph.symbol_of, problem.q), strict=True))
    units = [[symbols[q] for q in unit] for unit in unit_coordinates(problem.model)]
    return bool(units) and Zeros(problem.sampling.on_units(units))(difference)


def warn_of_contradictions(problem: Problem, bodies: BodySystem) -> None:
    """Name a body whose energy changes by more than the power of the loads, as that of no rigid body does.

    A frame that does not spin with a symmetric body contradicts nothing, whatever its angular velocity is.
    """
    moved = bodies.strange_accelerations or bodies.has_varying_inertia or _moves_by_itself(problem, bodies)
    if moved or keeps_own_energy(problem, bodies):
        return
    for part, frame in _parts(problem, bodies):
        if not _keep_own_energy(problem, bodies, {part: frame}):
            what = f"in the velocity of {part.center.name}, the mass centre of {part.name},"
            if part.inertia is not None:
                what = f"the inertia of {part.name} does not turn with it, or"
            warnings.warn(
                f"{problem.model.name}: {what} the angular velocity of a frame is not the rate of its orientation: the "
                "equations take both as they were set, and energy is not kept",
                RuntimeWarning,
                stacklevel=2,
            )
            return


def _parts(problem: Problem, bodies: BodySystem) -> Iterator[tuple[GraphBody, Frame]]:
    """Yield each body twice, as a point and as what turns only, with the frame of its velocity."""
    for body, frame in zip(bodies.bodies, bodies.frame_choices()[0], strict=True):
        yield replace(body, inertia=None), frame
        yield replace(body, mass=problem.graph.zero), frame


def _inertia(bodies: BodySystem, chosen: Mapping[GraphBody, Frame]) -> tuple[Node, list[tuple[Node, Node]]]:
    """Return T of some bodies, each in its frame, and the seeds of their inertia forces."""
    seeds = inertia_seeds(bodies, list(chosen.values()), list(chosen), weights=False)
    return bodies.kinetic_energy(list(chosen.values()), list(chosen)), seeds
