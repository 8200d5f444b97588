"""M v' + J^T lambda = f with J v' = c: accelerations and multipliers, in each of the solution forms.

``eliminated`` is Kane's nonholonomic form where the dependent speeds are named and their block has an inverse
everywhere by its structure, written out. Everything else is a system of the graph, factored with complete
pivoting at run time, so that no choice of dependent speeds can turn singular on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from eomc.derivation.added_inertia import EquationMatrix, solve_equations
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.dependent_speeds import (
    DependentSpeeds,
    are_sound,
    dependent_speeds,
    reduced,
    refuse_wrong_choice,
)
from eomc.derivation.problem import Problem
from eomc.errors import DerivationError, UnsupportedError
from eomc.ir.equations import DerivativeRule, Recursion, Tree
from eomc.ir.graph import Graph, Node, Rows
from eomc.ir.systems import Factorization
from eomc.solving.linear import solve_general


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
    steps: tuple[Node, ...] = ()  # of the elimination, where it is written out, in order of evaluation
    rules: tuple[DerivativeRule, ...] = ()  # for derivatives of the accelerations
    recursive: bool = False  # M and f come from recursions over a tree
    recursion: Recursion | None = None  # by which the accelerations are found
    arrangement: str = ""  # how it was decided in which form they are found, in words
    tree: Tree | None = None  # of joints, where it is solved as one


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
    if not problem.symbols.gains:
        return list(rows.residuals)
    alpha, _ = problem.symbols.gains
    return [
        residual if position is None else problem.graph.add(residual, problem.graph.mul(alpha, position))
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
    graph, form, names = problem.graph, problem.options.constraints, problem.motion_names
    wanted = prescribed_rates(problem, rows)
    dependent = [i for i, name in enumerate(names) if name in set(dependent_names)]
    if dependent:
        refuse_wrong_choice(problem, rows, dependent)
    if form != "eliminated":
        dependent = []
    if dependent and are_sound(problem, rows, dependent):
        return _written_out(problem, equations, rows, dependent_speeds(problem, rows, wanted, dependent), no_inertia)
    refuse_free_without_inertia(problem, equations.entries, rows, no_inertia)
    if not equations.is_symmetric:
        return _bordered(problem, equations, rows, wanted)
    refuse_range_space(problem, equations.entries, names)
    right = [[side] for side in (*equations.forcing, *wanted)]
    solution, multipliers = graph.solve_constrained(
        Factorization(form), equations.entries, rows.jacobian, right, [*names, *rows.names]
    )
    accelerations, lambdas = ([row[0] for row in part] for part in (solution, multipliers))
    motion = solved_motion(graph, equations, names, accelerations, SOLVER_WORDS[form], multipliers=lambdas)
    if not dependent:
        return motion
    speeds = dependent_speeds(problem, rows, wanted, dependent)
    return _shown(motion, speeds, *reduced(graph, equations, speeds))


def solved_motion(
    graph: Graph,
    equations: EquationMatrix,
    names: list[str],
    accelerations: list[Node],
    solver: str,
    steps: tuple[Node, ...] = (),
    multipliers: Sequence[Node] = (),
) -> ConstrainedMotion:
    """Return the solved motion of M v' = f, or of M v' + J^T lambda = f."""
    return ConstrainedMotion(
        accelerations=accelerations,
        multipliers=list(multipliers),
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
        steps=steps,
    )


def _shown(motion: ConstrainedMotion, speeds: DependentSpeeds, matrix: Rows, forcing: list[Node]) -> ConstrainedMotion:
    """Return a motion with its equations as those of the independent speeds, M~ v_I' = f~."""
    return replace(
        motion,
        mass_matrix=matrix,
        forcing=forcing,
        labels=[motion.labels[i] for i in speeds.independent],
        constraint_matrix=speeds.a,
        independent=speeds.independent,
        dependent=speeds.dependent,
    )


def _bordered(
    problem: Problem, equations: EquationMatrix, rows: ConstraintRows, wanted: list[Node]
) -> ConstrainedMotion:
    """Return the motion of an M that is not symmetric, from [M J^T; J 0] by LU."""
    graph, form, model, names = problem.graph, problem.options.constraints, problem.model.name, problem.motion_names
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
    n = len(names)
    matrix, right = _augmented(problem, equations.entries, rows), [[side] for side in (*equations.forcing, *wanted)]
    solved = solve_general(graph, matrix, right, [*names, *rows.names], problem.checks).column
    words = "the matrix [M J^T; J 0], LU with pivoting"
    return solved_motion(graph, equations, names, solved[:n], words, multipliers=solved[n:])


def _augmented(problem: Problem, matrix: Rows, rows: ConstraintRows) -> Rows:
    """Return [M J^T; J 0]."""
    columns = zip(*rows.jacobian, strict=True)
    above = [[*row, *column] for row, column in zip(matrix, columns, strict=True)]
    return above + [[*row, *[problem.graph.zero] * len(rows)] for row in rows.jacobian]


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
    names = problem.motion_names
    weakest = problem.ranks.undetermined(_augmented(problem, matrix, rows))
    if weakest is not None and weakest < len(names) and problem.ranks.redundant(rows.jacobian) is None:
        raise DerivationError(f"{problem.model.name}: {no_inertia(names[weakest])}")


SOLVER_WORDS = {
    "eliminated": "eliminating dependent speeds, chosen by complete pivoting",
    "augmented": "the augmented matrix [M J^T; J 0], complete pivoting",
    "range-space": "the range space of the constraints, J M^-1 J^T",
    "null-space": "the null space of the constraints, R with J R = 0",
}


def _written_out(
    problem: Problem,
    equations: EquationMatrix,
    rows: ConstraintRows,
    speeds: DependentSpeeds,
    no_inertia: Callable[[str], str],
) -> ConstrainedMotion:
    """Return Kane's nonholonomic form: M~ v_I' = f~ solved, v_D' and the multipliers from v_I'."""
    graph, matrix, forcing = problem.graph, equations.entries, equations.forcing
    left, load = reduced(graph, equations, speeds)
    labels = [problem.motion_names[i] for i in speeds.independent]
    weakest = problem.ranks.undetermined(left)
    if weakest is not None:
        raise DerivationError(f"{problem.model.name}: {no_inertia(labels[weakest])}")
    found, solver = solve_equations(problem, left, load, labels, equations.is_definite, no_inertia)
    accelerations = speeds.with_independent(graph, found.column)
    rest = [[graph.sub(forcing[d], graph.sum(map(graph.mul, matrix[d], accelerations)))] for d in speeds.dependent]
    transposed = [[row[d] for row in rows.jacobian] for d in speeds.dependent]
    multipliers = solve_general(graph, transposed, rest, rows.names, problem.checks).column
    names = problem.motion_names
    motion = solved_motion(graph, equations, names, accelerations, solver, found.steps, multipliers)
    return _shown(motion, speeds, left, load)
