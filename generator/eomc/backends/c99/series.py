"""What the templates place of the power series of the motion."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.backends.c99.code_views import SeriesView
from eomc.backends.c99.layout import Line, declaration
from eomc.backends.c99.results import result_arrays
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.step_views import CostView
from eomc.expansions import EXPANSIONS, Expansion
from eomc.ir.program import TAYLOR_COEFFICIENTS
from eomc.passes.steps import Schedule

TAYLOR_ORDERS = {"double": 20, "float": 9}
"""Order of power series, where nobody says another: 1 - ln(epsilon) / 2 (Jorba and Zou)."""


def order_of(row: Expansion, real: str) -> int:
    """Return the order that the C has where its compiler is told no other."""
    return TAYLOR_ORDERS[real] if row._replace(form="") in EXPANSIONS else row.order


def series_view(schedule: Schedule, scope: Scope, costs: Mapping[str, CostView], row: Expansion) -> SeriesView | None:
    """Return what is placed of the power series, None where there is none; `row` has their order."""
    if not schedule.series:
        return None
    value, term = (routine.function for routine in schedule.series)
    sizes = {array.name: array.size for array in (*value.arrays, *term.arrays)}
    prefix, macro = scope.prefix, scope.macro
    arguments = (
        f"{prefix}_real t",
        f"const {prefix}_real x[{macro}_NX]",
        f"const {prefix}_inputs r[2]",
        f"const {prefix}_constants *c",
        f"{prefix}_work *work",
        f"{prefix}_real series[{macro}_TAYLOR_ORDER + 1][{macro}_NX]",
    )
    with_unit = (*arguments[:3], f"{prefix}_real unit", *arguments[3:])
    return SeriesView(
        signature=declaration(f"{prefix}_status {prefix}_{TAYLOR_COEFFICIENTS}(", arguments),
        in_units=declaration(f"{prefix}_status {prefix}_taylor_in_units(", with_unit),
        before=scope.shared,
        kept=sizes.get("kept", 0),
        products=sizes.get("first", 0),
        squares=sizes.get("squared", 0),
        value=costs[value.name],
        term=costs[term.name],
        fallible=schedule.series[0].fallible,
        authors=schedule.program.expanded,
        order=order_of(row, "double"),
        order_in_float=order_of(row, "float"),
    )


def series_lines(schedule: Schedule, scope: Scope) -> list[Line]:
    """Return the members of the scratch memory that power series take."""
    real, macro = f"{scope.prefix}_real", scope.macro
    texts = {
        "kept": ("", "values at order 0 of a power series"),
        "first": (f"[{macro}_TAYLOR_ORDER]", "first factors of products, by orders"),
        "second": (f"[{macro}_TAYLOR_ORDER]", "second factors"),
        "squared": (f"[{macro}_TAYLOR_ORDER]", "factors of squares, by orders"),
    }
    sums = {"first": ("product", "sums over products"), "squared": ("square", "sums over squares")}
    lines = []
    for function in schedule.program.series:
        for array in result_arrays(function, macro):
            if array.name in texts:
                before, text = texts[array.name]
                lines.append(Line(f"    {real} {array.name}{before}[{array.macro}];", text))
            if array.name in sums:
                name, text = sums[array.name]
                lines.append(Line(f"    {real} {name}[{array.macro}];", text))
    return lines


def series_elements(schedule: Schedule, order: int) -> int:
    """Return elements that power series of this order take."""
    sizes = {array.name: array.size for function in schedule.program.series for array in function.arrays}
    kept, products, squares = (sizes.get(name, 0) for name in ("kept", "first", "squared"))
    return kept + products * (2 * order + 1) + squares * (order + 1)
