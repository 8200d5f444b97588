"""Schedule -> ModelView: every text that the C99 templates place."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from eomc.backends.ascii import plain
from eomc.backends.c99.arguments import prepare_arguments, routine_signature
from eomc.backends.c99.body import print_routine
from eomc.backends.c99.calls import Call
from eomc.backends.c99.code_views import CFunction, EvaluationView, ProjectionView, SeriesView, UnitView
from eomc.backends.c99.costs import cost_views, step_cost_view, told_stacks
from eomc.backends.c99.declared import declared_view
from eomc.backends.c99.derived_step import step_jacobian_view
from eomc.backends.c99.destinations import function_destinations, prepare_destinations
from eomc.backends.c99.evaluation import evaluation_view, print_evaluation
from eomc.backends.c99.events import events_view
from eomc.backends.c99.filling import Fillers, SystemFunctions
from eomc.backends.c99.fixed_order import FixedOrders
from eomc.backends.c99.function_views import function_view
from eomc.backends.c99.identifiers import link_name
from eomc.backends.c99.inlined import is_small, with_slopes
from eomc.backends.c99.lane_views import LanesView, StepLanesView
from eomc.backends.c99.lanes import print_lanes
from eomc.backends.c99.layout import declaration
from eomc.backends.c99.main_view import main_view
from eomc.backends.c99.mathematics import Mathematics
from eomc.backends.c99.prose import text_view
from eomc.backends.c99.runs.schemes import runs_view
from eomc.backends.c99.runs.views import RunsView
from eomc.backends.c99.scope import Scope, make_scope
from eomc.backends.c99.series import order_of, series_view
from eomc.backends.c99.stack import PROJECT
from eomc.backends.c99.statuses import status_lines
from eomc.backends.c99.step_lanes import step_lanes_view
from eomc.backends.c99.step_views import CostView
from eomc.backends.c99.stepping import step_view
from eomc.backends.c99.storage import work_bytes
from eomc.backends.c99.strings import c_string
from eomc.backends.c99.units import LARGEST, count_units, divide
from eomc.backends.c99.unphysical import unphysical_view
from eomc.backends.c99.uses import uses_view
from eomc.backends.c99.variables import variable_views
from eomc.backends.c99.views import Banner, CodeView, FailuresView, ModelView, VariablesView
from eomc.integrators import Integrator, expansion_of
from eomc.ir.program import STEP_LANES, Program
from eomc.ir.remedies import told
from eomc.pairs import Pair
from eomc.passes.rates import RATES
from eomc.passes.splitting import FORCES
from eomc.passes.steps import Schedule
from eomc.tableaus import Tableau
from eomc.targets import Target

__all__ = ["make_view"]


def make_view(
    schedule: Schedule,
    *,
    real: str,
    tableaus: Sequence[Tableau],
    mathematics: Mathematics,
    options_text: str,
    version: str,
    largest: int = LARGEST,
    target: Target | None = None,
    runs: Sequence[Integrator] = (),
) -> ModelView:
    """Return everything that the templates of this target place.

    Parameters
    ----------
    schedule
        The program, scheduled.
    real
        Scalar type that the emitted Makefile asks for: ``double`` or ``float``.
    tableaus
        The schemes of the steps, the program's own first.
    mathematics
        Whose functions are called.
    options_text
        Further options, for the banner and its hash.
    version
        Version of the tool.
    largest
        Statements in one C file.
    target
        The processor whose files are emitted beside.
    runs
        Integrators that have runs; the emitted program goes by the first.
    """
    program, own, expansion = schedule.program, tableaus[0], expansion_of(runs)
    files = count_units(schedule, largest)
    scope = make_scope(schedule, several_files=files > 0, own_mathematics=mathematics.own)
    used: set[str] = set()
    stacks = told_stacks(schedule, mathematics.own)
    costs = cost_views(schedule, stacks)
    functions = tuple(function_view(routine, scope, costs[routine.function.name]) for routine in schedule.routines)
    systems = SystemFunctions(FixedOrders(schedule, scope, used), Fillers(schedule, scope, used))
    texts = _texts(schedule, scope, used, systems)
    first = 1 + len(schedule.parts)
    inlined = is_small(scope) and not files and len(texts[first]) == 1
    if inlined:
        texts[first] = with_slopes(texts[first][0], functions[0].arrays, scope)
    texts[0] = (*systems.fixed.functions, *systems.fillers.functions, *texts[0])
    iterates = any(one.implicit for one in tableaus)
    if iterates:
        used.add("EPSILON")
    lanes = tuple(
        print_lanes(schedule, routine, scope, used, stacks[f"{routine.function.name}_lanes"])
        for routine in schedule.lanes
    )
    in_runs = any(isinstance(one.row, Pair) for one in runs) and not program.events
    step_lanes = step_lanes_view(schedule, own, scope, used, stacks[STEP_LANES], in_runs)
    definitions = [function for text in texts for function in text]
    variables = (
        variable_views(program.states, scope.states, scope.enumerators),
        variable_views(program.inputs, scope.inputs),
        variable_views(program.parameters, scope.parameters),
    )
    words = schedule.check_labels, program.name, program.description, program.notes
    unphysical = unphysical_view(program, scope, used)
    of_lanes = "".join(f" {one}" for one in (lanes, step_lanes, unphysical) if one)
    meaning = f"{(*variables, functions, *words)} {program.method.name} real {real} {options_text}{of_lanes}"
    digest = _model_hash(definitions, meaning)
    interface = _interface_version(version, digest)
    projection = _projection(program, scope, costs[PROJECT])
    opens = projection is not None and projection.coordinates
    events = events_view(program, scope, stacks, used)
    in_lanes = step_lanes is not None and step_lanes.shared
    has_runs = runs_view(runs, schedule, scope, real=real, own_mathematics=mathematics.own, lanes=in_lanes)
    return ModelView(
        banner=Banner(version, digest, program.method.name, plain(options_text)),
        name=scope.prefix,
        macro=scope.macro,
        real=real,
        text=text_view(
            schedule, scope, f"{work_bytes(schedule, real, tableaus, order_of(expansion, real))} bytes ({real})"
        ),
        variables=VariablesView(*variables),
        declared=declared_view(schedule, scope, tableaus, variables, functions, interface),
        uses=uses_view(used, scope, mathematics),
        functions=functions,
        failures=FailuresView(
            names=tuple(c_string(told(label)) for label in schedule.check_labels),
            prepare=schedule.prepare.fallible,
            step=_step_is_fallible(schedule),
            opens=opens,
            iterates=iterates,
            statuses=status_lines(scope, opens=opens, runs=bool(runs), events=events is not None, iterates=iterates),
            unphysical=unphysical,
            unnamed=program.links_vary and unphysical is None,
        ),
        steps=tuple(
            step_view(
                one,
                scope,
                program=program,
                inlined=inlined,
                cost=step_cost_view(schedule, one, stacks),
                derived=step_jacobian_view(schedule, one, scope, mathematics.own) if one is own else None,
            )
            for one in tableaus
        ),
        projection=projection,
        events=events,
        code=_code(
            costs["prepare"],
            texts,
            _parts(schedule, texts) if files else (),
            lanes,
            step_lanes,
            series_view(schedule, scope, costs, expansion),
            divide(definitions, files, scope, interface) if files else (),
            inlined,
            evaluation_view(schedule, scope, mathematics.own),
            scope,
            interface,
            has_runs,
        ),
        main=main_view(program, scope, own, runs[0] if runs else None, target),
    )


def _texts(schedule: Schedule, scope: Scope, used: set[str], systems: SystemFunctions) -> list[tuple[CFunction, ...]]:
    """Return the functions of each routine, then what is evaluated once for a state."""
    places = [prepare_destinations(schedule, scope)]
    places += [function_destinations(routine.function, scope) for routine in schedule.all_routines[1:]]
    calls: dict[str, list[Call]] = {}
    texts = [
        print_routine(schedule, routine, scope, place, used, systems, calls)
        for routine, place in zip(schedule.all_routines, places, strict=True)
    ]
    return [*texts, print_evaluation(schedule, scope, calls)]


def _parts(schedule: Schedule, texts: Sequence[Sequence[CFunction]]) -> list[CFunction]:
    """Return the functions that no caller sees."""
    whole = (schedule.prepare, *schedule.routines)
    pairs = zip(schedule.all_routines, texts, strict=False)
    shares = [text[:-1] if any(one is routine for one in whole) else text for routine, text in pairs]
    return [function for share in shares for function in share]


def _code(
    prepare_cost: CostView,
    texts: Sequence[Sequence[CFunction]],
    parts: Sequence[CFunction],
    lanes: tuple[LanesView, ...],
    step_lanes: StepLanesView | None,
    series: SeriesView | None,
    units: tuple[UnitView, ...],
    inlined: bool,
    evaluation: EvaluationView | None,
    scope: Scope,
    interface: str,
    runs: RunsView | None,
) -> CodeView:
    return CodeView(
        interface_version=interface,
        link_double=link_name(f"{scope.prefix}_prepare", "", 64, interface),
        link_float=link_name(f"{scope.prefix}_prepare", "", 32, interface),
        prepare_signature=routine_signature(scope, "prepare", prepare_arguments(scope)),
        prepare_cost=prepare_cost,
        definitions=tuple(function for text in texts for function in text),
        inlined=inlined,
        lanes=lanes,
        step_lanes=step_lanes,
        series=series,
        units=units,
        shared_parts=tuple(function.signature for function in parts),
        evaluation=evaluation,
        runs=runs,
    )


def _model_hash(definitions: Sequence[CFunction], meaning: str) -> str:
    """Return the first digits of the SHA-256 over the emitted functions and what their arguments and results mean."""
    digest = hashlib.sha256(meaning.encode())
    for function in definitions:
        digest.update("\n".join((function.title, *function.signature, *function.body, "")).encode())
    return f"sha256:{digest.hexdigest()[:12]}"


def _interface_version(version: str, digest: str) -> str:
    """Return a C literal that another model, other options or another version of eomc would not have."""
    return f"0x{hashlib.sha256(f'{version} {digest}'.encode()).hexdigest()[:8]}U"


def _step_is_fallible(schedule: Schedule) -> bool:
    """Whether anything that a Runge-Kutta step calls may meet a pivot that vanishes."""
    called = {
        "rhs",
        RATES,
        FORCES,
        *(("coordinate_correction", "velocity_correction") if schedule.program.projected else ()),
    }
    return any(routine.fallible for routine in schedule.routines if routine.function.name in called)


def _projection(program: Program, scope: Scope, cost: CostView) -> ProjectionView | None:
    """Return how a state is brought onto the constraints, None where no function for it is selected."""
    names = {function.name for function in program.functions}
    coordinates, velocities = "coordinate_correction" in names, "velocity_correction" in names
    if not coordinates and not velocities:
        return None
    prefix, macro = scope.prefix, scope.macro
    arguments = (
        f"{prefix}_real t",
        f"{prefix}_real x[{macro}_NX]",
        f"const {prefix}_inputs *r",
        f"const {prefix}_constants *c",
        f"{prefix}_work *work",
    )
    signature = declaration(f"{prefix}_status {prefix}_project(", arguments)
    return ProjectionView(coordinates, velocities, program.coordinates, program.projected, cost, signature)
