"""Which models are trees, of which rows, and why others are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy
from sympy.physics.mechanics import (
    Particle,
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    SphericalJoint,
    System,
    dynamicsymbols,
    inertia,
)

import eomc
from eomc.derivation.found.drafts import NoTreeError
from eomc.model import Model

t = dynamicsymbols._t
Finds = Callable[[Model], Any]

SHIPPED = {
    "cart_pole": "pr",
    "double_pendulum_bars": "rr",
    "free_rigid_body": "b",  # a quaternion, its speeds the angular velocity
    "heavy_top:quaternion": "b",
    "heavy_top": "rrr",  # three angles with their rates
    "n_link_pendulum:4": "prrrr",
    "rolling_disk_with_slip": "ppprrr",
    "two_masses_on_rod": "rp",
    "whipple_bicycle": "pprrrrrr",
}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_models_are_trees(name: str, hung: Finds) -> None:
    """One row for each simple step, in the order in which they are met: prismatic, revolute, ball."""
    assert hung(eomc.load(name)).kinds == SHIPPED[name]


def moved(
    frame: ReferenceFrame,
    place: Point,
    q: list[Any],
    world: ReferenceFrame,
    speeds: list[Any] | None = None,
    **more: Any,
) -> Model:
    """Return a model of one body."""
    body = RigidBody("body", place, frame, 2, (inertia(frame, 1, 2, 2.5), place))
    return Model(
        name="moved",
        inertial_frame=world,
        coordinates=q,
        speeds=speeds or [e.diff(t) for e in q],
        bodies=[body],
        **more,
    )


@pytest.fixture
def world() -> tuple[ReferenceFrame, Point]:
    """Return an inertial frame and a point at rest."""
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    return frame, origin


def test_joints_of_sympy(hung: Finds) -> None:
    """A pin, a slider and a ball of three angles, as `System` has them."""
    wall, one, two, three = (sympy.physics.mechanics.RigidBody(name) for name in ("wall", "one", "two", "three"))
    system = System.from_newtonian(wall)
    system.add_joints(
        PinJoint("pin", wall, one, joint_axis=wall.z, child_point=one.x),
        PrismaticJoint("slide", one, two, joint_axis=one.x),
        SphericalJoint("ball", two, three, child_point=three.y),
    )
    found = hung(eomc.from_system(system, name="joints", parameters=dict.fromkeys(free(system), 1.3), unused="ignore"))
    assert found.kinds == "rprrr"
    assert [draft.place.row for draft in found.found.drafts] == [-1, 0, 1, 2, 3]


def free(system: Any) -> list[Any]:
    """Return the symbols of all bodies of a system."""
    found = {s for body in system.bodies for s in (body.mass, *body.central_inertia.to_matrix(body.frame).free_symbols)}
    return sorted((s for s in found if isinstance(s, sympy.Symbol)), key=str)


def test_absolute_angles_are_one_row_each(world: tuple[ReferenceFrame, Point], hung: Finds) -> None:
    """Both frames are turned in the inertial one about one axis: what turns is the difference of the angles."""
    found = hung(eomc.load("two_link_arm"))
    graph, (first, second) = found.problem.graph, found.problem.q
    assert [draft.coordinate for draft in found.found.drafts] == [first, graph.sub(second, first)]
    assert [list(row.values()) for row in found.tree.speeds.slopes] == [[graph.one], [graph.neg(graph.one), graph.one]]


def test_one_coordinate_along_a_direction_askew(world: tuple[ReferenceFrame, Point], hung: Finds) -> None:
    """It is one shift along a unit vector, by as much as the coordinate times the length of the direction."""
    N, origin = world
    s = dynamicsymbols("s")
    place = origin.locatenew("P", 3 * s * N.x + 4 * s * N.y + 2 * N.z)
    found = hung(
        Model(name="askew", inertial_frame=N, coordinates=[s], speeds=[s.diff(t)], bodies=[Particle("p", place, 1)])
    )
    (draft,) = found.found.drafts
    graph = found.problem.graph
    assert [graph.number(e) for e in draft.axis] == [0.6, 0.8, 0]
    assert draft.coordinate == graph.mul(graph.constant(5.0), found.problem.q[0])


def test_a_body_on_another_shares_its_rows(world: tuple[ReferenceFrame, Point], hung: Finds) -> None:
    """Two arms on one turning body, one of them by a constant rotation: three rows, not five."""
    N, origin = world
    q = list(dynamicsymbols("q1:4"))
    A, bodies = ReferenceFrame("A"), []
    A.orient_axis(N, N.z, q[0])
    for k, angle in ((1, 0), (2, sympy.Rational(1, 3))):
        C, B = ReferenceFrame(f"C{k}"), ReferenceFrame(f"B{k}")
        C.orient_axis(A, A.x, angle)
        B.orient_axis(C, C.y, q[k])
        place = origin.locatenew(f"P{k}", A.x + k * A.y).locatenew(f"G{k}", B.z)
        bodies.append(RigidBody(f"b{k}", place, B, 1, (inertia(B, 1, 2, 2), place)))
    found = hung(Model(name="arms", inertial_frame=N, coordinates=q, speeds=[e.diff(t) for e in q], bodies=bodies))
    assert [draft.place.row for draft in found.found.drafts] == [-1, 0, 0]


def test_a_velocity_that_is_not_that_of_its_place(world: tuple[ReferenceFrame, Point], hung: Finds) -> None:
    """Kane's equations take the velocity that was set: there is no tree that has it."""
    N, origin = world
    q = dynamicsymbols("q")
    B = ReferenceFrame("B")
    B.orient_axis(N, N.z, q)
    place = origin.locatenew("P", B.x)
    place.set_vel(N, 2 * q.diff(t) * B.y)
    with pytest.raises(NoTreeError, match="the velocity set for point P is not that of its place"):
        hung(moved(B, place, [q], N))


def test_an_angular_velocity_that_is_not_that_of_the_orientation(
    world: tuple[ReferenceFrame, Point], hung: Finds
) -> None:
    """The same of a frame."""
    N, origin = world
    q = dynamicsymbols("q")
    B = ReferenceFrame("B")
    B.orient_axis(N, N.z, q)
    B.set_ang_vel(N, q.diff(t) * N.x)
    with pytest.raises(NoTreeError, match="the angular velocity set for frame B is not that of its orientation"):
        hung(moved(B, origin, [q], N))


def test_a_matrix_that_is_no_rotation(world: tuple[ReferenceFrame, Point], hung: Finds) -> None:
    """What turns by other functions than cosine and sine is none, and the frames are named."""
    N, origin = world
    q = dynamicsymbols("q")
    B = ReferenceFrame("B")
    B.orient_explicit(N, sympy.Matrix([[1, 0, 0], [0, 1, q], [0, -q, 1]]))
    B.set_ang_vel(N, q.diff(t) * N.x)
    with pytest.raises(NoTreeError, match="between frames N and B"):
        hung(moved(B, origin, [q], N))


def test_a_mass_that_varies(world: tuple[ReferenceFrame, Point], hung: Finds) -> None:
    """Recursions know constant moments."""
    N, origin = world
    x = dynamicsymbols("x")
    place = origin.locatenew("P", x * N.x)
    model = Model(
        name="rocket",
        inertial_frame=N,
        coordinates=[x],
        speeds=[x.diff(t)],
        bodies=[Particle("p", place, 2 + sympy.cos(t))],
    )
    with pytest.raises(NoTreeError, match="a mass or an inertia varies"):
        hung(model)
