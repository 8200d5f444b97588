"""Pair -> PairView: an embedded pair, its weights printed; each is rounded once from the published number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eomc.backends.c99.layout import declaration, wrap
from eomc.backends.c99.runs.shared import SEEN, Member, static_signature
from eomc.backends.c99.runs.views import ControlView, PairLanesView, PairStageView, PairView
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.spelling import number
from eomc.pairs import Control, Pair

_OF_LANE = "work->k[{}][i].of[lane]"


def pair_view(pair: Pair, scope: Scope, projected: bool, lanes: bool) -> PairView:
    """Return what the template places of a pair; steps may end with a projection, or go side by side in lanes."""
    last = len(pair.a)
    extra = range(last + 1, last + 1 + len(pair.dense_a))
    return PairView(
        try_signature=static_signature("try_step", ("h", "t_end"), pair.name, scope),
        first_signature=static_signature("first_step", ("room",), pair.name, scope),
        begin_signature=static_signature("begin", ("edge",), pair.name, scope),
        stages=tuple(
            PairStageView(_moved(row, scope), _time(share), stage)
            for stage, (row, share) in enumerate(zip(pair.a, pair.c, strict=True))
            if stage
        ),
        end=_moved(pair.b, scope),
        last=last,
        unprojected=_loop(["run->moved[i] = y[i];"], scope) if projected else (),
        projected=_loop(["run->moved[i] = (y[i] - run->moved[i]) / h;"], scope) if projected else (),
        estimates=tuple(_estimate(row, projected) for row in pair.errors),
        extra=tuple(
            PairStageView(_moved(row, scope), _time(share), stage)
            for row, share, stage in zip(pair.dense_a, pair.dense_c, extra, strict=True)
        ),
        dense=tuple(
            line
            for place, row in enumerate(pair.dense, start=3)
            for line in _wrapped(f"run->f[{place}][i] = h * {_sum(row)};")
        ),
        terms=3 + len(pair.dense),
        control=control_view(pair.control, pair.order),
        lanes=_lanes_view(pair, scope) if lanes else None,
    )


def _lanes_view(pair: Pair, scope: Scope) -> PairLanesView:
    """Return the same of several runs side by side: the same operations in the same order."""
    rows = (*zip(pair.a, pair.c, strict=True), (pair.b, None))
    stages = tuple(
        PairStageView(
            _wrapped(f"y[i].of[lane] = x[i].of[lane] + (work->h.of[lane] * {_sum(row, _OF_LANE)});", 12),
            "work->t_end.of[lane]" if share is None else _time(share, "work->t.of[lane]", "work->h.of[lane]"),
            stage,
        )
        for stage, (row, share) in enumerate(rows)
        if stage
    )
    name, macro = f"{scope.prefix}_{pair.name}", scope.macro
    work, run = f"{name}_lanes_work *work", f"{name} *run"
    lanes = f"[{macro}_LANES]"
    arguments = (
        f"{scope.prefix}_real t_limit",
        f"const {scope.prefix}_source source{lanes}",
        f"const {scope.prefix}_lanes_constants *c",
        f"{scope.prefix}_work *alone",
        work,
        f"{name} run{lanes}",
    )
    return PairLanesView(
        declaration(f"void {name}_start_lanes(", (work,)),
        declaration(f"void {name}_try_lanes(", arguments),
        declaration(f"void {name}_take_lane(", ("int lane", f"const {work}", run)),
        stages,
        tuple(_wrapped(f"e = {_sum(row, _OF_LANE)};", 12) for row in pair.errors),
    )


def pair_members(pair: Pair, scope: Scope, projected: bool) -> list[Member]:
    """Return the members of the struct of a run, beside where it is."""
    n, size, terms = len(scope.states), f"{scope.macro}_NX", 3 + len(pair.dense)
    members = [
        Member(f"k[{pair.slopes}][{size}]", pair.slopes * n, "slopes of a step"),
        Member(f"y[{size}]", n, "state of a stage, and at the end"),
        Member(f"f[{terms}][{size}]", terms * n, "terms of the dense output"),
        SEEN,
    ]
    if projected:
        members.append(Member(f"moved[{size}]", n, "by the projection, over h"))
    if pair.control.memory:
        members.append(Member("memory", 1, "of the error of the step before"))
    return members


def control_view(control: Control, order: int) -> ControlView:
    """Return the literals of a control; errors are squared."""
    return ControlView(
        first_exponent=_literal(Fraction(1, order)),
        exponent=_literal(control.exponent / 2),
        memory=_literal(-control.memory / 2) if control.memory else "",
        safety=_literal(control.safety),
        least_divisor=_literal(1 / control.greatest),
        most_divisor=_literal(1 / control.least),
    )


def _estimate(row: Sequence[Fraction], projected: bool) -> tuple[str, ...]:
    return _wrapped(f"e = {_sum(row)}{' + run->moved[i]' if projected else ''};")


def _moved(row: Sequence[Fraction], scope: Scope) -> tuple[str, ...]:
    """Return the lines that go along a weighted sum of slopes from x."""
    return _loop(_wrapped(f"y[i] = x[i] + (h * {_sum(row)});"), scope)


def _loop(lines: Sequence[str], scope: Scope) -> tuple[str, ...]:
    return f"for (i = 0; i < {scope.macro}_NX; ++i) {{", *(f"    {line}" for line in lines), "}"


def _sum(row: Sequence[Fraction], place: str = "run->k[{}][i]") -> str:
    """Return a weighted sum of slopes, in parentheses."""
    text = ""
    for slope, weight in enumerate(row):
        if weight:
            sign = "-" if weight < 0 else "+"
            term = f"({_literal(abs(weight))} * {place.format(slope)})"
            text += f" {sign} {term}" if text else term if sign == "+" else f"-{term}"
    return f"({text})" if ") " in text else text


def _time(share: Fraction, t: str = "t", h: str = "h") -> str:
    """Return the time of a stage; shares that are whole but for the digits of a table are whole."""
    rounded = float(share)
    return f"{t} + {h}" if rounded == 1.0 else f"{t} + ({_literal(share)} * {h})"


def _literal(value: Fraction) -> str:
    return f"REAL({number(value)})"


def _wrapped(statement: str, indent: int = 4) -> tuple[str, ...]:
    return tuple(line[indent:] for line in wrap(f"{' ' * indent}{statement}"))
