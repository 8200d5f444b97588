"""Is every force given once, and does every actuator what it says? Asked on the graph, before anything is derived.

An actuator of sympy.physics.mechanics is a force along a pathway. Its loads must do work at the rate of the force
times the extension velocity of the pathway; those of SymPy's pathways that wrap around a cylinder or a sphere do the
opposite (SymPy 1.12 to 1.14), and are turned. Velocities that were set may differ from the rates of positions, as
those of contact points do; the extension velocity is a rate of positions, so that these are asked where they differ.

Powers are compared at states within the ranges, with the rounding that the sizes of their terms allow. Nothing else in
a program rests on the answer than whether the loads are as the user meant them.
"""

from __future__ import annotations

import enum
import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy

from eomc.derivation.bodies import BodySystem
from eomc.derivation.forces import load_seeds, weight_seeds
from eomc.derivation.pose import pose
from eomc.derivation.problem import Problem
from eomc.derivation.sampling import looks
from eomc.errors import DerivationError, LoweringError, ModelError
from eomc.ir.graph import Node
from eomc.ir.method import SecondHalf
from eomc.ir.rounding import Number, Rounded, is_rounding
from eomc.lowering.vectors import VectorSum
from eomc.model.model import Model
from eomc.model.parts import Actuator, Load, MechanicalSystem
from eomc.model.potentials import own_potential
from eomc.passes.differentiate import gradient

_NEAR_STATES = range(0, 128, 4)  # of the sampling
_ENOUGH = 12  # at which powers have values


def settled(model: Model) -> MechanicalSystem:
    """Return the bodies and loads of a model, loads of wrapping pathways turned so that they do what they say.

    Raises
    ------
    ModelError
        An actuator's loads do other work than its force along its pathway; or a body's own potential energy makes a
        force that is given a second time.
    """
    assert isinstance(model.dynamics, MechanicalSystem)
    try:
        scene = _Scene(model)
        _refuse_given_twice(scene)
        return _with_turned_loads(scene)
    except (DerivationError, LoweringError):
        return model.dynamics  # the derivation tells what is wrong


def settled_forces(
    model: Model, frame: Any, actuators: Sequence[tuple[Actuator, Sequence[sympy.Expr]]]
) -> list[sympy.Expr]:
    """Return for actuators of a Lagrangian, with their generalized forces, the factors that make them as they say."""
    problem = pose(model, SecondHalf.VELOCITIES)
    factors, turned = [], []
    for actuator, forces in actuators:
        parts = (problem.graph.mul(problem.scalars(f), v) for f, v in zip(forces, problem.motion, strict=True))
        relation = _compare(problem, problem.graph.sum(parts), _expected(problem, actuator))
        factor = _factor(model, frame, actuator, relation)
        if factor is None:
            raise _refusal(model, actuator)
        factors.append(factor)
        if factor != 1:
            turned.append(actuator)
    _tell_turned(model, turned)
    return factors


class _Relation(enum.Enum):
    """How two powers compare at all states: mixed is the same at some and the opposite at others."""

    SAME = "same"
    OPPOSITE = "opposite"
    MIXED = "mixed"
    OTHER = "other"
    NOTHING = "both are zero"


def _compare(problem: Problem, power: Node, other: Node) -> _Relation:
    """Return how two powers compare at random states near the defaults and within the ranges.

    A pathway holds on its own branch of a kink or cut: what it would be beyond does not count.
    """
    graph, sampling = problem.graph, problem.sampling
    difference, total = graph.sub(power, other), graph.add(power, other)
    same, opposite, found = True, True, False

    def sizes(state: Rounded) -> list[Number] | None:
        numbers = [state.number(node) for node in (power, other, difference, total)]
        return numbers if all(math.isfinite(x) for number in numbers for x in number) else None

    for numbers in looks(sampling.state, sizes, _NEAR_STATES, _ENOUGH):
        first, second, apart, sum_ = map(is_rounding, numbers)
        if not (first and second):
            found = True
            same, opposite = same and apart, opposite and sum_
            if not apart and not sum_:
                return _Relation.OTHER
    if not found:
        return _Relation.NOTHING
    return _Relation.SAME if same else _Relation.OPPOSITE if opposite else _Relation.MIXED


class _Scene:
    """A model on a graph, with the powers of its loads."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.problem = pose(model)
        self.graph = self.problem.graph
        self.bodies = BodySystem(self.problem)
        self.system = self.bodies.system

    def power(self, loads: Sequence[Load]) -> Node:
        """Return the power of loads."""
        seeds = (pair for place, vector in loads for pair in load_seeds(self.bodies, place, vector))
        return self.graph.sum(self.graph.mul(moving, force) for moving, force in seeds)

    def power_by_places(self, loads: Sequence[Load]) -> Node:
        """Return the power of loads on points that move as their positions do."""
        graph, frames, motion = self.graph, self.bodies.frames, self.bodies.motion
        terms: list[Node] = []
        for place, vector in loads:
            if hasattr(place, "dcm"):
                terms.append(self.power([(place, vector)]))
                continue
            rate: VectorSum = motion.rate_of_place(place)
            for frame, piece in frames.lower(vector).items():
                terms += map(graph.mul, frames.express(rate, frame), piece)
        return graph.sum(terms)


# -- actuators -------------------------------------------------------------------------------------------------------


def _with_turned_loads(scene: _Scene) -> MechanicalSystem:
    system = scene.system
    loads = list(system.loads)
    turned, carried = [], []
    for actuator in system.actuators:
        members = range(actuator.first, actuator.first + actuator.count)
        own = [loads[index] for index in members]
        expected = _expected(scene.problem, actuator)
        factor = _factor(
            scene.model, system.inertial_frame, actuator, _compare(scene.problem, scene.power(own), expected)
        )
        if factor is None:
            relation = _compare(scene.problem, scene.power_by_places(own), expected)
            factor = _factor(scene.model, system.inertial_frame, actuator, relation)
            if factor is None:
                raise _refusal(scene.model, actuator)
            carried.append(actuator)
        if factor != 1:
            turned.append(actuator)
            for index in members:
                loads[index] = (loads[index][0], factor * loads[index][1])
    _tell_turned(scene.model, turned)
    if carried:
        _warn(
            f"model {scene.model.name!r}: a velocity that was set on the pathway of {_names(carried)} is not the rate "
            f"of the point's position, so that its loads do other work than its force; they stand all the same"
        )
    return replace(system, loads=tuple(loads))


def _factor(model: Model, frame: Any, actuator: Actuator, relation: _Relation) -> sympy.Expr | None:
    """Return what makes the loads of an actuator do what it says: 1, -1 or a sign; None where nothing does."""
    if relation in (_Relation.SAME, _Relation.NOTHING):
        return sympy.S.One
    if actuator.wrapping is None or relation is _Relation.OTHER:
        return None
    return sympy.S.NegativeOne if relation is _Relation.OPPOSITE else _sense(model, frame, actuator)


def _sense(model: Model, frame: Any, actuator: Actuator) -> sympy.Expr:
    """Return the sign of the work of a unit force's loads on what lengthens the pathway.

    The length that SymPy gives for an angle q about a cylinder is that of |q|, and its loads are those of q > 0.
    """
    terms = []
    for coordinate in model.coordinates:
        stretch = actuator.extension_velocity.diff(coordinate.diff(model.time))
        terms += [
            stretch * load.vector.dot(load.location.pos_from(actuator.wrapping.geometry.point).diff(coordinate, frame))
            for load in actuator.wrapping.to_loads(sympy.S.One)
        ]
    return sympy.sign(sympy.Add(*terms))


def _expected(problem: Problem, actuator: Actuator) -> Node:
    return problem.graph.mul(problem.scalars(actuator.force), problem.scalars(actuator.extension_velocity))


def _refusal(model: Model, actuator: Actuator) -> ModelError:
    return ModelError(
        f"model {model.name!r}: the loads of the actuator {actuator.label} do not do the work of its force along its "
        f"pathway, at states within the ranges: their power is not the force times the extension velocity; correct the "
        f"pathway, give the ranges={{...}} in which it holds, or the loads themselves as (Point, force)"
    )


def _tell_turned(model: Model, turned: Sequence[Actuator]) -> None:
    if turned:
        _warn(
            f"model {model.name!r}: the loads that SymPy's WrappingPathway gives for {_names(turned)} do the opposite "
            f"of force times extension velocity: they are turned, so that a positive force pushes"
        )


def _names(actuators: Sequence[Actuator]) -> str:
    return ", ".join(actuator.label for actuator in actuators)


def _warn(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=2)


# -- potential energies of bodies ------------------------------------------------------------------------------------


def _refuse_given_twice(scene: _Scene) -> None:
    """Refuse a body's own potential energy, whole or one of its terms, that makes the force of a load or weight."""
    named = [(body, own_potential(body)) for body in scene.system.bodies if own_potential(body) != 0]
    if not named:
        return
    candidates = _candidates(scene)
    whole = sympy.Add(*(potential for _, potential in named))
    for body, potential in [*named, (named[0][0], whole)]:
        for part in dict.fromkeys((potential, *sympy.Add.make_args(potential))):
            power = _falling(scene.problem, part)
            for what, other in candidates:
                if _compare(scene.problem, power, other) is _Relation.SAME:
                    raise ModelError(
                        f"model {scene.model.name!r}: the potential energy of body {body.name} and {what} make the "
                        f"same force: give each force once, such as by {body.name}.potential_energy = 0"
                    )


def _candidates(scene: _Scene) -> list[tuple[str, Node]]:
    """Return forces that people give beside potential energies, with their power."""
    graph, system = scene.graph, scene.system
    weights = [graph.mul(v, force) for v, force in weight_seeds(scene.bodies)]
    count = len(weights) // len(system.bodies)
    found: list[tuple[str, Node]] = []
    if count:
        found.append(("gravity", graph.sum(weights)))
        found += [
            (f"gravity on {body.name}", graph.sum(weights[index * count : (index + 1) * count]))
            for index, body in enumerate(system.bodies)
        ]
    found += [(f"load {n} on {load[0]}", scene.power([load])) for n, load in enumerate(system.loads, 1)]
    for actuator in system.actuators:
        members = system.loads[actuator.first : actuator.first + actuator.count]
        found.append((actuator.label, scene.power(members)))
    return [*found, ("the loads", scene.power(system.loads))]


def _falling(problem: Problem, potential: Any) -> Node:
    """Return -dV/dt along the motion."""
    graph = problem.graph
    slopes = gradient(graph, problem.scalars(potential), problem.q)
    return graph.neg(graph.sum(graph.mul(slope, rate) for slope, rate in zip(slopes, problem.rates, strict=True)))
