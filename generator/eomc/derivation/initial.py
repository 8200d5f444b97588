"""From coordinates and speeds, as people give them, to the state of a method.

Values may be given for coordinates, speeds, and time derivatives q' in any mixture; the rest are the model's initial
values, or zero. Coordinates are made to meet the configuration constraints by Newton's method, speeds the constraints
on them by a linear solve: those that were named dependent, or given no value, give way first. What the user gives moves
only where the model names nothing dependent. Momenta are p = dL/dq'.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from typing import Any

from eomc.derivation.bodies import BodySystem
from eomc.derivation.constraints import ConstraintRows, constraint_rows
from eomc.derivation.lagrange import kinetic_form
from eomc.derivation.options import DEFAULT_OPTIONS, Options
from eomc.derivation.problem import Problem, has_constraints
from eomc.derivation.rank import redundant_rows
from eomc.errors import ModelError, UsageError
from eomc.ir.graph import Node
from eomc.ir.interpreter import Sample, solve_dense
from eomc.ir.symbols import Role, Symbol
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian, Lagrangian, MechanicalSystem
from eomc.passes.differentiate import depends_on, jacobian

__all__ = ["NOT_ADMISSIBLE", "InitialState"]

_REDUNDANT = 1e-9  # a pivot beside the largest: the start is assembled to less than that
NOT_ADMISSIBLE = "the initial state, all zeros, is not admissible: give initial values"


class InitialState:
    """Converts initial values for one model and method.

    Parameters
    ----------
    model, method, options
        What the state belongs to.

    Attributes
    ----------
    problem
        The model on a graph, written in its speeds.
    """

    def __init__(self, model: Model, method: str, options: Options = DEFAULT_OPTIONS) -> None:
        self._model = model
        self._method = method
        self.problem = problem = Problem(model, options=options)
        self._names = {
            "q": [name_of(q) for q in model.coordinates],
            "u": [symbol.name for symbol in self._symbols(problem.second_half)],
            "z": [z.name for z in model.extra_states],
        }
        self._legendre: tuple[Problem, list[Node]] | None = None
        self._constrained = has_constraints(model)
        self._redundancies: list[str] = []  # of the state asked for last

    def __call__(
        self,
        values: Mapping[str, float] | None = None,
        t: float = 0.0,
        parameters: Mapping[str, float] | None = None,
        inputs: Mapping[str, float] | None = None,
    ) -> list[float]:
        """Return the state.

        Parameters
        ----------
        values
            Name of a coordinate, speed, q' (``theta_d``) or extra state -> value.
        t
            Time [s], for kinematics that hold it.
        parameters, inputs
            Name -> value where it differs from the default.

        Raises
        ------
        UsageError
            An unknown name.
        ModelError
            No coordinates near these meet the configuration constraints, or no speeds the constraints on them; the
            message has the residual.
        """
        values = dict(values or {})
        rate_names = [f"{name}_d" for name in self._names["q"]]
        self._refuse_unknown(values, rate_names)
        start = {name_of(symbol): value for symbol, value in self._model.initial}
        given_rates = {n: v for n, v in {**start, **values}.items() if n in rate_names and n not in self._names["u"]}
        numbers = self._numbers(start | values, t, {**(parameters or {}), **(inputs or {})})
        if self._constrained:
            numbers.update(self._closed(numbers, values, start))
        speeds = [(start | values).get(name, 0.0) for name in self._names["u"]]
        if given_rates and isinstance(self._model.dynamics, MechanicalSystem):
            speeds = self._speeds_from_rates(numbers, speeds, rate_names, given_rates, values)
        if self._constrained:
            given = {**given_rates, **values} if given_rates else values
            speeds = self._settled(numbers, speeds, given, start)
        coordinates = [numbers[s] for s in self._symbols(self.problem.q)]
        extra = [numbers[s] for s in self._symbols(self.problem.extra)]
        return [*coordinates, *self._second_half(numbers, speeds), *extra]

    def for_the_program(self) -> tuple[list[float], list[str]]:
        """Return the state that the program starts from, and what is to be said of it and of the constraints there.

        A model that gives no initial values starts from zeros, also where those are singular or off the constraints.

        Raises
        ------
        ModelError
            Initial values are given, and determine no state.
        """
        if self._model.initial:
            return self(), self._redundancies
        try:
            state = self()
        except ModelError:
            state = [math.nan]
        if all(map(math.isfinite, state)):
            return state, self._redundancies
        return [0.0] * len(self.problem.states), [NOT_ADMISSIBLE]

    # -- steps -------------------------------------------------------------------------------------------------------

    def _symbols(self, nodes: Sequence[Node]) -> list[Symbol]:
        return [self.problem.symbol_of(node) for node in nodes]

    def _refuse_unknown(self, values: Mapping[str, float], rate_names: list[str]) -> None:
        known = [*self._names["q"], *self._names["u"], *rate_names, *self._names["z"]]
        for name in values:
            if name not in known:
                near = dict.fromkeys(difflib.get_close_matches(name, known, 3, 0.4) or known)
                raise UsageError(
                    f"{self._model.name} has no coordinate or speed {name!r}; did you mean {', '.join(near)}?"
                )

    def _numbers(self, values: Mapping[str, float], t: float, given: Mapping[str, float]) -> dict[Symbol, float]:
        problem = self.problem
        numbers = {v.symbol: float(given.get(v.name, v.value)) for v in (*problem.parameters, *problem.inputs)}
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

    def _closed(
        self, numbers: Mapping[Symbol, float], values: Mapping[str, float], start: Mapping[str, float]
    ) -> dict[Symbol, float]:
        """Return coordinates that meet the configuration constraints."""
        dynamics, problem = self._model.dynamics, self.problem
        assert isinstance(dynamics, (MechanicalSystem, Lagrangian))
        if not dynamics.configuration_constraints:
            return {}
        from eomc.derivation.assembly import Unmet, close

        positions = [problem.scalars(f) for f in dynamics.configuration_constraints]
        slopes = jacobian(problem.graph, positions, problem.q)
        symbols = self._symbols(problem.q)
        still = [0.0] * len(problem.second_half)

        def function(x: Any) -> Any:
            at = self._at({**numbers, **dict(zip(symbols, map(float, x), strict=True))}, still)
            return np.array(at.vector(positions)), np.array([at.vector(row) for row in slopes])

        import numpy as np

        dependent = dynamics.dependent_coordinates if isinstance(dynamics, MechanicalSystem) else ()
        names = self._names["q"]
        tiers = _tiers(names, [name_of(q) for q in dependent], values, start)
        try:
            closed = close(function, [numbers[symbol] for symbol in symbols], tiers)
        except Unmet as error:
            held = _held(names, tiers, values)
            raise ModelError(
                f"{self._model.name}: no coordinates {f'with {held} as given' if held else 'near the initial ones'} "
                f"meet configuration constraint {error.row + 1}: its residual stays {error.residual:.3g}; give other "
                "initial values or parameters"
            ) from error
        return dict(zip(symbols, closed, strict=True))

    def _settled(
        self,
        numbers: Mapping[Symbol, float],
        speeds: list[float],
        values: Mapping[str, float],
        start: Mapping[str, float],
    ) -> list[float]:
        """Return speeds that meet the velocity constraints and the rates of the configuration constraints."""
        from eomc.derivation.assembly import Unmet, settle

        rows = constraint_rows(self.problem)
        if not rows:
            return speeds
        import numpy as np

        at = self._at(numbers, speeds)
        slopes = np.array([at.vector(row) for row in rows.jacobian])
        residual = np.array(at.vector(rows.residuals))
        redundant = redundant_rows([[float(x) for x in row] for row in slopes], _REDUNDANT)
        self._redundancies = [
            f"{rows.names[index]} follows from those before it at the start: its force is shared with theirs, and the "
            "multipliers are those of least norm"
            for index in redundant
        ]
        if len(rows) - len(redundant) >= len(speeds) and not self._moves_by_itself(rows):
            raise ModelError(
                f"{self._model.name}: the constraints leave no freedom to move: {len(rows) - len(redundant)} of them "
                f"hold all {len(speeds)} speeds at the initial coordinates; take constraints out, or give others"
            )
        dynamics = self._model.dynamics
        dependent = dynamics.dependent_speeds if isinstance(dynamics, MechanicalSystem) else ()
        names = self._names["u"]
        tiers = _tiers(names, [name_of(u) for u in dependent], values, start)
        try:
            return settle(slopes, residual, speeds, tiers)
        except Unmet as error:
            held = _held(names, tiers, values)
            raise ModelError(
                f"{self._model.name}: no speeds {f'with {held} as given ' if held else ''}meet "
                f"{rows.names[error.row]} at these coordinates together with the other constraints: its residual "
                f"stays {error.residual:.3g}; take out what contradicts it, or give other initial values"
            ) from error

    def _moves_by_itself(self, rows: ConstraintRows) -> bool:
        """Whether time, inputs or extra states enter the constraints: they may then leave no freedom, and move."""
        problem = self.problem
        outside = [problem.t, *problem.extra, *(problem.graph.symbol(variable.symbol) for variable in problem.inputs)]
        return bool(depends_on(problem.graph, rows.residuals, outside).intersection(rows.residuals))

    def _second_half(self, numbers: Mapping[Symbol, float], speeds: list[float]) -> list[float]:
        dynamics = self._model.dynamics
        if self._method in ("kane", "gibbs-appell") or isinstance(dynamics, Hamiltonian):
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


def _tiers(
    names: Sequence[str], dependent: Sequence[str], values: Mapping[str, float], start: Mapping[str, float]
) -> list[list[int]]:
    """Return the unknowns by how readily they give way: dependent, without a value, with the model's, the user's.

    The user's own are left out where some are named dependent: those are the ones to follow.
    """

    def tier(name: str) -> int:
        return 0 if name in dependent else 3 if name in values else 2 if name in start else 1

    return [[k for k, name in enumerate(names) if tier(name) == level] for level in range(3 if dependent else 4)]


def _held(names: Sequence[str], tiers: Sequence[Sequence[int]], values: Mapping[str, float]) -> str:
    """Return the unknowns that may not give way, with their values."""
    held = set(range(len(names))).difference(*tiers)
    return ", ".join(f"{names[k]} = {values[names[k]]:g}" for k in sorted(held))
