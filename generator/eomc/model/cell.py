"""A model as a notebook shows it: what its symbols mean."""

from __future__ import annotations

from collections.abc import Iterator

from eomc.cells import Markup, page, sentence, table
from eomc.model.amounts import state_units
from eomc.model.mechanism import Mechanism
from eomc.model.names import name_of
from eomc.wording import counted


def model_cell(model: Mechanism) -> Markup:
    """Return states with initial values, inputs, parameters and outputs."""
    states = [*model.coordinates, *model.speeds, *(one.symbol for one in model.extra_states)]
    meanings = {one.symbol: one for one in model.meanings}
    initial, units = dict(model.initial), state_units(model)

    def rows() -> Iterator[tuple[str, str, float, str, str]]:
        for number, symbol in enumerate(states):
            meaning = meanings.get(symbol)
            name, words = name_of(symbol), meaning.description if meaning else ""
            yield name, _kind(model, number), float(initial.get(symbol, 0.0)), units.get(name, ""), words

    return page(
        "eomc.Model",
        model.name,
        _about(model),
        sentence(model.description),
        table("states", ("name", "kind", "initial", "unit", "meaning"), rows(), len(states)),
        table(
            "inputs",
            ("name", "value", "unit", "meaning"),
            ((one.name, float(one.value), one.unit, one.description) for one in model.inputs),
            len(model.inputs),
        ),
        table(
            "parameters",
            ("name", "value", "unit", "meaning"),
            ((one.name, float(one.value), one.unit, one.description) for one in model.parameters),
            len(model.parameters),
        ),
        table(
            "outputs",
            ("name", "unit", "meaning"),
            ((one.name, one.unit, one.description) for one in model.outputs),
            len(model.outputs),
        ),
        sentence(f"events: {', '.join(one.name for one in model.events)}" if model.events else ""),
    )


def _about(model: Mechanism) -> str:
    """Return its kind and sizes."""
    if model.is_first_order:
        return f"first order, {counted(len(model.extra_states), 'extra state')}"
    sizes = [
        type(model.dynamics).__name__,
        counted(len(model.coordinates), "coordinate"),
        counted(len(model.speeds), "speed"),
    ]
    return ", ".join([*sizes, "constrained"] if model.is_constrained else sizes)


def _kind(model: Mechanism, number: int) -> str:
    """Return what the state of a number is."""
    if number < len(model.coordinates):
        return "coordinate"
    return "speed" if number < len(model.coordinates) + len(model.speeds) else "extra state"
