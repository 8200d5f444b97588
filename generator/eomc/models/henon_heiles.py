"""The system of Henon and Heiles from its Hamiltonian: a star in the field of a galaxy; a classic of chaos.

::

    H = (px^2 + py^2)/2 + (x^2 + y^2)/2 + x^2 y - y^3/3

The potential is a bowl with three spouts at 120 degrees; below the energy 1/6 the star stays inside, and between 1/12
and 1/6 orderly and chaotic motions lie side by side. Everything is without dimension and there is no parameter.

Coordinates ``x y``, momenta ``px py``.

Source: M. Henon, C. Heiles, Astron. J. 69 (1964) 73.
"""

from __future__ import annotations

import itertools

from sympy import Rational, sqrt
from sympy.physics.mechanics import dynamicsymbols

from eomc.frontends.hamiltonian import from_hamiltonian
from eomc.model import Model, Shape


def model() -> Model:
    """Return the system of Henon and Heiles at an energy of 0.086."""
    x, y, px, py = dynamicsymbols("x y px py")
    half, third = Rational(1, 2), Rational(1, 3)

    saddles = [(0, 1, 0), (-sqrt(3) / 2, -half, 0), (sqrt(3) / 2, -half, 0)]  # below 1/6 no way leads out
    return from_hamiltonian(
        half * (px**2 + py**2) + half * (x**2 + y**2) + x**2 * y - third * y**3,
        name="henon_heiles",
        description="A star in the field of a galaxy: two coupled oscillators with chaos",
        coordinates=[x, y],
        momenta=[px, py],
        points={"star": (x, y, 0)},
        shapes={"star": [Shape.sphere(0.03)]},
        ground=[Shape.line(corner, other) for corner, other in itertools.combinations(saddles, 2)],
        initial={
            x: (0.0, "1", "position along x"),
            y: (0.1, "1", "position along y"),
            px: (0.35, "1", "momentum along x"),
            py: (0.2, "1", "momentum along y"),
        },
    )
