"""Two masses on a rod: one fixed to it, the other sliding along it without friction.

::

                    o m2          q2  angle of the massless rod from the horizontal x axis, counter-clockwise
              L   /               q1  distance of the sliding mass m1 from the pivot O
                /                 L   distance of the fixed mass m2 from O
         q1  # m1                 x to the right, y up, gravity is -g y
          /
       O +----------> x

Equations of motion:

    m1 q1'' = m1 q1 q2'^2 - m1 g sin q2
    (m2 L^2 + m1 q1^2) q2'' = -2 m1 q1 q1' q2' - (m1 q1 + m2 L) g cos q2

The momenta are p_q1 = m1 q1' and p_q2 = (m2 L^2 + m1 q1^2) q2'.

Nothing stops the slider: it passes through the pivot, and in the end it runs away along the rod from nearly every
start. The default start keeps it near for 10 s.

Coordinates ``q1 q2``, speeds ``q1d q2d`` (= q1', q2'), parameters ``m1 m2 L g``.

Source: a classic of lectures on multibody dynamics, where it is derived with multipliers, by Lagrange and by Hamilton.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from eomc.model import Model, Shape


def model() -> Model:
    """Return the rod with two masses, swinging so that m1 slides to and fro through the pivot."""
    q1, q2, q1d, q2d = dynamicsymbols("q1 q2 q1d q2d")
    m1, m2, L, g = sympy.symbols("m1 m2 L g", positive=True)

    N = ReferenceFrame("N")
    pivot = Point("O")
    pivot.set_vel(N, 0)

    A = ReferenceFrame("A")  # turns with the rod, which lies along A.x
    A.orient_axis(N, N.z, q2)
    A.set_ang_vel(N, q2d * N.z)
    pivot.set_vel(A, 0)

    P1 = pivot.locatenew("P1", q1 * A.x)
    P1.set_vel(A, q1d * A.x)
    P1.v1pt_theory(pivot, N, A)
    P2 = pivot.locatenew("P2", L * A.x)
    P2.v2pt_theory(pivot, N, A)

    return Model(
        name="two_masses_on_rod",
        description="A rod in a vertical plane with one mass fixed to it and one sliding along it",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[q1d, q2d],
        kinematical_equations=[q1.diff() - q1d, q2.diff() - q2d],
        bodies=[Particle("slider", P1, m1), Particle("end", P2, m2)],
        gravity=-g * N.y,
        parameters={
            m1: (0.9, "kg", "sliding mass"),
            m2: (1.6, "kg", "fixed mass"),
            L: (1.2, "m", "distance of the fixed mass from the pivot"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "x1": (q1 * sympy.cos(q2), "m", "position of the sliding mass along x"),
            "y1": (q1 * sympy.sin(q2), "m", "height of the sliding mass above the pivot"),
        },
        shapes={"slider": [Shape.sphere(L / 16)], "end": [Shape.sphere(L / 10)]},
        lines=[Shape.line(pivot.locatenew("far", -L * A.x), P2, "rod")],
        ground=[Shape.sphere(L / 30)],
        initial={
            q1: (-0.3, "m", "distance of the sliding mass from the pivot"),
            q2: (-1.6, "rad", "angle of the rod from the horizontal"),
            q1d: (-1.1, "m/s", "rate of q1"),
            q2d: (3.9, "rad/s", "rate of q2"),
        },
        ranges={q1: (-1.0, 1.0), q2: (-3.0, 3.0)},
    )
