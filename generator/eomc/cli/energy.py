"""What `eomc check --energy` does: a run is proved by its energy balance."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from eomc.cli.assignments import parameters_and_inputs
from eomc.cli.failures import DONE, FAILED
from eomc.cli.initial import InitialValues, initial_values
from eomc.cli.terminal import finite_or_none, print_json, print_table, working
from eomc.errors import RunError, UnsupportedError

if TYPE_CHECKING:
    from eomc.analysis.balance import Balance
    from eomc.model import Model
    from eomc.pipeline import Build

_FALLS = 0.5  # the share that half the step leaves, at most, of a difference that comes from the step


def check_energy(options: argparse.Namespace, model: Model, methods: Sequence[str | None], forms: Sequence[str]) -> int:
    """Run the model by these methods and solution forms; fail where a change of energy is not the work."""
    import eomc

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
                integrator=options.integrator,
            )
            run = _run_of(build, options.t_end, starts[method], parameters, held)
            entry = {
                "model": model.name,
                "method": build.method,
                "constraints": form,
                "stabilization": options.stabilization,
                "integrator": options.integrator,
                "t_end": options.t_end,
                "dt": options.dt,
                **_outcome(run, options),
            }
        described.append(entry)
        if not options.json:
            _print(entry)
    if options.json:
        print_json(described)
    return FAILED if any(entry["holds"] is False for entry in described) else DONE


def _run_of(
    build: Build, t_end: float, initial: InitialValues, parameters: Mapping[str, float], held: Mapping[str, float]
) -> Callable[[float], Balance]:
    """Return a function that runs the model with a step, and balances it."""
    from eomc.analysis.balance import balance, consistent_inputs

    start = build.load().state(initial.coordinates, initial.speeds, 0.0, parameters, initial.momenta, held)
    inputs = consistent_inputs(build.model, held)
    return lambda dt: balance(build, t_end, dt, start, inputs, parameters)


def _outcome(run: Callable[[float], Balance], options: argparse.Namespace) -> dict[str, Any]:
    """Return what is told of a run; `holds` is None where there is nothing to balance."""
    try:
        result = run(options.dt)
    except UnsupportedError as error:
        return {"holds": None, "reason": str(error)}
    return {
        "energy": result.energy,
        "first": finite_or_none(result.first),
        "last": finite_or_none(result.last),
        "drift": finite_or_none(result.drift),
        "work": finite_or_none(result.work),
        "works": {cause: finite_or_none(work) for cause, work in result.works},
        "balance": finite_or_none(result.defect),
        "tolerance": finite_or_none(result.tolerance),
        "told": result.told,
        "holds": result.holds,
        "reason": "" if result.holds else _advice(run, options, result),
    }


def _advice(run: Callable[[float], Balance], options: argparse.Namespace, result: Balance) -> str:
    """Say what the difference comes from: half the step leaves most of it unless it comes from that."""
    if not result.told:
        return (
            f"cannot be told: take a smaller --dt; with this one the run is known to {result.tolerance:.2g} J, of "
            f"{result.turnover:.2g} J turned over"
        )
    try:
        left = run(options.dt / 2).defect / result.defect
    except RunError:
        left = 1.0
    if left < _FALLS:
        return f"half the step leaves {left:.2g} of the difference: take a smaller --dt"
    if result.residual is not None and options.stabilization == "none":
        return (
            f"the motion drifts off the constraints, by up to {result.residual:.2g}, and there they do work: "
            "take --stabilization projection"
        )
    return (
        "a smaller --dt does not help: the equations contradict the energies; look for a velocity, an angular velocity "
        "or an input that was given and does not go with the positions, the orientations or the other inputs"
    )


def _short(value: float | None, form: str = ".6g") -> str:
    return "nan" if value is None else format(value, form)


def _print(entry: dict[str, Any]) -> None:
    """Print the table of one run, and the works by their causes where there are several."""
    if entry["holds"] is None:
        print(entry["reason"], end="\n\n")
        return
    title = (
        f"{entry['model']} ({entry['method']}): energy against work over {entry['t_end']:g} s, "
        f"steps of {entry['dt']:g} s; balance is the largest |E(t) - E(0) - work|"
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
    if entry["reason"]:
        print(entry["reason"], end="\n\n")
