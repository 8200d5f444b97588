"""The methods by name, and which of them can serve a model."""

from __future__ import annotations

from typing import Protocol

from eomc.errors import UnsupportedError, UsageError
from eomc.model import Hamiltonian, JointTree, Lagrangian, MechanicalSystem, Model
from eomc.reference.gibbs import GibbsAppell
from eomc.reference.hamilton import HamiltonOfFunction
from eomc.reference.instant import Balance, Instant, Solution
from eomc.reference.integrable import refuse_other_velocities
from eomc.reference.jets import Array
from eomc.reference.kane import Kane
from eomc.reference.lagrange import (
    HamiltonOfDependentCoordinates,
    HamiltonOfMomenta,
    HamiltonWithMultipliers,
    Lagrange,
)
from eomc.reference.momenta import BodyMomenta
from eomc.reference.setting import Setting
from eomc.reference.trees.motion import TreeMotion
from eomc.wording import counted

_NAMES = ("kane", "gibbs-appell", "lagrange", "hamilton", "hamilton-multipliers")


_NATIVE: dict[type, str] = {
    MechanicalSystem: "kane",
    Lagrangian: "lagrange",
    Hamiltonian: "hamilton",
    JointTree: "kane",
}


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

    def balance(self, instant: Instant) -> Balance:
        """Return the equations of the second part's rates, or of q'' under momenta, before they are solved."""
        ...

    def constraint_values(self, instant: Instant) -> tuple[Array, Array]:
        """Return the residuals of the configuration (k, m) and the velocity constraints (k, n)."""
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
    native = _NATIVE[type(dynamics)]
    name = native if method is None else method
    if name not in _NAMES:
        raise UsageError(f"there is no method {name!r}: choose one of {', '.join(_NAMES)}")
    if model.is_first_order and name != "kane":
        raise UnsupportedError(f"model {model.name!r} has no coordinates and no speeds: use kane")
    if name.startswith("hamilton") and model.following_load:
        raise UnsupportedError(f"model {model.name!r}: {model.following_load} holds accelerations: use {native}")
    if isinstance(dynamics, JointTree):
        if name != "kane":
            raise UnsupportedError(
                f"model {model.name!r} is a tree of joints: use kane, or {name} of model.as_bodies()"
            )
        return name, TreeMotion(model)
    if isinstance(dynamics, MechanicalSystem):
        if name in ("kane", "gibbs-appell"):
            return name, Kane(model) if name == "kane" else GibbsAppell(model)
        if dynamics.auxiliary_speeds or len(model.speeds) != len(model.coordinates):
            raise UnsupportedError(
                f"model {model.name!r} has {counted(len(model.coordinates), 'coordinate')} and "
                f"{counted(len(model.speeds), 'speed')}: {name} needs one speed for each coordinate and no auxiliary "
                "speeds, use kane"
            )
    elif isinstance(dynamics, Lagrangian):
        if name == "gibbs-appell":
            raise UnsupportedError(f"model {model.name!r} is a Lagrangian without bodies: use lagrange or hamilton")
    else:
        if name != "hamilton":
            raise UnsupportedError(f"model {model.name!r} is a Hamiltonian: use hamilton")
        return name, HamiltonOfFunction(model)
    chosen = _by_energy(model, name, model.is_constrained)
    if isinstance(chosen.source, BodyMomenta):
        refuse_other_velocities(model, chosen.source, name)
    return name, chosen


def _by_energy(model: Model, name: str, constrained: bool) -> Lagrange | HamiltonOfMomenta:
    """Return a method that starts from momenta."""
    if name in ("kane", "lagrange"):  # the speeds of a Lagrangian are q': Kane's equations are Lagrange's
        return Lagrange(model)
    if not constrained:
        return HamiltonOfMomenta(model)
    return (HamiltonOfDependentCoordinates if name == "hamilton" else HamiltonWithMultipliers)(model)
