"""What can be learnt of an arm from its torques: the regressor of inverse dynamics, and what it tells apart.

python identification.py [ROBOT.urdf]

tau = Y(q, u, u') p holds for p = mass, first moments and inertia about the frame's origin of each link, ten numbers:
`parameters="moments"`. Not all can be told apart. Across a hinge three combinations move alike with both links, and
count as those of the carrying one; of the first link, which turns about the vertical, only the inertia about that axis
acts. This leaves 7 n - 6 base parameters of an arm with n hinges, the second not parallel to the first (Gautier and
Khalil, 1990): 43 of a Panda, as Gaz et al. (2019) list them.

Torques along a path, with noise, are fitted by least squares. On another path the fit predicts torques with the
standard deviation sigma sqrt(tr(Y (W^T W)^+ Y^T) / rows), W the stacked regressor of the data.

Gautier, Khalil, Direct calculation of minimum set of inertial parameters of serial robots, IEEE Transactions on
Robotics and Automation 6 (1990). Gaz, Cognetti, Oliva, Robuffo Giordano, De Luca, Dynamic identification of the Franka
Emika Panda robot with retrieval of feasible parameters using penalty-based optimization, IEEE Robotics and Automation
Letters 4 (2019).
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import numpy as np

import eomc

ROBOT = Path(__file__).with_name("panda.urdf")
NOISE = 0.05  # [N m], standard deviation of what is measured
DRAWS = 50  # of the noise
SAMPLES, PERIOD = 400, 8.0  # of a path [s]


def excitation(random: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return states (q, u) and accelerations along a path: sums of five waves in each joint."""
    t = np.linspace(0.0, PERIOD, SAMPLES, endpoint=False)[:, None, None]
    rate = 2 * np.pi / PERIOD * np.arange(1, 6)
    a, b = random.uniform(-0.5, 0.5, (2, n, 5))
    c, s = np.cos(rate * t), np.sin(rate * t)
    q = random.uniform(-1.0, 1.0, n) + (a * c + b * s).sum(axis=2)
    u = ((b * c - a * s) * rate).sum(axis=2)
    return np.hstack([q, u]), (-(a * c + b * s) * rate**2).sum(axis=2)


def main() -> int:
    """Fit, and predict."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robot", type=Path, nargs="?", default=ROBOT)
    path = parser.parse_args().robot
    with warnings.catch_warnings(action="ignore"):  # it is read twice, and `eomc stats` tells what is found
        truth = eomc.from_urdf(path, inputs="none", damping=False)
        unknown = eomc.from_urdf(path, inputs="none", damping=False, parameters="moments")
    names = [parameter.name for parameter in unknown.parameters]
    n = len(truth.speeds)
    arm = eomc.compile(truth, functions="inverse_dynamics").load()
    sim = eomc.compile(unknown, functions=f"regressor:{':'.join(names)}").load()

    def measured(x: np.ndarray, dv: np.ndarray) -> np.ndarray:
        return np.column_stack([*arm.inverse_dynamics(0.0, x, dv).values()]).ravel()

    def stacked(x: np.ndarray, dv: np.ndarray) -> np.ndarray:
        return sim.regressor(0.0, x, dv)[0].reshape(-1, len(names))

    random = np.random.default_rng(7)
    x, dv = excitation(random, n)
    W, tau = stacked(x, dv), measured(x, dv)
    size = np.linalg.norm(W, axis=0)
    size[size == 0] = 1.0  # what never acts
    left, values, right = np.linalg.svd(W / size, full_matrices=False)
    rank = int(np.sum(values > values[0] * len(W) * np.finfo(float).eps))
    gap = values[rank] / values[rank - 1] if rank < len(values) else 0.0
    print(
        f"{path.stem}: {rank} of {len(names)} parameters can be told apart, 7 n - 6 = {7 * n - 6}; the next {gap:.0e}"
    )

    known = np.array([parameter.value for parameter in unknown.parameters])
    exact = np.max(np.abs(W @ known - tau)) / np.max(np.abs(tau))
    inverse = (right[:rank].T / values[:rank]) @ left[:, :rank].T / size[:, None]  # of W, in base parameters
    other, their = excitation(random, n)
    Y, wanted = stacked(other, their), measured(other, their)
    largest = np.max(np.abs(wanted))
    clean = np.max(np.abs(Y @ (inverse @ tau) - wanted)) / largest
    disturbed = tau[:, None] + NOISE * random.standard_normal((len(tau), DRAWS))
    noisy = Y @ (inverse @ disturbed) - wanted[:, None]
    found, expected = np.sqrt(np.mean(noisy**2)), NOISE * np.linalg.norm(Y @ inverse) / np.sqrt(len(Y))
    print(
        f"torques up to {largest:.0f} N m: by the true parameters to {exact:.0e}, by fitted ones to {clean:.0e} of them"
    )
    print(f"with noise of {NOISE:g} N m another path is predicted to {found:.4f} N m, expected {expected:.4f} N m")
    fits = exact < 1e-12 and clean < 1e-9 and abs(found / expected - 1) < 0.2
    return 0 if fits and rank == 7 * n - 6 and gap < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
