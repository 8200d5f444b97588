"""Two mechanisms through the whole chain: derived, emitted as C, built, run, drawn. ``make demo`` runs this.

The timed runs are the emitted program's, built by its own Makefile, without Python. The energies and the picture come
through the same C bound to Python.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure, SubFigure
from numpy.typing import NDArray

import eomc

BUILD = Path("build")
T_END, DT = 10.0, 1e-3
STEPS_TO_TIME = 200_000


def generate(name: str, method: str) -> eomc.Build:
    """Derive a shipped model's equations and write its C."""
    model = eomc.load(name)
    start = time.perf_counter()
    build = eomc.compile(model, method=method)
    build.write(BUILD / name)
    print(f"  derived and written to {BUILD / name}/ in {time.perf_counter() - start:.2f} s")
    return build


def make(name: str) -> Path:
    """Build the emitted program with the Makefile beside it."""
    start = time.perf_counter()
    subprocess.run(["make", "--silent", "-C", str(BUILD / name)], check=True)
    print(f"  built in {time.perf_counter() - start:.2f} s")
    return BUILD / name / name


def run(program: Path, steps: int, every: int = 1) -> NDArray[np.float64]:
    """Return what the program prints for so many steps: a row of time, states and outputs for each that it shows."""
    options = ["--t-end", str(steps * DT), "--dt", str(DT), "--every", str(every)]
    done = subprocess.run([program, *options], check=True, stdout=subprocess.PIPE, text=True)
    return np.loadtxt(done.stdout.splitlines(), delimiter=",", skiprows=1, ndmin=2)


def steps_per_second(program: Path) -> float:
    """Time many steps against one, so that the program's start does not count; best of five."""

    def seconds(steps: int) -> float:
        start = time.perf_counter()
        run(program, steps, every=steps)
        return time.perf_counter() - start

    return STEPS_TO_TIME / (min(seconds(STEPS_TO_TIME) for _ in range(5)) - min(seconds(1) for _ in range(5)))


def drift(energy: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return how far the total energy is from its first value, relative to the largest |T| or |V| on the way."""
    scale = max(np.abs(energy["kinetic"]).max(), np.abs(energy["potential"]).max())
    return np.asarray((energy["total"] - energy["total"][0]) / scale)


def draw(
    page: Figure | SubFigure, title: str, motion: eomc.Trajectory, path: tuple[str, str], energy: NDArray[np.float64]
) -> None:
    """Draw a path seen from above, the angles over time, and the drift of the energy."""
    page.suptitle(title)
    above, over_time, drifting = page.subplots(1, 3)
    above.plot(motion[path[0]], motion[path[1]])
    above.set(xlabel=f"{path[0]} [m]", ylabel=f"{path[1]} [m]", title="from above")
    above.set_aspect("equal", adjustable="datalim")
    for name in ("theta", "phi"):  # both mechanisms call them so
        over_time.plot(motion.t, motion[name], label=name)
    over_time.set(xlabel="t [s]", ylabel="[rad]", title="angles")
    over_time.legend()
    drifting.plot(motion.t, energy)
    drifting.set(xlabel="t [s]", title="relative drift of the energy")


def main() -> int:
    """Run the demonstration; fail when the two runs of the same C differ."""
    figure = Figure(figsize=(13, 8), layout="constrained")
    pages = figure.subfigures(2, 1)
    examples = (
        ("rolling_disk", "kane", ("centre_x", "centre_y")),
        ("spherical_pendulum", "hamilton", ("x", "y")),
    )
    for page, (name, method, path) in zip(pages, examples, strict=True):
        print(f"{name}, {method}")
        build = generate(name, method)
        program = make(name)
        table = run(program, round(T_END / DT))
        sim = build.load()
        motion = sim.simulate(t_end=T_END, dt=DT)
        states = table[:, 1 : 1 + len(sim.state_names)]
        if not np.allclose(states, motion.x, rtol=1e-9, atol=1e-9):
            print("  the program and its binding differ", file=sys.stderr)
            return 1
        energy = drift(sim.energy(table[:, 0], states))
        print(f"  {T_END:g} s in RK4 steps of {1e3 * DT:g} ms: energy drift {np.abs(energy).max():.1e}")
        print(f"  {steps_per_second(program) / 1e6:.2f} million steps per second")
        draw(page, f"{name} ({method})", motion, path, energy)
    picture = BUILD / "demo.png"
    figure.savefig(picture, dpi=110)
    print(f"plot: {picture}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
