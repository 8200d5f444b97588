"""What the templates see of steps: frozen records of str, int, bool and tuples of these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CostView:
    """The most that a call takes."""

    operations: str
    stack: str


@dataclass(frozen=True, slots=True)
class StageView:
    """A stage of a Runge-Kutta step."""

    state: tuple[str, ...]  # statements that make its state; none of the first
    slopes: str  # the function that evaluates them
    to: str  # where it puts them
    at: str  # where the state is
    time: str
    place: int  # of its inputs among those of the step


@dataclass(frozen=True, slots=True)
class MadeView:
    """What makes an explicit Runge-Kutta step, with a pointer to the inputs of each time."""

    lengths: tuple[str, ...]  # definitions of the parts of h that it uses
    loops: bool  # over the states
    advances: bool  # some stage goes along one slope, in a loop
    stages: tuple[StageView, ...]
    update: tuple[str, ...]  # statements that make the state at the end
    kept: tuple[str, ...]  # statements that hand it out where it was put back onto the constraints


@dataclass(frozen=True, slots=True)
class ImplicitView:
    """What makes an implicit Runge-Kutta step."""

    signature: tuple[str, ...]  # of what goes on from a step before
    stages: int
    middle: int  # the stage whose slope all begin with
    shares: str  # times of the stages, in steps
    weights: tuple[str, ...]  # rows of a
    slopes: str  # the function that evaluates them
    ahead: tuple[str, ...]  # slope i of each stage of the next step from those of this one
    state: tuple[str, ...]  # statements that make the state of a stage
    renewed: tuple[str, ...]  # statements that take its slope over
    change: str  # of state i in a step, over h
    rounds: int  # at most


@dataclass(frozen=True, slots=True)
class SplitView:
    """What makes a step of a splitting."""

    second: str  # what is not coordinates: speeds or momenta
    kicks: int
    drifts: str  # lengths in steps, one more than kicks
    lengths: str  # of kicks
    shares: str  # times of kicks
    places: str  # of their inputs among those of the step
    rates: str  # functions of the program
    forces: str
    drifted: tuple[str, ...]  # statements that move coordinates
    kicked: tuple[str, ...]  # and all others


@dataclass(frozen=True, slots=True)
class TangentsView:
    """The derivatives of a stage's state, and where those of its slopes go."""

    change: str  # of element i, beside the identity; "" for none
    first: str  # element that changes first
    rows: str  # of the slopes' derivatives that are kept
    to: str


@dataclass(frozen=True, slots=True)
class StepJacobianView:
    """The derivative of a step with inputs that are held."""

    signature: tuple[str, ...]
    cost: CostView
    stages: tuple[TangentsView, ...]  # as those of the step
    change: str  # of element i over the step, beside the identity


@dataclass(frozen=True, slots=True)
class StepSignatures:
    """Of the functions of a step."""

    given: tuple[str, ...]  # inputs at each of its times
    held: tuple[str, ...]  # inputs that are held
    make: tuple[str, ...]  # the static function that makes it


@dataclass(frozen=True, slots=True)
class SeenOrderView:
    """How the order of a scheme is seen in a step and its halves."""

    near: str  # how near their ends are
    least: str  # the order that is seen then


@dataclass(frozen=True, slots=True)
class StepView:
    """A Runge-Kutta step."""

    name: str  # of the scheme, a part of C names
    title: str
    order: int
    cost: CostView
    details: tuple[str, ...]  # further lines for the header
    times: str  # at which it takes inputs, in words
    signatures: StepSignatures
    made: MadeView | None  # by an explicit scheme
    implicit: ImplicitView | None
    split: SplitView | None
    taken: tuple[str, ...]  # the addresses of the inputs of each time
    trial: str  # where a step that failed was evaluated last
    seen: SeenOrderView
    derived: StepJacobianView | None  # where the derivative of a step is wanted
