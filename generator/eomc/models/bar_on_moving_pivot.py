r"""Uniform bar in a vertical plane on a pivot that is moved along x in a prescribed way z(t).

::

            / bar          theta  angle of the bar from +x, positive counter-clockwise
          C                z      position of the pivot along x: prescribed, no coordinate
        /                  C      mass centre, at l2/2 from the pivot; central moment of inertia J2
      P ) theta            M2     moment on the bar
    --o------------> x     y up, gravity is -g y
    z(t)

The motion of the pivot is prescribed in one of two ways:

    bar_on_moving_pivot      by an expression, z = z_amp sin(z_omega t): its derivatives are taken for the user
    bar_on_moving_pivot:1    by inputs: the signal z and its derivatives z_d, z_dd, known only when the model runs

Equation of motion, with J0 = J2 + m2 l2^2/4:

    J0 theta'' + (m2 g l2/2) cos theta = M2 + (m2 l2/2) z'' sin theta

The kinetic energy holds time: p = J0 theta' - (m2 l2/2) z' sin theta, and H = p theta' - L is not T + V.

Coordinates ``theta``, speeds ``theta_d`` (= theta'), parameters ``m2 l2 J2 g`` (and ``z_amp z_omega``), input ``M2``
(and ``z z_d z_dd``).

Source: L. D. Landau, E. M. Lifshitz, *Mechanics*, sect. 5 problem 3b, with a bar for the particle.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.errors import UsageError
from eomc.model import Model, Shape


def model(signal: int = 0) -> Model:
    """Return the bar, shaken at its pivot.

    Parameters
    ----------
    signal
        1: z, z', z'' are inputs; 0: z is a sine.

    Raises
    ------
    UsageError
        `signal` is neither 0 nor 1.
    """
    if signal not in (0, 1):
        raise UsageError(f"bar_on_moving_pivot:{signal} is not known: write bar_on_moving_pivot:0 or :1")
    theta, theta_d, M2 = dynamicsymbols("theta theta_d M2")
    m2, l2, J2, g, z_amp, z_omega = sympy.symbols("m2 l2 J2 g z_amp z_omega", positive=True)
    t = dynamicsymbols._t
    z = dynamicsymbols("z") if signal else z_amp * sympy.sin(z_omega * t)

    N = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(N, 0)
    pivot = origin.locatenew("P", z * N.x)
    pivot.set_vel(N, z.diff(t) * N.x)

    A = ReferenceFrame("A")  # fixed in the bar, which lies along A.x
    A.orient_axis(N, N.z, theta)
    A.set_ang_vel(N, theta_d * N.z)
    C = pivot.locatenew("C", l2 / 2 * A.x)
    C.v2pt_theory(pivot, N, A)

    parameters = {
        m2: (1.1, "kg", "mass of the bar"),
        l2: (0.8, "m", "length of the bar"),
        J2: (0.09, "kg m^2", "central moment of inertia of the bar"),
        g: (9.81, "m/s^2", "acceleration of free fall"),
    }
    inputs = {M2: (0.0, "N m", "moment on the bar")}
    if signal:
        inputs |= {
            z: (0.0, "m", "position of the pivot along x"),
            z.diff(t): (0.0, "m/s", "velocity of the pivot"),
            z.diff(t, 2): (0.0, "m/s^2", "acceleration of the pivot"),
        }
    else:
        parameters |= {
            z_amp: (0.2, "m", "amplitude of the pivot's motion"),
            z_omega: (3.0, "rad/s", "angular frequency of the pivot's motion"),
        }
    return Model(
        name="bar_on_moving_pivot",
        description="Bar on a pivot that is moved in a prescribed way" + (", given by inputs" if signal else ""),
        inertial_frame=N,
        coordinates=[theta],
        speeds=[theta_d],
        kinematical_equations=[theta.diff() - theta_d],
        bodies=[RigidBody("bar", C, A, m2, (inertia(A, 0, 0, J2), C))],
        loads=[(A, M2 * N.z)],
        gravity=-g * N.y,
        inputs=inputs,
        parameters=parameters,
        outputs={
            "centre_x": (z + l2 / 2 * sympy.cos(theta), "m", "position of the mass centre along x"),
            "centre_y": (l2 / 2 * sympy.sin(theta), "m", "height of the mass centre above the pivot"),
        },
        shapes={"bar": [Shape.box(l2, l2 / 14, l2 / 14)], "pivot": [Shape.box(l2 / 5, l2 / 8, l2 / 8)]},
        points={"pivot": pivot},
        ground=[Shape.rod((-l2, 0, 0), (l2, 0, 0), l2 / 60)],
        initial={
            theta: (0.5, "rad", "angle of the bar from +x"),
            theta_d: (1.3, "rad/s", "angular velocity of the bar"),
        },
        ranges={theta: (-3.0, 3.0)},
    )
