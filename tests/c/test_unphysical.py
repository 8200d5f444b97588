"""The function that finds a link which is no body, against sums over points in fractions and eigenvalues in NumPy."""

from __future__ import annotations

import ctypes
import itertools
import math
import subprocess
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.backends.c99 import generate
from eomc.binding.simulator import Simulator
from eomc.errors import SingularSystemError, UnsupportedError
from eomc.model.trees.inertial_parameters import InertialParameters, first_unphysical, first_unphysical_of_each
from eomc.trees import Joint, JointTree, Link

pytestmark = pytest.mark.needs_cc

NAMES = ("m", "x", "y", "z", "xx", "yy", "zz", "xy", "xz", "yz")
PLACES = st.tuples(*[st.integers(-32, 32).map(lambda k: Fraction(k, 16))] * 3)
CLOUDS = st.lists(st.tuples(st.integers(1, 64), PLACES), min_size=1, max_size=5)
POWERS = st.integers(-9, 9).map(lambda k: Fraction(10) ** k)
ENTRIES = st.floats(-1, 1)


def ten(prefix: str) -> list[sympy.Symbol]:
    return [sympy.Symbol(f"{prefix}_{name}") for name in NAMES]


def tensor(xx: object, yy: object, zz: object, xy: object, xz: object, yz: object) -> tuple[tuple[object, ...], ...]:
    return (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)


def three_links() -> eomc.Model:
    """Return links by their centre, by moments, and of one parameter in an expression."""
    a, b, r = ten("a"), ten("b"), sympy.Symbol("r")
    rod = ((r**2 / 3, 0, 0), (0, r**2 / 3, 0), (0, 0, sympy.sinh(r) ** 4))
    links = [
        Link(name="ground"),
        Link(name="plain", mass=a[0], centre=a[1:4], inertia=tensor(*a[4:])),
        Link.of_moments(name='second "link"', mass=b[0], first=b[1:4], inertia=tensor(*b[4:])),
        Link(name="rod", mass=2.0, centre=(0, 0, r), inertia=rod),
        Link(name="constant", mass=1.0, inertia=((1, 0, 0), (0, 1, 0), (0, 0, 1))),
    ]
    joints = [
        Joint(
            name=f"j{k}", kind="revolute", parent=one.name, child=other.name, axis=(0, 1, 0),
            coordinates=[dynamicsymbols(f"q{k}")], speeds=[dynamicsymbols(f"u{k}")],
        )
        for k, (one, other) in enumerate(itertools.pairwise(links))
    ]  # fmt: skip
    good = dict.fromkeys([*a, *b], 0.0) | dict.fromkeys([a[0], *a[4:7], b[0], *b[4:7]], 1.0) | {r: 0.5}
    return eomc.from_tree(JointTree(links, joints, gravity=(0, 0, -9.81)), name="links", parameters=good)


class Emitted:
    """The function in C, and the same in Python."""

    def __init__(self, folder: Path, real: str, simulator: Simulator) -> None:
        self.folder, self.real, self.simulator = folder, np.dtype("f4" if real == "float" else "f8"), simulator
        self.epsilon = float(np.finfo(self.real).eps)
        self.library = ctypes.CDLL(str(folder / f"{real}.so"))
        self.names = ("plain", 'second "link"', "rod")

    def __call__(self, **given: float) -> int:
        """Return the index that C returns; Python has the name of the same link."""
        values = self.simulator.parameters | given
        numbers = np.array([values[name] for name in self.simulator.parameter_names], dtype=self.real)
        found = int(self.library.links_unphysical_link(numbers.ctypes.data_as(ctypes.c_void_p)))
        if np.isfinite(numbers).all():
            named = self.simulator.unphysical_link(given)
            assert named == (None if found < 0 else self.names[found])
        return found


@pytest.fixture(scope="module", params=["double", "float"])
def emitted(request, tmp_path_factory, strict) -> Emitted:
    """Return the function of each scalar type, compiled without one warning; what sanitizers find ends the process."""
    folder, real = tmp_path_factory.mktemp(request.param), request.param
    math = "strict" if real == "float" else "libm"
    build = eomc.compile(three_links(), real=real, math=math, functions="unphysical_link")
    build.write(folder)
    define = ["-DLINKS_USE_FLOAT"] if real == "float" else []
    flags = ["-O1", "-fPIC", "-shared", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", *define]
    compile_in(folder, [*strict["gcc"], *flags, "links.c", "-lm", "-o", f"{real}.so"])
    compile_in(folder, [*strict["gcc"], *define, "-O0", "links.c", "main.c", "-lm", "-o", "links"])
    if "clang" in strict:
        compile_in(folder, [*strict["clang"], *define, "-fsyntax-only", "links.c", "main.c"])
    return Emitted(folder, real, build.load())


def compile_in(folder: Path, command: list[str]) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def moments(cloud: list[tuple[Fraction, list[Fraction]]], origin: list[Fraction]) -> list[Fraction]:
    """Return the inertia of points about a point, without rounding."""
    x, y, z = ([place[i] - origin[i] for _, place in cloud] for i in range(3))
    masses = [mass for mass, _ in cloud]

    def total(one: list[Fraction], other: list[Fraction]) -> Fraction:
        return sum((m * p * q for m, p, q in zip(masses, one, other, strict=True)), Fraction(0))

    xx, yy, zz = total(x, x), total(y, y), total(z, z)
    return [yy + zz, xx + zz, xx + yy, -total(x, y), -total(x, z), -total(y, z)]


def scaled(cloud: list[tuple[int, tuple[Fraction, ...]]], kg: Fraction, m: Fraction) -> list:
    return [(mass * kg, [entry * m for entry in place]) for mass, place in cloud]


def by_centre(cloud: list[tuple[Fraction, list[Fraction]]]) -> list[float]:
    mass = sum(m for m, _ in cloud)
    centre = [sum(m * place[i] for m, place in cloud) / mass for i in range(3)]
    return [float(number) for number in (mass, *centre, *moments(cloud, centre))]


def by_moments(cloud: list[tuple[Fraction, list[Fraction]]]) -> list[float]:
    first = [sum(m * place[i] for m, place in cloud) for i in range(3)]
    return [float(number) for number in (sum(m for m, _ in cloud), *first, *moments(cloud, [Fraction(0)] * 3))]


def called(prefix: str, numbers: list[float]) -> dict[str, float]:
    return {f"{prefix}_{name}": number for name, number in zip(NAMES, numbers, strict=True)}


@given(cloud=CLOUDS, kg=POWERS, m=POWERS, given_by=st.sampled_from([("a", by_centre), ("b", by_moments)]))
def test_what_points_make_is_a_body(emitted: Emitted, cloud: list, kg: Fraction, m: Fraction, given_by: tuple) -> None:
    """One point, rods and plates among them, in any units; none is where a principal moment is larger by a little."""
    prefix, numbers_of = given_by
    points = scaled(cloud, kg, m)
    numbers = numbers_of(points)
    assert emitted(**called(prefix, numbers)) == -1
    size = float(sum(mass * sum(entry**2 for entry in place) for mass, place in points))
    assume(size > 0)
    values, axes = np.linalg.eigh(second_moments(by_centre(points)[4:]) / size)
    spoiled = axes @ np.diag([-300 * emitted.epsilon - 1e-9, *values[1:]]) @ axes.T * size
    change = np.trace(spoiled) * np.eye(3) - spoiled - np.array(tensor(*by_centre(points)[4:]))
    changes = [change[0, 0], change[1, 1], change[2, 2], change[0, 1], change[0, 2], change[1, 2]]
    worse = [*numbers[:4], *(number + float(more) for number, more in zip(numbers[4:], changes, strict=True))]
    assert emitted(**called(prefix, worse)) == ("a", "b").index(prefix)


def second_moments(entries: list[float]) -> np.ndarray:
    """Return S = tr(I)/2 1 - I."""
    full = np.array(tensor(*entries), dtype=float)
    return np.trace(full) / 2 * np.eye(3) - full


@pytest.mark.filterwarnings("ignore:.*float loses digits")  # an offset of 1e-78 is as good as none
@given(
    mass=st.floats(0.01, 1),
    centre=st.tuples(ENTRIES, ENTRIES, ENTRIES),
    entries=st.tuples(*[ENTRIES] * 6),
    kg=POWERS,
    m=POWERS,
)
def test_eigenvalues_decide(
    emitted: Emitted, mass: float, centre: tuple, entries: tuple, kg: Fraction, m: Fraction
) -> None:
    """Of any symmetric matrix: what NumPy's least eigenvalue says, where it is not rounding."""
    inertia = np.diag([1.5, 1.5, 1.5]) + np.array(tensor(*entries))
    least = np.linalg.eigvalsh(inertia)
    shortest = (least[0] + least[1] - least[2]) / (mass * np.dot(centre, centre) + np.abs(inertia).sum())
    assume(abs(shortest) > 100 * emitted.epsilon)
    unit = float(kg * m**2)
    flat = [inertia[0, 0], inertia[1, 1], inertia[2, 2], *entries[3:]]
    numbers = [mass * float(kg), *(c * float(m) for c in centre), *(float(one) * unit for one in flat)]
    assert emitted(**called("a", numbers)) == (-1 if shortest > 0 else 0)


@pytest.mark.parametrize("prefix", ["a", "b"])
def test_frames_masses_and_numbers_that_are_none(emitted: Emitted, prefix: str) -> None:
    """Zeros are a frame; without mass there is no inertia; what is not finite is no body."""
    place = ("a", "b").index(prefix)
    zeros, ones = [0.0] * 10, [1.0, 0, 0, 0, 1, 1, 1, 0, 0, 0]
    assert emitted() == -1
    assert emitted(**called(prefix, zeros)) == -1
    assert emitted(**called(prefix, [2.0, *zeros[1:]])) == -1
    assert emitted(**called(prefix, [-2.0, *zeros[1:]])) == place
    assert emitted(**called(prefix, [0.0, *ones[1:]])) == place
    assert emitted(**called(prefix, [-1.0, *ones[1:]])) == place
    assert emitted(**called(prefix, [*ones[:6], 2.01, *ones[7:]])) == place
    assert emitted(**called(prefix, [*ones[:6], -0.01, *ones[7:]])) == place
    for number in range(10):
        for wrong in (math.nan, math.inf, -math.inf):
            assert emitted(**called(prefix, [wrong if k == number else one for k, one in enumerate(ones)])) == place
            none = [wrong if k == number else 0.0 for k in range(10)]
            assert emitted(**called(prefix, none)) == place


def test_the_first_is_found_of_expressions_too(emitted: Emitted) -> None:
    """An expression is evaluated with the values given; constant links are passed over; the first counts."""
    assert emitted(r=0.5) == -1
    assert emitted(r=3.0) == 2
    assert emitted(r=3.0, b_m=-1.0) == 1
    assert emitted(r=3.0, b_m=-1.0, a_xx=-1.0) == 0
    assert emitted(r=math.nan) == 2


def test_the_program_says_so(emitted: Emitted) -> None:
    """A run with such parameters goes on; the link is named on stderr."""
    command = ["./links", "--t-end", "0.01"]
    quiet = subprocess.run(command, cwd=emitted.folder, capture_output=True, text=True, check=True)
    assert quiet.stderr == ""
    loud = subprocess.run(
        [*command, "--set", "b_xy=1.5"], cwd=emitted.folder, capture_output=True, text=True, check=True
    )
    assert 'warning: with these parameters link second "link" is no body' in loud.stderr


def test_several_files_have_it_once(tmp_path: Path, strict) -> None:
    """A model of several files has the function in the first of them, and a large one reads it there."""
    build = eomc.compile(three_links(), functions="all,unphysical_link")
    result = generate(build.program, largest=60)
    sources = [one for one in result.artifacts if one.kind in ("header", "source")]
    assert sum("int links_unphysical_link(const links_parameters *p)\n{" in one.text for one in sources) == 1
    for one in sources:
        (tmp_path / Path(one.path).name).write_text(one.text)
    for one in sources:
        if one.path.endswith(".c"):
            compile_in(tmp_path, [*strict["gcc"], "-O0", "-c", Path(one.path).name, "-o", "out.o"])
    assert len(sources) > 3


def test_it_is_there_where_it_is_named() -> None:
    """All functions of one state are without it; where no link holds parameters there is none."""
    without = eomc.compile(three_links(), functions="all").artifacts
    assert "unphysical" not in "".join(one.text for one in without if not one.path.endswith("main.c"))
    assert "links_unphysical_link" not in "".join(one.text for one in without)
    with pytest.raises(UnsupportedError, match="no tree of joints with a link whose mass, centre or inertia"):
        eomc.compile(eomc.load("cart_pole"), functions="unphysical_link")


def test_a_run_in_python_says_so() -> None:
    """`simulate` warns of parameters that it is given, and runs; defaults and other functions are silent."""
    simulator = eomc.compile(three_links()).load()
    simulator.simulate(t_end=0.01)
    simulator.simulate(t_end=0.01, parameters={"a_xx": 1.5})
    with pytest.warns(RuntimeWarning, match="links: with these parameters link 'plain' is no body") as told:
        run = simulator.simulate(t_end=0.01, parameters={"a_xx": 2.5})
    assert told[0].filename == __file__
    assert np.isfinite(run.x).all()
    assert eomc.compile(eomc.load("cart_pole")).load().unphysical_link({"m": -1.0}) is None


def test_an_ensemble_says_which_members() -> None:
    """One warning names the first trajectories of each link, as single runs have them; defaults are silent."""
    simulator = eomc.compile(three_links()).load()
    short: dict = {"t_end": 0.01, "dt": 0.005, "keep": "last"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simulator.ensemble(simulator.initial_state, **short)
        simulator.ensemble(parameters={"a_xx": [1.5, 1.6]}, **short)
    parameters = {"a_xx": [2.5, 1.0, 2.5, 1.0, 2.5, 2.5, 1.0], "r": [3.0, 0.5, 0.5, 3.0, 0.5, 0.5, 0.5]}
    with pytest.warns(RuntimeWarning) as told:
        made = simulator.ensemble(parameters=parameters, **short)
    assert [str(one.message).partition(":")[0] for one in told] == ["links"]
    assert str(told[0].message).startswith(
        "links: of 7 trajectories, link 'plain' in 4 (0, 2, 4, ...) and link 'rod' in 1 (3) are no bodies: the mass is "
    )
    assert told[0].filename == __file__
    assert np.isfinite(made.x).all()
    for number in range(7):
        own = {name: column[number] for name, column in parameters.items()}
        expected = "plain" if number in (0, 2, 4, 5) else "rod" if number == 3 else None
        assert simulator.unphysical_link(own) == expected
    with pytest.warns(RuntimeWarning, match="links: with these parameters link 'plain' is no body: its mass is not"):
        simulator.ensemble(np.tile(simulator.initial_state, (3, 1)), {"a_xx": 2.5}, **short)


@given(cloud=CLOUDS, change=st.floats(-2, 2), place=st.integers(0, 9), by=st.booleans())
def test_of_each_what_is_said_of_one(cloud: list, change: float, place: int, by: bool) -> None:
    """Columns of values, expressions among them, are judged as their members alone."""
    symbols, factor = ten("a"), sympy.Symbol("k")
    points = scaled(cloud, Fraction(1), Fraction(1))
    numbers = by_moments(points) if by else by_centre(points)
    changed = [number + change * (k == place) for k, number in enumerate(numbers)]
    entries = (*symbols[:9], factor * symbols[9] / 2)
    links = [InertialParameters("one", by, entries)]
    rows = [{**dict(zip(symbols, row, strict=True)), factor: 2.0} for row in (numbers, changed)]
    alone = [first_unphysical(links, row) for row in rows]
    columns = {symbol: np.array([row[symbol] for row in rows]) for symbol in rows[0]}
    of_each = first_unphysical_of_each(links, columns)
    assert of_each.tolist() == [-1 if one is None else one for one in alone]


def without_motion() -> eomc.Model:
    """Return one link whose inertia is a parameter, on a hinge, beside a slide whose mass is a number."""
    a = sympy.Symbol("a")
    links = [
        Link(name="ground"),
        Link(name="hand", mass=1.0, centre=(0, 0, -0.1), inertia=((a, 0, 0), (0, a, 0), (0, 0, a))),
        Link(name="cart", mass=1.0),
    ]
    joints = [
        Joint(
            name=f"j{k}", kind=kind, parent="ground", child=child, axis=(0, 1, 0),
            coordinates=[dynamicsymbols(f"q{k}")], speeds=[dynamicsymbols(f"u{k}")],
        )
        for k, (kind, child) in enumerate([("revolute", "hand"), ("prismatic", "cart")])
    ]  # fmt: skip
    return eomc.from_tree(JointTree(links, joints, gravity=(0, 0, -9.81)), name="hinged", parameters={a: 1.0})


FLAW = (
    r"with these parameters link {} is no body: its mass is not above zero, or a principal moment of inertia is "
    r"negative or larger than the sum of the others; where that is not why, "
)


def test_where_there_is_no_motion_the_link_is_named() -> None:
    """One state, rows of many, fixed and adaptive runs, and what no state has a motion with: all say which link."""
    simulator = eomc.compile(three_links()).load()
    plain, x = {"a_m": -1.0, "a_yy": -50.0}, np.zeros(8)
    said = FLAW.format("'plain'")
    with pytest.raises(SingularSystemError, match="at t = 0 the equations are singular for j0: " + said + "this state"):
        simulator.rhs(0.0, x, parameters=plain)
    with pytest.warns(RuntimeWarning, match="3 of 3 rows are NaN; .* singular for j0: " + said):
        simulator.rhs(0.0, np.zeros((3, 8)), parameters=plain)
    for integrator in ("rk4", "dop853"):
        with (
            pytest.warns(RuntimeWarning, match="'plain' is no body"),
            pytest.raises(SingularSystemError, match=said + "keep away"),
        ):
            simulator.simulate(t_end=0.1, x0=x, parameters=plain, integrator=integrator)
    with pytest.raises(SingularSystemError, match="in every state, .*; " + FLAW.format("'hand'") + "look for a mass"):
        eomc.compile(without_motion()).load().rhs(0.0, np.zeros(4), parameters={"a": -1.0})


def test_a_singular_state_of_bodies_names_no_link() -> None:
    """Where all links are bodies, the state is told alone."""
    simulator = eomc.compile(eomc.load("cart_pole")).load()
    with pytest.raises(SingularSystemError) as told:
        simulator.rhs(0.0, np.zeros(4), parameters={"M": 0.0, "m": 0.0})
    assert "link" not in str(told.value)


def test_a_program_without_the_function_says_how_it_names_the_link(
    emitted: Emitted, tmp_path: Path, strict: dict[str, list[str]]
) -> None:
    """Runs and self-tests that end for no solution; one that has the function names the link, and says nothing more."""
    hint = '; a link may be no body with these parameters: with functions="usual,unphysical_link" this program names it'
    define = ["-DLINKS_USE_FLOAT"] if emitted.real == "f4" else []
    eomc.compile(three_links(), real="float" if define else "double").write(tmp_path)
    compile_in(tmp_path, [*strict["gcc"], *define, "-O0", "links.c", "main.c", "-lm", "-o", "links"])
    if "clang" in strict:
        compile_in(tmp_path, [*strict["clang"], *define, "-fsyntax-only", "main.c"])
    for options in (["--t-end", "0.01"], ["--self-test"]):
        command = ["./links", *options, "--set", "a_m=-1", "--set", "a_yy=-50"]
        for folder, hinted in ((tmp_path, True), (emitted.folder, False)):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode != 0
            (line,) = [one for one in done.stderr.splitlines() if one.startswith("singular")]
            assert line.endswith(hint) == hinted
            assert ("link plain is no body" in done.stderr) != hinted
    assert "a link may be" not in "".join(one.text for one in eomc.compile(eomc.load("cart_pole")).artifacts)


def test_the_self_test_names_the_link(emitted: Emitted) -> None:
    """As a run does, before it says what is singular."""
    command = ["./links", "--self-test", "--set", "a_m=-1", "--set", "a_yy=-50"]
    done = subprocess.run(command, cwd=emitted.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    warning, reason = done.stderr.splitlines()[:2]
    assert warning == "warning: with these parameters link plain is no body: its mass or inertia cannot be"
    assert reason.startswith("singular")
