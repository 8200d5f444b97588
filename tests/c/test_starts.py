"""The start of the emitted program: to the bit where it meets the constraints, else moved, and told, in any unit."""

from __future__ import annotations

import subprocess
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.errors import UsageError
from eomc.frontends.loading import shipped_models

pytestmark = pytest.mark.needs_cc


def ring(size: float, more: tuple[Any, ...] = (), given: dict[Any, Any] | None = None) -> eomc.Model:
    """Return a particle on a circle of radius l = `size`, and under `more` constraints in x, y, l."""
    x, y = dynamicsymbols("x y")
    m, radius = sympy.symbols("m l")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    place = origin.locatenew("P", x * N.x + y * N.y)
    return eomc.Model(
        name="ring",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[x.diff(), y.diff()],
        bodies=[Particle("P", place, m)],
        configuration_constraints=[x**2 + y**2 - radius**2, *(c(x, y, radius) for c in more)],
        parameters={m: (1.0, "kg"), radius: (size, "m"), **(given or {})},
        initial={x: (size, "m"), y: (0, "m"), x.diff(): (0, "m/s"), y.diff(): (size, "m/s")},
    )


def first_row(folder: Path, *words: str) -> tuple[list[float], str]:
    program = folder / folder.name
    done = subprocess.run([program, "--t-end", "0", *words], capture_output=True, text=True, check=True)
    return [float(value) for value in done.stdout.split()[-1].split(",")], done.stderr


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [1e-12, 1e-9, 1.0, 1e9])
def test_a_start_is_closed_in_any_unit(size: float, tmp_path: Path) -> None:
    """Off by three tenths it is moved onto the circle and told; off by rounding it stays to the bit."""
    folder = tmp_path / "ring"
    build = eomc.compile(ring(size), stabilization="projection")
    build.write(folder)
    subprocess.run(["make", "-s", "-C", folder, "CFLAGS=-std=c99 -O0"], check=True)
    for off, is_moved in ((1.0, False), (1.0 + 1e-13, False), (1.3, True)):
        row, told = first_row(folder, "--init", f"x={size * off!r}")
        assert (row[1] == size * off) is not is_moved
        assert ("moved onto the constraints, by 0.231 of its size" in told) is is_moved
        if is_moved:
            assert (row[1] ** 2 + row[2] ** 2) / size**2 == pytest.approx(1.0, abs=1e-14)
    row, told = first_row(folder, "--init", f"x_d={0.3 * size!r}")
    assert row[3] == pytest.approx(0.0, abs=1e-15 * size)
    assert "moved" in told
    sim = build.load()
    with pytest.warns(UserWarning, match=r"by 0\.231 of its size"):
        start = sim.simulate(1e-3, 1e-3, x0=[1.3 * size, 0.0, 0.0, size]).x[0]
    assert start[0] == pytest.approx(size, rel=1e-14)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", shipped_models())
def test_no_own_start_is_moved(name: str, tmp_path: Path) -> None:
    """The initial state of every shipped model meets its constraints, for its program too, in both precisions."""
    model = eomc.load(name)
    if not model.is_constrained:
        return
    for real in ("double", "float"):
        folder = tmp_path / real / name
        eomc.compile(model, real=real, functions="rhs", stabilization="projection").write(folder)
        subprocess.run(["make", "-s", "-C", folder, "CFLAGS=-std=c99 -O0"], check=True)
        _, told = first_row(folder)
        assert told == ""


def rolling(size: float) -> eomc.Model:
    """Return a wheel of radius `size` without slip: a velocity constraint alone, with a dependent speed."""
    x, q, v, w = dynamicsymbols("x q v w")
    m, radius = sympy.symbols("m l")
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    place = origin.locatenew("P", x * N.x)
    place.set_vel(N, v * N.x)
    turned = N.orientnew("B", "Axis", (q, N.z))
    turned.set_ang_vel(N, w * N.z)
    return eomc.Model(
        name="rolling",
        inertial_frame=N,
        coordinates=[x, q],
        speeds=[v, w],
        kinematical_equations=[x.diff() - v, q.diff() - w],
        bodies=[RigidBody("P", place, turned, m, (inertia(turned, 0, 0, m * radius**2), place))],
        velocity_constraints=[v - radius * w],
        dependent_speeds=[v],
        parameters={m: (1.0, "kg"), radius: (size, "m")},
        initial={v: (size, "m/s"), w: (1.0, "rad/s"), x: (0, "m"), q: (0, "rad")},
    )


def bare(size: float) -> eomc.Model:
    """Return a particle of which nothing but velocities counts: it has no coordinates."""
    u, v = dynamicsymbols("u v")
    m = sympy.Symbol("m")
    N, point = ReferenceFrame("N"), Point("P")
    point.set_vel(N, u * N.x + v * N.y)
    return eomc.Model(
        name="bare",
        inertial_frame=N,
        coordinates=[],
        speeds=[u, v],
        bodies=[Particle("P", point, m)],
        velocity_constraints=[u - v],
        parameters={m: (1.0, "kg")},
        initial={u: (size, "m/s"), v: (size, "m/s")},
    )


def twice(x: Any, y: Any, radius: Any) -> Any:
    """Say again what the circle says."""
    return 3 * radius**2 - 3 * (x**2 + y**2)


MODELS = {
    "ring": ring,
    "ring said twice": lambda size: ring(size, (twice,)),
    "rolling": rolling,
    "bare": bare,
}
# relative to the initial values: (factor of the first state, factor of the first speed) and whether it is moved
STARTS = [
    ((1.0, 1.0), False),
    ((1.0 + 1e-13, 1.0), False),
    ((1.0, 1.0 + 1e-15), False),
    ((1.0 + 1e-9, 1.0), False),
    ((1.0 + 1e-6, 1.0), True),
    ((1.0, 1.0 + 1e-6), True),
    ((1.3, 1.0), True),
    ((1.0, 1.3), True),
    ((0.2, -7.0), True),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [1.0, 2.0**33, 2.0**-33])
@pytest.mark.parametrize("name", MODELS)
def test_both_programs_judge_a_start_alike(name: str, size: float, tmp_path: Path) -> None:
    """`simulate(x0=...)` and the emitted main leave and move the same starts, to the same bits, in the same words.

    A state that `state` makes of it, as `eomc simulate` does, is left by both.
    """
    model = MODELS[name](size)
    folder = tmp_path / model.name
    build = eomc.compile(model)
    build.write(folder)
    subprocess.run(["make", "-s", "-C", folder, "CFLAGS=-std=c99 -O0 -Werror"], check=True)
    sim = build.load()
    n, unit = build.program.coordinates, 2 if model.name == "ring" else 1  # of lengths in the residuals

    def told_by_both(x0: Any) -> tuple[list[float], str, str]:
        names = [f"{key}={value!r}" for key, value in zip(sim.state_names, x0.tolist(), strict=True)]
        row, told = first_row(folder, "--init", *names)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = sim.simulate(1e-3, 1e-3, x0=x0).x[0]
        assert found.tolist() == row[1:]
        return row[1:], told, str(caught[0].message) if caught else ""

    for (q, u), is_moved in STARTS:
        x0 = sim.initial_state
        x0[n] *= u
        if n:
            x0[0] *= q
        if model.name == "ring":  # its first speed is zero
            x0[n] = (u - 1.0) * size
        found, told, warned = told_by_both(x0)
        moves = is_moved and (u != 1.0 or model.name == "ring")
        assert (found != x0.tolist(), bool(told), bool(warned)) == (moves, moves, moves)
        if moves:
            words = "the start is moved onto the constraints, by "
            assert told.split(words)[1].split()[0] == warned.split(words)[1].split()[0]
        assert np.allclose(sim.constraint_residuals(0.0, found), 0.0, atol=1e-7 * size**unit)
        names, values = sim.state_names, x0.tolist()
        made = sim.state(*(dict(zip(names[part], values[part], strict=True)) for part in (slice(n), slice(n, None))))
        assert told_by_both(made) == (made.tolist(), "", "")


def test_both_programs_refuse_a_start_out_of_reach(tmp_path: Path) -> None:
    """A circle of radius 1 and a line at 3 have no point in common: neither runs."""
    at = sympy.Symbol("at")
    build = eomc.compile(ring(1.0, (lambda x, y, radius: x - at,), {at: (1.0, "m")}))
    folder = tmp_path / "ring"
    build.write(folder)
    subprocess.run(["make", "-s", "-C", folder, "CFLAGS=-std=c99 -O0 -Werror"], check=True)
    sim = build.load()
    with pytest.raises(UsageError, match="no coordinates near the given ones meet the constraints"):
        sim.simulate(1e-3, 1e-3, x0=sim.initial_state, parameters={"at": 3.0})
    done = subprocess.run([folder / "ring", "--set", "at=3"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no coordinates near the initial ones meet the constraints" in done.stderr
