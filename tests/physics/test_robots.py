"""Robots from URDF against closed forms: the equations of a tree that was read, written as bodies."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import eomc
from eomc.errors import UsageError
from eomc.trees import Closure, JointTree

ROBOTS = Path(__file__).resolve().parents[1] / "data" / "urdf"


def link(name: str, mass: float, centre: str, *moments: float) -> str:
    ixx, ixy, ixz, iyy, iyz, izz = moments
    return (
        f'<link name="{name}"><inertial><origin xyz="{centre}"/><mass value="{mass}"/><inertia ixx="{ixx}" ixy="{ixy}" '
        f'ixz="{ixz}" iyy="{iyy}" iyz="{iyz}" izz="{izz}"/></inertial></link>'
    )


def joint(name: str, kind: str, parent: str, child: str, more: str = "") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{more}</joint>'


def write(folder: Path, *elements: str) -> Path:
    path = folder / "robot.urdf"
    path.write_text(f'<robot name="robot">{"".join(elements)}</robot>', encoding="utf-8")
    return path


def reference(path: Path, **wishes: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eomc.reference(eomc.from_urdf(path, **wishes).as_bodies())


def test_one_link_of_a_textbook(tmp_path: Path) -> None:
    """The torque of a link is q'' (I + m a^2/4) + a m g cos(q)/2, 7.393110574993 N m for the numbers here."""
    path = write(
        tmp_path,
        '<link name="ground"/>',
        link("bar", 2, "0.3 0 0", 1, 0, 0, 1, 0, 1),
        joint("q", "continuous", "ground", "bar", '<origin rpy="1.5707963267948966 0 0"/><axis xyz="0 0 1"/>'),
    )
    assert reference(path).rhs(0.0, [0.3, 0.0], [7.393110574993])[1] == pytest.approx(1.5, rel=1e-12)


def test_a_free_link_with_products_of_inertia(tmp_path: Path) -> None:
    """Without torque I w' = -w x I w: the published acceleration of a body with all six moments."""
    path = write(tmp_path, link("body", 1, "0 0 0", 2, 0.1, -0.2, 3, 0.3, 4))
    found = reference(path, base="quaternion").rhs(0.0, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, -2, 0.5])
    np.testing.assert_allclose(found[-3:], [-0.183429888363, 0.065438937754, 0.573420585250], atol=1e-12)
    np.testing.assert_allclose(found[7:10], [0, 0, -9.81], atol=1e-13)


def test_a_follower_adds_its_inertia_by_the_square(tmp_path: Path) -> None:
    """With q2 = a q1 + b the inertia is I1 + a^2 I2, and b is where the second link stands at q1 = 0."""
    factor, offset, moment, arm, mass = -1.5, 0.4, 0.2, 0.25, 1.2
    axis = '<axis xyz="0 0 1"/><origin rpy="1.5707963267948966 0 0"/>'
    path = write(
        tmp_path,
        '<link name="ground"/>',
        link("first", 1, "0 0 0", 1, 0, 0, 1, 0, 0.7),
        link("second", mass, f"{arm} 0 0", 1, 0, 0, 1, 0, moment),
        joint("q1", "continuous", "ground", "first", axis),
        joint(
            "q2", "continuous", "ground", "second", f'{axis}<mimic joint="q1" multiplier="{factor}" offset="{offset}"/>'
        ),
    )
    angle, torque = 0.6, 0.9
    gravity = -factor * mass * 9.81 * arm * np.cos(factor * angle + offset)
    expected = (torque + gravity) / (0.7 + factor**2 * (moment + mass * arm**2))
    found = reference(path).rhs(0.0, [angle, 0.3], [torque])
    np.testing.assert_allclose(found, [0.3, expected], rtol=1e-12)


def rod(name: str, length: float) -> str:
    moment = length**3 / 12
    return link(name, length, f"{length / 2} 0 0", 0, 0, 0, moment, 0, moment)


def test_a_loop_is_closed_by_the_caller(tmp_path: Path) -> None:
    """Four bars of a published example, the last pin as a closure: the crank's acceleration at rest and turning."""
    axis = '<axis xyz="0 0 1"/>'
    path = write(
        tmp_path,
        '<link name="ground"/>',
        rod("crank", 2),
        rod("coupler", 4),
        rod("rocker", 3),
        joint("a", "continuous", "ground", "crank", axis),
        joint("b", "continuous", "crank", "coupler", f'<origin xyz="2 0 0"/>{axis}'),
        joint("c", "continuous", "ground", "rocker", f'<origin xyz="4 0 0"/>{axis}'),
    )
    pin = Closure(name="pin", kind="point", first="coupler", second="rocker", at_first=(4, 0, 0), at_second=(3, 0, 0))
    bars = reference(path, gravity=(0, -9.81, 0), inputs="none", closures=[pin])
    crank, coupler, rocker = np.pi / 3, 0.2917652398481, 1.2901429945502
    place = [crank, coupler - crank, rocker]
    found = bars.rhs(0.0, [*place, 0, 0, 0])
    assert found[3] == pytest.approx(-2.43846072, abs=1e-7)
    rates = [1, -0.143090951758 - 1, 0.543745616681]
    assert bars.rhs(0.0, [*place, *rates])[3] == pytest.approx(-2.79951648, abs=1e-7)


def test_losses_are_loads(tmp_path: Path) -> None:
    """Viscous damping is -d u, dry friction -f tanh(u/v) on request; both can be left out."""
    path = write(
        tmp_path,
        '<link name="ground"/>',
        link("wheel", 1, "0 0 0", 1, 0, 0, 1, 0, 0.5),
        joint("q", "continuous", "ground", "wheel", '<axis xyz="0 0 1"/><dynamics damping="0.3" friction="0.7"/>'),
    )
    speed = 0.04
    for wishes, load in (
        ({}, -0.3 * speed),
        ({"friction": 0.05}, -0.3 * speed - 0.7 * np.tanh(speed / 0.05)),
        ({"damping": False}, 0.0),
        ({"damping": False, "friction": 0.05}, -0.7 * np.tanh(speed / 0.05)),
    ):
        found = reference(path, inputs="none", **wishes).rhs(0.0, [0, speed])
        assert found[1] == pytest.approx(load / 0.5, abs=1e-14)
    with pytest.warns(UserWarning, match="dry friction is left out, unless friction= gives a speed"):
        assert "dry friction left out" in eomc.from_urdf(path).description
    assert "dry friction as f tanh(u/0.05)" in eomc.from_urdf(path, friction=0.05).description


@pytest.mark.needs_cc
def test_dry_friction_of_followers_acts_on_what_they_follow(tmp_path: Path) -> None:
    """A wheel that turns k times as fast, by way of another, brakes the first with k f tanh(k u/v)."""
    axis = '<axis xyz="0 0 1"/>'
    wheels = [link(name, 1, "0 0 0", 1, 0, 0, 1, 0, inertia) for name, inertia in (("a", 0.5), ("b", 0.1), ("c", 0.2))]
    follows = ['<mimic joint="q" multiplier="-2"/>', '<mimic joint="p" multiplier="1.5"/><dynamics friction="0.7"/>']
    path = write(
        tmp_path,
        '<link name="ground"/>',
        *wheels,
        joint("r", "continuous", "ground", "c", axis + follows[1]),
        joint("p", "continuous", "ground", "b", axis + follows[0]),
        joint("q", "continuous", "ground", "a", axis),
    )
    speed, factor = 0.04, -3.0
    expected = -factor * 0.7 * np.tanh(factor * speed / 0.05) / (0.5 + 4 * 0.1 + factor**2 * 0.2)
    model = eomc.from_urdf(path, friction=0.05, inputs="none")
    for found in (eomc.reference(model.as_bodies()), eomc.compile(model).load()):
        assert found.rhs(0.0, [0.3, speed])[1] == pytest.approx(expected, rel=1e-12)


def test_a_cart_on_a_tilted_plane() -> None:
    """A planar joint lets a body slide down its plane with g sin(tilt), and turns it about the normal."""
    vehicles = reference(ROBOTS / "vehicles.urdf", inputs="none", damping=False)
    names = vehicles.state_names
    state = dict.fromkeys(names, 0.0)
    state["flight_qw"] = 1.0
    found = dict(zip(names, vehicles.rhs(0.0, list(state.values())), strict=True))
    assert found["drive_x_d"] == pytest.approx(0, abs=1e-13)
    assert found["drive_y_d"] == pytest.approx(-9.81 * np.sin(0.1), rel=1e-13)
    assert found["drive_d"] == pytest.approx(0, abs=1e-13)
    assert found["flight_vz"] == pytest.approx(-9.81, rel=1e-13)


@pytest.mark.parametrize("base", ["fixed", "angles"])
def test_parameters_are_the_numbers_of_the_file(base: str) -> None:
    """With all numbers of links as parameters the motion is that of the numbers, and the energy, too."""
    plain, named = (reference(ROBOTS / "arm.urdf", base=base, parameters=wish) for wish in ("none", "all"))
    state = np.random.default_rng(1).uniform(-0.9, 0.9, len(plain.state_names))
    torques = [0.3, -0.5, 2.0, 0.1]
    np.testing.assert_allclose(named.rhs(0.0, state, torques), plain.rhs(0.0, state, torques), rtol=1e-11)
    assert len(named.parameter_names) == (50 if base == "angles" else 40)


def test_build_adds_what_the_file_has_not() -> None:
    """Outputs, states, inputs and loads in terms of the tree; initial values and names are the caller's."""
    wind, filtered = sympy.physics.mechanics.dynamicsymbols("wind filtered")

    def build(tree: JointTree) -> dict[str, Any]:
        height = tree.position("tool", at=(0, 0, 0.1))[2]
        waist = tree.coordinates[0]
        push = eomc.trees.LinkForce(link="tool", force=(wind, 0, 0))
        return {
            "outputs": {"height": (height, "m")},
            "extra_states": {filtered: height - filtered},
            "inputs": [wind],
            "loads": [push],
            "initial": {waist: 0.2},
        }

    with pytest.warns(UserWarning, match="dry friction"):
        model = eomc.from_urdf(ROBOTS / "arm.urdf", build=build, name="painter")
    assert model.name == "painter"
    assert [one.name for one in model.inputs] == ["tau_waist", "tau_shoulder", "tau_extension", "tau_roll", "wind"]
    assert [one.name for one in model.outputs] == ["height"]
    arm = eomc.reference(model.as_bodies())
    state = [0.2, 0.4, 0.1, -0.3, *[0.0] * 4, 0.0]
    still, blown = (arm.rhs(0.0, state, [0, 0, 0, 0, force]) for force in (0.0, 1.0))
    assert arm.outputs(0.0, state)[0] == pytest.approx(blown[-1])
    assert not np.allclose(still[4:8], blown[4:8])


@pytest.mark.parametrize(
    ("build", "told"),
    [
        (3, "build=3: give a function that takes the tree"),
        (lambda tree: None, "build returns None: it returns a mapping"),
        (lambda tree: {"output": {}}, r"'output' among its keys: did you mean outputs"),
    ],
)
def test_a_build_that_gives_nothing(build: Any, told: str) -> None:
    """What build returns is named, with what it may be."""
    with pytest.raises(UsageError, match=told):
        eomc.from_urdf(ROBOTS / "vehicles.urdf", build=build)
