"""From coordinates and speeds, as people give them, to the state of a method.

Values may be given for coordinates, speeds, and time derivatives q' in any mixture; the rest are the model's initial
values, or zero. Coordinates are made to meet the configuration constraints by Newton's method, speeds the constraints
on them by a linear solve: those that were named dependent, or given no value, give way first. What the user gives moves
only where the model names nothing dependent. Quaternions of joints are brought to length one. Momenta are p = dL/dq'.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from eomc.analysis.assembly import Affine, Point, Unmet, close, settle
from eomc.analysis.points import Constraints, affine_of, redundant_rows_of
from eomc.analysis.quaternions import of_length_one
from eomc.analysis.scales import coordinate_scales, speed_scales
from eomc.analysis.velocities import speeds_from_rates
from eomc.derivation.bodies import BodySystem
from eomc.derivation.constraints import ConstraintRows, constraint_rows
from eomc.derivation.lagrange import kinetic_form
from eomc.derivation.options import DEFAULT_OPTIONS, Options
from eomc.derivation.pose import pose
from eomc.derivation.problem import Problem
from eomc.errors import ModelError, UsageError
from eomc.ir.graph import Node
from eomc.ir.interpreter import Sample
from eomc.ir.method import Method, SecondHalf
from eomc.ir.rounding import Rounded, is_rounding
from eomc.ir.symbols import Role, Symbol
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian, Lagrangian, MechanicalSystem
from eomc.model.trees.tree import JointTree
from eomc.passes.differentiate import depends_on, jacobian
from eomc.wording import counted

NOT_ADMISSIBLE = "the initial state, all zeros, is not admissible: give initial values"


@dataclass(frozen=True, slots=True)
class Start:
    """A state, and what is to be said of the constraints there."""

    state: list[float]
    redundancies: list[str]  # of constraints that follow from others
    vanishing: list[str]  # of constraints that vanish to rounding


@dataclass(frozen=True, eq=False)
class InitialState:
    """Converts initial values for one model and method.

    Parameters
    ----------
    model, method, options
        What the state belongs to.
    """

    model: Model
    method: Method
    options: Options = DEFAULT_OPTIONS

    @cached_property
    def problem(self) -> Problem:
        """The model on a graph, written in its speeds."""
        return pose(self.model, options=self.options)

    def __call__(
        self,
        values: Mapping[str, float] | None = None,
        t: float = 0.0,
        parameters: Mapping[str, float] | None = None,
        inputs: Mapping[str, float] | None = None,
        search: bool = True,
    ) -> Start:
        """Return the state.

        Parameters
        ----------
        values
            Name of a coordinate, speed, q' (``theta_d``) or extra state -> value.
        t
            Time [s], for kinematics that hold it.
        parameters, inputs
            Name -> value where it differs from the default.
        search
            Whether coordinates are looked for from other points, too, where the first leads to none.

        Raises
        ------
        UsageError
            An unknown name.
        ModelError
            No coordinates near these meet the configuration constraints, or no speeds the constraints on them; the
            message has the residual.
        """
        rate_names = [f"{name}_d" for name in self._names["q"]]
        values = dict(values or {})
        self._refuse_unknown(values, rate_names)
        start = {name_of(symbol): value for symbol, value in self.model.initial}
        given_rates = {n: v for n, v in {**start, **values}.items() if n in rate_names and n not in self._names["u"]}
        numbers = self._numbers(start | values, t, {**(parameters or {}), **(inputs or {})})
        numbers.update(self._of_length_one(numbers))
        if self.model.is_constrained:
            numbers.update(self._closed(numbers, values, start, search))
        speeds = [(start | values).get(name, 0.0) for name in self._names["u"]]
        if given_rates and isinstance(self.model.dynamics, (MechanicalSystem, JointTree)):
            speeds = self._speeds_from_rates(numbers, speeds, given_rates, values or start)
        settled = Start(speeds, [], [])
        if self.model.is_constrained:
            given = {**given_rates, **values} if given_rates else values
            settled = self._settled(numbers, speeds, given, start)
        coordinates = [numbers[s] for s in self._symbols(self.problem.q)]
        extra = [numbers[s] for s in self._symbols(self.problem.symbols.extra)]
        return replace(settled, state=[*coordinates, *self._second_half(numbers, settled.state), *extra])

    def for_the_program(self) -> tuple[list[float], list[str]]:
        """Return the state that the program starts from, and what is to be said of it and of the constraints there.

        A model that gives no initial values starts from zeros, also where those are singular or off the constraints.

        Raises
        ------
        ModelError
            Initial values are given, and determine no state.
        """
        given = bool(self.model.initial)
        try:
            start = self(search=given)
        except ModelError:
            if given:
                raise
            start = Start([math.nan], [], [])
        if given or all(map(math.isfinite, start.state)):
            return start.state, [*start.redundancies, *start.vanishing]
        return [0.0] * len(self.problem.symbols.states), [NOT_ADMISSIBLE]

    # -- steps -------------------------------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> dict[str, list[str]]:
        """The names of coordinates, speeds and extra states."""
        return {
            "q": [name_of(q) for q in self.model.coordinates],
            "u": [symbol.name for symbol in self._symbols(self.problem.symbols.second_half)],
            "z": [z.name for z in self.model.extra_states],
        }

    def _symbols(self, nodes: Sequence[Node]) -> list[Symbol]:
        return [self.problem.graph.symbol_of(node) for node in nodes]

    def _refuse_unknown(self, values: Mapping[str, float], rate_names: list[str]) -> None:
        known = [*self._names["q"], *self._names["u"], *rate_names, *self._names["z"]]
        for name in values:
            if name not in known:
                near = dict.fromkeys(difflib.get_close_matches(name, known, 3, 0.4) or known)
                raise UsageError(
                    f"{self.model.name} has no coordinate or speed {name!r}; did you mean {', '.join(near)}?"
                )

    def _numbers(self, values: Mapping[str, float], t: float, given: Mapping[str, float]) -> dict[Symbol, float]:
        symbols = self.problem.symbols
        numbers = {v.symbol: float(given.get(v.name, v.value)) for v in (*symbols.parameters, *symbols.inputs)}
        states = {s: float(values.get(s.name, 0.0)) for s in self._symbols([*symbols.q, *symbols.extra])}
        return {**numbers, symbols.time: t, **states}

    def _of_length_one(self, numbers: Mapping[Symbol, float]) -> dict[Symbol, float]:
        """Return the components of quaternions that have another length."""
        by_name = {symbol.name: symbol for symbol in self._symbols(self.problem.q)}
        found = of_length_one(self.model, {name: numbers[symbol] for name, symbol in by_name.items()})
        return {by_name[name]: value for name, value in found.items()}

    def _at(self, numbers: Mapping[Symbol, float], speeds: Sequence[float]) -> Rounded:
        motion = dict(zip(self._symbols(self.problem.symbols.second_half), speeds, strict=True))
        return Rounded(self.problem.graph, {**numbers, **motion})

    def _speeds_from_rates(
        self,
        numbers: Mapping[Symbol, float],
        speeds: list[float],
        given: Mapping[str, float],
        values: Mapping[str, float],
    ) -> list[float]:
        """Return u that make the given q', the other q' as they were as far as these allow."""
        problem, own = self.problem, self._names["u"]
        rates = [f"{name}_d" for name in self._names["q"]]
        moving = self._at(numbers, speeds)
        coordinates = coordinate_scales(problem, numbers)
        unknowns = self._symbols(problem.kinematics.unknowns)
        at_rest = self._at({**numbers, **dict.fromkeys(unknowns, 0.0)}, [0.0] * len(own))
        return speeds_from_rates(
            problem,
            at_rest,
            [*speed_scales(problem, moving, coordinates), *coordinates],
            [*own, *rates],
            [
                {name: values[name] for name in (*own, *rates) if name in values},
                given,
                dict(zip(rates, moving.vector(problem.rates), strict=True)),
                dict(zip(own, speeds, strict=True)),
            ],
        )

    def _closed(
        self,
        numbers: Mapping[Symbol, float],
        values: Mapping[str, float],
        start: Mapping[str, float],
        search: bool,
    ) -> dict[Symbol, float]:
        """Return coordinates that meet the configuration constraints."""
        dynamics, problem = self.model.dynamics, self.problem
        assert not isinstance(dynamics, Hamiltonian)
        if not dynamics.configuration_constraints:
            return {}
        positions = [problem.scalars(f) for f in dynamics.configuration_constraints]
        constraints = Constraints(problem.graph, positions, jacobian(problem.graph, positions, problem.q))
        symbols = self._symbols(problem.q)
        still = [0.0] * len(problem.symbols.second_half)

        def function(x: Sequence[float]) -> Point:
            return constraints.at(self._at({**numbers, **dict(zip(symbols, x, strict=True))}, still), x)

        dependent = dynamics.dependent_coordinates if isinstance(dynamics, MechanicalSystem) else ()
        names = self._names["q"]
        tiers = _tiers(names, [name_of(q) for q in dependent], values, start)
        first, scales = [numbers[symbol] for symbol in symbols], coordinate_scales(problem, numbers)
        try:
            try:
                closed = close(function, first, tiers[:3], scales, search)
            except Unmet:
                if not tiers[3:]:
                    raise
                closed = close(function, first, tiers, scales, search)
        except Unmet as error:
            held = _held(names, tiers, values)
            near = f"with {held} as given" if held else "near the initial ones"
            raise ModelError(
                f"{self.model.name}: no coordinates {near} meet configuration constraint {error.row + 1}: its "
                f"residual stays {error.residual:.3g}; found none from {counted(error.starts, 'start')} of Newton's "
                "method; give other initial values or parameters"
            ) from error
        return dict(zip(symbols, closed, strict=True))

    def _settled(
        self,
        numbers: Mapping[Symbol, float],
        speeds: list[float],
        values: Mapping[str, float],
        start: Mapping[str, float],
    ) -> Start:
        """Return speeds that meet the velocity constraints and the rates of the configuration constraints."""
        rows = constraint_rows(self.problem)
        if not rows:
            return Start(speeds, [], [])
        at = self._at(numbers, [0.0] * len(speeds))
        affine = affine_of(at, rows.residuals, rows.jacobian)
        redundant = redundant_rows_of(affine)
        moves = depends_on(self.problem.graph, rows.residuals, self.problem.symbols.outside)  # by itself
        if len(rows) - len(redundant) >= len(speeds) and not moves:
            raise ModelError(
                f"{self.model.name}: the constraints leave no freedom to move: {len(rows) - len(redundant)} of them "
                f"hold all {len(speeds)} speeds at the initial coordinates; take constraints out, or give others"
            )
        dependent = self.model.dynamics.dependent_speeds if isinstance(self.model.dynamics, MechanicalSystem) else ()
        names = self._names["u"]
        tiers = _tiers(names, [name_of(u) for u in dependent], values, start)
        try:
            scales = speed_scales(self.problem, at, coordinate_scales(self.problem, numbers))
            settled = settle(affine, speeds, tiers, scales)
        except Unmet as error:
            raise self._unmet(rows, affine, error, _held(names, tiers, values)) from error
        return Start(
            settled,
            [
                f"{rows.names[index]} follows from those before it at the start: its force is shared with theirs, and "
                "the multipliers are those of least norm"
                for index in redundant
                if any(affine.slopes[index])
            ],
            [
                f"{name} vanishes to rounding at the start: it holds no speed there, and the equations may be singular"
                for name, row, nodes in zip(rows.names, affine.slopes, rows.jacobian, strict=True)
                if not any(row) and any(at[node] for node in nodes)
            ],
        )

    def _unmet(self, rows: ConstraintRows, affine: Affine, error: Unmet, held: str) -> ModelError:
        """Return what to say where no speeds meet the constraints."""
        row = rows.names[error.row]
        if not any(affine.slopes[error.row]):
            return ModelError(
                f"{self.model.name}: no speeds meet {row} at these coordinates: its coefficients are zero or rounding "
                f"there; its residual stays {error.residual:.3g}; give other coordinates"
            )
        return ModelError(
            f"{self.model.name}: no speeds {f'with {held} as given ' if held else ''}meet {row} at these coordinates "
            f"together with the other constraints: its residual stays {error.residual:.3g}; take out what contradicts "
            "it, or give other initial values"
        )

    def _second_half(self, numbers: Mapping[Symbol, float], speeds: list[float]) -> list[float]:
        if self.method.second is SecondHalf.SPEEDS or isinstance(self.model.dynamics, Hamiltonian):
            return speeds
        rates = speeds if isinstance(self.model.dynamics, Lagrangian) else self._rates(numbers, speeds)
        return rates if self.method.second is SecondHalf.VELOCITIES else self._momenta(numbers, rates)

    def _rates(self, numbers: Mapping[Symbol, float], speeds: list[float]) -> list[float]:
        """Return q' of the speeds: zero where that meets the kinematical equations though they do not determine it."""
        rates = self._at(numbers, speeds).vector(self.problem.rates)
        if all(map(math.isfinite, rates)):
            return rates
        kinematics = self.problem.kinematics
        at_rest = self._at({**numbers, **dict.fromkeys(self._symbols(kinematics.unknowns), 0.0)}, speeds)
        if all(at_rest[equation] == 0.0 or is_rounding(at_rest.number(equation)) for equation in kinematics.equations):
            return [0.0] * len(rates)
        raise ModelError(
            f"{self.model.name}: the kinematical equations do not determine q' at the initial coordinates; "
            "give other initial values"
        )

    def _momenta(self, numbers: Mapping[Symbol, float], rates: list[float]) -> list[float]:
        problem, momenta = self._momenta_of_velocities
        outside = {symbol: value for symbol, value in numbers.items() if symbol.role is not Role.STATE}
        coordinates = [numbers[s] for s in self._symbols(self.problem.q)]
        extra = [numbers[s] for s in self._symbols(self.problem.symbols.extra)]
        states = [state.symbol for state in problem.symbols.states]
        values = dict(zip(states, [*coordinates, *rates, *extra], strict=True))
        return Sample(problem.graph, outside | values).vector(momenta)

    @cached_property
    def _momenta_of_velocities(self) -> tuple[Problem, list[Node]]:
        """A problem in q and q', and p = dL/dq' on its graph."""
        problem = pose(self.model, SecondHalf.VELOCITIES)
        if isinstance(self.model.dynamics, Lagrangian):
            lagrangian = problem.scalars(self.model.dynamics.expression)
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
