r"""Heavy symmetric top: a body of revolution that spins under gravity about a fixed point of its axis.

::

         z (up)   axis
          |      /          phi    precession: 3-1-3 angles, about the vertical
          | th  o G         theta  nutation: from the vertical to the axis, about the line of nodes
          |   /             psi    spin about the axis
          | /               G      mass centre, at l from O
    ------O------           A      moment of inertia about any axis across, through O (not G)
       fixed point          C      moment of inertia about the axis

    V = m g l cos theta, with the one parameter mgl: mass, distance and gravity enter in no other way.

The attitude is described in one of two ways:

    heavy_top               by the angles theta, phi, psi, which have no meaning at theta = 0 and pi (the top upright)
    heavy_top:quaternion    by a quaternion of unit norm, which is sound in every attitude

Constant are the energy and the angular momentum's components along the vertical and along the axis,

    p_phi = A phi' sin^2 theta + C (phi' cos theta + psi') cos theta,    p_psi = C (phi' cos theta + psi').

With the angles these are the momenta of the cyclic coordinates phi and psi, and states of Hamilton's equations; with
the quaternion they are the outputs ``p_phi`` and ``p_psi``. Both have the direction of the axis for outputs.

Coordinates ``theta phi psi``, speeds ``theta_d phi_d psi_d`` (their derivatives); or coordinates ``e0 e1 e2 e3``
(scalar first, turning the inertial axes into the body's), speeds ``w1 w2 w3`` (angular velocity along the body's axes,
3 being the top's), e' = e (0, w)/2 as a product of quaternions. Parameters ``A C mgl``.

That the norm of the quaternion is 1 is a configuration constraint. The kinematical equations keep it by themselves, so
that it costs no force; it closes initial values, and stabilization by projection takes the integrator's error out.

Source: H. Goldstein, *Classical Mechanics*, sect. 5.7; L. D. Landau, E. M. Lifshitz, *Mechanics*, sect. 35 problem 1.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import sympy
from sympy import cos, sin
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dot, dynamicsymbols, inertia

from eomc.errors import UsageError
from eomc.model import Model, Shape


def model(attitude: str = "euler") -> Model:
    """Return the top, let go with its axis at rest, so that it falls, nutates and precesses.

    Parameters
    ----------
    attitude
        ``euler`` for the angles, ``quaternion`` for the quaternion.

    Raises
    ------
    UsageError
        `attitude` is neither of these.
    """
    if attitude not in ("euler", "quaternion"):
        raise UsageError(f"heavy_top:{attitude} is not known: write heavy_top:euler or heavy_top:quaternion")
    A, C, mgl = sympy.symbols("A C mgl", positive=True)
    N = ReferenceFrame("N")
    B = ReferenceFrame("B")  # fixed in the top, B.z along its axis
    pivot = Point("O")
    pivot.set_vel(N, 0)
    turn = _angles(N, B) if attitude == "euler" else _quaternion(N, B)

    # About the fixed point there is rotation only: the mass is in A and mgl. A round body has the same A all round.
    top = RigidBody("top", pivot, B, sympy.Integer(1), (inertia(B, A, A, C), pivot))
    up, across = [dot(N.z, axis) for axis in (B.x, B.y, B.z)], [dot(B.z, axis) for axis in (N.x, N.y, N.z)]
    outputs = {
        f"axis_{name}": (part, "1", f"component of the axis along {name}")
        for name, part in zip("xyz", across, strict=True)
    }
    if attitude == "quaternion":
        w1, w2, w3 = turn.speeds
        vertical = A * (w1 * up[0] + w2 * up[1]) + C * w3 * up[2]
        outputs |= {
            "p_phi": (vertical, "kg m^2/s", "angular momentum about the vertical"),
            "p_psi": (C * w3, "kg m^2/s", "angular momentum about the axis"),
        }
    return Model(
        name="heavy_top",
        description="Heavy symmetric top: spin, precession and nutation about a fixed point",
        inertial_frame=N,
        coordinates=turn.coordinates,
        speeds=turn.speeds,
        kinematical_equations=turn.kinematical_equations,
        bodies=[top],
        potential_energy=mgl * across[2],
        configuration_constraints=turn.constraints,
        parameters={
            A: (0.02, "kg m^2", "moment of inertia across the axis, about the fixed point"),
            C: (0.01, "kg m^2", "moment of inertia about the axis"),
            mgl: (1.5, "N m", "weight times the distance of the mass centre from the fixed point"),
        },
        outputs=outputs,
        shapes={
            top: [
                Shape.cylinder(sympy.sqrt(C), sympy.sqrt(C) / 3, offset=(0, 0, mgl / 9)),
                Shape.rod((0, 0, 0), (0, 0, mgl / 5), sympy.sqrt(C) / 12),
                Shape.line((0, 0, mgl / 5), (sympy.sqrt(C), 0, mgl / 9)),
            ]
        },
        ground=[Shape.box(mgl / 2, mgl / 2, 0)],
        initial=turn.initial,
        ranges=turn.ranges,
    )


class _Turn(NamedTuple):
    """How the body's frame is turned: variables, their equations, values at the start."""

    coordinates: list[Any]
    speeds: list[Any]
    kinematical_equations: list[Any]
    constraints: list[Any]
    initial: dict[Any, tuple[float, str, str]]
    ranges: dict[Any, tuple[float, float]]


def _angles(N: ReferenceFrame, B: ReferenceFrame) -> _Turn:
    """Turn B in N by 3-1-3 angles, with their rates for speeds."""
    theta, phi, psi, theta_d, phi_d, psi_d = dynamicsymbols("theta phi psi theta_d phi_d psi_d")
    H, L = ReferenceFrame("H"), ReferenceFrame("L")
    H.orient_axis(N, N.z, phi)  # H.x is the line of nodes
    L.orient_axis(H, H.x, theta)  # leaning, not spinning
    B.orient_axis(L, L.z, psi)
    L.set_ang_vel(N, theta_d * L.x + phi_d * sin(theta) * L.y + phi_d * cos(theta) * L.z)
    B.set_ang_vel(L, psi_d * L.z)
    initial = {
        theta: (0.5, "rad", "nutation: from the vertical to the axis"),
        phi: (0.0, "rad", "precession: about the vertical"),
        psi: (0.0, "rad", "spin about the axis"),
        theta_d: (0.0, "rad/s", "rate of nutation"),
        phi_d: (0.0, "rad/s", "rate of precession"),
        psi_d: (60.0, "rad/s", "rate of spin"),
    }
    coordinates, speeds = [theta, phi, psi], [theta_d, phi_d, psi_d]
    equations = [q.diff() - u for q, u in zip(coordinates, speeds, strict=True)]
    ranges = {theta: (0.3, 2.8), phi: (-3.0, 3.0), psi: (-3.0, 3.0)}
    return _Turn(coordinates, speeds, equations, [], initial, ranges)


def _quaternion(N: ReferenceFrame, B: ReferenceFrame) -> _Turn:
    """Turn B in N by a quaternion of unit norm, with the angular velocity in B for speeds."""
    e0, e1, e2, e3, w1, w2, w3 = dynamicsymbols("e0 e1 e2 e3 w1 w2 w3")
    B.orient_quaternion(N, (e0, e1, e2, e3))
    B.set_ang_vel(N, w1 * B.x + w2 * B.y + w3 * B.z)
    half = sympy.Rational(1, 2)
    equations = [
        e0.diff() + half * (e1 * w1 + e2 * w2 + e3 * w3),
        e1.diff() - half * (e0 * w1 + e2 * w3 - e3 * w2),
        e2.diff() - half * (e0 * w2 + e3 * w1 - e1 * w3),
        e3.diff() - half * (e0 * w3 + e1 * w2 - e2 * w1),
    ]
    initial = {
        e0: (math.cos(0.25), "1", "scalar part of the quaternion"),
        e1: (math.sin(0.25), "1", "quaternion along axis 1"),
        e2: (0.0, "1", "quaternion along axis 2"),
        e3: (0.0, "1", "quaternion along axis 3"),
        w1: (0.0, "rad/s", "angular velocity along axis 1"),
        w2: (0.0, "rad/s", "angular velocity along axis 2"),
        w3: (60.0, "rad/s", "angular velocity along the axis"),
    }
    ranges = {w: (-3.0, 3.0) for w in (w1, w2, w3)}
    return _Turn([e0, e1, e2, e3], [w1, w2, w3], equations, [e0**2 + e1**2 + e2**2 + e3**2 - 1], initial, ranges)
