"""What makes a model usable: every mistake found here is the user's, and is answered with one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.errors import ModelError

if TYPE_CHECKING:
    from eomc.model.model import Model

__all__ = ["validate"]


def validate(model: Model) -> None:
    """Raise ModelError at the first mistake in `model`, naming what and where and saying what to do."""
    if not model.coordinates:
        raise ModelError(f"model {model.name!r} has no coordinates: list them in coordinates=[...]")
