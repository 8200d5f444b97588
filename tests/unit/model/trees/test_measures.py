"""Measures of links as scalars: their names, their time derivatives, their copies."""

from __future__ import annotations

import copy
import pickle

import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols
from sympy.physics.vector import Point, ReferenceFrame

from eomc.model.definitions import definition
from eomc.model.trees.measures import Component, components_in
from eomc.model.trees.records import Joint, JointKind, Link, MeasureKind
from eomc.model.trees.tree import JointTree

t = dynamicsymbols._t
q = dynamicsymbols("q1:4")
u = dynamicsymbols("u1:4")


@pytest.fixture(scope="module")
def chain() -> JointTree:
    links = [Link(name=name) for name in ("base", "a", "b", "c")]
    axes = ((0, 0, 1), (1, 0, 0), (0, 1, 0))
    joints = [
        Joint(
            name=f"j{i}", kind=JointKind.REVOLUTE, parent=links[i].name, child=links[i + 1].name, axis=axis,
            offset=(0.1, 0.2, 0.3), coordinates=(q[i],), speeds=(u[i],),
        )
        for i, axis in enumerate(axes)
    ]  # fmt: skip
    return JointTree(links, joints)


_RATES = {MeasureKind.POSITION: 0, MeasureKind.VELOCITY: 1, MeasureKind.ACCELERATION: 2}  # of a position


def _by_vectors(measures: list[Component], tree: JointTree) -> dict[sympy.Expr, sympy.Expr]:
    """Return the components by sympy.physics.vector, in q and q'."""
    frames, points = {"world": ReferenceFrame("N")}, {"base": Point("O")}
    N = frames["base"] = frames["world"]
    points["base"].set_vel(N, 0)
    for joint in tree.joints:
        parent = frames[joint.parent]
        axis = sum(entry * unit for entry, unit in zip(joint.axis, (parent.x, parent.y, parent.z), strict=True))
        frames[joint.child] = parent.orientnew(joint.child, "Axis", [joint.coordinates[0], axis])
        arm = sum(entry * unit for entry, unit in zip(joint.offset, (parent.x, parent.y, parent.z), strict=True))
        points[joint.child] = points[joint.parent].locatenew(joint.child, arm)
    found = {}
    for one in measures:
        measure, frame = one.measure, frames[one.measure.link]
        axes = frames[measure.axes]
        units = (frame.x, frame.y, frame.z)
        place = points[measure.link].pos_from(points["base"])
        place += sum((entry * unit for entry, unit in zip(measure.at, units, strict=True)), 0 * N.x)
        if measure.kind is MeasureKind.ROTATION:
            found[one] = axes.dcm(frame)[one.index]
            continue
        if measure.kind is MeasureKind.ANGULAR_VELOCITY:
            vector = frame.ang_vel_in(N)
        elif measure.kind is MeasureKind.ANGULAR_ACCELERATION:
            vector = frame.ang_acc_in(N)
        else:
            vector = place
            for _ in range(_RATES[measure.kind]):
                vector = vector.dt(N)
        found[one] = vector.to_matrix(axes)[one.index[0]]
    return found


@pytest.mark.parametrize("axes", ["world", "base", "a", "c"])
@pytest.mark.parametrize("kind", ["position", "velocity", "angular_velocity", "rotation"])
def test_rates_of_measures(chain: JointTree, kind: str, axes: str) -> None:
    """The time derivative of a measure is that of the vector's components, in axes that rest and that turn."""
    at = {"at": (0.0, 0.4, 0.1)} if kind in ("position", "velocity") else {}
    for one in list(getattr(chain, kind)("b", axes=axes, **at))[:5]:
        rate = one.diff(t)
        values = _by_vectors([one, *components_in([rate])], chain)
        difference = rate.xreplace(values) - values[one].diff(t)
        numbers = {q[i].diff(t, k): 0.3 + 0.7 * i - 0.4 * k * (i + 1) for i in range(3) for k in (2, 1, 0)}
        assert abs(sympy.N(difference.subs(numbers))) < 1e-14
        assert definition(sympy.Derivative(one, t, evaluate=False)) == rate


def test_what_no_measure_tells(chain: JointTree) -> None:
    """Derivatives of accelerations and Jacobians stay unevaluated: they are never zero."""
    for one in (chain.acceleration("b")[0], chain.angular_acceleration("c", axes="a")[2], chain.jacobian("c")[0, 1]):
        assert one.diff(t) == sympy.Derivative(one, t, evaluate=False)
        assert definition(one.diff(t)) is None


def test_names_say_what_is_measured(chain: JointTree) -> None:
    """A component reads as what it is; two that differ in anything are different, whatever their names."""
    assert str(chain.position("c")[0]) == "position_c_x(t)"
    assert str(chain.velocity("c", at=(0, 0, 0.1), axes="a")[2]) == "velocity_c_at_0_0_0.1_in_a_z(t)"
    assert str(chain.rotation("c")[1, 2]) == "rotation_c_yz(t)"
    assert str(chain.jacobian("b")[3, 1]) == "jacobian_b_turn_x_u2(t)"
    assert chain.position("c") == chain.position("c", at=(0.0, -0.0, 0), axes="base")
    assert chain.position("c")[0] != sympy.Function("position_c_x", real=True)(t)
    a, b = (chain.position("c", at=(0.1 + tiny, 0, 0))[0] for tiny in (0, 1e-16))
    assert a != b or 0.1 + 1e-16 == 0.1


def test_a_jacobian_knows_what_moves_a_link(chain: JointTree) -> None:
    """Speeds of joints that do not carry a link have columns of exact zeros."""
    jacobian = chain.jacobian("b")
    assert jacobian.shape == (6, 3)
    assert list(jacobian[:, 2]) == [0] * 6
    assert all(isinstance(entry, Component) for entry in jacobian[:, :2])


def test_copies_are_the_same(chain: JointTree) -> None:
    """Measures keep their meaning when they or their tree are pickled or copied."""
    tree = chain.with_constraints(velocity=[chain.velocity("c")[0] + chain.position("c", axes="b")[1]])
    for again in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)):
        assert again.velocity_constraints == tree.velocity_constraints
        assert again.measures == tree.measures
        assert components_in(again.velocity_constraints)[0].measure.kind in MeasureKind
    one = tree.position("c", at=(sympy.Symbol("l"), 0, 0))[1]
    assert pickle.loads(pickle.dumps(one)) == one
    assert hash(pickle.loads(pickle.dumps(one))) == hash(one)
