"""Reactions are determined where their loads can hold what the auxiliary speeds move; else they are refused by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.errors import DerivationError, SingularSystemError

q, u, x, v, w, x1, x2, v1, v2 = dynamicsymbols("q u x v w x1 x2 v1 v2")
m, M, g, mu, N_n, length, F = sympy.symbols("m M g mu N_n l F")
BOB, BLOCK, FALL, ROD, FRICTION = 0.3, 1.0, 9.81, 0.5, 0.2
ANGLE, SPIN, SLIDE = 0.3, 1.0, 2.0


def block(load: Callable[[Any], Any]) -> Any:
    """Return a block on a table with a pendulum below it; w would lift the block, and `load` acts on it."""
    frame, origin = ReferenceFrame("N"), Point("O")
    rod = frame.orientnew("A", "Axis", (q, frame.z))
    rod.set_ang_vel(frame, u * frame.z)
    origin.set_vel(frame, 0)
    body = origin.locatenew("H", x * frame.x)
    body.set_vel(frame, v * frame.x + w * frame.y)
    bob = body.locatenew("P", -length * rod.y)
    bob.v2pt_theory(body, frame, rod)
    return eomc.Model(
        name="block",
        inertial_frame=frame,
        coordinates=[q, x],
        speeds=[u, v, w],
        kinematical_equations=[q.diff() - u, x.diff() - v],
        auxiliary_speeds=[w],
        reactions=[N_n],
        bodies=[Particle("p", bob, m), Particle("h", body, M)],
        gravity=-g * frame.y,
        loads=[(body, load(frame))],
        parameters={m: BOB, M: BLOCK, g: FALL, length: ROD, mu: FRICTION},
    )


def by_hand(lift: float) -> Any:
    """Return u', v', N of the block where N acts with the factor `lift` along the vertical."""
    c, s = np.cos(ANGLE), np.sin(ANGLE)
    matrix = [
        [BOB * ROD**2, BOB * ROD * c, 0],
        [BOB * ROD * c, BOB + BLOCK, FRICTION * SLIDE],
        [BOB * ROD * s, 0, -lift],
    ]
    swing = BOB * ROD * SPIN**2
    return np.linalg.solve(matrix, [-BOB * FALL * ROD * s, swing * s, -(BOB + BLOCK) * FALL - swing * c])


def test_a_load_that_holds() -> None:
    """The load N and the friction mu N v together give what a 3 x 3 system by hand gives."""
    sim = eomc.compile(block(lambda frame: N_n * frame.y - mu * N_n * v * frame.x)).load()
    state = [ANGLE, 0.0, SPIN, SLIDE]
    found = [*sim.rhs(0.0, state)[2:], *sim.reactions(0.0, state).values()]
    assert_allclose(found, by_hand(1.0), rtol=1e-12)


@pytest.mark.parametrize("along", [0, 1])
def test_a_load_that_holds_nothing(along: int) -> None:
    """Friction alone, or N along the table, does not hold w, though the pendulum couples all equations."""
    with pytest.raises(DerivationError, match=r"reaction N_n is not determined by .* auxiliary speeds w"):
        eomc.compile(block(lambda frame: along * N_n * frame.x - mu * N_n * v * frame.x))


def test_a_load_that_holds_nothing_at_one_state() -> None:
    """Where the load turns away from w at x = 0, that state is singular and all others are not."""
    sim = eomc.compile(block(lambda frame: x * N_n * frame.y - mu * N_n * v * frame.x)).load()
    with pytest.raises(SingularSystemError, match="N_n"):
        sim.rhs(0.0, [ANGLE, 0.0, SPIN, SLIDE])
    state = [ANGLE, -0.5, SPIN, SLIDE]
    found = [*sim.rhs(0.0, state)[2:], *sim.reactions(0.0, state).values()]
    assert_allclose(found, by_hand(-0.5), rtol=1e-12)


@pytest.mark.parametrize("size", [N_n, sympy.Abs(N_n)])
def test_friction_that_follows_a_size_holds_nothing(size: Any) -> None:
    """With |N| in the friction all patterns of signs are refused where N itself holds nothing."""
    with pytest.raises(DerivationError, match="reaction N_n is not determined"):
        eomc.compile(block(lambda frame: N_n * frame.x - mu * size * v * frame.x))


def gap(dependent: list[Any], back: int = 1) -> Any:
    """Return two bodies of which one pushes the other: w, the rate of their gap, meets the constraint alone."""
    frame, origin = ReferenceFrame("K"), Point("O")
    origin.set_vel(frame, 0)
    first, second = origin.locatenew("A", x1 * frame.x), origin.locatenew("B", x2 * frame.x)
    first.set_vel(frame, v1 * frame.x)
    second.set_vel(frame, v2 * frame.x)
    pushed = (first, F * frame.x - back * (N_n + mu * N_n * v1) * frame.x)
    return eomc.Model(
        name="gap",
        inertial_frame=frame,
        coordinates=[x1, x2],
        speeds=[v1, v2, w],
        kinematical_equations=[x1.diff() - v1, x2.diff() - v2],
        auxiliary_speeds=[w],
        reactions=[N_n],
        velocity_constraints=[v2 - v1 - w],
        dependent_speeds=dependent,
        bodies=[Particle("a", first, m), Particle("b", second, M)],
        loads=[pushed, (second, N_n * frame.x)],
        parameters={m: 1.0, M: 2.0, F: 3.0} | ({mu: 0.1} if back else {}),
    )


@pytest.mark.parametrize(
    ("dependent", "constraints"),
    [([v2], "eliminated"), ([v1], "eliminated"), ([], "eliminated"), ([v1], "augmented"), ([], "null-space")],
)
def test_a_reaction_through_a_constraint(dependent: list[Any], constraints: str) -> None:
    """N = M a and F - N - mu N v = m a, whichever speed is dependent, and in whatever form."""
    sim = eomc.compile(gap(dependent), constraints=constraints).load()
    state = [0.0, 0.0, 0.5, 0.5]
    a = 3.0 / (3.0 + 0.1 * 2.0 * 0.5)
    assert_allclose(sim.rhs(0.0, state)[2:], [a, a], rtol=1e-10)
    assert_allclose(list(sim.reactions(0.0, state).values()), [2 * a], rtol=1e-10)
    assert_allclose(list(eomc.reference(gap(dependent)).reactions(0.0, state).values()), [2 * a], rtol=1e-8)


def test_a_reaction_that_misses_the_constraint() -> None:
    """With v1 = v2 - w dependent, a load N that stands on the other body alone holds nothing of w."""
    with pytest.raises(DerivationError, match=r"reaction N_n is not determined by .* auxiliary speeds w"):
        eomc.compile(gap([v1], back=0))
