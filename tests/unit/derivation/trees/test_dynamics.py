"""A tree in its model's speeds: axes of the parent, mimic joints, rotors, and the choice between two algorithms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from eomc.derivation.trees.forward import Algorithm, TreeDynamics
from eomc.derivation.trees.jacobian import factors_of
from eomc.derivation.trees.preparation import prepare
from eomc.derivation.trees.rule import rule_of_accelerations
from eomc.derivation.trees.speeds import move, under
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.interpreter import Sample
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.model.trees.following import leads_of
from eomc.model.trees.records import Joint, JointKind, Mimic
from eomc.solving.checks import Checks
from eomc.solving.jacobian import sparse_jacobian

KINDS = tuple(JointKind)
HINGED = (JointKind.REVOLUTE, JointKind.PRISMATIC)
STEP = 1e-30


class Speeding:
    """A random tree whose joints have coordinates and speeds, some followed by others, and its nodes."""

    def __init__(
        self, trees: Any, seed: int, n: int, base: JointKind | None, mimics: bool, kinds: tuple[JointKind, ...] = KINDS
    ) -> None:
        rng = np.random.default_rng(seed)
        self.tree = trees.drawn(seed, n, kinds, base, solid=True)
        self.state = trees.state(self.tree, seed)
        self.gravity = np.array(trees.gravity)
        joints: list[Joint] = []
        self.values: dict[sympy.Symbol, float] = {}
        self.u_dots: list[float] = []
        for joint in self.tree.joints:
            leaders = [one for one in joints if one.kind in HINGED and one.mimic is None]
            if mimics and leaders and joint.kind in HINGED and rng.random() < 0.5:
                lead = leaders[rng.integers(len(leaders))]
                joint = replace(joint, mimic=Mimic(joint=lead.name, factor=0.7, offset=0.2))
                self.state.q[joint.name] = 0.7 * self.state.q[lead.name] + 0.2
            elif joint.kind is not JointKind.FIXED:
                coordinates = self._symbols("q", joint.name, self.state.q[joint.name])
                speeds = self._symbols("u", joint.name, rng.uniform(-1, 1, joint.kind.speeds))
                wide = joint.kind in (JointKind.BALL, JointKind.FREE)
                axes = ("child", "parent")[rng.integers(2)] if wide else "child"
                joint = replace(joint, coordinates=coordinates, speeds=speeds, speeds_in=axes)
                self.u_dots += rng.uniform(-1, 1, joint.kind.speeds).tolist()
            joints.append(joint)
        self.tree.joints[:] = joints
        self.plain = trees.plain(self.tree)
        self.graph = Graph()
        self._leaves: dict[sympy.Symbol, Node] = {}
        rows = prepare(self.graph, self.graph.constant, self.tree.links, joints)
        vector = tuple(map(self.graph.constant, trees.gravity))
        self.moving = move(self.graph, rows, joints, leads_of(joints), self._lowered, vector)
        nothing = (self.graph.zero,) * 3
        self.falling_free = move(self.graph, rows, joints, leads_of(joints), self._lowered, nothing)
        self.dynamics = TreeDynamics(self.graph, rows, self.moving, vector, {})

    def _symbols(self, letter: str, name: str, values: Any) -> tuple[sympy.Symbol, ...]:
        made = sympy.symbols(f"{letter}_{name}_0:{len(values)}")
        self.values.update(zip(made, map(float, values), strict=True))
        return made

    def _lowered(self, entry: Any) -> Node:
        if not isinstance(entry, sympy.Symbol):
            return self.graph.constant(float(entry))
        if entry not in self._leaves:
            self._leaves[entry] = self.graph.symbol(Symbol(Role.STATE, len(self._leaves), entry.name))
        return self._leaves[entry]

    def at(self, nodes: list[Node], further: dict[Node, float]) -> np.ndarray:
        known = {self.graph.symbol_of(node): self.values[s] for s, node in self._leaves.items()}
        known |= {self.graph.symbol_of(node): x for node, x in further.items()}
        return np.array(Sample(self.graph, known).vector(nodes))

    def accelerations(self, symbol: sympy.Symbol, tau: np.ndarray) -> np.ndarray:
        """Return u' with a complex step of a coordinate or a speed, by the links as given."""
        real, q, u_dots = dict(self.values), dict(self.state.q), self.u_dots
        self.values[symbol] += 1j * STEP  # type: ignore[assignment]  # complex for one evaluation
        for joint in self.tree.joints:
            if joint.kind is not JointKind.FIXED and joint.mimic is None:
                self.state.q[joint.name] = np.array([self.values[s] for s in joint.coordinates])
            elif joint.mimic is not None:
                self.state.q[joint.name] = joint.mimic.factor * self.state.q[joint.mimic.joint] + joint.mimic.offset
        n = len(u_dots)
        taken = [self._forces(column) for column in (np.zeros(n), *np.eye(n))]
        self.values, self.state.q, self.u_dots = real, q, u_dots
        return np.linalg.solve(np.transpose(taken[1:]) - taken[0][:, None], tau - taken[0])

    def _forces(self, u_dots: np.ndarray) -> np.ndarray:
        self.u_dots = list(u_dots)
        u, after, g = self.rates()
        rotors = np.concatenate([np.full(j.kind.speeds, float(j.armature)) for j in self.tree.joints])
        self.plain.tree = replace(self.tree, joints=[replace(joint, armature=0) for joint in self.tree.joints])
        return g.T @ (self.plain.inverse(self.state.q, u, after, self.gravity) + rotors * (g @ u_dots))

    def rates(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return rates and their rates of change of all joints, followers too, and G with nu = G u."""
        blocks, u, after, place = {}, {}, {}, 0
        n, ends = len(self.u_dots), []
        for joint in self.tree.joints:
            k = joint.kind.speeds
            if joint.mimic is not None:
                for found in (u, after, blocks):
                    found[joint.name] = joint.mimic.factor * found[joint.mimic.joint]
            else:
                own = np.array([self.values[s] for s in joint.speeds])
                change = np.array(self.u_dots[place : place + k])
                block = np.eye(n)[place : place + k]
                place += k
                if joint.speeds_in == "parent":
                    whole = np.kron(np.eye(k // 3), self._moved(joint).T)
                    own, change, block = whole @ own, whole @ change, whole @ block
                    if joint.kind is JointKind.FREE:  # (R^T v)' = R^T v' - w x R^T v
                        change = change - np.r_[np.cross(own[3:], own[:3]), np.zeros(3)]
                u[joint.name], after[joint.name], blocks[joint.name] = own, change, block
            ends.append(joint.name)
        return tuple(np.concatenate([found[e] for e in ends]) for found in (u, after, blocks))  # type: ignore[return-value]

    def _moved(self, joint: Joint) -> np.ndarray:
        return self.plain.joint(joint, self.state.q[joint.name])[0]


@pytest.mark.parametrize("mimics", [False, True])
@pytest.mark.parametrize("base", [None, JointKind.FREE], ids=str)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 6))
def test_inverse_and_forward(trees: Any, base: JointKind | None, mimics: bool, seed: int, n: int) -> None:
    """Forces of given u' are G^T tau of the links as given; M and both algorithms give u' back from them."""
    made = Speeding(trees, seed, n, base, mimics)
    assume(made.u_dots)
    graph, names = made.graph, made.moving.names
    u, _, g = made.rates()
    rotors = np.concatenate([np.full(j.kind.speeds, float(j.armature)) for j in made.tree.joints])
    expected = made._forces(np.array(made.u_dots))
    leaves = [graph.symbol(Symbol(Role.ACCELERATION, k, name)) for k, name in enumerate(names)]
    forces = [graph.symbol(Symbol(Role.INPUT, k, name)) for k, name in enumerate(names)]
    given_ = dict(zip(leaves, made.u_dots, strict=True))
    found = made.at(made.dynamics.inverse(leaves), given_)
    assert np.allclose(found, expected, rtol=1e-10, atol=1e-10)

    m = np.array([made.at(row, {}) for row in made.dynamics.mass_matrix()])
    inertia = [made.plain.inverse(made.state.q, 0 * u, column, (0, 0, 0)) for column in g.T]
    assert np.allclose(m, g.T @ np.transpose(inertia) + g.T @ np.diag(rotors) @ g, rtol=1e-10, atol=1e-10)
    driven = dict(zip(forces, expected, strict=True))
    forcing = made.at(made.dynamics.forcing(forces), driven)
    size = np.linalg.cond(m) * (1 + abs(np.array(made.u_dots)).max())
    assert np.allclose(np.linalg.solve(m, forcing), made.u_dots, rtol=0, atol=1e-12 * size)
    for algorithm in (*Algorithm, None):
        checks = Checks(graph)
        forward = made.dynamics.forward(forces, checks, algorithm)
        assert np.allclose(
            made.at(made.moving.to_speeds(forward.accelerations), driven), made.u_dots, atol=1e-12 * size
        )
        assert made.at([check.condition for check in checks.all()], driven).all()
        if mimics and not made.moving.is_square:
            assert forward.algorithm is Algorithm.COMPOSITE
        elif algorithm is not None:
            assert forward.algorithm is algorithm


def test_pivot_tests_cost_one_comparison(trees: Any) -> None:
    """What a pivot of a tree of hinges is compared with depends on parameters alone."""
    made = Speeding(trees, 4, 6, JointKind.FREE, False, (JointKind.REVOLUTE,))
    for algorithm in Algorithm:
        checks = Checks(made.graph)
        made.dynamics.forward([made.graph.zero] * len(made.u_dots), checks, algorithm)
        limits = [next(a for a in made.graph.args[check.condition] if a != check.pivot) for check in checks.all()]
        assert len(limits) >= 5
        assert all(made.graph.level[limit] <= Level.PARAMETERS for limit in limits)


@pytest.mark.parametrize(("n", "algorithms"), [(4, set(Algorithm)), (40, {Algorithm.ARTICULATED})])
def test_composite_bodies_are_not_tried_on_long_chains(trees: Any, n: int, algorithms: set[Algorithm]) -> None:
    """Where depth alone says that M costs more it is not made; else both are counted and the cheaper one is taken."""
    made = Speeding(trees, 1, 1, JointKind.REVOLUTE, False, (JointKind.REVOLUTE,))
    joint, link = made.tree.joints[0], made.tree.links[1]
    made.tree.links[:] = [made.tree.links[0], *(replace(link, name=f"l{k}") for k in range(n))]
    coordinates = sympy.symbols(f"q0:{n}")
    joints = [
        replace(joint, name=f"j{k}", parent=f"l{k - 1}" if k else "root", child=f"l{k}", coordinates=(coordinates[k],))
        for k in range(n)
    ]
    rows = prepare(made.graph, made.graph.constant, made.tree.links, joints)
    moving = move(made.graph, rows, joints, leads_of(joints), made._lowered, made.dynamics.gravity)
    dynamics = TreeDynamics(made.graph, rows, moving, made.dynamics.gravity, {})
    forward = dynamics.forward([made.graph.zero] * n, Checks(made.graph))
    assert set(forward.costs) == algorithms
    assert forward.costs[forward.algorithm] == min(forward.costs.values())


@pytest.mark.parametrize("mimics", [False, True])
@pytest.mark.parametrize("base", [None, JointKind.FREE], ids=str)
@settings(max_examples=5)
@given(seed=st.integers(0, 10_000), n=st.integers(1, 4))
def test_derivatives_of_accelerations(trees: Any, base: JointKind | None, mimics: bool, seed: int, n: int) -> None:
    """u' by every coordinate, speed and force: the rule, sweeps without it, and complex steps of the links as given."""
    made = Speeding(trees, seed, n, base, mimics)
    assume(made.u_dots)
    graph, names = made.graph, made.moving.names
    forces = [graph.symbol(Symbol(Role.INPUT, k, name)) for k, name in enumerate(names)]
    checks = Checks(graph)
    forward = made.dynamics.forward(forces, checks)
    roots = made.moving.to_speeds(forward.accelerations)
    rule = rule_of_accelerations(made.dynamics, forces, forward)
    variables = [*map(made._lowered, made.values), *forces]
    driven = dict(zip(forces, np.linspace(-1, 1, len(forces)), strict=True))
    m = np.array([made.at(row, {}) for row in made.dynamics.mass_matrix()])
    tested = {check.pivot for check in (*rule.checks(), *checks.all())}
    pivots = {x for x in factors_of(made.dynamics).pivots.values() if graph.level[x] > Level.CONSTANT}
    made.graph = copied = graph.copy()  # of which the rule's tree knows nothing
    found, swept = (sparse_jacobian(copied, roots, variables, checks.systems, rules) for rules in ((rule,), ()))
    below = copied.reachable([entry for row in found for entry in row])
    assert pivots & {copied.args[x][1] for x in below if copied.ops[x] is Op.DIV} <= tested
    values, others = (np.array([made.at(row, driven) for row in rows]) for rows in (found, swept))
    size = np.linalg.cond(m) * (1 + abs(others).max())
    assert np.allclose(values, others, rtol=0, atol=1e-13 * size)
    tau = np.array(list(driven.values()))
    steps = np.array([made.accelerations(symbol, tau).imag / STEP for symbol in made.values]).T
    assert np.allclose(values[:, : len(made.values)], steps, rtol=0, atol=1e-13 * size)
    assert np.allclose(values[:, len(made.values) :], np.linalg.inv(m), rtol=0, atol=1e-13 * size)


@pytest.mark.parametrize("seed", range(6))
def test_another_gravity_changes_the_free_joints_alone(trees: Any, seed: int) -> None:
    """What is made without gravity from the start is what is left of the same tree, whose axes are not made anew."""
    speeding = Speeding(trees, seed, 6, JointKind.FREE, mimics=True)
    found = under(speeding.moving, (speeding.graph.zero,) * 3)
    assert found == speeding.falling_free != speeding.moving
    assert found.motions is speeding.moving.motions
