"""What the templates see of functions."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.c99.step_views import CostView


@dataclass(frozen=True, slots=True)
class CFunction:
    """A function: lines of its signature, lines of its body."""

    title: str
    signature: tuple[str, ...]
    body: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitView:
    """One of several C files that hold the functions of a large model."""

    name: str  # of the file without its end, and of the constant that marks it
    link_double: str  # that constant's external name, which holds precision and version
    link_float: str
    definitions: tuple[CFunction, ...]


@dataclass(frozen=True, slots=True)
class ResultView:
    """One named output of a function."""

    enumerator: str
    name: str
    unit: str
    description: str


@dataclass(frozen=True, slots=True)
class ArrayView:
    """An array of results: consecutive outputs of a function."""

    name: str  # of the argument
    macro: str  # its length
    size: int
    description: str

    @property
    def declarator(self) -> str:
        """The argument without its type; C has no arrays without elements."""
        return f"{self.name}[{self.macro}]" if self.size else f"*{self.name}"


@dataclass(frozen=True, slots=True)
class FunctionView:
    """One function of the program."""

    name: str
    title: str
    details: tuple[str, ...]
    arrays: tuple[ArrayView, ...]  # of results: the last arguments
    accelerations: str  # names of those that it takes beside the state; "" where it takes none
    cost: CostView
    signature: tuple[str, ...]
    fallible: bool  # may return another status than success
    enumerators: tuple[str, ...]  # aligned lines; empty where the outputs have no names
    by_rows: bool  # whether the names are those of rows
    results: tuple[ResultView, ...]  # the named outputs; empty likewise


@dataclass(frozen=True, slots=True)
class SeriesView:
    """The power series of the motion in time."""

    signature: tuple[str, ...]
    in_units: tuple[str, ...]  # the signature of that in another unit of time
    before: str  # what stands before the names of the functions that it calls
    kept: int  # values at order 0 that further orders read
    products: int  # of two series, in whole groups
    squares: int
    value: CostView  # of order 0
    term: CostView  # of each further order, without its products
    fallible: bool
    authors: str  # of the equations of motion that it is made of
    order: int  # where the compiler is told no other
    order_in_float: int


@dataclass(frozen=True, slots=True)
class LaterView:
    """A function that reads what was evaluated once for a state."""

    name: str  # of the function that does all of it; its own ends in _from
    signature: tuple[str, ...]
    cost: CostView
    fallible: bool


@dataclass(frozen=True, slots=True)
class EvaluationView:
    """What is evaluated once for a state."""

    signature: tuple[str, ...]
    cost: CostView
    fallible: bool
    readers: tuple[LaterView, ...]


@dataclass(frozen=True, slots=True)
class ProjectionView:
    """Back onto the constraints."""

    coordinates: bool  # configuration constraints correct the coordinates
    velocities: bool
    first_velocity: int  # index of the first velocity or momentum in the state
    after_steps: bool  # a Runge-Kutta step ends with it
    cost: CostView
    signature: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EventsView:
    """What may interrupt the motion: events, then impacts."""

    names: tuple[str, ...]  # C string literals
    ends: tuple[int, ...]  # at which of its hits an event ends a run; 0 for never
    falls: tuple[int, ...]  # whether each happens where its function falls, and where it rises
    rises: tuple[int, ...]
    changes: tuple[int, ...]  # whether the state after it is another
    times: tuple[int, ...]  # places of their times, -1 for those that have none
    timed: bool  # some have a time
    resets: bool  # some event that is no impact changes the state
    first_impact: int  # index of the first one
    impacts: int  # how many
    first_velocity: int  # index of the first velocity or momentum in the state
    stack: str
    signature: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LinkView:
    """A link whose inertial parameters are looked at."""

    name: str  # C string literal
    remark: str  # the name in a comment
    test: str  # the function that takes them
    lines: tuple[str, ...]  # that declare them


@dataclass(frozen=True, slots=True)
class UnphysicalView:
    """The function that finds a link which is no body."""

    links: tuple[LinkView, ...]
    centre: bool  # some are given by their centre
    moments: bool  # some by moments
    allowed: str  # how many roundings of its size a value may lack
    signature: tuple[str, ...]
