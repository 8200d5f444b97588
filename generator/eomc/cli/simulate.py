"""Simulate a model with its emitted C."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from eomc.cli.arguments import add_compile_options, add_model, add_run, count, file_or_folder
from eomc.cli.destinations import refuse_destination
from eomc.cli.failures import DONE
from eomc.cli.hints import hint_of_series
from eomc.cli.motions import check_span_and_scheme, motion, prepare
from eomc.cli.steps import add_steps
from eomc.cli.terminal import number, print_table, working
from eomc.errors import OutputError, UsageError
from eomc.wording import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from eomc.analysis.following import Followed
    from eomc.binding import Simulator, Trajectory


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    add_run(parser, starts=True)
    add_steps(parser, rows=True)
    add_compile_options(parser)
    parser.add_argument("--every", metavar="N", type=count, default=1, help="keep every Nth step; 1 by default")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=file_or_folder,
        help="write the trajectory there, as its ending says: .csv, .npz, .parquet or .h5",
    )
    parser.add_argument(
        "--plot", metavar="PNG", type=file_or_folder, help="draw the trajectory there (needs matplotlib)"
    )


def run(options: argparse.Namespace) -> int:
    """Check everything that can be checked at once, then derive, build and run."""
    check_span_and_scheme(options)
    if options.rows_every is not None and options.every > 1:
        raise UsageError("--every counts steps, and --rows-every asks for times: give one of the two")
    _check_destinations(options)
    from eomc.analysis.following import Followed

    prepared = prepare(options)
    model, integrator, simulator = prepared.model, prepared.integrator, prepared.simulator
    followed = Followed(prepared.build, prepared.parameters) if Followed.can(prepared.build) else None
    with working(f"simulating {model.name}"):
        begin = time.perf_counter()
        trajectory, failure = motion(options, prepared, t_eval=_rows(options), every=options.every, follow=followed)
        elapsed = time.perf_counter() - begin - (0.0 if followed is None else followed.seconds)
    if options.output is not None:
        trajectory.save(options.output)
        print(f"{options.output}: {counted(len(trajectory), 'row')}")
    if options.plot is not None:
        trajectory.plot(options.plot)
        print(options.plot)
    if options.output is None:
        span = trajectory.t[-1] - trajectory.t[0]
        title = f"{model.name} ({simulator.method}, {integrator.name}): {span:g} s in {elapsed:.3g} s"
        _print_states(title, trajectory)
        _print_energies(simulator, trajectory)
    if options.method is None and (hint := hint_of_series(prepared.build)):
        print(f"eomc: hint: {hint}", file=sys.stderr)
    if failure is None and followed is not None and followed.is_off:
        _warn_of_energy(followed, options, integrator.adaptive, "constraint_residuals" in simulator.functions)
    if failure is not None:  # told after the rows that there are
        raise failure
    return DONE


def _warn_of_energy(followed: Followed, options: argparse.Namespace, adaptive: bool, constrained: bool) -> None:
    """Say in one line that a run's change of energy is far from the work."""
    remedies = ["a smaller --rtol" if adaptive else "a smaller --dt"]
    if options.real == "float":
        remedies.insert(0, "--real double")
    if constrained and options.stabilization == "none":
        remedies.insert(0, "--stabilization projection")
    taken = " or ".join(remedies)
    print(
        f"eomc: warning: the energy balance of this run is off by {followed.defect:.3g} J, of "
        f"{followed.turnover:.3g} J turned over: take {taken}, or see eomc check --energy",
        file=sys.stderr,
    )


def _rows(options: argparse.Namespace) -> NDArray[np.float64] | None:
    """Return the times of the rows, where they are at equal distances."""
    if options.rows_every is None:
        return None
    import numpy as np

    from eomc.binding.grids import time_grid

    grid = time_grid(options.t0, options.t_end, options.rows_every)
    return grid.times(np.arange(grid.total + 1))


def _check_destinations(options: argparse.Namespace) -> None:
    """Refuse early what would fail only after the work."""
    for option, path in (("--output", options.output), ("--plot", options.plot)):
        if path is not None:
            refuse_destination(option, path)
    if options.output is not None:
        from eomc.binding.saving import refuse_unwritable

        refuse_unwritable(options.output, "--output: ")
    if options.plot is not None and importlib.util.find_spec("matplotlib") is None:
        raise OutputError("--plot: plots need matplotlib: pip install 'eomc[plot]'")


def _print_states(title: str, trajectory: Trajectory) -> None:
    """Print where the motion began, where it ended and how far it went."""
    rows = []
    for quantity in trajectory.quantities:
        column = trajectory[quantity.name]
        values = (column[0], column[-1], column.min(), column.max())
        rows.append((quantity.name, *(number(float(value)) for value in values), quantity.unit))
    columns = ("quantity", "first", "last", "least", "greatest", "unit")
    print_table(columns, rows, title=title, right=columns[1:5])


def _print_energies(simulator: Simulator, trajectory: Trajectory) -> None:
    """Print the energies and how far each strayed from its first value, also relative to the largest |T| or |V|."""
    import numpy as np

    if "energy" not in simulator.functions:
        return
    energies = simulator.energy(trajectory.t, trajectory.x, trajectory.inputs, trajectory.parameters)
    with np.errstate(over="ignore", invalid="ignore"):  # of a run that diverged
        _print_drift(energies)


def _print_drift(energies: Mapping[str, NDArray[np.float64]]) -> None:
    """Print the table of the energies."""
    parts = [energies[name] for name in ("kinetic", "potential") if name in energies] or list(energies.values())
    scale = max(float(abs(part).max()) for part in parts) or 1.0
    changes = {name: float(abs(values - values[0]).max()) for name, values in energies.items()}
    rows = [
        (name, number(float(values[0])), number(float(values[-1])), f"{change:.2e}", f"{change / scale:.2e}")
        for (name, values), change in zip(energies.items(), changes.values(), strict=True)
    ]
    columns = ("energy [J]", "first", "last", "largest change", "relative")
    print_table(columns, rows, right=columns[1:])
