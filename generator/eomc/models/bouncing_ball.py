r"""A ball that falls on a floor, bounces, and comes to rest.

::

        o   y      the height of the ball's lowest point
        |
    ----+------    floor, gravity is -g y

Between the bounces y'' = -g - (c/m) y'. At a bounce, where y falls through zero, y' becomes -e y'; a ball that is
slower than `slow` stays on the floor, which then holds it by the force m g: `rest` is a mode, a state that events alone
change. Without it the bounces would follow each other ever faster, to a time after which there is no motion: the run
would say so.

Without drag the ball has bounced for good after sqrt(2 h/g) (1 + e)/(1 - e), h the height that it falls from.

Coordinate ``y``, speed ``v``, mode ``rest``, parameters ``m g c e slow``.

Source: any text on mechanics.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from eomc.model import Event, Model, Shape


def model() -> Model:
    """Return the ball, let go at rest one metre above the floor."""
    y, v = dynamicsymbols("y v")
    m, g, c, e, slow, rest = sympy.symbols("m g c e slow rest", real=True)

    N = ReferenceFrame("N")
    floor = Point("O")
    floor.set_vel(N, 0)
    ball = floor.locatenew("B", y * N.y)
    ball.set_vel(N, v * N.y)

    is_fast = sympy.Abs(v) > slow
    bounce = Event(
        y,
        falling=True,
        reset={y: 0, v: sympy.Piecewise((-e * v, is_fast), (0, True)), rest: sympy.Piecewise((0, is_fast), (1, True))},
    )
    return Model(
        name="bouncing_ball",
        description="Ball with drag that bounces on a floor until it rests there",
        inertial_frame=N,
        coordinates=[y],
        speeds=[v],
        bodies=[Particle("ball", ball, m)],
        loads=[(ball, (rest * m * g - c * v) * N.y)],
        gravity=-g * N.y,
        events={"bounce": bounce},
        parameters={
            m: (0.5, "kg", "mass"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
            c: (0.02, "kg/s", "drag"),
            e: (0.8, "1", "coefficient of restitution"),
            slow: (0.05, "m/s", "speed below which the ball stays on the floor"),
            rest: (0.0, "1", "whether the floor holds the ball: 0 or 1"),
        },
        shapes={"ball": [Shape.sphere(0.1, offset=(0, 0.1, 0))]},
        ground=[Shape.box(1, 0.02, 1, offset=(0, -0.01, 0))],
        initial={y: (1.0, "m", "height"), v: (0.0, "m/s", "velocity, upwards")},
        ranges={y: (0.0, 2.0), v: (-5.0, 5.0)},
    )
