"""What the header says of quantities that the motion keeps."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eomc.ir.equations import Energetics, Quantity


def constancy_of(energetics: Energetics, quantities: Sequence[Quantity]) -> list[str]:
    """Return one sentence for each of the quantities that the motion keeps; where T + V is h, that is told once."""
    names = {quantity.name for quantity in quantities}
    conditions = {kept.name: kept.condition for kept in energetics.invariants if kept.name in names}
    words = {energy.name: f"the {re.split('[,;]', energy.description)[0]}" for energy in energetics.energies}
    words["hamiltonian"] = "the Hamiltonian H"
    if "total" in conditions and conditions["total"] == conditions.get("jacobi"):
        words["total"] += " (and so the Jacobi integral)"
        del conditions["jacobi"]
    return [
        f"{words.get(name, f'the momentum {name}')} is constant {condition}".rstrip()
        for name, condition in conditions.items()
    ]
