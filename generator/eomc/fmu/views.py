"""What the templates of an FMU see: frozen records of texts, numbers and tuples of these."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.c99.runs.views import SchemeView
from eomc.backends.c99.views import ModelView


@dataclass(frozen=True, slots=True)
class FmuView:
    """The functions of the interface."""

    model: ModelView
    token: str  # by which description and library know each other
    outputs: int  # of the model; 0 for none
    exchanges: bool  # whether it is for model exchange, too
    beside: ModelView | None  # the same model without events, in a program of its own; None for none
    derives: bool  # whether that has functions of derivatives
    feeds: bool  # whether the rates of model exchange are those beside, with Baumgarte's feedback
    closes: bool  # whether step events of model exchange bring states back onto the constraints
    parameters: int  # of the model, and gains that are there for model exchange alone
    gains: tuple[str, ...]  # these, C literals
    nominals: tuple[str, ...]  # of the states, C literals
    step: str  # of co-simulation, in s, a C literal
    times: tuple[str, ...]  # at which a step takes inputs, in steps, C literals
    run: SchemeView | None  # by which co-simulation goes; None where its steps know nothing of each other
    indicators: tuple[int, ...]  # numbers of the events that have no time
    timely: bool  # whether there are derivatives of rates by the time itself
    fixed: tuple[int, ...]  # references of the parameters that do not change in the course of co-simulation


@dataclass(frozen=True, slots=True)
class UnitView:
    """A C file of the model, in one that hides its names."""

    file: str
    headers: tuple[str, ...]  # of the standard library, that it includes
    small: bool  # whether it is rather short than fast
