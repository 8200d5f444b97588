"""Composite and articulated bodies by the user's wish: the same motion, said in the C, refused where they fail."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.options import Options
from eomc.errors import UnsupportedError, UsageError
from eomc.ir.graph import Level
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.trees import Closure, Joint, JointTree, Link, LinkForce, Mimic

KINDS = ("revolute", "prismatic", "ball", "free")


def tree_of(seed: int, count: int, kinds: tuple[str, ...] = KINDS) -> JointTree:
    """Return a random tree with rotors, dampers and a force that follows a speed."""
    draw = random.Random(seed)

    def triple() -> list[float]:
        return [draw.uniform(-0.5, 0.5) for _ in range(3)]

    links, joints = [Link(name="base")], []
    for k in range(count):
        half = np.array([[draw.gauss(0, 1) for _ in range(3)] for _ in range(3)])
        spread = half @ half.T + 0.1 * np.eye(3)  # second moments of the mass, of which each body has positive ones
        inertia = np.trace(spread) * np.eye(3) - spread
        links.append(Link(name=f"l{k}", mass=1.0 + k, centre=triple(), inertia=inertia.tolist()))
        kind = draw.choice(kinds)
        turn = np.linalg.qr(np.array([[draw.gauss(0, 1) for _ in range(3)] for _ in range(3)]))[0]
        numbers = {"ball": (3, 3), "free": (6, 6)}.get(kind, (1, 1))
        axis = np.array([draw.gauss(0, 1) for _ in range(3)])
        joints.append(
            Joint(
                name=f"j{k}", kind=kind, parent=draw.choice(links[:-1]).name, child=f"l{k}", offset=triple(),
                rotation=(turn * np.linalg.det(turn)).tolist(), axis=(axis / np.linalg.norm(axis)).tolist(),
                coordinates=[dynamicsymbols(f"q{k}_{i}") for i in range(numbers[0])],
                speeds=[dynamicsymbols(f"u{k}_{i}") for i in range(numbers[1])],
                speeds_in=draw.choice(["child", "parent"]), armature=draw.choice([0, 0.3]), damping=0.2,
            )
        )  # fmt: skip
    tree = JointTree(links, joints, gravity=(0.3, -1.2, -9.81))
    drag = [-0.3 * v for v in tree.velocity(f"l{count - 1}")]
    return tree.with_loads(LinkForce(link=f"l{count - 1}", force=drag))


@given(seed=st.integers(0, 10_000), count=st.integers(1, 4))
def test_both_give_the_accelerations_of_the_reference(seed: int, count: int) -> None:
    """Each algorithm gives the reference's u', and the record says which one it was."""
    model = eomc.from_tree(tree_of(seed, count))
    state = np.random.default_rng(seed).uniform(-1, 1, len(model.coordinates) + len(model.speeds))
    expected = eomc.reference(model).rhs(0.0, state)
    for algorithm in ("composite", "articulated"):
        equations = derive(model, choose_method(model, "kane"), options=Options(algorithm=algorithm))
        values = {v.symbol: x for v, x in zip(equations.states, state, strict=True)}
        found = Sample(equations.graph, values).vector(equations.motion.derivative)
        assert np.allclose(found, expected, rtol=1e-9, atol=1e-9 * abs(expected).max())
        assert equations.motion.recursion is not None
        assert equations.motion.recursion.algorithm == algorithm


def chain(count: int, **more: Any) -> eomc.Model:
    links = [Link(name="l0"), *(Link(name=f"l{k + 1}", mass=1.0, centre=(0.2, 0.1, 0)) for k in range(count))]
    joints = [
        Joint(
            name=f"j{k}", kind="revolute", parent=f"l{k}", child=f"l{k + 1}", axis=((1, 0, 0), (0, 0, 1))[k % 2],
            offset=(0.5, 0, 0), coordinates=[dynamicsymbols(f"q{k}")], speeds=[dynamicsymbols(f"u{k}")],
        )
        for k in range(count)
    ]  # fmt: skip
    return eomc.from_tree(JointTree(links, joints, gravity=(0, 0, -9.81), **more), name="chain")


@pytest.mark.parametrize(("asked", "said"), [
    ("auto", "u' by composite bodies, "),
    ("composite", "u' by composite bodies, as asked for"),
    ("articulated", "u' by articulated bodies, as asked for"),
])  # fmt: skip
def test_the_c_says_which_and_why(asked: str, said: str) -> None:
    """The header has the choice with its reason; the version differs by what was asked; a pickled build remembers."""
    model = chain(3)
    build = eomc.compile(model, algorithm=asked, functions=[])
    header = next(a.text for a in build.artifacts if a.kind == "header")
    assert said in header
    assert (f"algorithm={asked}" in header) == (asked != "auto")
    assert pickle.loads(pickle.dumps(build)).artifacts == build.artifacts
    assert (f"M u' = f by {asked} bodies" in build.library[1].text) == (asked != "auto")


def test_long_rows_and_counts_decide() -> None:
    """Both counts are told where both were made; of a long row articulated bodies alone are made."""
    few = eomc.compile(chain(6), functions=[]).equations.motion.recursion
    assert few is not None
    counts = dict(few.work)
    assert few.algorithm == min(counts, key=lambda one: counts[one] * (1.1 if one == "articulated" else 1.0))
    assert all(str(count) in few.why for count in counts.values())
    many = eomc.compile(chain(40), functions=[]).equations.motion.recursion
    assert many is not None
    assert (many.algorithm, [one for one, _ in many.work]) == ("articulated", ["articulated"])
    assert many.why == "u' by articulated bodies: at this depth composite bodies cost more"


WEIGHTS = {Op.DIV: 4, Op.SQRT: 4, Op.SIN: 10, Op.COS: 10, Op.NEG: 0, Op.SYMBOL: 0, Op.CONSTANT: 0}


def test_the_work_of_an_algorithm_is_told_in_additions() -> None:
    """As the page on robots says: a division and a root count 4, a sine and a cosine 10, others 1."""
    build = eomc.compile(chain(4), functions=[])
    graph, motion = build.equations.graph, build.equations.motion
    assert motion.recursion is not None
    varying = [node for node in graph.reachable(motion.accelerations) if graph.level[node] == Level.VARYING]
    work = sum(WEIGHTS.get(graph.ops[node], 1) for node in varying)
    assert dict(motion.recursion.work)[motion.recursion.algorithm] == work
    assert f"the work of {work} additions beside" in motion.recursion.why


@pytest.mark.parametrize("bodies", [1, 3])
def test_nothing_is_compared_where_no_joint_carries_another(bodies: int) -> None:
    """Bodies that are free, each alone: both recursions do the same."""
    links, joints = [Link(name="ground")], []
    for k in range(bodies):
        links.append(Link(name=f"l{k}", mass=1.0, inertia=((1, 0.1, 0), (0.1, 2, 0), (0, 0, 3))))
        q, u = dynamicsymbols(f"q{k}_:6"), dynamicsymbols(f"u{k}_:6")
        joints.append(Joint(name=f"j{k}", kind="free", parent="ground", child=f"l{k}", coordinates=q, speeds=u))
    found = eomc.compile(eomc.from_tree(JointTree(links, joints)), functions=[]).equations.motion.recursion
    assert found is not None
    assert found.why == f"u' by {found.algorithm} bodies: no joint carries another"
    assert [one for one, _ in found.work] == [found.algorithm]


def test_a_row_that_waits_for_itself_is_composite() -> None:
    """Without branches articulated bodies must be fewer by a tenth: UR5 and a row of seven were slower by fewer."""
    found = eomc.compile(chain(7), functions=[]).equations.motion.recursion
    assert found is not None
    counts = dict(found.work)
    assert counts["articulated"] < counts["composite"] < 1.1 * counts["articulated"]
    assert found.algorithm == "composite"


@pytest.mark.parametrize(("algorithm", "told"), [
    ("aba", "algorithm is 'aba': here it is called 'articulated'"),
    ("CRBA", "algorithm is 'CRBA': here it is called 'composite'"),
    ("fast", "algorithm is 'fast': it must be 'auto' or 'composite' or 'articulated'"),
    (3, "algorithm is of type int: it must be 'auto' or"),
])  # fmt: skip
def test_other_names_are_refused(algorithm: Any, told: str) -> None:
    """The field's short names are told by ours; anything else by the list."""
    with pytest.raises(UsageError, match=told):
        eomc.compile(chain(1), algorithm=algorithm)


def test_what_is_no_tree_is_refused() -> None:
    """Recursions over joints are for trees of joints, by Kane's method."""
    told = r"cart_pole: algorithm is 'composite', which is for trees of joints by kane; this model, by lagrange, "
    with pytest.raises(UnsupportedError, match=told):
        eomc.compile(eomc.load("cart_pole"), "lagrange", algorithm="composite")


def test_what_needs_the_mass_matrix_says_so() -> None:
    """Closures, followers and loads on accelerations take composite bodies, which may be asked for."""
    closed = chain(3, closures=[Closure(name="loop", kind="point", first="l0", second="l3", at_first=(0.4, 0, 0))])
    followed = chain(2).dynamics
    last = followed.joints[1]
    follower = Joint(
        name="twin", kind="revolute", parent="l1", child="l2", axis=(0, 0, 1), mimic=Mimic(joint="j0", factor=0.5)
    )
    assert last.name == "j1"
    mimics = eomc.from_tree(JointTree(followed.links, [followed.joints[0], follower], gravity=(0, 0, -9.81)))
    for model, reason in ((closed, "constraints act beside the joints"), (mimics, "joint 'twin' follows another")):
        with pytest.raises(UnsupportedError, match=f"{reason}: take 'composite'"):
            eomc.compile(model, algorithm="articulated")
        for algorithm in ("auto", "composite"):
            found = eomc.compile(model, algorithm=algorithm, functions=[]).equations.motion.recursion
            assert found is not None
            assert found.why == f"u' by composite bodies, for {reason}"
