"""What the templates of runs may see beside the model: frozen records of texts, numbers, truth values and tuples."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.c99.step_views import CostView


@dataclass(frozen=True, slots=True)
class SharedView:
    """Signatures of what all schemes call."""

    start: tuple[str, ...]
    edge: tuple[str, ...]
    line: tuple[str, ...]  # () where no scheme asks how inputs go on
    slope: tuple[str, ...]
    put_back: tuple[str, ...]
    inputs: tuple[str, ...]
    allowed: tuple[str, ...]
    slopes: tuple[str, ...]  # () where no scheme takes derivatives


@dataclass(frozen=True, slots=True)
class PairStageView:
    """A slope of an embedded pair."""

    state: tuple[str, ...]  # statements that make its state
    time: str
    slope: int  # where it is put


@dataclass(frozen=True, slots=True)
class PairLanesView:
    """Steps of several runs side by side; statements are those for component i of one lane."""

    start_signature: tuple[str, ...]
    try_signature: tuple[str, ...]
    take_signature: tuple[str, ...]
    stages: tuple[PairStageView, ...]  # the end of the step is the last
    estimates: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class PairView:
    """What the template of embedded pairs places."""

    try_signature: tuple[str, ...]
    first_signature: tuple[str, ...]
    begin_signature: tuple[str, ...]
    stages: tuple[PairStageView, ...]  # but the first, whose slope is known
    end: tuple[str, ...]  # statements that make the state at the end
    last: int  # index of the slope there
    unprojected: tuple[str, ...]  # statements before and after the end is put back onto the constraints
    projected: tuple[str, ...]
    estimates: tuple[tuple[str, ...], ...]  # statements that make the error of state i
    extra: tuple[PairStageView, ...]  # of the dense output
    dense: tuple[str, ...]  # statements that make its further terms
    terms: int
    control: ControlView
    lanes: PairLanesView | None


@dataclass(frozen=True, slots=True)
class RosenbrockStageView:
    """A stage of a linearly implicit scheme."""

    state: tuple[str, ...]  # statements that make its state; none of the first
    time: str
    slope: int  # where its slope, its right side and its solution are put
    right: tuple[str, ...]  # statements that complete the right side
    solution: tuple[str, ...]  # statements that complete the solution


@dataclass(frozen=True, slots=True)
class SparseView:
    """Tables of sparse factors by index of state; an array's are lines of numbers."""

    entries: int  # beside the diagonal
    blocks: int
    order: tuple[str, ...]  # of elimination
    block: tuple[str, ...]  # places in the order at which blocks begin, and its end
    column: tuple[str, ...]  # of each entry, by rows
    begin: tuple[str, ...]  # of each row among entries, and the end: first columns of earlier blocks,
    lower: tuple[str, ...]  # from here those that are eliminated in this row; () where that is `begin`;
    upper: tuple[str, ...]  # from here those behind the diagonal


@dataclass(frozen=True, slots=True)
class RosenbrockView:
    """What the template of linearly implicit schemes places."""

    try_signature: tuple[str, ...]
    first_signature: tuple[str, ...]
    begin_signature: tuple[str, ...]
    rounding_signature: tuple[str, ...]
    first: int  # states that are eliminated by hand
    rest: int  # all others, of whose matrix there are factors with exchanged rows
    sparse: SparseView | None  # how the matrix is factorized first, where that pays
    gamma: str
    rounding: str  # how much larger the square of the error is than that of one slope's rounding
    loops: bool  # over the states, in a step
    stages: tuple[RosenbrockStageView, ...]
    end: tuple[str, ...]  # statements that make the state at the end from the last stage's
    error: str  # of state i
    dense: tuple[str, ...]  # statements that make terms of the dense output
    control: ControlView


@dataclass(frozen=True, slots=True)
class ControlView:
    """Literals of the control of lengths; exponents are of the squared error."""

    first_exponent: str
    exponent: str
    memory: str  # "" for none
    safety: str
    least_divisor: str
    most_divisor: str


@dataclass(frozen=True, slots=True)
class FixedView:
    """What the template of fixed steps places."""

    step_signature: tuple[str, ...]
    advance_signature: tuple[str, ...]
    bend_signature: tuple[str, ...]
    shares: tuple[str, ...]  # times of inputs, in steps
    implicit: bool
    quintic: bool  # the polynomials between the ends; else cubic


@dataclass(frozen=True, slots=True)
class DenseView:
    """The state within a step."""

    order: int
    cost: str  # in words


@dataclass(frozen=True, slots=True)
class SchemeView:
    """One scheme: its struct and its functions."""

    name: str
    title: str
    order: int
    adaptive: bool
    roundings: int  # that its relative tolerance is at least
    template: str  # of its C
    details: tuple[str, ...]  # further lines for the header
    memory: str  # size of its struct
    members: tuple[str, ...]
    signatures: SchemeSignatures
    cost: CostView  # of a step
    dense: DenseView
    pair: PairView | None = None
    fixed: FixedView | None = None
    rosenbrock: RosenbrockView | None = None


@dataclass(frozen=True, slots=True)
class SchemeSignatures:
    """Of the functions that every scheme has."""

    start: tuple[str, ...]
    advance: tuple[str, ...]
    dense: tuple[str, ...]
    at: tuple[str, ...]
    proceed: tuple[str, ...]  # of models with events
    run: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WatchView:
    """Events on the way of a run."""

    members: tuple[str, ...]  # of what is known of them
    watch: tuple[str, ...]  # signatures
    state_at: tuple[str, ...]  # of each scheme
    pending: tuple[str, ...]
    look: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunsView:
    """Runs of a model: what they share, and their schemes."""

    source: tuple[str, ...]  # members of structs
    options: tuple[str, ...]
    run: tuple[str, ...]
    shared: SharedView
    events: WatchView | None  # None for a model without
    schemes: tuple[SchemeView, ...]
    files: tuple[str, ...]  # without their ends
    own: SchemeView  # of the emitted program
