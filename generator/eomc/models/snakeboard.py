r"""Snakeboard: a board on two pairs of wheels that the rider steers, driven by swinging a rotor on its middle.

::

    y                      (x, y)  middle of the board, its mass centre and the axle of the rotor
    |        _/            theta   heading of the board, from x
    |      .-/  front      psi     angle of the rotor (the rider's trunk) from the board
    |    ,o'               phi_b   angles of the back and the front pair of wheels from the board,
    |  _,'|)theta          phi_f   positive counter-clockwise; their axles are l behind and l before the middle
    |  /                   l       half the length of the board
    | / back
    +-----------> x

No wheel slips across its rolling direction: two nonholonomic constraints, which for the velocity (u1, u2) of the
middle along and across the board and the yaw rate u3 read

    back:   cos(phi_b) (u2 - l u3) - sin(phi_b) u1 = 0,
    front:  cos(phi_f) (u2 + l u3) - sin(phi_f) u1 = 0.

u2 and u3 are named dependent: this fails only where the constraints do, at wheels across the board. The wheels have no
spin of their own. T = m (u1^2 + u2^2)/2 + J u3^2/2 + Jr (u3 + psi')^2/2 + Jw [(u3 + phi_b')^2 + (u3 + phi_f')^2]/2; m
is the mass of it all. The torques act between the parts: nothing outside pushes but the ground on the wheels.

The momentum p along the one direction in which the wheels let the board move, the output ``momentum``, is not constant.
With the wheels turned against each other, phi_f = -phi_b = phi, and the usual simplification J + Jr + 2 Jw = m l^2
(which the parameters here fulfil), p = -2 m l u1 - Jr psi' sin(2 phi) obeys the nonholonomic momentum equation

    p' = -tan(phi) phi' p - 2 Jr cos^2(phi) phi' psi':

swinging the rotor and steering in the same rhythm makes the board run without a push. Left to itself with the wheels
held, it runs on a circle of radius l/tan(phi).

Coordinates ``x y theta psi phi_b phi_f``, speeds ``u1 u2 u3 u4 u5 u6`` (the last three are psi', phi_b', phi_f'),
parameters ``m l J Jr Jw``, inputs ``tau_psi tau_b tau_f`` (torques of the board on rotor and wheels).

Source: A. Lewis, J. Ostrowski, R. Murray, J. Burdick, Nonholonomic mechanics and locomotion: the snakeboard example,
*Proc. IEEE Int. Conf. Robotics and Automation* (1994); A. M. Bloch, P. S. Krishnaprasad, J. E. Marsden, R. M. Murray,
Nonholonomic mechanical systems with symmetry, *Arch. Rational Mech. Anal.* 136 (1996).
"""

from __future__ import annotations

import sympy
from sympy import cos, sin
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dot, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the snakeboard, rolling on a curve while its rotor turns and its wheels are being steered."""
    x, y, theta, psi, phi_b, phi_f = coordinates = dynamicsymbols("x y theta psi phi_b phi_f")
    u1, u2, u3, u4, u5, u6 = speeds = dynamicsymbols("u1 u2 u3 u4 u5 u6")
    tau_psi, tau_b, tau_f = dynamicsymbols("tau_psi tau_b tau_f")
    m, length, J, Jr, Jw = sympy.symbols("m l J Jr Jw", positive=True)

    N = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(N, 0)
    board, rotor, back, front = (ReferenceFrame(name) for name in ("board", "rotor", "back", "front"))
    board.orient_axis(N, N.z, theta)
    board.set_ang_vel(N, u3 * N.z)
    for frame, angle, rate in ((rotor, psi, u4), (back, phi_b, u5), (front, phi_f, u6)):
        frame.orient_axis(board, board.z, angle)
        frame.set_ang_vel(board, rate * board.z)

    middle = origin.locatenew("middle", x * N.x + y * N.y)
    middle.set_vel(N, u1 * board.x + u2 * board.y)
    axle_b = middle.locatenew("axle_b", -length * board.x)
    axle_f = middle.locatenew("axle_f", length * board.x)
    for axle in (axle_b, axle_f):
        axle.v2pt_theory(middle, N, board)

    spin = (J + Jr + 2 * Jw) * u3 + Jr * u4 + Jw * (u5 + u6)  # angular momentum about the middle
    momentum = -m * length * (2 * cos(phi_b) * cos(phi_f) * u1 + sin(phi_b + phi_f) * u2) + sin(phi_b - phi_f) * spin

    # As in the literature, all mass is counted at the middle, with the board; motion is planar, and only Izz acts.
    bodies = [
        RigidBody(frame.name, middle, frame, mass, (inertia(frame, 0, 0, moment), middle))
        for frame, mass, moment in ((board, m, J), (rotor, 0, Jr), (back, 0, Jw), (front, 0, Jw))
    ]
    ends = {  # where the wheels are, on the axles that turn with them
        f"{frame.name}_{side}": axle.locatenew(f"{frame.name}_{side}", way * frame.y - length / 10 * board.z)
        for axle, frame in ((axle_b, back), (axle_f, front))
        for side, way in (("left", length / 3), ("right", -length / 3))
    }
    return Model(
        name="snakeboard",
        description="Snakeboard: steered wheels that do not slip sideways, driven by swinging a rotor",
        inertial_frame=N,
        coordinates=coordinates,
        speeds=speeds,
        kinematical_equations=[
            x.diff() - u1 * cos(theta) + u2 * sin(theta),
            y.diff() - u1 * sin(theta) - u2 * cos(theta),
            theta.diff() - u3,
            psi.diff() - u4,
            phi_b.diff() - u5,
            phi_f.diff() - u6,
        ],
        bodies=bodies,
        loads=[
            (rotor, tau_psi * N.z),
            (back, tau_b * N.z),
            (front, tau_f * N.z),
            (board, -(tau_psi + tau_b + tau_f) * N.z),
        ],
        velocity_constraints=[dot(axle_b.vel(N), back.y), dot(axle_f.vel(N), front.y)],
        dependent_speeds=[u2, u3],
        inputs={
            tau_psi: (0.0, "N m", "torque of the board on the rotor"),
            tau_b: (0.0, "N m", "torque of the board on the back wheels"),
            tau_f: (0.0, "N m", "torque of the board on the front wheels"),
        },
        parameters={
            m: (6.0, "kg", "mass"),
            length: (0.2, "m", "distance of the axles from the middle"),
            J: (0.1654, "kg m^2", "moment of inertia of the board"),
            Jr: (0.072, "kg m^2", "moment of inertia of the rotor"),
            Jw: (0.0013, "kg m^2", "moment of inertia of a pair of wheels"),
        },
        outputs={
            "back_x": (x - length * cos(theta), "m", "position of the back axle along x"),
            "back_y": (y - length * sin(theta), "m", "position of the back axle along y"),
            "front_x": (x + length * cos(theta), "m", "position of the front axle along x"),
            "front_y": (y + length * sin(theta), "m", "position of the front axle along y"),
            "momentum": (momentum, "kg m^2/s", "nonholonomic momentum"),
        },
        points=ends,
        shapes={
            "board": [Shape.box(2 * length, length / 2, length / 15)],
            "rotor": [Shape.rod((-length / 2, 0, length / 4), (length / 2, 0, length / 4), length / 20)],
            "back": [],
            "front": [],
            **{name: [Shape.sphere(length / 10)] for name in ends},
        },
        lines=[Shape.line(f"{pair}_left", f"{pair}_right", "rod") for pair in ("back", "front")],
        ground=[Shape.box(40 * length, 40 * length, 0, offset=(0, 0, -length / 5))],
        initial={
            x: (0.0, "m", "position of the middle along x"),
            y: (0.0, "m", "position of the middle along y"),
            theta: (0.0, "rad", "heading of the board, from x"),
            psi: (0.0, "rad", "angle of the rotor from the board"),
            phi_b: (-0.3, "rad", "angle of the back wheels from the board"),
            phi_f: (0.4, "rad", "angle of the front wheels from the board"),
            u1: (0.5, "m/s", "velocity of the middle along the board"),
            u2: (None, "m/s", "velocity of the middle across the board"),
            u3: (None, "rad/s", "yaw rate of the board"),
            u4: (1.0, "rad/s", "rate of the rotor"),
            u5: (0.02, "rad/s", "rate of the back wheels"),
            u6: (-0.03, "rad/s", "rate of the front wheels"),
        },
        ranges={theta: (-3.0, 3.0), phi_b: (-0.8, 0.8), phi_f: (-0.8, 0.8)},
    )
