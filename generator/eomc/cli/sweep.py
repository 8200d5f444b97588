"""Simulate a model for ranges of parameters, starts and inputs, side by side in C.

A range is NAME=LOW:HIGH:COUNT, of COUNT values at equal distances; several make their product, the last one fastest.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from eomc.cli.arguments import (
    add_compile_options,
    add_model,
    add_output,
    amount,
    compile_options,
    count,
    duration,
    file_or_folder,
    take_run,
)
from eomc.cli.assignments import parameters_and_inputs
from eomc.cli.destinations import refuse_destination
from eomc.cli.failures import DONE
from eomc.cli.initial import initial_values
from eomc.cli.steps import add_steps, chosen, step_keywords
from eomc.cli.terminal import working
from eomc.cli.values import InSI
from eomc.errors import UsageError
from eomc.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from eomc.binding import Ensemble, Simulator
    from eomc.binding.plotting import Quantity
    from eomc.model import Model

Given: TypeAlias = Mapping[str, Sequence[tuple[str, tuple[float, ...]]]]
"""Option -> names and their values."""

_OPTIONS = ("set", "init", "input")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    parser.add_argument(
        "--t-end", metavar="S", type=duration, help="time of the end in s; of the model's usual run by default, 10"
    )
    add_steps(parser, rows=True)
    for option, what in (
        ("--set", "a parameter"),
        ("--init", "the start of a coordinate, speed, momentum (hamilton) or extra state"),
        ("--input", "an input that is held"),
    ):
        parser.add_argument(
            option,
            metavar="NAME=V",
            type=ranged,
            nargs="+",
            action="extend",
            default=[],
            help=f"{what}: a number in SI or with a unit, 200mm, or a range LOW:HIGH:COUNT",
        )
    parser.add_argument(
        "--reduce",
        metavar="NAME:KIND",
        nargs="+",
        action="extend",
        default=[],
        help="what is made of a state or output on the way: minimum, maximum, mean, or several with commas; of an "
        "event count, time1, time2, ...; by default the last states are written",
    )
    add_output(parser, "write a row for each run there, as its ending says: .csv, .npz, .parquet or .h5")
    parser.add_argument("--checkpoint", metavar="FILE", type=file_or_folder, help="go on from this file, and write it")
    parser.add_argument("--threads", metavar="N", type=count, help="threads; as many as processors by default")
    parser.add_argument("--native", action="store_true", help="compile for this processor")
    add_compile_options(parser)


def run(options: argparse.Namespace) -> int:
    """Derive, build, run everything, write a row for each."""
    refuse_destination("--output", options.output)
    from eomc.binding.saving import refuse_unwritable

    refuse_unwritable(options.output, "--output: ")
    reduce = _reductions(options.reduce)
    import eomc

    model = eomc.load(options.model)
    take_run(options, model)
    given: Given = {option: getattr(options, option) for option in _OPTIONS}
    _choose(options, given, {})
    parameters_and_inputs(options, model)  # names are refused before anything is built
    initial_values(model, options.method, options.init)
    row = chosen(options, bool(model.events))
    if options.rows_every is not None and not row.adaptive:
        raise UsageError(f"--rows-every is not for {row.name}, whose points are the ends of its steps: take --dt")
    with working(f"building {model.name}"):
        build = eomc.compile(model, integrator=row.asked, **compile_options(options))
        simulator = build.load()
    steps = step_keywords(options, row, simulator.state_names, model.name)
    if row.adaptive:
        steps["dt"] = options.rows_every  # the distance of points that are reduced
    swept = [(option, name, values) for option in _OPTIONS for name, values in given[option] if len(values) > 1]
    points = list(itertools.product(*(values for _, _, values in swept)))
    starts, parameters, inputs = _tables(options, given, swept, points, model, simulator)
    made = simulator.ensemble(
        starts,
        parameters,
        inputs,
        t_end=options.t_end,
        keep="last",
        reduce=reduce,
        threads=options.threads,
        native=options.native,
        checkpoint=options.checkpoint,
        progress=sys.stderr.isatty(),
        **steps,
    )
    _write(options, made, [name for _, name, _ in swept], points, simulator)
    print(f"{options.output}: {counted(len(made), 'row')}")
    return DONE


def ranged(text: str) -> tuple[str, tuple[float, ...]]:
    """Read NAME=VALUE or NAME=LOW:HIGH:COUNT.

    Examples
    --------
    >>> ranged("m=0.5"), ranged("l=1:2:3"), ranged("l=100cm:200cm:3")
    (('m', (0.5,)), ('l', (1.0, 1.5, 2.0)), ('l', (1.0, 1.5, 2.0)))
    """
    name, equals, value = text.partition("=")
    parts = value.split(":")
    if not (name.strip() and equals) or len(parts) not in (1, 3):
        raise argparse.ArgumentTypeError(f"{text!r} is neither NAME=VALUE nor NAME=LOW:HIGH:COUNT")
    low = amount(parts[0])
    if len(parts) == 1:
        return name.strip(), (low,)
    high, number = amount(parts[1]), count(parts[2])
    units = {getattr(bound, "unit", "") for bound in (low, high)}
    if len(units) > 1:
        raise argparse.ArgumentTypeError(f"{text!r} has bounds of different units: give both in one")
    steps, unit = max(1, number - 1), units.pop()
    values = (low + (high - low) * k / steps for k in range(number))
    return name.strip(), tuple(InSI(value, unit) if unit else value for value in values)


def _reductions(given: Iterable[str]) -> dict[str, tuple[str, ...]] | None:
    """Return kinds by name."""
    reduce: dict[str, tuple[str, ...]] = {}
    for text in given:
        name, colon, kinds = text.partition(":")
        if not (name and colon and kinds):
            raise UsageError(f"--reduce: {text!r} is not NAME:KIND, such as theta:maximum or theta:minimum,maximum")
        reduce[name] = (*reduce.get(name, ()), *kinds.split(","))
    return reduce or None


def _choose(options: argparse.Namespace, given: Given, single: Mapping[tuple[str, str], float]) -> None:
    """Put single values into the options, where other commands have them: those chosen, or the first of each."""
    for option, pairs in given.items():
        setattr(options, option, [(name, single.get((option, name), values[0])) for name, values in pairs])


def _tables(
    options: argparse.Namespace,
    given: Given,
    swept: Sequence[tuple[str, str, tuple[float, ...]]],
    points: Sequence[tuple[float, ...]],
    model: Model,
    simulator: Simulator,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return starts, parameters and inputs of all runs."""
    import numpy as np

    starts, parameters, inputs = [], [], []
    for point in points:
        single = {(option, name): value for (option, name, _), value in zip(swept, point, strict=True)}
        _choose(options, given, single)
        own, held = parameters_and_inputs(options, model)
        initial = initial_values(model, options.method, options.init)
        starts.append(simulator.state(initial.coordinates, initial.speeds, 0.0, own, initial.momenta, held))
        parameters.append([{**simulator.parameters, **own}[name] for name in simulator.parameter_names])
        inputs.append([{**simulator.inputs, **held}[name] for name in simulator.input_names])
    return (
        np.array(starts),
        np.reshape(parameters, (len(points), len(simulator.parameter_names))),
        np.reshape(inputs, (len(points), len(simulator.input_names))),
    )


def _write(
    options: argparse.Namespace,
    made: Ensemble,
    names: Sequence[str],
    points: Sequence[tuple[float, ...]],
    simulator: Simulator,
) -> None:
    """Write a row for each run: what was swept, what came of it, how it ended."""
    import numpy as np

    from eomc.binding.plotting import Quantity
    from eomc.binding.saving import Recorded, save

    columns: list[tuple[Quantity, NDArray[np.float64]]] = [
        (Quantity(name, "", "Swept"), np.array([point[place] for point in points])) for place, name in enumerate(names)
    ]
    if made.reduced:
        columns += [(Quantity(f"{of}_{kind}", "", "Reduced"), values) for (of, kind), values in made.reduced.items()]
    else:
        columns += [(Quantity(f"{name}_end", "", "States"), made[name]) for name in made.state_names]
    columns += [
        (Quantity("status", "", "Status"), made.status.astype(np.float64)),
        (Quantity("t_failed", "s", "Status"), made.t_failed),
    ]
    save(Recorded(made.model, made.method, simulator.real, columns, ()), options.output)
