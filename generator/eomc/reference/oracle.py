"""The reference itself: what a simulator computes, computed from the model by numbers alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import sympy
from numpy.typing import ArrayLike, NDArray

from eomc.errors import UsageError
from eomc.model import Model, name_of
from eomc.model.arrays import Arrays
from eomc.reference.arrays import equilibrated, stack
from eomc.reference.clock import MissingRateError
from eomc.reference.constraints import Constraints
from eomc.reference.energies import Energies
from eomc.reference.gibbs import gibbs_function
from eomc.reference.given import finite, finite_array, times_at
from eomc.reference.hamilton import HamiltonOfFunction
from eomc.reference.inertias import Inertias
from eomc.reference.instant import Instant, Solution, constants
from eomc.reference.jets import Array
from eomc.reference.kane import Kane
from eomc.reference.lagrange import HamiltonOfDependentCoordinates
from eomc.reference.method import choose
from eomc.reference.plan import Plan
from eomc.reference.rates import Slope
from eomc.reference.slopes import Point, Slopes
from eomc.reference.states import Given, States
from eomc.wording import counted

__all__ = ["Reference", "Values"]

Values: TypeAlias = ArrayLike | Mapping[str | sympy.Expr, float] | None
"""Inputs or parameters: all in an array (n,) or (k, n), or some by name or symbol; the rest have their defaults."""

_STEPS = 15  # of Newton's method, for a state that there need not be
_JET_LIMIT = 60_000  # numbers in the second derivatives of one quantity at all states that are evaluated together


class Reference:
    """The equations of motion of `model` by one method, evaluated with jets and `numpy.linalg`.

    Functions take the time, a state (nx,) or k states (k, nx), inputs and parameters. At one state a singular system
    raises SingularSystemError; among several, the results at that state are NaN. What is given must be finite numbers;
    anything else raises UsageError.

    Parameters
    ----------
    model
        The mechanism.
    method
        ``"kane"``, ``"gibbs-appell"``, ``"lagrange"``, ``"hamilton"`` or ``"hamilton-multipliers"``; None for the
        model's native one.

    Raises
    ------
    UsageError
        There is no such method.
    UnsupportedError
        The method cannot serve the model.
    """

    def __init__(self, model: Model, method: str | None = None) -> None:
        if not isinstance(model, Model):
            raise UsageError(
                f"eomc.reference takes an eomc.Model, not {type(model).__name__}; "
                "eomc.load makes one from a name or file"
            )
        self.model = model
        self.method, self._method = choose(model, method)
        self.state_names: tuple[str, ...] = (
            *(name_of(q) for q in model.coordinates),
            *self._method.speed_names,
            *(z.name for z in model.extra_states),
        )
        self.input_names = tuple(r.name for r in model.inputs)
        self.parameter_names = tuple(p.name for p in model.parameters)
        self.output_names = tuple(output.name for output in model.outputs)
        self._inputs = np.array([r.value for r in model.inputs], dtype=np.float64)
        self._parameters = np.array([p.value for p in model.parameters], dtype=np.float64)
        self._states = States(model, self._method, self._inputs, self._parameters)
        self._outputs = Plan()
        self._output_places = [self._outputs.add(output.expression) for output in model.outputs]
        self._rate_plan = Plan()
        self._rate_places = [self._rate_plan.add(z.rate) for z in model.extra_states]
        moving = {*(u.diff(model.time) for u in model.speeds), *(q.diff(model.time, 2) for q in model.coordinates)}
        self._accelerated = not moving.isdisjoint([*self._outputs.symbols, *self._rate_plan.symbols])
        self._energies = Energies(model, self._method)

    def __repr__(self) -> str:
        return f"<eomc.reference of {self.model.name!r} by {self.method}>"

    def rhs(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return dx/dt, shape (nx,) or (k, nx)."""

        def evaluate(instant: Instant) -> Array:
            solution = self._method.solve(instant, self._accelerated)
            extra = self._extra_rates(instant, solution)
            return np.concatenate([solution.coordinate_rates, solution.speed_rates, extra], axis=1)

        return self._at(evaluate, t, x, inputs, parameters)

    def _extra_rates(self, instant: Instant, solution: Solution) -> Array:
        """Return z' (k, nz)."""
        results = self._rate_plan.run(constants(solution.values)) if self._rate_places else []
        return stack([results[place] for place in self._rate_places], (instant.states,)).value

    def jacobian(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> tuple[Array, Array]:
        """Return d rhs/dx and d rhs/dr by differences, (nx, nx) and (nx, nr), after (k,) for k states."""
        slopes = self.differences("jacobian", t, x, inputs, parameters)["jacobian"].value
        nx = len(self.state_names)
        pair = slopes[..., :nx], slopes[..., nx:]
        return (pair[0][0], pair[1][0]) if np.ndim(x) < 2 else pair

    def time_derivative(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return d rhs/dt at held states and inputs by differences, shape (nx,) or (k, nx)."""
        slopes = self.differences("time_derivative", t, x, inputs, parameters)["time_derivative"].value
        return slopes[0] if np.ndim(x) < 2 else slopes

    def differences(
        self, function: str, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, Slope]:
        """Return what is known by differences only, with errors and sizes, by name at k states.

        Parameters
        ----------
        function
            ``"jacobian"``: (k, nx, nx + nr); ``"time_derivative"``: (k, nx); ``"power"``: (k,) for each energy.
        t, x, inputs, parameters
            As everywhere.
        """
        return Slopes(self, self._point(t, x, inputs, parameters)).of(function)

    def _point(self, t: ArrayLike, x: ArrayLike, inputs: Values, parameters: Values) -> Point:
        """Return times (k,), states (k, nx), inputs (k, nr), parameters (k, np), and how far x and r may reach."""
        states = np.atleast_2d(self._numbers(x))
        whole = self._instant(t, states, inputs, parameters)
        reach = np.maximum(np.abs(states), self._states.reach(whole.time, whole.parameters))
        signals = np.maximum(np.abs(whole.inputs), np.where(self._inputs == 0.0, 1.0, np.abs(self._inputs)))
        return Point(whole.time, states, whole.inputs, whole.parameters, reach, signals)

    def mass_matrix(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return M, shape (n, n) or (k, n, n).

        Kane: over the independent speeds, u_I in M u_I' = f. Lagrange and Hamilton: d2L/dq'2. A given Hamiltonian: the
        identity, for nothing is solved.
        """
        return self._at(lambda instant: self._method.solve(instant).mass_matrix, t, x, inputs, parameters)

    def forcing(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return f in M u_I' = f (Kane), M q'' = f (Lagrange, Hamilton) or p' = f (a given H), (n,) or (k, n)."""

        def evaluate(instant: Instant) -> Array:
            return self._method.solve(instant, accelerations=True).forcing

        return self._at(evaluate, t, x, inputs, parameters)

    def velocities(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return q', shape (nq,) or (k, nq): by it the methods can be compared."""
        return self._at(lambda instant: self._method.solve(instant).coordinate_rates, t, x, inputs, parameters)

    def accelerations(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return q'', shape (nq,) or (k, nq): by it the methods can be compared."""

        def evaluate(instant: Instant) -> Array:
            return self._method.solve(instant, accelerations=True).coordinate_accelerations

        return self._at(evaluate, t, x, inputs, parameters)

    def outputs(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return the model's outputs in their order, shape (ny,) or (k, ny)."""

        def evaluate(instant: Instant) -> Array:
            solution = self._method.solve(instant, self._accelerated)
            values = dict(solution.values)
            extra = self._extra_rates(instant, solution)
            values.update({z.symbol.diff(self.model.time): extra[:, i] for i, z in enumerate(self.model.extra_states)})
            results = self._outputs.run(constants(values))
            return stack([results[place] for place in self._output_places], (instant.states,)).value

        return self._at(evaluate, t, x, inputs, parameters)

    def energy(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return energies by name.

        Bodies: kinetic T, potential V, total T + V and jacobi T2 - T0 + V; potential and what contains it are missing
        where no point at rest is known to measure heights from. A Lagrangian: total and jacobi are both
        h = q' . dL/dq' - L, potential is h at q' = 0 (missing where that has no value), kinetic is h - potential. A
        Hamiltonian: hamiltonian, H.
        """
        self._energies.prepare(self._sample)
        return self._named(lambda instant: self._energies.at(instant).named, t, x, inputs, parameters)

    def energy_parts(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> tuple[dict[str, Array], dict[str, Array]]:
        """Return of k states the parts of the energies that depend on the motion, and those that do not, by name."""
        self._energies.prepare(self._sample)

        def evaluate(instant: Instant) -> dict[str, Array]:
            energy = self._energies.at(instant)
            return {**{f"+{name}": part for name, part in energy.moving.items()}, **energy.resting}

        parts = self._named(evaluate, t, x, inputs, parameters)
        moving = {name[1:]: np.asarray(part) for name, part in parts.items() if name.startswith("+")}
        return moving, {name: np.asarray(part) for name, part in parts.items() if not name.startswith("+")}

    def power(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return the rates of the energies along the motion [W], by the energies' names."""
        rates = self.differences("power", t, x, inputs, parameters)
        return {name: float(one.value[0]) if np.ndim(x) < 2 else one.value for name, one in rates.items()}

    def gibbs(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return the Gibbs function of a system of bodies at this motion [J/s^2], by its name gibbs_function."""
        kane = Kane(self.model)

        def evaluate(instant: Instant) -> dict[str, Array]:
            return {"gibbs_function": gibbs_function(kane, instant, kane.solve(instant).speed_rates)}

        return self._named(evaluate, t, x, inputs, parameters)

    def momenta(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return the generalized momenta p = dL/dq' by name; none where there are fewer speeds than coordinates."""
        names = (
            self._method.speed_names
            if self.method == "hamilton"
            else tuple(f"p_{name_of(q)}" for q in self.model.coordinates)
        )

        def evaluate(instant: Instant) -> dict[str, Array]:
            momenta = self._energies.at(instant).momenta
            return {} if momenta is None else {name: momenta[:, i] for i, name in enumerate(names)}

        return self._named(evaluate, t, x, inputs, parameters)

    def constraint_residuals(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> Array:
        """Return the residuals of the configuration and then of the velocity constraints, shape (m,) or (k, m)."""

        def evaluate(instant: Instant) -> Array:
            return np.concatenate(self._method.constraint_values(instant), axis=1)

        return self._at(evaluate, t, x, inputs, parameters)

    def multipliers(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return lambda of M v' + J^T lambda = f by name, of least norm; sigma in Hamilton's form with its own."""
        letter = "sigma" if isinstance(self._method, HamiltonOfDependentCoordinates) else "lambda"

        def evaluate(instant: Instant) -> dict[str, Array]:
            found = self._method.solve(instant).multipliers
            if found is None:
                return {}
            return {f"{letter}_{key}": found[:, i] for i, key in enumerate(self._constraints.names)}

        return self._named(evaluate, t, x, inputs, parameters)

    def constraint_forces(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return -J^T lambda by name: force_u acts on the motion variable u."""
        method = self._method
        names = [f"{name_of(q)}_d" for q in self.model.coordinates]
        if isinstance(method, Kane):
            names = list(method.speed_names)

        def evaluate(instant: Instant) -> dict[str, Array]:
            found = method.solve(instant).constraint_forces
            return {} if found is None else {f"force_{name}": found[:, i] for i, name in enumerate(names)}

        return self._named(evaluate, t, x, inputs, parameters)

    def reactions(
        self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None
    ) -> dict[str, float | Array]:
        """Return by name what keeps the auxiliary speeds zero: the reactions of the loads, or else reaction_u along u.

        None where the method has no auxiliary speeds.
        """
        method = self._method
        if not isinstance(method, Kane) or not method.auxiliary:
            return {}
        named = [reaction.name for reaction in method.system.reactions]
        names = named or [f"reaction_{name_of(u)}" for u in method.auxiliary]

        def evaluate(instant: Instant) -> dict[str, Array]:
            found = method.reactions(instant)
            return {name: found[:, i] for i, name in enumerate(names)}

        return self._named(evaluate, t, x, inputs, parameters)

    @property
    def _constraints(self) -> Constraints:
        method = self._method
        assert not isinstance(method, HamiltonOfFunction)
        return method.constraints if isinstance(method, Kane) else method.source.constraints  # type: ignore[attr-defined]

    def condition(self, t: ArrayLike, x: ArrayLike, inputs: Values = None, parameters: Values = None) -> Array:
        """Return the condition number of the mass matrix without its units, shape () or (k,).

        Rows and columns are divided by sizes that make the largest entry of each one. Where dependent speeds are solved
        for, that of their matrix counts, too: the larger one is returned.
        """

        def evaluate(instant: Instant) -> Array:
            conditions = _conditions(self._method.solve(instant).mass_matrix)
            if isinstance(self._method, Kane) and self._method.dependent:
                _, jacobian = self._method.velocity_constraint_matrix(instant)
                conditions = np.maximum(conditions, _conditions(jacobian[:, :, self._method.dependent]))
            return conditions

        return self._at(evaluate, t, x, inputs, parameters)

    def candidates(
        self, generator: np.random.Generator, t: Array, parameters: Array
    ) -> tuple[Array, NDArray[np.bool_]]:
        """Return states (k, nx) from the model's ranges, and which of them (k,) the constraints admit.

        Parameters
        ----------
        generator
            Where the numbers come from.
        t, parameters
            Of each state, shapes (k,) and (k, np).
        """
        return self._states.with_parameters(parameters).drawn(generator, len(parameters), t, _STEPS)

    def bodies(self) -> Inertias:
        """Return the principal moments of inertia of the bodies, as functions of the parameters."""
        return Inertias(self.model)

    def state(
        self,
        coordinates: Given | None = None,
        speeds: Given | None = None,
        t: float = 0.0,
        *,
        extra: Given | None = None,
    ) -> Array:
        """Return this method's state (nx,) from coordinates and speeds (or q', or momenta of a given Hamiltonian).

        Keys are names or symbols; what is not given has the model's initial value, or 0. Dependent coordinates and
        speeds are solved from the constraints.
        """
        return self._states.state(coordinates or {}, speeds or {}, extra or {}, finite(t, "t"))

    def random_state(
        self,
        generator: np.random.Generator,
        size: int | None = None,
        t: float = 0.0,
        parameters: Values = None,
    ) -> Array:
        """Return an admissible state (nx,), or `size` of them (size, nx), drawn uniformly from the model's ranges.

        Coordinates and speeds are drawn, in this order, and converted: the same generator gives the same motion under
        every method.
        """
        states = self._states
        if parameters is not None:
            symbols = [(p.name, p.symbol) for p in self.model.parameters]
            values = _filled(parameters, self._parameters, symbols, 1, "parameter", Arrays(self.model.parameters))[0]
            states = states.with_parameters(values)
        drawn = states.random(generator, 1 if size is None else size, finite(t, "t"))
        return drawn[0] if size is None else drawn

    def _sample(self, count: int) -> Instant:
        states = self._states.random(np.random.default_rng(0), count, 0.3)
        return self._instant(0.3, states, None, None)

    def _numbers(self, x: ArrayLike) -> Array:
        return finite_array(x, f"the state of {self.model.name!r}", self.state_names)

    def _instant(self, t: ArrayLike, x: Array, inputs: Values, parameters: Values) -> Instant:
        nq, nz = len(self.model.coordinates), len(self.model.extra_states)
        if x.shape[1] != len(self.state_names):
            size = counted(len(self.state_names), "number")
            raise UsageError(
                f"a state of {self.model.name!r} has {size} ({', '.join(self.state_names)}), not {x.shape[1]}"
            )
        states = len(x)
        time = times_at(t, states)
        middle = x.shape[1] - nz
        return Instant(
            time,
            x[:, :nq],
            x[:, nq:middle],
            x[:, middle:],
            _filled(inputs, self._inputs, [(r.name, r.symbol) for r in self.model.inputs], states, "input"),
            _filled(
                parameters,
                self._parameters,
                [(p.name, p.symbol) for p in self.model.parameters],
                states,
                "parameter",
                Arrays(self.model.parameters),
            ),
        )

    def _pieces(self, t: ArrayLike, x: ArrayLike, inputs: Values, parameters: Values) -> tuple[bool, list[Instant]]:
        """Return whether one state was given, and the states in pieces whose jets stay small."""
        states = self._numbers(x)
        whole = self._instant(t, np.atleast_2d(states), inputs, parameters)
        step = max(1, _JET_LIMIT // (len(self.state_names) + 1) ** 2)
        pieces = []
        for start in range(0, max(1, whole.states), step):
            part = slice(start, start + step)
            pieces.append(
                Instant(
                    whole.time[part],
                    whole.coordinates[part],
                    whole.speeds[part],
                    whole.extra[part],
                    whole.inputs[part],
                    whole.parameters[part],
                )
            )
        return states.ndim < 2, pieces

    def _at(
        self, evaluate: Callable[[Instant], Array], t: ArrayLike, x: ArrayLike, inputs: Values, parameters: Values
    ) -> Array:
        single, pieces = self._pieces(t, x, inputs, parameters)
        with np.errstate(all="ignore"):
            result = np.concatenate([self._decided(evaluate, piece) for piece in pieces])
        return np.asarray(result[0]) if single else result

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

    def _named(
        self,
        evaluate: Callable[[Instant], Mapping[str, Array]],
        t: ArrayLike,
        x: ArrayLike,
        inputs: Values,
        parameters: Values,
    ) -> dict[str, float | Array]:
        single, pieces = self._pieces(t, x, inputs, parameters)
        with np.errstate(all="ignore"):
            parts = [evaluate(piece) for piece in pieces]
        joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return {name: float(array[0]) if single else array for name, array in joined.items()}


def _conditions(matrices: Array) -> Array:
    """Return condition numbers without units (k,); infinite where a matrix has no value."""
    finite = np.all(np.isfinite(matrices), axis=(1, 2))
    safe = np.where(finite[:, None, None], matrices, 0.0)
    return np.where(finite, np.linalg.cond(equilibrated(safe)) if safe.size else 1.0, np.inf)


def _filled(
    given: Values,
    defaults: Array,
    symbols: Sequence[tuple[str, sympy.Expr]],
    states: int,
    kind: str,
    arrays: Arrays | None = None,
) -> Array:
    """Return an array (states, n) of the given values and the defaults."""
    if given is None:
        return np.broadcast_to(defaults, (states, len(defaults)))
    if isinstance(given, Mapping):
        given = arrays.spread(given) if arrays is not None else given
        known: dict[str | sympy.Expr, int] = {}
        for index, (name, symbol) in enumerate(symbols):
            known[name] = known[symbol] = index
        values = defaults.copy()
        for key, value in given.items():
            if key not in known:
                names = ", ".join(name for name, _ in symbols) or "none"
                raise UsageError(f"there is no {kind} {key}: the {kind}s are {names}")
            values[known[key]] = finite(value, f"the {kind} {key}")
        return np.broadcast_to(values, (states, len(values)))
    array = finite_array(given, f"the {kind}s", [name for name, _ in symbols])
    if array.shape[-1:] != (len(symbols),):
        raise UsageError(
            f"{kind}s: give {counted(len(symbols), 'number')} ({', '.join(n for n, _ in symbols)}), not {array.shape}"
        )
    return np.broadcast_to(array, (states, len(symbols)))
