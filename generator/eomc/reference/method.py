"""The methods by name, and which of them can serve a model."""

from __future__ import annotations

from typing import Protocol

from eomc.errors import UnsupportedError, UsageError
from eomc.model import Hamiltonian, Lagrangian, MechanicalSystem, Model
from eomc.reference.hamilton import HamiltonOfFunction
from eomc.reference.instant import Instant, Solution
from eomc.reference.kane import Kane
from eomc.reference.lagrange import HamiltonOfMomenta, Lagrange
from eomc.reference.setting import Setting
from eomc.wording import counted

__all__ = ["Method", "choose"]


class Method(Protocol):
    """A form of the equations of motion: what it calls the state's second part, and the motion at given states."""

    @property
    def setting(self) -> Setting:
        """Return the symbols with their rates."""
        ...

    @property
    def speed_names(self) -> tuple[str, ...]:
        """Return the names of the state's second part."""
        ...

    def solve(self, instant: Instant, accelerations: bool = ...) -> Solution:
        """Return the motion."""
        ...


def choose(model: Model, method: str | None) -> tuple[str, Method]:
    """Return the name of the method (the native one for None) and the method.

    Raises
    ------
    UsageError
        There is no method of this name.
    UnsupportedError
        The method cannot serve the model.
    """
    dynamics = model.dynamics
    native = {MechanicalSystem: "kane", Lagrangian: "lagrange", Hamiltonian: "hamilton"}[type(dynamics)]
    name = native if method is None else method
    if name not in ("kane", "lagrange", "hamilton"):
        raise UsageError(f"there is no method {name!r}: choose kane, lagrange or hamilton")
    if isinstance(dynamics, MechanicalSystem):
        if name == "kane":
            return name, Kane(model)
        _refuse_constraints(model, name, dynamics.configuration_constraints, dynamics.velocity_constraints)
        if dynamics.auxiliary_speeds or len(model.speeds) != len(model.coordinates):
            raise UnsupportedError(
                f"model {model.name!r} has {counted(len(model.coordinates), 'coordinate')} and "
                f"{counted(len(model.speeds), 'speed')}: {name} needs one speed for each coordinate and no auxiliary "
                "speeds, use kane"
            )
    elif isinstance(dynamics, Lagrangian):
        if name == "kane":
            raise UnsupportedError(f"model {model.name!r} is a Lagrangian without bodies: use lagrange or hamilton")
        _refuse_constraints(model, name, dynamics.configuration_constraints, dynamics.velocity_constraints)
    else:
        if name != "hamilton":
            raise UnsupportedError(f"model {model.name!r} is a Hamiltonian: use hamilton")
        return name, HamiltonOfFunction(model)
    return name, Lagrange(model) if name == "lagrange" else HamiltonOfMomenta(model)


def _refuse_constraints(model: Model, name: str, *constraints: tuple[object, ...]) -> None:
    if any(constraints):
        raise UnsupportedError(
            f"model {model.name!r} has constraints, which {name} does not serve: use bodies with kane"
        )
