"""What a page calls of a model, compiled for this machine: the same motion, to the bit, as that of `simulate`."""

from __future__ import annotations

import ctypes
import hashlib
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.binding.compiler import find_compiler
from eomc.build import Build
from eomc.errors import UnsupportedError
from eomc.live import sources

pytestmark = pytest.mark.needs_cc

Doubles = ctypes.POINTER(ctypes.c_double)
RESULTS = {
    "parameters": Doubles, "inputs": Doubles, "state": Doubles, "poses": Doubles, "time": ctypes.c_double,
    "energy": ctypes.c_double, "error": ctypes.c_double, "name": ctypes.c_char_p, "hash": ctypes.c_char_p,
}  # fmt: skip
SINGULAR, OPEN, EVENT, DIVERGED = 1, 2, 3, 4


class Page:
    """Calls a model as a page does."""

    def __init__(self, build: Build, path: Path) -> None:
        path.write_bytes(find_compiler(build.flags).shared_library(sources(build)))
        self._library = ctypes.CDLL(str(path))
        self.build = build
        for name, result in RESULTS.items():
            if hasattr(self._library, f"live_{name}"):
                self[name].restype = result
        self["begin"].argtypes = (ctypes.c_double, ctypes.c_double)
        self["hash"].argtypes = (ctypes.c_int, ctypes.c_double)

    def __getitem__(self, name: str) -> Any:
        return getattr(self._library, f"live_{name}")

    def array(self, name: str, size: int) -> np.ndarray:
        """Return an array of the model, which is the model's own memory."""
        return np.ctypeslib.as_array(self[name](), (size,))

    def begin(self, h: float = 1e-3, t0: float = 0.0, start: Any = None, **numbers: float) -> int:
        """Begin with numbers by name, the others as the model has them."""
        program = self.build.program
        for name, variables in (("parameters", program.parameters), ("inputs", program.inputs)):
            if variables:
                self.array(name, len(variables))[:] = [numbers.get(one.name, one.value) for one in variables]
        self.x[:] = [one.value for one in program.states] if start is None else start
        return int(self["begin"](t0, h))

    @property
    def x(self) -> np.ndarray:
        """The state."""
        return self.array("state", len(self.build.program.states))


@pytest.fixture
def page_of(tmp_path: Path) -> Callable[..., Page]:
    """Return what makes a page's C of a model."""
    numbers = itertools.count()

    def page(model: eomc.Model | str, **options: Any) -> Page:
        given = eomc.load(model) if isinstance(model, str) else model
        build = eomc.compile(given, **{"integrator": "rk4", **options}).for_a_page()
        return Page(build, tmp_path / f"{given.name}_{next(numbers)}.so")  # one that is loaded stays as it is

    return page


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "rolling_disk", "kepler", "bouncing_ball"])
def test_the_motion_is_that_of_simulate(page_of: Callable[..., Page], name: str) -> None:
    """Bit by bit after 300 steps; the hash is that of these states from the model's own start."""
    page = page_of(name)
    run = page.build.load().simulate(t_end=0.3, dt=1e-3)
    states = run(np.arange(1, 301) * 1e-3) if name == "bouncing_ball" else run.x[1:]
    assert page.begin() == 0
    if name != "four_bar":  # whose start is brought onto the constraints first
        assert page["steps"](300) == 0
        assert page.x.tolist() == states[-1].tolist()
        assert page["time"]() == pytest.approx(0.3, abs=1e-12)
    if name != "bouncing_ball":  # whose dense output is not the ends of its steps
        assert page["hash"](300, 1e-3).decode() == hashlib.sha256(states.astype(">f8").tobytes()).hexdigest()


def test_poses_and_energy_are_those_of_the_simulator(page_of: Callable[..., Page]) -> None:
    """At a state on the way, with numbers that were given."""
    page = page_of("cart_pole")
    sim = page.build.load()
    assert page.begin(l=0.8, F=2.0, start=[0.1, 0.7, 0.0, 0.0]) == 0
    assert page["steps"](100) == 0
    given = {"inputs": {"F": 2.0}, "parameters": {"l": 0.8}}
    x, t = page.x.copy(), page["time"]()
    poses = sim.poses(t, x, **given)
    assert page.array("poses", poses.size).tolist() == poses.ravel().tolist()
    assert page["energy"]() == sim.energy(t, x, **given)["total"]


def test_the_error_of_the_energy_is_that_of_the_steps(page_of: Callable[..., Page]) -> None:
    """The force does work on the cart, an impact takes energy: neither is an error; long steps are."""
    page = page_of("cart_pole")
    page.begin(F=5.0)
    before = page["energy"]()
    assert page["steps"](1000) == 0
    assert abs(page["energy"]() - before) > 1.0
    fine = abs(page["error"]())
    assert fine < 1e-4
    page.begin(h=0.1, F=5.0)
    assert page["steps"](10) == 0
    assert abs(page["error"]()) > 100 * fine
    moved = page_of("bar_on_moving_pivot")  # its pivot does work: what is balanced is the Jacobi integral
    moved.begin()
    before = moved["energy"]()
    assert moved["steps"](1000) == 0
    assert abs(moved["energy"]() - before) > 0.1
    assert abs(moved["error"]()) < 1e-6
    ball = page_of("bouncing_ball")
    ball.begin()
    before = ball["energy"]()
    assert ball["steps"](1000) == 0
    assert before - ball["energy"]() > 0.3
    assert abs(ball["error"]()) < 1e-5


def test_numbers_are_changed_on_the_way(page_of: Callable[..., Page]) -> None:
    """Another force goes on from the state that is reached; a longer crank closes the loop anew."""
    page = page_of("cart_pole")
    sim = page.build.load()
    page.begin(F=1.0)
    page["steps"](50)
    half = page.x.copy()
    page.array("inputs", 1)[0] = -3.0
    assert page["change"]() == 0
    assert page["error"]() == 0.0
    page["steps"](50)
    run = sim.simulate(t0=0.05, t_end=0.1, dt=1e-3, x0=half, inputs={"F": -3.0})
    assert page.x == pytest.approx(run.x[-1], rel=1e-12, abs=1e-14)
    loop = page_of("four_bar")
    residuals = eomc.compile(loop.build.model).load().constraint_residuals
    assert loop.begin() == 0
    loop["steps"](100)
    loop.array("parameters", 8)[0] = 2.2
    assert np.abs(residuals(0.1, loop.x.copy(), None, {"a": 2.2})).max() > 0.01
    assert loop["change"]() == 0
    assert np.abs(residuals(0.1, loop.x.copy(), None, {"a": 2.2})).max() < 1e-12
    assert loop["steps"](100) == 0


def test_stops_have_names(page_of: Callable[..., Page]) -> None:
    """No mass: the pivot's name. A loop that cannot close. A motion that leaves all bounds."""
    page = page_of("cart_pole")
    assert page.begin(m=0.0, M=0.0) in (0, SINGULAR)
    assert page["steps"](10) == SINGULAR
    assert page["name"]().decode() in page.build.load().state_names
    at = page.x.copy()
    assert page["steps"](10) == SINGULAR
    assert page.x.tolist() == at.tolist()
    assert page_of("four_bar").begin(a=50.0) in (OPEN, SINGULAR)
    wild = page_of("henon_heiles")
    assert wild.begin(h=0.1, start=[0.0, 5.0, 0.0, 5.0]) == 0
    assert wild["steps"](10_000) == DIVERGED
    assert np.isfinite(wild.x).all()


def test_an_event_ends_the_run_by_its_name(page_of: Callable[..., Page]) -> None:
    """A stone that falls for one metre: the floor stops it after sqrt(2/g), and no step goes on."""
    y, g = dynamicsymbols("y"), sympy.Symbol("g")
    v = y.diff(dynamicsymbols._t)
    model = eomc.from_lagrangian(
        v**2 / 2 - g * y,
        coordinates=[y],
        parameters={g: 9.81},
        initial={y: 1.0},
        events={"floor": eomc.Event(y, falling=True, stop=True)},
        name="stone",
    )
    page = page_of(model)
    assert page.begin() == 0
    assert page["steps"](1000) == EVENT
    assert page["name"]() == b"floor"
    assert page["time"]() == pytest.approx(np.sqrt(2.0 / 9.81), rel=1e-9)
    assert abs(page["error"]()) < 1e-9
    assert page["steps"](1000) == EVENT
    assert page["change"]() == EVENT
    assert page.begin() == 0
    assert page["steps"](100) == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"integrator": "dop853"}, "dop853 chooses its own: give --integrator rk4"),
        ({"integrator": "gauss3"}, "gauss3 solves equations in each: give --integrator rk4"),
        ({"real": "float"}, "leave out --real float"),
    ],
)
def test_what_a_page_cannot_run_is_refused(options: dict[str, str], says: str) -> None:
    """Adaptive and implicit schemes, and float; each says what to do."""
    with pytest.raises(UnsupportedError, match=says):
        eomc.compile(eomc.load("simple_pendulum"), **options).for_a_page()


def test_schemes_of_all_explicit_kinds(page_of: Callable[..., Page]) -> None:
    """Heun's, semi-implicit Euler and a splitting take the steps of `simulate`."""
    for scheme in ("heun", "semi_implicit_euler", "verlet"):
        page = page_of("simple_pendulum", integrator=scheme)
        page.begin()
        assert page["steps"](20) == 0
        assert page.x.tolist() == page.build.load().simulate(t_end=0.02, dt=1e-3).x[-1].tolist()
