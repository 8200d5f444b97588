"""List the shipped models and the methods that serve them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from eomc.cli.failures import DONE
from eomc.cli.terminal import print_json, print_table, working

if TYPE_CHECKING:
    from eomc.model import Model


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--json", action="store_true", help="as a JSON list, for programs")


def run(options: argparse.Namespace) -> int:
    """Print every shipped model."""
    from eomc.frontends.loading import load, shipped_models

    with working("loading the shipped models"):
        described = [_describe(name, load(name)) for name in shipped_models()]
    if options.json:
        print_json(described)
        return DONE
    print_table(
        ("model", "coordinates", "speeds", "methods", "description"),
        [
            (
                entry["name"],
                str(len(entry["coordinates"])),
                str(len(entry["speeds"])),
                " ".join(entry["methods"]),
                entry["description"],
            )
            for entry in described
        ],
        right=("coordinates", "speeds"),
    )
    return DONE


def _describe(name: str, model: Model) -> dict[str, Any]:
    """Return what a program wants to know about a model; the first method is the native one."""
    from eomc.model import name_of

    return {
        "name": name,
        "description": model.description,
        "methods": list(model.methods),
        "coordinates": [name_of(symbol) for symbol in model.coordinates],
        "speeds": [name_of(symbol) for symbol in model.speeds],
        "extra_states": [state.name for state in model.extra_states],
        "inputs": [{"name": one.name, "value": one.value, "unit": one.unit} for one in model.inputs],
        "outputs": [one.name for one in model.outputs],
        "parameters": [{"name": one.name, "value": one.value, "unit": one.unit} for one in model.parameters],
    }
