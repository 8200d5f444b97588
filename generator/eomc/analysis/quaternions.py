"""Quaternions of ball and free joints brought to length one: a start means a direction in their four dimensions."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping

from eomc.errors import ModelError
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.trees.tree import JointTree

_ROUNDING = 4 * sys.float_info.epsilon


def of_length_one(model: Model, values: Mapping[str, float]) -> dict[str, float]:
    """Return the components of quaternions that are not of length one, brought there; by names of coordinates.

    Raises
    ------
    ModelError
        A quaternion is zero, and no orientation.
    """
    if not isinstance(model.dynamics, JointTree):
        return {}
    found: dict[str, float] = {}
    for joint in model.dynamics.joints:
        names = [name_of(component) for component in joint.quaternion]
        length = math.hypot(*(values[name] for name in names))
        if not names or abs(length - 1.0) <= _ROUNDING or not math.isfinite(length):
            continue
        if length == 0.0:
            raise ModelError(
                f"{model.name}: the quaternion of joint {joint.name!r} is zero at the start, which is no orientation: "
                f"give {names[0]}=1, or four numbers of length one"
            )
        found.update({name: values[name] / length for name in names})
    return found
