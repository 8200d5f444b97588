"""Shapes, ground and lines of a model: what is taken, what is refused, what a scene makes of them."""

from __future__ import annotations

import copy
import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.spatial.transform import Rotation
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.errors import ModelError, UsageError
from eomc.model.shapes import ShapeKind
from eomc.scenery import placed
from eomc.scenery.records import GROUND
from eomc.trees import Joint, JointTree, Link

Shape = eomc.Shape
q, u = dynamicsymbols("q u")
m, length, w = sympy.symbols("m length w")


class Pendulum:
    """A bar, a bob at its end and a spring to the bob; `model` takes what it looks like."""

    def __init__(self) -> None:
        self.N, self.A, self.O = ReferenceFrame("N"), ReferenceFrame("A"), Point("O")
        self.A.orient_axis(self.N, self.N.z, q)
        self.A.set_ang_vel(self.N, u * self.N.z)
        self.O.set_vel(self.N, 0)
        self.C = self.O.locatenew("C", length / 2 * self.A.x)
        self.P = self.O.locatenew("P", length * self.A.x)
        self.hook = self.O.locatenew("hook", 2 * self.N.x + self.N.y)
        for point in (self.C, self.P):
            point.v2pt_theory(self.O, self.N, self.A)
        self.bar = RigidBody("bar", self.C, self.A, m, (inertia(self.A, 0, m * length**2, m * length**2) / 12, self.C))
        self.bob = Particle("bob", self.P, m)

    def model(self, **described: Any) -> eomc.Model:
        parameters = {m: 1.2, length: 0.8, **described.pop("parameters", {})}
        return eomc.Model(
            name="pendulum", inertial_frame=self.N, coordinates=[q], speeds=[u], bodies=[self.bar, self.bob],
            gravity=-9.81 * self.N.y, parameters=parameters, **described,
        )  # fmt: skip


def only(found: eomc.Scene, name: str) -> Any:
    (solid,) = (one for one in found.solids if one.name == name)
    return solid


def poses(model: eomc.Model, *coordinates: float) -> np.ndarray:
    sim = eomc.compile(model, functions=["poses"]).load()
    return sim.poses(0.0, [*coordinates, *[0.0] * len(coordinates)])


def test_sizes_are_those_of_the_parameters() -> None:
    """Numbers stay, expressions follow the parameters, by whatever key a body is named."""
    given = Pendulum()
    model = given.model(shapes={given.bar: [Shape.box(length, w, w / 2)], "bob": Shape.sphere(w)}, parameters={w: 0.1})
    found = eomc.scene(model)
    assert found.rows == ("bar", "bob")
    assert only(found, "bar").sizes == (0.8, 0.1, 0.05)
    assert not found.guessed
    longer = eomc.scene(model, {"length": 1.6, w: 0.2})
    assert (only(longer, "bar").sizes, only(longer, "bob").sizes) == ((1.6, 0.2, 0.1), (0.2,))
    assert found.up == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_copy_looks_alike(copied: Any) -> None:
    """Shapes and lines go with a model that is copied or pickled."""
    given = Pendulum()
    model = given.model(
        shapes={"bar": [Shape.rod((0, 0, 0), (length, 0, 0), 0.01)]}, lines=[Shape.line(given.hook, given.P)]
    )
    assert eomc.scene(copied(model)) == eomc.scene(model)


def test_the_equations_do_not_know_of_it() -> None:
    """The C of a model is the same with shapes and without."""
    given = Pendulum()
    bare, worn = given.model(), given.model(shapes={"bar": [Shape.box(length, 1, 1)]}, ground=[Shape.box(1, 1, 1)])
    texts = [[artifact.text for artifact in eomc.compile(model).artifacts] for model in (bare, worn)]
    assert texts[0] == texts[1]


def test_where_a_scene_is() -> None:
    """Shapes are carried by their bodies, lines go from point to point, the ground stands still."""
    given = Pendulum()
    turn = Rotation.from_euler("zyx", [0.3, -0.5, 1.1])
    tilted = Shape.box(1, 2, 3, offset=(length / 4, 0.1, -0.2), rotation=turn.as_matrix())
    model = given.model(
        shapes={"bar": [tilted, Shape.line((0, 0, 0), (length, 0, 0))]},
        ground=[Shape.cylinder(1, 2, offset=(1, 2, 3))],
        lines=[
            Shape.line(given.hook, given.P, "spring"),
            Shape.line((given.bar, (length / 2, 0, 0)), (0, length, 0), "rope"),
            Shape.line("bob", (2 * sympy.sin(q), 0, 1), "rod"),
        ],
    )
    found = eomc.scene(model)
    assert found.rows == ("bar", "bob", "hook", "end")
    angles = np.array([0.4, -2.9, 1.3])
    at = eomc.compile(model).load().poses(np.zeros(3), np.stack([angles, 0 * angles], axis=1))
    there = placed(found, at)
    assert there.offsets.shape == (3, 3, 3)
    for k, angle in enumerate(angles):
        body = Rotation.from_euler("z", angle)
        middle = 0.4 * np.array([np.cos(angle), np.sin(angle), 0])
        np.testing.assert_allclose(there.offsets[k, 0], middle + body.apply([0.2, 0.1, -0.2]), atol=1e-15)
        turned = Rotation.from_quat(there.quaternions[k, 0], scalar_first=True)
        assert (turned.inv() * body * turn).magnitude() < 1e-14
        np.testing.assert_allclose(there.offsets[k, 2], [1, 2, 3], atol=0)
        end = 2 * middle
        expected = [
            [middle, middle + body.apply([0.8, 0, 0])], [[2, 1, 0], end], [end, [0, 0.8, 0]],
            [end, [2 * np.sin(angle), 0, 1]],
        ]  # fmt: skip
        np.testing.assert_allclose(there.ends[k], expected, atol=1e-15)
    assert [one.style for one in found.segments] == ["line", "spring", "rope", "rod"]
    single = placed(found, at[1])
    np.testing.assert_array_equal(single.ends, there.ends[1])
    with pytest.raises(UsageError, match=r"poses have the shape \(4, 7\)"):
        placed(found, at[1, :3])


def test_rods_and_cylinders_lie_where_they_are_said_to() -> None:
    """The axis of a cylinder is z turned by its quaternion."""
    given = Pendulum()
    rng = np.random.default_rng(2)
    start, end, axis = rng.normal(size=(3, 3))
    shapes = [Shape.rod(start, end, 0.1), Shape.cylinder(0.1, 0.4, axis=axis), Shape.cylinder(0.1, 1, axis="y")]
    found = eomc.scene(given.model(shapes={"bar": shapes})).solids[:3]
    ways = [Rotation.from_quat(one.quaternion, scalar_first=True).apply([0, 0, one.sizes[1]]) for one in found]
    np.testing.assert_allclose(ways[0], end - start, atol=1e-15)
    np.testing.assert_allclose(found[0].offset, (start + end) / 2, atol=1e-15)
    np.testing.assert_allclose(ways[1], 0.4 * axis / np.linalg.norm(axis), atol=1e-15)
    np.testing.assert_allclose(ways[2], [0, 1, 0], atol=1e-15)


@pytest.mark.parametrize(
    ("described", "text"),
    [
        (
            {"shapes": {"baar": [Shape.sphere(1)]}},
            "shapes has 'baar', which is no body and no point .* did you mean bar",
        ),
        (
            {"shapes": {Particle("bob", Point("P"), 1): [Shape.sphere(1)]}},
            r"shapes has Particle.* is no body",
        ),
        ({"shapes": {"bar": ["box"]}}, r"shapes\['bar'\]\[0\] is 'box': give an eomc.Shape"),
        ({"shapes": {"bar": [Shape.box(w, 1, 1)]}}, r"no value for w \(the size along x of shape 1 of 'bar'\)"),
        (
            {"shapes": {"bar": [Shape.sphere(m - 2)]}},
            "the radius of shape 1 of 'bar' is -0.8 with the default parameters",
        ),
        ({"ground": [Shape.box(1, 1, 2 - length * 4)]}, "the size along z of shape 1 of the ground is -1.2"),
        ({"ground": Shape.line(Point("A"), (0, 0, 0))}, r"an end of ground\[0\]"),
        ({"lines": [Shape.sphere(1)]}, r"lines\[0\] is .*: give eomc.Shape.line"),
        ({"lines": [Shape.line((0, 0), (0, 0, 0))]}, r"an end of lines\[0\] is at 0, which is no body"),
        ({"lines": [Shape.line("bar", ("nobody", (0, 0, 0)))]}, "an end of .* is at 'nobody', which is no body"),
        ({"points": {"bar": (0, 0, 0)}, "shapes": {"bar": []}}, "shapes has 'bar', and 2 have that name"),
    ],
)
def test_what_is_refused(described: dict[str, Any], text: str) -> None:
    """One sentence: which shape of what, and what to do."""
    with pytest.raises(ModelError, match=text):
        Pendulum().model(**described)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Shape.sphere(-1), "the radius of a sphere is -1: a size is not negative"),
        (lambda: Shape.box(1, float("nan"), 1), "the size along y of a box must be a finite number"),
        (lambda: Shape.cylinder(q, 1), "the radius of a cylinder holds q"),
        (lambda: Shape.cylinder(1, 1, axis="w"), "give 'x', 'y', 'z' or a vector"),
        (lambda: Shape.box(1, 1, 1, rotation=np.ones((3, 3))), "the rotation of a box is no rotation"),
        (lambda: Shape.line((0, 0, 0), (1, 1, 1), "wavy"), "the style of a line is 'wavy': give one of line, rod"),
        (lambda: Shape.mesh(3), "the file of a mesh is 3, not text"),
    ],
)
def test_shapes_that_are_none(make: Any, text: str) -> None:
    """A shape is refused where it is made."""
    with pytest.raises(ModelError, match=text):
        make()


def test_parameters_of_a_scene() -> None:
    """They are named as those of a run, and sizes are looked at again."""
    given = Pendulum()
    model = given.model(shapes={"bob": [Shape.sphere(1 - length)]})
    with pytest.raises(UsageError, match="parameter lenght is unknown: did you mean length"):
        eomc.scene(model, {"lenght": 1.0})
    with pytest.raises(ModelError, match="the radius of shape 1 of 'bob' is -1 with these parameters"):
        eomc.scene(model, {"length": 2.0})


def test_guesses() -> None:
    """Solids of even density: their mass and inertia are those of the body; where nothing turns, a point."""
    found = eomc.scene(Pendulum().model())
    rod = only(found, "bar")
    assert rod.kind is ShapeKind.CYLINDER
    assert rod.sizes[1] == pytest.approx(0.8)
    axis = Rotation.from_quat(rod.quaternion, scalar_first=True).apply([0, 0, 1])
    np.testing.assert_allclose(np.abs(axis), [1, 0, 0], atol=1e-15)
    assert only(found, "bob").kind is ShapeKind.POINT
    assert found.guessed == ("bar", "bob")


def inertia_of_solid(kind: ShapeKind, sizes: Any, mass: float) -> np.ndarray:
    """Return the inertia of a solid about its middle, by the formulas of text-books."""
    if kind is ShapeKind.BOX:
        x, y, z = np.square(sizes)
        return mass / 12 * np.diag([y + z, z + x, x + y])
    if kind is ShapeKind.SPHERE:
        return 0.4 * mass * sizes[0] ** 2 * np.eye(3)
    radius, height = sizes
    across = mass * (3 * radius**2 + height**2) / 12
    return np.diag([across, across, mass * radius**2 / 2])


@pytest.mark.parametrize(
    ("kind", "sizes"),
    [
        (ShapeKind.BOX, (0.3, 0.2, 0.5)), (ShapeKind.CYLINDER, (0.2, 0.9)), (ShapeKind.CYLINDER, (0.5, 0.1)),
        (ShapeKind.SPHERE, (0.4,)),
    ],
)  # fmt: skip
def test_a_guess_has_the_inertia_of_its_link(kind: ShapeKind, sizes: tuple[float, ...]) -> None:
    """Turned, off the origin: what is guessed has that inertia about that centre."""
    turn = Rotation.from_euler("zyx", [0.3, -0.5, 1.1]).as_matrix()
    given = turn @ inertia_of_solid(kind, sizes, 2.0) @ turn.T
    link = Link(name="arm", mass=2.0, centre=(0.1, 0.2, 0.3), inertia=((given + given.T) / 2).tolist())
    tree = JointTree(
        [Link(name="base"), link],
        [Joint(name="j", kind="revolute", parent="base", child="arm", coordinates=[q], speeds=[u])],
    )
    found = eomc.scene(eomc.from_tree(tree))
    solid = only(found, "arm")
    assert (solid.kind, solid.offset) == (kind, (0.1, 0.2, 0.3))
    turned = Rotation.from_quat(solid.quaternion, scalar_first=True).as_matrix()
    np.testing.assert_allclose(turned @ inertia_of_solid(kind, solid.sizes, 2.0) @ turned.T, given, atol=1e-9)
    assert only(found, "base").kind is ShapeKind.POINT


def test_inertia_about_another_point_and_in_another_frame() -> None:
    """A wheel that spins in the frame of its inertia, given about its rim, is a disk about the axle."""
    N, B, D, O = ReferenceFrame("N"), ReferenceFrame("B"), ReferenceFrame("D"), Point("O")  # noqa: E741 - as in text-books
    B.orient_axis(N, N.x, sympy.pi / 2)
    D.orient_axis(B, B.z, q)
    D.set_ang_vel(N, u * B.z)
    O.set_vel(N, 0)
    rim = O.locatenew("rim", -sympy.Rational(1, 2) * B.y)
    about = inertia(B, sympy.Rational(1, 8) + sympy.Rational(1, 2), sympy.Rational(1, 8), sympy.Rational(3, 4))
    wheel = RigidBody("wheel", O, D, 2, (about, rim))
    wheel.masscenter.set_vel(N, 0)
    model = eomc.Model(name="wheel", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[wheel])
    solid = only(eomc.scene(model), "wheel")
    assert solid.kind is ShapeKind.CYLINDER
    assert solid.sizes[0] == pytest.approx(0.5)
    np.testing.assert_allclose(
        Rotation.from_quat(solid.quaternion, scalar_first=True).apply([0, 0, 1]), [0, 0, 1], atol=1e-15
    )


def pydy(kind: str, **sizes: Any) -> Any:
    """Return what has the attributes of PyDy's shape of that name."""
    made = type(kind, (SimpleNamespace,), {})
    return made(name="unnamed", color="red", material="default", geometry_attrs=[*sizes], **sizes)


def test_shapes_of_pydy() -> None:
    """Its cylinders stand along y; a size may hold parameters."""
    given = Pendulum()
    listed = [pydy("Cylinder", length=length, radius=0.1), pydy("Cube", length=0.2), pydy("Sphere", radius=0.3)]
    listed += [
        pydy("Plane", length=2.0, width=1.0),
        pydy("Circle", radius=0.3),
        pydy("Box", width=1, height=2, depth=3),
    ]
    solids = eomc.scene(given.model(shapes={"bar": listed, "bob": pydy("Octahedron", radius=1.5)})).solids
    assert [one.kind.value for one in solids] == ["cylinder", "box", "sphere", "box", "cylinder", "box", "sphere"]
    assert [one.sizes for one in solids] == [
        (0.1, 0.8), (0.2, 0.2, 0.2), (0.3,), (2.0, 1.0, 0.0), (0.3, 0.0), (1.0, 2.0, 3.0), (1.5,)
    ]  # fmt: skip
    turned = Rotation.from_quat(solids[0].quaternion, scalar_first=True).apply([0, 0, 1])
    np.testing.assert_allclose(turned, [0, 1, 0], atol=1e-15)
    assert solids[0].colour == "red"
    with pytest.raises(ModelError, match=r"shapes\['bar'\]\[0\]: PyDy's Torus has no counterpart"):
        given.model(shapes={"bar": [pydy("Torus", radius=1, tube_radius=0.1)]})


def test_links_and_the_bodies_made_of_them_look_alike() -> None:
    """Shapes stand in the frames of links, and about mass centres in those of bodies."""
    joint = Joint(name="j", kind="revolute", parent="base", child="arm", coordinates=[q], speeds=[u], axis=(0, 1, 0))
    link = Link(name="arm", mass=m, centre=(length / 2, 0, 0), inertia=((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    tree = JointTree([Link(name="base"), link], [joint])
    model = eomc.from_tree(
        tree,
        parameters={m: 1.0, length: 0.6},
        shapes={"arm": [Shape.box(length, 0.1, 0.1, offset=(length / 2, 0, 0))]},
        ground=[Shape.box(1, 1, 0)],
        lines=[Shape.line(("arm", (length, 0, 0)), (0, 0, 1)), Shape.line("base", "arm")],
    )
    bodies = model.as_bodies()
    ours, theirs = eomc.scene(model), eomc.scene(bodies)
    one, other = placed(ours, poses(model, 0.7)), placed(theirs, poses(bodies, 0.7))
    np.testing.assert_allclose(one.offsets[1:], other.offsets, atol=1e-15)
    np.testing.assert_allclose(one.ends[:1], other.ends, atol=1e-15)
    assert ours.solids[-1].row == GROUND
