"""Results at an instant, by any method: what the functions of the reference return, before it is put into shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from eomc.errors import UnsupportedError
from eomc.model import Model, name_of
from eomc.reference.arrays import equilibrated, stack
from eomc.reference.constraints import Constraints
from eomc.reference.energies import Energies
from eomc.reference.gibbs import gibbs_function
from eomc.reference.hamilton import HamiltonOfFunction
from eomc.reference.instant import Instant, Solution, constants, derivative
from eomc.reference.inverse import inverse_dynamics
from eomc.reference.jets import Array
from eomc.reference.kane import Kane
from eomc.reference.lagrange import HamiltonOfDependentCoordinates
from eomc.reference.method import Method
from eomc.reference.plan import Plan
from eomc.reference.remembered import Remembered
from eomc.reference.trees.motion import TreeMotion

_SINGULAR = 1e12  # a condition number that leaves a solution hardly a digit


class Results:
    """What `model` does by `method`; all arrays have a row for each state of the instant."""

    def __init__(self, model: Model, method: Method, motion: Remembered, sample: Callable[[int], Instant]) -> None:
        self._model = model
        self._method = method
        self._motion = motion
        self._energies = Energies(model, method)
        self._sample = sample  # returns that many admissible states
        self._outputs = Plan()
        self._output_places = [self._outputs.add(output.expression) for output in model.outputs]
        self._rate_plan = Plan()
        self._rate_places = [self._rate_plan.add(z.rate) for z in model.extra_states]
        moving = {*(u.diff(model.time) for u in model.speeds), *(q.diff(model.time, 2) for q in model.coordinates)}
        self._accelerated = not moving.isdisjoint([*self._outputs.symbols, *self._rate_plan.symbols])

    def state_rates(self, instant: Instant) -> Array:
        """Return dx/dt."""
        solution = self._motion.at(instant, self._accelerated)
        extra = self._extra_rates(instant, solution)
        return np.concatenate([solution.coordinate_rates, solution.speed_rates, extra], axis=1)

    def _extra_rates(self, instant: Instant, solution: Solution) -> Array:
        """Return z' (k, nz)."""
        results = self._rate_plan.run(constants(solution.values)) if self._rate_places else []
        return stack([results[place] for place in self._rate_places], (instant.states,)).value

    def outputs(self, instant: Instant) -> Array:
        """Return the model's outputs."""
        solution = self._motion.at(instant, self._accelerated)
        values = dict(solution.values)
        extra = self._extra_rates(instant, solution)
        values.update(
            {derivative(z.symbol, self._model.time): extra[:, i] for i, z in enumerate(self._model.extra_states)}
        )
        results = self._outputs.run(constants(values))
        return stack([results[place] for place in self._output_places], (instant.states,)).value

    def inverse_dynamics(self, instant: Instant, along: Sequence[str]) -> dict[str, Array]:
        """Return the forces with which the motion has the accelerations of the instant."""
        return inverse_dynamics(self._model, self._method, instant, along)

    def gravity_forces(self, instant: Instant) -> Array:
        """Return g."""
        return _told(self._method.balance(instant).gravity)

    def coriolis_forces(self, instant: Instant) -> Array:
        """Return c."""
        return _told(self._method.balance(instant).coriolis)

    def energy(self, instant: Instant) -> dict[str, Array]:
        """Return the energies."""
        self._energies.prepare(self._sample)
        return self._energies.at(instant).named

    def moving_energy(self, instant: Instant) -> dict[str, Array]:
        """Return the parts of the energies that depend on the motion."""
        self._energies.prepare(self._sample)
        return self._energies.at(instant).moving

    def resting_energy(self, instant: Instant) -> dict[str, Array]:
        """Return the other parts, of those energies that have one."""
        self._energies.prepare(self._sample)
        return self._energies.resting(instant)

    def gibbs(self, instant: Instant) -> dict[str, Array]:
        """Return the Gibbs function at this motion."""
        if isinstance(self._method, TreeMotion):
            return {"gibbs_function": self._method.gibbs_function(instant)}
        return {"gibbs_function": gibbs_function(self._kane, instant, self._kane.solve(instant).speed_rates)}

    def momenta(self, instant: Instant) -> dict[str, Array]:
        """Return p = dL/dq'; none where there are fewer speeds than coordinates."""
        given = isinstance(self._method, HamiltonOfFunction)
        names = self._method.speed_names if given else [f"p_{name_of(q)}" for q in self._model.coordinates]
        return _columns(names, self._energies.at(instant).momenta)

    def constraint_residuals(self, instant: Instant) -> Array:
        """Return the residuals of the configuration and then of the velocity constraints."""
        return np.concatenate(self._method.constraint_values(instant), axis=1)

    def multipliers(self, instant: Instant) -> dict[str, Array]:
        """Return lambda, or sigma in Hamilton's form with its own."""
        letter = "sigma" if isinstance(self._method, HamiltonOfDependentCoordinates) else "lambda"
        found = self._motion.at(instant).multipliers
        return {} if found is None else _columns([f"{letter}_{key}" for key in self._constraints.names], found)

    def constraint_forces(self, instant: Instant) -> dict[str, Array]:
        """Return -J^T lambda."""
        kane = isinstance(self._method, Kane)
        names = self._method.speed_names if kane else [f"{name_of(q)}_d" for q in self._model.coordinates]
        return _columns([f"force_{name}" for name in names], self._motion.at(instant).constraint_forces)

    def reactions(self, instant: Instant) -> dict[str, Array]:
        """Return what holds the auxiliary speeds at zero; none where the method has no such speeds."""
        method = self._method
        if not isinstance(method, Kane) or not method.auxiliary:
            return {}
        named = [reaction.name for reaction in method.system.reactions]
        return _columns(named or [f"reaction_{name_of(u)}" for u in method.auxiliary], method.reactions(instant))

    def condition(self, instant: Instant) -> Array:
        """Return condition numbers of the mass matrix, or of the dependent speeds' matrix where that is larger.

        A mass matrix that is singular, as that of a quaternion's rates is, may determine the motion together with the
        constraints: theirs is the matrix then.
        """
        conditions = _conditions(self._motion.at(instant).mass_matrix)
        if np.any(conditions > _SINGULAR) and not isinstance(self._method, HamiltonOfFunction):
            balance = self._method.balance(instant)
            if balance.jacobian.shape[1]:
                zeros = np.zeros((len(conditions), *[balance.jacobian.shape[1]] * 2))
                across = np.swapaxes(balance.jacobian, 1, 2)
                bordered = np.block([[balance.matrix, across], [balance.jacobian, zeros]])
                conditions = np.where(conditions > _SINGULAR, _conditions(bordered), conditions)
        if isinstance(self._method, Kane) and self._method.dependent:
            _, jacobian = self._method.velocity_constraint_matrix(instant)
            conditions = np.maximum(conditions, _conditions(jacobian[:, :, self._method.dependent]))
        return conditions

    @cached_property
    def _kane(self) -> Kane:
        """The motion by Kane's equations."""
        return Kane(self._model)

    @property
    def _constraints(self) -> Constraints:
        method = self._method
        assert not isinstance(method, HamiltonOfFunction)
        return method.constraints if isinstance(method, Kane) else method.source.constraints  # type: ignore[attr-defined]  # all others


def _told(found: Array | None) -> Array:
    if found is None:
        raise UnsupportedError("a Hamiltonian as given does not tell gravity from inertia")
    return found


def _columns(names: Sequence[str], found: Array | None) -> dict[str, Array]:
    """Return the columns by name; none where nothing was found."""
    return {} if found is None else {name: found[:, i] for i, name in enumerate(names)}


def _conditions(matrices: Array) -> Array:
    """Return condition numbers without units (k,); infinite where a matrix has no value."""
    finite = np.all(np.isfinite(matrices), axis=(1, 2))
    safe = np.where(finite[:, None, None], matrices, 0.0)
    return np.where(finite, np.linalg.cond(equilibrated(safe)) if safe.size else 1.0, np.inf)
