"""What the templates see of functions and steps of several states side by side."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.c99.step_views import StageView


@dataclass(frozen=True, slots=True)
class LanesView:
    """A function of several states side by side."""

    name: str  # rhs_lanes
    title: str
    function: str  # of one state: rhs
    alone: str  # the static function that takes the lanes one by one
    side_by_side: bool  # in loops over the lanes; else always one by one
    checked: bool  # a pivot may vanish, or an argument be out of range: then one by one, too
    tested: bool  # a pivot
    ranged: bool  # an argument
    arrays: tuple[str, ...]  # declarations of values that one loop leaves for later ones
    discards: tuple[str, ...]  # lines that consume arguments that are not read
    body: tuple[str, ...]  # the loops
    stack: str


@dataclass(frozen=True, slots=True)
class SlopesView:
    """A function over lanes that a step calls, whose lanes have constants of their own."""

    lanes: LanesView
    fields: tuple[str, ...]  # of the constants, that it reads
    timed: bool  # the time enters


@dataclass(frozen=True, slots=True)
class StepLanesView:
    """A Runge-Kutta step of several states side by side."""

    name: str  # rk4_step_lanes
    slopes: tuple[SlopesView, ...]  # functions that it calls; () where each lane goes by itself
    fields: tuple[str, ...]  # of the constants, that these read
    members: tuple[str, ...]  # of the scratch memory
    lengths: tuple[str, ...]  # definitions of the parts of h that it uses
    stages: tuple[StageView, ...]
    update: tuple[str, ...]  # lines that make the state at the end
    loops: bool  # over states
    shared: bool  # runs call the slopes, too
    before: str  # their names
    stack: str
