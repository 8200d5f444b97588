"""The motion variables, and q' and u from each other: the kinematical differential equations, solved.

The same model can be written in speeds (Kane: q' = Y^-1 (u - Z) from the kinematical differential equations) or in
generalized velocities (Lagrange, Hamilton: u = Y q' + Z). Either way every expression of the user (velocity, load,
output) may hold q' and u; both have nodes here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy

from eomc.derivation.ranks import Nodes, Ranks
from eomc.derivation.states import auxiliary_speeds, speeds_in_state
from eomc.derivation.symbols import Symbols, leaves_of
from eomc.derivation.trees.placed import PlacedTree
from eomc.errors import DerivationError
from eomc.ir.graph import Node
from eomc.ir.method import SecondHalf
from eomc.lowering.scalars import ScalarLowering
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian, Lagrangian, MechanicalSystem
from eomc.model.trees.records import Entry
from eomc.model.trees.tree import JointTree
from eomc.passes.differentiate import depends_on, gradient, jacobian
from eomc.passes.substitute import Substitution
from eomc.solving.checks import Checks
from eomc.solving.linear import solve_general
from eomc.solving.structure import StructurallySingularError

_WHAT = "kinematical_equations"


@dataclass(frozen=True, slots=True)
class Kinematics:
    """The motion variables, and q' written in them.

    `equations` are the kinematical differential equations of bodies, each = 0, over the motion variables and over
    leaves that stand for what they are solved for: q' where the motion is written in speeds, else u. In the `order`,
    each of the rates is written in those before it; () where none is written in another.
    """

    motion: tuple[Node, ...]
    rates: tuple[Node, ...]
    equations: tuple[Node, ...] = ()
    unknowns: tuple[Node, ...] = ()
    order: tuple[int, ...] = ()
    placed: PlacedTree | None = None  # the tree at the state, where the model is one


def motion_variables(
    model: Model, half: SecondHalf, second: tuple[Node, ...], scalars: ScalarLowering
) -> tuple[Node, ...]:
    """Return the leaves of what the motion is written in: the second half of the state, or q' in place of momenta."""
    if half is SecondHalf.MOMENTA and not isinstance(model.dynamics, Hamiltonian):
        return _fresh(scalars, _derivatives(model))
    in_rates = half is SecondHalf.VELOCITIES or isinstance(model.dynamics, Lagrangian)
    scalars.define_all(_derivatives(model) if in_rates else speeds_in_state(model), second)
    return second


def solve_kinematics(
    model: Model,
    half: SecondHalf,
    symbols: Symbols,
    motion: tuple[Node, ...],
    scalars: ScalarLowering,
    checks: Checks,
    ranks: Ranks,
) -> Kinematics:
    """Return q' in terms of the motion variables, and let expressions hold q' and u.

    Raises
    ------
    DerivationError
        The kinematical equations of bodies are not linear, or do not determine q' and u from each other.
    """
    if isinstance(model.dynamics, MechanicalSystem):
        return _of_bodies(model, half, motion, scalars, checks, ranks)
    if isinstance(model.dynamics, JointTree):
        return _of_tree(model, model.dynamics, motion, scalars, checks)
    if not isinstance(model.dynamics, Hamiltonian):
        return Kinematics(motion, motion)
    graph, n = scalars.graph, len(symbols.q)
    rates = tuple(gradient(graph, scalars(model.dynamics.expression), [*symbols.q, *motion])[n:])
    scalars.define_all(_derivatives(model), rates)
    return Kinematics(motion, rates)


def _of_bodies(
    model: Model, half: SecondHalf, motion: tuple[Node, ...], scalars: ScalarLowering, checks: Checks, ranks: Ranks
) -> Kinematics:
    """Solve the kinematical differential equations for q', or for u where the motion is written in q'."""
    assert isinstance(model.dynamics, MechanicalSystem)
    graph, in_speeds = scalars.graph, half is SecondHalf.SPEEDS
    known, wanted = _derivatives(model), speeds_in_state(model)
    if in_speeds:
        known, wanted = wanted, known
    # A conversion of its own: what is wanted is leaves only while these equations are read.
    local = ScalarLowering(graph, {symbol: scalars(symbol) for symbol in [*leaves_of(model), *known]})
    unknowns = _fresh(local, wanted)
    for u in auxiliary_speeds(model):
        local.define(u, graph.zero)
    equations = tuple(map(local, model.dynamics.kinematical_equations))
    names = list(map(name_of, wanted))
    if not in_speeds:  # u = Y q' + Z exists always; the coordinates must follow from the speeds, too
        _refuse_singular(model, ranks, jacobian(graph, equations, motion), list(map(name_of, known)))
    matrix = jacobian(graph, equations, unknowns)
    for index, row in enumerate(matrix):
        if depends_on(graph, row, unknowns):
            raise DerivationError(f"{model.name}: {_WHAT}[{index}] is not linear in {', '.join(names)}")
    _refuse_singular(model, ranks, matrix, names)
    zero = Substitution(graph, dict.fromkeys(unknowns, graph.zero))
    right = [[graph.neg(zero(equation))] for equation in equations]
    try:
        solution = solve_general(graph, matrix, right, names, checks)
    except StructurallySingularError as error:
        raise DerivationError(
            f"{model.name}: {_WHAT} cannot be solved for {', '.join(names)}: "
            f"no equation is left for {', '.join(names[j] for j in error.columns)}"
        ) from error
    solved = tuple(solution.column)
    scalars.define_all(wanted, solved)
    if not in_speeds:
        return Kinematics(motion, motion, equations, unknowns)
    return Kinematics(motion, solved, equations, unknowns, solution.order)


def _of_tree(
    model: Model, tree: JointTree, motion: tuple[Node, ...], scalars: ScalarLowering, checks: Checks
) -> Kinematics:
    """Place a tree at its coordinates and speeds, and write q' in these."""
    graph = scalars.graph

    def entry(value: Entry) -> Node:
        return graph.constant(value) if isinstance(value, (int, float)) else scalars(value)

    placed = PlacedTree(graph, tree, entry)
    rates = placed.rates(checks)
    unknowns = _fresh(scalars, _derivatives(model))
    scalars.define_all(_derivatives(model), rates)
    equations = tuple(map(graph.sub, unknowns, rates))
    return Kinematics(motion, tuple(rates), equations, unknowns, placed=placed)


def _refuse_singular(model: Model, ranks: Ranks, matrix: Nodes, names: Sequence[str]) -> None:
    """Refuse a matrix that is singular everywhere, naming the unknown that it does not determine."""
    weakest = ranks.undetermined(matrix)
    if weakest is not None:
        raise DerivationError(
            f"{model.name}: the matrix of {_WHAT} has no inverse: "
            f"{names[weakest]} is not determined by them; give an equation that contains it"
        )


def _derivatives(model: Model) -> list[sympy.Expr]:
    return [sympy.Derivative(q, model.time) for q in model.coordinates]


def _fresh(scalars: ScalarLowering, symbols: Sequence[sympy.Basic]) -> tuple[Node, ...]:
    """Return leaves that stand for symbols until something else does."""
    leaves = tuple(scalars.graph.fresh(name_of(symbol)) for symbol in symbols)
    scalars.define_all(symbols, leaves)
    return leaves
