"""What `eomc check --energy` does: a run is proved by its energy balance."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from eomc.cli.arguments import take_run
from eomc.cli.assignments import parameters_and_inputs
from eomc.cli.failures import DONE, FAILED
from eomc.cli.initial import InitialValues, initial_values
from eomc.cli.steps import chosen, step_keywords
from eomc.cli.terminal import finite_or_none, print_json, print_table, working
from eomc.errors import RunError, UnsupportedError

if TYPE_CHECKING:
    from eomc.analysis.balance import Balance
    from eomc.build import Build
    from eomc.integrators import Integrator
    from eomc.model import Model

_FALLS = 0.5  # the share that half the step leaves, at most, of a difference that comes from the step


def check_energy(options: argparse.Namespace, model: Model, methods: Sequence[str | None], forms: Sequence[str]) -> int:
    """Run the model by these methods and solution forms; fail where a change of energy is not the work."""
    import eomc

    take_run(options, model)
    integrator = chosen(options, bool(model.events))
    parameters, held = parameters_and_inputs(options, model)
    starts = {method: initial_values(model, method, options.init) for method in methods}
    described = []
    for method, form in itertools.product(methods, forms):
        with working(f"simulating {model.name}"):
            build = eomc.compile(
                model,
                method,
                math=options.math,
                constraints=form,
                stabilization=options.stabilization,
                integrator=integrator.asked,
                optimize=options.optimize,
                algorithm=options.algorithm,
                units=options.units,
            )
            run = _run_of(build, options, starts[method], parameters, held)
            entry = {
                "model": model.name,
                "method": build.method,
                "constraints": form,
                "stabilization": options.stabilization,
                "integrator": integrator.name,
                "t_end": options.t_end,
                **_told_steps(options, integrator, model),
                **_outcome(run, options, integrator.adaptive),
            }
        described.append(entry)
        if not options.json:
            _print(entry)
    if options.json:
        print_json(described)
    return FAILED if any(entry["holds"] is False for entry in described) else DONE


def _run_of(
    build: Build,
    options: argparse.Namespace,
    initial: InitialValues,
    parameters: Mapping[str, float],
    held: Mapping[str, float],
) -> Callable[[bool], Balance]:
    """Return a function that runs the model, with finer steps where these are asked for, and balances it."""
    from eomc.analysis.balance import balance, consistent_inputs, finer_steps

    simulator = build.load()
    start = simulator.state(initial.coordinates, initial.speeds, 0.0, parameters, initial.momenta, held)
    inputs = consistent_inputs(build.model, held)
    steps = step_keywords(options, build.integrator, simulator.state_names, build.model.name)
    steps |= _told_steps(options, build.integrator, build.model)

    def run(finer: bool) -> Balance:
        taken = finer_steps(steps) if finer else steps
        return balance(build, options.t_end, x0=start, inputs=inputs, parameters=parameters, **taken)

    return run


def _outcome(run: Callable[[bool], Balance], options: argparse.Namespace, adaptive: bool) -> dict[str, Any]:
    """Return what is told of a run; `holds` is None where there is nothing to balance."""
    try:
        result = run(False)
    except UnsupportedError as error:
        return {"holds": None, "reason": str(error)}
    return {
        "energy": result.energy,
        "first": finite_or_none(result.first),
        "last": finite_or_none(result.last),
        "drift": finite_or_none(result.drift),
        "work": finite_or_none(result.work),
        "jumps": [{"t": t, "event": name, "energy": finite_or_none(energy)} for t, name, energy in result.jumps],
        "works": {cause: finite_or_none(work) for cause, work in result.works},
        "balance": finite_or_none(result.defect),
        "tolerance": finite_or_none(result.tolerance),
        "told": result.told,
        "holds": result.holds,
        "reason": "" if result.holds else _advice(run, options, result, adaptive),
    }


def _advice(run: Callable[[bool], Balance], options: argparse.Namespace, result: Balance, adaptive: bool) -> str:
    """Say what the difference comes from: finer steps leave most of it unless it comes from them."""
    smaller = "--rtol" if adaptive else "--dt"
    if not result.told:
        return (
            f"cannot be told: take a smaller {smaller}; with this one the run is known to {result.tolerance:.2g} J, of "
            f"{result.turnover:.2g} J turned over"
        )
    try:
        left = run(True).defect / result.defect
    except RunError:
        left = 1.0
    if left < _FALLS:
        steps = "a hundredth of the tolerance" if smaller == "--rtol" else "half the step"
        return f"{steps} leaves {left:.2g} of the difference: take a smaller {smaller}"
    if result.residual is not None and options.stabilization == "none":
        return (
            f"the motion drifts off the constraints, by up to {result.residual:.2g}, and there they do work: "
            "take --stabilization projection"
        )
    return (
        f"a smaller {smaller} does not help: the equations contradict the energies; look for a velocity, an angular "
        "velocity or an input that was given and does not go with the positions, the orientations or the other inputs"
    )


def _told_steps(options: argparse.Namespace, row: Integrator, model: Model) -> dict[str, float]:
    """Return how steps are chosen."""
    if row.adaptive:
        return {"rtol": 1e-8 if options.rtol is None else options.rtol}
    return {"dt": model.run.dt if options.dt is None else options.dt}


def _of(entry: Mapping[str, Any]) -> str:
    return f"of {entry['dt']:g} s" if "dt" in entry else f"to {entry['rtol']:g}"


def _short(value: float | None, form: str = ".6g") -> str:
    return "nan" if value is None else format(value, form)


def _print(entry: dict[str, Any]) -> None:
    """Print the table of one run, and the works by their causes where there are several."""
    if entry["holds"] is None:
        print(entry["reason"], end="\n\n")
        return
    title = (
        f"{entry['model']} ({entry['method']}): energy against work over {entry['t_end']:g} s, "
        f"steps {_of(entry)}; balance is the largest |E(t) - E(0) - work|"
    )
    columns = ("energy [J]", "first", "last", "drift", "work", "balance", "tolerance", "")
    row = (
        entry["energy"],
        *(_short(entry[key]) for key in ("first", "last")),
        _short(entry["drift"], ".2e"),
        _short(entry["work"]),
        *(_short(entry[key], ".1e") for key in ("balance", "tolerance")),
        "holds" if entry["holds"] else "FAILS" if entry["told"] else "CANNOT BE TOLD",
    )
    print_table(columns, [row], title=title, right=columns[1:-1])
    if len(entry["works"]) > 1:
        rows = [(cause, _short(work)) for cause, work in entry["works"].items()]
        print_table(("work of", "[J]"), rows, right=("[J]",))
    if entry["jumps"]:
        jumps = [(one["event"], f"{one['t']:.9g}", _short(one["energy"])) for one in entry["jumps"]]
        print_table(("jump at", "t [s]", "[J]"), jumps, right=("t [s]", "[J]"))
    if entry["reason"]:
        print(entry["reason"], end="\n\n")
