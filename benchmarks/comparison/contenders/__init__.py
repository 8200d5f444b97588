"""Who takes part: eomc first, then its peers, each a module with a class `Tool`."""

from __future__ import annotations

import importlib

from comparison.contenders.contender import Contender

__all__ = ["CONTENDERS", "contender_class"]

CONTENDERS = {
    "eomc": "eomc_",
    "CasADi": "casadi_",
    "Pinocchio": "pinocchio_",
}
"""Names in the table, and modules."""


def contender_class(name: str) -> type[Contender]:
    """Return the class of a contender."""
    tool: type[Contender] = importlib.import_module(f"comparison.contenders.{CONTENDERS[name]}").Tool
    return tool
