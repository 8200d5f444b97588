r"""Rolling disk: a round disk (a coin, a hoop) that rolls on a horizontal plane without slip.

::

       k0 (axle)                 phi    heading: 3-1-3 angles, about the vertical K,
         `.     ____             theta  lean: about i0, the rim's horizontal tangent; pi/2 is upright, 0 is flat
           `. /     \            psi    spin: about the axle k0
             C       |           x, y   point of contact A in the plane
            / \_____/
      R   /                      i0 = (cos phi, sin phi, 0)
        /                        j0 = from A to the centre C: C = A + R j0
    ---A------------------       k0 = i0 x j0

The frame B0 = (i0, j0, k0) follows the disk without its spin. The speeds are the components in B0 of the disk's
angular velocity,

    u1 = theta',    u2 = phi' sin theta,    u3 = phi' cos theta + psi',

and rolling adds x' = -R psi' cos phi, y' = -R psi' sin phi: five kinematical equations for five coordinates, with
three speeds (two nonholonomic constraints are satisfied by construction). The point of contact moves along the
plane; the disk's particle there is at rest, hence v_C = omega x R j0 = -R u3 i0 + R u1 k0. Equations of motion:

    (It + m R^2) u1' + (Ia + m R^2) u2 u3 - It u2^2 cot theta = -m g R cos theta
    It u2' + It u1 u2 cot theta - Ia u1 u3 = 0
    (Ia + m R^2) u3' - m R^2 u1 u2 = 0

Coordinates ``theta phi psi x y``, speeds ``u1 u2 u3``, parameters ``m R It Ia g``: It is the moment of inertia
about a diameter, Ia about the axle; the defaults are a thin uniform disk, It = m R^2/4 and Ia = m R^2/2. The energy
is constant, and is counted from the plane. The angles have no meaning when the disk lies flat.

Source: E. J. Routh, *Advanced Rigid Dynamics*; P. Appell and D. J. Korteweg (1900); Ju. I. Neimark, N. A. Fufaev,
*Dynamics of Nonholonomic Systems* (1972); O. M. O'Reilly, Nonlinear Dynamics 10 (1996) 287.
"""

from __future__ import annotations

from sympy import cos, sin, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the rolling disk, leaning and rolling fast enough to come back up."""
    theta, phi, psi, x, y, u1, u2, u3 = dynamicsymbols("theta phi psi x y u1 u2 u3")
    m, R, It, Ia, g = symbols("m R It Ia g", positive=True)

    N = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(N, 0)

    H = ReferenceFrame("H")  # heading: H.x = i0
    H.orient_axis(N, N.z, phi)
    B0 = ReferenceFrame("B0")  # leaning, not spinning: (i0, j0, k0)
    B0.orient_axis(H, H.x, theta)
    B0.set_ang_vel(N, u1 * B0.x + u2 * B0.y + phi.diff() * cos(theta) * B0.z)
    D = ReferenceFrame("D")  # fixed in the disk
    D.orient_axis(B0, B0.z, psi)
    D.set_ang_vel(N, u1 * B0.x + u2 * B0.y + u3 * B0.z)

    A = origin.locatenew("A", x * N.x + y * N.y)
    C = A.locatenew("C", R * B0.y)
    C.set_vel(N, -R * u3 * B0.x + R * u1 * B0.z)

    # The disk is round: its inertia is the same in B0, where it is simpler than in the spinning frame D.
    disk = RigidBody("disk", C, D, m, (inertia(B0, It, It, Ia), C))
    return Model(
        name="rolling_disk",
        description="Round disk rolling on a horizontal plane without slip",
        inertial_frame=N,
        coordinates=[theta, phi, psi, x, y],
        speeds=[u1, u2, u3],
        kinematical_equations=[
            theta.diff() - u1,
            phi.diff() * sin(theta) - u2,
            phi.diff() * cos(theta) + psi.diff() - u3,
            x.diff() + R * psi.diff() * cos(phi),
            y.diff() + R * psi.diff() * sin(phi),
        ],
        bodies=[disk],
        gravity=-g * N.z,
        parameters={
            m: (2.0, "kg", "mass"),
            R: (0.5, "m", "radius"),
            It: (0.125, "kg m^2", "central moment of inertia about a diameter"),
            Ia: (0.25, "kg m^2", "central moment of inertia about the axle"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "centre_x": (x - R * cos(theta) * sin(phi), "m", "position of the centre along x"),
            "centre_y": (y + R * cos(theta) * cos(phi), "m", "position of the centre along y"),
            "centre_z": (R * sin(theta), "m", "height of the centre"),
        },
        shapes={disk: [Shape.cylinder(R, R / 20), *(Shape.line((-x, -y, 0), (x, y, 0)) for x, y in ((R, 0), (0, R)))]},
        ground=[Shape.box(20 * R, 20 * R, 0)],
        initial={
            theta: (1.2, "rad", "lean: pi/2 upright, 0 flat"),
            phi: (0.0, "rad", "heading about the vertical"),
            psi: (0.0, "rad", "spin about the axle"),
            x: (0.0, "m", "point of contact along x"),
            y: (0.0, "m", "point of contact along y"),
            u1: (0.1, "rad/s", "angular velocity about i0, the horizontal tangent"),
            u2: (0.3, "rad/s", "angular velocity about j0, towards the centre"),
            u3: (4.0, "rad/s", "angular velocity about k0, the axle"),
        },
        ranges={theta: (0.5, 2.6), phi: (-3.0, 3.0), psi: (-3.0, 3.0), u3: (-4.0, 4.0)},
    )
