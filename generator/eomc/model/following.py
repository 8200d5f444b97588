"""Loads that follow the accelerations, such as added mass and inerters: they must be linear in these."""

from __future__ import annotations

import math
from collections.abc import Iterator

import sympy

from eomc.errors import ModelError
from eomc.model.linearity import nonlinear_symbols
from eomc.model.mechanism import Mechanism
from eomc.model.places import load_places
from eomc.model.walking import degree, mentions


def accelerations_of(model: Mechanism) -> set[sympy.Basic]:
    """Return the symbols u' and q'' of a model."""
    return {
        *(sympy.Derivative(u, model.time) for u in model.speeds),
        *(sympy.Derivative(q, (model.time, 2)) for q in model.coordinates),
    }


def following_load(model: Mechanism) -> str:
    """Return the first load or generalized force that holds accelerations, in words; empty where none does."""
    return next((label for label, _ in _following(model)), "")


def check_following_loads(model: Mechanism) -> None:
    """Raise ModelError unless the loads that hold u' or q'' are linear in them.

    What is linear after a cancellation only is seen; a step or a kink is not linear, whatever its slopes.
    """
    accelerations = accelerations_of(model)
    for label, expression in _following(model):
        found = mentions(expression, accelerations)
        if math.isinf(degree(expression, accelerations)) or nonlinear_symbols(expression, accelerations):
            raise ModelError(
                f"{label} is not linear in {', '.join(map(str, found))}: only loads linear in the accelerations, such "
                "as added mass, can be served; write it in coordinates, speeds and time"
            )


def _following(model: Mechanism) -> Iterator[tuple[str, sympy.Basic]]:
    accelerations = accelerations_of(model)
    for place in load_places(model):
        if mentions(place.expression, accelerations):
            yield place.label, place.expression
