r"""Free rigid body: rotation of a body on which no torque acts, in any attitude.

::

          3                e0 e1 e2 e3  unit quaternion (scalar first) that turns the inertial axes into the body's
          |  2             w1 w2 w3     components of the angular velocity along the body's principal axes 1 2 3
          | /
          +---- 1          the mass centre is at rest: its motion is independent, and the mass does not matter

Euler's equations, I1 w1' = (I2 - I3) w2 w3 and so on in a circle. Constant are the energy (I1 w1^2 + I2 w2^2 + I3
w3^2)/2 and the angular momentum, whose magnitude is the output ``angular_momentum``. Rotation about the axis of the
middle moment of inertia is unstable: started near it, as here, the body turns over again and again (the effect of
Dzhanibekov, or the tennis racket).

A quaternion has no singular attitude, which is why there are four coordinates and three speeds. ``quaternion_norm``
stays 1 up to the error of integration.

Coordinates ``e0 e1 e2 e3``, speeds ``w1 w2 w3``, parameters ``I1 I2 I3``.

Source: L. D. Landau, E. M. Lifshitz, *Mechanics*, sect. 37.
"""

from __future__ import annotations

import sympy
from sympy import Expr
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the free rigid body, turning about an axis near its middle one."""
    e0, e1, e2, e3, w1, w2, w3 = dynamicsymbols("e0 e1 e2 e3 w1 w2 w3")
    I1, I2, I3 = sympy.symbols("I1 I2 I3", positive=True)

    N = ReferenceFrame("N")
    B = ReferenceFrame("B")  # fixed in the body, along its principal axes
    B.orient_quaternion(N, (e0, e1, e2, e3))
    B.set_ang_vel(N, w1 * B.x + w2 * B.y + w3 * B.z)
    C = Point("C")
    C.set_vel(N, 0)

    body = RigidBody("body", C, B, sympy.Integer(1), (inertia(B, I1, I2, I3), C))
    half = sympy.Rational(1, 2)

    def side(along: Expr, *across: Expr) -> Expr:
        """Return what a box of these moments of inertia measures, where one can have them."""
        return sympy.sqrt(6 * sympy.Max(sum(across) - along, along / 20))

    return Model(
        name="free_rigid_body",
        description="Torque-free rotation of a rigid body in any attitude",
        inertial_frame=N,
        coordinates=[e0, e1, e2, e3],
        speeds=[w1, w2, w3],
        kinematical_equations=[  # the quaternion product e' = e (0, w)/2
            e0.diff() + half * (e1 * w1 + e2 * w2 + e3 * w3),
            e1.diff() - half * (e0 * w1 + e2 * w3 - e3 * w2),
            e2.diff() - half * (e0 * w2 + e3 * w1 - e1 * w3),
            e3.diff() - half * (e0 * w3 + e1 * w2 - e2 * w1),
        ],
        bodies=[body],
        parameters={
            I1: (1.0, "kg m^2", "moment of inertia about axis 1"),
            I2: (2.0, "kg m^2", "moment of inertia about axis 2"),
            I3: (3.0, "kg m^2", "moment of inertia about axis 3"),
        },
        outputs={
            "angular_momentum": (
                sympy.sqrt((I1 * w1) ** 2 + (I2 * w2) ** 2 + (I3 * w3) ** 2),
                "kg m^2/s",
                "magnitude of the angular momentum",
            ),
            "quaternion_norm": (sympy.sqrt(e0**2 + e1**2 + e2**2 + e3**2), "1", "norm of the quaternion, ideally 1"),
        },
        shapes={body: [Shape.box(side(I1, I2, I3), side(I2, I3, I1), side(I3, I1, I2))]},
        initial={
            e0: (1.0, "1", "scalar part of the quaternion"),
            e1: (0.0, "1", "quaternion along axis 1"),
            e2: (0.0, "1", "quaternion along axis 2"),
            e3: (0.0, "1", "quaternion along axis 3"),
            w1: (0.01, "rad/s", "angular velocity along axis 1"),
            w2: (3.0, "rad/s", "angular velocity along axis 2"),
            w3: (0.01, "rad/s", "angular velocity along axis 3"),
        },
        ranges={w1: (-3.0, 3.0), w2: (-3.0, 3.0), w3: (-3.0, 3.0)},
    )
