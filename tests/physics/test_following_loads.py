"""Loads that are linear in accelerations: inerters, added mass, controllers that feed accelerations back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from numpy.typing import NDArray
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.analysis.agreement import compare
from eomc.errors import EomcError, ModelError, UnsupportedError

Array: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[..., Any]

METHODS = ("kane", "gibbs-appell", "lagrange")
t = dynamicsymbols._t
q, u, x, y, v, w, s, r, turn, spin, N_n = dynamicsymbols("q u x y v w s r turn spin N_n")
m, ell, g, b, k, mu = sympy.symbols("m ell g b k mu")
MASS, LENGTH, FALL, INERTER = 1.2, 0.6, 9.81, 0.25


def pendulum(load: Any, **more: Any) -> Any:
    """Return a pendulum with a torque about its pivot that follows its acceleration."""
    frame, pivot = ReferenceFrame("N"), Point("O")
    rod = frame.orientnew("A", "Axis", (q, frame.z))
    rod.set_ang_vel(frame, u * frame.z)
    pivot.set_vel(frame, 0)
    bob = pivot.locatenew("P", -ell * rod.y)
    bob.v2pt_theory(pivot, frame, rod)
    given: dict[str, Any] = {
        "name": "inerter",
        "inertial_frame": frame,
        "coordinates": [q],
        "speeds": [u],
        "kinematical_equations": [q.diff(t) - u],
        "bodies": [Particle("p", bob, m)],
        "gravity": -g * frame.y,
        "loads": [(rod, load * frame.z)],
        "parameters": {m: MASS, ell: LENGTH, g: FALL, b: INERTER},
    }
    return eomc.Model(**given | more)


def of_pendulum(angle: float) -> float:
    """Return u' = -m g l sin q / (m l^2 + b)."""
    return float(-MASS * FALL * LENGTH * np.sin(angle) / (MASS * LENGTH**2 + INERTER))


@pytest.mark.parametrize("rate", [u.diff(t), q.diff(t, 2)])
@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", METHODS)
def test_pendulum_with_an_inerter(method: str, rate: Any, compiled: Function) -> None:
    """A torque -b u' adds b to m l^2; T stays that of the bob, and what it gains is the power of all forces."""
    model = pendulum(-b * rate)
    sim, reference = compiled(model, method), eomc.reference(model, method)
    state = [0.7, 0.3]
    assert_allclose(sim.rhs(0.0, state)[1], of_pendulum(0.7), rtol=1e-13)
    assert_allclose(reference.rhs(0.0, state)[1], of_pendulum(0.7), rtol=1e-12)
    assert_allclose(sim.mass_matrix(0.0, state), [[MASS * LENGTH**2 + INERTER]], rtol=1e-14)
    assert_allclose(sim.energy(0.0, state)["kinetic"], MASS * LENGTH**2 * 0.3**2 / 2, rtol=1e-14)
    assert_allclose(sim.power(0.0, state)["total"], -INERTER * of_pendulum(0.7) * 0.3, rtol=1e-12)
    assert_allclose(reference.power(0.0, state)["total"], -INERTER * of_pendulum(0.7) * 0.3, rtol=1e-9)


def test_inerter_through_sympy() -> None:
    """KanesMethod's own M and f, whose f holds u', agree with what comes of from_kanes_method."""
    model = pendulum(-b * u.diff(t))
    system = model.dynamics
    weight = (system.bodies[0].masscenter, -m * g * system.inertial_frame.y)
    kane = KanesMethod(system.inertial_frame, [q], [u], [q.diff(t) - u])
    active, inert = kane.kanes_equations(system.bodies, [*system.loads, weight])
    values = {m: MASS, ell: LENGTH, g: FALL, b: INERTER}
    balance = (active + inert)[0].subs({u.diff(t): of_pendulum(0.7)}).subs({u: 0.3, q: 0.7}).subs(values)
    assert abs(float(balance)) < 1e-12
    sim = eomc.compile(eomc.from_kanes_method(kane, parameters=values)).load()
    assert_allclose(sim.rhs(0.0, [0.7, 0.3])[1], of_pendulum(0.7), rtol=1e-13)


def test_inerter_of_a_lagrangian(compiled: Function) -> None:
    """A generalized force -b q'' beside L, by Lagrange's and by Kane's equations; Hamilton's refuse it by name."""
    model = eomc.from_lagrangian(
        m * ell**2 * q.diff(t) ** 2 / 2 + m * g * ell * sympy.cos(q),
        coordinates=[q],
        generalized_forces={q: -b * q.diff(t, 2)},
        parameters={m: MASS, ell: LENGTH, g: FALL, b: INERTER},
        name="inerter",
    )
    assert model.methods == ("lagrange", "kane")
    for method in model.methods:
        assert_allclose(compiled(model, method).rhs(0.0, [0.7, 0.3])[1], of_pendulum(0.7), rtol=1e-13)
        assert_allclose(eomc.reference(model, method).rhs(0.0, [0.7, 0.3])[1], of_pendulum(0.7), rtol=1e-12)
    for refused in (eomc.compile, eomc.reference):
        with pytest.raises(UnsupportedError, match="the generalized force of q\\(t\\) holds accelerations"):
            refused(model, "hamilton")


def test_inerter_is_linearized() -> None:
    """About hanging at rest the stiffness is m g l / (m l^2 + b)."""
    linear = eomc.linearize(pendulum(-b * u.diff(t)), at={q: 0.0})
    assert_allclose(linear.A, [[0.0, 1.0], [-MASS * FALL * LENGTH / (MASS * LENGTH**2 + INERTER), 0.0]], rtol=1e-13)


@pytest.mark.parametrize("value", [0.25, 0.432, 7.0])
def test_an_inerter_that_pushes(value: float) -> None:
    """With -b for b the matrix m l^2 - b has either sign, and where it is zero the state is singular."""
    sim = eomc.compile(pendulum(b * u.diff(t)), functions=["jacobian"]).load()
    left = MASS * LENGTH**2 - value
    if abs(left) < 1e-12:
        with pytest.raises(EomcError, match="u"):
            sim.rhs(0.0, [0.7, 0.3], parameters={"b": MASS * LENGTH**2})
        return
    expected = -MASS * FALL * LENGTH * np.sin(0.7) / left
    assert_allclose(sim.rhs(0.0, [0.7, 0.3], parameters={"b": value})[1], expected, rtol=1e-12)


# -- symmetric or not --------------------------------------------------------------------------------------------------


def pair(load: Any, **more: Any) -> Any:
    """Return two free masses 2 and 3 on a line; the load on the first is 1 + `load`, that on the second 6."""
    frame, origin = ReferenceFrame("K"), Point("O")
    origin.set_vel(frame, 0)
    first, second = origin.locatenew("A2", x * frame.x), origin.locatenew("B2", y * frame.x)
    first.set_vel(frame, v * frame.x)
    second.set_vel(frame, w * frame.x)
    given: dict[str, Any] = {"loads": [(first, (1 + load) * frame.x), (second, 6 * frame.x)], "parameters": {b: 0.25}}
    return eomc.Model(
        name="pair",
        inertial_frame=frame,
        coordinates=[x, y],
        speeds=[v, w],
        bodies=[Particle("a", first, 2), Particle("b", second, 3)],
        **given | more,
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", METHODS)
def test_one_mass_follows_the_other(method: str, compiled: Function) -> None:
    """2 v' = 1 - b w', 3 w' = 6: M is not symmetric, v' = 1/4 and w' = 2."""
    model = pair(-b * w.diff(t))
    sim = compiled(model, method)
    state = [0.0, 0.0, 0.0, 0.0]
    assert_allclose(sim.rhs(0.0, state)[2:], [0.25, 2.0], rtol=1e-14)
    assert_allclose(sim.mass_matrix(0.0, state), [[2.0, 0.25], [0.0, 3.0]])
    assert_allclose(eomc.reference(model, method).mass_matrix(0.0, state), [[2.0, 0.25], [0.0, 3.0]], atol=1e-14)


def test_the_matrix_says_what_it_is() -> None:
    """The header says that M holds the loads' slopes, and the printed equations show the whole matrix."""
    build = eomc.compile(pair(-b * w.diff(t)))
    text = " ".join(next(a.text for a in build.artifacts if a.path.endswith("pair.h")).split())
    assert "matrix of the equations" in text.replace(" * ", " ")
    plain = eomc.compile(pair(-b * v))
    assert "matrix of the equations" not in " ".join(a.text for a in plain.artifacts)


@pytest.mark.parametrize(
    "load",
    [
        -b * w.diff(t) ** 2,
        -b * w.diff(t) * v.diff(t),
        -b * sympy.Abs(w.diff(t)),
        -b * sympy.sign(w.diff(t)),
        -b * sympy.floor(w.diff(t)),
        sympy.Piecewise((b, w.diff(t) > 0), (0, True)),
    ],
)
def test_a_load_that_is_not_linear(load: Any) -> None:
    """A square, a product, a kink or a step of accelerations is refused by the name of its load."""
    with pytest.raises(ModelError, match=r"load 1 on A2 is not linear in .*Derivative\(w\(t\), t\)"):
        pair(load)


def test_terms_that_cancel_are_linear(compiled: Function) -> None:
    """(w' + 1)^2 - w'^2 = 2 w' + 1 is linear, and its slope is 2."""
    model = pair(b * ((w.diff(t) + 1) ** 2 - w.diff(t) ** 2))
    assert_allclose(compiled(model).rhs(0.0, [0.0] * 4)[2:], [(1 + 0.25 * 5) / 2, 2.0], rtol=1e-14)


def chain(feedback: Any, n: int = 4) -> Any:
    """Return n masses in a row, springs between them, the forces on them holding a matrix times accelerations."""
    coordinates, speeds = dynamicsymbols(f"x1:{n + 1}"), dynamicsymbols(f"v1:{n + 1}")
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    bodies, loads = [], []
    for i, (place, speed) in enumerate(zip(coordinates, speeds, strict=True)):
        point = origin.locatenew(f"P{i}", place * frame.x)
        point.set_vel(frame, speed * frame.x)
        bodies.append(Particle(f"p{i}", point, 1 + m * i))
        left = place - (coordinates[i - 1] if i else 0)
        force = -k * left - sum(b * feedback[i, j] * speeds[j].diff(t) * sympy.cos(coordinates[j]) for j in range(n))
        loads.append((point, force * frame.x))
    return eomc.Model(
        name="chain",
        inertial_frame=frame,
        coordinates=coordinates,
        speeds=speeds,
        bodies=bodies,
        loads=loads,
        parameters={m: 0.5, k: 3.0, b: 0.1},
    )


@pytest.mark.parametrize("kind", ["full", "sparse"])
def test_many_masses_that_follow_each_other(kind: str) -> None:
    """With four coupled masses the pivoted LU, its Jacobian and its power agree with numbers by another road."""
    feedback = np.random.default_rng(3).integers(-3, 4, (4, 4))
    feedback = np.tril(feedback, 1) if kind == "sparse" else feedback
    build = eomc.compile(chain(feedback), functions="all")
    for one in compare(build, count=20):
        assert one.holds, one


# -- frames, constraints, reactions ------------------------------------------------------------------------------------


def fish(symmetric: bool = True) -> Any:
    """Return a plate in a plane with its added mass: forces that follow its acceleration along its own axes."""
    frame, centre = ReferenceFrame("N"), Point("C")
    body = frame.orientnew("A", "Axis", (turn, frame.z))
    body.set_ang_vel(frame, spin * frame.z)
    centre.set_vel(frame, v * body.x + w * body.y)
    along, across = v.diff(t) - spin * w, w.diff(t) + spin * v
    force = -b * along * body.x - k * across * body.y
    if not symmetric:
        force += mu * across * body.x
    return eomc.Model(
        name="fish",
        inertial_frame=frame,
        coordinates=[x, y, turn],
        speeds=[v, w, spin],
        kinematical_equations=[
            x.diff(t) - v * sympy.cos(turn) + w * sympy.sin(turn),
            y.diff(t) - v * sympy.sin(turn) - w * sympy.cos(turn),
            turn.diff(t) - spin,
        ],
        bodies=[RigidBody("plate", centre, body, m, (inertia(body, 0, 0, ell), centre))],
        loads=[(centre, force), (body, -g * spin.diff(t) * frame.z - v * w * frame.z)],
        parameters={m: 1.0, ell: 0.2, b: 0.3, k: 2.0, g: 0.1} | ({} if symmetric else {mu: 0.7}),
    )


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", METHODS)
def test_added_mass(method: str, symmetric: bool) -> None:
    """Added mass along axes that turn: every function, Jacobians and power included, agrees with the reference."""
    build = eomc.compile(fish(symmetric), method, functions="all")
    for one in compare(build, count=20):
        assert one.holds, one


def test_added_mass_in_body_axes(compiled: Function) -> None:
    """In the axes of the body (m + b) (v' - w spin) = 0 and (m + k) (w' + v spin) = 0."""
    state = [0.1, 0.2, 0.4, 0.5, -0.6, 0.7]
    rates = compiled(fish()).rhs(0.0, state)[3:]
    assert_allclose(rates, [0.7 * -0.6, -0.7 * 0.5, 0.3 / 0.3], rtol=1e-13)


def knife(load: Any, dependent: bool) -> Any:
    """Return a sleigh on a knife at its mass centre, w = 0 by a velocity constraint, with a load that follows."""
    frame, centre = ReferenceFrame("N"), Point("C")
    body = frame.orientnew("A", "Axis", (turn, frame.z))
    body.set_ang_vel(frame, spin * frame.z)
    centre.set_vel(frame, v * body.x + w * body.y)
    tip = centre.locatenew("T", ell * body.x)
    tip.v2pt_theory(centre, frame, body)
    return eomc.Model(
        name="knife",
        inertial_frame=frame,
        coordinates=[x, y, turn],
        speeds=[v, w, spin],
        kinematical_equations=[
            x.diff(t) - v * sympy.cos(turn) + w * sympy.sin(turn),
            y.diff(t) - v * sympy.sin(turn) - w * sympy.cos(turn),
            turn.diff(t) - spin,
        ],
        velocity_constraints=[w - mu * spin],
        dependent_speeds=[w] if dependent else [],
        bodies=[RigidBody("sleigh", centre, body, m, (inertia(body, 0, 0, 1), centre))],
        loads=[(tip, load(body) - b * tip.acc(frame))],
        parameters={m: 1.5, ell: 0.4, b: 0.3, mu: 0.2},
    )


FEW = ("mass_matrix", "forcing", "multipliers", "jacobian")
FORMS = ("eliminated", "augmented", "range-space", "null-space")


@pytest.mark.parametrize("form", FORMS)
def test_symmetric_loads_under_constraints(form: str) -> None:
    """A symmetric load is served in every form, whether dependent speeds are named or not."""
    dependent = form in ("eliminated", "augmented")
    build = eomc.compile(knife(lambda body: v * body.y, dependent), constraints=form, functions=FEW)
    for one in compare(build, count=10):
        assert one.holds, one


def test_unsymmetric_loads_under_constraints() -> None:
    """An unsymmetric one is served by named dependent speeds and by the augmented matrix; other forms refuse it."""

    def load(body: Any) -> Any:
        return spin.diff(t) * body.x

    for dependent, form in ((True, "eliminated"), (True, "augmented"), (False, "augmented")):
        build = eomc.compile(knife(load, dependent), constraints=form, functions=FEW)
        for one in compare(build, count=10):
            assert one.holds, one
    for form in ("eliminated", "range-space", "null-space"):
        with pytest.raises(UnsupportedError, match=f"{form}.* needs a symmetric matrix.*constraints='augmented'"):
            eomc.compile(knife(load, False), constraints=form)


@pytest.mark.parametrize("form", ["eliminated", "augmented"])
def test_a_pendulum_in_two_coordinates(form: str) -> None:
    """A bob in x and y on a rod, with forces -b x'', -b y'', moves as the mass m + b with the weight m g."""
    model = eomc.from_lagrangian(
        m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 - m * g * y,
        coordinates=[x, y],
        generalized_forces={x: -b * x.diff(t, 2), y: -b * y.diff(t, 2)},
        configuration_constraints=[x**2 + y**2 - ell**2],
        parameters={m: MASS, g: FALL, b: INERTER, ell: 0.5},
        initial={x: 0.3, y: -0.4},
        name="bob",
    )
    sim = eomc.compile(model, constraints=form, functions="all").load()
    rates = sim.rhs(0.0, [0.3, -0.4, 0.0, 0.0])[2:]
    tangential = -MASS * FALL * 0.6 / (MASS + INERTER)
    assert_allclose(rates, [tangential * 0.8, tangential * 0.6], rtol=1e-12)


def test_projection_under_unsymmetric_loads() -> None:
    """A step ends on the constraints where the matrix of the equations is not symmetric."""
    build = eomc.compile(
        knife(lambda body: spin.diff(t) * body.x, True), stabilization="projection", functions=["constraint_residuals"]
    )
    sim = build.load()
    run = sim.simulate(t_end=1.0, dt=0.05, x0=sim.state(speeds={"v": 1.0, "spin": 0.5}))
    residuals = sim.constraint_residuals(0.0, run.x[-1])
    assert np.max(np.abs(residuals)) < 1e-14


def test_a_reaction_beside_a_load_that_follows(compiled: Function) -> None:
    """A lift b v' on a block with friction mu N and an inerter b: N = m g - b v', (m + b) v' = -mu N."""
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    block = origin.locatenew("B", x * frame.x)
    block.set_vel(frame, v * frame.x + w * frame.y)
    force = (N_n - b * w.diff(t)) * frame.y - (mu * N_n + b * v.diff(t)) * frame.x + b * v.diff(t) * frame.y
    model = eomc.Model(
        name="block",
        inertial_frame=frame,
        coordinates=[x],
        speeds=[v, w],
        auxiliary_speeds=[w],
        kinematical_equations=[x.diff(t) - v],
        reactions=[N_n],
        bodies=[Particle("p", block, m)],
        gravity=-g * frame.y,
        loads=[(block, force)],
        parameters={m: 2.0, g: FALL, b: 0.5, mu: 0.3},
    )
    v_dot = -0.3 * 2 * FALL / (2.5 - 0.3 * 0.5)
    for sim in (compiled(model), eomc.reference(model)):
        assert_allclose(sim.rhs(0.0, [0.0, 1.0])[1], v_dot, rtol=1e-11)
        assert_allclose(sim.reactions(0.0, [0.0, 1.0])["N_n"], 2 * FALL - 0.5 * v_dot, rtol=1e-11)
    product = eomc.Model(
        name="product",
        inertial_frame=frame,
        coordinates=[x],
        speeds=[v, w],
        auxiliary_speeds=[w],
        kinematical_equations=[x.diff(t) - v],
        reactions=[N_n],
        bodies=[Particle("p", block, m)],
        loads=[(block, N_n * frame.y + (1 - mu * N_n * v.diff(t)) * frame.x)],
        parameters={m: 2.0, mu: 0.3},
    )
    with pytest.raises(UnsupportedError, match="N_n otherwise than as N"):
        eomc.compile(product)


def test_energy_is_not_called_constant() -> None:
    """A load that follows the acceleration does work, so that no energy is called constant."""
    build = eomc.compile(pendulum(-b * u.diff(t)))
    assert not build.equations.energetics.invariants
    assert {
        one.name
        for one in eomc.compile(pendulum(0, parameters={m: MASS, ell: LENGTH, g: FALL})).equations.energetics.invariants
    }


@pytest.mark.parametrize(("load", "solver"), [(-b * v.diff(t), "L D L^T"), (b * v.diff(t), "elimination")])
def test_what_solves_the_equations(load: Any, solver: str) -> None:
    """Where a load adds to M that is served by L D L^T, where it takes away by pivots."""
    text = next(a.text for a in eomc.compile(pair(load)).artifacts if a.path.endswith("pair.c"))
    assert f"M u' = f by {solver}" in text
