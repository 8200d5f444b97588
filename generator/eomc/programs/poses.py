"""The poses of bodies, links and points as a function: a row of seven for each."""

from __future__ import annotations

import itertools
from dataclasses import replace

from eomc.errors import UnsupportedError
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.program import Block, Function
from eomc.programs.results import returns

POSE = ("x", "y", "z", "qw", "qx", "qy", "qz")
"""What a row has."""


def poses(equations: EquationsOfMotion) -> Function | None:
    """Return the poses, None where there is nothing that could have one.

    Raises
    ------
    UnsupportedError
        There are bodies, and none has a pose.
    """
    found = equations.on_request.poses()
    if found is None:
        return None
    if not found.rows:
        reasons = ", ".join(f"{name} ({why})" for name, why in found.left_out)
        raise UnsupportedError(f"nothing has a pose: {reasons}; name the point to measure from by origin=")
    details = [
        f"a row: x, y, z from {found.origin} along the axes of {found.inertial}, then the unit quaternion w, x, y, z "
        f"which turns components in axes of the body to those in axes of {found.inertial}; 1, 0, 0, 0 for what is a "
        "point. It is continuous in angles that turn frames; where a matrix or a quaternion turns a frame against the "
        "one before, the quaternion of this turn has its longest entry positive, so that a row may become its "
        "opposite, which is the same rotation, from one state to the next",
    ]
    details += [f"left out: {name}, {why}" for name, why in found.left_out]
    blocks = [
        Block(f"pose of {name}", tuple(zip((f"{name}.{entry}" for entry in POSE), row, strict=True)))
        for name, row in zip(found.names, found.rows, strict=True)
    ]
    outputs = tuple(itertools.chain.from_iterable(found.rows))
    function = returns(outputs, blocks=tuple(blocks), details=tuple(details))
    return replace(function, shape=(len(found.rows), len(POSE)), row_names=found.names)
