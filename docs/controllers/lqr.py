"""Gains of a linear-quadratic regulator of the upright pole, sampled each 10 ms, as a header for C."""

import math
from pathlib import Path

import control
import numpy as np

import eomc

DT = 0.01
sim = eomc.compile(eomc.load("cart_pole"), functions=["step_jacobian"]).load()
upright = sim.state({"x": 0.0, "theta": math.pi}, {"x_d": 0.0, "theta_d": 0.0})
_, F, G = sim.step_jacobian(0.0, upright, DT)
gains, _, poles = control.dlqr(F, G, np.diag([1.0, 10.0, 1.0, 1.0]), np.array([[0.1]]))
listed = ", ".join(f"{gain:.17g}" for gain in gains[0])
Path("lqr_gains.h").write_text(
    f"/* Of x, theta, x_d, theta_d: F = -gains (x - upright), held for {DT} s. */\n"
    f"static const double gains[4] = {{{listed}}};\n",
    encoding="utf-8",
)
print(f"largest pole: {max(abs(poles)):.3f}")
