"""Closures of loops as equations between measures: what is zero where a loop is closed.

A point gives the three components of the distance in the root's axes; a hinge adds the second axis along two vectors
at right angles to the first, in axes of the first link; what is fixed adds the rotation R that is left, as the vector
4/(1 + tr R) (R_zy - R_yz, ...) = 4 tan(a/2) n of a turn by a about n. It vanishes where nothing is left alone: the skew
part by itself, 2 sin(a) n, vanishes after half a turn, too, and Newton's method goes there from more than a quarter.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from eomc.model.trees.measures import components
from eomc.model.trees.records import WORLD, Closure, ClosureKind, Entry, Joint, Measure, MeasureKind, Triple


def closure_equations(closures: Sequence[Closure], root: str, time: sympy.Symbol) -> tuple[sympy.Expr, ...]:
    """Return the expressions that are zero where all loops are closed, in measures."""
    return tuple(equation for closure in closures for equation in _equations(closure, root, time))


def norm_equations(joints: Sequence[Joint]) -> tuple[sympy.Expr, ...]:
    """Return the expressions that are zero where quaternions have length one, which the kinematics keep."""
    return tuple(sympy.Add(*(e**2 for e in joint.quaternion), -1) for joint in joints if joint.quaternion)


def _equations(closure: Closure, root: str, time: sympy.Symbol) -> list[sympy.Expr]:
    ends = ((closure.first, closure.at_first), (closure.second, closure.at_second))
    first, second = (components(Measure(kind=MeasureKind.POSITION, link=link, at=at), time) for link, at in ends)
    found = list(first - second)
    if closure.kind is ClosureKind.POINT:
        return found
    between = _rotation(closure.second, closure.first, root, time)
    if closure.kind is ClosureKind.HINGE:
        axis = between * sympy.Matrix(closure.axis_second)
        return [*found, *(_product(other, axis) for other in _across(closure.axis_first))]
    left = sympy.Matrix(closure.rotation).T * between  # the identity where the loop is closed
    scale = 4 / (1 + left[0, 0] + left[1, 1] + left[2, 2])  # 1 where the loop is closed
    skew = (left[2, 1] - left[1, 2], left[0, 2] - left[2, 0], left[1, 0] - left[0, 1])
    return [*found, *(scale * component for component in skew)]


def _rotation(link: str, other: str, root: str, time: sympy.Symbol) -> sympy.ImmutableMatrix:
    """Return R with v_other = R v_link; in axes of a link that is called as the world is, whose axes are the root's."""
    if other == WORLD != root:
        return _rotation(other, link, root, time).T
    axes = WORLD if other == root else other
    return components(Measure(kind=MeasureKind.ROTATION, link=link, axes=axes), time)


def _across(axis: Triple) -> list[Triple]:
    """Return two vectors at right angles to an axis, not parallel to each other: by its zeros, or by its largest entry.

    Of an axis in parameters an entry that is a number other than zero is taken, else the last that is none.
    """
    sizes = [abs(entry) if isinstance(entry, (int, float)) else 0.0 for entry in axis]
    pivot = max(range(3), key=lambda i: sizes[i]) if any(sizes) else max(i for i in range(3) if axis[i] != 0)
    found: list[Triple] = []
    for other in range(3):
        if other == pivot:
            continue
        vector: list[Entry] = [0, 0, 0]
        vector[other], vector[pivot] = (1, 0) if axis[other] == 0 else (axis[pivot], -axis[other])
        found.append((vector[0], vector[1], vector[2]))
    return found


def _product(one: Triple, other: sympy.MatrixBase) -> sympy.Expr:
    return sympy.Add(*(entry * component for entry, component in zip(one, other, strict=True) if entry != 0))
