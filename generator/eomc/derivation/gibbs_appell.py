"""Gibbs-Appell equations dS/du'_r = Q_r as M u' = f.

The Gibbs function is the energy of the accelerations,

    S(q, u, u', t) = sum of m a.a / 2 + alpha.I.alpha / 2 + alpha.(w x I.w),

so that M = d2S/du'2 and f = Q - dS/du' at u' = 0. Here u' are symbols of their own: an acceleration is what is left of
it at u' = 0 plus the sum of v_r u'_r. dS/du' comes from one reverse sweep, begun at dS = sum of m a.da +
(I.alpha + w x I.w).dalpha (S itself, differentiated, would have each product twice), and M from forward sweeps. Weights
m g join m a before that: S - sum of m g.a is the sum of m (a - g).(a - g) / 2, but for what holds no u'.

Source: J. W. Gibbs, On the fundamental formulae of dynamics, *Amer. J. Math.* 2 (1879); P. Appell, Sur une forme
generale des equations de la dynamique, *J. reine angew. Math.* 121 (1900).
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derivation.bodies import BodySystem, GraphBody
from eomc.derivation.clusters import find_clusters
from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.forces import active_seeds, generalized_forces, potential_seeds
from eomc.derivation.mass_matrix import lower_triangle, mass_matrices, mirrored
from eomc.derivation.problem import Problem
from eomc.derivation.speeds import equations_for_speeds, refuse_nonlinear_velocities, solve_for_speeds
from eomc.ir.equations import GibbsFunction
from eomc.ir.graph import Graph, Node, Rows
from eomc.lowering.vectors import Components, add, apply, cross, dot, each, minus, plus
from eomc.model.sympy_private import Frame
from eomc.passes.cost import cost
from eomc.passes.dependence import Dependence
from eomc.passes.differentiate import Tangents, vjp
from eomc.passes.shorten import shorten
from eomc.passes.substitute import Substitution


class _Accelerated:
    """The motion with u' as symbols.

    Parameters
    ----------
    bodies
        The bodies.
    u_dots
        What stands for u', one node for each motion variable.
    """

    def __init__(self, bodies: BodySystem, u_dots: Sequence[Node]) -> None:
        problem = bodies.problem
        self._bodies = bodies
        self.along = Tangents(problem.graph, dict(zip(problem.motion, u_dots, strict=True)))  # sum of v_r u'_r

    def linear(self, body: GraphBody, frame: Frame, gravity: bool) -> tuple[Components, Components]:
        """Return the velocity of a mass centre and its acceleration, less gravity if that is asked for, in `frame`."""
        bodies, graph = self._bodies, self._bodies.graph
        velocity = bodies.motion.velocity_in(body.center, frame)
        left = bodies.acceleration(body)
        if gravity:
            left = add(graph, bodies.frames.map(bodies.frames.lower(bodies.system.gravity), graph.neg), left)
        return velocity, plus(graph, bodies.frames.express(left, frame), each(self.along, velocity))

    def turning(self, body: GraphBody) -> Components:
        """Return what u' brings into a body's angular acceleration, in the frame of its inertia."""
        return each(self.along, self._bodies.spin(body))


def derive_gibbs_appell(problem: Problem, bodies: BodySystem, rows: ConstraintRows) -> ConstrainedMotion:
    """Derive the Gibbs-Appell equations; the speeds are the quasi-velocities.

    Raises
    ------
    DerivationError
        A velocity is not linear in the speeds, the mass matrix is singular (naming the speed without inertia), or the
        constraints do not determine a dependent speed.
    """
    refuse_nonlinear_velocities(problem, bodies)
    equations = equations_for_speeds(problem, rows, *_second_and_first(problem, bodies))
    return solve_for_speeds(problem, bodies, rows, equations)


def _second_and_first(problem: Problem, bodies: BodySystem) -> tuple[Rows, list[Node]]:
    """Return M = d2S/du'2 and f = Q - dS/du' at u' = 0, in the cheapest of a few choices of frames.

    The second derivative of S is multiplied out over composites of bodies, too, where that takes less.
    """
    graph = problem.graph
    u_dots = problem.u_dots
    motion = _Accelerated(bodies, u_dots)
    still = Substitution(graph, dict.fromkeys(u_dots, graph.zero))
    clusters = find_clusters(bodies)
    system = bodies.system
    active = active_seeds(bodies)
    loads = [(motion.along(velocity), still(force)) for velocity, force in (*active, *potential_seeds(problem, system))]
    following = [(velocity, graph.sub(force, still(force))) for velocity, force in active if still(force) != force]
    damping = generalized_forces(problem, following, system)  # and what loads have of u'
    found = []
    for frames in bodies.frame_choices():
        slopes = vjp(graph, [*_inertia_seeds(bodies, motion, frames), *loads], u_dots)  # f - M u'
        forcing = [graph.add(still(slope), force) for slope, force in zip(slopes, damping, strict=True)]
        for matrix in (mirrored(_seconds(graph, slopes, u_dots)), *mass_matrices(bodies, clusters, frames)):
            found.append((matrix, forcing))
    return min(found, key=lambda pair: cost(graph, [*lower_triangle(pair[0]), *pair[1]]))


def _seconds(graph: Graph, slopes: Sequence[Node], u_dots: Sequence[Node]) -> Rows:
    """Return the derivatives of f - M u' with respect to -u', a row for each u'; zeros are not looked for."""
    sweeps = [Tangents(graph, {u_dot: graph.constant(-1)}) for u_dot in u_dots]
    dependence = Dependence(graph, u_dots, sweeps)
    rows = [[graph.zero] * len(slopes) for _ in u_dots]
    for i, slope in enumerate(slopes):
        for k in dependence.variables(slope):
            rows[k][i] = sweeps[k](slope)
    return rows


def _inertia_seeds(bodies: BodySystem, motion: _Accelerated, frames: Sequence[Frame]) -> list[tuple[Node, Node]]:
    """Return (what u' brings into an acceleration, m g - d(m v)/dt) and the like for rotations, of every body."""
    graph = bodies.graph
    seeds = []
    for body, frame in zip(bodies.bodies, frames, strict=True):
        velocity, acceleration = motion.linear(body, frame, gravity=True)
        mass_rate = bodies.problem.rate(body.mass)  # zero but for a mass that varies in time
        for v, a in zip(velocity, acceleration, strict=True):
            seeds.append((motion.along(v), graph.neg(graph.add(graph.mul(body.mass, a), graph.mul(mass_rate, v)))))
        if body.inertia is not None:
            turning = motion.turning(body)
            moment = plus(graph, apply(graph, body.inertia, turning), bodies.inertia_moment(body))
            seeds.extend((w, graph.neg(n)) for w, n in zip(turning, moment, strict=True))
    return seeds


def accelerated_seeds(bodies: BodySystem, frames: Sequence[Frame]) -> tuple[list[tuple[Node, Node]], Tangents]:
    """Return (what u' brings into an acceleration, force) of inertia and weight at u', and what tells the former."""
    motion = _Accelerated(bodies, bodies.problem.u_dots)
    return _inertia_seeds(bodies, motion, frames), motion.along


def gibbs_function(bodies: BodySystem) -> GibbsFunction:
    """Return S [J/s^2].

    Masses and inertias that vary in time add m' v.a and alpha.(I'.w), so that dS/du' is the rate of momentum.
    """
    graph = bodies.graph
    motion = _Accelerated(bodies, bodies.problem.u_dots)
    half = graph.div(graph.one, graph.constant(2))
    terms = []
    for body, frame in zip(bodies.bodies, bodies.frame_choices()[0], strict=True):
        velocity, acceleration = motion.linear(body, frame, gravity=False)
        terms.append(graph.mul(graph.mul(half, body.mass), dot(graph, acceleration, acceleration)))
        terms.append(graph.mul(bodies.problem.rate(body.mass), dot(graph, velocity, acceleration)))
        if body.inertia is not None:
            bias = bodies.frames.express(bodies.angular_acceleration(body), body.basis)
            turning = plus(graph, bias, motion.turning(body))
            terms.append(graph.mul(half, dot(graph, turning, apply(graph, body.inertia, turning))))
            terms.append(dot(graph, turning, _gyroscopic_moment(bodies, body)))
    return GibbsFunction(shorten(graph, [graph.sum(terms)])[0], tuple(bodies.problem.u_dots))


def _gyroscopic_moment(bodies: BodySystem, body: GraphBody) -> Components:
    """Return d(I.w)/dt - I.alpha, that is w x I.w, in the frame F of the inertia, which need not be the body's own.

    d/dt (I w) = I d_F w/dt + I' w + w_F x (I w), with d_F w/dt = alpha - w_F x w.
    """
    assert body.inertia is not None
    graph = bodies.graph
    spin = bodies.spin(body)
    carrier = bodies.motion.angular_velocity_in(body.basis, body.basis)
    moment = cross(graph, carrier, apply(graph, body.inertia, spin))
    if body.frame is not body.basis:
        moment = minus(graph, moment, apply(graph, body.inertia, cross(graph, carrier, spin)))
    return plus(graph, moment, bodies.inertia_rate(body))
