r"""Double pendulum of two uniform bars, the second angle relative to the first bar.

::

    O --+--            q1  angle of bar 1 from the downward vertical, positive counter-clockwise
        |\             q2  angle of bar 2 from the direction of bar 1
        |)\  bar 1     x to the right, y up, gravity is -g y
        q1 \
            + .        each bar: length ``length``, mass centre at its middle,
             \  . )q2           central moment of inertia m length^2/12
         bar 2\

Coordinates ``q1 q2``, speeds ``q1d q2d`` (= q1', q2'), parameters ``m1 m2 length g``. With length 2 the mass matrix is
[[4 m1/3 + m2 (16/3 + 4 cos q2), m2 (4/3 + 2 cos q2)], [m2 (4/3 + 2 cos q2), 4 m2/3]].

Source: E. J. Haug, *Intermediate Dynamics* (1992), double pendulum with relative coordinates.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the double pendulum of bars, let go with the bars folded."""
    q1, q2, q1d, q2d = dynamicsymbols("q1 q2 q1d q2d")
    m1, m2, length, g = sympy.symbols("m1 m2 length g", positive=True)

    N = ReferenceFrame("N")
    pivot = Point("O")
    pivot.set_vel(N, 0)

    A, B = ReferenceFrame("A"), ReferenceFrame("B")  # fixed in the bars, which lie along -y
    A.orient_axis(N, N.z, q1)
    A.set_ang_vel(N, q1d * N.z)
    B.orient_axis(A, A.z, q2)
    B.set_ang_vel(A, q2d * A.z)

    C1 = pivot.locatenew("C1", -length / 2 * A.y)
    C1.v2pt_theory(pivot, N, A)
    hinge = pivot.locatenew("hinge", -length * A.y)
    hinge.v2pt_theory(pivot, N, A)
    C2 = hinge.locatenew("C2", -length / 2 * B.y)
    C2.v2pt_theory(hinge, N, B)

    bar1 = RigidBody("bar1", C1, A, m1, (inertia(A, m1 * length**2 / 12, 0, m1 * length**2 / 12), C1))
    bar2 = RigidBody("bar2", C2, B, m2, (inertia(B, m2 * length**2 / 12, 0, m2 * length**2 / 12), C2))
    return Model(
        name="double_pendulum_bars",
        description="Two uniform bars hinged to each other in a vertical plane, relative angles",
        inertial_frame=N,
        coordinates=[q1, q2],
        speeds=[q1d, q2d],
        kinematical_equations=[q1.diff() - q1d, q2.diff() - q2d],
        bodies=[bar1, bar2],
        gravity=-g * N.y,
        parameters={
            m1: (1.3, "kg", "mass of bar 1"),
            m2: (0.8, "kg", "mass of bar 2"),
            length: (2.0, "m", "length of each bar"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "tip_x": (length * (sympy.sin(q1) + sympy.sin(q1 + q2)), "m", "position of the free end along x"),
            "tip_y": (-length * (sympy.cos(q1) + sympy.cos(q1 + q2)), "m", "height of the free end"),
        },
        shapes={bar: [Shape.box(length / 14, length, length / 14)] for bar in (bar1, bar2)},
        ground=[Shape.sphere(length / 14)],
        initial={
            q1: (0.7, "rad", "angle of bar 1 from the downward vertical"),
            q2: (0.9, "rad", "angle of bar 2 from the direction of bar 1"),
            q1d: (1.2, "rad/s", "rate of q1"),
            q2d: (-0.5, "rad/s", "rate of q2"),
        },
        ranges={q1: (-3.0, 3.0), q2: (-3.0, 3.0)},
    )
