"""The loop of reaching.c on this machine, in an emulated Cortex-M4 where its tools are installed, and in Python.

python reaching.py [ROBOT.urdf]

All arithmetic is strict: the three must end in the same state, to the last bit. The error of the arm stays below a
bound that reaching.c derives and computes on its way.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

import eomc

HERE = Path(__file__).resolve().parent
ROBOT, FOLDER = HERE / "ur5.urdf", Path("arm")
SAMPLE, SAMPLES = 2.0**-10, 2048  # [s]
real = np.float32
MOVING, OMEGA = real(1.5), real(20.0)  # [s], [1/s]
START = np.array([0.0, -1.2, 1.4, -0.8, 0.3, 0.0], dtype=real)
WAY = np.array([1.0, -0.4, 0.6, -1.5, -0.6, 1.2], dtype=real) - START


class ComputedTorque:
    """The controller of reaching.c, in floats and in the order of its operations."""

    def __init__(self, sim: eomc.Simulator) -> None:
        self.sim, self.worst = sim, 0.0

    def __call__(self, t: float, x: np.ndarray) -> list[float]:
        """Return the torques that are held until the next sample."""
        q, u = x.astype(real)[:6], x.astype(real)[6:]
        s = min(real(t) / MOVING, real(1))
        rest = real(1) - s
        place = START + WAY * (s * s * s * (real(10) + s * (real(6) * s - real(15))))
        speed = WAY * (real(30) * s * s * rest * rest) / MOVING
        acceleration = WAY * (real(60) * s * rest * (rest - s)) / (MOVING * MOVING)
        error = place - q
        self.worst = max(self.worst, float(np.max(np.abs(error))))
        wanted = acceleration + OMEGA * (real(2) * (speed - u) + OMEGA * error)
        return list(self.sim.inverse_dynamics(0.0, x, wanted).values())


def printed(goal: str) -> list[str]:
    """Run the program by the emitted Makefile, and return the lines that it prints."""
    command = ["make", "-s", "--no-print-directory", "-C", str(FOLDER), goal, f"PROGRAM={HERE / 'reaching.c'}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return done.stdout.splitlines()[:3]


def main() -> int:
    """Run the loop in all places, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robot", type=Path, nargs="?", default=ROBOT)
    model = eomc.from_urdf(parser.parse_args().robot, name="ur5")
    build = eomc.compile(model, real="float", math="strict", target="cortex-m4", functions="rhs,inverse_dynamics")
    build.write(FOLDER)
    states = {}

    states["in C"], error, _ = printed("run-host")
    print(f"in C: {error}")
    tools = ("arm-none-eabi-gcc", "qemu-system-arm")
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        print(f"on a Cortex-M4: {' and '.join(missing)} not installed, so that nothing is emulated")
    else:
        states["on a Cortex-M4"], error, time = printed("run-qemu")
        print(f"on a Cortex-M4: {error}; {time}")

    sim = build.load()
    controller = ComputedTorque(sim)
    x0 = [*map(float, START), *[0.0] * 6]
    run = sim.simulate(SAMPLES * SAMPLE, dt=SAMPLE, x0=x0, integrator="rk4", controller=controller, sample_time=SAMPLE)
    bits = " ".join(f"{word:08x}" for word in run.x[-1].astype(real).view(np.uint32))
    states["in Python"] = f"state {bits}"
    print(f"in Python: largest error {1e9 * controller.worst:.0f} nrad")
    same = len(set(states.values())) == 1
    print(f"{', '.join(states)}: {'the same bits' if same else 'other bits'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
