r"""Slider-crank with a crank and a rod of unequal length in a vertical plane, in three ways.

::

            B                  theta  angle of the crank from +x, counter-clockwise
           o                   beta   angle of the rod: it goes from B along (sin beta, -cos beta)
     l1  / '  .   l2           x      position of the slider
       /theta   '  .
      O             [#]---> x  uniform bars: mass centres at their middles, central moments of inertia m l^2/12
                     x         the slider, mass ``m3``, keeps to the x axis; y up, gravity is -g y; tau turns the crank

The loop closes where

    l1 cos theta + l2 sin beta - x = 0
    l1 sin theta - l2 cos beta = 0

and can be held closed in three ways, all of the same motion:

    slider_crank_unequal      both constraints, three coordinates and speeds, two multipliers
    slider_crank_unequal:1    one constraint, the second: the slider is the rod's end and has no coordinate
    slider_crank_unequal:0    one speed, no multipliers: the kinematical equations keep the loop closed,
                              beta' = -l1 cos theta u1/(l2 sin beta), x' = -l1 cos(theta - beta) u1/sin beta

Coordinates ``theta beta x``, speeds ``u1 u2 u3`` (their rates), parameters ``m1 m2 m3 l1 l2 g``, input ``tau``.

Source: T. R. Kane, D. A. Levinson, *Dynamics: Theory and Applications* (1985), for the choice of speeds;
E. J. Haug, *Intermediate Dynamics* (1992), for multipliers.
"""

from __future__ import annotations

from sympy import cos, sin, symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.errors import UsageError
from eomc.model import Model, Shape


def model(constraints: int = 2) -> Model:
    """Return the slider-crank, the crank turning.

    Parameters
    ----------
    constraints
        How many constraints hold the speeds: 2, 1 or 0.

    Raises
    ------
    UsageError
        Any other number.
    """
    if constraints not in (0, 1, 2):
        raise UsageError(f"slider_crank_unequal:{constraints} is not known: write slider_crank_unequal:0, :1 or :2")
    theta, beta, x, u1, u2, u3, tau = dynamicsymbols("theta beta x u1 u2 u3 tau")
    m1, m2, m3, l1, l2, g = symbols("m1 m2 m3 l1 l2 g", positive=True)
    closing = [l1 * cos(theta) + l2 * sin(beta) - x, l1 * sin(theta) - l2 * cos(beta)]
    if constraints == 2:
        coordinates, speeds, beta_d, x_d = [theta, beta, x], [u1, u2, u3], u2, u3
    elif constraints == 1:
        coordinates, speeds, beta_d, x_d = [theta, beta], [u1, u2], u2, -l1 * sin(theta) * u1 + l2 * cos(beta) * u2
        closing = closing[1:]
    else:
        coordinates, speeds = [theta, beta, x], [u1]
        beta_d, x_d = -l1 * cos(theta) / (l2 * sin(beta)) * u1, -l1 * cos(theta - beta) / sin(beta) * u1
    rates = {theta: u1, beta: beta_d, x: x_d}

    N = ReferenceFrame("N")
    pivot = Point("O")
    pivot.set_vel(N, 0)
    A, B = ReferenceFrame("A"), ReferenceFrame("B")  # the crank lies along A.x, the rod along -B.y
    A.orient_axis(N, N.z, theta)
    A.set_ang_vel(N, u1 * N.z)
    B.orient_axis(N, N.z, beta)
    B.set_ang_vel(N, beta_d * N.z)

    C1 = pivot.locatenew("C1", l1 / 2 * A.x)
    C1.v2pt_theory(pivot, N, A)
    pin = pivot.locatenew("B", l1 * A.x)
    pin.v2pt_theory(pivot, N, A)
    C2 = pin.locatenew("C2", -l2 / 2 * B.y)
    C2.v2pt_theory(pin, N, B)
    place = x if x in coordinates else l1 * cos(theta) + l2 * sin(beta)
    slider = pivot.locatenew("slider", place * N.x)
    slider.set_vel(N, x_d * N.x)

    initial = {
        theta: (0.8, "rad", "angle of the crank from +x"),
        beta: (1.3, "rad", "angle of the rod, from the downward vertical"),
        x: (None, "m", "position of the slider"),
        u1: (2.5, "rad/s", "rate of theta"),
        u2: (None, "rad/s", "rate of beta"),
        u3: (None, "m/s", "rate of x"),
    }
    return Model(
        name="slider_crank_unequal",
        description=f"Crank, longer rod and slider in a vertical plane, with {constraints} constraints on the speeds",
        inertial_frame=N,
        coordinates=coordinates,
        speeds=speeds,
        kinematical_equations=[q.diff() - rates[q] for q in coordinates],
        bodies=[
            RigidBody("crank", C1, A, m1, (inertia(A, 0, m1 * l1**2 / 12, m1 * l1**2 / 12), C1)),
            RigidBody("rod", C2, B, m2, (inertia(B, m2 * l2**2 / 12, 0, m2 * l2**2 / 12), C2)),
            Particle("slider", slider, m3),
        ],
        loads=[(A, tau * N.z)],
        gravity=-g * N.y,
        configuration_constraints=closing,
        inputs={tau: (0.0, "N m", "torque on the crank")},
        parameters={
            m1: (1.2, "kg", "mass of the crank"),
            m2: (0.9, "kg", "mass of the rod"),
            m3: (0.5, "kg", "mass of the slider"),
            l1: (0.3, "m", "length of the crank"),
            l2: (0.8, "m", "length of the rod"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={"slider_x": (place, "m", "position of the slider")},
        shapes={
            "crank": [Shape.box(l1, l1 / 8, l1 / 8)],
            "rod": [Shape.box(l1 / 8, l2, l1 / 8)],
            "slider": [Shape.box(l1 / 2, l1 / 3, l1 / 3)],
        },
        ground=[Shape.sphere(l1 / 8), Shape.rod((0, 0, 0), (l1 + l2, 0, 0), l1 / 40)],
        initial={symbol: value for symbol, value in initial.items() if symbol in (*coordinates, *speeds)},
        ranges={theta: (-3.0, 3.0), beta: (1.0, 2.1)},
    )
