r"""Slider-crank of two uniform bars in a vertical plane, cut open at the slider and closed by two constraints.

::

              B                       q1  angle of the crank O-B from the downward vertical, counter-clockwise
             o                        q2  angle of the rod from the direction of the crank
            / \    rod 2              q3  position of the slider along x
     crank /   \
        1 /     \                     bars of equal length ``length``, mass centres at their middles,
         /q1     \                          central moments of inertia m length^2/12
        O         [#]---> x           the slider, mass ``m3``, keeps to the horizontal axis through O
                   q3                 y up, gravity is -g y; the torque tau turns the crank

Two configuration constraints close the loop: the end of the rod is at the slider,

    length (sin q1 + sin(q1 + q2)) - q3 = 0
    -length (cos q1 + cos(q1 + q2)) = 0

``slider_crank:1`` leaves the slider without mass and without a coordinate: one constraint (the second) and two
coordinates; ``slider_crank:0`` is the crank alone with the loop solved by hand: for bars of equal length
q2 = pi - 2 q1, one coordinate and no constraint. All three move alike where m3 = 0.

Where the crank hangs straight down or stands up, the bars cover each other and the rod could go on turning about O
alone: the constraints are dependent there. Without projection, which its usual run has, a motion that passes there
leaves its branch for the other sooner or later, by its own drift. ``slider_crank_unequal`` has no such place.

Coordinates ``q1 q2 q3``, speeds ``u1 u2 u3`` (their rates), parameters ``m1 m2 m3 length g``, input ``tau``.

Source: E. J. Haug, *Intermediate Dynamics* (1992), slider-cranks with multipliers.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.errors import UsageError
from eomc.model import Model, Shape


def model(constraints: int = 2) -> Model:
    """Return the slider-crank.

    Parameters
    ----------
    constraints
        Two with the slider as a body, one without it, none in a single coordinate.

    Raises
    ------
    UsageError
        Any other number.
    """
    if constraints not in (0, 1, 2):
        raise UsageError(f"slider_crank:{constraints} is not known: write slider_crank:0, :1 or :2")
    q1, q2, q3, u1, u2, u3, tau = dynamicsymbols("q1 q2 q3 u1 u2 u3 tau")
    m1, m2, m3, length, g = sympy.symbols("m1 m2 m3 length g", positive=True)
    coordinates = [q1, q2, q3][: constraints + 1]
    speeds = [u1, u2, u3][: constraints + 1]
    angle, rate = (q2, u2) if constraints else (sympy.pi - 2 * q1, -2 * u1)

    N = ReferenceFrame("N")
    pivot = Point("O")
    pivot.set_vel(N, 0)
    A, B = ReferenceFrame("A"), ReferenceFrame("B")  # fixed in crank and rod, which lie along -y
    A.orient_axis(N, N.z, q1)
    A.set_ang_vel(N, u1 * N.z)
    B.orient_axis(A, A.z, angle)
    B.set_ang_vel(A, rate * A.z)

    C1 = pivot.locatenew("C1", -length / 2 * A.y)
    C1.v2pt_theory(pivot, N, A)
    hinge = pivot.locatenew("hinge", -length * A.y)
    hinge.v2pt_theory(pivot, N, A)
    C2 = hinge.locatenew("C2", -length / 2 * B.y)
    C2.v2pt_theory(hinge, N, B)
    bodies = [
        RigidBody("crank", C1, A, m1, (inertia(A, m1 * length**2 / 12, 0, m1 * length**2 / 12), C1)),
        RigidBody("rod", C2, B, m2, (inertia(B, m2 * length**2 / 12, 0, m2 * length**2 / 12), C2)),
    ]
    end_x = length * (sympy.sin(q1) + sympy.sin(q1 + angle))
    end_y = -length * (sympy.cos(q1) + sympy.cos(q1 + angle))
    closing = {0: [], 1: [end_y], 2: [end_x - q3, end_y]}[constraints]
    parameters = {
        m1: (1.3, "kg", "mass of the crank"),
        m2: (0.8, "kg", "mass of the rod"),
        length: (2.0, "m", "length of each bar"),
        g: (9.81, "m/s^2", "acceleration of free fall"),
    }
    if constraints == 2:
        slider = pivot.locatenew("slider", q3 * N.x)
        slider.set_vel(N, u3 * N.x)
        bodies.append(Particle("slider", slider, m3))
        parameters[m3] = (0.6, "kg", "mass of the slider")
    initial = {
        q1: (0.7, "rad", "angle of the crank from the downward vertical"),
        q2: (sympy.pi - 1.4, "rad", "angle of the rod from the direction of the crank"),
        q3: (None, "m", "position of the slider"),
        u1: (1.2, "rad/s", "rate of q1"),
        u2: (None, "rad/s", "rate of q2"),
        u3: (None, "m/s", "rate of q3"),
    }
    return Model(
        name="slider_crank",
        description=f"Two bars and a slider in a vertical plane, with {constraints} configuration constraints",
        inertial_frame=N,
        coordinates=coordinates,
        speeds=speeds,
        kinematical_equations=[q.diff() - u for q, u in zip(coordinates, speeds, strict=True)],
        bodies=bodies,
        loads=[(A, tau * N.z)],
        gravity=-g * N.y,
        configuration_constraints=closing,
        inputs={tau: (0.0, "N*m", "torque on the crank")},
        parameters=parameters,
        outputs={"slider_x": (end_x, "m", "position of the end of the rod along x")},
        shapes={
            **{body: [Shape.box(length / 14, length, length / 14)] for body in bodies[:2]},
            **{body: [Shape.box(length / 4, length / 6, length / 6)] for body in bodies[2:]},
        },
        ground=[Shape.sphere(length / 12), Shape.rod((-2 * length, 0, 0), (2 * length, 0, 0), length / 60)],
        run={"stabilization": "projection"} if constraints else {},
        initial={symbol: value for symbol, value in initial.items() if symbol in (*coordinates, *speeds)},
        ranges={q1: (-3.0, 3.0)},
    )
