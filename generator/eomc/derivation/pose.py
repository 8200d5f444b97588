"""Model -> Problem: a model is written on a fresh graph, in its speeds or in q'."""

from __future__ import annotations

from eomc.derivation.accelerations import define_accelerations
from eomc.derivation.kinematics import motion_variables, solve_kinematics
from eomc.derivation.options import DEFAULT_OPTIONS, Options
from eomc.derivation.problem import Problem
from eomc.derivation.ranks import Ranks
from eomc.derivation.sampling import Sampling
from eomc.derivation.symbols import Symbols, define_symbols
from eomc.derivation.trees.measured import define_measures
from eomc.derivation.zeros import Zeros
from eomc.ir.graph import Graph, Node
from eomc.ir.method import SecondHalf
from eomc.lowering.scalars import ScalarLowering
from eomc.model.model import Model, bounds_of
from eomc.solving.checks import Checks


def pose(model: Model, second: SecondHalf = SecondHalf.SPEEDS, options: Options = DEFAULT_OPTIONS) -> Problem:
    """Write a model on a fresh graph.

    Parameters
    ----------
    model
        The model.
    second
        What follows the coordinates in the state. The motion is written in the model's speeds, or else in generalized
        velocities: under momenta, q' stays a leaf until it is known from them.
    options
        How constraints are met; Baumgarte's stabilization brings two parameters.

    Raises
    ------
    DerivationError
        The kinematical equations do not determine q' and u from each other.
    LoweringError
        An expression has no meaning in real arithmetic.
    """
    graph = Graph()
    scalars, checks = ScalarLowering(graph, {}), Checks(graph)
    symbols = define_symbols(model, second, options, scalars)
    motion = motion_variables(model, second, symbols.second_half, scalars)
    sampling = _sampling(model, graph, symbols, motion)
    ranks = Ranks(sampling, model.name)
    kinematics = solve_kinematics(model, second, symbols, motion, scalars, checks, ranks)
    problem = Problem(model, options, graph, scalars, checks, symbols, kinematics, sampling, Zeros(sampling), ranks)
    define_accelerations(problem)
    define_measures(problem)
    return problem


def _sampling(model: Model, graph: Graph, symbols: Symbols, motion: tuple[Node, ...]) -> Sampling:
    """Return the points at which the model's functions are looked at."""
    return Sampling(
        graph,
        {variable.symbol: variable.value for variable in symbols.parameters},
        dict(zip(map(graph.symbol_of, symbols.q), bounds_of(model, model.coordinates), strict=True)),
        list(map(graph.symbol_of, motion)),
        list(map(graph.symbol_of, symbols.outside)),
    )
