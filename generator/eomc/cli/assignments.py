"""Names that the user typed against names that a model has."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from eomc.errors import UsageError

if TYPE_CHECKING:
    from eomc.model import Model


def assignments(
    option: str,
    kind: str,
    owner: str,
    pairs: Iterable[tuple[str, float]],
    known: Sequence[str],
    units: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, float]:
    """Return the assigned values by name.

    Parameters
    ----------
    option, kind, owner
        For the message: ``--set``, ``parameter``, ``rolling_disk``.
    pairs
        Name and value, as given with `option`.
    known
        The names that there are.
    units
        Of SI, by name; where a number came with one, it is of the same dimension.

    Raises
    ------
    UsageError
        A name is unknown or given twice, or its unit is that of something else.
    """
    values: dict[str, float] = {}
    for name, value in pairs:
        if name not in known:
            from eomc.binding.vectors import unknown_name

            raise UsageError(f"{option}: {unknown_name(owner, kind, name, known)}")
        if name in values:
            raise UsageError(f"{option}: {name} is given twice; give it one value")
        if unit := getattr(value, "unit", ""):
            from eomc.model.amounts import check_same

            check_same(f"{option}: {name} of {owner}", unit, units.get(name, ""))
        values[name] = float(value)
    return values


def parameters_and_inputs(options: argparse.Namespace, model: Model) -> tuple[dict[str, float], dict[str, float]]:
    """Return what --set and --input gave; a stabilization brings parameters of its own."""
    from eomc.derivation.options import BAUMGARTE_GAINS

    gains = BAUMGARTE_GAINS if options.stabilization == "baumgarte" else ()
    parameters = {**{one.name: one.unit for one in model.parameters}, **dict.fromkeys(gains, "1/s")}
    inputs = {one.name: one.unit for one in model.inputs}
    return (
        assignments("--set", "parameter", model.name, options.set, [*parameters], parameters),
        assignments("--input", "input", model.name, options.input, [*inputs], inputs),
    )
