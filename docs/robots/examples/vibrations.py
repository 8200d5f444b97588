"""How the standing quadruped vibrates: an equilibrium by trim, its modes by linearize, and by energies alone.

python vibrations.py [ROBOT.urdf]

The robot stands where nothing pushes its feet sideways; where on the ground and with which heading is for us to say, so
that these are held. Its 36 eigenvalues are of four kinds. Ground, joints and weight make ten vibrations. A foot that
slides is stopped by friction within microseconds, in two directions each: eight fast decays. As friction is smooth,
what is left in these directions creeps back: five slow ones. Place and heading of the whole come back by nothing: three
zeros.

The same eigenvalues are computed from M q'' + D q' + K q = 0, as text-books have it: M from kinetic energies of unit
speeds, K from second differences of the potential energy and that of the springs, D from the losses of joints and
ground, with differences of the places of the feet. Neither equations of motion nor their derivatives enter there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from quadruped import CONTROLLER, FEET, GROUND, ROBOT, a, energy_of_springs, k, kd, mu, quadruped, v_s

import eomc

HELD = ("base_x", "base_y", "base_angle_z")
STEP = 1e-4  # of differences: the ground is pressed down by ten times that [m, rad]
SIZE = 1e-3  # below which an eigenvalue counts by its size, not by its ratio [1/s]
BOUND = 1e-6


def differences(function: Callable[[np.ndarray], np.ndarray], *directions: np.ndarray) -> np.ndarray:
    """Return derivatives along directions by central differences of fourth order."""

    def central(h: float) -> np.ndarray:
        if len(directions) == 1:
            return (function(h * directions[0]) - function(-h * directions[0])) / (2 * h)
        along, against = directions[0] + directions[1], directions[0] - directions[1]
        corners = function(h * along) + function(-h * along) - function(h * against) - function(-h * against)
        return corners / (4 * h**2)

    return (4 * central(STEP) - central(2 * STEP)) / 3


def by_energies(sim: eomc.Simulator, q: np.ndarray) -> np.ndarray:
    """Return the eigenvalues of small motions about a rest at q."""
    value = {symbol: number for symbol, (number, *_) in {**GROUND, **CONTROLLER}.items()}
    n, unit = len(q), np.eye(len(q))
    one, other = np.repeat(unit, n, axis=0), np.tile(unit, (n, 1))

    def kinetic(u: np.ndarray) -> np.ndarray:
        return sim.energy(0.0, np.hstack([np.tile(q, (len(u), 1)), u]))["kinetic"]

    def outputs(moved: np.ndarray) -> np.ndarray:
        return sim.outputs(0.0, np.hstack([q + moved, np.zeros_like(moved)]))

    def potential(moved: np.ndarray) -> np.ndarray:
        return sim.energy(0.0, np.hstack([q + moved, np.zeros_like(moved)]))["potential"] + outputs(moved)[:, 0]

    M = (kinetic(one + other) - kinetic(one) - kinetic(other)).reshape(n, n)
    K = differences(potential, one, other).reshape(n, n)
    D = np.diag([0.0] * 6 + [value[kd]] * (n - 6))
    rows, place = differences(outputs, unit).T, outputs(np.zeros((1, n)))[0]
    for foot in range(len(FEET)):
        x, y, z = (rows[1 + 3 * foot + axis] for axis in range(3))
        push = -value[k] * place[3 + 3 * foot]
        D += push * (value[mu] / value[v_s] * (np.outer(x, x) + np.outer(y, y)) + value[a] * np.outer(z, z))
    A = np.block([[np.zeros((n, n)), unit], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    return np.linalg.eigvals(A)


def apart(first: np.ndarray, second: np.ndarray) -> float:
    """Return how far two sets of eigenvalues are apart, each beside its own size."""
    distance = np.abs(first[:, None] - second)
    return max((distance.min(axis=side) / (np.abs(values) + SIZE)).max() for side, values in ((1, first), (0, second)))


def main() -> int:
    """Find the equilibrium, its modes in two ways, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robot", type=Path, nargs="?", default=ROBOT)
    robot = quadruped(
        parser.parse_args().robot,
        base="angles",
        outputs=lambda tree: {
            "springs": energy_of_springs(tree),
            **{f"{foot}_{axis}": tree.position(foot)[i] for foot in FEET for i, axis in enumerate("xyz")},
        },
    )
    build = eomc.compile(robot)
    rest = eomc.trim(build, {"base_z": 0.22}, held=HELD)
    modes = eomc.linearize(build, rest).eigenvalues
    print(f"the body rests at {rest['base_z']:.5f} m, the hips bent by {rest['FL_HAA']:.4f} rad")
    zero = np.abs(modes) < SIZE
    waves, decays = modes[~zero & (modes.imag > 0)], np.sort(-modes[~zero & (modes.imag == 0)].real)
    for mode in waves[np.argsort(abs(waves))]:
        print(f"vibration of {abs(mode) / (2 * np.pi):5.2f} Hz, damping {-mode.real / abs(mode):.3f}")
    slow, fast = decays[decays < 1e3], decays[decays >= 1e3]
    print(f"{len(fast)} decays of {fast[0]:.0f}/s and more, {len(slow)} of {slow[0]:.3f} to {slow[-1]:.3f}/s")
    print(f"{np.sum(zero)} zeros")
    found = apart(modes, by_energies(build.load(), rest.state[: len(robot.coordinates)]))
    print(f"by energies alone the eigenvalues are the same to {found:.0e}")
    kinds = (len(waves), len(fast), len(slow), np.sum(zero))
    return 0 if kinds == (10, 8, 5, 3) and found < BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
