"""Small mechanisms for the tests of the derivation."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, dynamicsymbols, inertia

from eomc.model import Model


@pytest.fixture
def arm() -> Callable[[int], Model]:
    """Return a maker of serial arms: n bodies, joints about z and x in turn, gravity along -y."""

    def make(n: int) -> Model:
        q, u = dynamicsymbols(f"q1:{n + 1}"), dynamicsymbols(f"u1:{n + 1}")
        g = sm.Symbol("g")
        N = ReferenceFrame("N")
        frame, joint = N, Point("O")
        joint.set_vel(N, 0)
        bodies = []
        for k in range(n):
            link = ReferenceFrame(f"A{k}")
            axis = frame.z if k % 2 == 0 else frame.x
            link.orient_axis(frame, axis, q[k])
            link.set_ang_vel(frame, u[k] * axis)
            center = joint.locatenew(f"C{k}", sm.Rational(1, 4) * link.x + sm.Rational(1, 10) * link.y)
            center.v2pt_theory(joint, N, link)
            tip = joint.locatenew(f"P{k}", sm.Rational(1, 2) * link.x)
            tip.v2pt_theory(joint, N, link)
            about = inertia(link, sm.Rational(1, 50), sm.Rational(3, 100), sm.Rational(1, 25))
            bodies.append(RigidBody(f"L{k}", center, link, k + 1, (about, center)))
            frame, joint = link, tip
        return Model(
            name="arm",
            inertial_frame=N,
            coordinates=q,
            speeds=u,
            bodies=bodies,
            gravity=-g * N.y,
            parameters={g: 9.81},
        )

    return make


@pytest.fixture
def rod_with_bead() -> Model:
    """Return a bead on a rod that turns at a given rate: T has parts of second and of zeroth degree in q'."""
    r, v = dynamicsymbols("r v")
    m, rate, k = sm.symbols("m Omega k")
    t = dynamicsymbols._t
    N, rod = ReferenceFrame("N"), ReferenceFrame("rod")
    rod.orient_axis(N, N.z, rate * t)
    hub = Point("hub")
    hub.set_vel(N, 0)
    bead = hub.locatenew("bead", r * rod.x)
    bead.set_vel(N, v * rod.x + r * rate * rod.y)
    return Model(
        name="rod_with_bead",
        inertial_frame=N,
        coordinates=[r],
        speeds=[v],
        bodies=[Particle("bead", bead, m)],
        potential_energy=k * r**2 / 2,
        parameters={m: 0.3, rate: 2.0, k: 5.0},
        initial={r: 0.7, v: 0.2},
    )
