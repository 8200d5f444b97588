"""Trees with many joints: no dense matrix where nothing needs one, and linear growth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.errors import UnsupportedError
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.interpreter import Sample
from eomc.trees import Joint, JointTree, Link

INERTIA = ((0.3, 0.01, 0.02), (0.01, 0.2, 0.03), (0.02, 0.03, 0.25))


def star(limbs: int, outputs: Sequence[str] = ()) -> EquationsOfMotion:
    """Return equal limbs of two hinges side by side on the ground, each in its own state."""
    links, joints = [Link(name="ground")], []
    for k in range(limbs):
        for n, parent in enumerate(("ground", f"l{k}_0")):
            name = f"l{k}_{n}"
            links.append(Link(name=name, mass=1.0, centre=(0.2, 0, 0.1), inertia=INERTIA))
            joints.append(
                Joint(
                    name=name,
                    kind="revolute",
                    parent=parent,
                    child=name,
                    axis=(0, 1, 0) if n else (0, 0, 1),
                    offset=(0.3, 0, 0),
                    coordinates=(dynamicsymbols(f"q{k}_{n}"),),
                    speeds=(dynamicsymbols(f"u{k}_{n}"),),
                )
            )
    tree = JointTree(links, joints, gravity=(0, 0, -9.81))
    wanted: dict[str, Any] = {name: tree.acceleration(name)[0] for name in outputs}
    model = eomc.from_tree(tree, outputs=wanted)
    return derive(model, choose_method(model, "kane"))


@pytest.mark.parametrize("limbs", [75, 76])
def test_each_limb_moves_as_it_does_alone(limbs: int) -> None:
    """A limb knows nothing of the others, however many there are."""
    equations, alone = star(limbs), star(1)
    state = [0.3, -0.2, 0.5, 0.7]
    by_name = {variable.name: variable.symbol for variable in equations.states}
    last = f"{limbs - 1}"
    known = dict.fromkeys(by_name.values(), 0.0)
    for name, value in zip(("q0_0", "q0_1", "u0_0", "u0_1"), state, strict=True):
        known[by_name[name]] = known[by_name[name.replace("0_", f"{last}_")]] = value
    found = Sample(equations.graph, known).vector(equations.motion.accelerations)
    single = {variable.symbol: value for variable, value in zip(alone.states, state, strict=True)}
    expected = Sample(alone.graph, single).vector(alone.motion.accelerations)
    assert np.allclose(found[:2], expected, rtol=1e-14)
    assert np.allclose(found[-2:], expected, rtol=1e-14)


def chain(n: int, outputs: bool = False, masses: bool = False) -> eomc.Model:
    """Return links in a row, hinged about z and x in turn, with an acceleration as output or masses as parameters."""
    weights = {sympy.Symbol(f"m{k}"): 1.0 + k % 3 for k in range(n)} if masses else {}
    links, joints = [Link(name="ground")], []
    for k, mass in enumerate(weights or [1.0 + k % 3 for k in range(n)]):
        links.append(Link(name=f"l{k}", mass=mass, centre=(0.25, 0, 0), inertia=INERTIA))
        joints.append(
            Joint(
                name=f"j{k}",
                kind="revolute",
                parent=links[k].name,
                child=f"l{k}",
                axis=(1, 0, 0) if k % 2 else (0, 0, 1),
                offset=(0.5, 0, 0) if k else (0, 0, 0),
                coordinates=(dynamicsymbols(f"q{k}"),),
                speeds=(dynamicsymbols(f"u{k}"),),
            )
        )
    tree = JointTree(links, joints, gravity=(0, 0, -9.81))
    wanted: dict[str, Any] = {"tip": tree.acceleration(links[-1].name)[0]} if outputs else {}
    return eomc.from_tree(tree, outputs=wanted, parameters=weights)


@pytest.mark.parametrize("outputs", [False, True])
def test_articulated_bodies_make_no_mass_matrix_until_it_is_asked_for(outputs: bool) -> None:
    """M u' = f by composite bodies holds at the u' of articulated bodies; M is not on the graph before."""
    n, model = 40, chain(40, outputs)
    equations = derive(model, choose_method(model, "kane"))
    nodes = len(equations.graph)
    matrices = equations.matrices
    assert len(equations.graph) > nodes + n * n // 2
    rng = np.random.default_rng(0)
    sample = Sample(equations.graph, {v.symbol: rng.uniform(-1, 1) for v in equations.states})
    mass = np.array([sample.vector(row) for row in matrices.mass_matrix])
    taken = mass @ sample.vector(equations.motion.accelerations)
    assert np.allclose(mass, mass.T)
    assert np.allclose(taken, sample.vector(matrices.forcing), rtol=1e-9, atol=1e-9 * abs(taken).max())


def test_large_models_have_few_functions_unless_others_are_asked_for() -> None:
    """Up to 50 speeds all that is usual; beyond, what tells how to get the rest."""
    most, more = (eomc.compile(chain(n)) for n in (50, 51))
    names = [function.name for function in most.program.functions]
    assert names == ["rhs", "mass_matrix", "forcing", "energy", "power"]
    assert [function.name for function in more.program.functions] == ["rhs", "energy"]
    assert "functions=['outputs', 'energy', 'mass_matrix']" in dict(more.program.refused)["mass_matrix"]
    asked = eomc.compile(chain(51), functions=["outputs", "energy", "mass_matrix"])
    assert [function.name for function in asked.program.functions] == ["rhs", "mass_matrix", "energy"]
    assert asked.program.functions[1].shape == (51, 51)


@pytest.mark.parametrize(
    ("function", "size"), [("mass_matrix", "151 x 151 = 22,801"), ("jacobian", "302 x 302 = 91,204")]
)
def test_large_dense_results_are_refused_with_their_size(function: str, size: str) -> None:
    """A named one is an error before it is made, as is an integrator that calls one; `all` goes without."""
    model = chain(151)
    with pytest.raises(UnsupportedError, match=f"^{function}: .*dense matrix of {size} entries; .* here 151"):
        eomc.compile(model, functions=[function])


def test_derivatives_of_accelerations_are_refused_with_their_size() -> None:
    """Where an output holds u', those of all u' are on the way to its derivatives; one of a place has its own row."""
    with pytest.raises(UnsupportedError, match=r"^outputs_jacobian: du'/d\[x r\].* 151 x 302 = 45,602 entries"):
        eomc.compile(chain(151, outputs=True), functions=["outputs_jacobian"])
    links, joints = chain(151).dynamics.links, chain(151).dynamics.joints
    tree = JointTree(links, joints)
    model = eomc.from_tree(tree, outputs={"height": tree.position("l9")[2]})
    (_, made) = eomc.compile(model, functions=["outputs_jacobian"]).program.functions
    assert (made.name, made.shape) == ("outputs_jacobian", (302,))


def test_derivatives_by_many_parameters_are_refused_with_their_size() -> None:
    """Those by a few of them are there."""
    model = chain(151, masses=True)
    with pytest.raises(UnsupportedError, match=r"^rhs_parameter_jacobian: P is a matrix of 302 x 151 = 45,602 entries"):
        eomc.compile(model, functions=["rhs_parameter_jacobian"])


def test_an_integrator_that_takes_a_large_jacobian_is_refused() -> None:
    """`rodas5p` is nothing without it."""
    with pytest.raises(UnsupportedError, match=r"302 x 302 = 91,204 entries"):
        eomc.compile(chain(151), integrator="rodas5p")


def test_a_copy_of_a_sealed_graph_takes_the_mass_matrix() -> None:
    """As a page of equations makes it: the graph of a build grows no more."""
    equations = eomc.compile(chain(40), functions=["energy"]).equations
    graph = equations.graph.copy()
    matrices = equations.motion.matrices(graph)
    assert len(matrices.mass_matrix) == 40
    assert max(max(row) for row in matrices.mass_matrix) >= len(equations.graph)


def test_derivatives_by_factors_of_the_mass_matrix_test_their_pivots() -> None:
    """M is factored for the Jacobian alone: its pivots have tests beside those of articulated bodies."""
    n = 13
    motion, both = (eomc.compile(chain(n), functions=functions) for functions in ([], ["jacobian"]))
    assert motion.equations.blocks[1].title == "M u' = f by articulated bodies"
    assert (len(motion.program.checks), len(both.program.checks)) == (n - 1, 2 * (n - 1))  # the last pivot is a number


def test_nodes_grow_with_joints() -> None:
    """Three times as many limbs make three times as many nodes."""
    few, more = (len(star(limbs).graph) for limbs in (80, 240))
    assert more <= 3 * few
