"""Mechanisms drawn at random: trees of bodies, any joints and speeds, all kinds of loads; sizes over decades."""

from __future__ import annotations

import math
import random
from typing import Any

import sympy
from sympy import Rational, cos, sin
from sympy.physics.mechanics import (
    LinearDamper,
    LinearPathway,
    LinearSpring,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

import eomc

__all__ = ["Mechanism"]

t = dynamicsymbols._t
_AXES = [
    (1, 0, 0),
    (0, 1, 0),
    (0, 0, 1),
    (Rational(3, 5), Rational(4, 5), 0),
    (Rational(2, 3), Rational(1, 3), Rational(2, 3)),
]
_SEQUENCES = ("ZXZ", "XYZ", "ZYX", "YXY")


class Mechanism:
    """A random tree of one to five joints, with all that a model may have, the same for the same seed.

    Lengths are of one size, masses of another, times of a third, each drawn over decades; every parameter then differs
    from its size by a factor of up to thirty.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.name = f"fuzz_{seed}"
        self.length, self.mass, self.second = (10.0 ** self.random.uniform(-3, 3) for _ in range(3))
        if self.random.random() < 0.3:
            self.length = self.mass = self.second = 1.0
        self.N, self.origin = ReferenceFrame("N"), Point("O")
        self.origin.set_vel(self.N, 0)
        self.q: list[Any] = []
        self.simple: list[Any] = []  # joints of one coordinate: frame and place before, axis, coordinate
        self.slides: set[Any] = set()  # coordinates that are lengths
        self.kinematics: dict[int, Any] = {}  # number of a speed -> what it is, written in q' (else a mixture)
        self.parameters: dict[sympy.Symbol, float] = {}
        self.later: dict[str, float] = {}  # parameters whose default is next to nothing, and what they are set to
        self.inputs: dict[Any, float] = {}
        self.bodies: list[Any] = []
        self.loads: list[Any] = []
        self.auxiliary: list[Any] = []
        self.places: list[tuple[Any, Any]] = [(self.N, self.origin)]
        if self.chance(0.12):  # all of it on a base that an auxiliary speed would lift
            lift = dynamicsymbols("w")
            base = Point("base")
            base.set_vel(self.N, lift * self.N.z)
            self.auxiliary.append(lift)
            self.places = [(self.N, base)]
        for number in range(1 + self.random.randrange(4)):
            self._joint(number + 1)
        if not self.q:
            self._joint(9, "revolute")
        self._forces()

    # -- numbers -----------------------------------------------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def value(self, size: float, sign: bool = True) -> float:
        """Return a number about `size`, of either sign."""
        x = size * 10.0 ** self.random.uniform(-1.5, 0.5)
        return float(f"{-x if sign and self.chance(0.5) else x:.4g}")

    def number(self, size: float, sign: bool = True) -> Any:
        """Return a parameter, now and then a plain number."""
        value = self.value(size, sign)
        if self.chance(0.85):
            symbol = sympy.Symbol(f"c{len(self.parameters)}")
            self.parameters[symbol] = value
            if self.chance(0.08):  # zero or next to nothing by default, and set later
                self.later[symbol.name] = value
                self.parameters[symbol] = value * self.random.choice([0.0, 1e-12])
            return symbol
        return sympy.Float(value)

    def vector(self, frame: Any, size: float) -> Any:
        parts = [self.number(size) if self.chance(0.6) else 0 for _ in range(3)]
        return sum((part * axis for part, axis in zip(parts, frame, strict=True)), 0 * frame.x)

    def axis(self, frame: Any) -> Any:
        x, y, z = self.random.choice(_AXES)
        return x * frame.x + y * frame.y + z * frame.z

    # -- bodies ------------------------------------------------------------------------------------------------------

    def coordinate(self, slides: bool = False) -> Any:
        symbol = dynamicsymbols(f"q{len(self.q) + 1}")
        self.q.append(symbol)
        if slides:
            self.slides.add(symbol)
        return symbol

    def _joint(self, number: int, kind: str | None = None, on: Any = None) -> None:
        kinds = (
            ["geared"] * (2 * bool(self.simple))
            + ["revolute"] * 4
            + ["prismatic"] * 3
            + ["spherical", "floating", "prescribed", "weld"]
        )
        kind = kind or self.random.choice(kinds)
        parent, before = on or self.random.choice(self.places)
        frame = ReferenceFrame(f"F{number}")
        if kind not in ("prismatic", "floating", "geared"):
            place = before.locatenew(f"J{number}", self.vector(parent, self.length))
        if kind == "revolute":
            axis, q = self.axis(parent), self.coordinate()
            self.simple.append((parent, before, axis, q))
            frame.orient_axis(parent, axis, q)
        elif kind == "prismatic":
            axis, q = self.axis(parent), self.coordinate(slides=True)
            self.simple.append((parent, before, axis, q))
            frame.orient_axis(parent, axis, self.number(1.0))
            place = before.locatenew(f"S{number}", q * axis + self.vector(parent, self.length))
        elif kind == "geared":
            place = self._geared(number, frame)
        elif kind in ("spherical", "floating"):
            if kind == "floating":
                moved = sum((self.coordinate(slides=True) * axis for axis in parent), 0 * parent.x)
                place = before.locatenew(f"S{number}", moved)
            self._turn_freely(parent, frame)
        elif kind == "prescribed":
            signal = dynamicsymbols(f"r{number}")
            frame.orient_axis(parent, self.axis(parent), signal)
            for order in range(3):
                rate = signal.diff(t, order) if order else signal
                self.inputs[rate] = self.value(self.second**-order)
        else:
            frame.orient_axis(parent, self.axis(parent), self.number(1.0))
        self.places.append((frame, place))
        if kind == "weld" and self.chance(0.5):  # a frame without mass, that bears another one
            self._joint(number + 10, "revolute", (frame, place))
        else:
            self._body(number, frame, place)

    def _geared(self, number: int, frame: Any) -> Any:
        """Move like another joint, (1 + e) times as far, e often tiny; return the place."""
        parent, before, axis, q = self.random.choice(self.simple)
        ratio = sympy.Symbol(f"e{number}")
        value = self.value(1.0)
        self.later[ratio.name] = value
        self.parameters[ratio] = self.random.choice([0.0, 1e-12, 1e-7, value])
        moved, arm = (1 + ratio) * q, self.vector(parent, self.length)
        if q in self.slides:
            frame.orient_axis(parent, axis, self.number(1.0))
            return before.locatenew(f"S{number}", moved * axis + arm)
        frame.orient_axis(parent, axis, moved)
        return before.locatenew(f"S{number}", arm)

    def _turn_freely(self, parent: Any, frame: Any) -> None:
        first = len(self.q)
        angles = [self.coordinate() for _ in range(3)]
        frame.orient_body_fixed(parent, angles, self.random.choice(_SEQUENCES))
        if self.chance(0.5):  # speeds that are components of the angular velocity
            spin = frame.ang_vel_in(parent)
            for index, axis in enumerate(self.random.choice([frame, frame, parent])):
                self.kinematics[first + index] = spin.dot(axis)

    def _body(self, number: int, frame: Any, place: Any) -> None:
        centre = place.locatenew(f"C{number}", self.vector(frame, self.length))
        mass = self.number(self.mass, sign=False)
        if self.chance(0.25):
            self.bodies.append(Particle(f"B{number}", centre, mass))
        else:
            size = self.mass * self.length**2
            second, third = (size * 10.0 ** self.random.uniform(-1, 0.5) for _ in range(2))
            moments = (second, third, (second + third) * self.random.uniform(abs(second - third) / (second + third), 1))
            products = [0.2 * min(moments) * self.random.uniform(-1, 1) if self.chance(0.4) else 0 for _ in range(3)]
            basis = (
                frame
                if self.chance(0.8)
                else frame.orientnew(f"G{number}", "Axis", [self.number(1.0), self.axis(frame)])
            )
            dyadic = inertia(basis, *(sympy.Float(f"{x:.8g}") for x in (*moments, *products)))
            about = centre if self.chance(0.7) else place
            if about is place:  # about another point of the body: what Steiner adds there
                arm = centre.pos_from(place)
                dyadic += mass * (arm.dot(arm) * inertia(frame, 1, 1, 1) - arm.outer(arm))
            self.bodies.append(RigidBody(f"B{number}", centre, frame, mass, (dyadic, about)))
        # Each joint gets inertia of its own, or a particle on a ball joint would leave an angle without any.
        small = self.mass * self.length**2 / 20
        round_ = inertia(frame, *(sympy.Float(f"{small * k:.3g}") for k in (1.0, 1.3, 1.6)))
        self.bodies.append(RigidBody(f"D{number}", place, frame, sympy.Float(f"{self.mass / 20:.3g}"), (round_, place)))

    # -- forces ------------------------------------------------------------------------------------------------------

    def _forces(self) -> None:
        force = self.mass * self.length / self.second**2
        damping, torque = force * self.second, force * self.length
        for frame, place in self.places[1:]:
            if self.chance(0.4):
                self.loads.append((place, self.vector(frame, force)))  # a follower
            if self.chance(0.3):
                self.loads.append((place, self.number(force) * sin(t / self.second) * self.N.z))
            if self.chance(0.3):
                other = self.random.choice(self.places)[0]
                self.loads.append((frame, self.number(torque) * other.x))
        rates = [q.diff(t) for q in self.q]
        for index, q in enumerate(self.q):
            if self.chance(0.2):
                frame, place = self.places[-1]
                factor = self.number(damping if q in self.slides else damping * self.length, sign=False)
                self.loads.append((place, -factor * rates[index] * frame.y))
        if len(self.places) > 2 and self.chance(0.4):
            (_, one), (_, two) = self.random.sample(self.places, 2)
            path = LinearPathway(one, two)
            stiffness, viscosity = (self.number(s, sign=False) for s in (force / self.length, damping / self.length))
            self.loads.append(LinearSpring(stiffness, path, equilibrium_length=self.number(self.length, sign=False)))
            self.loads.append(LinearDamper(viscosity, path))
        if self.chance(0.3):
            signal = dynamicsymbols("force")
            self.inputs[signal] = self.value(force)
            self.loads.append((self.places[-1][1], signal * self.axis(self.places[-1][0])))

    def _potential(self) -> Any:
        energy = self.mass * self.length**2 / self.second**2
        terms = []
        for q in self.q:
            angle = q / sympy.Float(self.length) if q in self.slides else q
            if self.chance(0.3):
                terms.append(self.number(energy, sign=False) * angle**2 / 2)
            elif self.chance(0.1):
                terms.append(self.number(energy) * cos(angle))
        return sum(terms, sympy.S.Zero)

    # -- speeds and constraints --------------------------------------------------------------------------------------

    def _speeds(self) -> tuple[list[Any], list[Any]]:
        """Return the speeds and the kinematical equations: q', components of spins, or mixtures u = Y q' + Z."""
        style = self.random.choice(["rates", "rates", "mixed"])
        rates = [q.diff(t) for q in self.q]
        if style == "rates" and not self.kinematics:
            return [*rates, *self.auxiliary], []
        speeds = list(dynamicsymbols(f"u1:{len(rates) + 1}"))
        equations = []
        for index, u in enumerate(speeds):
            meant = self.kinematics.get(index, rates[index])
            before = index - 1
            if style == "mixed" and index not in self.kinematics:
                meant = 2 * meant
                if self.chance(0.5) and before >= 0:
                    ratio = self._size(index) / self._size(before)
                    meant += sympy.Float(ratio) * sin(self._angle(before)) * rates[before] / 2
                if self.chance(0.3):
                    meant += sympy.Float(self._size(index) / self.second) * cos(self._angle(0) + t / self.second) / 7
            equations.append(u - meant)
        return [*speeds, *self.auxiliary], equations

    def _size(self, index: int) -> float:
        return self.length if self.q[index] in self.slides else 1.0

    def _angle(self, index: int) -> Any:
        return self.q[index] / sympy.Float(self._size(index))

    def _constraints(self) -> tuple[list[Any], list[Any]]:
        """Return configuration and velocity constraints; now and then one that follows from another."""
        if len(self.q) < 3 or not self.chance(0.5):
            return [], []
        i, j = self.random.sample(range(len(self.q)), 2)
        a, b = self._angle(i), self._angle(j)
        if self.chance(0.5):
            row = a - sin(b) / 2 - Rational(1, 5)
            rows, others = [row], []
        else:
            rate = self.q[i].diff(t) / sympy.Float(self._size(i))
            other = self.q[j].diff(t) / sympy.Float(self._size(j))
            row = rate * cos(b) - other * (Rational(3, 2) + sin(a))
            rows, others = [], [row]
        if self.chance(0.2):
            (rows or others).append(3 * row)
        return rows, others

    def model(self) -> eomc.Model:
        """Return the model."""
        speeds, kinematics = self._speeds()
        configuration, velocity = self._constraints()
        speed = self.length / self.second
        ranges = {}
        for q, u in zip(self.q, speeds, strict=False):  # an auxiliary speed is zero
            size = self.length if q in self.slides else 1.0
            ranges[q] = (-1.2 * size, 1.2 * size)
            ranges[u] = (-size / self.second, size / self.second)
        g = self.number(speed / self.second)
        given = {
            "name": self.name,
            "inertial_frame": self.N,
            "coordinates": self.q,
            "speeds": speeds,
            "kinematical_equations": kinematics,
            "auxiliary_speeds": self.auxiliary,
            "bodies": self.bodies,
            "loads": self.loads,
            "gravity": g * self.axis(self.N),
            "potential_energy": self._potential(),
            "configuration_constraints": configuration,
            "velocity_constraints": velocity,
            "inputs": self.inputs,
            "parameters": self.parameters,
            "outputs": {"angle": self.q[0], "rate": self.q[-1].diff(t)},
            "ranges": ranges,
            "unused": "ignore",  # a damper between points at a constant distance needs no viscosity
        }
        return eomc.Model(**given)

    @property
    def time(self) -> float:
        """A time of the model's own size."""
        return self.second * self.random.uniform(0.1, 3.0) if math.isfinite(self.second) else 0.0
