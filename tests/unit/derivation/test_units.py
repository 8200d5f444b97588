"""Quaternions that are as long as one: what is found of them, and what is looked at there alone."""

from __future__ import annotations

import warnings

import pytest
from sympy import Rational, symbols
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.units import unit_coordinates
from eomc.model import Model
from eomc.trees import Joint, JointTree, Link

q, u = dynamicsymbols("q:7"), dynamicsymbols("u:6")


def floating(speeds_in: str, turned: int = 1) -> Model:
    """Return a free body by position and quaternion, as a system of bodies; its kinematics may turn the wrong way."""
    body = Link(name="body", mass=1.0, centre=(0.1, 0.2, 0.3), inertia=((1, 0, 0), (0, 2, 0), (0, 0, 2.5)))
    free = Joint(name="j", kind="free", parent="ground", child="body", coordinates=q, speeds=u, speeds_in=speeds_in)
    tree = JointTree([Link(name="ground"), body], [free], gravity=(0, 0, -9.81))
    model = eomc.from_tree(tree, name="floating").as_bodies()
    if turned == 1:
        return model
    system = model.dynamics
    equations = tuple(one.xreplace({u[5]: turned * u[5]}) for one in system.kinematical_equations)
    object.__setattr__(system, "kinematical_equations", equations)
    return model


@pytest.mark.parametrize("speeds_in", ["child", "parent"])
def test_quaternions_are_looked_at_where_they_are_rotations(speeds_in: str) -> None:
    """Speeds in either axes contradict nothing on unit quaternions; a turn that goes the wrong way does."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = floating(speeds_in)
        derive(model, choose_method(model, "kane"))
    wrong = floating(speeds_in, turned=-1)
    with pytest.warns(RuntimeWarning, match="is not the rate of its orientation"):
        derive(wrong, choose_method(wrong, "kane"))


def test_which_coordinates_are_of_one_length() -> None:
    """The squares of a quaternion, whatever factor stands before them; no other length and no other sum."""
    system = floating("child").dynamics
    a = symbols("a")
    norm = sum(e**2 for e in q[3:]) - 1
    for equation, expected in (
        (norm, [tuple(q[3:])]),
        (Rational(-3, 2) * norm, [tuple(q[3:])]),
        (norm - 1, []),
        (norm + q[3] * q[4], []),
        (a * norm, []),
        (q[3] ** 2 - 1, []),
    ):
        model = floating("child")
        object.__setattr__(model.dynamics, "configuration_constraints", (equation,))
        assert unit_coordinates(model) == expected
    assert len(system.configuration_constraints) == 1
