"""The loop of sampled.c in Python, and whether its numbers are the same, to the last bit."""

import math
import sys

import numpy as np

import eomc

SAMPLE_TIME, SAMPLES, BIAS = 0.02, 1000, 0.5


class Feedback:
    """State feedback with an integral [m s] of the error, the controller's own state."""

    def __init__(self) -> None:
        self.integral = 0.0

    def __call__(self, t: float, x: np.ndarray) -> dict[str, float]:
        """Return the inputs that are held until the next sample."""
        place, angle, speed, rate = x
        force = 20.36 * place - 68.64 * (angle - math.pi) + 14.33 * speed - 15.18 * rate + 11.85 * self.integral
        self.integral += SAMPLE_TIME * place
        return {"F": force + BIAS}


cart = eomc.compile(eomc.load("cart_pole"), math="strict").load()
motion = cart.simulate(
    t_end=SAMPLES * SAMPLE_TIME,
    x0=[0.5, 2.9, 0.0, 0.0],
    integrator="dop853",
    controller=Feedback(),
    sample_time=SAMPLE_TIME,
)
in_c = np.loadtxt("sampled.csv", delimiter=",")
in_python = np.column_stack([motion.t, motion.x, motion.inputs])
at_samples = in_python[np.isin(motion.t, in_c[:, 0])]
same = np.array_equal(at_samples, in_c)
print(f"{len(in_c)} samples, {'all the same in C and in Python' if same else 'not the same in C and in Python'}")
sys.exit(0 if same else 1)
