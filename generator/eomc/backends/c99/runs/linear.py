"""Rosenbrock -> RosenbrockView: a linearly implicit scheme, its weights printed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eomc.backends.c99.costs import most_of_name, projection_cost, told_rounds
from eomc.backends.c99.inlined import is_small
from eomc.backends.c99.layout import declaration, wrap
from eomc.backends.c99.runs.costs import told_stack
from eomc.backends.c99.runs.embedded import control_view
from eomc.backends.c99.runs.factors import Factors, sparse_view
from eomc.backends.c99.runs.shared import COUNT, SEEN, Member, given, static_signature
from eomc.backends.c99.runs.views import RosenbrockStageView, RosenbrockView
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.spelling import number
from eomc.ir.operations import OperationCounts
from eomc.ir.program import Program
from eomc.passes.steps import Schedule
from eomc.rosenbrock import NEEDED, Rosenbrock

_LEFT = "add(y[i], REAL(0.0), run->lost[i], &y[i], &run->lost[i]);"  # what is more than rounding after all


def rosenbrock_view(row: Rosenbrock, scope: Scope, program: Program, factors: Factors) -> RosenbrockView:
    """Return what the template places of a scheme."""
    return RosenbrockView(
        try_signature=static_signature("try_step", ("h", "t_end"), row.name, scope),
        first_signature=static_signature("first_step", ("room",), row.name, scope),
        begin_signature=static_signature("begin", ("edge",), row.name, scope),
        rounding_signature=_rounding_signature(row, scope, factors),
        first=factors.first,
        rest=factors.rest,
        sparse=sparse_view(factors),
        gamma=_literal(row.gamma),
        rounding=f"REAL({9 * row.rounding:.3g})",
        loops=program.projected or not is_small(scope),
        stages=tuple(_stage(row, stage, scope) for stage in range(len(row.c))),
        end=_each([_added(f"run->u[{len(row.c) - 1}][i]"), _LEFT], scope),
        error=f"run->u[{len(row.c) - 1}][i]{' + run->moved[i]' if program.projected else ''}",
        dense=tuple(
            line
            for place, weights in enumerate(row.dense, start=1)
            for line in _wrapped(f"run->f[{place}][i] = {'-' if place == 3 else ''}({_sum(weights)});")
        ),
        control=control_view(row.control, row.order),
    )


def rosenbrock_members(row: Rosenbrock, scope: Scope, program: Program, factors: Factors) -> list[Member]:
    """Return the members of the struct of a run, beside where it is."""
    n, size, stages, inputs = len(scope.states), f"{scope.macro}_NX", len(row.c), len(scope.inputs)
    rest, sparse = factors.rest, factors.sparse
    several = f" * {scope.macro}_NR" if inputs > 1 else ""  # no product by one: MISRA calls it dead
    square = f"{rest} * {rest}" if rest > 1 else "1"
    return [
        Member(f"k[2][{size}]", 2 * n, "slopes at the beginning of a step"),
        Member(f"u[{stages}][{size}]", stages * n, "what the stages of a step solve for"),
        Member(f"y[{size}]", n, "state of a stage, and at the end"),
        Member(f"lost[{size}]", n, "by rounding, from what y is"),
        Member(f"carried[{size}]", n, "the same from where the run is"),
        Member(f"f[4][{size}]", 4 * n, "terms of the dense output"),
        Member(f"A[{size} * {size}]", n * n, "df/dx at the beginning of a step"),
        *([Member(f"B[{size}{several}]", n * inputs, "df/dr there")] if inputs else []),
        Member(f"rate[{size}]", n, "df/dt + df/dr r' there"),
        *([] if sparse is None else _sparse_members(sparse.entries, n, size)),
        Member(f"w[{square}]", rest * rest, "factors of 1/(h gamma) - A, rows exchanged"),
        *([Member(f"order[{rest}]", rest, "rows as exchanged", "int")] if rest > 1 else []),
        SEEN,
        Member("rounded", 1, "steps whose error was rounding, not within the tolerance", COUNT),
        *([Member(f"moved[{size}]", n, "by the projection")] if program.projected else []),
    ]


def _sparse_members(entries: int, states: int, size: str) -> list[Member]:
    """Return the members of sparse factors."""
    return [
        Member(f"s[{entries}]", entries, "factors of 1/(h gamma) - A by their entries,"),
        Member(f"pivot[{size}]", states, "one over their diagonal"),
        Member("exchanged", 1, "whether factors with exchanged rows serve instead", "int"),
    ]


def slopes_signature(scope: Scope) -> tuple[str, ...]:
    """Return the signature of what evaluates the derivatives of the motion."""
    real, size = f"{scope.prefix}_real", f"{scope.macro}_NX"
    return declaration(
        f"{scope.prefix}_status {scope.prefix}_run_slopes(",
        (
            f"{real} t",
            f"{real} span",
            f"const {real} x[{size}]",
            *given(scope),
            f"{real} A[{size} * {size}]",
            f"{real} *B",
            f"{real} rate[{size}]",
        ),
    )


def _rounding_signature(row: Rosenbrock, scope: Scope, factors: Factors) -> tuple[str, ...]:
    """Return the signature of what tells rounding from an error."""
    real = f"{scope.prefix}_real"
    part = [f"{real} part"] if factors.first or factors.sparse else []
    own = (f"{real} error", *part, *given(scope), f"{scope.prefix}_{row.name} *run")
    return declaration(f"static {real} but_for_rounding(", own)


def rosenbrock_costs(
    row: Rosenbrock, schedule: Schedule, factors: Factors, own_mathematics: bool
) -> tuple[str, str, str]:
    """Return what is said of operations and stack of a step, and of its dense output."""
    program, stages = schedule.program, len(row.c)
    n, inputs = len(program.states), len(program.inputs)
    pair = OperationCounts(additions=1, multiplications=1)
    total = most_of_name(schedule, "rhs") * (stages + 2)  # two where an error is too large, to tell it from rounding
    for name in NEEDED:
        total += most_of_name(schedule, name)
    total += pair * (n * inputs + 12 * inputs)
    total += pair * (n * (sum(map(len, row.a)) + sum(map(len, row.couplings)) + 3 * stages))
    total += OperationCounts(additions=10, multiplications=1) * (n * (stages + 1))  # what sums lose
    total += OperationCounts(additions=120, multiplications=200, divisions=10 + n, others=80 + 6 * n)
    total += (pair + OperationCounts(additions=1)) * (2 * n * n) + factors.exchanged.most(factors.solving) * 2
    total += OperationCounts(additions=4, multiplications=2, divisions=1, others=5) * (2 * n)
    each_round = OperationCounts()
    if program.projected:
        once, each_round = projection_cost(schedule)
        total += once + OperationCounts(additions=2) * n
    told = told_rounds(total + factors.most(stages), each_round)
    if factors.sparse is not None:
        told += f"; of these {factors.usual(stages)} for linear algebra, more where rows have to be exchanged"
    dense = pair * (n * (3 * stages + 2))
    return told, told_stack(schedule, own_mathematics, NEEDED), f"at most {dense}"


def _stage(row: Rosenbrock, stage: int, scope: Scope) -> RosenbrockStageView:
    """Return a stage; one whose weights are those of the one before and one more goes on from its state.

    What the sum of a state loses is not lost on its slope: J times it belongs on the right side, and
    (sigma - J) (U + lost) = right + sigma lost has it there without a product.
    """
    u, lost = f"run->u[{stage}][i]", "run->lost[i]" if stage else "run->carried[i]"
    terms = [f"(over * ({_sum(row.couplings[stage])}))"] if stage else []
    if row.d[stage]:
        terms.append(f"(({_literal(row.d[stage])} * h) * run->rate[i])")
    terms.append(f"(sigma * {lost})")
    right = [f"{u} = run->k[0][i] + {' + '.join(terms)};" if not stage else f"{u} += {' + '.join(terms)};"]
    share = row.c[stage]
    return RosenbrockStageView(
        state=_each([_moved(row, stage)], scope) if stage else (),
        time="t + h" if share == 1 else f"t + ({_literal(share)} * h)",
        slope=stage,
        right=_each(right, scope),
        solution=_each([f"{u} -= {lost};"], scope),
    )


def _moved(row: Rosenbrock, stage: int) -> str:
    """Return the statement that makes the state of a stage."""
    weights, before = row.a[stage], row.a[stage - 1]
    if weights == (*before, 1):
        return _added(f"run->u[{stage - 1}][i]")
    return f"add(x[i], run->carried[i], {_sum(weights)}, &y[i], &run->lost[i]);"


def _added(text: str) -> str:
    """Return the statement that goes on from the state of a stage."""
    return f"add(y[i], run->lost[i], {text}, &y[i], &run->lost[i]);"


def _sum(weights: Sequence[Fraction]) -> str:
    """Return a weighted sum of what the stages solved for."""
    text = ""
    for stage, weight in enumerate(weights):
        sign = "-" if weight < 0 else "+"
        term = f"({_literal(abs(weight))} * run->u[{stage}][i])"
        text += f" {sign} {term}" if text else term if sign == "+" else f"-{term}"
    return text


def _each(statements: Sequence[str], scope: Scope) -> tuple[str, ...]:
    """Return the lines that do for every state what statements do for state i: few states have their own."""
    if is_small(scope):
        texts = [one.replace("[i]", f"[{i}]") for i in range(len(scope.states)) for one in statements]
        return tuple(line for text in texts for line in _wrapped(text))
    inner = tuple(f"    {line}" for one in statements for line in _wrapped(one))
    return (f"for (i = 0; i < {scope.macro}_NX; ++i) {{", *inner, "}")


def _literal(value: Fraction) -> str:
    return f"REAL({number(value)})"


def _wrapped(statement: str) -> tuple[str, ...]:
    return tuple(line[4:] for line in wrap(f"    {statement}"))
