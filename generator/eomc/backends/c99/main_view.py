"""What `main.c` knows of its model: the columns that it prints, what it says about its options."""

from __future__ import annotations

from decimal import Decimal

from eomc.backends.c99.scope import Scope
from eomc.backends.c99.spelling import number
from eomc.backends.c99.storage import has_corrections
from eomc.backends.c99.strings import c_string, csv_header
from eomc.backends.c99.views import MainView, RunView
from eomc.integrators import Integrator
from eomc.ir.graph import Graph
from eomc.ir.method import SecondHalf
from eomc.ir.ops import ROUGH
from eomc.ir.program import Function, Program
from eomc.ir.runs import Run
from eomc.tableaus import Tableau
from eomc.targets import Target


def main_view(
    program: Program, scope: Scope, tableau: Tableau, leading: Integrator | None, target: Target | None
) -> MainView:
    """Return what the emitted programs print and test; `leading` is that of their runs, None for steps alone."""
    names = {function.name: function.output_names for function in program.functions}
    sizes = {function.name: len(function.outputs) for function in program.functions}
    columns = [program.time.name, *(state.name for state in program.states), *names.get("outputs", ())]
    return MainView(
        outputs_size=sizes.get("outputs", 0),
        energy_names=tuple(map(c_string, names.get("energy", ()))),
        state_units=program.kinds,
        first_rate=0 if program.method.second is SecondHalf.MOMENTA else program.coordinates,
        smooth=_is_smooth(program.graph, program.functions[0]),
        csv_header=csv_header(columns),
        help_name=c_string(f"./{scope.prefix}"),
        help=tuple(map(c_string, _help(program, tableau, leading))),
        target=target,
        run=_run_view(program.run),
    )


def _run_view(run: Run) -> RunView:
    """Return the times of a run as they are written."""
    end, step = (repr(seconds).removesuffix(".0") for seconds in (run.t_end, run.dt))
    return RunView(number(run.t_end), f"{Decimal(repr(run.dt)):e}", end, step, f"{run.t_end / 1000:g}")


def _start_notes(program: Program) -> list[str]:
    """Return what --set and --init do not compute anew."""
    notes = []
    if program.method.second is SecondHalf.MOMENTA:
        notes.append(f"momenta keep their values under --set{' and --input' if program.inputs else ''}")
    if has_corrections(program):
        notes.append("a start off the constraints is moved onto them, all states alike")
    if notes:
        notes.append("the first row of `eomc simulate` has the states that go with other values")
    return [f"                   {note}" for note in notes]


def _step_notes(tableau: Tableau, leading: Integrator | None, step: str) -> list[str]:
    """Return what is said of the options of steps and rows."""
    length = f"step ({tableau.name}), {step} by default"
    fixed = [f"  --dt S           {length}; a shorter last one ends the run exactly at --t-end"]
    if leading is None:
        return fixed
    run = [
        "  --rows-every S   print rows at equal distances of time in place of the ends of the steps; moves no step",
        "  --jumps S        times, in order, at which the model jumps; a step ends at each; several may follow",
    ]
    if not leading.adaptive:
        return fixed + run
    return [
        f"  --rtol V         error of a step ({leading.name}) in proportion to each state, 1e-8 by default",
        "  --atol V         and what is added to it, 1e-8 by default; NAME=V for one state; several may follow",
        *run,
        "  --first-step S   length of the first step; it is chosen by default",
        "  --max-step S     longest step; no bound by default",
        "  --max-steps N    steps that are tried at most, 10000000 by default",
    ]


def _help(program: Program, tableau: Tableau, leading: Integrator | None) -> list[str]:
    """Return what the simulator says about its options."""
    run = _run_view(program.run)
    lines = [
        "",
        f"  --t-end S        time at the end, {run.end} by default",
        *_step_notes(tableau, leading, run.step),
        "  --t0 S           time at the start, 0 by default",
        "  --every N        print every Nth step, 1 by default",
        "  --set NAME=V     value of a parameter; several may follow",
        "  --init NAME=V    initial value of a state",
        *_start_notes(program),
        "  --input NAME=V   value at which an input is held",
        "                   V is a number, or factors such as pi/2 and 3*deg",
        "  --self-test      let the program check itself",
        "  --help           this text",
        "",
        "exit codes: 0 done, 1 a run or the self-test failed, 2 bad input",
    ]
    for title, variables in (
        ("parameters", program.parameters),
        ("states", program.states),
        ("inputs", program.inputs),
    ):
        if not variables:
            continue
        lines += ["", f"{title}:"]
        widest = max(len(variable.name) for variable in variables)
        for variable in variables:
            unit = f" {variable.unit}" if variable.unit else ""
            text = f"  {variable.name:<{widest}} = {variable.value:.12g}{unit}"
            lines.append(f"{text}  {variable.description}".rstrip())
    return [" ".join(line.split("\n")) for line in lines]


def _is_smooth(graph: Graph, function: Function) -> bool:
    ops = graph.ops
    return ROUGH.isdisjoint(ops) or ROUGH.isdisjoint(map(ops.__getitem__, graph.below(function.outputs)))
