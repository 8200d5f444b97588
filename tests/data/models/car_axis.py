"""The car axis: two wheels' masses on springs over a road that goes up and down under the right one.

The left spring stands at (0, 0), the right one at (xb, yb) with yb = r sin(w t), xb^2 + yb^2 = L^2. The axis has the
length L, and the left mass moves at right angles to the road: two configuration constraints that depend on the time.

Source: Test Set for IVP Solvers, problem Car Axis, a stiff system of index 3, multiplied by two where it has 1/2 before
M: masses m = eps^2 M / 2 = 5e-4, springs of stiffness 1 and free length L/2, weights m.
"""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc


def model() -> eomc.Model:
    """Return the axis as it starts, level."""
    coordinates = xl, yl, xr, yr = dynamicsymbols("xl yl xr yr")
    speeds = ul, vl, ur, vr = dynamicsymbols("ul vl ur vr")
    L, L0, r, w, m, g, k = sympy.symbols("L L0 r w m g k", positive=True)
    yb = r * sympy.sin(w * dynamicsymbols._t)
    xb = sympy.sqrt(L**2 - yb**2)
    N, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(N, 0)
    bodies = []
    for name, place, velocity in (("left", (xl, yl), (ul, vl)), ("right", (xr, yr), (ur, vr))):
        point = origin.locatenew(name, place[0] * N.x + place[1] * N.y)
        point.set_vel(N, velocity[0] * N.x + velocity[1] * N.y)
        bodies.append(Particle(name, point, m))
    left, right = sympy.sqrt(xl**2 + yl**2), sympy.sqrt((xr - xb) ** 2 + (yr - yb) ** 2)
    return eomc.Model(
        name="car_axis",
        inertial_frame=N,
        coordinates=coordinates,
        speeds=speeds,
        kinematical_equations=[q.diff() - u for q, u in zip(coordinates, speeds, strict=True)],
        bodies=bodies,
        gravity=-g * N.y,
        potential_energy=k * ((left - L0) ** 2 + (right - L0) ** 2) / 2,
        configuration_constraints=[xl * xb + yl * yb, (xl - xr) ** 2 + (yl - yr) ** 2 - L**2],
        parameters={L: 1.0, L0: 0.5, r: 0.1, w: 10.0, m: 5e-4, g: 1.0, k: 1.0},
        initial={xl: 0.0, yl: 0.5, xr: 1.0, yr: 0.5, ul: -0.5, vl: 0.0, ur: -0.5, vr: 0.0},
    )
