"""Chaplygin's sleigh: a plane body on ice that cannot slip sideways at one point, its knife edge.

::

    y                      q1, q2  position of the knife edge P
    |       a  .G          q3      heading of the blade, from x, positive counter-clockwise
    |     . -'             G       mass centre, at distance a ahead of P along the blade
    |   P=====             A.x is the direction of the blade, A.y across it to the left
    |     ) q3             the blade: v_P . A.y = 0, a nonholonomic constraint
    +-----------> x

The constraint is satisfied by the choice of speeds, of which there are fewer than coordinates: ``u1`` = v_P . A.x
and ``u3`` = yaw rate, with q1' = u1 cos q3, q2' = u1 sin q3, q3' = u3 (there is no u2: it would be v_P . A.y).
Equations of motion:

    m (u1' - a u3^2) = F,    (I + m a^2) u3' + m a u1 u3 = tau.

Without forces the sleigh always ends up sliding with its mass centre ahead, whatever its start, although its energy
is constant: something that no system with a Hamiltonian can do.

Coordinates ``q1 q2 q3``, speeds ``u1 u3``, parameters ``m I a`` (I about the mass centre), inputs ``F`` (force at P
along the blade) and ``tau`` (torque about the vertical). The output ``blade_force`` is the force of the ice on the
blade along A.y.

Source: S. A. Chaplygin (1911); Ju. I. Neimark, N. A. Fufaev, *Dynamics of Nonholonomic Systems* (1972).
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the sleigh, pushed off backwards so that it turns round."""
    q1, q2, q3, u1, u3, F, tau = dynamicsymbols("q1 q2 q3 u1 u3 F tau")
    m, I_G, a = sympy.symbols("m I a", positive=True)

    N = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(N, 0)

    A = ReferenceFrame("A")  # fixed in the sleigh
    A.orient_axis(N, N.z, q3)
    A.set_ang_vel(N, u3 * N.z)

    P = origin.locatenew("P", q1 * N.x + q2 * N.y)
    P.set_vel(N, u1 * A.x)
    G = P.locatenew("G", a * A.x)
    G.v2pt_theory(P, N, A)

    sleigh = RigidBody("sleigh", G, A, m, (inertia(A, 0, 0, I_G), G))  # motion is planar: only Izz acts
    yaw_acceleration = (tau - m * a * u1 * u3) / (I_G + m * a**2)
    return Model(
        name="chaplygin_sleigh",
        description="Plane body on a knife edge that cannot slip sideways",
        inertial_frame=N,
        coordinates=[q1, q2, q3],
        speeds=[u1, u3],
        kinematical_equations=[q1.diff() - u1 * sympy.cos(q3), q2.diff() - u1 * sympy.sin(q3), q3.diff() - u3],
        bodies=[sleigh],
        loads=[(P, F * A.x), (A, tau * A.z)],
        inputs={
            F: (0.0, "N", "force at the knife edge along the blade"),
            tau: (0.0, "N m", "torque about the vertical"),
        },
        parameters={
            m: (3.0, "kg", "mass"),
            I_G: (0.7, "kg m^2", "moment of inertia about the vertical through the mass centre"),
            a: (0.4, "m", "distance of the mass centre ahead of the knife edge"),
        },
        outputs={
            "blade_force": (m * (u1 * u3 + a * yaw_acceleration), "N", "force of the ice on the blade, to the left"),
        },
        shapes={sleigh: [Shape.box(2 * a, a, a / 10), Shape.box(a / 2, a / 20, a / 3, offset=(-a, 0, -a / 5))]},
        ground=[Shape.box(30 * a, 30 * a, 0, offset=(0, 0, -a / 3))],
        initial={
            q1: (0.0, "m", "position of the knife edge along x"),
            q2: (0.0, "m", "position of the knife edge along y"),
            q3: (0.0, "rad", "heading of the blade, from x"),
            u1: (-1.0, "m/s", "velocity of the knife edge along the blade"),
            u3: (0.9, "rad/s", "yaw rate"),
        },
        ranges={q3: (-3.0, 3.0)},
    )
