"""Cases of public reports about size, speed and builds, and about robots' files: which test shows what.

- a pendulum of 20 links on a cart builds and keeps its energy: `test_twenty_links_on_a_cart`
- M and f share what they have in common, and the system is solved in numbers: `test_a_solved_motion_shares_its_terms`
- deriving and emitting takes a time in proportion: `tests/unit/test_growth.py`
- nothing is built twice: `tests/unit/binding/test_cache.py`; the text is the same in every process:
  `tests/c/test_stable.py`, `tests/unit/lowering/test_order.py`
- no matrix is inverted or factored in symbols: `test_no_symbolic_matrix_is_solved`
- no heap, no data that are written, a stack of known size: `tests/c/test_every_integrator.py`, `tests/c/test_stack.py`
- compilers are silent, and what one says is shown with its command: `tests/c/test_strict.py`,
  `tests/unit/binding/test_compiler.py`
- angles about axes of the body cost as much as three rotations in a row: `test_angles_cost_what_rotations_cost`
- products of inertia of a free link, the torque of one link, followers and a loop closed by a pin, all in numbers:
  `tests/physics/test_robots.py`, and for what is emitted `test_published_numbers_of_robots`
- a tool without mass is merged: `test_a_massless_tool_changes_nothing`; a joint that moves no mass is refused by name:
  `tests/unit/frontends/test_urdf_findings.py`
- names with dots, dashes, slashes and blanks, and links and joints of one name: `test_any_names_make_a_robot`
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.passes.cost import cost
from eomc.trees import Closure

ROOT = Path(__file__).resolve().parents[2]


def operations(build: Any, *functions: str) -> int:
    """Return what functions of a build cost together, in additions."""
    outputs = [node for one in build.program.functions if one.name in functions for node in one.outputs]
    return cost(build.program.graph, outputs)


def test_the_list_above_is_true() -> None:
    """Every file and every test that it names exists."""
    words = re.findall(r"`([^`]+)`", __doc__ or "")
    assert len(words) > 10
    for word in words:
        assert (ROOT / word).is_file() if "/" in word else callable(globals()[word]), word


@pytest.mark.needs_cc
def test_twenty_links_on_a_cart() -> None:
    """21 degrees of freedom: the energy of a second of chaotic motion changes by the error of the steps alone."""
    sim = eomc.compile(eomc.load("n_link_pendulum:20"), functions="energy").load()
    run = sim.simulate(t_end=1.0, dt=1e-3)
    total = [sim.energy(0.0, x)["total"] for x in run.x[:: len(run.x) // 10]]
    kinetic = sim.energy(0.0, run.x[-1])["kinetic"]
    assert kinetic > 1.0
    assert np.ptp(total) < 1e-7 * kinetic


def test_a_solved_motion_shares_its_terms() -> None:
    """The right-hand side of 8 links takes less than M, f and a solution of their system apart from each other."""
    build = eomc.compile(eomc.load("n_link_pendulum:8"), functions="mass_matrix,forcing")
    n = 9
    factors = n**3 / 6 + 1.5 * n**2  # products of L D L^T and both sweeps; as many differences
    apart = sum(operations(build, name) for name in ("mass_matrix", "forcing")) + 2 * factors
    assert operations(build, "rhs", "mass_matrix", "forcing") < apart
    assert operations(build, "rhs") < 2367  # a published count for fewer links, after common subexpressions


def test_no_symbolic_matrix_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """By every method the derivation does without SymPy's solutions, inverses and determinants."""

    def refused(*arguments: Any, **options: Any) -> None:
        raise AssertionError("a matrix was solved in symbols")

    model = eomc.load("n_link_pendulum")
    for name in ("LUsolve", "LDLsolve", "QRsolve", "inv", "det", "solve", "cholesky", "LUdecomposition"):
        monkeypatch.setattr(sympy.MatrixBase, name, refused)
    monkeypatch.setattr(sympy, "solve", refused)
    for method in model.methods:
        assert eomc.compile(model, method).program.functions


def test_angles_cost_what_rotations_cost() -> None:
    """A body by angles about its own axes, and by three frames in a row: operations within a factor of two."""
    counts = []
    for chained in (False, True):
        angles = dynamicsymbols("a b c")
        N, B, origin = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
        origin.set_vel(N, 0)
        if chained:
            first, second = ReferenceFrame("first"), ReferenceFrame("second")
            first.orient_axis(N, N.z, angles[0])
            second.orient_axis(first, first.x, angles[1])
            B.orient_axis(second, second.y, angles[2])
        else:
            B.orient_body_fixed(N, angles, "ZXY")
        centre = origin.locatenew("C", 0.3 * B.x + 0.2 * B.z)
        body = RigidBody("body", centre, B, 2.0, (inertia(B, 0.3, 0.2, 0.4, 0.01), centre))
        rates = [q.diff() for q in angles]
        model = eomc.Model(
            name="top", inertial_frame=N, coordinates=angles, speeds=rates, bodies=[body], gravity=-9.81 * N.z
        )
        counts.append(operations(eomc.compile(model), "rhs"))
    assert max(counts) < 2 * min(counts)


# -- robots ------------------------------------------------------------------------------------------------------------


def link(name: str, mass: float, centre: str, moments: tuple[float, ...]) -> str:
    tensor = " ".join(
        f'{word}="{value}"' for word, value in zip("ixx ixy ixz iyy iyz izz".split(), moments, strict=True)
    )
    about = f'<origin xyz="{centre}"/><mass value="{mass}"/><inertia {tensor}/>'
    return f'<link name="{name}"><inertial>{about}</inertial></link>'


def joint(name: str, kind: str, parent: str, child: str, more: str = "") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{more}</joint>'


@pytest.fixture
def robot(tmp_path: Path) -> Callable[..., Any]:
    """Return a function that makes the build of a robot from elements of its file."""

    def made(*elements: str, **wishes: Any) -> Any:
        path = tmp_path / "robot.urdf"
        path.write_text(f'<robot name="robot">{"".join(elements)}</robot>', encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return eomc.compile(eomc.from_urdf(path, **wishes), functions="usual,inverse_dynamics")

    return made


UPRIGHT = '<origin rpy="1.5707963267948966 0 0"/><axis xyz="0 0 1"/>'
FLAT = '<axis xyz="0 0 1"/>'


@pytest.mark.needs_cc
def test_published_numbers_of_robots(robot: Callable[..., Any]) -> None:
    """Emitted by recursion: tau of one link, w' of a free link, the inertia of followers, four bars closed by a pin."""
    bar = link("bar", 2, "0.3 0 0", (1, 0, 0, 1, 0, 1))
    one = robot('<link name="ground"/>', bar, joint("q", "continuous", "ground", "bar", UPRIGHT)).load()
    assert one.inverse_dynamics(0.0, [0.3, 0.0], [1.5])["tau_q_d"] == pytest.approx(7.393110574993, rel=1e-12)

    free = robot(link("body", 1, "0 0 0", (2, 0.1, -0.2, 3, 0.3, 4)), base="quaternion").load()
    found = free.rhs(0.0, [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, -2, 0.5])
    np.testing.assert_allclose(found[-3:], [-0.183429888363, 0.065438937754, 0.573420585250], atol=1e-12)

    first, second = (link(name, 1, "0 0 0", (1, 0, 0, 1, 0, moment)) for name, moment in (("a", 0.7), ("b", 0.2)))
    follows = f'{FLAT}<mimic joint="q1" multiplier="-1.5" offset="0.4"/>'
    gear = robot(
        '<link name="ground"/>', first, second, joint("q1", "continuous", "ground", "a", FLAT),
        joint("q2", "continuous", "ground", "b", follows),
    ).load()  # fmt: skip
    assert gear.mass_matrix(0.0, [0.3, 0.1]) == pytest.approx(0.7 + 1.5**2 * 0.2, rel=1e-14)

    rods = [
        link(name, length, f"{length / 2} 0 0", (0, 0, 0, length**3 / 12, 0, length**3 / 12))
        for name, length in (("crank", 2), ("coupler", 4), ("rocker", 3))
    ]
    pin = Closure(name="pin", kind="point", first="coupler", second="rocker", at_first=(4, 0, 0), at_second=(3, 0, 0))
    bars = robot(
        '<link name="ground"/>', *rods, joint("a", "continuous", "ground", "crank", FLAT),
        joint("b", "continuous", "crank", "coupler", f'<origin xyz="2 0 0"/>{FLAT}'),
        joint("c", "continuous", "ground", "rocker", f'<origin xyz="4 0 0"/>{FLAT}'),
        gravity=(0, -9.81, 0), inputs="none", closures=[pin],
    ).load()  # fmt: skip
    place = [np.pi / 3, 0.2917652398481 - np.pi / 3, 1.2901429945502]
    assert bars.rhs(0.0, [*place, 0, 0, 0])[3] == pytest.approx(-2.43846072, abs=1e-7)
    assert bars.rhs(0.0, [*place, 1, -1.143090951758, 0.543745616681])[3] == pytest.approx(-2.79951648, abs=1e-7)


def test_a_massless_tool_changes_nothing(robot: Callable[..., Any]) -> None:
    """A frame without mass that is fixed to a link costs no operation, wherever it is."""
    arm = ('<link name="ground"/>', link("bar", 2, "0.3 0 0.1", (1, 0.1, 0, 1, 0, 1)))
    hinge = joint("q", "continuous", "ground", "bar", UPRIGHT)
    weld = joint("weld", "fixed", "bar", "tool", '<origin xyz="0.4 0.1 0.2" rpy="0.3 0.2 0.1"/>')
    plain, tooled = robot(*arm, hinge), robot(*arm, hinge, '<link name="tool"/>', weld)
    assert operations(tooled, "rhs", "mass_matrix", "energy") == operations(plain, "rhs", "mass_matrix", "energy")


@pytest.mark.needs_cc
def test_any_names_make_a_robot(robot: Callable[..., Any]) -> None:
    """Names of the file are kept for people, made names of C, and told apart where these would be one."""
    names = ("joint_13.0", "iris__/imu", "left-hand", "two words", "joint 13.0")
    parts = ['<link name="ground"/>']
    for parent, name in zip(("ground", *names), names, strict=False):
        parts.append(link(name, 1, "0.1 0 0.2", (1, 0, 0, 1, 0, 1)))
        parts.append(joint(name, "continuous", parent, name, '<origin xyz="0 0 1"/><axis xyz="0 1 0"/>'))
    sim = robot(*parts).load()
    assert sim.state_names[:5] == ("joint_13_0", "iris___imu", "left_hand", "two_words", "joint_13_0_2")
    assert np.all(np.isfinite(sim.rhs(0.0, np.full(10, 0.1))))
