r"""Four-bar linkage in a vertical plane: crank, coupler and rocker between two fixed pivots.

::

                      __.-o          q1  angle of the crank, of length a
      coupler, b __.-    /           q2  angle of the coupler, of length b
             _.-        / rocker, c  q3  angle of the rocker, of length c
            o          /                 all from +x, positive counter-clockwise
     crank /          /              d   distance of the fixed pivots
       a  /) q1      /) q3
         O----------P----------> x   uniform bars: mass centres at their middles, central moments of inertia m L^2/12
               d                     y up, gravity is -g y; the torque tau turns the crank

Cut open where coupler and rocker meet, the linkage is two open chains in three angles; two configuration constraints
close the loop:

    a cos q1 + b cos q2 - c cos q3 - d = 0
    a sin q1 + b sin q2 - c sin q3     = 0

Nothing else is said: their rates, the dependent speeds and coordinates that meet them are found. The initial values
of q2 and q3 choose between the two ways to assemble the bars (here the open one) and need not be exact. The
multipliers are the force in the joint: (-lambda_1, -lambda_2) on the coupler.

Coordinates ``q1 q2 q3``, speeds ``u1 u2 u3`` (their rates), parameters ``a b c d m1 m2 m3 g``, input ``tau``. With the
default lengths the crank turns all the way round (Grashof: a + d < b + c).

Source: J. Garcia de Jalon, E. Bayo, *Kinematic and Dynamic Simulation of Multibody Systems* (1994).
"""

from __future__ import annotations

from sympy import cos, pi, sin, symbols
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape


def model() -> Model:
    """Return the four-bar linkage, the crank turning."""
    q1, q2, q3 = coordinates = dynamicsymbols("q1 q2 q3")
    u1, u2, u3 = speeds = dynamicsymbols("u1 u2 u3")
    tau = dynamicsymbols("tau")
    a, b, c, d, m1, m2, m3, g = symbols("a b c d m1 m2 m3 g", positive=True)

    N = ReferenceFrame("N")
    left = Point("O")
    right = left.locatenew("P", d * N.x)
    left.set_vel(N, 0)
    right.set_vel(N, 0)

    frames = A, B, C = [ReferenceFrame(name) for name in "ABC"]  # fixed in the bars, which lie along x
    for frame, angle, rate in zip(frames, coordinates, speeds, strict=True):
        frame.orient_axis(N, N.z, angle)
        frame.set_ang_vel(N, rate * N.z)
    pin = left.locatenew("pin", a * A.x)
    pin.v2pt_theory(left, N, A)

    bodies = []
    for name, root, frame, length, mass in (
        ("crank", left, A, a, m1), ("coupler", pin, B, b, m2), ("rocker", right, C, c, m3),
    ):  # fmt: skip
        centre = root.locatenew(f"{name}_centre", length / 2 * frame.x)
        centre.v2pt_theory(root, N, frame)
        moment = mass * length**2 / 12
        bodies.append(RigidBody(name, centre, frame, mass, (inertia(frame, 0, moment, moment), centre)))

    return Model(
        name="four_bar",
        description="Four-bar linkage in a vertical plane, closed by two configuration constraints",
        inertial_frame=N,
        coordinates=coordinates,
        speeds=speeds,
        kinematical_equations=[q.diff() - u for q, u in zip(coordinates, speeds, strict=True)],
        bodies=bodies,
        loads=[(A, tau * N.z)],
        gravity=-g * N.y,
        configuration_constraints=[
            a * cos(q1) + b * cos(q2) - c * cos(q3) - d,
            a * sin(q1) + b * sin(q2) - c * sin(q3),
        ],
        inputs={tau: (0.0, "N m", "torque on the crank")},
        parameters={
            a: (2.0, "m", "length of the crank"),
            b: (4.0, "m", "length of the coupler"),
            c: (3.0, "m", "length of the rocker"),
            d: (4.0, "m", "distance of the fixed pivots"),
            m1: (2.0, "kg", "mass of the crank"),
            m2: (4.0, "kg", "mass of the coupler"),
            m3: (3.0, "kg", "mass of the rocker"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={
            "coupler_x": (a * cos(q1) + b / 2 * cos(q2), "m", "middle of the coupler along x"),
            "coupler_y": (a * sin(q1) + b / 2 * sin(q2), "m", "height of the middle of the coupler"),
        },
        shapes={body: [Shape.box(side, a / 12, a / 12)] for body, side in zip(bodies, (a, b, c), strict=True)},
        ground=[*(Shape.sphere(a / 12, offset=(x, 0, 0)) for x in (0, d)), Shape.line((0, 0, 0), (d, 0, 0))],
        initial={
            q1: (pi / 3, "rad", "angle of the crank from +x"),
            q2: (0.3, "rad", "angle of the coupler from +x"),
            q3: (1.3, "rad", "angle of the rocker from +x"),
            u1: (1.0, "rad/s", "angular velocity of the crank"),
            u2: (None, "rad/s", "angular velocity of the coupler"),
            u3: (None, "rad/s", "angular velocity of the rocker"),
        },
        ranges={q1: (-3.1, 3.1), q2: (-0.5, 1.5), q3: (0.5, 2.5)},
    )
