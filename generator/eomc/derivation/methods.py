"""Which method can derive which model, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.errors import UnsupportedError, UsageError
from eomc.model.parts import Hamiltonian, Lagrangian, MechanicalSystem
from eomc.wording import counted

if TYPE_CHECKING:
    from eomc.model.model import Model

__all__ = ["METHODS", "admissible_methods", "choose_method", "refusal"]

METHODS = ("kane", "lagrange", "hamilton", "hamilton-multipliers", "gibbs-appell")


def admissible_methods(model: Model) -> tuple[str, ...]:
    """Return the methods that can derive the model, the native one first."""
    native = {MechanicalSystem: "kane", Lagrangian: "lagrange", Hamiltonian: "hamilton"}[type(model.dynamics)]
    others = [method for method in METHODS if method != native and not refusal(model, method)]
    return (native, *others) if not refusal(model, native) else tuple(others)


def choose_method(model: Model, method: str | None) -> str:
    """Return the method to use: the asked one, or the native one for None.

    Raises
    ------
    UsageError
        There is no method of that name.
    UnsupportedError
        The method cannot serve the model; the message says why and what can.
    """
    if method is not None and method not in METHODS:
        raise UsageError(f"unknown method {method!r}: choose one of {', '.join(METHODS)}")
    able = admissible_methods(model)
    if method is None:
        if able:
            return able[0]
        raise UnsupportedError(f"{model.name}: {refusal(model, METHODS[0])}")
    if method not in able:
        raise UnsupportedError(
            f"{model.name} cannot be derived by {method}: {refusal(model, method)}; it can by {', '.join(able)}"
        )
    return method


def refusal(model: Model, method: str) -> str:
    """Return why the method cannot serve the model, an empty string when it can."""
    dynamics = model.dynamics
    if isinstance(dynamics, Hamiltonian):
        return "" if method == "hamilton" else "a Hamiltonian alone gives Hamilton's equations only"
    if method == "hamilton-multipliers" and not (dynamics.configuration_constraints or dynamics.velocity_constraints):
        return "it has no constraints: hamilton gives the same equations"
    if isinstance(dynamics, Lagrangian):
        if method == "gibbs-appell":
            return "a Lagrangian alone has no accelerations, of which the Gibbs function is made"
        return _hamiltons_refusal(dynamics) if method == "hamilton" else ""
    if method in ("kane", "gibbs-appell"):
        return ""
    if dynamics.auxiliary_speeds:
        return "it has auxiliary speeds, which only kane and gibbs-appell can use"
    independent = len(model.speeds)
    if method == "hamilton" and _hamiltons_refusal(dynamics):
        return _hamiltons_refusal(dynamics)
    if independent < len(model.coordinates):
        missing = len(model.coordinates) - independent
        return (
            f"it has {missing} {'speed' if missing == 1 else 'speeds'} fewer than coordinates, so q' cannot be its "
            f"state; give {counted(len(model.coordinates), 'speed')} and {counted(missing, 'velocity constraint')} "
            f"instead"
        )
    if independent > len(model.coordinates):
        coordinates = counted(len(model.coordinates), "coordinate")
        return f"it has {counted(independent, 'speed')} for {coordinates}, which only kane and gibbs-appell can use"
    return ""


def _hamiltons_refusal(dynamics: MechanicalSystem | Lagrangian) -> str:
    """Return why a system with these constraints has no Hamilton's equations with dependent coordinates."""
    if len(dynamics.velocity_constraints) > len(dynamics.configuration_constraints):
        return (
            "it is nonholonomic: Hamilton's equations with dependent coordinates need constraints on the configuration"
        )
    return ""
