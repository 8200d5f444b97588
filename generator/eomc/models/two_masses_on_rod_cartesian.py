"""Two masses on a rod in Cartesian coordinates: one fixed to the massless rod, the other sliding along it.

::

                    o m2 (x2, y2)      the rod turns about the origin O in a vertical plane, y up, gravity is -g y
              L   /                    m2 stays at the distance L from O:  x2^2 + y2^2 - L^2 = 0
                /                      m1 stays on the line O-m2:          x1 y2 - x2 y1 = 0
            # m1 (x1, y1)
          /
       O +----------> x

Two configuration constraints hold four dependent coordinates: the first example of Lagrange's equations of the first
kind, and of Hamilton's equations with dependent coordinates. ``two_masses_on_rod`` is the same mechanism in two
independent coordinates.

Coordinates ``x1 y1 x2 y2``, speeds ``x1d y1d x2d y2d`` (their rates), parameters ``m1 m2 L g``.

Source: a classic of lectures on multibody dynamics.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from eomc.model import Model, Shape


def model() -> Model:
    """Return the rod with two masses, the slider near the middle."""
    x1, y1, x2, y2 = coordinates = dynamicsymbols("x1 y1 x2 y2")
    x1d, y1d, x2d, y2d = speeds = dynamicsymbols("x1d y1d x2d y2d")
    m1, m2, L, g = sympy.symbols("m1 m2 L g", positive=True)

    N = ReferenceFrame("N")
    pivot = Point("O")
    pivot.set_vel(N, 0)
    P1 = pivot.locatenew("P1", x1 * N.x + y1 * N.y)
    P1.set_vel(N, x1d * N.x + y1d * N.y)
    P2 = pivot.locatenew("P2", x2 * N.x + y2 * N.y)
    P2.set_vel(N, x2d * N.x + y2d * N.y)

    return Model(
        name="two_masses_on_rod_cartesian",
        description="A rod with one mass fixed to it and one sliding along it, in Cartesian coordinates",
        inertial_frame=N,
        coordinates=coordinates,
        speeds=speeds,
        kinematical_equations=[q.diff() - u for q, u in zip(coordinates, speeds, strict=True)],
        bodies=[Particle("slider", P1, m1), Particle("end", P2, m2)],
        gravity=-g * N.y,
        configuration_constraints=[x2**2 + y2**2 - L**2, x1 * y2 - x2 * y1],
        parameters={
            m1: (0.9, "kg", "sliding mass"),
            m2: (1.6, "kg", "fixed mass"),
            L: (1.2, "m", "distance of the fixed mass from the pivot"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={"distance": (sympy.sqrt(x1**2 + y1**2), "m", "distance of the sliding mass from the pivot")},
        shapes={"slider": [Shape.sphere(L / 16)], "end": [Shape.sphere(L / 10)]},
        points={"far": (-x2, -y2, 0)},
        lines=[Shape.line("far", P2, "rod")],
        ground=[Shape.sphere(L / 30)],
        initial={
            x1: (0.0087580, "m", "position of the sliding mass along x"),
            y1: (0.2998721, "m", "height of the sliding mass"),
            x2: (-0.0350393, "m", "position of the fixed mass along x"),
            y2: (-1.1994883, "m", "height of the fixed mass"),
            x1d: (-1.137, "m/s", "rate of x1"),
            y1d: (1.134, "m/s", "rate of y1"),
            x2d: (4.678, "m/s", "rate of x2"),
            y2d: (-0.137, "m/s", "rate of y2"),
        },
        ranges={x1: (-1.0, 1.0), y1: (-1.0, 1.0), x2: (-1.2, 1.2), y2: (-1.2, 1.2)},
    )
