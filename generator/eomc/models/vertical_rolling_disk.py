r"""Vertical rolling disk: a thin disk that stays upright and rolls on a plane without slip, steered and driven.

::

        seen from above                      seen from the side
    y                                           ___
    |        / i_B  heading                   /     \
    |      /                                 |   C   |  v -->
    |    =C=    ) theta                       \_____/
    |                                        -----A---------
    +-----------> x                          phi: spin about the axle j_B

x, y are the point of contact and, above it, the centre; theta is the heading about the vertical k_B; phi the spin
about the axle j_B = k_B x i_B, positive when the disk rolls forward. The speeds are theta_d = theta' and v, the
speed of the centre along i_B; there are fewer of them than coordinates, because rolling without slip has two
nonholonomic constraints:

    x' = v cos theta,    y' = v sin theta,    phi' = v/R.

Equations of motion: (1/4) m R^2 theta'' = tau_theta,  (3/2) m v' = tau_phi/R.

Coordinates ``x y theta phi``, speeds ``theta_d v``, parameters ``m R``, inputs ``tau_theta`` (steering torque about the
vertical) and ``tau_phi`` (driving torque about the axle). Without torques the disk runs on a circle for ever.
The output ``side_force`` is the force of the ground on the disk along j_B.

Source: A. M. Bloch, *Nonholonomic Mechanics and Control*, sect. 1.4.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the vertical disk, rolling on a circle."""
    x, y, theta, phi, theta_d, v, tau_theta, tau_phi = dynamicsymbols("x y theta phi theta_d v tau_theta tau_phi")
    m, R = sympy.symbols("m R", positive=True)

    N = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(N, 0)

    B = ReferenceFrame("B")  # turns with the heading, but does not spin: B.x = i_B, B.y = j_B
    B.orient_axis(N, N.z, theta)
    B.set_ang_vel(N, theta_d * N.z)
    D = ReferenceFrame("D")  # fixed in the disk
    D.orient_axis(B, B.y, phi)
    D.set_ang_vel(N, theta_d * B.z + v / R * B.y)

    C = origin.locatenew("C", x * N.x + y * N.y + R * N.z)
    C.set_vel(N, v * B.x)

    # The disk is round: its inertia is the same in B, which does not spin.
    disk = RigidBody("disk", C, D, m, (inertia(B, m * R**2 / 4, m * R**2 / 2, m * R**2 / 4), C))
    return Model(
        name="vertical_rolling_disk",
        description="Upright disk rolling on a plane without slip, with steering and driving torque",
        inertial_frame=N,
        coordinates=[x, y, theta, phi],
        speeds=[theta_d, v],
        kinematical_equations=[
            x.diff() - v * sympy.cos(theta),
            y.diff() - v * sympy.sin(theta),
            theta.diff() - theta_d,
            phi.diff() - v / R,
        ],
        bodies=[disk],
        loads=[(D, tau_theta * B.z + tau_phi * B.y)],
        inputs={
            tau_theta: (0.0, "N m", "steering torque about the vertical"),
            tau_phi: (0.0, "N m", "driving torque about the axle"),
        },
        parameters={m: (2.0, "kg", "mass"), R: (0.5, "m", "radius")},
        outputs={
            "side_force": (m * v * theta_d, "N", "force of the ground on the disk along the axle"),
        },
        shapes={
            disk: [
                Shape.cylinder(R, R / 20, axis="y"),
                *(Shape.line((-x, 0, -z), (x, 0, z)) for x, z in ((R, 0), (0, R))),
            ]
        },
        ground=[Shape.box(20 * R, 20 * R, 0)],
        initial={
            x: (0.0, "m", "point of contact along x"),
            y: (0.0, "m", "point of contact along y"),
            theta: (0.0, "rad", "heading, from x"),
            phi: (0.0, "rad", "spin about the axle"),
            theta_d: (1.2, "rad/s", "yaw rate"),
            v: (1.5, "m/s", "velocity of the centre"),
        },
        ranges={theta: (-3.0, 3.0), phi: (-3.0, 3.0)},
    )
