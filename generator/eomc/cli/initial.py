"""Initial values on the command line: which names a model has under a method, and of what kind they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.cli.assignments import assignments
from eomc.errors import UsageError

if TYPE_CHECKING:
    from eomc.model import Model


@dataclass(frozen=True, slots=True)
class InitialValues:
    """Given values by name, as ``Simulator.state`` takes them."""

    coordinates: dict[str, float]  # and extra states
    speeds: dict[str, float]  # and derivatives q'
    momenta: dict[str, float]


def initial_values(model: Model, method: str | None, pairs: Sequence[tuple[str, float]]) -> InitialValues:
    """Sort what ``--init`` gave.

    Parameters
    ----------
    model, method
        What is simulated; None is the model's native method.
    pairs
        Name and value.

    Raises
    ------
    UsageError
        A name is unknown or given twice, a momentum is given where the state has speeds, or speeds and momenta are
        mixed.
    UnsupportedError
        The method cannot serve the model.
    """
    from eomc.derivation.methods import choose_method
    from eomc.ir.method import SecondHalf

    coordinates, speeds, momenta = _names(model)
    momenta = [name for name in momenta if name not in (*coordinates, *speeds)]
    in_momenta = choose_method(model, method).second is SecondHalf.MOMENTA
    if not in_momenta:
        _refuse_momenta(model, [name for name, _ in pairs if name in momenta], speeds)
        momenta = []
    kinds = "coordinate, speed, momentum or extra state" if in_momenta else "coordinate, speed or extra state"
    from eomc.model.amounts import state_units

    names = [*coordinates, *speeds, *momenta]
    given = assignments("--init", kinds, model.name, pairs, names, state_units(model))
    initial = InitialValues(
        *({name: given[name] for name in names if name in given} for names in (coordinates, speeds, momenta))
    )
    if initial.speeds and initial.momenta:
        speed, momentum = next(iter(initial.speeds)), next(iter(initial.momenta))
        raise UsageError(f"--init: {speed} is a speed and {momentum} a momentum of {model.name}: give one kind of them")
    return initial


def _names(model: Model) -> tuple[list[str], list[str], list[str]]:
    """Return the names of coordinates and extra states, of speeds and q', and of the momenta of Hamilton's form.

    Derivatives q' and momenta are there where each may have any value: as many as speeds, free of constraints. The
    momenta of a given Hamiltonian are its speeds, under the names that the model gave them.
    """
    from eomc.model import Hamiltonian, name_of

    coordinates = [name_of(symbol) for symbol in model.coordinates]
    speeds = [name_of(symbol) for symbol in model.speeds]
    extra = [state.name for state in model.extra_states]
    if isinstance(model.dynamics, Hamiltonian) or model.is_constrained or len(speeds) != len(coordinates):
        return [*coordinates, *extra], speeds, []
    rates = [f"{name}_d" for name in coordinates]
    return [*coordinates, *extra], list(dict.fromkeys([*speeds, *rates])), [f"p_{name}" for name in coordinates]


def _refuse_momenta(model: Model, momenta: Sequence[str], speeds: Sequence[str]) -> None:
    if momenta:
        from eomc.derivation.methods import choose_method
        from eomc.ir.method import SecondHalf

        by_momenta = [one for one in model.methods if choose_method(model, one).second is SecondHalf.MOMENTA]
        other = f", or add --method {by_momenta[0]}" if by_momenta else ""
        raise UsageError(
            f"--init: {model.name}: {momenta[0]} is a momentum, and the state has speeds here: give {', '.join(speeds)}"
            f"{other}"
        )
