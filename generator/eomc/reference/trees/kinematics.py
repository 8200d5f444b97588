"""Rates of the coordinates of a tree in terms of its speeds, as expressions of each joint alone."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from eomc.model import JointTree
from eomc.model.trees.records import Joint, JointKind


def coordinate_rates(tree: JointTree) -> list[sympy.Expr]:
    """Return q' in the order of the coordinates."""
    return [rate for joint in tree.joints for rate in _rates(joint)]


def _rates(joint: Joint) -> Sequence[sympy.Expr]:
    if joint.kind not in (JointKind.BALL, JointKind.FREE):
        return joint.speeds
    fixed, in_child = sympy.Matrix(joint.rotation), joint.speeds_in == "child"
    spin = sympy.Matrix(joint.speeds[-3:])
    spin = spin if in_child else fixed.T * spin
    turning = (_of_quaternion if joint.quaternion else _of_angles)(joint, spin, in_child)
    if joint.kind is JointKind.BALL:
        return turning
    velocity = sympy.Matrix(joint.speeds[:3])
    return [*(fixed * _matrix(joint) * velocity if in_child else velocity), *turning]


def _matrix(joint: Joint) -> sympy.Matrix:
    """Return the rotation from the zero position, v_zero = R v_child."""
    if joint.quaternion:
        w, *axis = joint.quaternion
        e = sympy.Matrix(axis)
        matrix = (w**2 - e.dot(e)) * sympy.eye(3) + 2 * e * e.T + 2 * w * e.hat()
        return matrix / (w**2 + e.dot(e))
    a, b, c = joint.coordinates[-3:]
    return sympy.rot_ccw_axis1(a) * sympy.rot_ccw_axis2(b) * sympy.rot_ccw_axis3(c)


def _of_quaternion(joint: Joint, spin: sympy.Matrix, in_child: bool) -> list[sympy.Expr]:
    """Return e' = (-e.w, e0 w + e x w)/2 with w in axes of the child, w x e in those that it turns from."""
    w, *axis = joint.quaternion
    e = sympy.Matrix(axis)
    across = e.cross(spin) if in_child else spin.cross(e)
    return [entry / 2 for entry in (-e.dot(spin), *(w * spin + across))]


def _of_angles(joint: Joint, spin: sympy.Matrix, in_child: bool) -> list[sympy.Expr]:
    """Return the rates of angles about the body's x, y and z; they are infinite where the second is pi/2."""
    a, b, c = joint.coordinates[-3:]
    x, y, z = spin
    if in_child:
        first = (x * sympy.cos(c) - y * sympy.sin(c)) / sympy.cos(b)
        return [first, x * sympy.sin(c) + y * sympy.cos(c), z - sympy.sin(b) * first]
    third = (z * sympy.cos(a) - y * sympy.sin(a)) / sympy.cos(b)
    return [x - sympy.sin(b) * third, y * sympy.cos(a) + z * sympy.sin(a), third]
