r"""A pendulum of n links on a cart: point masses joined by massless rods, carried by a cart on a horizontal rail.

::

         o m2               q0       position of the cart along x
       l1 \   ) q2          q1 .. qn angle of each rod from the upward vertical, positive counter-clockwise (absolute,
           o m1                      not relative to the rod before): 0 is upright, pi is hanging
        l0  |  ) q1         m0       mass of the cart; m1 .. mn the masses at the rods' far ends
            |               l0 ..    lengths of the rods
    F -> [  m0  ]           F        horizontal force on the cart
    ---------------> x      gravity is -g y, y up

``n_link_pendulum`` has three links, ``n_link_pendulum:10`` has ten and is named ``n_link_pendulum_10``.

Coordinates ``q0 .. qn``, speeds ``u0 .. un`` (= q0' .. qn'), parameters ``m0 .. mn l0 .. l(n-1) g``, input ``F``.

Source: the same names and conventions as `sympy.physics.mechanics.models.n_link_pendulum_on_cart`; a standard
benchmark of tools that derive equations of motion.
"""

from __future__ import annotations

import itertools
import math

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from eomc.errors import UsageError
from eomc.model import Model, Shape


def model(n: int | None = None) -> Model:
    """Return the cart with `n` links (3 when not given), hanging bent.

    Raises
    ------
    UsageError
        `n` is not a positive whole number.
    """
    links = 3 if n is None else _whole(n)
    q = dynamicsymbols(f"q:{links + 1}")
    u = dynamicsymbols(f"u:{links + 1}")
    F = dynamicsymbols("F")
    m = sympy.symbols(f"m:{links + 1}", positive=True)
    lengths = sympy.symbols(f"l:{links}", positive=True)
    g = sympy.Symbol("g", positive=True)

    N = ReferenceFrame("N")
    origin = Point("O")
    origin.set_vel(N, 0)

    cart = origin.locatenew("P0", q[0] * N.x)
    cart.set_vel(N, u[0] * N.x)
    points = [cart]
    for i in range(links):
        B = ReferenceFrame(f"B{i}")  # turns with the rod: B.y points along it, away from the cart
        B.orient_axis(N, N.z, q[i + 1])
        B.set_ang_vel(N, u[i + 1] * N.z)
        points.append(points[-1].locatenew(f"P{i + 1}", lengths[i] * B.y))
        points[-1].v2pt_theory(points[-2], N, B)

    parameters = {m[0]: (1.0, "kg", "mass of the cart")}
    parameters |= {m[i]: (1.0, "kg", f"mass at the end of rod {i}") for i in range(1, links + 1)}
    parameters |= {lengths[i]: (1.0, "m", f"length of rod {i + 1}") for i in range(links)}
    parameters |= {g: (9.81, "m/s^2", "acceleration of free fall")}

    bent = math.pi + 0.5
    initial = {q[0]: (0.0, "m", "position of the cart"), u[0]: (0.0, "m/s", "velocity of the cart")}
    initial |= {q[i]: (bent, "rad", f"angle of rod {i} from the upward vertical") for i in range(1, links + 1)}
    initial |= {u[i]: (0.0, "rad/s", f"angular velocity of rod {i}") for i in range(1, links + 1)}

    tip_x = q[0] - sum(li * sympy.sin(qi) for li, qi in zip(lengths, q[1:], strict=True))
    tip_y = sum(li * sympy.cos(qi) for li, qi in zip(lengths, q[1:], strict=True))
    return Model(
        name="n_link_pendulum" if n is None else f"n_link_pendulum_{links}",
        description=f"Cart on a rail carrying a pendulum of {links} link{'s' if links > 1 else ''}",
        inertial_frame=N,
        coordinates=q,
        speeds=u,
        kinematical_equations=[qi.diff() - ui for qi, ui in zip(q, u, strict=True)],
        bodies=[Particle(f"mass{i}", point, m[i]) for i, point in enumerate(points)],
        loads=[(cart, F * N.x)],
        gravity=-g * N.y,
        inputs={F: (0.0, "N", "horizontal force on the cart")},
        parameters=parameters,
        outputs={
            "tip_x": (tip_x, "m", "position of the last mass along the rail"),
            "tip_y": (tip_y, "m", "height of the last mass above the rail"),
        },
        shapes={
            "mass0": [Shape.box(lengths[0] / 2, lengths[0] / 4, lengths[0] / 4)],
            **{f"mass{i + 1}": [Shape.sphere(li / 10)] for i, li in enumerate(lengths)},
        },
        lines=[Shape.line(inner, outer, "rod") for inner, outer in itertools.pairwise(points)],
        ground=[Shape.rod((-4 * lengths[0], 0, 0), (4 * lengths[0], 0, 0), lengths[0] / 60)],
        initial=initial,
        ranges={qi: (math.pi - 3.0, math.pi + 3.0) for qi in q[1:]},
    )


def _whole(n: float) -> int:
    """Return the number of links, which a command line may give as 10 or 10.0."""
    links = int(n)
    if links < 1 or links != n:
        raise UsageError(f"n_link_pendulum: the number of links must be a positive whole number, not {n!r}")
    return links
