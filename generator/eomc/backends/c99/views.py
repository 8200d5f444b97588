"""What the C99 templates may see: frozen records of texts, numbers, truth values and tuples of these."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.c99.runs.views import RunsView
from eomc.backends.c99.step_views import (
    CostView,
    StageView,
    StepView,
)
from eomc.targets import Target

__all__ = [
    "ArrayView",
    "Banner",
    "BoundView",
    "CFunction",
    "CodeView",
    "DeclaredView",
    "EvaluationView",
    "EventsView",
    "FailuresView",
    "FunctionView",
    "LanesView",
    "LaterView",
    "MacroView",
    "MainView",
    "MathematicsView",
    "ModelView",
    "PartView",
    "ProjectionView",
    "ResultView",
    "SeriesView",
    "SlopesView",
    "StepLanesView",
    "TextView",
    "UnitView",
    "UnphysicalView",
    "UsesView",
    "VariableView",
    "VariablesView",
]


@dataclass(frozen=True, slots=True)
class Banner:
    """Where the files come from; the same whenever the same model is generated with the same options."""

    version: str
    hash: str
    method: str
    options: str  # "" for none


@dataclass(frozen=True, slots=True)
class VariableView:
    """A state, an input or a parameter."""

    name: str  # the model's own, in plain ASCII
    string: str  # the model's own, as a C string literal
    identifier: str  # field or local name
    enumerator: str  # of states; "" otherwise
    literal: str  # default value
    value: str  # default value as a plain number
    unit: str
    description: str
    name_cell: str  # name and description in a Markdown table
    description_cell: str


@dataclass(frozen=True, slots=True)
class MacroView:
    """A macro that follows the scalar type."""

    name: str  # with its arguments
    double: str
    single: str


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
    results: tuple[ResultView, ...]  # the named outputs; empty likewise


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
class SeriesView:
    """The power series of the motion in time."""

    signature: tuple[str, ...]
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


@dataclass(frozen=True, slots=True)
class TextView:
    """What is said of the model."""

    title: str  # the model's name in plain ASCII
    description: tuple[str, ...]
    summary: tuple[str, ...]  # aligned lines: state, inputs, operations, memory
    notes: tuple[str, ...]
    memory: str  # size of the work struct


@dataclass(frozen=True, slots=True)
class VariablesView:
    """What the model's numbers are called."""

    states: tuple[VariableView, ...]
    inputs: tuple[VariableView, ...]
    parameters: tuple[VariableView, ...]


@dataclass(frozen=True, slots=True)
class DeclaredView:
    """Lines that declare data, and lines of their first values."""

    macros: tuple[str, ...]  # interface version, lengths
    states: tuple[str, ...]  # enumerators
    parameters: tuple[str, ...]  # members of structs
    inputs: tuple[str, ...]
    constants: tuple[str, ...]
    work: tuple[str, ...]
    parameter_defaults: tuple[str, ...]
    input_defaults: tuple[str, ...]
    initial_state: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SharedKernelView:
    """A solve kernel that the files of a large model share."""

    function: str  # its own name
    signature: tuple[str, ...]  # under the name that they share, without a semicolon
    arguments: str  # that it hands on


@dataclass(frozen=True, slots=True)
class BoundView:
    """An own function and its largest error in units in the last place."""

    name: str
    double: str
    single: str


@dataclass(frozen=True, slots=True)
class MathematicsView:
    """Whose mathematics the functions call."""

    name: str  # of the option
    own: bool
    contracted: bool
    flags: tuple[str, ...]  # with which the model is compiled
    headers: tuple[str, ...]
    aliases: tuple[str, ...]  # definitions of macros that are own functions
    double: str  # texts of these
    single: str
    integers: str  # of double for machines without hardware for it, where these have other ones
    bounds: tuple[BoundView, ...]

    @property
    def libm(self) -> bool:
        """Whether functions of libm are called."""
        return "math.h" in self.headers


@dataclass(frozen=True, slots=True)
class UsesView:
    """What the functions call."""

    macros: tuple[MacroView, ...]  # those that differ between the scalar types
    sign: bool
    mod: bool
    equal: bool
    clear: bool
    copy: bool
    inputs: bool  # by their numbers
    rarely: bool  # branches are told to be seldom taken
    headers: tuple[str, ...]
    kernels: tuple[str, ...]  # templates of the kernels, each after what it calls
    shared: tuple[SharedKernelView, ...]  # kernels that several files call
    mathematics: MathematicsView


@dataclass(frozen=True, slots=True)
class FailuresView:
    """What can fail."""

    names: tuple[str, ...]  # of the pivots that can vanish, as C string literals
    prepare: bool  # one that depends on parameters alone
    step: bool  # one that a Runge-Kutta step meets
    opens: bool  # a projection may find no way back onto the constraints
    iterates: bool  # a step may not find the slopes of its stages
    statuses: tuple[str, ...]  # aligned enumerators
    unphysical: UnphysicalView | None  # the function that finds a link which is no body, where it is asked for


@dataclass(frozen=True, slots=True)
class CodeView:
    """The functions, their files, and what links them."""

    interface_version: str  # C literal
    link_double: str  # what the linker knows `_prepare` by, in a double and in a float build
    link_float: str
    prepare_signature: tuple[str, ...]
    prepare_cost: CostView
    definitions: tuple[CFunction, ...]  # of prepare and of all functions, in order; parts come before their whole
    inlined: bool  # the state derivative is a static function, too
    lanes: tuple[LanesView, ...]  # functions of several states side by side
    step_lanes: StepLanesView | None  # such a step, where it is wanted
    series: SeriesView | None  # where the power series of the motion is wanted
    units: tuple[UnitView, ...]  # the files that hold the definitions; () where <model>.c does
    shared_parts: tuple[tuple[str, ...], ...]  # signatures of the parts that the units share
    runs: RunsView | None  # None where no run is asked for
    evaluation: EvaluationView | None  # where it is wanted


@dataclass(frozen=True, slots=True)
class MainView:
    """The program beside the functions, `main.c`."""

    outputs_size: int  # 0 for a model without outputs
    energy_names: tuple[str, ...]  # C string literals
    state_units: tuple[int, ...]  # the same number for states of the same unit
    first_rate: int  # index of the first acceleration among the rates of the state; 0 where it holds momenta
    smooth: bool  # no sign, selection or the like in the right-hand side: the order of the integrator can be seen
    csv_header: tuple[str, ...]  # C string literals, one after the other in one line
    help_name: str  # C string literal
    help: tuple[str, ...]  # C string literals, one per line
    target: Target | None  # the processor that has programs, too


@dataclass(frozen=True, slots=True)
class ModelView:
    """Everything about one model."""

    banner: Banner
    name: str  # C identifier before every external name
    macro: str  # the same before macros
    real: str  # scalar type by default
    text: TextView
    variables: VariablesView
    declared: DeclaredView
    uses: UsesView
    functions: tuple[FunctionView, ...]
    failures: FailuresView
    steps: tuple[StepView, ...]  # one for each scheme, that of the program first
    projection: ProjectionView | None  # None without constraints
    events: EventsView | None  # None without events
    code: CodeView
    main: MainView

    @property
    def step(self) -> StepView:
        """The step of the program."""
        return self.steps[0]

    @property
    def advances(self) -> bool:
        """Whether a step calls what goes along one slope."""
        return any(step.made is not None and step.made.advances for step in self.steps)


@dataclass(frozen=True, slots=True)
class PartView:
    """A model and one of its files."""

    model: ModelView
    unit: UnitView
