"""When a tree takes the place of the frames that were given: by counting operations, and by nothing else."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sympy as sm
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.derivation import given_frames
from eomc.derivation.bodies import BodySystem
from eomc.derivation.constraints import constraint_rows
from eomc.derivation.derive import derive
from eomc.derivation.found import tree as found_tree
from eomc.derivation.found.finder import find_tree
from eomc.derivation.found.recursion import by_composite_bodies
from eomc.derivation.found.tree import place_tree
from eomc.derivation.given_frames import eliminated_at_least
from eomc.derivation.methods import choose_method
from eomc.derivation.pose import pose
from eomc.errors import DerivationError
from eomc.model import Model
from eomc.passes.cost import cost
from eomc.solving.jacobian import sparse_jacobian

Derives = Callable[..., Any]
KANE = choose_method(eomc.load("cart_pole"), "kane")


def planar(n: int, massless: int | None = None, relative: bool = True) -> Model:
    """Return a chain of n bars in a plane, by angles to the bar before or to the ground; one may have no mass."""
    q, u = dynamicsymbols(f"q1:{n + 1}"), dynamicsymbols(f"u1:{n + 1}")
    N, joint = ReferenceFrame("N"), Point("O")
    joint.set_vel(N, 0)
    frame, bodies = N, list[Any]()
    for k in range(n):
        bar = ReferenceFrame(f"A{k}")
        base = frame if relative else N
        bar.orient_axis(base, base.z, q[k])
        bar.set_ang_vel(base, u[k] * base.z)
        centre = joint.locatenew(f"C{k}", bar.x / 4)
        if k != massless:
            moments = inertia(bar, 0, sm.Rational(1, 50), sm.Rational(1, 50))
            bodies.append(RigidBody(f"L{k}", centre, bar, 1, (moments, centre)))
        joint, frame = joint.locatenew(f"P{k}", bar.x / 2), bar
    return Model(name="planar", inertial_frame=N, coordinates=q, speeds=u, bodies=bodies, gravity=-9 * N.y)


def never(*_: object, **__: object) -> None:
    """Stand for what is not to be called."""
    raise AssertionError


@pytest.mark.parametrize("name", ["cart_pole", "double_pendulum_bars", "n_link_pendulum:5", "n_link_pendulum:8"])
def test_a_tree_has_to_leave_out_a_tenth(name: str, motions: Derives) -> None:
    """The frames that were given stay where they cost as little, or little more."""
    problem, chosen, given = motions(eomc.load(name))
    counts = [cost(problem.graph, one.accelerations) for one in (chosen, given)]
    if chosen.recursion is not None:
        assert counts[0] < 0.9 * counts[1]
    else:
        assert chosen == replace(given, arrangement=chosen.arrangement)


def test_what_the_choice_is_for_shipped_models(motions: Derives) -> None:
    """Models whose C people read first keep their form; longer ones do not."""
    for name in ("cart_pole", "double_pendulum", "rolling_disk", "spherical_pendulum", "chaplygin_sleigh"):
        assert motions(eomc.load(name))[1].recursion is None
    for n in (8, 10):
        assert motions(eomc.load(f"n_link_pendulum:{n}"))[1].recursion is not None


def test_half_the_operations_of_ten_links(motions: Derives) -> None:
    """A pendulum of ten links on a cart, absolute angles: articulated bodies need two thirds of the cost."""
    problem, chosen, given = motions(eomc.load("n_link_pendulum:10"))
    assert cost(problem.graph, chosen.accelerations) < 0.67 * cost(problem.graph, given.accelerations)
    assert chosen.mass_matrix == given.mass_matrix  # which the accelerations do without: the shorter one


def test_the_choice_does_not_follow_from_defaults() -> None:
    """Masses of other decades, other starts and ranges: the same words, with the same numbers of operations."""
    model = eomc.load("n_link_pendulum:8")
    other = eomc.load("n_link_pendulum:8")
    for parameter in other.parameters:
        parameter_value = 1e-9 if parameter.name.startswith("m") else 1e6
        object.__setattr__(parameter, "value", parameter_value)
    first, second = (derive(one, KANE).motion.arrangement for one in (model, other))
    assert first == second
    assert "by articulated bodies on a tree of 9 joints" in first


def test_long_chains_are_not_derived_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an elimination alone takes more than the tree, no other form is made."""
    monkeypatch.setattr(given_frames, "_cheapest", never)
    assert derive(planar(16, relative=False), KANE).motion.recursion is not None


def test_what_surely_takes_more_is_not_eliminated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten links: M in the frames given is made, and not factored, and no other; no pivot is tested or bounded."""
    monkeypatch.setattr(given_frames, "solve_for_speeds", never)
    monkeypatch.setattr(found_tree, "mass_matrix", never)
    equations = derive(eomc.load("n_link_pendulum:10"), KANE)
    assert not equations.systems
    told = re.search(r"826 additions beside at least (\d+) in the frames given", equations.motion.arrangement)
    assert told is not None


@pytest.mark.parametrize("name", ["n_link_pendulum:8", "n_link_pendulum:10", planar(9), planar(9, relative=False)])
def test_the_count_that_is_told_is_none_that_the_frames_stay_below(name: str | Model, motions: Derives) -> None:
    """What M in the frames given takes at least is less than what it takes, and no idle bound."""
    problem, chosen, given = motions(eomc.load(name) if isinstance(name, str) else name)
    told = re.search(r"beside at least (\d+) in the frames given", chosen.arrangement)
    assert told is not None
    assert 0.9 * cost(problem.graph, given.accelerations) < int(told[1]) <= cost(problem.graph, given.accelerations)


@pytest.mark.parametrize("n", [3, 13])
@pytest.mark.parametrize("relative", [True, False])
def test_a_speed_without_inertia_is_named(n: int, relative: bool) -> None:
    """The last bar has no mass: refused, whichever form is derived first."""
    with pytest.raises(DerivationError, match=f"u{n} has no inertia"):
        derive(planar(n, n - 1, relative), KANE)


def test_the_mass_matrix_of_a_long_chain_is_not_singular() -> None:
    """By relative angles the condition of M is beyond rounding; that of the partial velocities is its square root."""
    equations = derive(planar(30), KANE)
    assert equations.motion.recursion is not None


def test_printed_equations_are_those_of_the_frames(arm: Callable[[int], Model]) -> None:
    """What people read speaks of the frames that they gave."""
    model = arm(4)
    assert derive(model, KANE).motion.recursion is not None
    printed = eomc.equations(model)
    assert printed.equations.motion.arrangement == ""
    assert any(block.title.startswith("mass matrix: M_rs = sum m v_r.v_s") for block in printed.equations.blocks)


@pytest.mark.parametrize("name", ["n_link_pendulum:8", "planar"])
def test_derivatives_of_accelerations(name: str, motions: Derives) -> None:
    """By the recursion, in absolute angles and under a force, those of the frames that were given."""
    problem, chosen, given = motions(planar(8) if name == "planar" else eomc.load(name))
    assert chosen.rules
    variables = [*problem.q, *problem.motion, *problem.symbols.signals]
    graph, systems = problem.graph, list(problem.checks.systems)
    ours = sparse_jacobian(graph, chosen.accelerations, variables, (), chosen.rules)
    theirs = sparse_jacobian(graph, given.accelerations, variables, systems)
    sample = problem.sampling.state(0)
    for own, other in zip(ours, theirs, strict=True):
        x, y = ([sample.sized(node)[0] for node in row] for row in (own, other))
        assert x == pytest.approx(y, rel=1e-8, abs=1e-8 * max(map(abs, y)))


def balls(count: int, quaternions: bool = False) -> Model:
    """Return bodies that hang on each other by balls, turned by three angles or by quaternions; speeds are spins."""
    N, joint = ReferenceFrame("N"), Point("O")
    joint.set_vel(N, 0)
    frame, bodies, q, u, rates = N, list[Any](), list[Any](), list[Any](), list[Any]()
    for k in range(count):
        link = ReferenceFrame(f"A{k}")
        own = list(dynamicsymbols(f"q{k}_:{4 if quaternions else 3}"))
        spin = list(dynamicsymbols(f"u{k}_:3"))
        if quaternions:
            link.orient_quaternion(frame, own)
        else:
            link.orient_body_fixed(frame, own, "YZX")
        if quaternions:
            w, v, spins = own[0], sm.Matrix(own[1:]), sm.Matrix(spin)
            rates += [w.diff() + v.dot(spins) / 2, *(v.diff() - (w * spins + v.cross(spins)) / 2)]
        else:
            turning = link.ang_vel_in(frame)
            rates += [turning.dot(axis) - speed for axis, speed in zip(link, spin, strict=True)]
        link.set_ang_vel(frame, sum((s * axis for s, axis in zip(spin, link, strict=True)), 0 * link.x))
        centre = joint.locatenew(f"C{k}", link.x / 4 + link.z / 7)
        bodies.append(RigidBody(f"L{k}", centre, link, 1 + k, (inertia(link, 0.2, 0.3, 0.4, 0.01), centre)))
        joint, frame = joint.locatenew(f"P{k}", link.x / 2 - link.y / 9), link
        q += own
        u += spin
    return Model(
        name="balls", inertial_frame=N, coordinates=q, speeds=u, kinematical_equations=rates, bodies=bodies,
        gravity=-9 * N.y, initial={q[4 * k]: 1.0 for k in range(count)} if quaternions else {},
    )  # fmt: skip


def test_derivatives_by_turns_of_balls(motions: Derives) -> None:
    """Three angles: the rule takes up the entries of the rotation, and gives what sweeps give."""
    problem, chosen, _ = motions(balls(3), "articulated")
    assert chosen.rules
    variables = [*problem.q, *problem.motion]
    ours = sparse_jacobian(problem.graph, chosen.accelerations, variables, (), chosen.rules)
    theirs = sparse_jacobian(problem.graph, chosen.accelerations, variables, ())
    assert cost(problem.graph, itertools.chain(*ours)) < 0.8 * cost(problem.graph, itertools.chain(*theirs))
    for number in (0, 4):
        sample = problem.sampling.state(number)
        for own, other in zip(ours, theirs, strict=True):
            x, y = ([sample.sized(node)[0] for node in row] for row in (own, other))
            assert x == pytest.approx(y, rel=1e-8, abs=1e-8 * max(map(abs, y)))


def test_quaternions_of_any_length_have_no_rule(motions: Derives) -> None:
    """A matrix that is a rotation for some quaternions alone is not taken for one."""
    assert not motions(balls(2, quaternions=True), "articulated")[1].rules


@pytest.mark.parametrize(
    "model", ["cart_pole", "heavy_top", "two_link_arm", "n_link_pendulum:4", "n_link_pendulum:10", planar(6), planar(9)]
)
def test_what_is_not_eliminated_would_take_no_less(model: str | Model) -> None:
    """The bound on composite bodies is none that they stay below, and no idle one of long chains."""
    problem = pose(eomc.load(model) if isinstance(model, str) else model)
    bodies = BodySystem(problem)
    tree = place_tree(problem, bodies, find_tree(problem, bodies))
    nothing = (problem.graph.zero,) * len(problem.motion)
    bound = eliminated_at_least(problem, *tree.shortest(nothing))
    motion = by_composite_bodies(problem, bodies, tree, constraint_rows(problem), nothing)
    taken = cost(problem.graph, motion.accelerations)
    assert 0.7 * taken < bound <= taken
