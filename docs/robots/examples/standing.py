"""The quadruped falls on its feet, one side first, and stands 5 s; the energy that it loses is the work of its loads.

python standing.py [ROBOT.urdf] [-o PNG]

Along an exact motion E - W is constant, the work W being a state whose rate is the power of all loads. A step with the
errors e_i changes it by |sum g_i e_i| at most, g = d(E - W)/dx, and the steps keep the mean of squares of
e_i/(atol + rtol |x_i|) over the n states below one: by Cauchy and Schwarz the sum over all steps of
sqrt(n) |g_i (atol + rtol |x_i|)| bounds the defect, as far as the estimates of errors do.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from quadruped import BASE, FEET, ROBOT, energy_of_springs, normal_force, power_of_loads, quadruped, tilted
from sympy.physics.mechanics import dynamicsymbols

import eomc

T_END, TOLERANCE = 5.0, 1e-10
TICKS = (0, 0.05, 0.1, 0.15, 0.2, 0.5, 1, 2, 5)
G = 9.81  # [m/s^2]


def model(path: Path) -> eomc.Model:
    """Return the quadruped with the work of its loads as a state and what is looked at as outputs."""
    work = dynamicsymbols("work")
    return quadruped(
        path,
        extra_states=lambda tree: {work: power_of_loads(tree)},
        initial=lambda tree: {work: (0.0, "J", "work of all loads")},
        outputs=lambda tree: {
            "springs": (energy_of_springs(tree), "J", "energy of the springs"),
            "upright": (tree.rotation(BASE)[2, 2], "", "cosine of the body's tilt"),
            **{foot: (normal_force(tree, foot), "N") for foot in FEET},
        },
    )


def slopes(sim: eomc.Simulator, x: np.ndarray) -> np.ndarray:
    """Return d(E - W)/dx for states as rows, by central differences."""
    found = np.empty_like(x)
    for i in range(x.shape[1]):
        sides = []
        for step in (1e-5, -1e-5):
            beside = x.copy()
            beside[:, i] += step
            sides.append(sim.energy(0.0, beside)["total"])
        found[:, i] = (sides[0] - sides[1]) / 2e-5
    found[:, -1] -= 1.0
    return found


def bound(sim: eomc.Simulator, x: np.ndarray) -> float:
    """Return how far E - W can be from its start after all steps [J]."""
    allowed = slopes(sim, x) * (TOLERANCE + TOLERANCE * np.abs(x))
    return float(np.sqrt(x.shape[1]) * np.linalg.norm(allowed, axis=1).sum())


def draw(run: eomc.Trajectory, place: Path) -> None:
    """Draw height and forces over energies."""
    figure = Figure(figsize=(8.0, 6.0), layout="constrained")
    above, middle, below = figure.subplots(3, sharex=True)
    times = np.linspace(0.0, T_END, 2001)
    above.plot(times, run(times)[:, run.names.index("base_z")], color="black")
    above.set_ylabel("height of the body [m]")
    for foot in FEET:
        middle.plot(run.t, run[foot], label=foot)
    middle.set_ylabel("force on a foot [N]")
    middle.legend(fontsize="small", ncols=4)
    energy = run["energy_total"]
    below.plot(run.t, energy - energy[0], label="energy, from its start")
    below.plot(run.t, run["work"], "--", label="work of all loads")
    below.plot(run.t, energy + run["springs"] - energy[0] - run["springs"][0], label="energy with that of the springs")
    below.set_ylabel("[J]")
    below.set_xlabel("t [s], from 0.2 s on logarithmic")
    below.legend(fontsize="small")
    for axes in (above, middle, below):
        axes.set_xscale("symlog", linthresh=0.2)
        axes.set_xticks(TICKS, labels=[f"{tick:g}" for tick in TICKS])
        axes.grid(alpha=0.3)
    figure.savefig(place, dpi=110)
    print(f"drawn in {place}")


def main() -> int:
    """Fall, stand, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robot", type=Path, nargs="?", default=ROBOT)
    parser.add_argument("-o", "--output", metavar="PNG", type=Path)
    options = parser.parse_args()
    robot = model(options.robot)
    mass = sum(link.mass for link in robot.dynamics.links)
    sim = eomc.compile(robot, integrator="rodas5p").load()  # friction is stiff where a foot sticks
    run = sim.simulate(T_END, x0=tilted(sim), rtol=TOLERANCE, atol=TOLERANCE)

    energy, work = run["energy_total"], run["work"]
    defect, allowed = float(np.max(np.abs(energy - energy[0] - work))), bound(sim, run.x)
    rise = float(np.max(np.diff(energy + run["springs"])))
    tilt = math.degrees(math.acos(min(1.0, run["upright"][-1])))
    carried, weight = sum(run[foot][-1] for foot in FEET), mass * G
    height, change = run["base_z"][-1], energy[-1] - energy[0]
    print(f"after {T_END:g} s and {len(run.t) - 1} steps the body is {height:.3f} m high, tilted by {tilt:.2f} deg")
    print(f"the feet carry {carried:.3f} N, the weight is {weight:.3f} N")
    print(f"energy changed by {change:.6f} J, work {work[-1]:.6f} J; defect {defect:.1e} J, bound {allowed:.1e} J")
    print(f"with the springs' energy it rose by {max(rise, 0):.1e} J at most in a step")
    if options.output:
        draw(run, options.output)
    stands = height > 0.15 and tilt < 1.0 and abs(carried - weight) < 1e-3 * weight
    return 0 if stands and defect < allowed and rise < allowed else 1


if __name__ == "__main__":
    sys.exit(main())
