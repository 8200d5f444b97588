"""What the C99 templates may see of a model: frozen records of texts, numbers, truth values and tuples of these."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.c99.code_views import (
    CFunction,
    EvaluationView,
    EventsView,
    FunctionView,
    ProjectionView,
    SeriesView,
    UnitView,
    UnphysicalView,
)
from eomc.backends.c99.lane_views import LanesView, StepLanesView
from eomc.backends.c99.runs.views import RunsView
from eomc.backends.c99.step_views import CostView, StepView
from eomc.backends.c99.use_views import UsesView
from eomc.targets import Target


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
class FailuresView:
    """What can fail."""

    names: tuple[str, ...]  # of the pivots that can vanish, as C string literals
    prepare: bool  # one that depends on parameters alone
    step: bool  # one that a Runge-Kutta step meets
    opens: bool  # a projection may find no way back onto the constraints
    iterates: bool  # a step may not find the slopes of its stages
    statuses: tuple[str, ...]  # aligned enumerators
    unphysical: UnphysicalView | None  # the function that finds a link which is no body, where it is asked for
    unnamed: bool  # a link may be no body, and nothing finds it


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
class RunView:
    """How a motion is followed where nothing is said, in seconds: as C has it, and as options and words have it."""

    t_end: str
    dt: str
    end: str
    step: str
    row: str  # between rows that are a thousand


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
    run: RunView  # where nothing is said


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
