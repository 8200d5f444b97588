"""The recursion that a user asks for, of bodies: taken where they are a tree of joints, else refused with a reason."""

from __future__ import annotations

import re

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.options import Options
from eomc.errors import DerivationError, UnsupportedError
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.interpreter import Sample
from eomc.model import Model

BOTH = ("composite", "articulated")


def derived(model: Model, algorithm: str, method: str = "kane") -> EquationsOfMotion:
    return derive(model, choose_method(model, method), options=Options(algorithm=algorithm))


@pytest.mark.parametrize("algorithm", BOTH)
@pytest.mark.parametrize("name", ["cart_pole", "double_pendulum", "heavy_top", "n_link_pendulum:8"])
def test_each_gives_the_accelerations_of_the_reference(name: str, algorithm: str) -> None:
    """What counting would leave in its own frames, too, and the record says who chose."""
    model = eomc.load(name)
    equations = derived(model, algorithm)
    state = np.random.default_rng(5).uniform(-1, 1, len(equations.states))
    values = {v.symbol: x for v, x in zip(equations.states, state, strict=True)}
    values |= {one.symbol: one.value for one in (*equations.parameters, *equations.inputs)}
    found = Sample(equations.graph, values).vector(equations.motion.derivative)
    expected = eomc.reference(model).rhs(0.0, state)
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-9 * abs(expected).max())
    assert equations.motion.recursion is not None
    assert equations.motion.recursion.algorithm == algorithm
    told = rf"u' by {algorithm} bodies on a tree of \d joints found in the bodies, as asked for"
    assert re.fullmatch(told, equations.motion.arrangement)


def set_apart() -> Model:
    """Return a particle whose velocity was set, and is not that of its place."""
    q = dynamicsymbols("q")
    N, O = ReferenceFrame("N"), Point("O")  # noqa: E741 - as in text-books
    O.set_vel(N, 0)
    P = O.locatenew("P", q * N.x)
    P.set_vel(N, 2 * q.diff() * N.x)
    return Model(name="apart", inertial_frame=N, coordinates=[q], speeds=[q.diff()], bodies=[Particle("p", P, 1)])


def test_no_tree_is_told_by_the_sentence_of_stats() -> None:
    """Why bodies are no tree is said in the words of a build without the wish."""
    model = set_apart()
    reason = derived(model, "auto").motion.arrangement.partition("no tree of joints: ")[2]
    assert "point P" in reason
    told = f"apart: algorithm is 'composite', which is for trees of joints, and its bodies are none: {reason}; leave"
    with pytest.raises(UnsupportedError, match=re.escape(told)):
        derived(model, "composite")


@pytest.mark.parametrize("method", ["lagrange", "gibbs-appell"])
def test_other_methods_have_no_recursion(method: str) -> None:
    """Kane's method alone is arranged so."""
    with pytest.raises(UnsupportedError, match=f"trees of joints by kane; this model, by {method}"):
        derived(eomc.load("double_pendulum"), "articulated", method)


def accelerated() -> Model:
    """Return a particle with a force against its acceleration."""
    q, u = dynamicsymbols("q u")
    N, O = ReferenceFrame("N"), Point("O")  # noqa: E741 - as in text-books
    O.set_vel(N, 0)
    P = O.locatenew("P", q * N.x)
    return Model(
        name="accelerated", inertial_frame=N, coordinates=[q], speeds=[u], bodies=[Particle("p", P, 1)],
        loads=[(P, -(1 + u.diff()) * N.x)],
    )  # fmt: skip


def mixed() -> Model:
    """Return two sliders whose speeds are mixed by an angle of one of them."""
    (a, b), (u, v) = dynamicsymbols("a b"), dynamicsymbols("u v")
    N, O = ReferenceFrame("N"), Point("O")  # noqa: E741 - as in text-books
    O.set_vel(N, 0)
    P = O.locatenew("P", a * N.x + b * N.y)
    mixing = [u - a.diff() - sm.sin(a) * b.diff(), v - b.diff() + sm.cos(b) * a.diff() / 2]
    return Model(
        name="mixed", inertial_frame=N, coordinates=[a, b], speeds=[u, v], kinematical_equations=mixing,
        bodies=[Particle("p", P, 2)],
    )  # fmt: skip


@pytest.mark.parametrize(("model", "reason"), [
    (lambda: eomc.load("four_bar"), "constraints act beside the joints"),
    (accelerated, "loads follow accelerations"),
    (mixed, "the speeds do not follow from the rates of the joints one by one"),
])  # fmt: skip
def test_articulated_bodies_say_what_needs_a_matrix(model: object, reason: str) -> None:
    """Composite bodies serve all the same."""
    assert callable(model)
    with pytest.raises(UnsupportedError, match=f"makes no mass matrix, but {reason}: take 'composite'"):
        derived(model(), "articulated")
    found = derived(model(), "composite").motion.recursion
    assert found is not None
    assert found.algorithm == "composite"


@pytest.mark.parametrize("algorithm", BOTH)
def test_a_speed_without_inertia_is_named(algorithm: str) -> None:
    """No other form is derived first that would have told."""
    q, u = dynamicsymbols("q1:3"), dynamicsymbols("u1:3")
    N, O = ReferenceFrame("N"), Point("O")  # noqa: E741 - as in text-books
    O.set_vel(N, 0)
    P = O.locatenew("P", q[0] * N.x)
    Q = P.locatenew("Q", q[1] * N.y)
    bodies = [Particle("p", P, 1), Particle("q", Q, 0)]
    model = Model(name="light", inertial_frame=N, coordinates=q, speeds=u, bodies=bodies)
    with pytest.raises(DerivationError, match="u2 has no inertia"):
        derived(model, algorithm)


def test_what_is_asked_for_is_printed() -> None:
    """On paper, too, the equations are those of the recursion; without a wish those of the frames that were given."""
    model = eomc.load("double_pendulum")
    titles = [block.title for block in eomc.equations(model, algorithm="composite").equations.blocks]
    assert "mass matrix: M by composite bodies" in titles
    assert "mass matrix: M by composite bodies" not in [one.title for one in eomc.equations(model).equations.blocks]
