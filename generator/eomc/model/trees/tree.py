"""A tree of joints: links that hang on each other, as a robot's description lists them.

Nothing of sympy.physics is made for it, so that a thousand joints are no burden. Its links and joints are put in an
order in which parents come first, otherwise that of the user, and joint i carries link i + 1; the model's coordinates
and speeds are those of the joints in this order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.physics.vector import dynamicsymbols

from eomc.errors import ModelError
from eomc.model.arguments import Equations, equations_of, quoted, sequence_of, text_of
from eomc.model.trees.cell import tree_cell
from eomc.model.trees.checks import closure_of, joint_of, link_of, load_of, take
from eomc.model.trees.closing import closure_equations, norm_equations
from eomc.model.trees.entries import triple_of
from eomc.model.trees.following import Lead, leads_of
from eomc.model.trees.measures import component, components, components_in
from eomc.model.trees.order import ordered
from eomc.model.trees.records import (
    WORLD,
    ZERO,
    Closure,
    Joint,
    Link,
    Measure,
    MeasureKind,
    TreeLoad,
    Triple,
)
from eomc.wording import did_you_mean, suggesting


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class JointTree:
    """Links, the joints between them, and what acts on them.

    Parameters
    ----------
    links
        :class:`~eomc.model.trees.records.Link` objects with different names.
    joints
        :class:`~eomc.model.trees.records.Joint` objects, one for each link but the root, in any order.
    root
        The link that stands still, in whose axes gravity is; needed only to say it again. A floating robot hangs by a
        free joint on a root of its own.
    gravity
        Acceleration of free fall in the root's axes, such as (0, 0, -9.81) [m/s^2].
    loads
        :class:`~eomc.model.trees.records.LinkForce`, ``LinkTorque`` and ``JointLoad`` objects.
    closures
        :class:`~eomc.model.trees.records.Closure` objects: joints that close loops.
    configuration_constraints, velocity_constraints
        Equations, as for :class:`~eomc.model.model.Model`; they may hold measures.
    measures
        Measures that a model's other expressions hold; those of loads and constraints are added.

    Raises
    ------
    ModelError
        An entry is of the wrong kind, or the links and joints make no tree; the message names the link or joint.

    Notes
    -----
    Measures take `link`, the name of a link, `at`, a point in its frame [m], and `axes`, those of the world or of a
    link by its name. `with_constraints` takes equations, `configuration` and `velocity`; `with_measures_of` the
    `expressions` whose measures the tree has to know.

    Examples
    --------
    >>> import eomc
    >>> from eomc.trees import Joint, JointTree, Link
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> q, u = dynamicsymbols("q u")
    >>> links = [Link(name="ground"), Link(name="rod", mass=1.0, centre=(0, 0, -0.5))]
    >>> joint = {"parent": "ground", "child": "rod", "axis": (0, 1, 0), "coordinates": [q], "speeds": [u]}
    >>> tree = JointTree(links, [Joint(name="pivot", kind="revolute", **joint)], gravity=(0, 0, -9.81))
    >>> eomc.from_tree(tree, name="swing", initial={q: 0.5}).methods
    ('kane',)
    """

    links: tuple[Link, ...]  # the root, then the child of each joint
    joints: tuple[Joint, ...]
    root: str
    gravity: Triple
    loads: tuple[TreeLoad, ...]
    closures: tuple[Closure, ...]
    own_constraints: tuple[sympy.Expr, ...]  # those on the configuration that were given as equations
    configuration_constraints: tuple[sympy.Expr, ...]  # these, those of closures, and the norms of quaternions
    velocity_constraints: tuple[sympy.Expr, ...]
    measures: tuple[Measure, ...]
    parents: tuple[int, ...]  # by joint: the place in `links` of what it hangs on
    leads: tuple[Lead | None, ...]  # by joint: what it follows, with mimic joints of mimic joints resolved
    time: sympy.Symbol

    @suggesting
    def __init__(
        self,
        links: Sequence[Link],
        joints: Sequence[Joint] = (),
        *,
        root: str | None = None,
        gravity: Sequence[Any] = ZERO,
        loads: Sequence[TreeLoad] = (),
        closures: Sequence[Closure] = (),
        configuration_constraints: Equations = (),
        velocity_constraints: Equations = (),
        measures: Sequence[Measure] = (),
    ) -> None:
        given = [take(link_of, "links", number, link) for number, link in enumerate(sequence_of("links", links), 1)]
        hung = [take(joint_of, "joints", number, one) for number, one in enumerate(sequence_of("joints", joints), 1)]
        order = ordered(given, hung, None if root is None else text_of("root", root))
        fields = {
            "links": order.links,
            "joints": order.joints,
            "root": order.links[0].name,
            "gravity": triple_of("gravity", gravity),
            "parents": order.parents,
            "leads": leads_of(order.joints),
            "time": next((q.args[0] for joint in order.joints for q in joint.coordinates), dynamicsymbols._t),
        }
        self._set(fields)
        self._say(loads, closures, configuration_constraints, velocity_constraints, measures)

    def _set(self, fields: dict[str, Any]) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _say(
        self,
        loads: Sequence[TreeLoad],
        closures: Sequence[Closure],
        configuration_constraints: Equations,
        velocity_constraints: Equations,
        measures: Sequence[Measure],
    ) -> None:
        """Take what is written about links and joints, with the measures in it."""
        names = {link.name for link in self.links}
        joints = {joint.name: joint for joint in self.joints}
        acting = [load_of(load, number, names, joints) for number, load in enumerate(sequence_of("loads", loads), 1)]
        closing = [take(closure_of, "closures", k, one) for k, one in enumerate(sequence_of("closures", closures), 1)]
        known: set[str] = set()
        for closure in closing:
            if closure.name in known:
                raise ModelError(f"two closures are named {closure.name!r}: give one another name")
            known.add(closure.name)
            for link in (closure.first, closure.second):
                self._number(link, f"closure {closure.name!r} names")
            if closure.first == closure.second:
                raise ModelError(f"closure {closure.name!r} joins link {closure.first!r} with itself: name two links")
        positions = equations_of("configuration_constraints", configuration_constraints)
        velocities = equations_of("velocity_constraints", velocity_constraints)
        whole = (*positions, *closure_equations(closing, self.root, self.time), *norm_equations(self.joints))
        entries = [entry for load in acting for entry in load.components]
        found = (one.measure for one in components_in([*entries, *whole, *velocities]))
        self._set(
            {
                "loads": tuple(acting),
                "closures": tuple(closing),
                "own_constraints": positions,
                "configuration_constraints": whole,
                "velocity_constraints": velocities,
                "measures": tuple(dict.fromkeys(map(self._checked, (*measures, *found)))),
            }
        )

    def with_loads(self, *loads: TreeLoad) -> JointTree:
        """Return the tree with further loads."""
        return self._with(loads=(*self.loads, *loads))

    def with_closures(self, *closures: Closure) -> JointTree:
        """Return the tree with further closures of loops."""
        return self._with(closures=(*self.closures, *closures))

    def with_constraints(self, configuration: Equations = (), velocity: Equations = ()) -> JointTree:
        """Return the tree with further constraints on its configuration and on its velocities."""
        return self._with(
            own_constraints=(
                *self.own_constraints,
                *equations_of("configuration_constraints", configuration),
            ),
            velocity_constraints=(*self.velocity_constraints, *equations_of("velocity_constraints", velocity)),
        )

    def with_measures_of(self, expressions: Sequence[sympy.Basic]) -> JointTree:
        """Return the tree that lists the measures in expressions, too; for front ends."""
        found = (one.measure for one in components_in(expressions))
        return self._with(measures=tuple(dict.fromkeys((*self.measures, *found))))

    def _with(self, **changes: Any) -> JointTree:
        """Return the tree with other things said about the same links and joints."""
        made = object.__new__(JointTree)
        made._set({name: getattr(self, name) for name in _HUNG})
        made._say(*(changes.get(name, getattr(self, name)) for name in _SAID))
        return made

    def __repr__(self) -> str:
        return f"<eomc.JointTree: {len(self.links)} links, {len(self.speeds)} speeds, root {self.root!r}>"

    def _repr_html_(self) -> str:
        """Return the joints in a table, for a notebook."""
        return tree_cell(self.links, self.joints, self.parents, self.closures)

    # -- what is asked of it -------------------------------------------------------------------------------------------

    @property
    def coordinates(self) -> tuple[sympy.Expr, ...]:
        """The coordinates of all joints."""
        return tuple(q for joint in self.joints for q in joint.coordinates)

    @property
    def speeds(self) -> tuple[sympy.Expr, ...]:
        """The speeds of all joints."""
        return tuple(u for joint in self.joints for u in joint.speeds)

    @property
    def is_constrained(self) -> bool:
        """Whether anything but joints holds the links."""
        return bool(self.closures or self.own_constraints or self.velocity_constraints)

    def place(self, link: str) -> int:
        """Return the number of a link in `links`; joint `place - 1` carries it.

        Raises
        ------
        ModelError
            There is no such link.
        """
        return self._number(link, "a measure names")

    def joints_to(self, link: str) -> list[int]:
        """Return the numbers of the joints between the root and a link, the root's first."""
        found = []
        place = self.place(link)
        while place:
            found.append(place - 1)
            place = self.parents[place - 1]
        return found[::-1]

    # -- measures ------------------------------------------------------------------------------------------------------

    def position(self, link: str, at: Sequence[Any] = ZERO, axes: str = WORLD) -> sympy.ImmutableMatrix:
        """Return the place of a point of a link from the root's origin, in axes of the root or of a link [m]."""
        return self._vector(MeasureKind.POSITION, link, axes, at)

    def velocity(self, link: str, at: Sequence[Any] = ZERO, axes: str = WORLD) -> sympy.ImmutableMatrix:
        """Return the velocity of a point of a link against the root [m/s]."""
        return self._vector(MeasureKind.VELOCITY, link, axes, at)

    def acceleration(self, link: str, at: Sequence[Any] = ZERO, axes: str = WORLD) -> sympy.ImmutableMatrix:
        """Return the acceleration of a point of a link against the root, without gravity; for outputs [m/s^2]."""
        return self._vector(MeasureKind.ACCELERATION, link, axes, at)

    def angular_velocity(self, link: str, axes: str = WORLD) -> sympy.ImmutableMatrix:
        """Return the angular velocity of a link against the root [rad/s]."""
        return self._vector(MeasureKind.ANGULAR_VELOCITY, link, axes)

    def angular_acceleration(self, link: str, axes: str = WORLD) -> sympy.ImmutableMatrix:
        """Return the angular acceleration of a link against the root; for outputs [rad/s^2]."""
        return self._vector(MeasureKind.ANGULAR_ACCELERATION, link, axes)

    def rotation(self, link: str, axes: str = WORLD) -> sympy.ImmutableMatrix:
        """Return R (3, 3) with v_axes = R v_link."""
        return self._vector(MeasureKind.ROTATION, link, axes)

    def jacobian(self, link: str, at: Sequence[Any] = ZERO, axes: str = WORLD) -> sympy.ImmutableMatrix:
        """Return J (6, n): velocity of a point of a link, then angular velocity of the link, by the n speeds."""
        measure = self._measure(MeasureKind.JACOBIAN, link, axes, at)
        moving = {u for joint in self.joints_to(link) for u in self._speeds_at(joint)}
        rows = [
            [component(measure, (i, k), self.time, _word(u)) if u in moving else 0 for k, u in enumerate(self.speeds)]
            for i in range(6)
        ]
        return sympy.ImmutableMatrix(6, len(self.speeds), [entry for row in rows for entry in row])

    def _speeds_at(self, joint: int) -> tuple[sympy.Expr, ...]:
        lead = self.leads[joint]
        return self.joints[joint if lead is None else lead.joint].speeds

    def _vector(self, kind: MeasureKind, link: str, axes: str, at: Sequence[Any] = ZERO) -> sympy.ImmutableMatrix:
        return components(self._measure(kind, link, axes, at), self.time)

    def _measure(self, kind: MeasureKind, link: str, axes: str, at: Sequence[Any] = ZERO) -> Measure:
        x, y, z = (0 if entry == 0 else entry for entry in triple_of(f"at of the {kind.value} of link {link!r}", at))
        return self._checked(Measure(kind=kind, link=link, at=(x, y, z), axes=WORLD if axes == self.root else axes))

    def _checked(self, measure: Measure) -> Measure:
        """Return a measure whose links are those of this tree."""
        self._number(measure.link, "a measure names")
        if measure.axes != WORLD:
            self._number(measure.axes, f"the {measure.kind.value} of {measure.link!r} is in axes of")
        return measure

    def _number(self, link: Any, who: str) -> int:
        for number, one in enumerate(self.links):
            if one.name == link:
                return number
        near = did_you_mean(str(link), [one.name for one in self.links])
        raise ModelError(f"{who} link {quoted(link)}, which the tree does not have: {near}")


def _word(speed: sympy.Expr) -> str:
    return str(getattr(speed, "name", speed))


_HUNG = ("links", "joints", "root", "gravity", "parents", "leads", "time")
_SAID = ("loads", "closures", "own_constraints", "velocity_constraints", "measures")
