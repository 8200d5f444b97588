r"""Rolling disk in five speeds, two of which depend on the others by the constraints of rolling.

::

       k0 (axle)                 phi    heading: 3-1-3 angles, about the vertical K,
         `.     ____             theta  lean: about i0, the rim's horizontal tangent; pi/2 is upright, 0 is flat
           `. /     \            psi    spin: about the axle k0
             C       |           x, y   point of contact A in the plane
            / \_____/
      R   /                      i0 = (cos phi, sin phi, 0)
        /                        j0 = from A to the centre C: C = A + R j0
    ---A------------------       k0 = i0 x j0

The mechanism of ``rolling_disk``. There, rolling is built into three speeds; here there are as many speeds as
coordinates,

    u1 = theta',    u2 = phi' sin theta,    u3 = phi' cos theta + psi',    u4 = x',    u5 = y',

and that the disk's particle at A is at rest is said by two velocity constraints:

    u4 + R psi' cos phi = 0,    u5 + R psi' sin phi = 0.

u4 and u5 are named dependent. (u2 and u3 could not be: the constraints hold them in the one combination psi'.) The
multipliers are the components of the force that holds A: the ground pushes the disk with -lambda_1 along x and
-lambda_2 along y. With q' for its state the disk is served by Lagrange's equations too.

Coordinates ``theta phi psi x y``, speeds ``u1 u2 u3 u4 u5``, parameters ``m R It Ia g``: It is the moment of inertia
about a diameter, Ia about the axle. The angles have no meaning when the disk lies flat.

Source: T. R. Kane, D. A. Levinson, *Dynamics: Theory and Applications* (1985), sect. 2.13 and 4.5; and as
``rolling_disk``.
"""

from __future__ import annotations

from sympy import cos, sin, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the rolling disk, leaning and rolling fast enough to come back up."""
    theta, phi, psi, x, y = coordinates = dynamicsymbols("theta phi psi x y")
    u1, u2, u3, u4, u5 = speeds = dynamicsymbols("u1 u2 u3 u4 u5")
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

    A = origin.locatenew("A", x * N.x + y * N.y)  # moves along the plane; no particle of the disk
    A.set_vel(N, u4 * N.x + u5 * N.y)
    C = A.locatenew("C", R * B0.y)
    C.v2pt_theory(A, N, B0)

    # The disk is round: its inertia is the same in B0, where it is simpler than in the spinning frame D.
    disk = RigidBody("disk", C, D, m, (inertia(B0, It, It, Ia), C))
    return Model(
        name="rolling_disk_dependent",
        description="Round disk rolling on a horizontal plane without slip, two of its five speeds dependent",
        inertial_frame=N,
        coordinates=coordinates,
        speeds=speeds,
        kinematical_equations=[
            theta.diff() - u1,
            phi.diff() * sin(theta) - u2,
            phi.diff() * cos(theta) + psi.diff() - u3,
            x.diff() - u4,
            y.diff() - u5,
        ],
        bodies=[disk],
        gravity=-g * N.z,
        velocity_constraints=[u4 + R * psi.diff() * cos(phi), u5 + R * psi.diff() * sin(phi)],
        dependent_speeds=[u4, u5],
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
            u4: (None, "m/s", "velocity of the point of contact along x"),
            u5: (None, "m/s", "velocity of the point of contact along y"),
        },
        ranges={theta: (0.5, 2.6), phi: (-3.0, 3.0), psi: (-3.0, 3.0), u3: (-4.0, 4.0)},
    )
