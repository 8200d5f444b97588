"""What the inertia that a joint feels is never below: that of the body which it moves, alone.

A pivot of a tree is the inertia along a rate where all that hangs on the body gives way. What gives way still adds to
the inertia of the body (Featherstone (2008), section 7.2: articulated inertias are positive semidefinite), so that the
pivot is at least what the body leaves where its own other rates give way, too. Regrouped moments tell nothing of this.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from eomc.derivation.trees.joints import Rate, rates_of
from eomc.derivation.trees.moments import Moments
from eomc.derivation.trees.rows import TreeRows
from eomc.ir.elimination import diagonal, solve
from eomc.ir.graph import Graph, Node

_LONG = 16
"""Rows from which on what parameters come to is told: of fewer, bounds are no million times what a joint feels."""


def with_least(graph: Graph, given: TreeRows, bodies: TreeRows) -> TreeRows:
    """Return rows with the least inertia along each rate.

    Parameters
    ----------
    given
        Rows whose moments may be regrouped.
    bodies
        The same rows in the same frames, with the moments of their bodies.
    """
    is_long, rows = given.longest() >= _LONG, []
    for row, body, own in zip(given.rows, bodies.rows, rates_of(bodies), strict=True):
        least = _least(graph, body.moments, own)
        expressed = _of_parameters(graph, body.moments, own) if is_long and not any(least) else None
        told = any(least) or expressed is not None
        rows.append(replace(row, least=least, least_of_parameters=expressed) if told else row)
    return replace(given, rows=tuple(rows))


def _of_parameters(graph: Graph, moments: Moments, rates: Sequence[Rate]) -> Node | None:
    """Return the inertia of a body about the axis of its joint, or its mass along that; None for several rates."""
    if len(rates) != 1:
        return None
    (rate,) = rates
    if rate.linear:
        return moments.mass
    return graph.sum(moments.second[axis] for axis in range(3) if axis != rate.axis)


def _least(graph: Graph, moments: Moments, rates: Sequence[Rate]) -> tuple[float, ...]:
    """Return 1/(A^-1)_ii with A the inertia of a body along its joint's rates; zeros where A is singular or unknown."""
    nothing = (0.0,) * len(rates)
    numbers = [graph.number(node) for node in (moments.mass, *moments.first, *moments.second)]
    if None in numbers:
        return nothing
    m, x, y, z, *second = (float(number or 0) for number in numbers)
    if not m > 0:
        return nothing
    xx, yy, zz, xy, xz, yz = second
    whole = [  # of moments and forces, by angular and linear accelerations of the frame's origin
        [yy + zz, -xy, -xz, 0.0, -z, y],
        [-xy, xx + zz, -yz, z, 0.0, -x],
        [-xz, -yz, xx + yy, -y, x, 0.0],
        [0.0, z, -y, m, 0.0, 0.0],
        [-z, 0.0, x, 0.0, m, 0.0],
        [y, -x, 0.0, 0.0, 0.0, m],
    ]
    places = [3 * rate.linear + rate.axis for rate in rates]
    matrix = [[whole[i][j] for j in places] for i in places]
    inverse = solve(matrix, diagonal([1.0] * len(places), len(places)), definite=True)
    found = [1.0 / inverse[i][i] if inverse[i][i] > 0 else 0.0 for i in range(len(places))]
    return tuple(found) if all(map(math.isfinite, found)) else nothing
