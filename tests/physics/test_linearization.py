"""eomc.linearize: closed forms, SymPy's linearizer, the tangent of the constraints, the bicycle benchmark."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from numpy.typing import NDArray
from scipy.linalg import eigh
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.analysis.steadiness import that_must_rest
from eomc.errors import SingularSystemError, UnsupportedError, UsageError
from eomc.reference.differences import estimates

Array = NDArray[np.float64]

t = dynamicsymbols._t


def close(a: Any, b: Any, tolerance: float = 1e-10) -> None:
    """Assert |a - b| <= tolerance (1 + |b|) in the maximum norm, and equal shapes."""
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape
    assert np.max(np.abs(a - b), initial=0.0) <= tolerance * (1.0 + np.max(np.abs(b), initial=0.0))


def sorted_complex(values: Any) -> Array:
    """Return numbers in an order of their own."""
    return np.array(sorted(values, key=lambda z: (round(z.real, 6), round(z.imag, 6))))


# -- closed forms ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theta", [-np.pi / 2, 0.7, np.pi / 2])
@pytest.mark.parametrize("method", ["kane", "lagrange", "gibbs-appell"])
def test_pendulum(theta: float, method: str) -> None:
    """theta'' = g/L cos(theta), theta from the horizontal, at rest and elsewhere."""
    linear = eomc.linearize(
        eomc.load("simple_pendulum"), at={"theta": theta}, method=method, parameters={"L": 0.8, "g": 9.81}
    )
    close(linear.A, [[0.0, 1.0], [-9.81 / 0.8 * np.sin(theta), 0.0]])
    assert linear.state_names == ("theta", "theta_d")


@pytest.mark.parametrize(("angle", "sign"), [(0.0, 1.0), (np.pi, -1.0)])
def test_cart_pole(angle: float, sign: float) -> None:
    """Hanging and upright: M x'' = F + m g theta, M l theta'' = -+(F + (M + m) g theta), as control's four matrices."""
    values = {"M": 1.3, "m": 0.4, "l": 0.6, "g": 9.81}
    model = eomc.load("cart_pole")
    A, B, C, D = eomc.linearize(model, at={"theta": angle, "x": 0.0}, parameters=values)
    M, m, length, g = values.values()
    close(
        A,
        [
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 1.0],
            [0.0, m * g / M, 0.0, 0.0],
            [0.0, -sign * (M + m) * g / (M * length), 0.0, 0.0],
        ],
    )
    close(B, [[0.0], [0.0], [1.0 / M], [-sign / (M * length)]])
    assert C.shape == (len(model.outputs), 4)
    assert D.shape == (len(model.outputs), 1)


def test_outputs() -> None:
    """C and D are the derivatives of the named outputs, in their order."""
    q, u, F = dynamicsymbols("q u F")
    m, k = sympy.symbols("m k")
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, u * N.x)
    model = eomc.Model(
        name="oscillator",
        inertial_frame=N,
        coordinates=[q],
        speeds=[u],
        kinematical_equations=[q.diff(t) - u],
        bodies=[Particle("body", P, m)],
        loads=[(P, (F - k * q**3) * N.x)],
        inputs=[F],
        outputs={"force": F**2, "energy": m * u**2 / 2, "stretch": q**2},
        parameters={m: 2.0, k: 3.0},
    )
    linear = eomc.linearize(model, at={q: 0.5, u: 0.1}, inputs={"F": 4.0})
    close(linear.A, [[0.0, 1.0], [-9 * 0.25 / 2, 0.0]])
    close(linear.C, [[0.0, 0.0], [0.0, 0.2], [1.0, 0.0]])
    close(linear.D, [[8.0], [0.0], [0.0]])
    assert linear.output_names == ("force", "energy", "stretch")
    assert linear.input_names == ("F",)
    close(linear.state, [0.5, 0.1])


def test_frequencies_of_small_oscillations() -> None:
    """The eigenvalues of a hanging chain are +-i omega of K v = omega^2 M v, by SciPy."""
    n = 3
    model = eomc.load(f"n_link_pendulum:{n}")
    at = {f"q{i}": np.pi if i else 0.0 for i in range(n + 1)}
    linear = eomc.linearize(model, at=at)
    sim = eomc.compile(model).load()
    mass = sim.mass_matrix(0.0, linear.state)
    stiffness = -mass @ linear.A[n + 1 :, : n + 1]
    close(stiffness, stiffness.T)
    omega = np.sqrt(np.maximum(eigh((stiffness + stiffness.T) / 2, mass, eigvals_only=True), 0.0))
    found = np.sort(np.abs(np.linalg.eigvals(linear.A)))[2:]  # the free cart apart
    close(found, np.sort(np.repeat(omega[1:], 2)), 1e-7)


# -- constraints -------------------------------------------------------------------------------------------------------


def pendulum_on_a_circle() -> eomc.Model:
    """Return a pendulum in Cartesian coordinates, from a KanesMethod with one dependent coordinate and speed."""
    x, y, u, v = dynamicsymbols("x y u v")
    m, g, length = sympy.symbols("m g l")
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, u * N.x + v * N.y)
    kane = KanesMethod(
        N,
        q_ind=[y],
        u_ind=[v],
        kd_eqs=[x.diff(t) - u, y.diff(t) - v],
        q_dependent=[x],
        u_dependent=[u],
        configuration_constraints=[x**2 + y**2 - length**2],
        velocity_constraints=[x * u + y * v],
    )
    return eomc.from_kanes_method(
        kane,
        bodies=[Particle("bob", P, m)],
        loads=[(P, m * g * N.x)],
        parameters={m: 2.0, g: 9.81, length: 0.7},
        initial={x: 0.7},
        name="pendulum_on_a_circle",
    )


def test_dependent_coordinate() -> None:
    """Straight down, y'' = -g/l y in the independent coordinate, as SymPy's own linearizer finds."""
    linear = eomc.linearize(pendulum_on_a_circle())
    assert linear.state_names == ("y", "v")
    close(linear.A, [[0.0, 1.0], [-9.81 / 0.7, 0.0]])


def test_sympy_linearizes_alike() -> None:
    """The tilted pendulum with a dependent coordinate: SymPy's KanesMethod.linearize, at a state with its motion."""
    x, y, u, v, F = dynamicsymbols("x y u v F")
    m, g, length = sympy.symbols("m g l")
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, u * N.x + v * N.y)
    kane = KanesMethod(
        N,
        q_ind=[y],
        u_ind=[v],
        kd_eqs=[x.diff(t) - u, y.diff(t) - v],
        q_dependent=[x],
        u_dependent=[u],
        configuration_constraints=[x**2 + y**2 - length**2],
        velocity_constraints=[x * u + y * v],
    )
    bodies, loads = [Particle("bob", P, m)], [(P, m * g * N.x + F * N.y)]
    kane.kanes_equations(bodies, loads)
    values = {m: 2.0, g: 9.81, length: 1.0}
    model = eomc.from_kanes_method(kane, parameters=values, inputs=[F], initial={x: 0.8, y: 0.6, v: 0.4})
    build = eomc.compile(model)
    linear = eomc.linearize(build, inputs={"F": 1.5})
    state = dict(zip(kane.q[:] + kane.u[:], linear.state, strict=True))
    rates = build.load().rhs(0.0, linear.state, inputs={"F": 1.5})
    point = {**state, **dict(zip([u.diff(t) for u in kane.u], rates[2:], strict=True)), **values, F: 1.5}
    A, B, _ = kane.linearize(A_and_B=True, op_point=point)
    close(linear.A, np.array(A.subs(point).evalf(), dtype=float))
    close(linear.B, np.array(B.subs(point).evalf(), dtype=float))


CLOSED = ["slider_crank", "two_masses_on_rod_cartesian"]


@pytest.mark.parametrize("name", CLOSED)
def test_the_tangent_of_the_constraints(name: str) -> None:
    """A is the derivative of the independent rates along states that meet the constraints, found by Newton's method."""
    model = eomc.load(name)
    build = eomc.compile(model)
    linear = eomc.linearize(build)
    names = [state.name for state in build.program.states]
    places = [names.index(one) for one in linear.state_names]
    sim = build.load()

    def rates(points: Array) -> Array:
        given = [dict(zip(linear.state_names, point.tolist(), strict=True)) for point in points]
        return np.array([sim.rhs(0.0, build.starts(one).state)[places] for one in given])

    point = linear.state[None, places]
    close(linear.A, estimates(rates, point, 1.0 + np.abs(point))[0][0], 1e-7)


def test_speeds_that_the_constraints_bind() -> None:
    """The disk's dependent speeds follow the others in dx, as differences through its constraint say."""
    model = eomc.load("rolling_disk_dependent")
    build = eomc.compile(model)
    linear = eomc.linearize(build)
    assert set(linear.state_names).isdisjoint({"u4", "u5"})
    names = [state.name for state in build.program.states]
    places = [names.index(one) for one in linear.state_names]
    sim = build.load()

    def rates(points: Array) -> Array:
        given = [dict(zip(linear.state_names, point.tolist(), strict=True)) for point in points]
        return np.array([sim.rhs(0.0, build.starts(one).state)[places] for one in given])

    point = linear.state[None, places]
    close(linear.A, estimates(rates, point, 1.0 + np.abs(point))[0][0], 1e-8)


@pytest.mark.parametrize(
    ("name", "m3"), [("slider_crank_unequal:0", 0.3), ("slider_crank_unequal:1", 0.0), ("slider_crank_unequal", 0.3)]
)
def test_one_mechanism_in_three_ways_by_every_method(name: str, m3: float) -> None:
    """A slider-crank hangs at theta = -pi/2: omega^2 = (m1 + m2) g/(2 l1)/(m1/3 + m2 + m3), the rod not turning.

    V = (m1 + m2) g l1/2 sin(theta).
    """
    m1, m2, l1, l2, g = 1.1, 0.7, 0.5, 1.2, 9.81
    omega = np.sqrt((m1 + m2) * g / (2.0 * l1) / (m1 / 3.0 + m2 + m3))
    model = eomc.load(name)
    beta = np.arccos(-l1 / l2)
    at = {"theta": -np.pi / 2, "beta": beta, "x": l2 * np.sin(beta), **dict.fromkeys(("u1", "u2", "u3"), 0.0)}
    known = {str(symbol.func) for symbol in (*model.coordinates, *model.speeds)}
    values = {"m1": m1, "m2": m2, "m3": m3, "l1": l1, "l2": l2, "g": g}
    given = {one.name: values[one.name] for one in model.parameters}
    for method in model.methods:
        if method == "hamilton" and len(known) > 2:
            continue  # refused, see below
        linear = eomc.linearize(
            model,
            at={key: value for key, value in at.items() if key in known},
            method=method,
            inputs={"tau": 0.0},
            parameters=given,
        )
        assert linear.A.shape == (2, 2)
        close(sorted_complex(np.linalg.eigvals(linear.A)), [-1j * omega, 1j * omega], 1e-9)


def test_hamilton_with_dependent_coordinates() -> None:
    """Its momenta grow at rest, too: an error that says what to use, not eigenvalues of a system that is not steady."""
    with pytest.raises(UnsupportedError, match="momenta grow at rest, too"):
        eomc.linearize(eomc.load("slider_crank"), method="hamilton")


def test_an_input_that_moves_a_constraint() -> None:
    """A particle on a rail that an input lifts: the dependent height follows the input, in D and not in A."""
    x, y, u, v, z = dynamicsymbols("x y u v z")
    m, k, g = sympy.symbols("m k g")
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, u * N.x + v * N.y)
    model = eomc.Model(
        name="rail",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[u, v],
        kinematical_equations=[x.diff(t) - u, y.diff(t) - v],
        bodies=[Particle("bead", P, m)],
        loads=[(P, (-k * x * y) * N.x - m * g * N.y)],
        configuration_constraints=[y - z - x**2],
        dependent_coordinates=[y],
        inputs=[z, z.diff(t), z.diff(t, 2)],
        outputs={"height": y, "climb": v},
        parameters={m: 2.0, k: 3.0, g: 9.81},
        initial={x: 0.5},
    )
    linear = eomc.linearize(model, at={x: 0.5, y: 0.25})
    assert linear.state_names == ("x", "u")
    # y = z + x^2, v = z' + 2 x u
    close(linear.C, [[1.0, 0.0], [0.0, 1.0]])
    close(linear.D, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])

    def motion(points: Array) -> Array:
        """u' of m (1 + 4 x^2) u' = -k x y - 2 x (m g + m (z'' + 2 u^2)), by projection onto the rail."""
        a, b, c, _, e = points.T
        force = -3.0 * a * (c + a**2) - 2.0 * a * 2.0 * (9.81 + e + 2.0 * b**2)
        return np.column_stack([b, force / (2.0 * (1.0 + 4.0 * a**2))])

    slopes = estimates(motion, np.array([[0.5, 0.0, 0.0, 0.0, 0.0]]), np.ones((1, 5)))[0][0]
    close(linear.A, slopes[:, :2], 1e-9)
    close(linear.B, slopes[:, 2:], 1e-9)


# -- what is given -----------------------------------------------------------------------------------------------------


def test_ways_to_say_where() -> None:
    """A state, values by name or symbol, the model's initial values, a build: all the same state."""
    model = eomc.load("cart_pole")
    x, theta = model.coordinates
    build = eomc.compile(model)
    at = {"x": 0.1, "theta": 0.4, "x_d": 0.2, "theta_d": -0.3}
    expected = eomc.linearize(model, at=at)
    state = build.load().state({"x": 0.1, "theta": 0.4}, {"x_d": 0.2, "theta_d": -0.3})
    by_symbol = {x: 0.1, theta: 0.4, "x_d": 0.2, "theta_d": -0.3}
    for linear in (
        eomc.linearize(model, at=state),
        eomc.linearize(build, at=list(state)),
        eomc.linearize(build, at=by_symbol),
        eomc.linearize(model, at=tuple(by_symbol.items())),
    ):
        for ours, theirs in zip(linear, expected, strict=True):
            close(ours, theirs, 1e-15)
    start = eomc.linearize(model)
    for ours, theirs in zip(eomc.linearize(model, at=model.initial), start, strict=True):
        close(ours, theirs, 0.0)


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ([0.0, 0.0], "a state has 4 entries, not the shape"),
        ([0.0, np.nan, 0.0, 0.0], "must be finite"),
        ({"thta": 0.1}, "no coordinate or speed 'thta'; did you mean theta"),
        ({"theta": "down"}, "theta must be a finite number, not 'down'"),
        ({"theta": "1.0"}, "theta must be a finite number, not '1.0'"),
        ({"theta": float("nan")}, "theta must be a finite number, not nan"),
        ("down", "must be real numbers"),
    ],
)
def test_states_that_are_none(at: Any, message: str) -> None:
    """One line says what is wrong with the state."""
    with pytest.raises(UsageError, match=message) as caught:
        eomc.linearize(eomc.load("cart_pole"), at=at)
    assert "\n" not in str(caught.value)


def test_bad_arguments() -> None:
    """Unknown names, another method than the build's, something that is no model."""
    model = eomc.load("cart_pole")
    with pytest.raises(UsageError, match="unknown parameter 'mass'"):
        eomc.linearize(model, parameters={"mass": 1.0})
    with pytest.raises(UsageError, match="parameter m must be a finite number, not None"):
        eomc.linearize(model, parameters={"m": None})
    with pytest.raises(UsageError, match="t must be a finite number, not None"):
        eomc.linearize(model, t=None)
    with pytest.raises(UsageError, match="unknown input 'f'"):
        eomc.linearize(model, inputs={"f": 1.0})
    with pytest.raises(UsageError, match="this build of cart_pole is by kane, not by lagrange"):
        eomc.linearize(eomc.compile(model), method="lagrange")
    with pytest.raises(UsageError, match=r"eomc\.linearize takes an eomc\.Model or a build of one, not str"):
        eomc.linearize("cart_pole")


def test_a_state_off_the_constraints() -> None:
    """An open loop has no linear equations; the error says how to close it."""
    with pytest.raises(UsageError, match="does not meet the constraints: the largest residual is"):
        eomc.linearize(pendulum_on_a_circle(), at=[0.3, 0.7, 0.0, 0.0])


def test_where_motions_branch() -> None:
    """Equal bars folded over each other can go two ways: an error, not the tangent of one of them."""
    model = eomc.load("slider_crank:1")
    with pytest.raises(SingularSystemError, match="motions branch there"):
        eomc.linearize(model, at={"q1": 0.0, "q2": np.pi})


def test_a_singular_state() -> None:
    """Where the equations divide by zero there is no motion, and at a root's end no derivative: what lacks is named."""
    model = eomc.load("spherical_pendulum")
    with pytest.raises(SingularSystemError, match="no unique solution for phi"):
        eomc.linearize(model, at={"theta": 0.0, "phi_d": 1.0}, method="hamilton")
    x = dynamicsymbols("x")
    rooted = eomc.from_lagrangian(x.diff() ** 2 / 2, coordinates=[x], generalized_forces={x: -sympy.sqrt(x)})
    with pytest.raises(SingularSystemError, match="no derivative with respect to x"):
        eomc.linearize(rooted, at={"x": 0.0})


# -- the bicycle -------------------------------------------------------------------------------------------------------


class Recorded(Exception):
    """Ends SymPy's test function once its model is there."""


@pytest.fixture(scope="module")
def bicycle() -> KanesMethod:
    """Return the KanesMethod of SymPy's bicycle, three dependent speeds and a dependent coordinate, not derived."""
    module = pytest.importorskip("sympy.physics.mechanics.tests.test_kane3")
    found = []

    def record(self: KanesMethod, bodies: Any, loads: Any) -> Any:
        self._bodylist, self._forcelist = bodies, loads
        found.append(self)
        raise Recorded

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KanesMethod, "kanes_equations", record)
        with pytest.raises(Recorded):
            module.test_bicycle()
    return found[0]


def dimensions(p: dict[str, float]) -> dict[str, float]:
    """Return the parameters of SymPy's bicycle, along and across the steering axis, from those of the benchmark."""
    along = np.array([np.sin(p["lam"]), -np.cos(p["lam"])])  # forward, up: down the steering axis
    across = np.array([np.cos(p["lam"]), np.sin(p["lam"])])
    hub, axis = np.array([0.0, p["rR"]]), np.array([p["w"] + p["c"], 0.0])
    front, frame, fork = np.array([p["w"], p["rF"]]), np.array([p["xB"], -p["zB"]]), np.array([p["xH"], -p["zH"]])
    return {
        "WFrad": p["rF"],
        "WRrad": p["rR"],
        "htangle": np.pi / 2 - p["lam"],
        "forkoffset": across @ (front - axis),
        "forklength": along @ (front - hub),
        "framelength": across @ (axis - hub),
        "forkcg1": -along @ (fork - hub),
        "forkcg3": across @ (fork - axis),
        "framecg1": -along @ (frame - hub),
        "framecg3": across @ (frame - hub),
        "Iwr11": p["IRxx"],
        "Iwr22": p["IRyy"],
        "Iwf11": p["IFxx"],
        "Iwf22": p["IFyy"],
        "Iframe11": p["IBxx"],
        "Iframe22": p["IByy"],
        "Iframe33": p["IBzz"],
        "Iframe31": -p["IBxz"],
        "Ifork11": p["IHxx"],
        "Ifork22": p["IHyy"],
        "Ifork33": p["IHzz"],
        "Ifork31": -p["IHxz"],
        "mframe": p["mB"],
        "mfork": p["mH"],
        "mwf": p["mF"],
        "mwr": p["mR"],
        "g": p["g"],
    }


@pytest.fixture(scope="module")
def bicycle_build(bicycle: KanesMethod, published: Callable[[str, str], dict[str, Any]]) -> eomc.Build:
    """Return the bicycle with torques of roll and steer, derived."""
    entry = published("bicycle_whipple", "whipple_carvallo_bicycle_benchmark")
    by_name = {body.name: body for body in bicycle.bodylist}
    yaw = bicycle.forcelist[0][1].args[0][1]
    frame, fork = by_name["BodyFrame"].frame, by_name["BodyFork"].frame
    roll, steer = dynamicsymbols("roll steer")
    torques = [(frame, roll * yaw.x - steer * frame.x), (fork, steer * frame.x)]
    values = dimensions(entry["parameters"])
    model = eomc.from_kanes_method(
        bicycle,
        loads=[*bicycle.forcelist, *torques],
        inputs=[roll, steer],
        parameters={sympy.Symbol(name): value for name, value in values.items()},
        name="bicycle",
    )
    return eomc.compile(model, functions=[])


def upright(build: eomc.Build, published: Any, v: float) -> tuple[Array, Array]:
    """Return A over (roll, steer, roll rate, steer rate) and the rows of B for their accelerations, at a speed."""
    p = published("bicycle_whipple", "whipple_carvallo_bicycle_benchmark")["parameters"]
    linear = eomc.linearize(build, at={"u3": v / p["rR"], "u6": v / p["rF"]})
    places = [linear.state_names.index(name) for name in ("q2", "q5", "u2", "u5")]
    return linear.A[np.ix_(places, places)], linear.B[places[2:]]


def test_canonical_matrices_of_the_bicycle(bicycle_build: eomc.Build, published: Any) -> None:
    """M q'' + v C1 q' + (g K0 + v^2 K2) q = f of Meijaard et al. (2007), to the digits printed."""
    entry = published("bicycle_whipple", "whipple_carvallo_bicycle_benchmark")
    expected, g = entry["expected"]["published_matrices"], entry["parameters"]["g"]
    still, inverse = upright(bicycle_build, published, 0.0)
    moving, again = upright(bicycle_build, published, 2.0)
    close(again, inverse, 1e-12)
    M = np.linalg.inv(inverse)
    close(M, expected["M"], 1e-12)
    close(-M @ still[2:, :2] / g, expected["K0"], 1e-12)
    close(-M @ (moving - still)[2:, :2] / 4.0, expected["K2"], 1e-12)
    close(-M @ moving[2:, 2:] / 2.0, expected["C1"], 1e-12)
    found = {
        "M": M,
        "K0": -M @ still[2:, :2] / g,
        "K2": -M @ (moving - still)[2:, :2] / 4.0,
        "C1": -M @ moving[2:, 2:] / 2.0,
    }
    for tables in ("published_matrices", "recomputed_matrices"):
        for name, matrix in found.items():
            close(matrix, entry["expected"][tables][name], entry["tolerance"]["matrices"])


def test_eigenvalues_of_the_bicycle(bicycle_build: eomc.Build, published: Any) -> None:
    """Published eigenvalues for v = 0 ... 10 m/s to 1e-9."""
    entry = published("bicycle_whipple", "whipple_carvallo_bicycle_benchmark")
    for row in entry["expected"]["eigenvalues"]:
        parts = [one if isinstance(one, list) else [one, 0.0] for one in row["published"]]
        expected = list(itertools.chain(*([re + 1j * im, re - 1j * im] if im else [complex(re)] for re, im in parts)))
        A, _ = upright(bicycle_build, published, float(row["v"]))
        found = sorted_complex(np.linalg.eigvals(A))
        close(found, sorted_complex(expected), 1e-9)


@pytest.mark.parametrize("v", range(0, 11, 2))
def test_the_shipped_bicycle(v: int, published: Any) -> None:
    """`whipple_bicycle:v` starts upright at v m/s: published eigenvalues, beside zeros of place, heading and speed."""
    entry = published("bicycle_whipple", "whipple_carvallo_bicycle_benchmark")
    (row,) = (row for row in entry["expected"]["eigenvalues"] if row["v"] == v)
    model = eomc.load(f"whipple_bicycle:{v}")
    linear = eomc.linearize(model, at=model.initial)
    assert linear.state_names[-3:] == ("uphi", "udelta", "uR")
    places = [linear.state_names.index(name) for name in ("phi", "delta", "uphi", "udelta")]
    expected = [complex(one["re"], one["im"]) for one in row["recomputed"]]
    close(sorted_complex(np.linalg.eigvals(linear.A[np.ix_(places, places)])), sorted_complex(expected), 1e-9)
    assert linear.unsteady == ()  # it rolls on as it is
    others = np.setdiff1d(np.arange(len(linear.A)), places)
    assert np.max(np.abs(linear.A[np.ix_(places, others)])) < 1e-9  # nothing else tells on roll and steer


# -- equilibria, steady motions and others -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "at", "unsteady", "drift"),
    [
        ("simple_pendulum", {"theta": np.pi / 2, "theta_d": 0.0}, (), 0.0),
        ("simple_pendulum", {"theta": 0.0, "theta_d": 0.0}, ("theta_d",), 9.81 / 0.7),  # theta'' = g/l
        ("simple_pendulum", {"theta": np.pi / 2, "theta_d": 2.0}, ("theta",), 2.0),  # no acceleration at this instant
        ("cart_pole", {"theta": 0.0, "x_d": 0.5, "theta_d": 0.0}, (), 0.0),  # nothing depends on x
        ("vertical_rolling_disk", {}, (), 0.0),  # runs in a circle: only x' and y' depend on the heading
        ("kepler", {"x": 1.0, "y": 0.0, "px": 0.0, "py": 1.0}, ("y", "px"), 1.0),  # a circle, but A turns with it
    ],
)  # fmt: skip
def test_a_state_tells_whether_its_motion_is_steady(
    name: str, at: dict[str, float], unsteady: tuple[str, ...], drift: float
) -> None:
    """At rest, in motion as before, or neither; |x'| is that of the states that should rest."""
    model = eomc.load(name)
    parameters = {"g": 9.81, "L": 0.7} if name == "simple_pendulum" else None
    linear = eomc.linearize(model, at=at, parameters=parameters)
    assert linear.unsteady == unsteady
    assert linear.drift == pytest.approx(drift, rel=1e-12)
    rates = eomc.reference(model).rhs(0.0, linear.state, None, parameters)
    kept = [list(s.name for s in eomc.compile(model, functions=[]).program.states).index(n) for n in linear.state_names]
    close(linear.rates, rates[kept], 1e-12)


def test_what_must_rest() -> None:
    """Speeds; what acts on them by way of others; extra states in a circle; never a coordinate that nothing needs."""
    acts = np.zeros((6, 6), dtype=bool)  # x, a, u, then the extra states y, z, w
    acts[2, 3] = acts[3, 1] = True  # u' needs y, whose rate needs a
    acts[0, [1, 2]] = True  # x' needs a and u
    acts[5, 4] = True  # w' needs z, and nothing needs w
    speeds, extra = np.arange(6) == 2, np.arange(6) > 2
    assert list(that_must_rest(acts, speeds, extra)) == [False, True, True, True, False, False]
    acts[4, 5] = True  # now they act on each other
    assert list(that_must_rest(acts, speeds, extra)) == [False, True, True, True, True, True]
    acts[4, 5] = acts[5, 4] = False
    acts[1, 1] = acts[0, 0] = True  # coordinates may, such as quaternions, and a is needed anyway
    assert list(that_must_rest(acts, speeds, extra)) == [False, True, True, True, False, False]


def bead_on_rod(axis: Callable[[ReferenceFrame], Any], mass: Any, heavy: bool) -> eomc.Model:
    """Return a bead that slides on a rod, at right angles to an axis of the frame or not, which the rod turns about."""
    q, s = dynamicsymbols("q s")
    g = sympy.Symbol("g")
    N, A, origin = ReferenceFrame("N"), ReferenceFrame("A"), Point("O")
    origin.set_vel(N, 0)
    A.orient_axis(N, axis(N), q)
    bead = Particle("P", origin.locatenew("P", s * A.z), mass)
    values = {mass: 1.3} if isinstance(mass, sympy.Symbol) else {}
    return eomc.Model(
        name="bead",
        inertial_frame=N,
        coordinates=[q, s],
        speeds=[q.diff(), s.diff()],
        bodies=[bead],
        gravity=-g * N.z if heavy else 0 * N.z,
        parameters=values | ({g: 9.81} if heavy else {}),
    )


@pytest.mark.parametrize("method", ["kane", "lagrange", "gibbs-appell"])
@pytest.mark.parametrize("mass", [1, sympy.Symbol("m")], ids=str)
def test_bead_on_a_swinging_rod(method: str, mass: Any) -> None:
    """q'' = (g sin q - 2 s' q')/s, s'' = s q'^2 - g cos q: the mass of the bead is no pivot that may fold."""
    q, s, q_d, s_d = sympy.symbols("q s q_d s_d")
    accelerations = [(9.81 * sympy.sin(q) - 2 * s_d * q_d) / s, s * q_d**2 - 9.81 * sympy.cos(q)]
    exact = sympy.Matrix([q_d, s_d, *accelerations]).jacobian([q, s, q_d, s_d])
    at = [0.3, 0.4, 0.5, 0.6]
    expected = np.array(exact.subs(dict(zip((q, s, q_d, s_d), at, strict=True))), dtype=float)
    found = eomc.linearize(bead_on_rod(lambda N: N.x, mass, heavy=True), at=at, method=method).A
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("mass", [1, sympy.Symbol("m")], ids=str)
def test_bead_on_a_swinging_rod_in_momenta(mass: Any) -> None:
    """H = p_q^2/(2 m s^2) + p_s^2/(2 m) + m g s cos q: the matrix is J times the second derivatives of H."""
    q, s, p_q, p_s = z = sympy.symbols("q s p_q p_s")
    m = 1.3 if isinstance(mass, sympy.Symbol) else 1
    H = p_q**2 / (2 * m * s**2) + p_s**2 / (2 * m) + m * 9.81 * s * sympy.cos(q)
    at = [0.3, 0.4, 0.104, 0.78]
    slopes = np.array(sympy.hessian(H, z).subs(dict(zip(z, at, strict=True))), dtype=float)
    expected = np.kron([[0, 1], [-1, 0]], np.eye(2)) @ slopes
    found = eomc.linearize(bead_on_rod(lambda N: N.x, mass, heavy=True), at=at, method="hamilton").A
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("method", ["kane", "lagrange", "gibbs-appell"])
def test_bead_on_a_rod_about_a_tilted_axis(method: str) -> None:
    """q'' = -2 s' q'/s, s'' = s q'^2 about any axis at right angles to the rod at q = 0."""
    model = bead_on_rod(lambda N: (3 * N.x + 4 * N.y) / 5, 1, heavy=False)
    s, q_d, s_d = 0.4, 0.5, 0.6
    expected = np.array(
        [[0, 0, 1, 0], [0, 0, 0, 1], [0, 2 * s_d * q_d / s**2, -2 * s_d / s, -2 * q_d / s], [0, q_d**2, 2 * s * q_d, 0]]
    )
    found = eomc.linearize(model, at=[0.3, s, q_d, s_d], method=method).A
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("size", [1e6, 1.0, 1e-6, 1e-9])
def test_what_is_no_equilibrium_is_told_in_any_unit(size: float) -> None:
    """A hardening spring pulled by its own length has x'' = -2 x, whatever the length; at rest nothing is told."""
    x = dynamicsymbols("x")
    m, length, k = sympy.symbols("m l k")
    N, place = ReferenceFrame("N"), Point("P")
    place.set_vel(N, x.diff() * N.x)
    model = eomc.Model(
        name="duffing",
        inertial_frame=N,
        coordinates=[x],
        speeds=[x.diff()],
        bodies=[Particle("P", place, m)],
        loads=[(place, -k * x * (1 + (x / length) ** 2) * N.x)],
        parameters={m: 1.0, k: 1.0, length: size},
    )
    assert eomc.linearize(model, at={"x": size}).drift == pytest.approx(2.0 * size)
    assert eomc.linearize(model, at={"x": 1e-12 * size}).drift == pytest.approx(1e-12 * size)
    assert eomc.linearize(model, at={"x": 0.0}).drift == 0.0
