"""Reactions that the emitted C gives, and friction whose normal force is a reaction: closed forms, Painleve's rod."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy import Abs, cos, sign, sin, symbols
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

import eomc
from eomc.analysis.agreement import compare
from eomc.backends.report import render_equations
from eomc.errors import DerivationError, EomcError, SingularSystemError, UnsupportedError
from eomc.reference import reference

t = dynamicsymbols._t
BY = ("kane", "gibbs-appell")
m, g, mu, length = symbols("m g mu l", positive=True)
N1, N2 = symbols("N1 N2", real=True)


def two_rods(listed: bool) -> eomc.Model:
    """Return two masses on rods, as case A10 has them; the tensions as loads, or along the auxiliary speeds."""
    q1, q2, u1, u2, u3, u4 = dynamicsymbols("q1 q2 u1 u2 u3 u4")
    m1, m2, l1, l2 = symbols("m1 m2 l1 l2", positive=True)
    N, A, B = (ReferenceFrame(name) for name in "NAB")
    A.orient_axis(N, N.z, q1)
    B.orient_axis(N, N.z, q2)
    fixed, P1, P2 = Point("O"), Point("P1"), Point("P2")
    fixed.set_vel(N, 0)
    P1.set_pos(fixed, -l1 * A.y)
    P2.set_pos(P1, -l2 * B.y)
    P1.set_vel(N, l1 * u1 * A.x - u3 * A.y)
    P2.set_vel(N, P1.vel(N) + l2 * u2 * B.x - u4 * B.y)
    tensions = [(P1, N1 * A.y), (P1, -N2 * B.y), (P2, N2 * B.y)] if listed else []
    return eomc.Model(
        name="two_rods",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[u1, u2, u3, u4],
        auxiliary_speeds=[u3, u4],
        kinematical_equations=[q1.diff() - u1, q2.diff() - u2],
        bodies=[Particle("P1", P1, m1), Particle("P2", P2, m2)],
        gravity=-g * N.y,
        loads=tensions,
        reactions={N1: ("N", "tension of rod 1"), N2: "N"} if listed else (),
        parameters={m1: 1.0, m2: 2.0, l1: 1.0, l2: 0.5, g: 9.81},
    )


@pytest.mark.parametrize("method", BY)
def test_tensions_under_their_names_or_after_the_speeds(method: str) -> None:
    """The motion is free of them; the loads that hold them pull inwards, against u3 and u4."""
    state = [0.3, -0.7, 1.2, 0.4]
    for listed, names, side in ((True, ("N1", "N2"), 1.0), (False, ("reaction_u3", "reaction_u4"), -1.0)):
        sim = eomc.compile(two_rods(listed), method).load()
        assert_allclose(sim.rhs(0.0, state)[2:], [-7.023729535281, 22.652861987263], rtol=1e-12)
        found = sim.reactions(0.0, state)
        assert list(found) == list(names)
        assert_allclose(list(found.values()), [side * 13.460275158766, side * 4.901745137267], rtol=1e-12)


def test_tensions_of_a_kanes_method_of_sympy() -> None:
    """As people write it there: auxiliary speeds, unknown forces among the loads, auxiliary equations."""
    model = two_rods(listed=True)
    system = model.dynamics
    q, u = list(model.coordinates), list(model.speeds)
    gravity = [(body.masscenter, -body.mass * g * system.inertial_frame.y) for body in system.bodies]
    kane = KanesMethod(
        system.inertial_frame, q, u[:2], kd_eqs=[a.diff() - b for a, b in zip(q, u[:2], strict=True)], u_auxiliary=u[2:]
    )
    kane.kanes_equations(list(system.bodies), [*system.loads, *gravity])
    values = {p.symbol: p.value for p in model.parameters}
    theirs = kane.auxiliary_eqs.xreplace(dict.fromkeys(u[2:], sympy.Integer(0)))
    taken = eomc.from_kanes_method(kane, reactions=[N1, N2], parameters=values)
    sim = eomc.compile(taken).load()
    state = [0.3, -0.7, 1.2, 0.4]
    rates = sim.rhs(0.0, state)
    known = {**values, **dict(zip([*q, *u[:2]], state, strict=True))}
    known |= {s.diff(): r for s, r in zip([*q, *u[:2]], rates, strict=True)}
    solved = sympy.solve(list(theirs.xreplace(known).xreplace(known)), [N1, N2])
    assert_allclose(list(sim.reactions(0.0, state).values()), [float(solved[N1]), float(solved[N2])], rtol=1e-10)
    assert_allclose(float(solved[N1]), 13.460275158766, rtol=1e-10)


def test_bead_on_a_rough_hoop() -> None:
    """Published point, and the closed form of w = theta_d^2 over a way up and a way down."""
    model = eomc.load("coulomb_bead")
    sim = eomc.compile(model).load()
    state = [0.3, 5.0]
    assert_allclose(sim.rhs(0.0, state), [5.0, -12.359661742192142], rtol=1e-12)
    assert_allclose(sim.reactions(0.0, state)["N"], 8.748740383328878, rtol=1e-12)
    run = sim.simulate(t_end=0.08, dt=1e-4, x0=state)
    theta, rate = run.x[:, 0], run.x[:, 1]
    k, radius, fall = 0.15, 0.5, 9.81

    def particular(angle: np.ndarray) -> np.ndarray:
        inner = 2 * k * np.sin(angle) - np.cos(angle) + k * (np.sin(angle) + 2 * k * np.cos(angle))
        return -2 * fall / radius * inner / (1 + 4 * k**2)

    kept = (rate**2 - particular(theta)) * np.exp(2 * k * theta)
    assert_allclose(kept, kept[0], rtol=1e-9)
    assert theta[-1] > 0.6
    assert_allclose(np.interp(0.6, theta, rate), 4.053875322648109, rtol=1e-6)


# -- a rod that slides on its end: Painleve ----------------------------------------------------------------------------


def sliding_rod() -> eomc.Model:
    """Return a uniform rod of length 2 l whose lower end slides on a rough floor, at q2 from the floor.

    The lower end is behind the mass centre for motion to the right, so that friction presses it down for u1 < 0.
    """
    q1, q2, u1, u2, w = dynamicsymbols("q1 q2 u1 u2 w")
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, q2)
    A.set_ang_vel(N, u2 * N.z)
    fixed, end = Point("O"), Point("P")
    fixed.set_vel(N, 0)
    end.set_pos(fixed, q1 * N.x)
    end.set_vel(N, u1 * N.x + w * N.y)
    centre = end.locatenew("C", length * A.x)
    centre.v2pt_theory(end, N, A)
    moment = m * length**2 / 3
    return eomc.Model(
        name="sliding_rod",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[u1, u2, w],
        auxiliary_speeds=[w],
        kinematical_equations=[q1.diff() - u1, q2.diff() - u2],
        bodies=[RigidBody("rod", centre, A, m, (inertia(A, 0, moment, moment), centre))],
        loads=[(end, N1 * N.y - mu * Abs(N1) * sign(u1) * N.x)],
        reactions=[N1],
        gravity=-g * N.y,
        outputs={"pressing": N1},
        parameters={m: 1.3, length: 0.7, mu: 0.4, g: 9.81},
        ranges={q2: (0.4, 1.4), u1: (-2, 2), u2: (-1, 1)},
    )


def pressing(angle: float, sliding: float, spin: float, friction: float, half: float = 0.7) -> list[float]:
    """Return all N / m that agree with their friction: c N + d |N| = b from the balance of moments about the centre."""
    c = 1 + 3 * np.cos(angle) ** 2
    d = 3 * friction * np.sign(sliding) * np.cos(angle) * np.sin(angle)
    b = 9.81 - half * np.sin(angle) * spin**2
    candidates = [(b / (c + d), 1.0), (b / (c - d), -1.0)]
    return [value for value, side in candidates if value * side >= 0]


@pytest.mark.parametrize("method", BY)
def test_rod_that_slides_on_its_end(method: str) -> None:
    """Friction changes the normal force that it follows: the coupled equations, both ways, pressing and lifting."""
    sim = eomc.compile(sliding_rod(), method).load()
    for angle, sliding, spin in ((0.9, 1.1, 0.3), (0.9, -1.1, 0.3), (1.2, 0.6, -5.5), (1.2, -0.6, 5.5)):
        (value,) = pressing(angle, sliding, spin, 0.4)
        state = [0.0, angle, sliding, spin]
        normal = sim.reactions(0.0, state)["N1"]
        assert_allclose(normal, 1.3 * value, rtol=1e-12)
        assert sim.outputs(0.0, state)[0] == normal
        friction = -0.4 * abs(normal) * np.sign(sliding)
        turning = (-0.7 * np.cos(angle) * normal + 0.7 * np.sin(angle) * friction) / (1.3 * 0.7**2 / 3)
        along = friction / 1.3 + 0.7 * (np.sin(angle) * turning + np.cos(angle) * spin**2)
        assert_allclose(sim.rhs(0.0, state)[2:], [along, turning], rtol=1e-11)


def test_rod_in_painleves_paradox() -> None:
    """Beyond a friction of 4/3 no sign may agree, a failure that says so, or both may, and the positive counts."""
    sim = eomc.compile(sliding_rod()).load()
    angle = 1.2
    assert pressing(angle, -1.0, 0.0, 3.5) == []
    with pytest.raises(SingularSystemError, match="the signs of N1"):
        sim.rhs(0.0, [0.0, angle, -1.0, 0.0], parameters={"mu": 3.5})
    several = pressing(angle, -1.0, 6.0, 3.5)
    assert len(several) == 2
    found = sim.reactions(0.0, [0.0, angle, -1.0, 6.0], parameters={"mu": 3.5})["N1"]
    assert_allclose(found, 1.3 * max(several), rtol=1e-12)
    oracle = reference(sliding_rod())
    assert_allclose(
        oracle.reactions(0.0, [0.0, angle, -1.0, 6.0], parameters={"mu": 3.5})["N1"], 1.3 * max(several), rtol=1e-11
    )
    with pytest.raises(SingularSystemError, match="no signs"):
        oracle.rhs(0.0, [0.0, angle, -1.0, 0.0], parameters={"mu": 3.5})


# -- a ladder at a rough wall: two reactions ---------------------------------------------------------------------------


def ladder() -> eomc.Model:
    """Return a uniform ladder that slides down between a rough wall and a rough floor, at q from the floor."""
    q, u, w1, w2 = dynamicsymbols("q u w1 w2")
    nu = symbols("nu", positive=True)
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, -q)
    A.set_ang_vel(N, -u * N.z)
    corner, foot = Point("O"), Point("F")
    corner.set_vel(N, 0)
    foot.set_pos(corner, 2 * length * cos(q) * N.x)
    foot.set_vel(N, (w2 - 2 * length * sin(q) * u) * N.x + w1 * N.y)  # w2 pushes the whole ladder off the wall
    centre, top = foot.locatenew("C", -length * A.x), foot.locatenew("T", -2 * length * A.x)
    centre.v2pt_theory(foot, N, A)
    top.v2pt_theory(foot, N, A)
    moment = m * length**2 / 3
    return eomc.Model(
        name="ladder",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u, w1, w2],
        auxiliary_speeds=[w1, w2],
        kinematical_equations=[q.diff() - u],
        bodies=[RigidBody("ladder", centre, A, m, (inertia(A, 0, moment, moment), centre))],
        loads=[
            (foot, N1 * N.y + mu * Abs(N1) * sign(u) * N.x),
            (top, N2 * N.x - nu * Abs(N2) * sign(u) * N.y),
        ],
        reactions=[N1, N2],
        gravity=-g * N.y,
        parameters={m: 5.0, length: 1.5, mu: 0.3, nu: 0.2, g: 9.81},
        ranges={q: (0.3, 1.3), u: (-2, 2)},
    )


@pytest.mark.parametrize(("angle", "rate"), [(0.9, -0.4), (0.9, 0.4), (0.5, -1.5), (0.6, -4.0), (1.2, 3.5)])
def test_ladder_with_friction_at_both_ends(angle: float, rate: float) -> None:
    """Newton and Euler for the ladder with all pairs of signs, one of which agrees with itself."""
    mass, half, floor, wall, fall = 5.0, 1.5, 0.3, 0.2, 9.81
    c, s, way = np.cos(angle), np.sin(angle), np.sign(rate)
    solutions = []
    for s1 in (1, -1):
        for s2 in (1, -1):
            # unknowns: q'', N1, N2; centre at half (cos q, sin q), the foot to the right of it, the top to the left
            rows = [
                [-half * s * mass, -floor * s1 * way, -1.0],
                [half * c * mass, -1.0, wall * s2 * way],
                # moment about the centre, which lowers the ladder's angle: -(m l^2 / 3) q''
                [
                    -mass * half**2 / 3,
                    -half * c - half * s * floor * s1 * way,
                    half * s - half * c * wall * s2 * way,
                ],
            ]
            right = [half * c * mass * rate**2, half * s * mass * rate**2 - mass * fall, 0.0]
            second, first_force, second_force = np.linalg.solve(rows, right)
            if first_force * s1 >= 0 and second_force * s2 >= 0:
                solutions.append((second, first_force, second_force))
    (expected,) = solutions
    sim = eomc.compile(ladder()).load()
    found = sim.reactions(0.0, [angle, rate])
    assert_allclose([sim.rhs(0.0, [angle, rate])[1], found["N1"], found["N2"]], expected, rtol=1e-10)


# -- against the reference ---------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", BY)
@pytest.mark.parametrize("make", [lambda: two_rods(True), lambda: two_rods(False), sliding_rod, ladder])
def test_every_function_agrees_with_the_reference(method: str, make: Callable[[], eomc.Model]) -> None:
    """Jacobians too: the derivative of what is solved by signs is that of the signs that agree."""
    model = make()
    build = eomc.compile(model, method, functions="all")
    states = 40 if make is ladder else 12  # twelve tell nothing of the ladder's Jacobian
    for one in compare(build, count=states):
        assert one.holds, one
    assert "reactions" in {function.name for function in build.program.functions}


# -- a point on a line, with loads of every kind -----------------------------------------------------------------------

q, u, w, z, r = dynamicsymbols("q u w z r")


def on_a_line(load: Callable[[ReferenceFrame], Any], aside: sympy.Expr = w, **described: Any) -> eomc.Model:
    """Return a particle that slides along x without weight, held along y by the auxiliary speed w."""
    N, fixed = ReferenceFrame("N"), Point("O")
    fixed.set_vel(N, 0)
    P = fixed.locatenew("P", q * N.x)
    P.set_vel(N, u * N.x + aside * N.y)
    settings: dict[str, Any] = {
        "name": "on_a_line",
        "inertial_frame": N,
        "coordinates": [q],
        "speeds": [u, w],
        "auxiliary_speeds": [w],
        "kinematical_equations": [q.diff() - u],
        "bodies": [Particle("P", P, m)],
        "loads": [(P, load(N))],
        "reactions": [N1],
        "parameters": {m: 1.0},
    }
    return eomc.Model(**{**settings, **described})


@pytest.mark.parametrize("factor", [-1, 1])
def test_a_pattern_without_a_solution_does_not_fit(factor: int) -> None:
    """N + c |N| = q with |c| = 1 has none for one sign of q: a failure, no infinite force; the Jacobian fails too."""
    sim = eomc.compile(on_a_line(lambda N: (N1 + factor * Abs(N1) - q) * N.y), functions="all").load()
    assert_allclose(sim.reactions(0.0, [factor * 3.0, 0.2])["N1"], factor * 1.5, rtol=1e-14)
    for function in (sim.rhs, sim.reactions, sim.jacobian):
        assert function(0.0, [factor * 3.0, 0.2]) is not None
    with pytest.raises(SingularSystemError, match="the signs of N1"):
        sim.reactions(0.0, [-factor * 3.0, 0.2])


def test_derivatives_fail_where_the_motion_does() -> None:
    """N - 2 |N| + q = 0 has two solutions for q > 0 and none for q < 0: no function gives a number there."""
    model = on_a_line(lambda N: (N1 - 2 * Abs(N1) + q) * N.y - Abs(N1) * sign(u) * N.x)
    sim = eomc.compile(model, functions="all").load()
    assert_allclose(sim.reactions(0.0, [2.0, 1.0])["N1"], 2.0, rtol=1e-14)  # of 2 and -2/3 the positive one
    for function in (sim.rhs, sim.forcing, sim.power, sim.jacobian):
        with pytest.raises(SingularSystemError, match="the signs of N1"):
            function(0.0, [-2.0, 1.0])


@pytest.mark.parametrize(
    ("friction", "expected"),
    [
        (lambda nu: Abs(nu * N1), lambda force: 0.3 * abs(force)),
        (lambda nu: Abs(-2 * nu * N1) / 2, lambda force: 0.3 * abs(force)),
        (lambda nu: -nu * sympy.sqrt(N1**2), lambda force: 0.3 * abs(force)),
        (lambda nu: -nu * sympy.Max(N1, 0), lambda force: 0.3 * max(force, 0.0)),
        (lambda nu: nu * sympy.Min(0, N1), lambda force: -0.3 * min(force, 0.0)),
        (lambda nu: -nu * sympy.Max(N1, 0) / sympy.sqrt(1 + u**2), lambda force: 0.3 * max(force, 0.0)),
    ],
)
def test_sizes_however_they_are_written(friction: Callable[..., Any], expected: Callable[[float], float]) -> None:
    """|c N| is |c| |N|, and what only pushes is max(N, 0): the force along the line as written, for both signs of N."""
    nu = symbols("nu", real=True)
    model = on_a_line(lambda N: N1 * N.y - q * N.y + friction(nu) * N.x, parameters={m: 1.0, nu: -0.3})
    sim = eomc.compile(model, functions="all").load()
    for force in (2.0, -1.5):
        assert_allclose(sim.rhs(0.0, [force, 0.0])[1], expected(force), rtol=1e-14)
    for one in compare(eomc.compile(model, functions="all"), count=20):
        assert one.holds, one


def test_constraints_that_would_share_a_reaction() -> None:
    """Two equal constraints on the speeds that part along the auxiliary speed leave the reaction undetermined."""
    described = {
        "coordinates": [q, z],
        "speeds": [u, r, w],
        "kinematical_equations": [q.diff() - u, z.diff() - r],
        "velocity_constraints": [r - u + w, 2 * r - 2 * u],
    }
    with pytest.raises(DerivationError, match="velocity constraint 2 follows from the others for the speeds, but not"):
        eomc.compile(on_a_line(lambda N: N1 * N.y + r * N.x, **described))


def test_a_direction_across_in_components_is_seen_through() -> None:
    """A force along the path does no work on the speed across it, though the products cancel only in their sum."""
    slope = sympy.cos(3 * q) / 2
    long = sympy.sqrt(1 + slope**2)
    N, fixed = ReferenceFrame("N"), Point("O")
    fixed.set_vel(N, 0)
    along, across = (N.x + slope * N.y) / long, (N.y - slope * N.x) / long
    P = fixed.locatenew("P", q * N.x + sympy.sin(3 * q) / 6 * N.y)
    P.set_vel(N, u * long * along + w * across)
    described = {"inertial_frame": N, "bodies": [Particle("P", P, m)], "loads": [(P, N1 * along - Abs(N1) * along)]}
    with pytest.raises(DerivationError, match="the reaction N1 is not determined"):
        eomc.compile(on_a_line(lambda _: N.x, **described))


def test_a_loop_that_auxiliary_speeds_would_tear() -> None:
    """Where no rate of a configuration constraint holds an auxiliary speed, a warning says what is not in R."""
    described = {
        "coordinates": [q, z],
        "speeds": [u, r, w],
        "kinematical_equations": [q.diff() - u, z.diff() - r],
        "configuration_constraints": [z - q],
        "reactions": (),
    }
    with pytest.warns(RuntimeWarning, match="hold nothing of the configuration constraints"):
        eomc.compile(on_a_line(lambda N: r * N.x, **described))


def test_no_linear_equations_where_there_is_no_motion() -> None:
    """Linearized about a state at which no signs agree, the rod is refused as the right-hand side refuses it."""
    with pytest.raises(SingularSystemError, match="no unique solution for the signs of N1"):
        eomc.linearize(sliding_rod(), at=[0.0, 1.2, -1.0, 0.0], parameters={"mu": 3.5})


@pytest.mark.needs_cc
@pytest.mark.filterwarnings("ignore:1 of 1 row is NaN")  # the pressing at the start, which is the run's only row
def test_a_rod_that_no_signs_fit_is_told_as_painleves_paradox() -> None:
    """Runs, right-hand sides and linear equations name the paradox and its remedies: less friction, a soft contact."""
    state, rough = [0.0, 1.2, -1.0, 0.0], {"mu": 3.5}
    sim = eomc.compile(sliding_rod()).load()
    calls: tuple[Callable[[], object], ...] = (
        lambda: sim.simulate(0.1, x0=state, parameters=rough),
        lambda: sim.rhs(0.0, state, parameters=rough),
        lambda: eomc.linearize(sliding_rod(), at=state, parameters=rough),
    )
    for call in calls:
        with pytest.raises(
            SingularSystemError, match=r"the signs of N1 \(Painleve's paradox\).* take less fric"
        ) as told:
            call()
        assert "other coordinates" not in str(told.value)


def test_a_reaction_that_lacks_an_input_is_left_out() -> None:
    """The motion does not need r'', and goes on without; the reaction is named in a warning."""
    described = {"reactions": (), "inputs": [r, r.diff()]}
    model = on_a_line(lambda N: r * N.x, aside=w + r.diff(), **described)
    with pytest.warns(RuntimeWarning, match=r"reaction_w is left out: it needs .* among the inputs"):
        build = eomc.compile(model)
    assert_allclose(build.load().rhs(0.0, [0.0, 1.0], inputs={"r": 2.0}), [1.0, 2.0])
    full = eomc.compile(
        on_a_line(lambda N: r * N.x, aside=w + r.diff(), reactions=(), inputs=[r, r.diff(), r.diff(t, 2)])
    )
    assert_allclose(full.load().reactions(0.0, [0.0, 1.0], inputs={"r_dd": 0.7})["reaction_w"], 0.7)


def test_a_torque_through_a_point_without_a_velocity_of_its_own() -> None:
    """A force F at l on an arm that an auxiliary speed tilts: the bearing takes -F l, in C and in the reference."""
    A, B = ReferenceFrame("A"), ReferenceFrame("B")
    B.orient_axis(A, A.z, q)
    B.set_ang_vel(A, u * A.z + w * B.x)
    fixed = Point("O")
    fixed.set_vel(A, 0)
    P = fixed.locatenew("P", 0.5 * B.y)
    model = eomc.Model(
        name="arm",
        inertial_frame=A,
        coordinates=[q],
        speeds=[u, w],
        auxiliary_speeds=[w],
        kinematical_equations=[q.diff() - u],
        bodies=[Particle("P", P, m)],
        loads=[(P, 5 * A.z)],
        parameters={m: 2.0},
    )
    for source in (eomc.compile(model).load(), reference(model)):
        assert_allclose(source.reactions(0.0, [0.3, 1.0])["reaction_w"], -2.5, rtol=1e-14)


def lines(model: eomc.Model) -> list[str]:
    """Return the lines of the printed equations."""
    return [line.strip() for line in render_equations(eomc.compile(model, "kane")).splitlines()]


def test_printed_equations_name_the_reactions() -> None:
    """Forces say N where friction follows it; a reaction that nothing follows is written with the accelerations."""
    printed = lines(eomc.load("coulomb_bead"))
    title = "Reactions: F_r + F*_r + R_r = 0 along the auxiliary speeds"
    assert printed.index(title) < printed.index("f = -m*R*g*sin(theta) - R*mu*abs(N)*sign(theta')")
    assert any(line.startswith("N = m*R*theta'^2 + m*g*cos(theta)") for line in printed)
    after = lines(two_rods(listed=False))
    told = " ".join(after[after.index(title) + 1 : after.index("Energies")])
    assert "reaction_u3 = " in told
    assert "u1'" in told
    held = lines(ladder())
    assert "u has inertia: 0 < 4/3*m*l^2" in held  # m (2 l)^2/12 + m l^2, about the instantaneous centre
    assert "the signs of N1, N2 agree with the friction that they make" in held


# -- mistakes ----------------------------------------------------------------------------------------------------------


def rod_with(loads: list[Callable[..., Any]], reactions: list[object], auxiliary: int = 1) -> eomc.Model:
    """Return a point on a line in space whose second and third directions are held, with loads of one's own."""
    q, u, w, z = dynamicsymbols("q u w z")
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, u * N.x + w * N.y + (z * N.z if auxiliary > 1 else 0))
    held = [w, z][:auxiliary]
    return eomc.Model(
        name="held",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u, *held],
        auxiliary_speeds=held,
        kinematical_equations=[q.diff() - u],
        bodies=[Particle("P", P, m)],
        gravity=-g * N.y,
        loads=[(P, vector(N, u)) for vector in loads],
        reactions=reactions,
        parameters={m: 1.0, g: 9.81},
    )


@pytest.mark.parametrize(
    ("loads", "reactions", "auxiliary", "words"),
    [
        ([lambda N, u: N1 * N.y], [N1], 2, "1 reaction and 2 auxiliary speeds: name one reaction for each"),
        ([lambda N, u: u * N.y], [N1], 1, "reaction N1 acts in no load"),
        ([lambda N, u: N1 * N.x], [N1], 1, "reaction N1 is not determined by the equations of the auxiliary speeds w"),
        ([lambda N, u: N1**2 * N.y], [N1], 1, "otherwise than as N and Abs(N)"),
        ([lambda N, u: N1 * N.y + sign(N1) * N.x], [N1], 1, "otherwise than as N and Abs(N)"),
        ([lambda N, u: N1 * N.y + sympy.floor(N1) * N.x], [N1], 1, "otherwise than as N and Abs(N)"),
        ([lambda N, u: N1 * N.y + sympy.Heaviside(N1) * N.x], [N1], 1, "otherwise than as N and Abs(N)"),
        ([lambda N, u: N1 * N.y + sympy.Piecewise((1, N1 > 0), (2, True)) * N.x], [N1], 1, "otherwise than as N and"),
        ([lambda N, u: N1 * N.y], [], 1, "what holds the auxiliary speeds belongs in reactions"),
        ([lambda N, u: N1 * N.y], {N1: 5}, 1, "give a unit or (unit, description)"),
        ([lambda N, u: N1 * N.y], [N1, N1], 2, "N1 is listed twice among the reactions"),
        ([lambda N, u: N1 * N.y], [N1 * 2], 1, "reaction 2*N1 is neither a symbol nor a function of t"),
    ],
)
def test_one_clear_line(loads: list[Callable[..., Any]], reactions: list[object], auxiliary: int, words: str) -> None:
    """What is wrong with reactions is said with the name of the reaction or of the speed."""
    with pytest.raises(EomcError, match=re.escape(words)):
        eomc.compile(rod_with(loads, reactions, auxiliary))


def test_too_many_sizes() -> None:
    """Two to the power of the reactions whose sizes matter are the patterns of signs: at most four are tried."""
    q, u, *held = dynamicsymbols("q u w1:6")
    forces = symbols("N1:6", real=True)
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, u * N.x + sum(((k + 1) * w * N.y for k, w in enumerate(held)), 0 * N.x))
    model = eomc.Model(
        name="many",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u, *held],
        auxiliary_speeds=held,
        kinematical_equations=[q.diff() - u],
        bodies=[Particle("P", P, m)],
        loads=[(P, force * N.y - Abs(force) * sign(u) * (N.x + N.y)) for force in forces],
        reactions=forces,
        parameters={m: 1.0},
    )
    with pytest.raises(UnsupportedError, match="at most 4"):
        eomc.compile(model)


def test_a_reaction_that_only_equals_a_force_does_not_act() -> None:
    """A table holds a body with N = m g, and m g pushes it, too: the motion does not follow N, which is told last."""
    x, u, w = dynamicsymbols("x u w")
    m, g, N = symbols("m g N")
    A, fixed, P = ReferenceFrame("A"), Point("O"), Point("P")
    fixed.set_vel(A, 0)
    P.set_pos(fixed, x * A.x)
    P.set_vel(A, u * A.x + w * A.y)
    model = eomc.Model(
        name="table",
        inertial_frame=A,
        coordinates=[x],
        speeds=[u, w],
        auxiliary_speeds=[w],
        kinematical_equations=[x.diff() - u],
        bodies=[Particle("P", P, m)],
        loads=[(P, m * g * A.x + (N - m * g) * A.y)],
        reactions=[N],
        parameters={m: 2.0, g: 9.81},
    )
    told = lines(model)
    places = [
        next(i for i, line in enumerate(told) if line.startswith(start)) for start in ("Generalized", "Reactions")
    ]
    assert told[places[1] + 1].startswith("N = m*g")
    assert places[0] < places[1]
