r"""A uniform cylinder that rolls without slip inside a fixed hollow cylinder.

::

      \        O        /      theta  of the line from O to the centre C, from the downward vertical,
       \       |\      /               positive counter-clockwise
        \      |)\    /       R      radius of the fixed cylinder
         `.   theta o C       r      radius of the rolling one
           `-._____.-'        gravity is -g y, y up

The centre moves on a circle of radius R - r; rolling makes the cylinder spin with -(R - r) theta'/r about z,
against theta'. Equation of motion: (3/2) (R - r) theta'' + g sin theta = 0, a pendulum of length 3 (R - r)/2. The
constraint is holonomic, so that one coordinate is enough. H = (3/4) m (R - r)^2 theta'^2 + m g (R - r) (1 - cos
theta).

Coordinate ``theta``, speed ``theta_d`` = theta', parameters ``m r R g``; output is the cylinder's own angle.

Source: L. D. Landau, E. M. Lifshitz, *Mechanics*, sect. 32 problem 6.
"""

from __future__ import annotations

import itertools
import math

import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the cylinder in a cylinder, let go from one radian."""
    theta, theta_d = dynamicsymbols("theta theta_d")
    m, r, R, g = sympy.symbols("m r R g", positive=True)

    N = ReferenceFrame("N")
    pivot = Point("O")
    pivot.set_vel(N, 0)

    A = ReferenceFrame("A")  # turns with the line of centres: -A.y points from O to C
    A.orient_axis(N, N.z, theta)
    A.set_ang_vel(N, theta_d * N.z)
    B = ReferenceFrame("B")  # fixed in the rolling cylinder
    B.orient_axis(N, N.z, -(R - r) / r * theta)
    B.set_ang_vel(N, -(R - r) / r * theta_d * N.z)

    C = pivot.locatenew("C", -(R - r) * A.y)
    C.v2pt_theory(pivot, N, A)

    cylinder = RigidBody("cylinder", C, B, m, (inertia(B, 0, 0, m * r**2 / 2), C))  # motion is planar: only Izz acts
    turns = [-math.pi * k / 24 for k in range(25)]
    hollow = [(R * math.cos(turn), R * math.sin(turn), 0) for turn in turns]
    return Model(
        name="rolling_cylinder",
        description="Uniform cylinder rolling without slip inside a fixed cylinder",
        inertial_frame=N,
        coordinates=[theta],
        speeds=[theta_d],
        kinematical_equations=[theta.diff() - theta_d],
        bodies=[cylinder],
        gravity=-g * N.y,
        potential_energy=m * g * (R - r),  # a constant: the energy is zero at the lowest position
        parameters={
            m: (1.7, "kg", "mass of the rolling cylinder"),
            r: (0.1, "m", "radius of the rolling cylinder"),
            R: (0.6, "m", "radius of the fixed cylinder"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "spin_angle": (-(R - r) / r * theta, "rad", "angle by which the rolling cylinder has turned"),
        },
        shapes={cylinder: [Shape.cylinder(r, 2 * r), Shape.line((0, 0, r), (r, 0, r))]},
        ground=[Shape.line(start, end, "rod") for start, end in itertools.pairwise(hollow)],
        initial={
            theta: (1.0, "rad", "angle of the line of centres from the downward vertical"),
            theta_d: (0.0, "rad/s", "rate of theta"),
        },
        ranges={theta: (-3.0, 3.0)},
    )
