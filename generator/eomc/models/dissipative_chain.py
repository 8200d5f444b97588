r"""Chain of point masses on massless rods with viscous hinges, damped by a dissipation function.

::

    O --+--  c1             th1 .. thn  each from the downward vertical, positive counter-clockwise
        |\                  l1 .. ln    lengths of the rods
        |)\  l1             m1 .. mn    masses at the rods' far ends
        th1\                c1 .. cn    viscous coefficients: c1 between support and first rod, c2 between first
            o m1, c2                    and second rod, and so on
            |\              x to the right, y up, gravity is -g y
            th2\  l2
                o m2

The hinges make no forces of their own here, but a dissipation function, of which -dF/du_r are the generalized forces:

    F = (1/2) c1 th1'^2 + (1/2) sum over i > 1 of ci (thi' - th(i-1)')^2,    d(T + V)/dt = -2 F

``dissipative_chain`` has two masses and is, without damping, the ``double_pendulum``; ``dissipative_chain:5`` has
five, whose values repeat those of the first two.

Coordinates ``th1 th2``, speeds ``th1d th2d`` (their rates), parameters ``m1 m2 l1 l2 c1 c2 g``, and so on for more.

Source: H. Goldstein, *Classical Mechanics*, sect. 1.5: Rayleigh's dissipation function.
"""

from __future__ import annotations

import itertools

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

from eomc.errors import UsageError
from eomc.model import Model, Shape


def model(n: int = 2) -> Model:
    """Return the chain of `n` masses, let go swinging.

    Raises
    ------
    UsageError
        `n` is not a positive whole number.
    """
    count = int(n)
    if count < 1 or count != n:
        raise UsageError(f"dissipative_chain: the number of masses must be a positive whole number, not {n!r}")
    places = range(1, count + 1)
    q = [dynamicsymbols(f"th{i}") for i in places]
    u = [dynamicsymbols(f"th{i}d") for i in places]
    m, lengths, c = (sympy.symbols([f"{letter}{i}" for i in places], positive=True) for letter in "mlc")
    g = sympy.Symbol("g", positive=True)

    N = ReferenceFrame("N")
    points = [Point("O")]
    points[0].set_vel(N, 0)
    for i in range(count):
        A = ReferenceFrame(f"A{i + 1}")  # turns with the rod: -y points along it, away from the support
        A.orient_axis(N, N.z, q[i])
        A.set_ang_vel(N, u[i] * N.z)
        points.append(points[-1].locatenew(f"P{i + 1}", -lengths[i] * A.y))
        points[-1].v2pt_theory(points[-2], N, A)
    end_x = sum(li * sympy.sin(qi) for li, qi in zip(lengths, q, strict=True))
    end_y = -sum(li * sympy.cos(qi) for li, qi in zip(lengths, q, strict=True))
    F = c[0] * u[0] ** 2 / 2 + sum(c[i] * (u[i] - u[i - 1]) ** 2 / 2 for i in range(1, count))

    def by_turns(*values: float) -> list[float]:
        return [values[i % len(values)] for i in range(count)]

    parameters = {mi: (value, "kg", f"mass {i}") for i, mi, value in zip(places, m, by_turns(1.0, 1.7), strict=True)}
    parameters |= {
        li: (value, "m", f"length of rod {i}") for i, li, value in zip(places, lengths, by_turns(0.9, 1.3), strict=True)
    }
    parameters |= {
        ci: (value, "N m s", f"viscous coefficient of hinge {i}")
        for i, ci, value in zip(places, c, by_turns(0.4, 0.25), strict=True)
    }
    parameters |= {g: (9.81, "m/s^2", "acceleration of free fall")}
    initial = {
        qi: (value, "rad", f"angle of rod {i} from the downward vertical")
        for i, qi, value in zip(places, q, by_turns(0.8, -0.5), strict=True)
    }
    initial |= {
        ui: (value, "rad/s", f"angular velocity of rod {i}")
        for i, ui, value in zip(places, u, by_turns(1.1, -0.6), strict=True)
    }
    return Model(
        name="dissipative_chain",
        description=f"Chain of {count} point mass{'es' if count > 1 else ''} with viscous hinges",
        inertial_frame=N,
        coordinates=q,
        speeds=u,
        kinematical_equations=[qi.diff() - ui for qi, ui in zip(q, u, strict=True)],
        bodies=[Particle(f"mass{i}", points[i], m[i - 1]) for i in places],
        gravity=-g * N.y,
        dissipation_function=F,
        parameters=parameters,
        outputs={
            "dissipation": (F, "W", "dissipation function: half the power lost"),
            "end_x": (end_x, "m", "position of the last mass along x"),
            "end_y": (end_y, "m", "height of the last mass"),
        },
        shapes={f"mass{i}": [Shape.sphere(li / 12)] for i, li in zip(places, lengths, strict=True)},
        lines=[Shape.line(inner, outer, "rod") for inner, outer in itertools.pairwise(points)],
        ground=[Shape.sphere(lengths[0] / 30)],
        initial=initial,
        ranges={qi: (-3.0, 3.0) for qi in q},
    )
