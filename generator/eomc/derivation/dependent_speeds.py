"""Dependent speeds by the independent ones: v_D' = A v_I' + B', and the equations M~ v_I' = f~ that this leaves.

M~ = [1 A^T] M [1; A] and f~ = [1 A^T](f - M [0; B']) (Kane & Levinson, *Dynamics* (1985), section 2.14).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.added_inertia import EquationMatrix
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.problem import Problem
from eomc.errors import DerivationError
from eomc.ir.graph import Graph, Level, Node, Rows
from eomc.passes.differentiate import jacobian
from eomc.passes.smoothness import is_smooth
from eomc.solving.linear import ADJUGATE_LIMIT, determinant, solve_general
from eomc.solving.structure import StructurallySingularError, block_triangular


@dataclass(frozen=True, slots=True)
class DependentSpeeds:
    """v_D' = A v_I' + B', by indices of motion variables."""

    dependent: list[int]
    independent: list[int]
    a: Rows
    bias: list[Node]  # B'

    def with_independent(self, graph: Graph, u_dots: Sequence[Node]) -> list[Node]:
        """Return v' of all motion variables from those of the independent ones."""
        both = dict(zip(self.independent, u_dots, strict=True))
        for row, d, extra in zip(self.a, self.dependent, self.bias, strict=True):
            both[d] = graph.add(graph.sum(map(graph.mul, row, u_dots)), extra)
        return [both[i] for i in range(len(both))]


def dependent_speeds(
    problem: Problem, rows: ConstraintRows, wanted: Sequence[Node], dependent: list[int]
) -> DependentSpeeds:
    """Solve J v' = `wanted` for the dependent speeds.

    Raises
    ------
    DerivationError
        The constraints do not determine them.
    """
    graph, names = problem.graph, problem.motion_names
    independent = [i for i in range(len(names)) if i not in dependent]
    left = [[row[d] for d in dependent] for row in rows.jacobian]
    right = [[*(graph.neg(row[i]) for i in independent), c] for row, c in zip(rows.jacobian, wanted, strict=True)]
    dependents = [names[d] for d in dependent]
    try:
        solved = solve_general(graph, left, right, dependents, problem.checks).rows
    except StructurallySingularError as error:
        raise _undetermined(problem, [dependents[j] for j in error.columns]) from error
    return DependentSpeeds(dependent, independent, [row[:-1] for row in solved], [row[-1] for row in solved])


def reduced(graph: Graph, equations: EquationMatrix, speeds: DependentSpeeds) -> tuple[Rows, list[Node]]:
    """Return M~ and f~, sharing M_DD A and M_D. B'."""
    matrix, symmetric = equations.entries, equations.is_symmetric
    dependent, independent, a, bias = speeds.dependent, speeds.independent, speeds.a, speeds.bias
    n = len(independent)
    coupled = [  # (M_ID + ...) rows: M_kD A for every k, and f_k - M_kD B'
        [graph.sum(graph.mul(row[d], a[p][c]) for p, d in enumerate(dependent)) for c in range(n)] for row in matrix
    ]
    pushed = [
        graph.sub(f, graph.sum(graph.mul(row[d], bias[p]) for p, d in enumerate(dependent)))
        for row, f in zip(matrix, equations.forcing, strict=True)
    ]
    half = [
        [graph.add(row[i], x) for i, x in zip(independent, more, strict=True)]
        for row, more in zip(matrix, coupled, strict=True)
    ]

    def projected(r: int, column: Sequence[Node]) -> Node:
        """Return row r of [1 A^T] times a column."""
        value = column[independent[r]]
        for p, d in enumerate(dependent):
            value = graph.add(value, graph.mul(a[p][r], column[d]))
        return value

    columns = list(zip(*half, strict=True))
    left = [[graph.zero] * n for _ in range(n)]
    for r in range(n):
        for c in range(r + 1 if symmetric else n):
            left[r][c] = projected(r, columns[c])
            if symmetric:
                left[c][r] = left[r][c]
    return left, [projected(r, pushed) for r in range(n)]


def refuse_wrong_choice(problem: Problem, rows: ConstraintRows, dependent: list[int]) -> None:
    """Refuse dependent speeds that are too many or too few, or that the constraints determine nowhere."""
    if len(dependent) != len(rows):
        raise DerivationError(
            f"{problem.model.name}: {len(rows)} constraints on the speeds ({', '.join(rows.names)}) and "
            f"{len(dependent)} dependent speeds: name as many dependent_speeds, or none: they are then chosen"
        )
    weakest = problem.ranks.undetermined([[row[d] for d in dependent] for row in rows.jacobian])
    if weakest is not None:
        index = problem.ranks.redundant(rows.jacobian)
        if index is not None:
            raise DerivationError(
                f"{problem.model.name}: velocity_constraints[{index}] follows from the others (or contradicts them): "
                "its coefficients are a combination of theirs; take it out, and one of the dependent speeds"
            )
        raise _undetermined(problem, [problem.motion_names[dependent[weakest]]])


def _undetermined(problem: Problem, names: list[str]) -> DerivationError:
    return DerivationError(
        f"{problem.model.name}: the velocity constraints do not determine the dependent speed {', '.join(names)}; "
        "choose dependent speeds that they contain"
    )


def are_sound(problem: Problem, rows: ConstraintRows, dependent: list[int]) -> bool:
    """Whether the dependent speeds' block has an inverse at every state, and a well conditioned one.

    Each of its irreducible parts is made of numbers and parameters, or turns as a rotation matrix does: its determinant
    and the lengths of its rows are the same at all states, so that its condition number is bounded.
    """
    graph = problem.graph
    block = [[row[d] for d in dependent] for row in rows.jacobian]
    pattern = [[j for j, entry in enumerate(row) if not graph.is_zero(entry)] for row in block]
    try:
        parts = block_triangular(pattern, lambda i, j: int(graph.level[block[i][j]] == Level.VARYING))
    except StructurallySingularError:
        return False
    turning = []
    for part_rows, unknowns in parts:
        part = [[block[i][j] for j in unknowns] for i in part_rows]
        if all(graph.level[entry] < Level.VARYING for row in part for entry in row):
            continue
        if len(part) > ADJUGATE_LIMIT or not is_smooth(graph, [entry for row in part for entry in row]):
            return False
        turning.append(determinant(graph, part))
        turning += [graph.sum(graph.powi(entry, 2) for entry in row) for row in part]
    return _are_constant(problem, turning)


def _are_constant(problem: Problem, quantities: Sequence[Node]) -> bool:
    """Whether quantities depend on parameters alone: whether their derivatives are zero."""
    graph = problem.graph
    leaves = [n for n in graph.reachable(quantities) if graph.level[n] == Level.VARYING and not graph.args[n]]
    return all(problem.is_zero(slope) for row in jacobian(graph, quantities, leaves) for slope in row)
