"""What every front end takes beside the mechanism itself: one place names these arguments for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import sympy

from eomc.model.events import Event, Impact


class Described(TypedDict, total=False):
    """Arguments that go to the model as they are given; :class:`~eomc.model.model.Model` says what each means."""

    extra_states: Mapping[sympy.Expr, Any] | None
    inputs: Sequence[sympy.Expr] | Mapping[sympy.Expr, Any]
    outputs: Mapping[str, Any] | None
    parameters: Mapping[sympy.Expr, Any] | None
    initial: Mapping[sympy.Expr, Any] | None
    ranges: Mapping[sympy.Expr, Any] | None
    events: Mapping[str, Event] | None
    impacts: Sequence[Impact]
    origin: Any
    points: Mapping[str, Any] | None
    shapes: Mapping[Any, Any] | None
    ground: Sequence[Any]
    lines: Sequence[Any]
    run: Mapping[str, Any] | None
    unused: str
    description: str
