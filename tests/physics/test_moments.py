"""Links by what forces are linear in: mass, first moments, inertia about the origin of the frame."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import ModelError
from eomc.trees import Joint, JointTree, Link

ARM = Path(__file__).resolve().parents[1] / "data" / "urdf" / "arm.urdf"
G = 9.81


def pendulum(link: Link) -> JointTree:
    q, u = dynamicsymbols("q u")
    pivot = Joint(
        name="pivot", kind="revolute", parent="ground", child=link.name, axis=(0, 1, 0), coordinates=(q,), speeds=(u,)
    )
    return JointTree([Link(name="ground"), link], [pivot], gravity=(0, 0, -G))


def test_centre_and_inertia_follow_from_moments() -> None:
    """c = h/m, and I = J - m (c.c 1 - c c^T) by Huygens and Steiner, for two particles on a rod without mass."""
    masses, places = np.array([2.0, 0.5]), np.array([[0.1, 0.2, -0.3], [-0.4, 0.0, 0.6]])
    first = masses @ places
    about_origin = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, places, strict=True))
    link = Link.of_moments(name="dumbbell", mass=2.5, first=tuple(first), inertia=tuple(map(tuple, about_origin)))
    np.testing.assert_allclose(link.centre, first / 2.5, rtol=1e-15)
    away = places - first / 2.5
    own = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, away, strict=True))
    np.testing.assert_allclose(np.array(link.inertia), own, atol=1e-15)


def test_a_link_of_moments_has_a_mass() -> None:
    """Without one there is no centre of mass."""
    with pytest.raises(ModelError, match="link 'rod' is made of moments and has no mass: "):
        Link.of_moments(name="rod", mass=0, first=(1, 0, 0), inertia=((1, 0, 0), (0, 1, 0), (0, 0, 1)))


@pytest.mark.needs_cc
def test_the_regressor_of_a_pendulum() -> None:
    """tau = J_yy u' + g (h_x cos q - h_z sin q)(-1): no other moment of a link about the y axis has a part in it."""
    m, x, y, z, *J = sympy.symbols("m hx hy hz Jxx Jyy Jzz Jxy Jxz Jyz")
    tensor = ((J[0], J[3], J[4]), (J[3], J[1], J[5]), (J[4], J[5], J[2]))
    tree = pendulum(Link.of_moments(name="rod", mass=m, first=(x, y, z), inertia=tensor))
    values = {m: 1.3, x: 0.2, y: 0.1, z: -0.5, **dict(zip(J, (0.9, 0.8, 0.4, 0.05, 0.02, -0.03), strict=True))}
    model = eomc.from_tree(tree, name="rod", parameters=values)
    names = ["Jyy", "hx", "hz", "m", "hy", "Jxx"]
    sim = eomc.compile(model, functions=["rhs", f"regressor:{':'.join(names)}"]).load()
    q, u, du = 0.7, -1.2, 2.5
    Y, y0 = sim.regressor(0.0, [q, u], [du])
    # a point at (x, z) of the link is at height z cos q - x sin q, so that gravity asks for dV/dq
    np.testing.assert_allclose(Y, [[du, -G * np.cos(q), -G * np.sin(q), 0, 0, 0]], rtol=1e-14)
    np.testing.assert_array_equal(y0, [0.0])
    expected = G * (0.2 * np.cos(q) - 0.5 * np.sin(q)) / 0.8
    assert sim.rhs(0.0, [q, u])[1] == pytest.approx(expected, rel=1e-14)


@pytest.mark.needs_cc
@pytest.mark.parametrize("base", ["fixed", "quaternion"])
def test_a_robot_by_its_moments(base: str) -> None:
    """With moments as parameters the motion is that of the file's numbers, in the C and in the reference."""
    with warnings.catch_warnings(action="ignore"):
        plain = eomc.from_urdf(ARM, base=base)
        named = eomc.from_urdf(ARM, base=base, parameters="moments")
    per_link = ["m", "hx", "hy", "hz", "Jxx", "Jxy", "Jxz", "Jyy", "Jyz", "Jzz"]
    moving = ["column", "boom", "slider", "wrist"] if base == "fixed" else ["base", "column", "boom", "slider", "wrist"]
    assert [one.name for one in named.parameters] == [f"{word}_{link}" for link in moving for word in per_link]
    sim, torques = eomc.compile(named, functions="rhs").load(), [0.3, -0.5, 2.0, 0.1]
    state = np.random.default_rng(3).uniform(-0.9, 0.9, len(sim.state_names))
    if base == "quaternion":
        state[3:7] /= np.linalg.norm(state[3:7])
    expected = eomc.reference(plain).rhs(0.0, state, torques)
    np.testing.assert_allclose(sim.rhs(0.0, state, torques), expected, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(eomc.reference(named).rhs(0.0, state, torques), expected, rtol=1e-10, atol=1e-10)
