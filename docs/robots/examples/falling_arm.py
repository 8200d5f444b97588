"""An arm without power falls on its table, with elbow and tool: impacts whose gaps are heights of links.

python falling_arm.py [ROBOT.urdf]

An impact is frictionless: the impulse L >= 0 acts along the gap g alone, M (u+ - u-) = J^T L with J = dg'/du, and
Newton's law g'+ = -e g'- gives L = -(1 + e) g'- / (J M^-1 J^T). It takes the energy (1 - e^2) g'-^2 / (2 J M^-1 J^T).
All of this is computed here, from the state before each hit, and compared with the state after it. The elbow bounces
ever faster in the end: the run ends there and says so, and the times between bounces have one ratio, e.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

import eomc
from eomc.trees import JointLoad, JointTree

ROBOT = Path(__file__).with_name("ur5.urdf")
E = 0.5  # coefficient of restitution
RADIUS = 0.05  # of elbow and tool [m]
LOSS = 2.0  # of a joint without power [N m s]
POSE = {"shoulder_lift_joint": -1.2, "elbow_joint": 0.5, "wrist_1_joint": -1.0}
PARTS = {"elbow": "forearm_link", "tool": "tool0"}
BOUND = 1e-9
CLEAR = 1e-6  # bounces that are closer in time are apart by few roundings of it [s]


def build(tree: JointTree) -> dict[str, Any]:
    """Add the table, the losses of the joints, and the rows dg'/du of the gaps."""
    joints = [joint for joint in tree.joints if joint.kind.speeds == 1]
    rows = {part: tree.jacobian(link)[2, :] for part, link in PARTS.items()}  # dz'/du
    return {
        "impacts": [
            eomc.Impact(tree.position(link)[2] - RADIUS, restitution=E, name=part) for part, link in PARTS.items()
        ],
        "loads": [JointLoad(joint=joint.name, loads=(-LOSS * joint.speeds[0],)) for joint in joints],
        "outputs": {f"{part}_{k}": entry for part, row in rows.items() for k, entry in enumerate(row)},
    }


def after(sim: eomc.Simulator, t: float, x: np.ndarray, part: str) -> tuple[np.ndarray, float, float]:
    """Return speeds after a hit, the rate of the gap before it, and the energy that it takes, by the formulas above."""
    M, n = sim.mass_matrix(t, x), len(x) // 2
    first = sim.output_names.index(f"{part}_0")
    J = sim.outputs(t, x)[first : first + n]
    give = np.linalg.solve(M, J)
    rate = J @ x[n:]
    return x[n:] - (1 + E) * rate / (J @ give) * give, rate, (1 - E**2) * rate**2 / (2 * J @ give)


def main() -> int:
    """Fall, and compare each hit with its formulas."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robot", type=Path, nargs="?", default=ROBOT)
    sim = eomc.compile(eomc.from_urdf(parser.parse_args().robot, inputs="none", build=build)).load()
    try:
        hits = sim.simulate(2.0, x0=sim.state(POSE), rtol=1e-11, atol=1e-11).events
    except eomc.EomcError as error:
        print(str(error).partition(";")[0])
        hits = error.trajectory.events
    n, worst = len(sim.initial_state) // 2, 0.0
    for number, hit in enumerate(hits):
        x = np.array(hit.before)
        speeds, rate, lost = after(sim, hit.t, x, hit.name)
        found = np.array(hit.after)
        energies = [sim.energy(hit.t, state)["kinetic"] for state in (x, found)]
        size = np.linalg.norm(speeds)
        errors = [np.linalg.norm(found[n:] - speeds) / size, abs(energies[0] - energies[1] - lost) / energies[0]]
        worst = max(worst, *errors)
        if number < 5:
            print(f"t = {hit.t:.4f} s: {hit.name} at {-rate:.3f} m/s, {lost:.4f} J lost")
    print(f"{len(hits)} hits agree with their formulas to {worst:.0e} of speeds and energies")
    apart = np.diff([hit.t for hit in hits if hit.name == "elbow"])
    apart = apart[apart > CLEAR][-4:]
    ratios = apart[1:] / apart[:-1]
    told = ", ".join(f"{ratio:.3f}" for ratio in ratios)
    print(f"the times between the last clear bounces of the elbow have the ratios {told}")
    return 0 if hits and worst < BOUND and np.all(np.abs(ratios - E) < 1e-2) else 1


if __name__ == "__main__":
    sys.exit(main())
