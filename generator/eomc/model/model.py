"""A mechanism: what the front ends build, what every later stage reads.

:class:`Model` is immutable and holds SymPy expressions as the user wrote them; nothing is simplified, expanded or
solved here. Its constructor is the front end for systems of bodies (:class:`MechanicalSystem`); `eomc.from_lagrangian`,
`eomc.from_hamiltonian`, `eomc.from_kanes_method` and their kin make the same object from other descriptions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, ItemsView, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Unpack

import sympy
from sympy.physics.vector import ReferenceFrame

from eomc.answers import ask
from eomc.errors import ModelError
from eomc.model.appearance import appearance_of
from eomc.model.arguments import (
    Equations,
    equations_of,
    expression_of,
    expressions_of,
    mapping_of,
    quoted,
    sequence_of,
)
from eomc.model.cell import model_cell
from eomc.model.described import Described
from eomc.model.events import Named, interruptions_of
from eomc.model.following import following_load
from eomc.model.interruptions import with_modes
from eomc.model.loads import loads_of
from eomc.model.mechanism import Mechanism
from eomc.model.parameters import parameters_of
from eomc.model.parts import Dynamics, MechanicalSystem
from eomc.model.places import places
from eomc.model.potentials import own_potential, with_own_potentials
from eomc.model.records import (
    extra_state_of,
    initial_of,
    inputs_of,
    meanings_of,
    named_rates,
    output_of,
    paired_kinematics,
    range_of,
    reactions_of,
    time_of,
)
from eomc.model.runs import run_of
from eomc.model.trees.records import Triple
from eomc.model.trees.tree import JointTree
from eomc.model.validation import validate
from eomc.wording import counted, suggesting

_UNUSED = ("refuse", "ignore")

DEFAULT_RANGE = (-1.0, 1.0)
"""Bounds of a coordinate, speed, momentum or extra state that the model gives no range for."""


def bounds_of(model: Model, symbols: Iterable[sympy.Expr]) -> list[tuple[float, float]]:
    """Return the bounds of coordinates, speeds, momenta or extra states."""
    given = {bounds.symbol: (bounds.low, bounds.high) for bounds in model.ranges}
    return [given.get(symbol, DEFAULT_RANGE) for symbol in symbols]


class Model(Mechanism):
    """A mechanism described with sympy.physics.mechanics: bodies, loads, constraints.

    Without bodies, coordinates and speeds it is a system of first order: z' of its extra states alone.

    Parameters
    ----------
    name
        Identifier; the emitted C is named after it.
    inertial_frame
        ``ReferenceFrame`` in which Newton's law holds.
    coordinates, speeds
        Time functions q(t), u(t) in the order of the state. Fewer speeds than coordinates are welcome; dependent and
        auxiliary speeds are listed among the speeds. A speed given as ``q.diff(t)`` becomes the speed ``q_d``.
    kinematical_equations
        As many equations as coordinates, linear in q' and u. Empty: u = q'. Equations are expressions that are zero,
        SymPy's ``Eq``, or a mapping {left: right}, as ``KanesMethod.kindiffdict`` and ``solve`` give them.
    bodies
        ``RigidBody`` and ``Particle`` objects.
    loads
        Pairs (Point, force vector) and (ReferenceFrame, torque vector), sympy's ``Force`` and ``Torque``, and its
        actuators: springs, dampers, friction, muscles. The potential energy holds none of them. They may hold u' and
        q'' linearly, as added mass and inerters do: -dF/du' then belongs to the matrix of the equations. The states of
        a muscle belong in `extra_states`, as ``dict(zip(muscle.x, muscle.rhs()))``. A pathway of length zero has no
        direction: the force is NaN there. An actuator whose loads do other work than its force along its pathway is
        refused; those of SymPy's ``WrappingPathway``, which pull where a force should push, are turned, with a warning.
    gravity
        Acceleration of free fall as a vector, such as ``-g*N.z``: makes the weights and the potential energy [m/s^2].
    potential_energy
        V(q, t) of everything but gravity; makes the forces -dV/dq [J]. What bodies have as ``body.potential_energy``
        is added by itself: give each force once, there, here, by `gravity` or by `loads`.
    dissipation_function
        F(q, u, t); makes the generalized forces -dF/du_r [W].
    configuration_constraints, velocity_constraints
        Equations, given likewise; velocity constraints are linear in u.
    dependent_coordinates, dependent_speeds, auxiliary_speeds
        Subsets of the coordinates and speeds. An auxiliary speed moves, in the velocities, what really is held: what
        holds it is then known, as reaction_u for the speed u. In a closed loop the velocity constraints hold it too.
    reactions
        Symbols or time functions, as many as auxiliary speeds: the unknown forces and torques that hold these, as they
        stand in `loads`. Loads may hold N and Abs(N): friction whose normal force is a reaction. A mapping gives
        their unit, or (unit, description).
    extra_states
        Mapping z(t) -> dz/dt, (dz/dt, unit) or (dz/dt, unit, description), the unit being that of z, in SI. Rates may
        hold u' and q'' where the motion does not need z.
    inputs
        Time functions (or their derivatives) that the caller supplies; a mapping gives their default values.
    outputs
        Mapping name -> expression, (expression, unit) or (expression, unit, description), in SI. They may hold u', q''
        and z', as an accelerometer needs, and the reactions: they are then evaluated after the motion.
    parameters
        Mapping symbol -> value, (value, unit) or (value, unit, description). A value beside a unit is in that unit,
        ``(200, "mm")``, a bare one in SI; ``"1"`` says that it has none. A ``MatrixSymbol`` or an
        ``IndexedBase`` takes an array of values, or its elements one by one; it is an array in C. Inertias that the
        motion never needs, of a body that turns about one fixed axis those about others, may lack a value.
    initial
        Mapping coordinate, speed or q.diff(t) -> initial value, (value, unit) or (value, unit, description).
    ranges
        Mapping symbol -> (low, high) or (low, high, unit), from which random states are drawn.
    events
        Mapping name -> :class:`~eomc.model.events.Event`: what happens where a function changes its sign, or at a time.
    impacts
        :class:`~eomc.model.events.Impact` objects: gaps that impulses keep from closing further.
    origin
        The Point from which poses count; by default the fixed one to which the bodies are connected.
    points
        Mapping name -> Point, or (x, y, z) from the origin along the axes of the inertial frame [m]: what has a pose
        beside bodies and links, and instead of them where a Lagrangian or Hamiltonian has none.
    shapes
        Mapping body (or name of a body, link or point) -> :class:`~eomc.model.shapes.Shape` objects, or those of PyDy's
        viewer, in the body's frame with its mass centre as origin, or in the link's. They are there to be drawn; what
        has none is drawn by a guess from its inertia.
    ground
        Shapes that stand still, from the origin along the axes of the inertial frame.
    lines
        ``eomc.Shape.line`` between Points, bodies, places in these or expressions: springs, ropes, joints that close
        loops.
    run
        Its usual run, a mapping: ``t_end``, 10 by default, and ``dt``, the length of fixed steps, 1e-3 by default, in s
        or with a unit; and ``stabilization``, as `eomc.compile` takes it, ``"none"`` by default; and
        ``speed``, seconds of the motion in one of a picture, 1 by default. Whoever simulates, compiles or draws the
        model takes it where nothing else is said: ``run={"t_end": (30, "ms"), "dt": 1e-5, "speed": 0.01}``.
    unused
        What to do with parameters and inputs that the model does not use: ``"refuse"`` them, for they may be misspelt,
        or ``"ignore"`` them: the model is then the one without them.
    description
        One line for people.

    Raises
    ------
    ModelError
        Something is missing, listed twice, unused, or of the wrong kind; the message names it.

    Examples
    --------
    >>> import eomc
    >>> from sympy import symbols
    >>> from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols
    >>> q, u = dynamicsymbols("q u")
    >>> m, k, N, O = *symbols("m k"), ReferenceFrame("N"), Point("O")
    >>> O.set_vel(N, 0)
    >>> P = O.locatenew("P", q * N.x)
    >>> P.set_vel(N, u * N.x)
    >>> block = eomc.Model(
    ...     name="block",
    ...     inertial_frame=N,
    ...     coordinates=[q],
    ...     speeds=[u],
    ...     bodies=[Particle("block", P, m)],
    ...     potential_energy=k * q**2 / 2,
    ...     parameters={m: (2.0, "kg"), k: (50.0, "N/m")},
    ... )
    >>> block.methods
    ('kane', 'lagrange', 'hamilton', 'gibbs-appell')
    """

    __slots__ = ()

    @suggesting
    def __init__(
        self,
        *,
        name: str,
        inertial_frame: Any = None,
        coordinates: Sequence[sympy.Expr] = (),
        speeds: Sequence[sympy.Expr] = (),
        bodies: Sequence[Any] = (),
        kinematical_equations: Equations = (),
        loads: Sequence[Any] = (),
        gravity: Any = None,
        potential_energy: sympy.Expr | float = 0,
        dissipation_function: sympy.Expr | float = 0,
        configuration_constraints: Equations = (),
        velocity_constraints: Equations = (),
        dependent_coordinates: Sequence[sympy.Expr] = (),
        dependent_speeds: Sequence[sympy.Expr] = (),
        auxiliary_speeds: Sequence[sympy.Expr] = (),
        reactions: Sequence[sympy.Expr] | Mapping[sympy.Expr, Any] = (),
        **described: Unpack[Described],
    ) -> None:
        q = expressions_of("coordinates", coordinates)
        u = expressions_of("speeds", speeds)
        time = time_of((*q, *u, *(symbol for symbol, _ in _items("extra_states", described))))
        named = named_rates(q, u, time)
        kinematics = paired_kinematics(q, u, time, equations_of("kinematical_equations", kinematical_equations), named)

        def subset(what: str, members: Sequence[sympy.Expr]) -> tuple[sympy.Expr, ...]:
            return tuple(named.get(member, member) for member in expressions_of(what, members))

        listed = sequence_of("bodies", bodies)
        pairs, actuators = loads_of(loads)
        system = MechanicalSystem(
            inertial_frame=inertial_frame if q or u or inertial_frame is not None else ReferenceFrame("N"),
            kinematical_equations=kinematics,
            bodies=listed,
            loads=pairs,
            actuators=actuators,
            gravity=gravity,
            potential_energy=with_own_potentials(listed, expression_of("potential_energy", potential_energy)),
            dissipation_function=expression_of("dissipation_function", dissipation_function),
            configuration_constraints=equations_of("configuration_constraints", configuration_constraints),
            velocity_constraints=equations_of("velocity_constraints", velocity_constraints),
            dependent_coordinates=subset("dependent_coordinates", dependent_coordinates),
            dependent_speeds=subset("dependent_speeds", dependent_speeds),
            auxiliary_speeds=subset("auxiliary_speeds", auxiliary_speeds),
            reactions=reactions_of(reactions),
        )
        described["initial"] = {named.get(key, key): value for key, value in _items("initial", described)}
        described["ranges"] = {named.get(key, key): value for key, value in _items("ranges", described)}
        _fill(self, system, name, time, q, subset("speeds", u), described, named)

    @classmethod
    def of_dynamics(
        cls,
        dynamics: Dynamics,
        *,
        name: str,
        coordinates: Sequence[sympy.Expr],
        speeds: Sequence[sympy.Expr],
        **described: Unpack[Described],
    ) -> Model:
        """Return the model of ready-made `dynamics`; for front ends.

        `described` is what stands beside the mechanism, by the names of the arguments of a Model.
        """
        model = object.__new__(cls)
        q, u = expressions_of("coordinates", coordinates), expressions_of("speeds", speeds)
        _fill(model, dynamics, name, time_of(q + u), q, u, described)
        return model

    @property
    def methods(self) -> tuple[str, ...]:
        """Methods that can derive this model's equations, the native one first."""
        methods: tuple[str, ...] = ask("methods", self)
        return methods

    def as_bodies(self) -> Model:
        """Return a tree of joints as a system of bodies of sympy.physics.mechanics in the same symbols.

        All methods can derive that one; measures are written out in it, which takes SymPy long for large trees.

        Raises
        ------
        ModelError
            The model is no tree of joints.
        """
        bodies: Model = ask("bodies", self)
        return bodies

    def renamed(self, name: str) -> Model:
        """Return the same mechanism under another name."""
        return self._changed(name=name)

    def uninterrupted(self) -> Model:
        """Return the same mechanism without events and impacts; its modes are states that stay as they are."""
        return self._changed(events=())

    def with_dynamics(self, dynamics: Dynamics) -> Model:
        """Return the model with other bodies, loads or energies in the same symbols; for front ends.

        `dynamics` is the mechanism: bodies, a Lagrangian, a Hamiltonian or a tree of joints.
        """
        return self._changed(dynamics=dynamics)

    def rewritten(
        self, dynamics: Dynamics, write: Callable[[Any], Any], centres: Mapping[str, Triple] = MappingProxyType({})
    ) -> Model:
        """Return the model with other dynamics in the same symbols, its other expressions as `write` makes them.

        Shapes of links go to bodies with mass centres at `centres` in the links' frames.

        `dynamics` is the mechanism in other expressions.
        """
        return self._changed(
            dynamics=dynamics,
            appearance=self.appearance.rewritten(write, centres),
            outputs=tuple(dataclasses.replace(one, expression=write(one.expression)) for one in self.outputs),
            extra_states=tuple(dataclasses.replace(one, rate=write(one.rate)) for one in self.extra_states),
            events=tuple(Named(one.name, one.what.rewritten(write)) for one in self.events),
        )

    def _changed(self, **changes: Any) -> Model:
        model = object.__new__(Model)
        for field in dataclasses.fields(self):
            object.__setattr__(model, field.name, changes.get(field.name, getattr(self, field.name)))
        return model

    def __repr__(self) -> str:
        if self.is_first_order:
            return f"<eomc.Model {self.name!r}: first order, {counted(len(self.extra_states), 'extra state')}>"
        kind = type(self.dynamics).__name__
        sizes = f"{counted(len(self.coordinates), 'coordinate')}, {counted(len(self.speeds), 'speed')}"
        return f"<eomc.Model {self.name!r}: {kind}, {sizes}>"

    def _repr_html_(self) -> str:
        """Return states, inputs, parameters and outputs in tables, for a notebook."""
        return model_cell(self)


def _fill(
    model: Model,
    dynamics: Dynamics,
    name: str,
    time: sympy.Symbol,
    coordinates: tuple[sympy.Expr, ...],
    speeds: tuple[sympy.Expr, ...],
    described: Described,
    named: Mapping[sympy.Expr, sympy.Expr] = MappingProxyType({}),
) -> None:
    """Normalize the user's containers into the frozen records, then validate the whole.

    `named` are the names of speeds that were given as time derivatives of coordinates.
    """
    unused = described.get("unused", "refuse")
    if unused not in _UNUSED:
        raise ModelError(f"unused is {quoted(unused)}: give {' or '.join(map(repr, _UNUSED))}")
    fields = with_modes(
        {
            **_records(described),
            "name": name,
            "time": time,
            "coordinates": coordinates,
            "speeds": speeds,
            "dynamics": dynamics,
            "appearance": appearance_of(described, dynamics),
            "run": run_of(_items("run", described)),
            "events": interruptions_of(described.get("events"), described.get("impacts", ()), named),
        }
    )
    for field, value in {**fields, "idle": ()}.items():
        object.__setattr__(model, field, value)
    if isinstance(dynamics, JointTree):
        object.__setattr__(model, "dynamics", dynamics.with_measures_of([one.expression for one in places(model)]))
    loose = validate(model, ignore_unused=unused == "ignore")
    object.__setattr__(model, "idle", loose.idle)
    if loose.unused:
        for field in ("parameters", "inputs", "ranges"):
            kept = tuple(one for one in getattr(model, field) if one.symbol not in loose.unused)
            object.__setattr__(model, field, kept)
    object.__setattr__(model, "following_load", following_load(model))
    if isinstance(dynamics, MechanicalSystem) and (dynamics.actuators or any(map(own_potential, dynamics.bodies))):
        object.__setattr__(model, "dynamics", ask("settled", model))


def _records(described: Described) -> dict[str, Any]:
    """Return the records of what stands beside the mechanism, by the fields that hold them."""
    starts = [initial_of(symbol, value) for symbol, value in _items("initial", described)]
    extra = [extra_state_of(symbol, value) for symbol, value in _items("extra_states", described)]
    return {
        "description": described.get("description", ""),
        "parameters": parameters_of(_items("parameters", described)),
        "inputs": inputs_of(described.get("inputs", ())),
        "outputs": tuple(output_of(key, value) for key, value in _items("outputs", described)),
        "extra_states": tuple(state for state, _ in extra),
        "initial": tuple((meaning.symbol, value) for value, meaning in starts if value is not None),
        "meanings": meanings_of((meaning for _, meaning in extra), (meaning for _, meaning in starts)),
        "ranges": tuple(range_of(symbol, bounds) for symbol, bounds in _items("ranges", described)),
    }


def _items(what: str, described: Described) -> ItemsView[Any, Any]:
    """Return the pairs of a mapping, none where it is not given."""
    return mapping_of(what, described.get(what)).items()
