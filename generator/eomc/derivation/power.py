"""Power: what changes the energy, by its causes.

With u0 the speeds at which q' = 0, and v0, w0 the velocities there, the Jacobi integral h = T2 - T0 + V changes by

    dh/dt = sum of F.(v - v0) + T.(w - w0) - sum of (u_r - u0_r) dD/du_r + lambda^T b - dL/dt,

the powers of the loads, of the dissipation function D, of constraints J v + b = 0 that move, and of what else moves in
time; dL/dt is taken at constant q and q' (Goldstein, *Classical Mechanics*, section 2.7). Where all bodies are at rest
when q' = 0, h is T + V, and dT/dt, the sum of v.d(m v)/dt - m' v.v / 2 and the like of rotations, needs no such
derivative of T: there speeds may be fewer than coordinates (Kane & Levinson, *Dynamics* (1985), section 5.6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.bodies import BodySystem
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.energetics import still_motion
from eomc.derivation.forces import active_seeds
from eomc.derivation.integrability import without_rates_of_positions
from eomc.derivation.problem import Problem
from eomc.ir.equations import Quantity
from eomc.ir.graph import Node
from eomc.lowering.vectors import apply, cross, dot, minus
from eomc.model.parts import Lagrangian
from eomc.passes.differentiate import Tangents, gradient, jacobian
from eomc.passes.substitute import Substitution
from eomc.solving.linear import solve_general

LOADS = "power of the loads"
_FORCES = "power of the generalized forces that are not in L or H"
_DISSIPATION = "power of what the dissipation function stands for"
CONSTRAINTS = "power of the constraints that move"
_TIME = "power of what else moves in time, with inputs and extra states"
_SUMS = {"total": "T + V", "jacobi": "the Jacobi integral", "hamiltonian": "H"}

Part = tuple[str, Node, str]  # name, node, description


@dataclass(frozen=True, slots=True)
class Powers:
    """Powers by their causes, then their sum, under the name of the energy whose rate it is; or why there are none."""

    quantities: tuple[Quantity, ...] = ()
    missing: str = ""


def bodies_powers(
    problem: Problem,
    bodies: BodySystem,
    rows: ConstraintRows,
    multipliers: Sequence[Node] | None,
    energies: Sequence[Quantity],
    by_energy: bool = False,
) -> Powers:
    """Return the powers of a system of bodies.

    Parameters
    ----------
    problem, bodies, rows
        The mechanism on the graph, and its constraints.
    multipliers
        lambda of the rows; None where the method knows only what lambda is the rate of.
    energies
        As `bodies_energies` returns them.
    by_energy
        The equations come from T, not from rates of momentum: an inertia that is given in a frame which moves in its
        body is then a function of the coordinates like any other.
    """
    graph, system = problem.graph, bodies.system
    named = {quantity.name: quantity.node for quantity in energies}
    if "total" not in named:
        return Powers(missing="the weights have no potential energy, for their places are not known")
    if "jacobi" not in named:
        return Powers(
            missing="bodies move while q' = 0, and with fewer speeds than coordinates T has no parts by degree"
        )
    if bodies.strange_accelerations:
        return Powers(missing="an acceleration was set that is not the derivative of its velocity")
    rest = still_motion(problem)
    still = Substitution(graph, rest)
    constraints = constraint_power(problem, rows, still, multipliers)
    if constraints is None:
        return Powers(missing=_NO_MULTIPLIERS)
    scleronomic = named["jacobi"] == named["total"]
    if scleronomic:
        time = _mass_rates(problem, bodies, still, by_energy)
    else:
        without = without_rates_of_positions(problem, bodies)
        if without:
            return Powers(missing=without)
        found = _of_time(problem, bodies, named)
        if found is None:
            return Powers(missing="a mass depends on the coordinates, or the speeds at constant q' are not determined")
        time = found
    loads = (graph.mul(graph.sub(v, still(v)), force) for v, force in active_seeds(bodies))
    slopes = gradient(graph, problem.scalars(system.dissipation_function), problem.motion)
    damping = (graph.mul(graph.sub(rest[u], u), slope) for u, slope in zip(problem.motion, slopes, strict=True))
    parts = [
        ("loads", graph.sum(loads), LOADS),
        ("dissipation", graph.sum(damping), _DISSIPATION),
        ("constraints", constraints, CONSTRAINTS),
        ("time", time, _TIME),
    ]
    return summed(problem, parts, "total" if scleronomic else "jacobi")


def lagrangian_powers(
    problem: Problem, lagrangian: Node, rows: ConstraintRows, multipliers: Sequence[Node] | None
) -> Powers:
    """Return the powers that change h = sum of q' dL/dq' - L; `multipliers` as for bodies."""
    graph, dynamics = problem.graph, problem.model.dynamics
    assert isinstance(dynamics, Lagrangian)
    constraints = constraint_power(problem, rows, problem.still, multipliers)
    if constraints is None:
        return Powers(missing=_NO_MULTIPLIERS)
    forces = [problem.scalars(force) for force in dynamics.generalized_forces]
    working = graph.sum(graph.mul(force, v) for force, v in zip(forces, problem.motion, strict=True))
    slopes = gradient(graph, problem.scalars(dynamics.dissipation_function), problem.motion)
    damping = graph.sum(graph.mul(slope, v) for slope, v in zip(slopes, problem.motion, strict=True))
    parts = [
        ("loads", working, _FORCES),
        ("dissipation", graph.neg(damping), _DISSIPATION),
        ("constraints", constraints, CONSTRAINTS),
        ("time", graph.neg(_explicit(problem)(lagrangian)), _TIME),
    ]
    return summed(problem, parts, "jacobi")


def hamiltonian_powers(problem: Problem, hamiltonian: Node, forces: Sequence[Node], rates: Sequence[Node]) -> Powers:
    """Return the powers that change a given H: dH/dt = sum of Q q' + dH/dt at constant q and p."""
    working = problem.graph.sum(problem.graph.mul(force, v) for force, v in zip(forces, rates, strict=True))
    parts = [("loads", working, _FORCES), ("time", _explicit(problem)(hamiltonian), _TIME)]
    return summed(problem, parts, "hamiltonian")


# -- parts -----------------------------------------------------------------------------------------------------------

_NO_MULTIPLIERS = "constraints move, and Hamilton's form with sigma does not have their forces; use another method"


def _explicit(problem: Problem, direction: dict[Node, Node] | None = None) -> Tangents:
    """Return the time derivative of what holds time, inputs and extra states, at constant q and motion variables."""
    return Tangents(problem.graph, problem.outside_rates.of | (direction or {}))


def constraint_power(
    problem: Problem, rows: ConstraintRows, still: Substitution, multipliers: Sequence[Node] | None
) -> Node | None:
    """Return the power of the forces -J^T lambda on u - u0: lambda^T times the residual J u0 + b."""
    graph = problem.graph
    moving = still.all(rows.residuals)
    if all(map(problem.is_zero, moving)):
        return graph.zero
    if multipliers is None:
        return None
    return graph.sum(graph.mul(m, b) for m, b in zip(multipliers, moving, strict=True))


def _mass_rates(problem: Problem, bodies: BodySystem, still: Substitution, by_energy: bool) -> Node:
    """Return what time does to T + V of bodies that are at rest when q' = 0: growing masses, and V itself."""
    graph = problem.graph
    half = graph.div(graph.one, graph.constant(2))
    terms = []
    for body, frame in zip(bodies.bodies, bodies.frame_choices()[0], strict=True):
        mass_rate = problem.rate(body.mass)
        if not graph.is_zero(mass_rate):
            velocity = bodies.motion.velocity_in(body.center, frame)
            terms.append(graph.mul(mass_rate, dot(graph, velocity, velocity)))
        if body.inertia is not None:
            spin = bodies.spin(body)
            terms.append(dot(graph, spin, bodies.inertia_rate(body)))
            if body.basis is not body.frame and not by_energy:  # seen from the body, I turns with its own frame
                assert body.basis is not None
                carried = bodies.motion.angular_velocity_in(body.basis, body.basis)
                momentum = apply(graph, body.inertia, spin)
                turning = dot(graph, momentum, cross(graph, minus(graph, spin, carried), spin))
                if not problem.is_zero(turning):  # not of a round body
                    terms.append(graph.mul(graph.constant(2), turning))
    potential = problem.scalars(bodies.system.potential_energy)
    change = _explicit(problem)(potential)
    if len(problem.motion) != len(problem.q):  # q' need not vanish with the speeds
        slopes = gradient(graph, potential, problem.q)
        left = (graph.mul(slope, still(rate)) for slope, rate in zip(slopes, problem.rates, strict=True))
        change = graph.add(change, graph.sum(left))
    return graph.sub(change, graph.mul(half, graph.sum(terms)))


def _of_time(problem: Problem, bodies: BodySystem, named: dict[str, Node]) -> Node | None:
    """Return -dL/dt at constant q and q'; None where u at constant q' is not determined."""
    if bodies.has_mass_by_place:
        return None
    speeds = _speeds_at_constant_rates(problem)
    if speeds is None:
        return None
    along = _explicit(problem, speeds)
    return problem.graph.sub(along(named["potential"]), along(named["kinetic"]))


def _speeds_at_constant_rates(problem: Problem) -> dict[Node, Node] | None:
    """Return u -> du/dt at constant q and q': E(q', u, q, t) = 0 gives dE/du du/dt = -dE/dt."""
    if problem.rates == problem.motion:
        return {}
    graph = problem.graph
    equations, unknowns = problem.kinematics.equations, problem.kinematics.unknowns
    known = Substitution(graph, dict(zip(unknowns, problem.rates, strict=True)))
    explicit = _explicit(problem)
    changes = [known(explicit(equation)) for equation in equations]
    held = {rate: graph.zero for rate in problem.rates if rate not in problem.motion}
    if all(graph.is_zero(change) for change in changes):
        return held
    by_speed = [known.all(row) for row in jacobian(graph, equations, problem.motion)]
    if len(problem.motion) != len(problem.q) or problem.ranks.undetermined(by_speed) is not None:
        return None
    right = [[graph.neg(change)] for change in changes]
    solved = solve_general(graph, by_speed, right, problem.motion_names, problem.checks)
    return held | dict(zip(problem.motion, solved.column, strict=True))


def summed(problem: Problem, parts: Sequence[Part], energy: str) -> Powers:
    """Return the parts that are not zero as functions, and their sum."""
    kept = [(name, node, text) for name, node, text in parts if not problem.is_zero(node)]
    total = problem.graph.sum(node for _, node, _ in kept)
    needed = ", ".join(problem.outside_rates.needed(problem.graph, [total]))
    if needed:
        return Powers(missing=f"time derivatives of inputs are not known: list {needed} among the inputs too")
    quantities = [Quantity(name, node, "W", text) for name, node, text in kept]
    what = "their sum, the rate of" if quantities else "zero: nothing changes"
    quantities.append(Quantity(energy, total, "W", f"{what} {_SUMS[energy]}"))
    return Powers(tuple(quantities))
