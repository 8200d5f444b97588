r"""Bead on a rough vertical hoop: Coulomb friction whose normal force is itself a reaction.

::

          . - - .
        .    C    .          C      centre of the hoop, radius R
       .     |\    .         theta  angle of the bead from the lowest point
       .     | \   .         theta_d  its rate
        .    |__o .          N      force of the hoop on the bead, towards C
          . _ _ .            g      acceleration of free fall, down

An auxiliary speed ``w`` moves the bead towards C, which brings N into evidence; the friction mu |N| opposes the motion:

    N = m (g cos theta + R theta_d^2)
    R theta_d' = -g sin theta - mu |N| sign(theta_d) / m

A negative N is a force away from C: the bead is threaded on the hoop. Friction at rest, theta_d = 0, is zero here:
sign(0) = 0, so that the bead creeps where it would stick.

Coordinates ``theta``, speeds ``theta_d w`` (the auxiliary speed is no state), parameters ``m R mu g``, reaction ``N``.

Source: T. R. Kane, D. A. Levinson, *Dynamics: Theory and Applications* (1985), sections 4.9 (noncontributing forces)
and 4.10 (Coulomb friction).
"""

from __future__ import annotations

import itertools
import math

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from eomc.model import Model, Shape


def model() -> Model:
    """Return the bead, on its way up."""
    theta, theta_d, w = dynamicsymbols("theta theta_d w")
    m, R, mu, g, N = sympy.symbols("m R mu g N", real=True)

    ground = ReferenceFrame("G")
    arm = ReferenceFrame("A")  # y from the bead to the centre, x the way it goes
    arm.orient_axis(ground, ground.z, theta)
    centre = Point("C")
    centre.set_vel(ground, 0)
    bead = centre.locatenew("P", -R * arm.y)
    bead.set_vel(ground, R * theta_d * arm.x + w * arm.y)

    turns = [math.tau * k / 36 for k in range(37)]
    hoop = [(R * math.cos(turn), R * math.sin(turn), 0) for turn in turns]
    return Model(
        name="coulomb_bead",
        description="Bead on a rough vertical hoop, with Coulomb friction",
        inertial_frame=ground,
        coordinates=[theta],
        speeds=[theta_d, w],
        auxiliary_speeds=[w],
        kinematical_equations=[theta.diff() - theta_d],
        bodies=[Particle("bead", bead, m)],
        loads=[(bead, N * arm.y - mu * abs(N) * sympy.sign(theta_d) * arm.x)],
        reactions={N: ("N", "force of the hoop on the bead, towards the centre")},
        gravity=-g * ground.y,
        parameters={
            m: (0.4, "kg", "mass of the bead"),
            R: (0.5, "m", "radius of the hoop"),
            mu: (0.15, "1", "coefficient of kinetic friction"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        shapes={"bead": [Shape.sphere(R / 12)]},
        ground=[Shape.line(start, end, "rod") for start, end in itertools.pairwise(hoop)],
        initial={
            theta: (0.3, "rad", "angle of the bead from the lowest point"),
            theta_d: (5.0, "rad/s", "angular velocity of the bead about the centre"),
        },
        ranges={theta: (-3.0, 3.0), theta_d: (-6.0, 6.0)},
    )
