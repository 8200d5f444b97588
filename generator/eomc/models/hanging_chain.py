r"""Hanging chain: n equal uniform links between two supports at the same height.

::

    O--------------span--------------S----> x      q1 .. qn  angle of each link from +x, counter-clockwise
     \ q1                           /               links: mass ``m``, length ``length``, mass centres at their
      o                            o  qn                   middles, central moments of inertia m length^2/12
       `o.                      .o'                 y up, gravity is -g y
          `-o.______o______.o-'

The chain is described link by link from the left support; that its end is at the right one is said by two
configuration constraints:

    length (cos q1 + ... + cos qn) - span = 0
    length (sin q1 + ... + sin qn) = 0

The multipliers are the force in the right support: (-lambda_1, -lambda_2) on the chain. At rest the horizontal pull H
is the same in every link and the vertical one grows by m g from link to link, so that tan qi = (i - (n + 1)/2) m g/H:
a polygon that tends to the catenary.

``hanging_chain`` has six links, ``hanging_chain:20`` has twenty, each so much shorter and lighter that the chain
stays 1.8 m long and 1.2 kg heavy. It is drawn taut to one side, at the joint a third along, and let go.

Coordinates ``q1 q2 q3 q4 q5 q6``, speeds ``u1 u2 u3 u4 u5 u6`` (their rates), parameters ``m length span g``.

Source: E. J. Routh, *A Treatise on Analytical Statics*, vol. 1: heavy strings, and rods jointed end to end.
"""

from __future__ import annotations

import math

import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.errors import UsageError
from eomc.model import Model, Shape


def model(n: int = 6) -> Model:
    """Return the chain of `n` links, let go drawn to one side.

    Raises
    ------
    UsageError
        `n` is not a whole number above two.
    """
    links = int(n)
    if links < 3 or links != n:
        raise UsageError(f"hanging_chain: the number of links must be a whole number above two, not {n!r}")
    places = range(1, links + 1)
    q = [dynamicsymbols(f"q{i}") for i in places]
    u = [dynamicsymbols(f"u{i}") for i in places]
    m, length, span, g = sympy.symbols("m length span g", positive=True)

    N = ReferenceFrame("N")
    joint = Point("O")
    joint.set_vel(N, 0)
    bodies = []
    for i, angle, rate in zip(places, q, u, strict=True):
        A = ReferenceFrame(f"A{i}")  # fixed in the link, which lies along x
        A.orient_axis(N, N.z, angle)
        A.set_ang_vel(N, rate * N.z)
        centre = joint.locatenew(f"C{i}", length / 2 * A.x)
        centre.v2pt_theory(joint, N, A)
        moment = m * length**2 / 12
        bodies.append(RigidBody(f"link{i}", centre, A, m, (inertia(A, 0, moment, moment), centre)))
        end = joint.locatenew(f"P{i}", length * A.x)
        end.v2pt_theory(joint, N, A)
        joint = end
    along, up = sum(sympy.cos(angle) for angle in q), sum(sympy.sin(angle) for angle in q)

    half = links // 2
    lowest = length * sum(sympy.sin(angle) for angle in q[:half])
    left, apart = round(links / 3), 2 * links / 3  # sides of a triangle, in lengths of a link
    right = links - left
    down = -math.acos((left**2 + apart**2 - right**2) / (2 * left * apart))
    rise = math.acos((right**2 + apart**2 - left**2) / (2 * right * apart))
    drawn = [down] * left + [rise] * right
    initial = {qi: (value, "rad", f"angle of link {i} from +x") for i, qi, value in zip(places, q, drawn, strict=True)}
    initial |= {ui: (0.0, "rad/s", f"angular velocity of link {i}") for i, ui in zip(places, u, strict=True)}
    return Model(
        name="hanging_chain",
        description=f"Chain of {links} links hanging between two supports",
        inertial_frame=N,
        coordinates=q,
        speeds=u,
        kinematical_equations=[qi.diff() - ui for qi, ui in zip(q, u, strict=True)],
        bodies=bodies,
        gravity=-g * N.y,
        configuration_constraints=[length * along - span, length * up],
        parameters={
            m: (6 / (5 * links), "kg", "mass of a link"),
            length: (9 / (5 * links), "m", "length of a link"),
            span: (1.2, "m", "distance of the supports"),
            g: (9.81, "m/s^2", "acceleration of free fall"),
        },
        outputs={"middle_y": (lowest, "m", "height of the middle joint")},
        shapes={body: [Shape.box(length, length / 8, length / 8)] for body in bodies},
        ground=[Shape.sphere(length / 6, offset=(x, 0, 0)) for x in (0, span)],
        initial=initial,
        ranges={qi: (-1.5, 1.5) for qi in q},
    )
