r"""Planar arm of two uniform links in absolute angles: a motor at the first, a force at the tip.

::

                 __.-o---> F3 at the angle phi from +x
      elbow  __.- link 3
            o -- -- theta3         theta2, theta3  angle of each link from +x, positive counter-clockwise
           /                       links: lengths l2, l3, mass centres at their middles,
          / link 2                        central moments of inertia m l^2/12
         /) theta2                 M2 turns link 2; y up, gravity is -g y
        O----------> x

Generalized forces:

    Q2 = M2 - (m2/2 + m3) g l2 cos theta2 + F3 l2 sin(phi - theta2)
    Q3 = -(m3/2) g l3 cos theta3 + F3 l3 sin(phi - theta3)

Coordinates ``theta2 theta3``, speeds ``theta2_d theta3_d`` (their rates), parameters ``m2 m3 l2 l3 g``, inputs ``M2``
(motor moment), ``F3`` and ``phi`` (force at the tip). The links count from 2: link 1 is the ground.

Source: M. W. Spong, S. Hutchinson, M. Vidyasagar, *Robot Modeling and Control*, chapter "Dynamics": planar elbow
manipulator with remotely driven link.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the arm, stretched out and falling, without moment and force."""
    theta2, theta3, theta2_d, theta3_d = dynamicsymbols("theta2 theta3 theta2_d theta3_d")
    M2, F3, phi = dynamicsymbols("M2 F3 phi")
    m2, m3, l2, l3, g = sympy.symbols("m2 m3 l2 l3 g", positive=True)

    N = ReferenceFrame("N")
    base = Point("O")
    base.set_vel(N, 0)

    A, B = ReferenceFrame("A"), ReferenceFrame("B")  # fixed in the links, which lie along x
    A.orient_axis(N, N.z, theta2)
    A.set_ang_vel(N, theta2_d * N.z)
    B.orient_axis(N, N.z, theta3)
    B.set_ang_vel(N, theta3_d * N.z)

    C2 = base.locatenew("C2", l2 / 2 * A.x)
    C2.v2pt_theory(base, N, A)
    elbow = base.locatenew("elbow", l2 * A.x)
    elbow.v2pt_theory(base, N, A)
    C3 = elbow.locatenew("C3", l3 / 2 * B.x)
    C3.v2pt_theory(elbow, N, B)
    tip = elbow.locatenew("tip", l3 * B.x)
    tip.v2pt_theory(elbow, N, B)

    return Model(
        name="two_link_arm",
        description="Planar arm of two links with a motor at the base and a force at the tip",
        inertial_frame=N,
        coordinates=[theta2, theta3],
        speeds=[theta2_d, theta3_d],
        kinematical_equations=[theta2.diff() - theta2_d, theta3.diff() - theta3_d],
        bodies=[
            RigidBody("link2", C2, A, m2, (inertia(A, 0, m2 * l2**2 / 12, m2 * l2**2 / 12), C2)),
            RigidBody("link3", C3, B, m3, (inertia(B, 0, m3 * l3**2 / 12, m3 * l3**2 / 12), C3)),
        ],
        loads=[(A, M2 * N.z), (tip, F3 * (sympy.cos(phi) * N.x + sympy.sin(phi) * N.y))],
        gravity=-g * N.y,
        inputs={
            M2: (0.0, "N m", "motor moment on link 2"),
            F3: (0.0, "N", "force at the tip"),
            phi: (0.0, "rad", "direction of the force, from +x"),
        },
        parameters={
            m2: (1.4, "kg", "mass of link 2"),
            m3: (0.8, "kg", "mass of link 3"),
            l2: (0.9, "m", "length of link 2"),
            l3: (0.6, "m", "length of link 3"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "tip_x": (l2 * sympy.cos(theta2) + l3 * sympy.cos(theta3), "m", "position of the tip along x"),
            "tip_y": (l2 * sympy.sin(theta2) + l3 * sympy.sin(theta3), "m", "height of the tip"),
        },
        shapes={"link2": [Shape.box(l2, l2 / 12, l2 / 12)], "link3": [Shape.box(l3, l2 / 12, l2 / 12)]},
        ground=[Shape.sphere(l2 / 10)],
        initial={
            theta2: (0.6, "rad", "angle of link 2 from +x"),
            theta3: (-0.3, "rad", "angle of link 3 from +x"),
            theta2_d: (0.4, "rad/s", "angular velocity of link 2"),
            theta3_d: (1.2, "rad/s", "angular velocity of link 3"),
        },
        ranges={theta2: (-3.0, 3.0), theta3: (-3.0, 3.0)},
    )
