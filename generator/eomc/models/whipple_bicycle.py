r"""The Whipple-Carvallo bicycle: two knife-edge wheels that roll without slip, a rear frame with its rider, a fork.

::

                    H                     x forward, y to the right, z down; gravity is +g z
            B      /                      P  contact of the rear wheel, (x, y, 0)
          .-+-----/                       psi    yaw about z, phi  roll about x: upright at 0
         /     _ /-.   <- steer axis      theta  pitch of the rear frame about y
      .-/-.    .-/-.      tilted by lam   delta  steer angle about the axis, positive to the right
     (  R  )  (  F  )                     theta_R, theta_F  angles of the wheels: forward motion makes them fall
      '-+-'    '-+-'
    ----P-----c--+----> x                 w wheel base, c trail

Eight coordinates and their rates as speeds; one configuration constraint (the front wheel touches the ground) and four
velocity constraints (neither wheel slips along or across its track) leave three degrees of freedom: phi, delta and
the speed. The dependent ones are named.

Coordinates ``x y psi phi theta delta theta_R theta_F``, speeds ``ux uy upsi uphi utheta udelta uR uF``, input T_delta.

``whipple_bicycle:4`` rolls upright at 4 m/s. The parameters are the benchmark's.

Source: J. P. Meijaard, J. M. Papadopoulos, A. Ruina and A. L. Schwab, Linearized dynamics equations for the balance and
steer of a bicycle: a benchmark and review, *Proc. R. Soc. A* 463 (2007).
"""

from __future__ import annotations

import itertools

import sympy
from sympy import Expr
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, cross, dot, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model(speed: float = 5.0) -> Model:
    """Return the bicycle, rolling straight ahead.

    Parameters
    ----------
    speed
        Forward speed at the start [m/s].
    """
    x, y, psi, phi, theta, delta, theta_R, theta_F = dynamicsymbols("x y psi phi theta delta theta_R theta_F")
    ux, uy, upsi, uphi, utheta, udelta, uR, uF = dynamicsymbols("ux uy upsi uphi utheta udelta uR uF")
    T_delta = dynamicsymbols("T_delta")
    w, c, lam, g, rR, rF = sympy.symbols("w c lam g rR rF", positive=True)
    mR, mB, mH, mF = sympy.symbols("mR mB mH mF", positive=True)
    xB, zB, xH, zH = sympy.symbols("xB zB xH zH", real=True)
    IRxx, IRyy, IFxx, IFyy = sympy.symbols("IRxx IRyy IFxx IFyy", positive=True)
    IBxx, IByy, IBzz, IBxz, IHxx, IHyy, IHzz, IHxz = sympy.symbols("IBxx IByy IBzz IBxz IHxx IHyy IHzz IHxz", real=True)

    # Frames: yaw, roll, pitch (the rear frame), tilt, steer, tilt back (the fork), and the wheels.
    N, A, L, B, E, S, H = (ReferenceFrame(name) for name in "NALBESH")
    rear, front = ReferenceFrame("R"), ReferenceFrame("F")
    for frame, parent, axis, angle, rate in (
        (A, N, N.z, psi, upsi),
        (L, A, A.x, phi, uphi),
        (B, L, L.y, theta, utheta),
        (E, B, B.y, lam, 0),
        (S, E, E.z, delta, udelta),
        (H, S, S.y, -lam, 0),
        (rear, B, B.y, theta_R, uR),
        (front, H, H.y, theta_F, uF),
    ):
        frame.orient_axis(parent, axis, angle)
        frame.set_ang_vel(parent, rate * axis)

    origin = Point("O")
    origin.set_vel(N, 0)
    contact = origin.locatenew("P", x * N.x + y * N.y)
    contact.set_vel(N, ux * N.x + uy * N.y)
    hub_R = contact.locatenew("hub_R", -rR * L.z)
    hub_R.v2pt_theory(contact, N, L)
    center_B = hub_R.locatenew("center_B", xB * B.x + (zB + rR) * B.z)
    center_B.v2pt_theory(hub_R, N, B)
    head = hub_R.locatenew("head", (w + c) * B.x + rR * B.z)  # a point of the steer axis
    head.v2pt_theory(hub_R, N, B)
    center_H = head.locatenew("center_H", (xH - w - c) * H.x + zH * H.z)
    center_H.v2pt_theory(head, N, H)
    hub_F = head.locatenew("hub_F", -c * H.x - rF * H.z)
    hub_F.v2pt_theory(head, N, H)

    bodies = [
        RigidBody("rear_wheel", hub_R, rear, mR, (inertia(B, IRxx, IRyy, IRxx), hub_R)),
        RigidBody("rear_frame", center_B, B, mB, (inertia(B, IBxx, IByy, IBzz, 0, 0, IBxz), center_B)),
        RigidBody("fork", center_H, H, mH, (inertia(H, IHxx, IHyy, IHzz, 0, 0, IHxz), center_H)),
        RigidBody("front_wheel", hub_F, front, mF, (inertia(H, IFxx, IFyy, IFxx), hub_F)),
    ]

    # The lowest point of a wheel lies in its plane: along z less the part of z that is along the axle.
    along = dot(N.z, H.y)
    steepness = sympy.sqrt(1 - along**2)
    arm_F = rF * (N.z - along * H.y) / steepness
    depth = dot(hub_F.pos_from(contact), N.z) + rF * steepness
    slip_R = hub_R.vel(N) + cross(rear.ang_vel_in(N), rR * L.z)
    slip_F = hub_F.vel(N) + cross(front.ang_vel_in(N), arm_F)

    coordinates = [x, y, psi, phi, theta, delta, theta_R, theta_F]
    speeds = [ux, uy, upsi, uphi, utheta, udelta, uR, uF]
    return Model(
        name="whipple_bicycle",
        description="The Whipple-Carvallo bicycle with the parameters of the benchmark",
        inertial_frame=N,
        coordinates=coordinates,
        speeds=speeds,
        kinematical_equations=[q.diff() - u for q, u in zip(coordinates, speeds, strict=True)],
        bodies=bodies,
        loads=[(H, T_delta * S.z), (B, -T_delta * S.z)],
        gravity=g * N.z,
        configuration_constraints=[depth],
        velocity_constraints=[dot(slip_R, A.x), dot(slip_R, A.y), dot(slip_F, A.x), dot(slip_F, A.y)],
        dependent_coordinates=[theta],
        dependent_speeds=[ux, uy, upsi, utheta, uF],
        inputs={T_delta: (0.0, "N*m", "steer torque between frame and fork")},
        parameters={
            w: (1.02, "m", "wheel base"),
            c: (0.08, "m", "trail"),
            lam: (0.3141592653589793, "rad", "tilt of the steer axis"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
            rR: (0.3, "m", "radius of the rear wheel"),
            mR: (2.0, "kg", "mass of the rear wheel"),
            IRxx: (0.0603, "kg*m^2", "its moment of inertia about a diameter"),
            IRyy: (0.12, "kg*m^2", "its moment of inertia about the axle"),
            xB: (0.3, "m", "mass centre of frame and rider ahead of the rear contact"),
            zB: (-0.9, "m", "and below it"),
            mB: (85.0, "kg", "mass of frame and rider"),
            IBxx: (9.2, "kg*m^2", "their central inertia"),
            IBxz: (2.4, "kg*m^2", "their central inertia"),
            IByy: (11.0, "kg*m^2", "their central inertia"),
            IBzz: (2.8, "kg*m^2", "their central inertia"),
            xH: (0.9, "m", "mass centre of the fork ahead of the rear contact"),
            zH: (-0.7, "m", "and below it"),
            mH: (4.0, "kg", "mass of the fork"),
            IHxx: (0.05892, "kg*m^2", "its central inertia"),
            IHxz: (-0.00756, "kg*m^2", "its central inertia"),
            IHyy: (0.06, "kg*m^2", "its central inertia"),
            IHzz: (0.00708, "kg*m^2", "its central inertia"),
            rF: (0.35, "m", "radius of the front wheel"),
            mF: (3.0, "kg", "mass of the front wheel"),
            IFxx: (0.1405, "kg*m^2", "its moment of inertia about a diameter"),
            IFyy: (0.28, "kg*m^2", "its moment of inertia about the axle"),
        },
        shapes=_shapes(w, c, lam, rR, rF, xB, zB, xH, zH),
        ground=[Shape.box(30 * w, 30 * w, 0)],
        initial={
            x: (0.0, "m", "position of the rear contact"),
            y: (0.0, "m", "position of the rear contact"),
            psi: (0.0, "rad", "yaw"),
            phi: (0.0, "rad", "roll"),
            theta: (None, "rad", "pitch"),
            delta: (0.0, "rad", "steer angle"),
            theta_R: (0.0, "rad", "angle of the rear wheel"),
            theta_F: (0.0, "rad", "angle of the front wheel"),
            ux: (None, "m/s", "rate of x"),
            uy: (None, "m/s", "rate of y"),
            upsi: (None, "rad/s", "yaw rate"),
            uphi: (0.0, "rad/s", "roll rate"),
            utheta: (None, "rad/s", "pitch rate"),
            udelta: (0.0, "rad/s", "steer rate"),
            uR: (-speed / 0.3, "rad/s", "rate of the rear wheel"),
            uF: (None, "rad/s", "rate of the front wheel"),
        },
        ranges={phi: (-0.5, 0.5), theta: (-0.2, 0.2), delta: (-0.8, 0.8)},
    )


def _shapes(
    w: Expr, c: Expr, lam: Expr, rR: Expr, rF: Expr, xB: Expr, zB: Expr, xH: Expr, zH: Expr
) -> dict[str, list[Shape]]:
    """Return wheels, frame, rider and fork; places are told from the rear contact, upright."""

    def on_axis(height: Expr) -> tuple[Expr, Expr, Expr]:
        """Return the point of the steer axis at a height."""
        return w + c - height * sympy.tan(lam), 0, -height

    def rods(centre: tuple[Expr, Expr], radius: Expr, *ends: tuple[Expr, Expr, Expr]) -> list[Shape]:
        places = [(x - centre[0], y, z - centre[1]) for x, y, z in ends]
        return [Shape.rod(start, end, radius) for start, end in itertools.pairwise(places)]

    def wheel(radius: Expr) -> list[Shape]:
        spokes = [Shape.line((-x, 0, -z), (x, 0, z)) for x, z in ((radius, 0), (0, radius))]
        return [Shape.cylinder(radius, radius / 12, axis="y"), *spokes]

    hub, seat, pedals, bar = (0, 0, -rR), (w / 4, 0, -3 * rR), (2 * w / 5, 0, -rR), on_axis(3 * rR)
    frame = rods((xB, zB), rR / 15, hub, pedals, seat, hub)
    frame += rods((xB, zB), rR / 15, pedals, on_axis(5 * rR / 2), seat)
    rider = rods((xB, zB), rR / 3, seat, (w / 2, 0, -9 * rR / 2))
    head = Shape.sphere(rR / 3, offset=(w / 2 + rR / 4 - xB, 0, -11 * rR / 2 - zB))
    fork = rods((xH, zH), rR / 15, (w, 0, -rF), on_axis(9 * rF / 4), bar)
    fork += rods((xH, zH), rR / 15, (bar[0], -rR, bar[2]), (bar[0], rR, bar[2]))
    return {
        "rear_wheel": wheel(rR),
        "rear_frame": [*frame, *rider, head],
        "fork": fork,
        "front_wheel": wheel(rF),
    }
