r"""Rolling disk with slip: a round disk that touches a horizontal plane and slides on it, with viscous friction.

::

       k0 (axle)                 phi    heading: 3-1-3 angles, about the vertical K,
         `.     ____             theta  lean: about i0, the rim's horizontal tangent; pi/2 is upright, 0 is flat
           `. /     \            psi    spin: about the axle k0
             C       |           X, Y   horizontal position of the centre C; its height is Z = R sin theta
            / \_____/
      R   /                      i0 = (cos phi, sin phi, 0)
        /                        j0 = from the point of contact A to the centre C
    ---A------------------       k0 = i0 x j0

The frame B0 = (i0, j0, k0) follows the disk without its spin. Five speeds for five coordinates:

    u1 = theta',   u2 = phi' sin theta,   u3 = phi' cos theta + psi',   u4 = X',   u5 = Y'.

The disk keeps touching the plane, a holonomic constraint satisfied by Z = R sin theta. At A the plane exerts,
besides its normal force, the friction -c v_A on the disk, where v_A is the velocity of the disk's particle at A,
always horizontal:

    v_A = (X' - R u1 sin theta sin phi + R u3 cos phi) I + (Y' + R u1 sin theta cos phi + R u3 sin phi) J.

``c = 0`` is a frictionless plane: the energy is constant, and u3, u4 and u5 are. As c grows the motion tends to
rolling without slip (`rolling_disk`).

Coordinates ``theta phi psi X Y``, speeds ``u1 u2 u3 u4 u5``, parameters ``m R It Ia g c``: It is the moment of
inertia about a diameter, Ia about the axle. The angles have no meaning when the disk lies flat.

Source: as `rolling_disk`.
"""

from __future__ import annotations

from sympy import cos, sin, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the sliding disk, thrown so that it slides first and rolls later."""
    theta, phi, psi, X, Y, u1, u2, u3, u4, u5 = dynamicsymbols("theta phi psi X Y u1 u2 u3 u4 u5")
    m, R, It, Ia, g, c = symbols("m R It Ia g c", nonnegative=True)

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

    C = origin.locatenew("C", X * N.x + Y * N.y + R * sin(theta) * N.z)
    C.set_vel(N, u4 * N.x + u5 * N.y + R * cos(theta) * u1 * N.z)
    A = C.locatenew("A", -R * B0.y)  # the disk's particle that touches the plane
    A.set_vel(N, u4 * N.x + u5 * N.y + R * u3 * H.x + R * u1 * sin(theta) * H.y)

    # The disk is round: its inertia is the same in B0, where it is simpler than in the spinning frame D.
    disk = RigidBody("disk", C, D, m, (inertia(B0, It, It, Ia), C))
    return Model(
        name="rolling_disk_with_slip",
        description="Round disk sliding and rolling on a horizontal plane with viscous friction",
        inertial_frame=N,
        coordinates=[theta, phi, psi, X, Y],
        speeds=[u1, u2, u3, u4, u5],
        kinematical_equations=[
            theta.diff() - u1,
            phi.diff() * sin(theta) - u2,
            phi.diff() * cos(theta) + psi.diff() - u3,
            X.diff() - u4,
            Y.diff() - u5,
        ],
        bodies=[disk],
        loads=[(A, -c * A.vel(N))],
        gravity=-g * N.z,
        parameters={
            m: (2.0, "kg", "mass"),
            R: (0.5, "m", "radius"),
            It: (0.15, "kg m^2", "central moment of inertia about a diameter"),
            Ia: (0.22, "kg m^2", "central moment of inertia about the axle"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
            c: (0.9, "N s/m", "viscous friction at the point of contact"),
        },
        outputs={
            "slip_x": (u4 - R * u1 * sin(theta) * sin(phi) + R * u3 * cos(phi), "m/s", "slip of the disk along x"),
            "slip_y": (u5 + R * u1 * sin(theta) * cos(phi) + R * u3 * sin(phi), "m/s", "slip of the disk along y"),
            "centre_z": (R * sin(theta), "m", "height of the centre"),
        },
        shapes={disk: [Shape.cylinder(R, R / 20), *(Shape.line((-x, -y, 0), (x, y, 0)) for x, y in ((R, 0), (0, R)))]},
        ground=[Shape.box(30 * R, 30 * R, 0)],
        initial={
            theta: (1.3, "rad", "lean: pi/2 upright, 0 flat"),
            phi: (0.0, "rad", "heading about the vertical"),
            psi: (0.0, "rad", "spin about the axle"),
            X: (0.0, "m", "position of the centre along x"),
            Y: (0.0, "m", "position of the centre along y"),
            u1: (0.0, "rad/s", "angular velocity about i0, the horizontal tangent"),
            u2: (0.3, "rad/s", "angular velocity about j0, towards the centre"),
            u3: (8.0, "rad/s", "angular velocity about k0, the axle"),
            u4: (-1.0, "m/s", "velocity of the centre along x"),
            u5: (0.0, "m/s", "velocity of the centre along y"),
        },
        ranges={theta: (0.5, 2.6), phi: (-3.0, 3.0), psi: (-3.0, 3.0), u3: (-4.0, 4.0)},
    )
