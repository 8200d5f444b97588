"""Pleiades: seven bodies of masses 1 to 7 that attract each other in a plane, G = 1, with close encounters.

Source: E. Hairer, S. P. Norsett and G. Wanner, *Solving Ordinary Differential Equations I* (1993), section II.10; Test
Set for IVP Solvers, problem Pleiades.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc

START = {
    "x": (3.0, 3.0, -1.0, -3.0, 2.0, -2.0, 2.0),
    "y": (3.0, -3.0, 2.0, 0.0, 0.0, -4.0, 4.0),
    "u": (0.0, 0.0, 0.0, 0.0, 0.0, 1.75, -1.5),
    "v": (0.0, 0.0, 0.0, -1.25, 1.0, 0.0, 0.0),
}


def model() -> eomc.Model:
    """Return the bodies as they start."""
    x, y = dynamicsymbols("x1:8"), dynamicsymbols("y1:8")
    m = sympy.symbols("m1:8", positive=True)
    pairs = [(i, j) for i in range(7) for j in range(i)]
    potential = -sum(m[i] * m[j] / sympy.sqrt((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2) for i, j in pairs)
    kinetic = sum(m[i] * (x[i].diff() ** 2 + y[i].diff() ** 2) for i in range(7)) / 2
    places = dict(zip([*x, *y], START["x"] + START["y"], strict=True))
    rates = dict(zip([q.diff() for q in (*x, *y)], START["u"] + START["v"], strict=True))
    return eomc.from_lagrangian(
        kinetic - potential,
        coordinates=[*x, *y],
        name="pleiades",
        parameters={m[i]: (float(i + 1), "1", f"mass of body {i + 1}, G = 1") for i in range(7)},
        initial={**places, **rates},
    )
