"""A model's equations on a graph, and the state about which something is asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.analysis.contract import Built
from eomc.analysis.dimensions import refuse_disagreeing
from eomc.analysis.initial import InitialState
from eomc.analysis.trimmed import Trim
from eomc.binding.vectors import Array, NamedVector, Values, name_of_key, real_array
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.options import DEFAULT_OPTIONS, Options
from eomc.errors import SingularSystemError, UnsupportedError, UsageError
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.graph import Node
from eomc.ir.interpreter import Sample
from eomc.ir.remedies import remedy, told
from eomc.ir.runs import USUAL
from eomc.ir.symbols import Symbol
from eomc.model import Hamiltonian, Model
from eomc.model.amounts import amount_of, state_units
from eomc.model.arguments import number_of
from eomc.passes.checking import checked_nodes
from eomc.wording import counted

_ASIDE = 1e-2  # how far to look around a state, in proportion to it


@dataclass(frozen=True, slots=True, eq=False)
class About:
    """Equations, whose graph derivatives may be added to, and numbers for all that they hold."""

    model: Model
    method: str
    equations: EquationsOfMotion
    state: Array  # (nx,)
    inputs: Array  # (nr,)
    parameters: Array  # (np,)
    t: float

    @property
    def closures(self) -> list[Node]:
        """The residuals of the configuration constraints."""
        dynamics = self.model.dynamics
        constraints = () if isinstance(dynamics, Hamiltonian) else dynamics.configuration_constraints
        return [quantity.node for quantity in self.equations.constraints.residuals[: len(constraints)]]

    def numbers(self, state: Array | None = None, inputs: Array | None = None) -> dict[Symbol, float]:
        """Return the numbers, with another state or other inputs where these are given."""
        equations = self.equations
        numbers = {equations.time: self.t}
        for variables, values in (
            (equations.states, self.state if state is None else state),
            (equations.inputs, self.inputs if inputs is None else inputs),
            (equations.parameters, self.parameters),
        ):
            numbers.update((v.symbol, value) for v, value in zip(variables, values.tolist(), strict=True))
        return numbers

    def sample(self, state: Array | None = None, inputs: Array | None = None) -> Sample:
        """Return the values of nodes."""
        return Sample(self.equations.graph, self.numbers(state, inputs))

    def refuse_singular(self, nodes: Sequence[Node], sample: Sample, instead: str) -> None:
        """Refuse a state at which nodes have no unique solution, by the tests that the emitted C makes.

        Raises
        ------
        SingularSystemError
            So it is; the message says what to do `instead`.
        """
        for check in checked_nodes(self.equations.graph, self.equations.checks, nodes):
            if not sample[check.condition]:
                raise SingularSystemError(
                    f"{self.model.name}: the equations are singular at this state: no unique solution for "
                    f"{told(check.label)}; {remedy(check.label, instead)}"
                )


def equations_about(
    model: Model | Built,
    at: ArrayLike | Mapping[Any, float] | Iterable[tuple[Any, float]] | Trim | None,
    method: str | None,
    inputs: Values | None,
    parameters: Values | None,
    t: float,
    forms: tuple[str, str | None],
    units: str,
    asked: str,
) -> About:
    """Return a model's equations and the state that `at` stands for; the arguments are those of `eomc.linearize`.

    Parameters
    ----------
    forms
        Its `constraints` and `stabilization`.
    asked
        The function that asks, for messages.
    """
    if isinstance(at, Trim):
        method = at.method if method is None and isinstance(model, Model) else method
        t = at.t if t == 0.0 else t
        inputs = at.inputs if inputs is None else inputs
        parameters = at.parameters if parameters is None else parameters
    description, starts, equations = _derived(model, method, forms, units, asked)
    owner = description.name
    if isinstance(at, Trim):
        if (at.model, at.state_names) != (owner, tuple(state.name for state in equations.states)):
            raise UsageError(f"{owner} by {equations.method.name}: this trim is of {at.model} by {at.method}")
        at = at.state
    _refuse_growing_momenta(description, equations)
    t = number_of(f"{owner}: t", t, UsageError)
    r = NamedVector.of("input", owner, equations.inputs).array(inputs)
    p = NamedVector.of("parameter", owner, equations.parameters).array(parameters)
    named = {v.name: value for v, value in zip(equations.parameters, p.tolist(), strict=True)}
    signals = {v.name: value for v, value in zip(equations.inputs, r.tolist(), strict=True)}
    x = np.array(_state(description, starts, len(equations.states), at, t, named, signals))
    return About(description, equations.method.name, equations, x, r, p, t)


def aside(state: Array) -> Array:
    """Return how far to go from each state to one beside it; no scale but its own is known of a state."""
    sizes: Array = _ASIDE * np.where(state == 0.0, 1.0, np.abs(state))
    return sizes


def _derived(
    model: Model | Built, method: str | None, forms: tuple[str, str | None], units: str, asked: str
) -> tuple[Model, InitialState, EquationsOfMotion]:
    options = Options.of(model.run if isinstance(model, Model) else USUAL, *forms)
    if isinstance(model, Model):
        chosen = choose_method(model, method)
        refuse_disagreeing(model, units)
        starts = InitialState(model, chosen, options)
        return model, starts, derive(model, chosen, starts.problem, options)
    if not hasattr(model, "equations"):
        raise UsageError(f"{asked} takes an eomc.Model or a build of one, not {type(model).__name__}")
    if method is not None and method != model.method:
        raise UsageError(f"this build of {model.model.name} is by {model.method}, not by {method}: give the model")
    for name in ("constraints", "stabilization"):
        here, there = getattr(options, name), getattr(model.options, name)
        if here not in (getattr(DEFAULT_OPTIONS, name), there):
            raise UsageError(f"this build of {model.model.name} has {name}={there}, not {name}={here}: give the model")
    own = replace(model.equations, graph=model.equations.graph.copy())  # derivatives are added to it
    return model.model, model.starts, own


def _refuse_growing_momenta(model: Model, equations: EquationsOfMotion) -> None:
    """Refuse momenta that are determined up to Phi_q^T sigma: sigma' = lambda, so that nothing is ever at rest."""
    if not equations.constraints.impulses:
        return
    raise UnsupportedError(
        f"{model.name}: Hamilton's equations with dependent coordinates cannot be linearized: their momenta grow at "
        "rest, too, by the impulse of the constraints; use hamilton-multipliers, or another method"
    )


def _state(
    model: Model,
    starts: InitialState,
    size: int,
    at: Any,
    t: float,
    parameters: dict[str, float],
    inputs: dict[str, float],
) -> list[float]:
    """Return the whole state that `at` stands for."""
    owner = model.name
    if at is None:
        return starts({}, t, parameters, inputs).state
    if isinstance(at, Mapping) or _are_pairs(at):
        units = state_units(model)
        given = {
            name_of_key(key): amount_of(f"{owner}: {key}", one, units.get(name_of_key(key), ""))
            for key, one in dict(at).items()
        }
        return starts(given, t, parameters, inputs).state
    state = real_array(at, f"{owner}: the state")
    if state.shape != (size,):
        raise UsageError(f"{owner}: a state has {counted(size, 'entry', 'entries')}, not the shape {state.shape}")
    if not np.isfinite(state).all():
        raise UsageError(f"{owner}: the state must be finite, not {state.tolist()}")
    return [float(value) for value in state]


def _are_pairs(at: object) -> bool:
    """Whether values come with their names or symbols, as in ``model.initial``."""
    return isinstance(at, (tuple, list)) and all(
        isinstance(one, tuple) and len(one) == 2 and not isinstance(one[0], (int, float)) for one in at
    )
