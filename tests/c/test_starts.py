"""The start of the emitted program: to the bit where it meets the constraints, else moved, and told, in any unit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.frontends.loading import shipped_models

pytestmark = pytest.mark.needs_cc


def ring(size: float) -> eomc.Model:
    """Return a particle on a circle of radius `size`, a configuration constraint."""
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
        configuration_constraints=[x**2 + y**2 - radius**2],
        parameters={m: (1.0, "kg"), radius: (size, "m")},
        initial={x: (size, "m"), y: (0, "m"), x.diff(): (0, "m/s"), y.diff(): (size, "m/s")},
    )


def first_row(folder: Path, *words: str) -> tuple[list[float], str]:
    program = folder / folder.name
    done = subprocess.run([program, "--t-end", "0", *words], capture_output=True, text=True, check=True)
    return [float(value) for value in done.stdout.split()[-1].split(",")], done.stderr


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


CONSTRAINED = [
    name for name in shipped_models() if getattr(eomc.load(name).dynamics, "configuration_constraints", ())
    or getattr(eomc.load(name).dynamics, "velocity_constraints", ())
]  # fmt: skip


@pytest.mark.parametrize("name", CONSTRAINED)
@pytest.mark.parametrize("real", ["double", "float"])
def test_no_own_start_is_moved(name: str, real: str, tmp_path: Path) -> None:
    """The initial state of every shipped model meets its constraints, for its program too."""
    folder = tmp_path / name
    eomc.compile(eomc.load(name), real=real, functions="rhs", stabilization="projection").write(folder)
    subprocess.run(["make", "-s", "-C", folder, "CFLAGS=-std=c99 -O0"], check=True)
    _, told = first_row(folder)
    assert told == ""
