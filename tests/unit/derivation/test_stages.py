"""Stages are pure: what one has made, no later one changes, and the same question has the same answer."""

from __future__ import annotations

import dataclasses

import pytest

import eomc
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.pose import pose
from eomc.ir.graph import Graph
from eomc.ir.symbols import Role, Symbol
from eomc.programs.program import make_program


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("rolling_disk", "kane"),
        ("rolling_disk", "gibbs-appell"),
        ("coulomb_bead", "kane"),
        ("four_bar", "hamilton"),
        ("cart_pole", "lagrange"),
        ("henon_heiles", "hamilton"),
    ],
)
def test_deriving_twice_gives_equal_programs(name: str, method: str) -> None:
    """On one problem: tests, systems and the order of elimination do not pile up."""
    model = eomc.load(name)
    problem, chosen = pose(model), choose_method(model, method)
    first, second = (derive(model, chosen, problem) for _ in range(2))
    assert first.checks == second.checks
    assert first.systems == second.systems
    assert first.blocks == second.blocks
    initial = [0.0] * len(first.states)
    programs = [make_program(equations, name, "", initial) for equations in (first, second)]
    assert programs[0].functions == programs[1].functions
    assert programs[0].checks == programs[1].checks


def test_no_stage_sets_what_a_problem_is() -> None:
    """Its parts are frozen."""
    problem = pose(eomc.load("rolling_disk"))
    for part in (problem, problem.symbols, problem.kinematics):
        for field in dataclasses.fields(part):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(part, field.name, None)


@pytest.mark.parametrize("name", ["simple_pendulum", "rolling_disk", "four_bar"])
def test_linearizing_leaves_a_build_as_it_was(name: str) -> None:
    """Derivatives are nodes of a copy."""
    build = eomc.compile(eomc.load(name))
    count = len(build.program.graph)
    eomc.linearize(build)
    build.initial_state()
    assert len(build.program.graph) == len(build.equations.graph) == count


def test_the_graph_of_a_build_is_sealed() -> None:
    """What is there is found; what is not is refused, and a copy takes it."""
    build = eomc.compile(eomc.load("simple_pendulum"))
    graph, count = build.program.graph, len(build.program.graph)
    x = graph.symbol(build.program.states[0].symbol)
    with pytest.raises(RuntimeError, match=r"sealed: add nodes to a copy, graph\.copy\(\)"):
        graph.powi(graph.add(x, graph.constant(123)), 7)
    assert len(graph) == count == len(graph.ops) == len(graph.level)
    other = graph.copy()
    assert other.symbol(build.program.states[0].symbol) == x
    assert other.powi(other.add(x, other.constant(123)), 7) >= count
    assert len(graph) == count


def test_fresh_leaves_are_equal_to_nothing() -> None:
    """Two that stand in for different things under one name stay two; a copy goes on where the graph stands."""
    graph = Graph()
    first, second = graph.fresh("x"), graph.fresh("x")
    assert len({first, second, graph.symbol(Symbol(Role.STATE, 0, "x"))}) == 3
    assert graph.copy().fresh("x") not in (first, second)


def test_fresh_leaves_are_counted_by_themselves() -> None:
    """What an unknown symbol is drawn as at a sample follows from its place among its like, not from other nodes."""
    graph = Graph()
    graph.constant(7)
    assert [getattr(graph.data[graph.fresh(name)], "index", None) for name in "xyz"] == [0, 1, 2]
