r"""Simple pendulum: a point mass on a massless rod, in a vertical plane.

::

    O +---------> x        theta  from the horizontal x axis to the rod, positive downward (clockwise),
      | \  ) theta                 so that r = (L cos theta, -L sin theta)
      |   \                y points up, gravity is -g y
              o m          hanging at rest: theta = pi/2

Equation of motion: theta_dd - (g/L) cos theta = 0.

Coordinate ``theta``, speed ``theta_d`` = theta', parameters ``m L g``; outputs are the mass's Cartesian coordinates.

Source: any text on mechanics; the angle is that of a slide on Kane's method on which the sign of gravity comes out
wrong when the angle is mistaken for the counter-clockwise one.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from eomc.model import Model, Shape


def model() -> Model:
    """Return the simple pendulum, let go at rest from the horizontal."""
    theta, theta_d = dynamicsymbols("theta theta_d")
    m, L, g = sympy.symbols("m L g", positive=True)

    N = ReferenceFrame("N")
    pivot = Point("O")
    pivot.set_vel(N, 0)

    A = ReferenceFrame("A")  # turns with the rod: A.x points from O to the mass
    A.orient_axis(N, -N.z, theta)
    A.set_ang_vel(N, -theta_d * N.z)

    P = pivot.locatenew("P", L * A.x)
    P.v2pt_theory(pivot, N, A)

    return Model(
        name="simple_pendulum",
        description="Point mass on a massless rod in a vertical plane, angle from the horizontal",
        inertial_frame=N,
        coordinates=[theta],
        speeds=[theta_d],
        kinematical_equations=[theta.diff() - theta_d],
        bodies=[Particle("bob", P, m)],
        gravity=-g * N.y,
        parameters={
            m: (1.5, "kg", "mass"),
            L: (0.7, "m", "length of the rod"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "x": (L * sympy.cos(theta), "m", "position of the mass along x"),
            "y": (-L * sympy.sin(theta), "m", "height of the mass above the pivot"),
        },
        shapes={"bob": [Shape.sphere(L / 10)]},
        lines=[Shape.line(pivot, P, "rod")],
        ground=[Shape.sphere(L / 30)],
        initial={
            theta: (0.0, "rad", "angle of the rod below the horizontal"),
            theta_d: (0.0, "rad/s", "rate of theta"),
        },
        ranges={theta: (-3.0, 3.0)},
    )
