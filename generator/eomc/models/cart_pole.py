r"""Cart and pole: a cart on a horizontal rail with a pendulum, pushed by a force; the standard problem of control.

::

    F -> [  M  ]           x      position of the cart
    -------+-------> x     theta  angle of the pole from the downward vertical, positive counter-clockwise:
           |\                     0 is hanging, pi is upright
           |)\  l          M      mass of the cart
          theta\           m      point mass at the end of the massless pole
                o m        y is up, gravity is -g y

Without the force, x is cyclic: the momentum p_x = (M + m) x' + m l theta' cos theta is constant.

Coordinates ``x theta``, speeds ``x_d theta_d`` (their derivatives), parameters ``M m l g``, input ``F``.

Source: R. Tedrake, *Underactuated Robotics*, chapter "Acrobots, cart-poles and quadrotors".
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from eomc.model import Model, Shape


def model() -> Model:
    """Return the cart and pole, with the pole let go from far out and no force on the cart."""
    x, theta, x_d, theta_d, F = dynamicsymbols("x theta x_d theta_d F")
    M, m, length, g = sympy.symbols("M m l g", positive=True)

    N = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(N, 0)

    A = ReferenceFrame("A")  # turns with the pole: -A.y points from the cart to the bob
    A.orient_axis(N, N.z, theta)
    A.set_ang_vel(N, theta_d * N.z)

    C = origin.locatenew("C", x * N.x)
    C.set_vel(N, x_d * N.x)
    P = C.locatenew("P", -length * A.y)
    P.v2pt_theory(C, N, A)

    return Model(
        name="cart_pole",
        description="Cart on a rail with a pendulum, pushed by a force",
        inertial_frame=N,
        coordinates=[x, theta],
        speeds=[x_d, theta_d],
        kinematical_equations=[x.diff() - x_d, theta.diff() - theta_d],
        bodies=[Particle("cart", C, M), Particle("bob", P, m)],
        loads=[(C, F * N.x)],
        gravity=-g * N.y,
        inputs={F: (0.0, "N", "horizontal force on the cart")},
        parameters={
            M: (1.0, "kg", "mass of the cart"),
            m: (0.2, "kg", "mass at the end of the pole"),
            length: (0.5, "m", "length of the pole"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "bob_x": (x + length * sympy.sin(theta), "m", "position of the bob along the rail"),
            "bob_y": (-length * sympy.cos(theta), "m", "height of the bob above the rail"),
        },
        shapes={"cart": [Shape.box(length / 2, length / 4, length / 4)], "bob": [Shape.sphere(length / 12)]},
        lines=[Shape.line(C, P, "rod")],
        ground=[Shape.rod((-4 * length, 0, 0), (4 * length, 0, 0), length / 60)],
        initial={
            x: (0.0, "m", "position of the cart"),
            theta: (1.5, "rad", "angle of the pole: 0 hanging, pi upright"),
            x_d: (0.5, "m/s", "velocity of the cart"),
            theta_d: (0.0, "rad/s", "angular velocity of the pole"),
        },
        ranges={theta: (-3.0, 3.0)},
    )
