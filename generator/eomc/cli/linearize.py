"""Print the linear equations of small motions about a state, and their eigenvalues."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from eomc.cli.arguments import (
    add_assignments,
    add_constraints,
    add_method,
    add_model,
    add_units,
    take_run,
)
from eomc.cli.assignments import assignments, parameters_and_inputs
from eomc.cli.failures import DONE
from eomc.cli.terminal import number, print_json, print_table, working

if TYPE_CHECKING:
    from eomc.analysis.linearization import Linearization


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    add_assignments(
        parser,
        "value of a parameter",
        "value of a coordinate, speed or extra state, in place of the model's initial one",
        "value of an input",
    )
    add_method(parser)
    add_constraints(parser)
    add_units(parser)
    parser.add_argument("--json", action="store_true", help="as a JSON object, for programs")


def run(options: argparse.Namespace) -> int:
    """Derive, linearize and print."""
    import eomc

    model = eomc.load(options.model)
    take_run(options, model)
    parameters, inputs = parameters_and_inputs(options, model)
    from eomc.model.amounts import state_units

    kinds, units = "coordinate, speed or extra state", state_units(model)
    at = assignments("--init", kinds, model.name, options.init, _names(model), units)
    with working(f"linearizing {model.name}"):
        linear = eomc.linearize(
            model,
            at,
            options.method,
            inputs,
            parameters,
            constraints=options.constraints,
            stabilization=options.stabilization,
            units=options.units,
        )
    if linear.unsteady:
        print(
            f"eomc: warning: {model.name}: this state is no equilibrium, |x'| = {linear.drift:.3g} "
            f"({', '.join(linear.unsteady)}): the linear equations hold beside the motion through it, at this instant",
            file=sys.stderr,
        )
    if options.json:
        print_json(_figures(linear))
    else:
        _print(model.name, linear)
    return DONE


def _names(model: Any) -> list[str]:
    """Return the names that initial values may have."""
    from eomc.model import name_of

    coordinates = [name_of(symbol) for symbol in model.coordinates]
    speeds = [name_of(symbol) for symbol in model.speeds]
    rates = [f"{name}_d" for name in coordinates]
    return list(dict.fromkeys([*coordinates, *speeds, *rates, *(one.name for one in model.extra_states)]))


def _figures(linear: Linearization) -> dict[str, Any]:
    """Return everything that is shown, in the form of the JSON."""
    return {
        "states": list(linear.state_names),
        "inputs": list(linear.input_names),
        "outputs": list(linear.output_names),
        **{letter: matrix.tolist() for letter, matrix in zip("ABCD", linear, strict=True)},
        "rates": linear.rates.tolist(),
        "unsteady": list(linear.unsteady),
        "eigenvalues": [[value.real, value.imag] for value in linear.eigenvalues.tolist()],
    }


def _print(name: str, linear: Linearization) -> None:
    """Print the matrices as tables with the names of rows and columns."""
    for letter, matrix, rows, columns, title in (
        ("A", linear.A, linear.state_names, linear.state_names, f"{name}: x' = A x + B r, y = C x + D r\n"),
        ("B", linear.B, linear.state_names, linear.input_names, ""),
        ("C", linear.C, linear.output_names, linear.state_names, ""),
        ("D", linear.D, linear.output_names, linear.input_names, ""),
    ):
        if not matrix.size:
            continue
        texts = [
            (f"{row}'" if letter in "AB" else row, *map(number, values.tolist()))
            for row, values in zip(rows, matrix, strict=True)
        ]
        print_table((letter, *columns), texts, title=title, right=columns)
    values = [(number(value.real), number(value.imag)) for value in linear.eigenvalues.tolist()]
    print_table(("eigenvalues: real", "imaginary"), values, right=("eigenvalues: real", "imaginary"))
