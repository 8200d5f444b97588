"""Kepler's problem from its Hamiltonian: a planet in the plane of its orbit about a fixed sun.

::

    y |      o m               H = (px^2 + py^2)/(2 m) - GM m/r,   r = sqrt(x^2 + y^2)
      |   r
      | /                      px, py are the momenta m x', m y'
      *---------- x
     sun

Bound orbits are ellipses with the sun in a focus: half axis a = -GM m/(2 E), period 2 pi sqrt(a^3/GM). Besides the
energy E = H, the angular momentum x py - y px is constant, and so is the vector of Laplace, Runge and Lenz, which
points to the perihelion with the eccentricity as its length: the outputs ``angular_momentum``, ``eccentricity_x``
and ``eccentricity_y``.

Coordinates ``x y``, momenta ``px py``, parameters ``GM m``. The default orbit has the eccentricity 0.44.

Source: H. Goldstein, *Classical Mechanics*, sect. 3.7 to 3.9.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import dynamicsymbols

from eomc.frontends.hamiltonian import from_hamiltonian
from eomc.model import Model, Shape


def model() -> Model:
    """Return Kepler's problem, started at the perihelion."""
    x, y, px, py = dynamicsymbols("x y px py")
    GM, m = sympy.symbols("GM m", positive=True)
    r = sympy.sqrt(x**2 + y**2)
    angular_momentum = x * py - y * px

    return from_hamiltonian(
        (px**2 + py**2) / (2 * m) - GM * m / r,
        name="kepler",
        description="A planet about a fixed sun, in Cartesian coordinates",
        coordinates=[x, y],
        momenta=[px, py],
        parameters={
            GM: (1.0, "m^3/s^2", "gravitational constant times the mass of the sun"),
            m: (1.0, "kg", "mass of the planet"),
        },
        outputs={
            "angular_momentum": (angular_momentum, "kg m^2/s", "angular momentum about the sun"),
            "eccentricity_x": (py * angular_momentum / (GM * m**2) - x / r, "1", "eccentricity vector along x"),
            "eccentricity_y": (-px * angular_momentum / (GM * m**2) - y / r, "1", "eccentricity vector along y"),
        },
        points={"planet": (x, y, 0)},
        shapes={"planet": [Shape.sphere(0.06)]},
        ground=[Shape.sphere(0.12)],
        initial={
            x: (1.0, "m", "position of the planet along x"),
            y: (0.0, "m", "position of the planet along y"),
            px: (0.0, "kg m/s", "momentum along x"),
            py: (1.2, "kg m/s", "momentum along y"),
        },
        ranges={x: (0.5, 2.0), y: (-1.0, 1.0)},
    )
