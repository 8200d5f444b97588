"""Poses of bodies, links and points, against SymPy's own vectors and frames, SciPy's rotations and outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from scipy.spatial.transform import Rotation
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.errors import ModelError, UnsupportedError, UsageError
from eomc.frontends.loading import shipped_models
from eomc.ir.interpreter import Sample
from eomc.model.placements import placements
from eomc.trees import Joint, JointTree, Link, Mimic

t = dynamicsymbols._t
TIME = 0.7


def by_sympy(model: eomc.Model, values: dict[Any, float]) -> np.ndarray:
    """Return places and rotations of all bodies as SymPy's positions and direction cosines tell them, (n, 12)."""
    origin, N = placements(model).origin, model.dynamics.inertial_frame
    found = []
    for body in model.dynamics.bodies:
        place = body.masscenter.pos_from(origin).to_matrix(N)
        turned = N.dcm(body.frame) if isinstance(body, RigidBody) else sympy.eye(3)
        found.append([float(entry.subs(values).subs(t, TIME)) for entry in (*place, *turned)])
    return np.array(found)


def rotations(poses: np.ndarray) -> np.ndarray:
    """Return places and rotation matrices of poses, after a look at the norms."""
    assert np.abs(np.linalg.norm(poses[..., 3:], axis=-1) - 1.0).max() < 1e-14
    turned = Rotation.from_quat(poses[..., 3:].reshape(-1, 4), scalar_first=True).as_matrix()
    return np.concatenate([poses[..., :3], turned.reshape(*poses.shape[:-1], 9)], axis=-1)


BODIES = [name for name in shipped_models() if name not in ("kepler", "henon_heiles")]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [*BODIES, "heavy_top:quaternion", "bar_on_moving_pivot:1", "slider_crank:0"])
def test_of_shipped_models(name: str) -> None:
    """All bodies, at random coordinates, under Kane's method and, where it serves, under the one with momenta."""
    model = eomc.load(name)
    rng = np.random.default_rng(len(name))
    for method in dict.fromkeys((model.methods[0], model.methods[-1])):
        build = eomc.compile(model, method, functions=["poses"])
        (function,) = (one for one in build.program.functions if one.name == "poses")
        bodies = [str(body.name) for body in model.dynamics.bodies]
        assert list(function.row_names[: len(bodies)]) == bodies
        state = rng.uniform(-1.5, 1.5, len(build.program.states))
        if name in ("free_rigid_body", "heavy_top:quaternion"):
            state[:4] /= np.linalg.norm(state[:4])
        given = [*build.program.parameters, *build.program.inputs]
        numbers = {one.symbol: one.value for one in given} | {build.program.time: TIME}
        numbers |= dict(zip([one.symbol for one in build.program.states], state.tolist(), strict=True))
        found = np.reshape(Sample(build.program.graph, numbers).vector(function.outputs), (-1, 7))[: len(bodies)]
        values = {one.symbol: one.value for one in (*model.parameters, *model.inputs)}
        values |= dict(zip(model.coordinates, state.tolist(), strict=False))
        np.testing.assert_allclose(rotations(found), by_sympy(model, values), atol=1e-13)


def test_of_links_of_trees() -> None:
    """Every kind of joint: places and rotations are those that measures, which know nothing of quaternions, tell."""
    q, u = dynamicsymbols("q:20"), dynamicsymbols("u:18")
    c, s = sympy.Float("0.6"), sympy.Float("0.8")
    tilted = ((1, 0, 0), (0, c, -s), (0, s, c))
    joints = [
        Joint(name="a", kind="free", parent="ground", child="hull", coordinates=q[:7], speeds=u[:6]),
        Joint(
            name="b", kind="revolute", parent="hull", child="arm", axis=(0, 0.6, 0.8), rotation=tilted,
            offset=(0.1, 0.2, -0.3), coordinates=q[7:8], speeds=u[6:7],
        ),
        Joint(
            name="c", kind="revolute", parent="arm", child="hand", axis=(0, 0.6, 0.8), offset=(0, 0, 1),
            mimic=Mimic(joint="b", factor=-2.0, offset=0.3),
        ),
        Joint(name="d", kind="ball", parent="hand", child="eye", offset=(1, 0, 0), coordinates=q[8:11],
            speeds=u[7:10]),
        Joint(name="e", kind="prismatic", parent="hull", child="rail", axis=(1, 0, 0), coordinates=q[11:12],
            speeds=u[10:11]),
        Joint(name="f", kind="ball", parent="rail", child="lamp", coordinates=q[12:16], speeds=u[11:14]),
        Joint(name="g", kind="fixed", parent="lamp", child="lens", rotation=tilted, offset=(0, 0.5, 0)),
    ]  # fmt: skip
    solid = ((1.0, 0, 0), (0, 1.1, 0), (0, 0, 1.3))
    names = ("hull", "arm", "hand", "eye", "rail", "lamp", "lens")
    links = [Link(name="ground"), *(Link(name=name, mass=1.0, inertia=solid) for name in names)]
    tree = JointTree(links, joints)
    told = {}
    for name in names:
        entries = [*tree.position(name), *tree.rotation(name)]
        told |= {f"{name}_{k}": entry for k, entry in enumerate(entries)}
    model = eomc.from_tree(
        tree, name="menagerie", outputs=told, points={"beside": (q[0], 2 * tree.position("eye")[2], t)}
    )
    program = eomc.compile(model, functions=["outputs", "poses"]).program
    outputs, poses = (next(one for one in program.functions if one.name == name) for name in ("outputs", "poses"))
    assert poses.row_names == ("ground", *names, "beside")
    state = np.random.default_rng(5).uniform(-1.5, 1.5, len(program.states))
    numbers = dict(zip([one.symbol for one in program.states], state.tolist(), strict=True)) | {program.time: TIME}
    sample = Sample(program.graph, numbers)
    found = np.reshape(sample.vector(poses.outputs), (-1, 7))
    np.testing.assert_allclose(found[0], [0, 0, 0, 1, 0, 0, 0], atol=0)
    expected = np.reshape(sample.vector(outputs.outputs), (-1, 12))
    np.testing.assert_allclose(rotations(found)[1:-1], expected, atol=1e-13)
    np.testing.assert_allclose(found[-1], [state[0], 2 * found[4, 2], TIME, 1, 0, 0, 0], atol=1e-13)


def test_of_long_chains() -> None:
    """A chain of twice as many links has poses of twice as many operations: links share what is before them."""
    counts = []
    for n in (10, 20):
        q, u = dynamicsymbols(f"q:{n}"), dynamicsymbols(f"u:{n}")
        joints = [
            Joint(
                name=f"j{k}", kind="revolute", parent=f"l{k}", child=f"l{k + 1}", coordinates=[q[k]], speeds=[u[k]],
                axis=[(1, 0, 0), (0, 1, 0), (0, 0.6, 0.8)][k % 3], offset=(0.1, 0.2, 0.3),
            )
            for k in range(n)
        ]  # fmt: skip
        links = [Link(name=f"l{k}", mass=1.0, inertia=((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))) for k in range(n + 1)]
        model = eomc.from_tree(JointTree(links, joints), name="chain")
        program = eomc.compile(model, functions=["poses"]).program
        (function,) = (one for one in program.functions if one.name == "poses")
        counts.append(len(program.graph.reachable(function.outputs)))
    assert counts[1] < 2.3 * counts[0]


@pytest.fixture(scope="module")
def four_bar() -> eomc.Simulator:
    return eomc.compile(eomc.load("four_bar")).load()


def test_of_many_states(four_bar: eomc.Simulator) -> None:
    """A build with the usual functions gets them when asked; a trajectory's states are taken at once."""
    assert "poses" not in four_bar.functions
    assert four_bar.pose_names == ("crank", "coupler", "rocker")
    motion = four_bar.simulate(t_end=0.5, dt=0.01)
    found = four_bar.poses(motion.t, motion.x)
    assert found.shape == (len(motion.t), 3, 7)
    assert found[7].tolist() == four_bar.poses(motion.t[7], motion.x[7]).tolist()
    outputs = four_bar.outputs(motion.t, motion.x)
    np.testing.assert_allclose(found[:, 1, :2], outputs, rtol=0, atol=1e-15 * np.abs(outputs).max())
    longer = four_bar.poses(0.0, motion.x[0], parameters={"a": 3.0})
    assert longer[0, 0] == pytest.approx(1.5 * found[0, 0, 0], rel=1e-15)


def test_a_quaternion_that_has_drifted() -> None:
    """What is left of its length has no part in the orientation."""
    sim = eomc.compile(eomc.load("free_rigid_body"), functions=["poses"]).load()
    x = np.array([0.3, -0.2, 0.05, 0.4, 0.0, 0.0, 0.0])
    (row,) = rotations(sim.poses(0.0, x))
    expected = Rotation.from_quat(x[:4], scalar_first=True).as_matrix().ravel()
    np.testing.assert_allclose(row[3:], expected, atol=1e-15)


def body_on(*, velocity: bool, position: bool, oriented: bool = True, **described: Any) -> eomc.Model:
    """Return a body in a plane whose place and orientation are known, or its velocity and angular velocity alone."""
    q1, q2, u1, u2 = dynamicsymbols("q1 q2 u1 u2")
    N, A, O, P = ReferenceFrame("N"), ReferenceFrame("A"), Point("O"), Point("P")  # noqa: E741 (as in text-books)
    if oriented:
        A.orient_axis(N, N.z, q2)
    A.set_ang_vel(N, u2 * N.z)
    if position:
        P.set_pos(O, q1 * N.x)
    P.set_vel(N, u1 * N.x)
    if velocity:
        O.set_vel(N, 0)
    if isinstance(described.get("origin"), str):
        described["origin"] = {"O": O, "P": P, "N": N}[described["origin"]]
    return eomc.Model(
        name="slider", inertial_frame=N, coordinates=[q1, q2], speeds=[u1, u2],
        bodies=[RigidBody("slider", P, A, 1, (inertia(N, 0, 0, 1), P)), Particle("beside", P, 2)], **described,
    )  # fmt: skip


def test_what_has_no_pose_is_left_out_by_name() -> None:
    """A velocity is no place, and an angular velocity no orientation."""
    model = body_on(velocity=True, position=True, oriented=False)
    build = eomc.compile(model, functions=["poses"])
    header = next(artifact.text for artifact in build.artifacts if artifact.path.endswith(".h"))
    assert "left out: slider, no orientation in N" in header
    assert build.load().pose_names == ("beside",)
    nowhere = body_on(velocity=True, position=False)
    with pytest.raises(UnsupportedError, match=r"poses: nothing has a pose: slider \(no point is fixed\), beside"):
        eomc.compile(nowhere, functions=["poses"])


def test_the_origin() -> None:
    """Any point that is connected; positions are from there, wherever it moves."""
    sim = eomc.compile(
        body_on(velocity=True, position=True, origin="P", points={"home": Point("O")}), functions="poses"
    )
    assert [name for name, _ in placements(sim.model).left_out] == ["home"]
    sim = eomc.compile(body_on(velocity=False, position=True, origin="O"), functions=["poses"]).load()
    np.testing.assert_allclose(sim.poses(0.0, [0.5, 0.0, 0.0, 0.0])[:, 0], 0.5)


@pytest.mark.parametrize(
    ("described", "text"),
    [
        ({"origin": "N"}, r"origin is N: give the Point from which poses are measured"),
        ({"origin": Point("far")}, r"model 'slider': origin is far, from which no body has a position"),
        ({"points": {"p": (1, 2)}}, r"points\['p'\] is \(1, 2\): give a Point, or three expressions"),
        ({"points": {"p": (1, sympy.Symbol("w"), 2)}}, r"no value for w \(points\['p'\]\)"),
        ({"points": {3: (1, 2, 3)}}, r"a key of points is 3, not text"),
    ],
)
def test_refusals(described: dict[str, Any], text: str) -> None:
    """One sentence: what, where, what to do."""
    with pytest.raises(ModelError, match=text):
        body_on(velocity=True, position=True, **described)


def test_points_of_a_hamiltonian() -> None:
    """A model without bodies has the points that are given, and none else."""
    q, p = dynamicsymbols("q p")
    model = eomc.from_hamiltonian(p**2 / 2 + q**2, coordinates=[q], momenta=[p], points={"mass": (q, 2 * q, 0)})
    found = eomc.compile(model, functions=["poses"]).load().poses(0.0, [0.25, 0.0])
    assert found.tolist() == [[0.25, 0.5, 0.0, 1.0, 0.0, 0.0, 0.0]]
    bare = eomc.compile(eomc.from_hamiltonian(p**2 / 2 + q**2, coordinates=[q], momenta=[p])).load()
    with pytest.raises(UsageError, match="poses"):
        bare.poses(0.0, [0, 0])
    with pytest.raises(ModelError, match="the model has no Points"):
        eomc.from_hamiltonian(p**2 / 2 + q**2, coordinates=[q], momenta=[p], points={"mass": Point("O")})


def test_signs_of_quaternions_along_a_motion() -> None:
    """Continuous where angles turn a body, over several turns; where a matrix does, the longest entry is positive.

    The matrix is that of the same turn, written by the tangent of half its angle, so that no angle is to be seen.
    """
    N, q, u = ReferenceFrame("N"), dynamicsymbols("q"), dynamicsymbols("u")
    by_angle, by_matrix = ReferenceFrame("A"), ReferenceFrame("B")
    by_angle.orient_axis(N, N.z, q)
    h = q
    by_matrix.orient_explicit(
        N, sympy.Matrix([[1 - h**2, -2 * h, 0], [2 * h, 1 - h**2, 0], [0, 0, 1 + h**2]]) / (1 + h**2)
    )
    point = Point("O")
    point.set_vel(N, 0)
    bodies = []
    for frame in (by_angle, by_matrix):
        frame.set_ang_vel(N, u * N.z if frame is by_angle else 2 * u / (1 + h**2) * N.z)
        bodies.append(RigidBody(f"of_{frame}", point, frame, 1.0, (inertia(frame, 1, 1, 1), point)))
    model = eomc.Model(
        name="two", inertial_frame=N, coordinates=[q], speeds=[u], kinematical_equations=[q.diff() - u], bodies=bodies
    )
    sim = eomc.compile(model, functions=["poses"]).load()
    states = np.column_stack([np.linspace(-20.0, 20.0, 2001), np.zeros(2001)])
    found = sim.poses(0.0, states)[:, :, 3:]
    angle = states[:, 0]
    np.testing.assert_allclose(
        found[:, 0, [0, 3]], np.stack([np.cos(angle / 2), np.sin(angle / 2)], axis=1), atol=1e-14
    )
    assert ((found[1:, 0] * found[:-1, 0]).sum(axis=1) > 0.99).all()
    longest = np.take_along_axis(found[:, 1], np.abs(found[:, 1]).argmax(axis=1)[:, None], axis=1)
    assert (longest > 0.0).all()
    assert ((found[1:, 1] * found[:-1, 1]).sum(axis=1) < -0.99).any()  # where it becomes its opposite
