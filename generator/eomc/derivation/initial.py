"""From coordinates and speeds, as people give them, to the state of a method.

Values may be given for coordinates, speeds, and time derivatives q' in any mixture; the rest are the model's initial
values, or zero. Dependent speeds follow from the velocity constraints, momenta from p = dL/dq'.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence

from eomc.derivation.bodies import BodySystem
from eomc.derivation.lagrange import kinetic_form
from eomc.derivation.problem import Problem
from eomc.errors import ModelError, UsageError
from eomc.ir.graph import Node
from eomc.ir.interpreter import Sample, solve_dense
from eomc.ir.symbols import Role, Symbol
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian, Lagrangian, MechanicalSystem
from eomc.passes.differentiate import jacobian

__all__ = ["NOT_ADMISSIBLE", "InitialState"]

NOT_ADMISSIBLE = "the initial state, all zeros, is not admissible: give initial values"


class InitialState:
    """Converts initial values for one model and method.

    Parameters
    ----------
    model, method
        What the state belongs to.

    Attributes
    ----------
    problem
        The model on a graph, written in its speeds.
    """

    def __init__(self, model: Model, method: str) -> None:
        self._model = model
        self._method = method
        self.problem = problem = Problem(model)
        self._names = {
            "q": [name_of(q) for q in model.coordinates],
            "u": [symbol.name for symbol in self._symbols(problem.second_half)],
            "z": [z.name for z in model.extra_states],
        }
        self._constraints: list[Node] = []
        self._legendre: tuple[Problem, list[Node]] | None = None
        if isinstance(model.dynamics, MechanicalSystem):
            self._constraints = [problem.scalars(c) for c in model.dynamics.velocity_constraints]

    def __call__(
        self,
        values: Mapping[str, float] | None = None,
        t: float = 0.0,
        parameters: Mapping[str, float] | None = None,
    ) -> list[float]:
        """Return the state.

        Parameters
        ----------
        values
            Name of a coordinate, speed, q' (``theta_d``) or extra state -> value.
        t
            Time [s], for kinematics that hold it.
        parameters
            Name -> value where it differs from the default.

        Raises
        ------
        UsageError
            An unknown name.
        ModelError
            The constraints do not determine the dependent speeds at these coordinates.
        """
        values = dict(values or {})
        rate_names = [f"{name}_d" for name in self._names["q"]]
        self._refuse_unknown(values, rate_names)
        start = {name_of(symbol): value for symbol, value in self._model.initial}
        given_rates = {n: v for n, v in {**start, **values}.items() if n in rate_names and n not in self._names["u"]}
        numbers = self._numbers(start | values, t, dict(parameters or {}))
        speeds = [(start | values).get(name, 0.0) for name in self._names["u"]]
        if given_rates and isinstance(self._model.dynamics, MechanicalSystem):
            speeds = self._speeds_from_rates(numbers, speeds, rate_names, given_rates, values)
        if self._constraints:
            speeds = self._satisfy_constraints(numbers, speeds)
        coordinates = [numbers[s] for s in self._symbols(self.problem.q)]
        extra = [numbers[s] for s in self._symbols(self.problem.extra)]
        return [*coordinates, *self._second_half(numbers, speeds), *extra]

    def for_the_program(self) -> tuple[list[float], str]:
        """Return the state that the program starts from, and a remark where it is a makeshift, else "".

        A model that gives no initial values starts from zeros, also where those are singular or off the constraints.

        Raises
        ------
        ModelError
            Initial values are given, and determine no state.
        """
        if self._model.initial:
            return self(), ""
        try:
            state = self()
        except ModelError:
            state = [math.nan]
        if all(map(math.isfinite, state)) and self._is_closed(state):
            return state, ""
        return [0.0] * len(self.problem.states), NOT_ADMISSIBLE

    # -- steps -------------------------------------------------------------------------------------------------------

    def _symbols(self, nodes: Sequence[Node]) -> list[Symbol]:
        return [self.problem.symbol_of(node) for node in nodes]

    def _is_closed(self, state: Sequence[float]) -> bool:
        """Whether the coordinates of a state meet the configuration constraints."""
        dynamics, problem = self._model.dynamics, self.problem
        if not isinstance(dynamics, MechanicalSystem):
            return True
        numbers = self._numbers({}, 0.0, {}) | dict(zip(self._symbols(problem.q), state, strict=False))
        at = self._at(numbers, [0.0] * len(problem.second_half))
        return all(abs(at[problem.scalars(c)]) <= 1e-9 for c in dynamics.configuration_constraints)

    def _refuse_unknown(self, values: Mapping[str, float], rate_names: list[str]) -> None:
        known = [*self._names["q"], *self._names["u"], *rate_names, *self._names["z"]]
        for name in values:
            if name not in known:
                near = dict.fromkeys(difflib.get_close_matches(name, known, 3, 0.4) or known)
                raise UsageError(
                    f"{self._model.name} has no coordinate or speed {name!r}; did you mean {', '.join(near)}?"
                )

    def _numbers(self, values: Mapping[str, float], t: float, parameters: Mapping[str, float]) -> dict[Symbol, float]:
        problem = self.problem
        numbers = {v.symbol: float(parameters.get(v.name, v.value)) for v in problem.parameters}
        numbers.update((v.symbol, v.value) for v in problem.inputs)
        numbers[problem.time] = t
        for symbol in self._symbols([*problem.q, *problem.extra]):
            numbers[symbol] = float(values.get(symbol.name, 0.0))
        return numbers

    def _at(self, numbers: Mapping[Symbol, float], speeds: Sequence[float]) -> Sample:
        motion = dict(zip(self._symbols(self.problem.second_half), speeds, strict=True))
        return Sample(self.problem.graph, {**numbers, **motion})

    def _speeds_from_rates(
        self,
        numbers: Mapping[Symbol, float],
        speeds: list[float],
        rate_names: list[str],
        given: Mapping[str, float],
        values: Mapping[str, float],
    ) -> list[float]:
        """Solve the kinematical equations for u in the least-squares sense: exact where u is as many as q."""
        problem = self.problem
        equations, holders = problem.kinematics
        sample = self._at(numbers, speeds)
        rates = [given.get(name, sample[node]) for name, node in zip(rate_names, problem.rates, strict=True)]
        held = dict(zip(self._symbols(holders), rates, strict=True))
        matrix = jacobian(problem.graph, equations, problem.motion)
        at = self._at({**numbers, **held}, [0.0] * len(speeds))
        rows = [[at[x] for x in row] for row in matrix]
        right = [-at[equation] for equation in equations]
        n = len(speeds)
        normal = [[sum(row[i] * row[j] for row in rows) for j in range(n)] for i in range(n)]
        projected = [[sum(row[i] * b for row, b in zip(rows, right, strict=True))] for i in range(n)]
        solved = [row[0] for row in solve_dense(normal, projected)]
        return [values.get(name, new) for name, new in zip(self._names["u"], solved, strict=True)]

    def _satisfy_constraints(self, numbers: Mapping[Symbol, float], speeds: list[float]) -> list[float]:
        """Return the speeds with the dependent ones replaced by what the velocity constraints demand."""
        system = self._model.dynamics
        assert isinstance(system, MechanicalSystem)
        names = self._names["u"]
        dependent = [names.index(name_of(u)) for u in system.dependent_speeds]
        base = [0.0 if i in dependent else u for i, u in enumerate(speeds)]
        offset = [self._at(numbers, base)[c] for c in self._constraints]
        columns = []
        for d in dependent:
            probe = self._at(
                numbers, [float(i == d) + (u if i not in dependent else 0.0) for i, u in enumerate(speeds)]
            )
            columns.append([probe[c] - o for c, o in zip(self._constraints, offset, strict=True)])
        matrix = [list(row) for row in zip(*columns, strict=True)]
        solved = solve_dense(matrix, [[-o] for o in offset])
        undetermined = any(value != value for (value,) in solved)
        if undetermined and self._hold(numbers, speeds):
            return speeds
        for d, (value,) in zip(dependent, solved, strict=True):
            if value != value:
                raise ModelError(
                    f"{self._model.name}: the velocity constraints do not determine {names[d]} at these coordinates; "
                    "give other initial values, or choose another dependent speed"
                )
            base[d] = value
        return base

    def _hold(self, numbers: Mapping[Symbol, float], speeds: list[float]) -> bool:
        """Whether the speeds meet the velocity constraints as they are, as a mechanism at rest does anywhere."""
        at = self._at(numbers, speeds)
        size = 1.0 + max(map(abs, speeds), default=0.0)
        return all(abs(at[c]) <= 1e-12 * size for c in self._constraints)

    def _second_half(self, numbers: Mapping[Symbol, float], speeds: list[float]) -> list[float]:
        dynamics = self._model.dynamics
        if self._method == "kane" or isinstance(dynamics, Hamiltonian):
            return speeds
        rates = speeds if isinstance(dynamics, Lagrangian) else self._rates(numbers, speeds)
        if self._method == "lagrange":
            return rates
        return self._momenta(numbers, rates)

    def _rates(self, numbers: Mapping[Symbol, float], speeds: list[float]) -> list[float]:
        """Return q' of the speeds: zero where that meets the kinematical equations though they do not determine it."""
        rates = self._at(numbers, speeds).vector(self.problem.rates)
        if all(map(math.isfinite, rates)):
            return rates
        equations, holders = self.problem.kinematics
        at_rest = self._at({**numbers, **dict.fromkeys(self._symbols(holders), 0.0)}, speeds)
        if all(abs(at_rest[equation]) <= 1e-12 for equation in equations):
            return [0.0] * len(rates)
        raise ModelError(
            f"{self._model.name}: the kinematical equations do not determine q' at the initial coordinates; "
            "give other initial values"
        )

    def _momenta(self, numbers: Mapping[Symbol, float], rates: list[float]) -> list[float]:
        if self._legendre is None:
            self._legendre = self._momenta_of_velocities()
        problem, momenta = self._legendre
        values = {symbol: value for symbol, value in numbers.items() if symbol.role is not Role.STATE}
        coordinates = [numbers[s] for s in self._symbols(self.problem.q)]
        extra = [numbers[s] for s in self._symbols(self.problem.extra)]
        for node, value in zip(
            [*problem.q, *problem.second_half, *problem.extra], [*coordinates, *rates, *extra], strict=True
        ):
            values[problem.symbol_of(node)] = value
        return Sample(problem.graph, values).vector(momenta)

    def _momenta_of_velocities(self) -> tuple[Problem, list[Node]]:
        """Return a problem in q and q', and p = dL/dq' on its graph."""
        problem = Problem(self._model, velocity_names=[f"{name}_d" for name in self._names["q"]])
        if isinstance(self._model.dynamics, Lagrangian):
            lagrangian = problem.scalars(self._model.dynamics.expression)
        else:
            lagrangian = BodySystem(problem).kinetic_energy()
        return problem, kinetic_form(problem, lagrangian).momenta
