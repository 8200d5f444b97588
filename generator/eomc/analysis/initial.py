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

from eomc.analysis.assembly import Affine, Point, Unmet, close, settle
from eomc.analysis.scales import coordinate_scales, speed_scales
from eomc.analysis.velocities import speeds_from_rates
from eomc.derivation.bodies import BodySystem
from eomc.derivation.constraints import ConstraintRows, constraint_rows
from eomc.derivation.lagrange import kinetic_form
from eomc.derivation.options import DEFAULT_OPTIONS, Options
from eomc.derivation.pose import pose
from eomc.derivation.problem import Problem
from eomc.derivation.rank import redundant_rows
from eomc.derivation.symbols import has_constraints
from eomc.errors import ModelError, UsageError
from eomc.ir.graph import Node
from eomc.ir.interpreter import Sample
from eomc.ir.method import Method, SecondHalf
from eomc.ir.rounding import Rounded, is_rounding
from eomc.ir.symbols import Role, Symbol
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian, Lagrangian, MechanicalSystem
from eomc.passes.differentiate import depends_on, jacobian
from eomc.wording import counted

__all__ = ["NOT_ADMISSIBLE", "InitialState", "point_of"]

_ASSEMBLED = 1e-9  # the share of its size to which a coefficient is known at a start that Newton's method found
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

    def __init__(self, model: Model, method: Method, options: Options = DEFAULT_OPTIONS) -> None:
        self._model = model
        self._method = method
        self.problem = problem = pose(model, options=options)
        self._names = {
            "q": [name_of(q) for q in model.coordinates],
            "u": [symbol.name for symbol in self._symbols(problem.symbols.second_half)],
            "z": [z.name for z in model.extra_states],
        }
        self._legendre: tuple[Problem, list[Node]] | None = None
        self._constrained = has_constraints(model)
        self._redundancies: list[str] = []  # of the state asked for last
        self._vanishing: list[str] = []

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
        return self._state(dict(values or {}), t, {**(parameters or {}), **(inputs or {})})

    @property
    def vanishing(self) -> list[str]:
        """What is to be said of constraints that vanish to rounding at the state asked for last."""
        return self._vanishing

    def _state(
        self, values: dict[str, float], t: float, given_numbers: Mapping[str, float], search: bool = True
    ) -> list[float]:
        """Return the state; `search` for coordinates also from other points than the initial ones."""
        rate_names = [f"{name}_d" for name in self._names["q"]]
        self._refuse_unknown(values, rate_names)
        self._redundancies, self._vanishing = [], []
        start = {name_of(symbol): value for symbol, value in self._model.initial}
        given_rates = {n: v for n, v in {**start, **values}.items() if n in rate_names and n not in self._names["u"]}
        numbers = self._numbers(start | values, t, given_numbers)
        if self._constrained:
            numbers.update(self._closed(numbers, values, start, search))
        speeds = [(start | values).get(name, 0.0) for name in self._names["u"]]
        if given_rates and isinstance(self._model.dynamics, MechanicalSystem):
            speeds = self._speeds_from_rates(numbers, speeds, given_rates, values or start)
        if self._constrained:
            given = {**given_rates, **values} if given_rates else values
            speeds = self._settled(numbers, speeds, given, start)
        coordinates = [numbers[s] for s in self._symbols(self.problem.q)]
        extra = [numbers[s] for s in self._symbols(self.problem.symbols.extra)]
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
            return self._state({}, 0.0, {}), [*self._redundancies, *self._vanishing]
        try:
            state = self._state({}, 0.0, {}, search=False)
        except ModelError:
            state = [math.nan]
        if all(map(math.isfinite, state)):
            return state, [*self._redundancies, *self._vanishing]
        return [0.0] * len(self.problem.symbols.states), [NOT_ADMISSIBLE]

    # -- steps -------------------------------------------------------------------------------------------------------

    def _symbols(self, nodes: Sequence[Node]) -> list[Symbol]:
        return [self.problem.graph.symbol_of(node) for node in nodes]

    def _refuse_unknown(self, values: Mapping[str, float], rate_names: list[str]) -> None:
        known = [*self._names["q"], *self._names["u"], *rate_names, *self._names["z"]]
        for name in values:
            if name not in known:
                near = dict.fromkeys(difflib.get_close_matches(name, known, 3, 0.4) or known)
                raise UsageError(
                    f"{self._model.name} has no coordinate or speed {name!r}; did you mean {', '.join(near)}?"
                )

    def _numbers(self, values: Mapping[str, float], t: float, given: Mapping[str, float]) -> dict[Symbol, float]:
        symbols = self.problem.symbols
        numbers = {v.symbol: float(given.get(v.name, v.value)) for v in (*symbols.parameters, *symbols.inputs)}
        numbers[symbols.time] = t
        for symbol in self._symbols([*symbols.q, *symbols.extra]):
            numbers[symbol] = float(values.get(symbol.name, 0.0))
        return numbers

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
        dynamics, problem = self._model.dynamics, self.problem
        assert isinstance(dynamics, (MechanicalSystem, Lagrangian))
        if not dynamics.configuration_constraints:
            return {}
        positions = [problem.scalars(f) for f in dynamics.configuration_constraints]
        slopes = jacobian(problem.graph, positions, problem.q)
        symbols = self._symbols(problem.q)
        still = [0.0] * len(problem.symbols.second_half)

        def function(x: Sequence[float]) -> Point:
            at = self._at({**numbers, **dict(zip(symbols, x, strict=True))}, still)
            return point_of(at, positions, slopes, x)

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
                f"{self._model.name}: no coordinates {near} meet configuration constraint {error.row + 1}: its "
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
    ) -> list[float]:
        """Return speeds that meet the velocity constraints and the rates of the configuration constraints."""
        rows = constraint_rows(self.problem)
        if not rows:
            return speeds
        at = self._at(numbers, [0.0] * len(speeds))
        affine = affine_of(at, rows.residuals, rows.jacobian)
        slopes = affine.slopes
        self._vanishing = [
            f"{name} vanishes to rounding at the start: it holds no speed there, and the equations may be singular"
            for name, row, nodes in zip(rows.names, slopes, rows.jacobian, strict=True)
            if not any(row) and any(at[node] for node in nodes)
        ]
        sized = list(zip(slopes, affine.slope_sizes, strict=True))
        known = [index for index, row in enumerate(slopes) if all(map(math.isfinite, row))]  # others tell nothing
        entries = [dict(enumerate(zip(*sized[index], strict=True))) for index in known]
        redundant = [known[k] for k in redundant_rows(entries, _ASSEMBLED)]
        self._redundancies = [
            f"{rows.names[index]} follows from those before it at the start: its force is shared with theirs, and the "
            "multipliers are those of least norm"
            for index in redundant
            if any(slopes[index])
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
            scales = speed_scales(self.problem, at, coordinate_scales(self.problem, numbers))
            return settle(affine, speeds, tiers, scales)
        except Unmet as error:
            held = _held(names, tiers, values)
            if not any(slopes[error.row]):
                raise ModelError(
                    f"{self._model.name}: no speeds meet {rows.names[error.row]} at these coordinates: its "
                    f"coefficients are zero or rounding there; its residual stays {error.residual:.3g}; give other "
                    "coordinates"
                ) from error
            raise ModelError(
                f"{self._model.name}: no speeds {f'with {held} as given ' if held else ''}meet "
                f"{rows.names[error.row]} at these coordinates together with the other constraints: its residual "
                f"stays {error.residual:.3g}; take out what contradicts it, or give other initial values"
            ) from error

    def _moves_by_itself(self, rows: ConstraintRows) -> bool:
        """Whether time, inputs or extra states enter the constraints: they may then leave no freedom, and move."""
        problem = self.problem
        return bool(depends_on(problem.graph, rows.residuals, problem.symbols.outside).intersection(rows.residuals))

    def _second_half(self, numbers: Mapping[Symbol, float], speeds: list[float]) -> list[float]:
        dynamics = self._model.dynamics
        if self._method.second is SecondHalf.SPEEDS or isinstance(dynamics, Hamiltonian):
            return speeds
        rates = speeds if isinstance(dynamics, Lagrangian) else self._rates(numbers, speeds)
        if self._method.second is SecondHalf.VELOCITIES:
            return rates
        return self._momenta(numbers, rates)

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
            f"{self._model.name}: the kinematical equations do not determine q' at the initial coordinates; "
            "give other initial values"
        )

    def _momenta(self, numbers: Mapping[Symbol, float], rates: list[float]) -> list[float]:
        if self._legendre is None:
            self._legendre = self._momenta_of_velocities()
        problem, momenta = self._legendre
        values = {symbol: value for symbol, value in numbers.items() if symbol.role is not Role.STATE}
        coordinates = [numbers[s] for s in self._symbols(self.problem.q)]
        extra = [numbers[s] for s in self._symbols(self.problem.symbols.extra)]
        for state, value in zip(problem.symbols.states, [*coordinates, *rates, *extra], strict=True):
            values[state.symbol] = value
        return Sample(problem.graph, values).vector(momenta)

    def _momenta_of_velocities(self) -> tuple[Problem, list[Node]]:
        """Return a problem in q and q', and p = dL/dq' on its graph."""
        problem = pose(self._model, SecondHalf.VELOCITIES)
        if isinstance(self._model.dynamics, Lagrangian):
            lagrangian = problem.scalars(self._model.dynamics.expression)
        else:
            lagrangian = BodySystem(problem).kinetic_energy()
        return problem, kinetic_form(problem, lagrangian).momenta


def point_of(at: Rounded, residuals: Sequence[Node], slopes: Sequence[Sequence[Node]], x: Sequence[float]) -> Point:
    """Return residuals, the sizes of their terms, and slopes at x; a size that is not told is that of the changes."""
    values = at.vector(residuals)
    rows = [at.vector(row) for row in slopes]
    sizes = []
    for node, value, row in zip(residuals, values, rows, strict=True):
        size = at.size(node)
        sizes.append(
            size if math.isfinite(size) else math.fsum([abs(value), *(abs(a * b) for a, b in zip(row, x, strict=True))])
        )
    return Point(values, sizes, rows)


def affine_of(at: Rounded, residuals: Sequence[Node], jacobian: Sequence[Sequence[Node]]) -> Affine:
    """Return J v + b of residuals at v = 0, with zero for what is rounding in J."""
    entries = [[at.sized(node) for node in row] for row in jacobian]
    offsets = [at.sized(node) for node in residuals]
    return Affine(
        [[0.0 if is_rounding(x) else x[0] for x in row] for row in entries],
        [[size for _, size in row] for row in entries],
        [value for value, _ in offsets],
        [size for _, size in offsets],
    )


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
