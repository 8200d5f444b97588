"""Pair -> PairView: an embedded pair, its weights printed; each is rounded once from the published number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eomc.backends.c99.layout import wrap
from eomc.backends.c99.runs.shared import SEEN, Member, static_signature
from eomc.backends.c99.runs.views import ControlView, PairStageView, PairView
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.spelling import number
from eomc.pairs import Control, Pair


def pair_view(pair: Pair, scope: Scope, projected: bool) -> PairView:
    """Return what the template places of a pair; steps may end with a projection."""
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


def _sum(row: Sequence[Fraction]) -> str:
    """Return a weighted sum of slopes, in parentheses."""
    text = ""
    for slope, weight in enumerate(row):
        if weight:
            sign = "-" if weight < 0 else "+"
            term = f"({_literal(abs(weight))} * run->k[{slope}][i])"
            text += f" {sign} {term}" if text else term if sign == "+" else f"-{term}"
    return f"({text})" if ") " in text else text


def _time(share: Fraction) -> str:
    """Return the time of a stage; shares that are whole but for the digits of a table are whole."""
    rounded = float(share)
    return "t + h" if rounded == 1.0 else f"t + ({_literal(share)} * h)"


def _literal(value: Fraction) -> str:
    return f"REAL({number(value)})"


def _wrapped(statement: str) -> tuple[str, ...]:
    return tuple(line[4:] for line in wrap(f"    {statement}"))
