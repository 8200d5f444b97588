r"""Double pendulum: two point masses on massless rods, absolute angles.

::

    O --+--            th1, th2  each from the downward vertical, positive counter-clockwise
        |\             x to the right, y up, gravity is -g y
        |)\  l1
        th1\
            o m1
            |\
            |)\  l2
            th2\
                o m2

Coordinates ``th1 th2``, speeds ``th1d th2d`` (= th1', th2'), parameters ``m1 m2 l1 l2 g``. The energy is counted
from the pivot: V = -(m1 + m2) g l1 cos th1 - m2 g l2 cos th2. Outputs are the Cartesian coordinates of both masses.

Source: L. D. Landau, E. M. Lifshitz, *Mechanics*, sect. 5 problem 1 and sect. 23 problem 2.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from eomc.model import Model, Shape


def model() -> Model:
    """Return the double pendulum, let go well beyond the small-angle regime."""
    th1, th2, th1d, th2d = dynamicsymbols("th1 th2 th1d th2d")
    m1, m2, l1, l2, g = sympy.symbols("m1 m2 l1 l2 g", positive=True)

    N = ReferenceFrame("N")
    pivot = Point("O")
    pivot.set_vel(N, 0)

    A, B = ReferenceFrame("A"), ReferenceFrame("B")  # turn with the rods, both measured in N: -y points along the rod
    A.orient_axis(N, N.z, th1)
    A.set_ang_vel(N, th1d * N.z)
    B.orient_axis(N, N.z, th2)
    B.set_ang_vel(N, th2d * N.z)

    P1 = pivot.locatenew("P1", -l1 * A.y)
    P1.v2pt_theory(pivot, N, A)
    P2 = P1.locatenew("P2", -l2 * B.y)
    P2.v2pt_theory(P1, N, B)

    x1, y1 = l1 * sympy.sin(th1), -l1 * sympy.cos(th1)
    return Model(
        name="double_pendulum",
        description="Two point masses on massless rods in a vertical plane, absolute angles",
        inertial_frame=N,
        coordinates=[th1, th2],
        speeds=[th1d, th2d],
        kinematical_equations=[th1.diff() - th1d, th2.diff() - th2d],
        bodies=[Particle("bob1", P1, m1), Particle("bob2", P2, m2)],
        gravity=-g * N.y,
        parameters={
            m1: (1.0, "kg", "upper mass"),
            m2: (1.7, "kg", "lower mass"),
            l1: (0.9, "m", "length of the upper rod"),
            l2: (1.3, "m", "length of the lower rod"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "x1": (x1, "m", "position of the upper mass along x"),
            "y1": (y1, "m", "height of the upper mass"),
            "x2": (x1 + l2 * sympy.sin(th2), "m", "position of the lower mass along x"),
            "y2": (y1 - l2 * sympy.cos(th2), "m", "height of the lower mass"),
        },
        shapes={"bob1": [Shape.sphere(l1 / 12)], "bob2": [Shape.sphere(l1 / 10)]},
        lines=[Shape.line(pivot, P1, "rod"), Shape.line(P1, P2, "rod")],
        ground=[Shape.sphere(l1 / 30)],
        initial={
            th1: (0.8, "rad", "angle of the upper rod from the downward vertical"),
            th2: (-0.5, "rad", "angle of the lower rod from the downward vertical"),
            th1d: (1.1, "rad/s", "angular velocity of the upper rod"),
            th2d: (-0.6, "rad/s", "angular velocity of the lower rod"),
        },
        ranges={th1: (-3.0, 3.0), th2: (-3.0, 3.0)},
    )
