r"""Spherical pendulum: a point mass on a massless rod that swings about a point in space.

::

          z (up)
          |            theta  from the downward vertical to the rod, 0 < theta < pi
        O +----> y     phi    azimuth of the rod about the vertical, from x towards y
         /|\           the mass is at l (sin theta cos phi, sin theta sin phi, -cos theta)
        x |)\
         theta\
                o m    V = m g l (1 - cos theta)

phi is cyclic: its momentum p_phi = m l^2 sin^2(theta) phi' is constant. At theta = 0 and pi the azimuth, and with
it the equations, have no meaning.

Coordinates ``theta phi``, speeds ``theta_d phi_d`` (their derivatives), parameters ``m l g``. Hamilton's form has the
momenta p_theta = m l^2 theta' and p_phi and the function H = (p_theta^2 + p_phi^2/sin^2 theta)/(2 m l^2) + V.

Source: E. T. Whittaker, *Analytical Dynamics*, sect. 55; L. D. Landau, E. M. Lifshitz, *Mechanics*, sect. 14 problem 1.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from eomc.model import Model, Shape


def model() -> Model:
    """Return the spherical pendulum, started sideways so that it neither hangs nor circles."""
    theta, phi, theta_d, phi_d = dynamicsymbols("theta phi theta_d phi_d")
    m, length, g = sympy.symbols("m l g", positive=True)

    N = ReferenceFrame("N")
    pivot = Point("O")
    pivot.set_vel(N, 0)

    A = ReferenceFrame("A")  # turns with the vertical plane of the rod: A.x outward, A.y the direction of growing phi
    A.orient_axis(N, N.z, phi)
    A.set_ang_vel(N, phi_d * N.z)
    B = ReferenceFrame("B")  # turns with the rod: -B.z points to the mass, B.x is the direction of growing theta
    B.orient_axis(A, -A.y, theta)
    B.set_ang_vel(A, -theta_d * A.y)

    P = pivot.locatenew("P", -length * B.z)
    P.set_vel(N, length * theta_d * B.x + length * sympy.sin(theta) * phi_d * B.y)

    return Model(
        name="spherical_pendulum",
        description="Point mass on a massless rod that swings about a point in space",
        inertial_frame=N,
        coordinates=[theta, phi],
        speeds=[theta_d, phi_d],
        kinematical_equations=[theta.diff() - theta_d, phi.diff() - phi_d],
        bodies=[Particle("bob", P, m)],
        gravity=-g * N.z,
        potential_energy=m * g * length,  # a constant: the energy is zero at the lowest point, not at the pivot
        parameters={
            m: (1.3, "kg", "mass"),
            length: (0.8, "m", "length of the rod"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "x": (length * sympy.sin(theta) * sympy.cos(phi), "m", "position of the mass along x"),
            "y": (length * sympy.sin(theta) * sympy.sin(phi), "m", "position of the mass along y"),
            "z": (-length * sympy.cos(theta), "m", "height of the mass above the pivot"),
        },
        shapes={"bob": [Shape.sphere(length / 10)]},
        lines=[Shape.line(pivot, P, "rod")],
        ground=[Shape.sphere(length / 30)],
        initial={
            theta: (0.9, "rad", "angle of the rod from the downward vertical"),
            phi: (0.4, "rad", "azimuth of the rod"),
            theta_d: (0.6, "rad/s", "rate of theta"),
            phi_d: (1.5, "rad/s", "rate of phi"),
        },
        ranges={theta: (0.3, 2.8), phi: (-3.0, 3.0)},
    )
