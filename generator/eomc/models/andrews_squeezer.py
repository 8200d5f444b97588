r"""Andrews' squeezing mechanism: seven bodies in a plane, closed by three loops, driven by a motor against a spring.

::

       C                      O (0, 0)  pivot of the crank 1, driven by the torque ``mom``
        \/\/\ D               A         pivot of bodies 5 and 7
              \               B         pivot of body 3, on which the spring from C pulls at D
     B ---3--- P ---2--- 1    P         the far end of rod 2: three chains meet there
              / \        O
        4,5  /   \ 6,7        1 and 2 from O; 3 from B; 5 and 4 from A; 7 and 6 from A
            A     A

Seven angles ``beta theta gamma phi delta omega epsilon``; the absolute angles of the bodies 1 to 7 are beta,
beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon. Six configuration constraints leave one degree of
freedom. No gravity. The motion is fast: the crank turns 2.5 times in the 0.03 s of the benchmark,
which are its usual run, and ever faster.

Speeds are the rates, ``betad thetad gammad phid deltad omegad epsilond``; parameters as published.

Source: W. Schiehlen (ed.), *Multibody Systems Handbook* (1990); E. Hairer and G. Wanner, *Solving Ordinary Differential
Equations II* (1996), section VII.7.
"""

from __future__ import annotations

import itertools

import sympy
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model, Shape

VALUES = {
    "m1": 0.04325, "m2": 0.00365, "m3": 0.02373, "m4": 0.00706, "m5": 0.0705, "m6": 0.00706, "m7": 0.05498,
    "i1": 2.194e-6, "i2": 4.41e-7, "i3": 5.255e-6, "i4": 5.667e-7, "i5": 1.169e-5, "i6": 5.667e-7, "i7": 1.912e-5,
    "xa": -0.06934, "ya": -0.00227, "xb": -0.03635, "yb": 0.03273, "xc": 0.014, "yc": 0.072,
    "d": 0.028, "da": 0.0115, "e": 0.02, "ea": 0.01421, "rr": 0.007, "ra": 0.00092, "ss": 0.035, "sa": 0.01874,
    "sb": 0.01043, "sc": 0.018, "sd": 0.02, "ta": 0.02308, "tb": 0.00916, "u": 0.04, "ua": 0.01228, "ub": 0.00449,
    "zf": 0.02, "zt": 0.04, "fa": 0.01421, "c0": 4530.0, "l0": 0.07785, "mom": 0.033,
}  # fmt: skip
START = {
    "beta": -0.0617138900142764,
    "theta": 0.0,
    "gamma": 0.45527981916307038,
    "phi": 0.22266839016588588,
    "delta": 0.48736497954384255,
    "omega": -0.22266839016588588,
    "epsilon": 1.2305474445498212,
}


def model() -> Model:
    """Return the mechanism at rest, where the published motion begins."""
    names = list(START)
    coordinates = [dynamicsymbols(name) for name in names]
    speeds = [dynamicsymbols(f"{name}d") for name in names]
    beta, theta, gamma, phi, delta, omega, epsilon = coordinates
    betad, thetad, gammad, phid, deltad, omegad, epsilond = speeds
    p = {name: sympy.Symbol(name, real=True) for name in VALUES}

    N = ReferenceFrame("N")
    frames = []
    angles = (beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon)
    rates = (betad, betad + thetad, gammad, phid + deltad, deltad, omegad + epsilond, epsilond)
    for number, (angle, rate) in enumerate(zip(angles, rates, strict=True), 1):
        frame = ReferenceFrame(f"F{number}")
        frame.orient_axis(N, N.z, angle)
        frame.set_ang_vel(N, rate * N.z)
        frames.append(frame)
    F1, F2, F3, F4, F5, F6, F7 = frames

    def chain(name: str, start: Point, *arms: tuple[ReferenceFrame, sympy.Expr]) -> Point:
        """Return the point at the end of arms, each fixed in a frame."""
        for step, (frame, arm) in enumerate(arms):
            point = start.locatenew(f"{name}{step}", arm)
            point.v2pt_theory(start, N, frame)
            start = point
        return start

    O = Point("O")  # noqa: E741 (the pivot's name)
    O.set_vel(N, 0)
    pivot_A = O.locatenew("A", p["xa"] * N.x + p["ya"] * N.y)
    pivot_A.set_vel(N, 0)
    pivot_B = O.locatenew("B", p["xb"] * N.x + p["yb"] * N.y)
    pivot_B.set_vel(N, 0)

    centers = [
        chain("K1_", O, (F1, p["ra"] * F1.x)),
        chain("K2_", O, (F1, p["rr"] * F1.x), (F2, -p["da"] * F2.x)),
        chain("K3_", pivot_B, (F3, p["sb"] * F3.x - p["sa"] * F3.y)),
        chain("K4_", pivot_A, (F5, p["zt"] * F5.x), (F4, -(p["e"] - p["ea"]) * F4.y)),
        chain("K5_", pivot_A, (F5, p["ta"] * F5.x + p["tb"] * F5.y)),
        chain("K6_", pivot_A, (F7, -p["u"] * F7.y), (F6, (p["zf"] - p["fa"]) * F6.x)),
        chain("K7_", pivot_A, (F7, -p["ub"] * F7.x - p["ua"] * F7.y)),
    ]
    bodies = [
        RigidBody(f"body{k}", center, frame, p[f"m{k}"], (inertia(frame, 0, 0, p[f"i{k}"]), center))
        for k, (center, frame) in enumerate(zip(centers, frames, strict=True), 1)
    ]
    ends = [
        p["rr"] * F1.x - p["d"] * F2.x,
        p["xb"] * N.x + p["yb"] * N.y - p["ss"] * F3.y,
        p["xa"] * N.x + p["ya"] * N.y + p["zt"] * F5.x - p["e"] * F4.y,
        p["xa"] * N.x + p["ya"] * N.y - p["u"] * F7.y + p["zf"] * F6.x,
    ]
    closing = [(ends[0] - end).dot(axis) for end in ends[1:] for axis in (N.x, N.y)]
    spring = p["xb"] * N.x + p["yb"] * N.y + p["sd"] * F3.x - p["sc"] * F3.y - p["xc"] * N.x - p["yc"] * N.y
    length = sympy.sqrt(spring.dot(N.x) ** 2 + spring.dot(N.y) ** 2)
    pivots = [(0, 0), *((p[f"x{letter}"], p[f"y{letter}"]) for letter in "abc")]
    return Model(
        name="andrews_squeezer",
        description="Andrews' squeezing mechanism: seven bodies in three loops, one degree of freedom",
        inertial_frame=N,
        coordinates=coordinates,
        speeds=speeds,
        kinematical_equations=[q.diff() - u for q, u in zip(coordinates, speeds, strict=True)],
        bodies=bodies,
        loads=[(F1, p["mom"] * N.z)],
        potential_energy=p["c0"] * (length - p["l0"]) ** 2 / 2,
        configuration_constraints=closing,
        parameters={p[name]: (value, *_meaning(name)) for name, value in VALUES.items()},
        shapes=_shapes(p),
        ground=[Shape.sphere(p["rr"] / 6, offset=(x, y, 0)) for x, y in pivots],
        lines=[Shape.line((p["xc"], p["yc"], 0), ("body3", (p["sd"] - p["sb"], p["sa"] - p["sc"], 0)), "spring")],
        run={"t_end": 0.03, "dt": 1e-5, "speed": 0.01},
        initial={
            **{q: (START[name], "rad", f"angle {name}") for name, q in zip(names, coordinates, strict=True)},
            **{u: (0.0, "rad/s", f"rate of {name}") for name, u in zip(names, speeds, strict=True)},
        },
    )


def _shapes(p: dict[str, sympy.Symbol]) -> dict[str, list[Shape]]:
    """Return rods between the pins of each body, in its frame about its mass centre."""
    to_A, to_B = (-p["ta"], -p["tb"]), (-p["sb"], p["sa"])
    pins = {
        "body1": [(-p["ra"], 0), (p["rr"] - p["ra"], 0)],
        "body2": [(p["da"], 0), (p["da"] - p["d"], 0)],
        "body3": [to_B, (-p["sb"], p["sa"] - p["ss"]), (p["sd"] - p["sb"], p["sa"] - p["sc"]), to_B],
        "body4": [(0, p["e"] - p["ea"]), (0, -p["ea"])],
        "body5": [to_A, (p["zt"] - p["ta"], -p["tb"]), (0, 0), to_A],
        "body6": [(p["fa"] - p["zf"], 0), (p["fa"], 0)],
        "body7": [(p["ub"], p["ua"]), (p["ub"], p["ua"] - p["u"]), (0, 0), (p["ub"], p["ua"])],
    }
    return {
        body: [Shape.rod((*start, 0), (*end, 0), p["rr"] / 10) for start, end in itertools.pairwise(places)]
        for body, places in pins.items()
    }


def _meaning(name: str) -> tuple[str, str]:
    """Return unit and description of a parameter."""
    if name[1:].isdigit() and name != "c0" and name != "l0":
        body = f"of body {name[1:]}"
        return ("kg", f"mass {body}") if name[0] == "m" else ("kg*m^2", f"central moment of inertia {body}")
    special = {
        "c0": ("N/m", "stiffness of the spring"),
        "l0": ("m", "its free length"),
        "mom": ("N*m", "torque of the motor on body 1"),
    }
    if name in special:
        return special[name]
    if name in ("xa", "ya", "xb", "yb", "xc", "yc"):
        return "m", f"{name[0]} of the point {name[1].upper()}"
    return "m", f"length {name} of the published drawing"
