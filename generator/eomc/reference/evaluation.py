"""Functions of an instant, at one state or many: what is given becomes arrays, in pieces whose jets stay small."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import sympy
from numpy.typing import ArrayLike

from eomc.errors import UsageError
from eomc.model import Input, JointTree, Model, Parameter
from eomc.model.amounts import amount_of
from eomc.model.arrays import Arrays
from eomc.reference.clock import MissingRateError
from eomc.reference.given import finite_array, times_at
from eomc.reference.instant import Instant
from eomc.reference.jets import Array
from eomc.reference.method import Method
from eomc.wording import counted

Values: TypeAlias = ArrayLike | Mapping[str | sympy.Expr, Any] | None
"""Inputs or parameters: all in an array (n,) or (k, n), or some by name or symbol; the rest have their defaults."""

_JET_LIMIT = 60_000  # numbers in the second derivatives of one quantity at all states that are evaluated together
_JETS_LIMIT = 6_000_000  # the same of all quantities beside a tree of joints, whose links are plain numbers


class Evaluation:
    """Evaluates functions of an instant of `model` by `method`, whose state has `names`."""

    def __init__(self, model: Model, method: Method, names: Sequence[str]) -> None:
        self.model = model
        self.names = tuple(names)
        self.inputs = np.array([r.value for r in model.inputs], dtype=np.float64)
        self.parameters = np.array([p.value for p in model.parameters], dtype=np.float64)
        self._method = method
        square = (len(self.names) + 1) ** 2
        jets = _expressions_beside(model)
        self._together = max(1, _JET_LIMIT // square, _JETS_LIMIT // (square * jets) if jets else 0)

    def numbers(self, x: ArrayLike) -> Array:
        """Return one state or several."""
        return finite_array(x, f"the state of {self.model.name!r}", self.names)

    def instant(self, t: ArrayLike, x: Array, inputs: Values, parameters: Values) -> Instant:
        """Return the instant of states (k, nx)."""
        nq, nz = len(self.model.coordinates), len(self.model.extra_states)
        if x.shape[1] != len(self.names):
            size = counted(len(self.names), "number")
            raise UsageError(f"a state of {self.model.name!r} has {size} ({', '.join(self.names)}), not {x.shape[1]}")
        states = len(x)
        time = times_at(t, states)
        middle = x.shape[1] - nz
        return Instant(
            time,
            x[:, :nq],
            x[:, nq:middle],
            x[:, middle:],
            _filled(inputs, self.inputs, self.model.inputs, states, "input"),
            self.parameters_of(parameters, states),
        )

    def parameters_of(self, given: Values, count: int = 1) -> Array:
        """Return parameters (count, np): those that are given, and the defaults."""
        rows = self.model.parameters
        return _filled(given, self.parameters, rows, count, "parameter", Arrays(rows))

    def array(
        self, evaluate: Callable[[Instant], Array], t: ArrayLike, x: ArrayLike, inputs: Values, parameters: Values
    ) -> Array:
        """Return a function at one state, or rows of its values at several."""
        single, pieces = self._pieces(t, x, inputs, parameters)
        with np.errstate(all="ignore"):
            result = np.concatenate([self._decided(evaluate, piece)[:count] for count, piece in pieces])
        return np.asarray(result[0]) if single else result

    def by_name(
        self,
        evaluate: Callable[[Instant], Mapping[str, Array]],
        t: ArrayLike,
        x: ArrayLike,
        inputs: Values,
        parameters: Values,
        accelerations: ArrayLike | None = None,
    ) -> dict[str, float | Array]:
        """Return named functions at one state, or rows of their values at several."""
        single, pieces = self._pieces(t, x, inputs, parameters, accelerations)
        with np.errstate(all="ignore"):
            parts = [(count, evaluate(piece)) for count, piece in pieces]
        joined = {name: np.concatenate([part[name][:count] for count, part in parts]) for name in parts[0][1]}
        return {name: float(array[0]) if single else array for name, array in joined.items()}

    def _pieces(
        self,
        t: ArrayLike,
        x: ArrayLike,
        inputs: Values,
        parameters: Values,
        accelerations: ArrayLike | None = None,
    ) -> tuple[bool, list[tuple[int, Instant]]]:
        """Return whether one state was given, and the states in pieces whose jets stay small, with their numbers.

        A lone row of a table stands twice: one that is singular is then NaN, as it is among others.
        """
        states = self.numbers(x)
        whole = self.instant(t, np.atleast_2d(states), inputs, parameters)
        if accelerations is not None:
            rates = finite_array(accelerations, f"accelerations of {self.model.name!r}")
            whole = replace(whole, accelerations=np.broadcast_to(rates, (whole.states, rates.shape[-1])))
        single, pieces = states.ndim < 2, []
        for start in range(0, max(1, whole.states), self._together):
            part = np.arange(start, min(start + self._together, whole.states))
            rows = np.repeat(part, 2) if len(part) == 1 and not single else part
            pieces.append((len(part), whole.at_rows(rows)))
        return single, pieces

    def _decided(self, evaluate: Callable[[Instant], Array], instant: Instant) -> Array:
        """Evaluate; where a signal's derivative is missing, show that it does not matter by supposing two values."""
        try:
            return evaluate(instant)
        except MissingRateError:
            try:
                self._method.setting.supposed = 0.0
                one = evaluate(instant)
                self._method.setting.supposed = 1.0
                other = evaluate(instant)
            finally:
                self._method.setting.supposed = None
            if not np.allclose(one, other, rtol=1e-12, atol=1e-12, equal_nan=True):
                raise
            return one


def _expressions_beside(model: Model) -> int:
    """Return how many expressions stand beside a tree of joints, more or less; zero where there is no tree."""
    tree = model.dynamics
    if not isinstance(tree, JointTree):
        return 0
    loads = sum(len(load.components) for load in tree.loads)
    constraints = len(tree.configuration_constraints) + len(tree.velocity_constraints)
    return 1 + loads + constraints + len(model.outputs) + len(model.extra_states) + len(model.events)


def _filled(
    given: Values,
    defaults: Array,
    rows: Sequence[Input | Parameter],
    states: int,
    kind: str,
    arrays: Arrays | None = None,
) -> Array:
    """Return an array (states, n) of the given values and the defaults."""
    symbols = [(one.name, one.symbol) for one in rows]
    if given is None:
        return np.broadcast_to(defaults, (states, len(defaults)))
    if isinstance(given, Mapping):
        given = arrays.spread(given) if arrays is not None else given
        known = {key: index for index, names in enumerate(symbols) for key in names}
        values = defaults.copy()
        for key, value in given.items():
            if key not in known:
                names = ", ".join(name for name, _ in symbols) or "none"
                raise UsageError(f"there is no {kind} {key}: the {kind}s are {names}")
            values[known[key]] = amount_of(f"the {kind} {key}", value, rows[known[key]].unit)
        return np.broadcast_to(values, (states, len(values)))
    array = finite_array(given, f"the {kind}s", [name for name, _ in symbols])
    if array.shape[-1:] != (len(symbols),):
        raise UsageError(
            f"{kind}s: give {counted(len(symbols), 'number')} ({', '.join(n for n, _ in symbols)}), not {array.shape}"
        )
    return np.broadcast_to(array, (states, len(symbols)))
