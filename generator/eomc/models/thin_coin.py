r"""Thin coin: a thin uniform disk that rolls on a horizontal plane without slip, in its own angular velocity.

::

       k_B (axle)                phi    heading: about the vertical K,
         `.     ____             theta  lean: about i_B, the rim's horizontal tangent; pi/2 is upright, 0 is flat
           `. /     \            psi    spin: about the axle k_B
             C       |           x, y   point of contact A in the plane
            / \_____/
      R   /                      i_B = (cos phi, sin phi, 0)
        /                        j_B = from A to the centre C
    ---A------------------       k_B = i_B x j_B

B follows the coin without its spin. The generalized speeds are the components in B of the coin's angular velocity,

    omega_coin = theta' i_B + phi' (sin theta j_B + cos theta k_B) + psi' k_B = wx i_B + wy j_B + wz k_B
    omega_B    = omega_coin at psi' = 0                                       = wx i_B + wy j_B + wy cot theta k_B

and everything else follows from them: the particle at A is at rest, hence v_C = omega_coin x R j_B, and the point of
contact moves along the plane with x' = -R psi' cos phi, y' = -R psi' sin phi. Equations of motion:

    wx' = (wy^2 cot theta - 6 wy wz - 4 (g/R) cos theta)/5,   wy' = 2 wx wz - wx wy cot theta,   wz' = (2/3) wx wy

``rolling_disk`` is the same for a body with any moments of inertia, written out by components.

Coordinates ``theta phi psi x y``, speeds ``wx wy wz``, parameters ``m R g``: the mass drops out of the motion.

Source: D. J. Korteweg (1900) and P. Appell (1900), who solved it; Ju. I. Neimark, N. A. Fufaev, *Dynamics of
Nonholonomic Systems* (1972).
"""

from __future__ import annotations

from sympy import cos, cot, sin, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the coin, rolling on a curve that will bring it down and up again."""
    theta, phi, psi, x, y, wx, wy, wz = dynamicsymbols("theta phi psi x y wx wy wz")
    m, R, g = symbols("m R g", positive=True)

    N = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(N, 0)

    H = ReferenceFrame("H")  # heading: H.x = i_B
    H.orient_axis(N, N.z, phi)
    B = ReferenceFrame("B")  # leaning, not spinning
    B.orient_axis(H, H.x, theta)
    B.set_ang_vel(N, wx * B.x + wy * B.y + wy * cot(theta) * B.z)
    D = ReferenceFrame("D")  # fixed in the coin
    D.orient_axis(B, B.z, psi)
    D.set_ang_vel(N, wx * B.x + wy * B.y + wz * B.z)

    A = origin.locatenew("A", x * N.x + y * N.y)
    C = A.locatenew("C", R * B.y)
    C.set_vel(N, D.ang_vel_in(N).cross(R * B.y))

    # The coin is round: its inertia is the same in B, where it is simpler than in the spinning frame D.
    coin = RigidBody("coin", C, D, m, (inertia(B, m * R**2 / 4, m * R**2 / 4, m * R**2 / 2), C))
    return Model(
        name="thin_coin",
        description="Thin uniform disk rolling on a horizontal plane without slip",
        inertial_frame=N,
        coordinates=[theta, phi, psi, x, y],
        speeds=[wx, wy, wz],
        kinematical_equations=[
            theta.diff() - wx,
            phi.diff() * sin(theta) - wy,
            phi.diff() * cos(theta) + psi.diff() - wz,
            x.diff() + R * psi.diff() * cos(phi),
            y.diff() + R * psi.diff() * sin(phi),
        ],
        bodies=[coin],
        gravity=-g * N.z,
        parameters={
            m: (0.0075, "kg", "mass"),
            R: (0.0116, "m", "radius"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "centre_x": (x - R * cos(theta) * sin(phi), "m", "position of the centre along x"),
            "centre_y": (y + R * cos(theta) * cos(phi), "m", "position of the centre along y"),
            "centre_z": (R * sin(theta), "m", "height of the centre"),
        },
        shapes={coin: [Shape.cylinder(R, R / 12), *(Shape.line((-x, -y, 0), (x, y, 0)) for x, y in ((R, 0), (0, R)))]},
        ground=[Shape.box(20 * R, 20 * R, 0)],
        initial={
            theta: (1.3, "rad", "lean: pi/2 upright, 0 flat"),
            phi: (0.0, "rad", "heading about the vertical"),
            psi: (0.0, "rad", "spin about the axle"),
            x: (0.0, "m", "point of contact along x"),
            y: (0.0, "m", "point of contact along y"),
            wx: (0.0, "rad/s", "angular velocity about i_B, the horizontal tangent"),
            wy: (0.0, "rad/s", "angular velocity about j_B, towards the centre"),
            wz: (25.0, "rad/s", "angular velocity about k_B, the axle"),
        },
        ranges={theta: (0.5, 2.6), phi: (-3.0, 3.0), psi: (-3.0, 3.0), wz: (-4.0, 4.0)},
    )
