"""A curve as small as a word (E. R. Tufte, *Beautiful Evidence*, 2006), in SVG, in the colour of the text around it."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from itertools import groupby

from eomc.cells.page import Markup

WIDTH, HEIGHT = 160, 28
_EDGE = 2  # pixels that are left free for the pen


def sparkline(name: str, points: Sequence[tuple[float, float]]) -> Markup:
    """Return a curve through points; where a value is no finite number it has a gap.

    Parameters
    ----------
    name
        What a reader who does not see it is told.
    points
        Pairs (t, value) with rising t, few: each is drawn.
    """
    finite = [value for _, value in points if math.isfinite(value)]
    if not finite:
        return Markup("")
    across = _scaled([t for t, _ in points], _EDGE, WIDTH - _EDGE)
    up = iter(_scaled(finite, HEIGHT - _EDGE, _EDGE))
    placed = [(x, next(up) if math.isfinite(value) else None) for x, (_, value) in zip(across, points, strict=True)]
    lines = "".join(
        f'<polyline points="{_pairs((x, y) for x, y in run if y is not None)}"/>'
        for there, run in groupby(placed, key=lambda point: point[1] is not None)
        if there
    )
    return Markup(
        f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{html.escape(name)}" fill="none" stroke="currentColor" stroke-linecap="round">{lines}</svg>'
    )


def _pairs(points: Iterable[tuple[float, float]]) -> str:
    """Return places as SVG has them; a single one twice, which is a dot."""
    told = [f"{x:.1f},{y:.1f}" for x, y in points]
    return " ".join(told * 2 if len(told) == 1 else told)


def _scaled(values: Sequence[float], first: float, last: float) -> list[float]:
    """Return values between two pixels, the least at the first; all alike are in the middle."""
    low, high = min(values), max(values)
    half = high / 2 - low / 2  # the whole may be more than a double holds
    if half == 0:
        return [(first + last) / 2] * len(values)
    return [first + (last - first) * ((value / 2 - low / 2) / half) for value in values]
