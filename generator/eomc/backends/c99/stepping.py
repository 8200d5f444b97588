"""Tableau -> StepView: the step of a Runge-Kutta scheme, the coefficients of an explicit one spelled out.

A weighted sum of slopes is printed as one fraction of h times integers, slopes in a row with the same integer under
one product: b = (1/6, 1/3, 1/3, 1/6) is h/6 (k0 + 2 (k1 + k2) + k3). A coefficient of zero leaves no trace.
Few states have a statement each, many a loop.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from eomc.backends.c99 import split
from eomc.backends.c99.implicit import HOW, implicit_view
from eomc.backends.c99.inlined import SLOPES, is_small
from eomc.backends.c99.layout import declaration
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.spelling import number
from eomc.backends.c99.step_views import (
    CostView,
    MadeView,
    SeenOrderView,
    StageView,
    StepJacobianView,
    StepSignatures,
    StepView,
)
from eomc.ir.program import Program
from eomc.passes.rates import RATES
from eomc.tableaus import Tableau

__all__ = ["change_along", "factored", "parts_of_step", "step_view", "time_of_stage"]

_SEMI_IMPLICIT = (
    "All other states go along their rates at (t, x), then the coordinates along theirs at the new values of these.",
    "It is symplectic where the mass matrix is constant, q' depends on the speeds alone and no force on velocities.",
)

_Weights: TypeAlias = Sequence[tuple[int, int]]  # slope, integer


def step_view(
    tableau: Tableau, scope: Scope, *, program: Program, inlined: bool, cost: CostView, derived: StepJacobianView | None
) -> StepView:
    """Return what the templates place of a scheme.

    Parameters
    ----------
    tableau
        The scheme.
    scope
        Names.
    program
        Says whether steps end on the constraints, and how many states are coordinates.
    inlined
        The state derivative has a static function.
    cost
        What a step takes.
    derived
        The derivative of a step, where it is wanted.
    """
    prefix = scope.prefix
    head = f"{prefix}_status {prefix}_{tableau.name}_step"
    times = tableau.times(program.projected)
    count = len(times)
    return StepView(
        name=tableau.name,
        title=tableau.title,
        order=tableau.order,
        cost=cost,
        details=_details(tableau),
        times=_listing([_told(share) for share in times]),
        signatures=StepSignatures(
            given=_signature(f"{head}(", f"const {prefix}_inputs r[{count}]", scope),
            held=_signature(f"{head}_held(", f"const {prefix}_inputs *r", scope),
            make=_signature(
                f"static {prefix}_status make_{tableau.name}_step(", f"const {prefix}_inputs *const r[{count}]", scope
            ),
        ),
        made=_made(tableau, scope, program, SLOPES if inlined else f"{prefix}_rhs") if tableau.explicit else None,
        implicit=implicit_view(tableau, scope, inlined) if tableau.implicit else None,
        split=split.split_view(tableau, scope, program) if tableau.drifts else None,
        taken=tuple(f"&r[{place}]" for place in range(count)),
        trial="work->y" if tableau.looks_beside or program.projected else "x",
        seen=SeenOrderView(near=f"1e-{tableau.order + 2}", least=f"{0.75 * tableau.order:g}"),
        derived=derived,
    )


def _details(tableau: Tableau) -> tuple[str, ...]:
    """Return what is said of a scheme."""
    if tableau.drifts:
        return split.HOW
    return HOW if tableau.implicit else _SEMI_IMPLICIT if tableau.semi_implicit else ()


def _made(tableau: Tableau, scope: Scope, program: Program, slopes: str) -> MadeView:
    """Return what makes a step; `slopes` is the function of the state derivative."""
    rows = [factored(row) for row in tableau.a]
    factor, weights = factored(tableau.b)
    prefix, times = scope.prefix, tableau.times(program.projected)
    loops = not is_small(scope)
    change = change_along(factor, weights)
    stages = [
        StageView(
            state=_stage_state(*rows[stage], scope),
            slopes=slopes,
            to=f"work->k[{stage}]",
            at="work->y" if stage else "x",
            time=time_of_stage(share),
            place=times.index(share),
        )
        for stage, share in enumerate(tableau.c)
    ]
    if tableau.semi_implicit:
        state = _new_speeds(change, scope, program.coordinates)
        stages.append(replace(stages[0], state=state, slopes=f"{prefix}_{RATES}", at="work->y"))
    return MadeView(
        lengths=parts_of_step(tableau, scope),
        loops=loops,
        advances=loops and any(_is_one_slope(row) for _, row in rows),
        stages=tuple(stages),
        update=_for_each_state(
            f"work->y[i] = x[i] + ({change});" if program.projected else f"x[i] += {change};", scope
        ),
        kept=_for_each_state("x[i] = work->y[i];", scope),
    )


def parts_of_step(tableau: Tableau, scope: Scope) -> tuple[str, ...]:
    """Return the definitions of the parts of h that a scheme uses."""
    factors = [factored(row)[0] for row in (*tableau.a, tableau.b)]
    shares = dict.fromkeys([*itertools.chain(*zip(tableau.c, factors[:-1], strict=True)), factors[-1]])
    return tuple(
        f"const {scope.prefix}_real {_length(share)} = {_product(share)};" for share in shares if share not in (0, 1)
    )


def factored(row: Sequence[Fraction | int]) -> tuple[Fraction, _Weights]:
    """Return a row as one fraction times integers without a common divisor; the zeros are left out."""
    whole = math.lcm(*(Fraction(entry).denominator for entry in row))
    integers = [int(entry * whole) for entry in row]
    common = math.gcd(*integers)
    return Fraction(common, whole), [(slope, entry // common) for slope, entry in enumerate(integers) if entry]


def _is_one_slope(weights: _Weights) -> bool:
    return len(weights) == 1 and weights[0][1] == 1


def _stage_state(factor: Fraction, weights: _Weights, scope: Scope) -> tuple[str, ...]:
    """Return the lines that make the state of a stage; none where it is x itself."""
    if not weights:
        return ()
    if _is_one_slope(weights) and not is_small(scope):
        return (f"advance(x, {_length(factor)}, work->k[{weights[0][0]}], work->y);",)
    return _for_each_state(f"work->y[i] = x[i] + ({change_along(factor, weights)});", scope)


def _new_speeds(change: str, scope: Scope, coordinates: int) -> tuple[str, ...]:
    """Return the lines that advance all states but the coordinates."""
    kept, moved = "work->y[i] = x[i];", f"work->y[i] = x[i] + ({change});"
    if is_small(scope):
        return _for_each_state(kept, scope)[:coordinates] + _for_each_state(moved, scope)[coordinates:]
    size = f"{scope.macro}_{RATES.upper()}_SIZE"
    return (*_loop(kept, "0", size), *_loop(moved, size, f"{scope.macro}_NX"))


def _for_each_state(statement: str, scope: Scope) -> tuple[str, ...]:
    """Return the lines that do for every state what a statement does for state i."""
    if is_small(scope):
        return tuple(statement.replace("[i]", f"[{i}]") for i in range(len(scope.states)))
    return _loop(statement, "0", f"{scope.macro}_NX")


def _loop(statement: str, first: str, end: str) -> tuple[str, ...]:
    return (f"for (i = {first}; i < {end}; ++i) {{", f"    {statement}", "}")


def change_along(factor: Fraction, weights: _Weights) -> str:
    """Return the change of one state in a stage or a step."""
    total = _sum(weights)
    return f"{_length(factor)} * {total if _is_one_slope(weights) else f'({total})'}"


def _sum(weights: _Weights) -> str:
    """Return the sum of slopes with integer weights, as many under one product as follow each other."""
    text = ""
    for weight, run in itertools.groupby(weights, key=lambda pair: pair[1]):
        slopes = [f"work->k[{slope}][i]" for slope, _ in run]
        sign = "-" if weight < 0 else "+"
        if abs(weight) == 1:
            terms = slopes
        else:
            inner = slopes[0] if len(slopes) == 1 else f"({' + '.join(slopes)})"
            terms = [f"(REAL({number(abs(weight))}) * {inner})"]
        for term in terms:
            text += f" {sign} {term}" if text else term if sign == "+" else f"-{term}"
    return text


def _length(share: Fraction) -> str:
    """Return the name of a part of h."""
    if share == 1:
        return "h"
    return f"h{share.denominator}" if share.numerator == 1 else f"h{share.numerator}_{share.denominator}"


def _product(share: Fraction) -> str:
    """Return a part of h, rounded once where that can be."""
    above, below = share.numerator, share.denominator
    if below & (below - 1) == 0:
        return f"REAL({number(share)}) * h"
    return f"h / REAL({number(below)})" if above == 1 else f"(REAL({number(above)}) * h) / REAL({number(below)})"


def time_of_stage(share: Fraction) -> str:
    """Return the time at a share of the step."""
    return f"t + {_length(share)}" if share else "t"


def _told(share: Fraction) -> str:
    """Return a time for prose."""
    if share.denominator > 1000:
        return f"t + {float(share):.6f} h"
    if share in (0, 1):
        return "t + h" if share else "t"
    return f"t + h/{share.denominator}" if share.numerator == 1 else f"t + {share} h"


def _listing(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _signature(head: str, inputs: str, scope: Scope) -> tuple[str, ...]:
    """Return a declaration with one argument per line, aligned."""
    prefix, macro = scope.prefix, scope.macro
    arguments = (
        f"{prefix}_real t",
        f"{prefix}_real h",
        inputs,
        f"const {prefix}_constants *c",
        f"{prefix}_work *work",
        f"{prefix}_real x[{macro}_NX]",
    )
    return declaration(head, arguments)
