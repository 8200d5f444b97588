"""Loads linear in u', such as added mass and inerters: what they add to the matrix of the equations.

F_r(u') = F_r(0) + sum of dF_r/du'_s u'_s, so that M u' = F + ... becomes (M - dF/du') u' = F(0) + ... The sum need be
neither symmetric nor positive definite: where -dF/du' is symmetric and takes nothing from M, L D L^T serves the sum as
it serves M; else an elimination with pivots does. T, the momenta and S stay those of the bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eomc.derivation.accelerations import at_no_acceleration
from eomc.derivation.mass_matrix import mirrored
from eomc.derivation.problem import Problem
from eomc.errors import DerivationError
from eomc.ir.graph import Graph, Node, Rows
from eomc.passes.differentiate import depends_on, jacobian
from eomc.solving.ldlt import solve_positive_definite
from eomc.solving.linear import solve_general
from eomc.solving.solution import Solution
from eomc.solving.structure import StructurallySingularError

_MANY = 1000  # M and this many times -dF/du' are positive definite only where -dF/du' takes nothing from M


@dataclass(frozen=True, slots=True)
class EquationMatrix:
    """The matrix and the right side of the equations of motion, without constraints."""

    entries: Rows  # M - dF/du'
    forcing: list[Node]  # at u' = 0
    inertia: Rows  # M of the bodies, or of the Lagrangian
    is_symmetric: bool
    is_definite: bool

    @property
    def has_loads(self) -> bool:
        """Whether loads have a share in the matrix."""
        return self.entries is not self.inertia

    def metric(self, graph: Graph) -> Rows:
        """Return the symmetric part: what a step costs that leads back onto constraints."""
        if self.is_symmetric:
            return self.entries
        half = graph.div(graph.one, graph.constant(2))
        n = len(self.entries)
        return [
            [graph.mul(half, graph.add(self.entries[i][j], self.entries[j][i])) for j in range(n)] for i in range(n)
        ]


def equation_matrix(problem: Problem, inertia: Rows, forcing: Sequence[Node]) -> EquationMatrix:
    """Return M - dF/du' and what is left of the forces; these are linear in u', as the model was asked before."""
    graph = problem.graph
    u_dots = problem.u_dots if problem.has_u_dots else ()
    if not depends_on(graph, forcing, u_dots):
        return EquationMatrix(inertia, list(forcing), inertia, True, True)
    still = at_no_acceleration(problem)
    slopes = [[still(slope) for slope in row] for row in jacobian(graph, forcing, u_dots)]
    symmetric = _is_symmetric(problem, slopes)
    if symmetric:
        slopes = mirrored(slopes)
    many = graph.constant(_MANY)
    multiplied = _less(graph, inertia, [[graph.mul(many, slope) for slope in row] for row in slopes])
    definite = symmetric and problem.ranks.is_positive_definite(multiplied)
    return EquationMatrix(_less(graph, inertia, slopes), still.all(list(forcing)), inertia, symmetric, definite)


def _less(graph: Graph, matrix: Rows, other: Rows) -> Rows:
    return [[graph.sub(x, y) for x, y in zip(*rows, strict=True)] for rows in zip(matrix, other, strict=True)]


def _is_symmetric(problem: Problem, matrix: Rows) -> bool:
    """Whether a matrix is symmetric at all states; no where that is not sure."""
    pairs = [(row[j], matrix[j][i]) for i, row in enumerate(matrix) for j in range(i)]
    return all(problem.is_zero(problem.graph.sub(x, y)) for x, y in pairs if x != y)


def solve_equations(
    problem: Problem,
    matrix: Rows,
    right: Sequence[Node],
    names: Sequence[str],
    definite: bool,
    no_inertia: Callable[[str], str],
) -> tuple[Solution, str]:
    """Return x with matrix x = right, and what solves it, for a comment: L D L^T where the matrix is definite.

    Raises
    ------
    DerivationError
        The matrix is singular by its structure.
    """
    if definite:
        return solve_positive_definite(problem.graph, matrix, right, names, problem.checks), "L D L^T"
    try:
        solution = solve_general(problem.graph, matrix, [[node] for node in right], names, problem.checks)
    except StructurallySingularError as error:
        raise DerivationError(f"{problem.model.name}: {no_inertia(names[error.columns[0]])}") from error
    return solution, "elimination (M need not be positive definite)"
