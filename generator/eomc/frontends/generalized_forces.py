"""Generalized forces: given for coordinates, or found from forces and torques by virtual power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from eomc.errors import ModelError
from eomc.model.records import expression_of, mapping_of
from eomc.model.vocabulary import excerpt

__all__ = ["generalized_forces_of"]


def generalized_forces_of(
    coordinates: Sequence[sympy.Expr], forces: Mapping[sympy.Expr, Any] | None
) -> tuple[sympy.Expr, ...]:
    """Return one generalized force for each of `coordinates`, zero for those that `forces` does not name."""
    given = mapping_of("generalized_forces", forces)
    for symbol in given:
        if symbol not in coordinates:
            raise ModelError(
                f"generalized_forces has a force for {excerpt(symbol)}, which is not among the coordinates: its keys are "
                f"the coordinates"
            )
    return tuple(
        expression_of(f"the generalized force of {coordinate}", given.get(coordinate, 0)) for coordinate in coordinates
    )
