"""Model -> EquationsOfMotion by the method asked for."""

from __future__ import annotations

from eomc.derivation.events import with_events
from eomc.derivation.finish import finish
from eomc.derivation.methods.record import Derivation
from eomc.derivation.options import DEFAULT_OPTIONS, Options
from eomc.derivation.pose import pose
from eomc.derivation.problem import Problem
from eomc.errors import DerivationError, UnsupportedError
from eomc.ir.equations import NO_MATRICES, Constraints, Energetics, EquationsOfMotion, Motion
from eomc.ir.finite import refuse_infinite, too_large
from eomc.ir.method import Method
from eomc.model.model import Model
from eomc.solving.ldlt import IndefiniteError


def derive(
    model: Model, method: Derivation, problem: Problem | None = None, options: Options = DEFAULT_OPTIONS
) -> EquationsOfMotion:
    """Derive the equations of motion of a model by an admissible method.

    Parameters
    ----------
    model, method
        What is derived, and how.
    problem
        The model on a graph, written in its speeds, where that is at hand: Kane's method goes on from there.
    options
        How constraints are met and kept.

    Raises
    ------
    DerivationError
        The equations do not exist: singular mass or kinematic matrix, velocities not linear in the speeds; or what
        numbers of the model come to is larger than a double can hold.
    LoweringError
        An expression has no meaning in real arithmetic.
    UnsupportedError
        A recursion is asked for that does not serve the model.
    """
    try:
        if problem is None:
            problem = pose(model, options=options)
        equations = _of_first_order(method, problem) if model.is_first_order else method.derive(method, problem)
    except IndefiniteError as error:
        raise DerivationError(f"{model.name}: {error}") from error
    except OverflowError as error:
        raise too_large(model.name) from error
    refuse_infinite(problem.graph, model.name)
    if options.algorithm != "auto" and equations.motion.recursion is None:
        raise UnsupportedError(
            f"{model.name}: algorithm is {options.algorithm!r}, which is for trees of joints by kane; this model, by "
            f"{method.name}, is solved without recursions over joints: leave algorithm out"
        )
    return equations


def _of_first_order(method: Method, problem: Problem) -> EquationsOfMotion:
    """Return z' = g(z, r, t): there is nothing to derive."""
    energetics = Energetics(no_power="a system of first order has no energy")
    summary = "z' = g(z, r, t), a system of first order"
    equations = finish(
        problem, method, summary, Motion((), NO_MATRICES, (), ()), Constraints(), energetics, (), lambda node: node
    )
    return with_events(equations, problem, None)
