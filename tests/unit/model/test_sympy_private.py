"""What eomc reads of SymPy's private attributes exists, and means what eomc takes it to mean."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import sympy
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

from eomc.model import sympy_private

q1, q2, u1, u2, ua = dynamicsymbols("q1 q2 u1 u2 ua")
t = dynamicsymbols._t
r = sympy.Symbol("r")

PRIVATE = {
    "frame": ["_dcm_dict", "_ang_vel_dict", "_ang_acc_dict"],
    "matrix": ["_rep"],
    "point": ["_pos_dict", "_vel_dict", "_acc_dict"],
    "body": ["_inertia"],
    "kane": [
        *("_inertial", "_q", "_qdep", "_u", "_udep", "_uaux", "_f_h", "_k_nh", "_f_nh", "_bodylist", "_forcelist"),
        *("_k_kqdot_implicit", "_k_ku_implicit", "_f_k_implicit"),
    ],
    "lagrange": ["_L", "_hol_coneqs"],
}


@pytest.fixture
def frame() -> ReferenceFrame:
    """Return the inertial frame."""
    return ReferenceFrame("N")


@pytest.fixture
def kane(frame: ReferenceFrame) -> KanesMethod:
    """Return a KanesMethod with a dependent coordinate, a dependent speed and an auxiliary one."""
    return KanesMethod(
        frame,
        q_ind=[q1],
        q_dependent=[q2],
        u_ind=[u1],
        u_dependent=[u2],
        kd_eqs=[2 * q1.diff(t) - u1 + ua, q2.diff(t) - sympy.cos(q1) * u2 + 1],
        configuration_constraints=[q1 - q2],
        velocity_constraints=[u2 - r * u1 - 3],
        u_auxiliary=[ua],
    )


def test_every_private_attribute_is_listed_here() -> None:
    """The module reads no private attribute that this file does not name, and reads all that it names."""
    tree = ast.parse(Path(sympy_private.__file__).read_text(encoding="utf-8"))
    read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr.startswith("_")}
    assert read == {name for names in PRIVATE.values() for name in names}


def test_no_other_module_reads_one() -> None:
    """SymPy's private attributes are read in one module only."""
    names = {name for names in PRIVATE.values() for name in names if len(name) > 3}  # _q and _u may be anybody's
    package = Path(sympy_private.__file__).parents[1]
    for path in package.rglob("*.py"):
        if path.name == "sympy_private.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            foreign = isinstance(node, ast.Attribute) and not (
                isinstance(node.value, ast.Name) and node.value.id == "self"
            )
            assert not (foreign and node.attr in names), f"{path}:{node.lineno}"


def test_the_attributes_exist(frame: ReferenceFrame, kane: KanesMethod) -> None:
    """A SymPy that renames one fails here first."""
    point = Point("P")
    objects = {
        "frame": frame,
        "matrix": sympy.Matrix([r, 0, 0]),
        "point": point,
        "body": RigidBody("B", point, frame, 1, (inertia(frame, 1, 1, 1), point)),
        "kane": kane,
        "lagrange": LagrangesMethod(q1.diff(t) ** 2, [q1]),
    }
    for key, names in PRIVATE.items():
        for name in names:
            assert hasattr(objects[key], name), f"{type(objects[key]).__name__}.{name}"


def test_frames(frame: ReferenceFrame) -> None:
    """Rotations and angular velocities between neighbours are those of the public methods."""
    B = frame.orientnew("B", "Axis", [q1, frame.z])
    C = B.orientnew("C", "Axis", [q2, B.x])
    assert set(sympy_private.orientations(C)) == {B}
    assert sympy_private.orientations(C)[B] == C.dcm(B)
    assert sympy_private.angular_velocities(B) == {frame: B.ang_vel_in(frame), C: -C.ang_vel_in(B)}


@pytest.mark.parametrize(
    "matrix", [sympy.Matrix([r, 0, q1]), sympy.zeros(3, 3), sympy.eye(3), sympy.ImmutableMatrix([[r, 2], [0.5, q1]])]
)
def test_entries(matrix: sympy.MatrixBase) -> None:
    """They are those that the matrix has by rows, of SymPy's own types."""
    found = sympy_private.entries(matrix)
    assert found == list(matrix)
    assert all(isinstance(entry, sympy.Basic) for entry in found)


def test_points(frame: ReferenceFrame) -> None:
    """Positions are from the neighbour to the point; a velocity that was not set is None, and none is computed."""
    origin = Point("O")
    P = origin.locatenew("P", r * frame.x)
    origin.set_vel(frame, u1 * frame.x)
    assert sympy_private.positions(P)[origin] == P.pos_from(origin)
    assert sympy_private.set_velocity(origin, frame) == origin.vel(frame)
    assert sympy_private.set_velocity(P, frame) is None


def test_accelerations_that_were_set(frame: ReferenceFrame) -> None:
    """They are those of the public methods; one that was not set is None, and none is computed."""
    B = frame.orientnew("B", "Axis", [q1, frame.z])
    P = Point("P")
    assert sympy_private.set_acceleration(P, frame) is None
    assert sympy_private.set_angular_acceleration(B, frame) is None
    P.set_acc(frame, u1 * frame.x)
    B.set_ang_acc(frame, u2 * frame.z)
    assert sympy_private.set_acceleration(P, frame) == P.acc(frame)
    assert sympy_private.set_angular_acceleration(B, frame) == B.ang_acc_in(frame)


def test_inertia_is_about_the_point_of_the_user(frame: ReferenceFrame) -> None:
    """The dyadic and the point are as given, not about the mass centre."""
    P = Point("P")
    centre = P.locatenew("C", r * frame.x)
    dyadic = inertia(frame, 1, 2, 3)
    assert sympy_private.inertia_of(RigidBody("B", centre, frame, 1, (dyadic, P))) == (dyadic, P)


def test_kinematics_and_constraints_are_linear_forms(kane: KanesMethod, frame: ReferenceFrame) -> None:
    """The kinematics are those given without auxiliary speeds; k_nh u + f_nh is the velocity constraint."""
    read = sympy_private.kane_matrices(kane)
    assert read.inertial_frame is frame
    assert (read.coordinates, read.dependent_coordinates) == ((q1, q2), (q2,))
    assert (read.speeds, read.dependent_speeds, read.auxiliary_speeds) == ((u1, u2), (u2,), (ua,))
    rates, speeds = sympy.Matrix([q1.diff(t), q2.diff(t)]), sympy.Matrix([u1, u2])
    rows = read.k_kqdot * rates + read.k_ku * speeds + read.f_k
    expected = sympy.Matrix([2 * q1.diff(t) - u1, q2.diff(t) - sympy.cos(q1) * u2 + 1])
    assert (rows - expected).expand() == sympy.zeros(2, 1)
    assert (read.k_nh * speeds + read.f_nh).expand() == sympy.Matrix([u2 - r * u1 - 3])
    assert read.configuration_constraints == (q1 - q2,)
    assert read.bodies is None
    assert read.loads is None


def test_bodies_and_loads_are_known_after_the_derivation(frame: ReferenceFrame) -> None:
    """What kanes_equations was called with is kept."""
    P = Point("P")
    P.set_vel(frame, u1 * frame.x)
    body, load = Particle("B", P, r), (P, -q1 * frame.x)
    method = KanesMethod(frame, [q1], [u1], [q1.diff(t) - u1])
    method.kanes_equations([body], [load])
    read = sympy_private.kane_matrices(method)
    assert (read.bodies, read.loads) == ((body,), (load,))


def test_lagranges_method() -> None:
    """The scalar L, the configuration constraints and the velocity constraints are as given."""
    L = q1.diff(t) ** 2 + q2.diff(t) ** 2
    method = LagrangesMethod(L, [q1, q2], hol_coneqs=[q1 - q2], nonhol_coneqs=[q1.diff(t) - r])
    assert sympy_private.lagrangian_of(method) == L
    assert sympy_private.lagrange_constraints(method) == ((q1 - q2,), (q1.diff(t) - r,))
