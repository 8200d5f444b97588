"""Two masses on a rail: a model that has the time, an input, outputs, and units as people write them."""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc


def model() -> eomc.Model:
    """Return two masses on a rail with a spring between them, driven by a force and by an oscillation."""
    x, y, x_d, y_d, force = dynamicsymbols("x y v#1 y_d F")
    m1, m2, k, a, w = sympy.symbols("m1 m2 k a w")
    time = dynamicsymbols._t
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    A, B = origin.locatenew("A", x * N.x), origin.locatenew("B", (x + y) * N.x)
    A.set_vel(N, x_d * N.x)
    B.set_vel(N, (x_d + y_d) * N.x)
    return eomc.Model(
        name="driven",
        description="Two masses, a spring & a shaker",
        inertial_frame=N,
        coordinates=[x, y],
        speeds=[x_d, y_d],
        kinematical_equations=[x.diff() - x_d, y.diff() - y_d],
        bodies=[Particle("first", A, m1), Particle("second", B, m2)],
        loads=[(A, (force + k * y + a * sympy.sin(w * time)) * N.x), (B, -k * y * N.x)],
        inputs={force: (0.5, "N", "force on the first")},
        outputs={"pull": (k * y, "N"), "power": (force * x_d, "W"), "shake": a * sympy.sin(w * time)},
        parameters={m1: (1.0, "kg"), m2: (0.5, "kg"), k: (0.02, "N/mm"), a: (0.3, "N"), w: (2.0, "rad/s")},
        initial={x: (100, "mm"), y: (-0.05, "m"), x_d: (0.0, "m/s"), y_d: (0.1, "m/s")},
        ranges={k: (0.0, 100.0), y: (-0.2, 0.3)},
    )
