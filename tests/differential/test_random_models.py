"""Trees of bodies drawn at random: emitted C against the reference in NumPy, and the methods against each other."""

from __future__ import annotations

import random

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

import eomc
from eomc.analysis.agreement import compare

pytestmark = pytest.mark.needs_cc

t = dynamicsymbols._t

SEEDS = range(3)  # of two, three and four joints


class Tree:
    """Bodies on turning and sliding joints, each on a body drawn at random, with springs, dampers and odd speeds."""

    def __init__(self, seed: int, joints: int) -> None:
        self.random = random.Random(seed)
        self.N = ReferenceFrame("N")
        self.origin = Point("O")
        self.origin.set_vel(self.N, 0)
        self.q = list(dynamicsymbols(f"q1:{joints + 1}"))
        self.u = list(dynamicsymbols(f"u1:{joints + 1}"))
        self.parameters: dict[sympy.Symbol, float] = {}
        self.places = [(self.N, self.origin)]
        self.bodies: list[RigidBody | Particle] = []
        self.loads: list[tuple[object, object]] = []
        for index in range(joints):
            self._joint(index)

    def number(self, low: float, high: float) -> sympy.Expr:
        """Return a parameter, a number, or the float zero."""
        value = round(self.random.uniform(low, high), 3)
        kind = self.random.random()
        if kind < 0.6:
            symbol = sympy.Symbol(f"c{len(self.parameters)}")
            self.parameters[symbol] = value
            return symbol
        return sympy.Float(value) if kind < 0.8 else sympy.Rational(str(value))

    def _vector(self, frame: ReferenceFrame, size: float) -> object:
        parts = [self.number(-size, size) if self.random.random() < 0.7 else sympy.Float(0) for _ in range(3)]
        return sum((part * axis for part, axis in zip(parts, frame, strict=True)), 0 * frame.x)

    def _joint(self, index: int) -> None:
        parent, origin = self.random.choice(self.places)
        q, n = self.q[index], index + 1
        direction = self.random.choice(range(3))
        axis = list(parent)[direction]
        frame = ReferenceFrame(f"F{n}")
        joint = Point(f"J{n}")
        if self.random.random() < 0.7:
            frame.orient_axis(parent, axis, q)
            joint.set_pos(origin, self._vector(parent, 0.6))
        else:
            frame.orient_axis(parent, axis, self.number(-1, 1))
            joint.set_pos(origin, q * axis + self._vector(parent, 0.4))
        self.places.append((frame, joint))
        centre = joint.locatenew(f"C{n}", self._vector(frame, 0.4))
        mass = self.number(0.5, 2.0)
        if self.random.random() < 0.2:
            self.bodies.append(Particle(f"B{n}", centre, mass))
        else:
            basis = self.random.choice([frame, parent]) if parent is not self.N else frame
            moments = [1 + self.random.random() for _ in range(3)]
            products = [0.2 * self.random.random() for _ in range(3)]
            if basis is parent:  # in which the body turns: a round one, whose inertia turns with it all the same
                moments, products = [moments[k == direction] for k in range(3)], [0.0, 0.0, 0.0]
            dyadic = inertia(basis, *(sympy.Float(x, 15) for x in (*moments, *products)))
            self.bodies.append(RigidBody(f"B{n}", centre, frame, mass, (dyadic, centre)))
        # every speed has inertia of its own: a light body that sits on the joint
        self.bodies.append(RigidBody(f"D{n}", joint, frame, 0.3, (inertia(frame, 0.2, 0.3, 0.4), joint)))
        self.loads.append((centre, self._vector(self.N, 3.0) - 0.1 * q.diff(t) * frame.y + sympy.sin(t) * parent.z))
        self.loads.append((frame, -0.2 * self.u[index] * frame.z))

    def model(self, name: str) -> eomc.Model:
        """Return the model, with speeds that mix neighbouring rates and carry offsets in q and t."""
        rates = [q.diff(t) for q in self.q]
        kinematics = []
        for index, u in enumerate(self.u):
            mixed = 2 * rates[index] + sympy.Rational(1, 10) * sympy.cos(self.q[0])
            if self.random.random() < 0.5:
                mixed += sympy.sin(self.q[index - 1]) * rates[index - 1] / 2 + t / 7
            kinematics.append(u - mixed)
        energy = sum(3 * q**2 for q in self.q[::2]) + sympy.cos(self.q[-1] - self.q[0])
        return eomc.Model(
            name=name,
            inertial_frame=self.N,
            coordinates=self.q,
            speeds=self.u,
            kinematical_equations=kinematics,
            bodies=self.bodies,
            loads=self.loads,
            gravity=-9.81 * self.N.z + 2 * self.N.x,
            potential_energy=energy,
            dissipation_function=self.u[0] ** 2 / 10 + rates[-1] ** 2 / 5,
            parameters=self.parameters,
            outputs={"height": self.q[0] * self.u[-1] + rates[0]},
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_random_tree(seed: int) -> None:
    """Every method's functions agree with the reference; from the same q and u all give the same q' and outputs."""
    model = Tree(seed, joints=2 + seed % 4).model(f"tree_{seed}")
    assert set(model.methods) == {"kane", "lagrange", "hamilton", "gibbs-appell"}
    rates = {}
    q, u = np.random.default_rng(seed).uniform(-1, 1, (2, len(model.coordinates)))
    for method in model.methods:
        build = eomc.compile(model, method)
        for agreement in compare(build, 5, seed):
            assert agreement.holds, (method, agreement)
        sim = build.load()
        x = build.initial_state(
            dict(zip((c.func.__name__ for c in model.coordinates), q, strict=True)),
            dict(zip((c.func.__name__ for c in model.speeds), u, strict=True)),
            t=0.4,
        )
        rates[method] = sim.rhs(0.4, np.array(x))[: len(q)], sim.outputs(0.4, np.array(x))
    for found in rates.values():
        for ours, kanes in zip(found, rates["kane"], strict=True):
            np.testing.assert_allclose(ours, kanes, rtol=1e-10, atol=1e-10)
