"""Which method can derive which model, and why not."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from eomc.derivation.bodies import BodySystem
from eomc.derivation.constraints import constraint_rows
from eomc.derivation.integrability import why_no_energy_gives_forces
from eomc.derivation.lagrange import is_velocity_dependent, kinetic_form
from eomc.derivation.problem import Problem, has_constraints
from eomc.errors import EomcError, UnsupportedError, UsageError
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian, Lagrangian, MechanicalSystem
from eomc.wording import counted

if TYPE_CHECKING:
    from eomc.model.model import Model

__all__ = ["METHODS", "admissible_methods", "choose_method", "refusal"]

METHODS = ("kane", "lagrange", "hamilton", "hamilton-multipliers", "gibbs-appell")
_BY_ENERGY = frozenset({"lagrange", "hamilton", "hamilton-multipliers"})
_NATIVE = {MechanicalSystem: "kane", Lagrangian: "lagrange", Hamiltonian: "hamilton"}


def admissible_methods(model: Model) -> tuple[str, ...]:
    """Return the methods that can derive the model, the native one first.

    What counts of constraints and speeds leave open, the expressions are asked, as the derivation asks them: whether
    velocities are rates of positions, and constraints on velocities rates of constraints on the configuration.
    """
    native = _NATIVE[type(model.dynamics)]
    able = [method for method in (native, *METHODS) if not refusal(model, method)]
    if not isinstance(model.dynamics, Hamiltonian) and not _BY_ENERGY.isdisjoint(able):
        hopeless = _refused_by_looking(model, able)
        able = [method for method in able if method not in hopeless]
    return tuple(dict.fromkeys(able))


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
    if method is None:
        return _NATIVE[type(model.dynamics)]
    reason = refusal(model, method)
    if reason:
        able = ", ".join(admissible_methods(model))
        raise UnsupportedError(f"{model.name} cannot be derived by {method}: {reason}; it can by {able}")
    return method


def refusal(model: Model, method: str) -> str:
    """Return why the method cannot serve the model, an empty string when it can.

    By kinds and counts alone, so that choosing costs nothing; what takes derivatives to find, the derivation by this
    method refuses.
    """
    dynamics = model.dynamics
    if isinstance(dynamics, Hamiltonian):
        return "" if method == "hamilton" else "a Hamiltonian alone gives Hamilton's equations only"
    if model.is_first_order:
        return "" if method == "kane" else "it has no coordinates and no speeds: nothing is derived"
    if method.startswith("hamilton") and model.following_load:
        return f"{model.following_load} holds accelerations, and Hamilton's equations hold none"
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


def _refused_by_looking(model: Model, able: Collection[str]) -> Collection[str]:
    """Return those of the able methods that the derivation will refuse."""
    problem = Problem(model, [f"{name_of(q)}_d" for q in model.coordinates])
    dynamics = model.dynamics
    try:
        if isinstance(dynamics, MechanicalSystem):
            if why_no_energy_gives_forces(problem, BodySystem(problem)):
                return _BY_ENERGY
        elif is_velocity_dependent(problem, kinetic_form(problem, problem.scalars(dynamics.expression)).mass_matrix):
            return ("hamilton", "hamilton-multipliers")
        nonholonomic = "hamilton" in able and has_constraints(model) and None in constraint_rows(problem).positions
    except EomcError:  # no method derives it then, each with this error
        return ()
    return ("hamilton",) if nonholonomic else ()
