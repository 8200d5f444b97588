"""The methods of derivation: which can derive which model, and why not."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derivation.bodies import BodySystem
from eomc.derivation.constraints import constraint_rows
from eomc.derivation.integrability import why_no_energy_gives_forces
from eomc.derivation.lagrange import is_velocity_dependent, kinetic_form
from eomc.derivation.methods.gibbs_appell import GIBBS_APPELL
from eomc.derivation.methods.hamilton import HAMILTON
from eomc.derivation.methods.hamilton_multipliers import HAMILTON_MULTIPLIERS
from eomc.derivation.methods.kane import KANE
from eomc.derivation.methods.lagrange import LAGRANGE
from eomc.derivation.methods.record import Derivation, Need
from eomc.derivation.options import refuse_unknown
from eomc.derivation.pose import pose
from eomc.errors import EomcError, UnsupportedError
from eomc.ir.method import SecondHalf
from eomc.model.model import Model
from eomc.model.parts import Hamiltonian, MechanicalSystem
from eomc.model.trees.tree import JointTree

METHODS = (KANE, LAGRANGE, HAMILTON, HAMILTON_MULTIPLIERS, GIBBS_APPELL)
_NAMED = {method.name: method for method in METHODS}
_NATIVE = {method.native: method for method in METHODS if method.native is not None} | {JointTree: KANE}


def admissible_methods(model: Model) -> tuple[str, ...]:
    """Return the names of the methods that can derive the model, the native one first.

    What counts of constraints and speeds leave open, the expressions are asked, as the derivation asks them: whether
    velocities are rates of positions, and constraints on velocities rates of constraints on the configuration.
    """
    ordered = dict.fromkeys((_NATIVE[type(model.dynamics)], *METHODS))
    able = [method for method in ordered if not _refusal(model, method)]
    unmet = _unmet_needs(model, able)
    return tuple(method.name for method in able if method.needs.isdisjoint(unmet))


def able_by_counts(model: Model) -> tuple[Derivation, ...]:
    """Return the methods that kinds and counts let derive the model; the derivation itself may still refuse."""
    return tuple(method for method in METHODS if not _refusal(model, method))


def choose_method(model: Model, name: str | None) -> Derivation:
    """Return the method to use: the asked one, or the native one for None.

    Raises
    ------
    UsageError
        There is no method of that name.
    UnsupportedError
        The method cannot serve the model; the message says why and what can.
    """
    if name is None:
        return _NATIVE[type(model.dynamics)]
    refuse_unknown("method", name, tuple(_NAMED))
    method = _NAMED[name]
    reason = _refusal(model, method)
    if reason:
        able = ", ".join(admissible_methods(model))
        raise UnsupportedError(f"{model.name} cannot be derived by {name}: {reason}; it can by {able}")
    return method


def _refusal(model: Model, method: Derivation) -> str:
    """Return why the method cannot serve the model, an empty string when it can.

    By kinds and counts alone, so that choosing costs nothing; what takes derivatives to find, the derivation by this
    method refuses.
    """
    if isinstance(model.dynamics, Hamiltonian) and method.native is not Hamiltonian:
        return "a Hamiltonian alone gives Hamilton's equations only"
    if isinstance(model.dynamics, JointTree):
        return "" if method is KANE else "recursions over joints are Kane's; model.as_bodies() serves the others"
    if model.is_first_order:
        return "" if method.native is MechanicalSystem else "it has no coordinates and no speeds: nothing is derived"
    return method.refusal(model)


def _unmet_needs(model: Model, able: Sequence[Derivation]) -> frozenset[Need]:
    """Return what the model does not have of all that the able methods need."""
    needed = frozenset[Need]().union(*(method.needs for method in able))
    dynamics = model.dynamics
    if not needed or isinstance(dynamics, (Hamiltonian, JointTree)):
        return frozenset()
    problem = pose(model, SecondHalf.VELOCITIES)
    try:
        if isinstance(dynamics, MechanicalSystem):
            if why_no_energy_gives_forces(problem, BodySystem(problem)):
                return frozenset({Need.ENERGY})
        elif is_velocity_dependent(problem, kinetic_form(problem, problem.scalars(dynamics.expression)).mass_matrix):
            return frozenset({Need.LINEAR_MOMENTA})
        holonomic = Need.HOLONOMIC not in needed or not model.is_constrained
        nonholonomic = not holonomic and None in constraint_rows(problem).positions
    except EomcError:  # no method derives it then, each with this error
        return frozenset()
    return frozenset({Need.HOLONOMIC}) if nonholonomic else frozenset()
