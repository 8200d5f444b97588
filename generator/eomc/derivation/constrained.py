"""M v' + J^T lambda = f with J v' = c: accelerations and multipliers, in each of the solution forms.

``eliminated`` is Kane's nonholonomic form where the dependent speeds are named and their block has an inverse
everywhere by its structure: v_D = A v_I + B, M~ = [1 A^T] M [1; A] and f~ = [1 A^T](f - M [0; B']), written out
(Kane & Levinson, *Dynamics* (1985), section 2.14). Everything else is a system of the graph, factored with complete
pivoting at run time, so that no choice of dependent speeds can turn singular on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from eomc.derivation.added_inertia import EquationMatrix, solve_equations
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.problem import Problem
from eomc.errors import DerivationError, UnsupportedError
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.systems import Factorization
from eomc.passes.differentiate import jacobian
from eomc.passes.smoothness import is_smooth
from eomc.solving.ldlt import solve_positive_definite
from eomc.solving.linear import ADJUGATE_LIMIT, determinant, solve_general
from eomc.solving.structure import StructurallySingularError, block_triangular

__all__ = [
    "SOLVER_WORDS",
    "ConstrainedMotion",
    "closing_rates",
    "constraint_forces",
    "prescribed_rates",
    "refuse_free_without_inertia",
    "refuse_range_space",
    "solve_motion",
    "without_constraints",
]

Rows = list[list[Node]]


@dataclass(frozen=True, slots=True)
class ConstrainedMotion:
    """Accelerations of all motion variables, and the linear system that gives them."""

    accelerations: list[Node]
    multipliers: list[Node]
    mass_matrix: Rows  # over the labels
    forcing: list[Node]
    labels: list[str]
    constraint_matrix: Rows  # A, dependent over independent; empty unless written out
    independent: list[int]
    dependent: list[int]
    solver: str  # in words, for a comment
    free_matrix: Rows  # of all motion variables, without constraints; symmetric: the metric of corrections
    inertia: Rows  # M of the bodies or of the Lagrangian, without what loads add
    loads_added: bool = False  # whether loads linear in the accelerations have a share in the mass matrix


def prescribed_rates(problem: Problem, rows: ConstraintRows) -> list[Node]:
    """Return c of J v' = c: -(J' v + b'), with Baumgarte's feedback where it is asked for."""
    graph = problem.graph
    if not problem.symbols.gains:
        return [graph.neg(rate) for rate in rows.rates]
    alpha, beta = problem.symbols.gains
    damping, stiffness = graph.mul(graph.constant(2), alpha), graph.powi(beta, 2)
    wanted = []
    for rate, residual, position in zip(rows.rates, rows.residuals, rows.positions, strict=True):
        total = graph.add(rate, graph.mul(damping, residual))
        if position is not None:
            total = graph.add(total, graph.mul(stiffness, position))
        wanted.append(graph.neg(total))
    return wanted


def closing_rates(problem: Problem, rows: ConstraintRows) -> list[Node]:
    """Return what the velocities must make zero: g = J v + b of each row, plus alpha Phi with Baumgarte's feedback."""
    graph = problem.graph
    if not problem.symbols.gains:
        return list(rows.residuals)
    alpha, _ = problem.symbols.gains
    return [
        residual if position is None else graph.add(residual, graph.mul(alpha, position))
        for residual, position in zip(rows.residuals, rows.positions, strict=True)
    ]


def constraint_forces(graph: Graph, rows: ConstraintRows, multipliers: Sequence[Node]) -> list[Node]:
    """Return the generalized constraint forces -J^T lambda, one for each motion variable."""
    columns = zip(*rows.jacobian, strict=True)
    return [
        graph.neg(graph.sum(graph.mul(entry, m) for entry, m in zip(column, multipliers, strict=True)))
        for column in columns
    ]


def solve_motion(
    problem: Problem,
    equations: EquationMatrix,
    rows: ConstraintRows,
    dependent_names: Sequence[str],
    no_inertia: Callable[[str], str],
) -> ConstrainedMotion:
    """Return the accelerations under the constraints.

    Parameters
    ----------
    problem
        The model on the graph; its options say in which form.
    equations
        M and f of the motion without constraints.
    rows
        Its constraints; at least one.
    dependent_names
        Speeds that the user named dependent, as many as there are rows, or none.
    no_inertia
        Says what is wrong when a motion variable, named here, is left without inertia.

    Raises
    ------
    DerivationError
        The constraints do not determine a dependent speed that was named, or M has no inverse where they leave it free.
    UnsupportedError
        The form needs a symmetric M, or one that has an inverse; the message names the forms that work.
    """
    graph, form = problem.graph, problem.options.constraints
    matrix, forcing = equations.entries, equations.forcing
    names = [problem.graph.symbol_of(v).name for v in problem.motion]
    wanted = prescribed_rates(problem, rows)
    dependent = [i for i, name in enumerate(names) if name in set(dependent_names)]
    if dependent:
        _refuse_wrong_choice(problem, rows, dependent, names)
    if dependent and form == "eliminated" and _is_sound(problem, rows, dependent):
        return _written_out(problem, equations, rows, wanted, dependent, names, no_inertia)
    refuse_free_without_inertia(problem, matrix, rows, no_inertia)
    if not equations.is_symmetric:
        return _bordered(problem, equations, rows, wanted, names)
    refuse_range_space(problem, matrix, names)
    independent = [i for i in range(len(names)) if i not in dependent]
    shown, load = matrix, forcing
    a: Rows = []
    if dependent and form == "eliminated":
        a, bias = _dependence(problem, rows, wanted, dependent, independent, names)
        shown, load = _reduce(graph, matrix, forcing, a, bias, independent, dependent)
    else:
        dependent, independent = [], list(range(len(names)))
    right = [[side] for side in (*forcing, *wanted)]
    solution, multipliers = graph.solve_constrained(
        Factorization(form), matrix, rows.jacobian, right, [*names, *rows.names]
    )
    return ConstrainedMotion(
        accelerations=[row[0] for row in solution],
        multipliers=[row[0] for row in multipliers],
        mass_matrix=shown,
        forcing=load,
        labels=[names[i] for i in independent],
        constraint_matrix=a,
        independent=independent,
        dependent=dependent,
        solver=SOLVER_WORDS[form],
        free_matrix=matrix,
        inertia=equations.inertia,
        loads_added=equations.has_loads,
    )


def without_constraints(
    graph: Graph, equations: EquationMatrix, names: list[str], accelerations: list[Node], solver: str
) -> ConstrainedMotion:
    """Return M v' = f of a motion without constraints, solved."""
    return ConstrainedMotion(
        accelerations=accelerations,
        multipliers=[],
        mass_matrix=equations.entries,
        forcing=equations.forcing,
        labels=names,
        constraint_matrix=[],
        independent=list(range(len(names))),
        dependent=[],
        solver=solver,
        free_matrix=equations.metric(graph),
        inertia=equations.inertia,
        loads_added=equations.has_loads,
    )


def _bordered(
    problem: Problem, equations: EquationMatrix, rows: ConstraintRows, wanted: list[Node], names: list[str]
) -> ConstrainedMotion:
    """Return the motion of an M that is not symmetric, from [M J^T; J 0] by LU."""
    graph, form, model = problem.graph, problem.options.constraints, problem.model.name
    if form != "augmented":
        named = ", or name dependent_speeds whose block has an inverse everywhere" if form == "eliminated" else ""
        raise UnsupportedError(
            f"{model}: constraints={form!r} needs a symmetric matrix, and loads that follow the accelerations make it "
            f"unsymmetric: use constraints='augmented'{named}"
        )
    index = problem.ranks.redundant(rows.jacobian)
    if index is not None:
        raise UnsupportedError(
            f"{model}: {rows.names[index]} follows from those before it, and loads that follow the accelerations make "
            "the matrix unsymmetric: take that constraint out"
        )
    n, m = len(names), len(rows)
    columns = zip(*rows.jacobian, strict=True)
    matrix = [[*row, *column] for row, column in zip(equations.entries, columns, strict=True)]
    matrix += [[*row, *[graph.zero] * m] for row in rows.jacobian]
    right = [[side] for side in (*equations.forcing, *wanted)]
    solved = [row[0] for row in solve_general(graph, matrix, right, [*names, *rows.names], problem.checks)]
    motion = without_constraints(graph, equations, names, solved[:n], "the matrix [M J^T; J 0], LU with pivoting")
    return replace(motion, multipliers=solved[n:])


def refuse_range_space(problem: Problem, matrix: Rows, names: Sequence[str]) -> None:
    """Refuse the range space of the constraints where M alone has no inverse, naming the forms that need none."""
    if problem.options.constraints != "range-space":
        return
    weakest = problem.ranks.undetermined(matrix)
    if weakest is not None:
        raise UnsupportedError(
            f"{problem.model.name}: constraints='range-space' needs M^-1, and the mass matrix without the constraints "
            f"is singular: {names[weakest]} has no inertia of its own; use constraints='augmented', 'eliminated' or "
            "'null-space'"
        )


def refuse_free_without_inertia(
    problem: Problem, matrix: Rows, rows: ConstraintRows, no_inertia: Callable[[str], str]
) -> None:
    """Refuse a motion variable that neither inertia nor the constraints determine; redundant rows do no harm."""
    names = [problem.graph.symbol_of(v).name for v in problem.motion]
    zero = problem.graph.zero
    m = len(rows)
    columns = [list(column) for column in zip(*rows.jacobian, strict=True)]
    augmented = [[*row, *column] for row, column in zip(matrix, columns, strict=True)]
    augmented += [[*row, *[zero] * m] for row in rows.jacobian]
    weakest = problem.ranks.undetermined(augmented)
    if weakest is not None and weakest < len(names) and problem.ranks.redundant(rows.jacobian) is None:
        raise DerivationError(f"{problem.model.name}: {no_inertia(names[weakest])}")


SOLVER_WORDS = {
    "eliminated": "eliminating dependent speeds, chosen by complete pivoting",
    "augmented": "the augmented matrix [M J^T; J 0], complete pivoting",
    "range-space": "the range space of the constraints, J M^-1 J^T",
    "null-space": "the null space of the constraints, R with J R = 0",
}


# -- dependent speeds ------------------------------------------------------------------------------------------------


def _refuse_wrong_choice(problem: Problem, rows: ConstraintRows, dependent: list[int], names: list[str]) -> None:
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
        raise DerivationError(_undetermined(problem, [names[dependent[weakest]]]))


def _undetermined(problem: Problem, names: list[str]) -> str:
    return (
        f"{problem.model.name}: the velocity constraints do not determine the dependent speed {', '.join(names)}; "
        "choose dependent speeds that they contain"
    )


def _is_sound(problem: Problem, rows: ConstraintRows, dependent: list[int]) -> bool:
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
    slopes = jacobian(graph, quantities, leaves)
    return all(problem.is_zero(slope) for row in slopes for slope in row)


def _written_out(
    problem: Problem,
    equations: EquationMatrix,
    rows: ConstraintRows,
    wanted: list[Node],
    dependent: list[int],
    names: list[str],
    no_inertia: Callable[[str], str],
) -> ConstrainedMotion:
    graph, matrix, forcing = problem.graph, equations.entries, equations.forcing
    independent = [i for i in range(len(names)) if i not in dependent]
    a, bias = _dependence(problem, rows, wanted, dependent, independent, names)
    reduced, load = _reduce(graph, matrix, forcing, a, bias, independent, dependent, equations.is_symmetric)
    labels = [names[i] for i in independent]
    weakest = problem.ranks.undetermined(reduced)
    if weakest is not None:
        raise DerivationError(f"{problem.model.name}: {no_inertia(labels[weakest])}")
    if equations.has_loads:
        found, solver = solve_equations(problem, reduced, load, labels, equations.is_definite, no_inertia)
    else:
        found, solver = solve_positive_definite(graph, reduced, load, labels, problem.checks), "L D L^T"
    accelerations = [graph.zero] * len(names)
    for position, i in enumerate(independent):
        accelerations[i] = found[position]
    for row, d, extra in zip(a, dependent, bias, strict=True):
        accelerations[d] = graph.add(graph.sum(graph.mul(x, y) for x, y in zip(row, found, strict=True)), extra)
    rest = [
        [graph.sub(forcing[d], graph.sum(graph.mul(m, v) for m, v in zip(matrix[d], accelerations, strict=True)))]
        for d in dependent
    ]
    transposed = [[row[d] for row in rows.jacobian] for d in dependent]
    multipliers = solve_general(graph, transposed, rest, rows.names, problem.checks)
    return ConstrainedMotion(
        accelerations=accelerations,
        multipliers=[row[0] for row in multipliers],
        mass_matrix=reduced,
        forcing=load,
        labels=labels,
        constraint_matrix=a,
        independent=independent,
        dependent=dependent,
        solver=solver,
        free_matrix=equations.metric(graph),
        inertia=equations.inertia,
        loads_added=equations.has_loads,
    )


def _dependence(
    problem: Problem,
    rows: ConstraintRows,
    wanted: list[Node],
    dependent: list[int],
    independent: list[int],
    names: list[str],
) -> tuple[Rows, list[Node]]:
    """Return A and B' of v_D' = A v_I' + B'."""
    graph = problem.graph
    left = [[row[d] for d in dependent] for row in rows.jacobian]
    right = [[*(graph.neg(row[i]) for i in independent), c] for row, c in zip(rows.jacobian, wanted, strict=True)]
    dependents = [names[d] for d in dependent]
    try:
        solved = solve_general(graph, left, right, dependents, problem.checks)
    except StructurallySingularError as error:
        raise DerivationError(_undetermined(problem, [dependents[j] for j in error.columns])) from error
    return [row[:-1] for row in solved], [row[-1] for row in solved]


def _reduce(
    graph: Graph,
    matrix: Rows,
    forcing: list[Node],
    a: Rows,
    bias: list[Node],
    independent: list[int],
    dependent: list[int],
    symmetric: bool = True,
) -> tuple[Rows, list[Node]]:
    """Return M~ and f~, sharing M_DD A and M_D. B'."""
    coupled = [  # (M_ID + ...) rows: M_kD A for every k, and f_k - M_kD B'
        [graph.sum(graph.mul(row[d], a[p][c]) for p, d in enumerate(dependent)) for c in range(len(independent))]
        for row in matrix
    ]
    pushed = [
        graph.sub(f, graph.sum(graph.mul(row[d], bias[p]) for p, d in enumerate(dependent)))
        for row, f in zip(matrix, forcing, strict=True)
    ]
    n = len(independent)
    half = [[graph.add(matrix[k][independent[c]], coupled[k][c]) for c in range(n)] for k in range(len(matrix))]
    reduced = [[graph.zero] * n for _ in range(n)]
    for r in range(n):
        for c in range(r + 1 if symmetric else n):
            value = half[independent[r]][c]
            for p, d in enumerate(dependent):
                value = graph.add(value, graph.mul(a[p][r], half[d][c]))
            reduced[r][c] = value
            if symmetric:
                reduced[c][r] = value
    load = []
    for r in range(n):
        value = pushed[independent[r]]
        for p, d in enumerate(dependent):
            value = graph.add(value, graph.mul(a[p][r], pushed[d]))
        load.append(value)
    return reduced, load
