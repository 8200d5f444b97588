"""Linear equations of small motions about a state: x' = A x + B r, y = C x + D r on the independent states.

Constraints Phi(q, r, t) = 0 and J v + b = 0 are linearized with the equations: the changes of dependent coordinates
follow from those of the independent ones, dq_D = -Phi_D^-1 (Phi_I dq_I + Phi_r dr), and likewise those of the dependent
speeds, which depend on the coordinates, too. What remains is exact for the motion on the constraints (D. L. Peterson,
G. Gede and M. Hubbard, Symbolic linearization of equations of motion of constrained multibody systems, *Multibody
System Dynamics* 33 (2015)). The derivatives are those of the graph, evaluated without a compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.analysis.assembly import Point, Unmet, close
from eomc.analysis.contract import Built
from eomc.analysis.initial import InitialState
from eomc.analysis.points import point_of
from eomc.analysis.steadiness import that_must_rest
from eomc.binding.vectors import Array, NamedVector, Values, name_of_key, real_array
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.options import DEFAULT_OPTIONS, Options
from eomc.errors import SingularSystemError, UnsupportedError, UsageError
from eomc.ir.elimination import pivots_by_preference
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.graph import Node
from eomc.ir.interpreter import Sample
from eomc.ir.remedies import remedy, told
from eomc.ir.rounding import Rounded
from eomc.ir.symbols import Symbol
from eomc.model import Hamiltonian, MechanicalSystem, Model, name_of
from eomc.model.arguments import number_of
from eomc.passes.checking import checked_nodes
from eomc.solving.jacobian import sparse_jacobian
from eomc.wording import counted, suggesting

_MET = 1e-6  # residuals of constraints in proportion to the sizes of their terms
_ASIDE = 1e-2  # how far to look around a state, in proportion to it
_STILL = 1e-8  # what is less beside its size around a state is zero: states are given by their digits
_NOISE = 1e-12  # derivatives of constraints that are rounding errors of a zero


@dataclass(frozen=True, slots=True, eq=False)
class Linearization:
    """x' = A x + B r, y = C x + D r for small changes x, r, y about a state; unpacks into A, B, C, D.

    ``control.ss(*eomc.linearize(model))`` makes a system of python-control of it.
    """

    A: Array  # (n, n)
    B: Array  # (n, nr)
    C: Array  # (ny, n)
    D: Array  # (ny, nr)
    state_names: tuple[str, ...]  # of the independent states, in the order of the state
    input_names: tuple[str, ...]
    output_names: tuple[str, ...]
    state: Array = field(repr=False)  # the whole state (nx,) about which
    rates: Array = field(repr=False)  # (n,) of the independent states: zero at an equilibrium
    unsteady: tuple[str, ...]  # states whose rates are not zero, but would be if the motion were steady

    @property
    def drift(self) -> float:
        """The largest |x'| of the unsteady states; 0 at an equilibrium, and where the motion stays as it is.

        A steady motion has no accelerations, and coordinates grow that nothing depends on, such as the angle of a
        wheel that rolls. Beside it A and B are constant; elsewhere they hold at this instant alone.
        """
        return max((abs(float(self.rates[self.state_names.index(name)])) for name in self.unsteady), default=0.0)

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """The eigenvalues of A, by real part and then by imaginary part."""
        return np.sort_complex(np.linalg.eigvals(self.A).astype(np.complex128))

    def __iter__(self) -> Iterator[Array]:
        """Yield A, B, C, D."""
        return iter((self.A, self.B, self.C, self.D))


@suggesting
def linearize(
    model: Model | Built,
    at: ArrayLike | Mapping[Any, float] | Iterable[tuple[Any, float]] | None = None,
    method: str | None = None,
    inputs: Values | None = None,
    parameters: Values | None = None,
    t: float = 0.0,
    *,
    constraints: str = "eliminated",
    stabilization: str = "none",
) -> Linearization:
    """Return the linear equations of small motions about a state.

    Parameters
    ----------
    model
        A model; or a build, whose derivation then serves for many states.
    at
        The state: one number per state of the method, as in ``sim.state_names``; or initial values by name or symbol in
        place of the model's (``model.initial`` itself is fine), completed so that the constraints hold. None: the
        model's initial values. Where it is no equilibrium, A and B describe small deviations from the motion through
        it, at this instant: `Linearization.drift` is then the largest |x'|.
    method
        As in `eomc.compile`; a build has its own.
    inputs, parameters
        By name or in order; what is not given has the model's default value.
    t
        Time [s].
    constraints, stabilization
        As in `eomc.compile`; a build has its own. On the constraints all give the same equations.

    Returns
    -------
    Linearization
        On the independent coordinates and speeds: those that are not among the model's dependent ones, as far as these
        can be solved for here; otherwise the dependent ones are chosen by complete pivoting.

    Raises
    ------
    UsageError
        A wrong length, name or option, or a state that does not meet the constraints.
    ModelError
        No state near the initial values meets the constraints.
    SingularSystemError
        The equations have no derivative here.
    UnsupportedError
        Hamilton's form with dependent coordinates, whose momenta grow at rest, too.
    """
    description, starts, equations = _derived(model, method, Options(constraints, stabilization))
    _refuse_growing_momenta(description, equations)
    owner = description.name
    t = number_of(f"{owner}: t", t, UsageError)
    r = NamedVector.of("input", owner, equations.inputs).array(inputs)
    p = NamedVector.of("parameter", owner, equations.parameters).array(parameters)
    named = {v.name: value for v, value in zip(equations.parameters, p.tolist(), strict=True)}
    signals = {v.name: value for v, value in zip(equations.inputs, r.tolist(), strict=True)}
    x = np.array(_state(owner, starts, len(equations.states), at, t, named, signals))
    numbers = {equations.time: t}
    for variables, values in ((equations.states, x), (equations.inputs, r), (equations.parameters, p)):
        numbers.update((v.symbol, value) for v, value in zip(variables, values.tolist(), strict=True))
    return _Point(description, equations, x, numbers).linearization()


def _derived(
    model: Model | Built, method: str | None, options: Options
) -> tuple[Model, InitialState, EquationsOfMotion]:
    if isinstance(model, Model):
        chosen = choose_method(model, method)
        starts = InitialState(model, chosen, options)
        return model, starts, derive(model, chosen, starts.problem, options)
    if not hasattr(model, "equations"):
        raise UsageError(f"eomc.linearize takes an eomc.Model or a build of one, not {type(model).__name__}")
    if method is not None and method != model.method:
        raise UsageError(f"this build of {model.model.name} is by {model.method}, not by {method}: give the model")
    if options not in (DEFAULT_OPTIONS, model.options):
        raise UsageError(f"this build of {model.model.name} has {model.options}, not {options}: give the model")
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


def _aside(state: Array) -> Array:
    """Return how far to go from each state to one beside it; no scale but its own is known of a state."""
    sizes: Array = _ASIDE * np.where(state == 0.0, 1.0, np.abs(state))
    return sizes


def _state(
    owner: str,
    starts: InitialState,
    size: int,
    at: Any,
    t: float,
    parameters: dict[str, float],
    inputs: dict[str, float],
) -> list[float]:
    """Return the whole state that `at` stands for."""
    if at is None:
        return starts({}, t, parameters, inputs).state
    if isinstance(at, Mapping) or _are_pairs(at):
        given = {name_of_key(key): number_of(f"{owner}: {key}", one, UsageError) for key, one in dict(at).items()}
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


def _without_noise(slopes: Array) -> Array:
    """Return derivatives of constraints with zeros in the place of rounding errors."""
    return np.where(np.abs(slopes) <= _NOISE, 0.0, slopes)


class _Point:
    """The derivatives of all that matters at one state."""

    def __init__(
        self, model: Model, equations: EquationsOfMotion, state: Array, numbers: Mapping[Symbol, float]
    ) -> None:
        self._model = model
        self._equations = equations
        self._state = state
        self._numbers = numbers
        graph = equations.graph
        self._sample = sample = Sample(graph, numbers)
        constraints = () if isinstance(model.dynamics, Hamiltonian) else model.dynamics.configuration_constraints
        self._closures = [quantity.node for quantity in equations.constraints.residuals[: len(constraints)]]
        self._rates = rates = [*equations.motion.derivative]
        groups = [rates, [q.node for q in equations.outputs], self._closures, [*equations.constraints.motion_rows]]
        self._refuse_singular([*rates, *groups[1]])
        variables = [graph.symbol(v.symbol) for v in (*equations.states, *equations.inputs)]
        rows = sparse_jacobian(graph, [node for group in groups for node in group], variables, equations.systems)
        values = np.array([sample.vector(row) for row in rows]).reshape(len(rows), len(variables))
        self._refuse_infinite(values[: len(rates) + len(groups[1])])
        self._rows = rows[: len(rates)]
        ends = np.cumsum([len(group) for group in groups])[:-1]
        self._slopes = [np.split(part, [len(equations.states)], axis=1) for part in np.split(values, ends)]

    def _refuse_singular(self, nodes: Sequence[Node]) -> None:
        """Refuse a state at which the motion has no unique solution, by the tests that the emitted C makes."""
        for check in checked_nodes(self._equations.graph, self._equations.checks, nodes):
            if not self._sample[check.condition]:
                raise SingularSystemError(
                    f"{self._model.name}: the equations are singular at this state: no unique solution for "
                    f"{told(check.label)}; {remedy(check.label, 'linearize about another state')}"
                )

    def linearization(self) -> Linearization:
        """Put the linear equations together."""
        (f_x, f_r), (y_x, y_r) = self._slopes[:2]
        self._refuse_open()
        independent, along, driven = self._tangent()
        names = [state.name for state in self._equations.states]
        moving = self._moving()[independent]
        unsteady = moving & self._must_rest(f_x, along, independent) if moving.any() else moving
        return Linearization(
            A=(f_x @ along)[independent] + 0.0,  # no zeros with a minus sign
            B=(f_r + f_x @ driven)[independent] + 0.0,
            C=y_x @ along + 0.0,
            D=y_r + y_x @ driven + 0.0,
            state_names=tuple(names[i] for i in independent),
            input_names=tuple(v.name for v in self._equations.inputs),
            output_names=tuple(q.name for q in self._equations.outputs),
            state=self._state,
            rates=np.array(self._sample.vector([self._rates[i] for i in independent])),
            unsteady=tuple(names[i] for i, drifts in zip(independent, unsteady, strict=True) if drifts),
        )

    def _moving(self) -> NDArray[np.bool_]:
        """Return which rates are more than rounding beside what they are around this state."""
        sizes = np.fmax.reduce([np.abs(sample.vector(self._rates)) for sample in self._around])
        moving: NDArray[np.bool_] = ~(np.abs(self._sample.vector(self._rates)) <= _STILL * np.nan_to_num(sizes))
        return moving

    def _must_rest(self, f_x: Array, along: Array, independent: list[int]) -> NDArray[np.bool_]:
        """Return which independent states rest in a steady motion.

        State j acts on the rate of i where it makes it grow, by A_ij x_j', more than by rounding beside its growth
        around this state.
        """
        rates = np.array(self._sample.vector([self._rates[i] for i in independent]))
        growths = []
        for sample in self._around:
            slopes = np.array([sample.vector(row[: len(self._state)]) for row in self._rows])
            growths.append(np.abs(slopes.reshape(f_x.shape) @ sample.vector(self._rates)))
        sizes = np.nan_to_num(np.fmax.reduce(growths))[independent]
        acts = np.abs((f_x @ along)[independent] * rates) > _STILL * sizes[:, None]
        place, nq = np.array(independent), len(self._equations.motion.rates)
        extra = place >= nq + len(self._equations.motion.accelerations)
        return that_must_rest(acts, (place >= nq) & ~extra, extra)

    @cached_property
    def _around(self) -> list[Sample]:
        """The graph at states beside this one."""
        symbols = [state.symbol for state in self._equations.states]
        places = (self._state + _aside(self._state) * np.cos(k + np.arange(len(symbols))) for k in (0, 2))
        return [
            Sample(self._equations.graph, {**self._numbers, **dict(zip(symbols, x.tolist(), strict=True))})
            for x in places
        ]

    def _tangent(self) -> tuple[list[int], Array, Array]:
        """Return the independent states, and dx = T dx_I + N dr of those changes that the constraints admit."""
        (phi_x, phi_r), (row_x, row_r) = self._slopes[2:]
        phi_x, row_x = _without_noise(phi_x), _without_noise(row_x)
        nx, nq = len(self._state), len(self._equations.motion.rates)
        motion = range(nq, nq + len(self._equations.motion.accelerations))
        named_q, named_u = self._named()
        dependent = pivots_by_preference(phi_x.tolist(), [named_q, range(nq)])
        if len(dependent) < len(phi_x):
            self._refuse_branching(len(dependent))
        alike = [nq + i for i in dependent] if len(motion) == nq else []
        dependent += pivots_by_preference(row_x.tolist(), [[nq + i for i in named_u], alike, motion])
        independent = [i for i in range(nx) if i not in dependent]
        along = np.zeros((nx, len(independent)))
        along[independent] = np.eye(len(independent))
        driven = np.zeros((nx, phi_r.shape[1]))
        if dependent:
            slopes = np.vstack([phi_x, row_x])
            right = -np.hstack([slopes[:, independent], np.vstack([phi_r, row_r])])
            solved = np.linalg.lstsq(slopes[:, dependent], right, rcond=None)[0]  # redundant rows agree
            along[dependent], driven[dependent] = np.split(solved, [len(independent)], axis=1)
        return independent, along, driven

    def _named(self) -> tuple[list[int], list[int]]:
        """Return the positions of the coordinates and speeds that the model names dependent."""
        dynamics = self._model.dynamics
        if not isinstance(dynamics, MechanicalSystem):
            return [], []
        coordinates = [name_of(q) for q in self._model.coordinates]
        names = [state.name for state in self._equations.states[len(coordinates) :]]
        speeds = [name_of(u) for u in dynamics.dependent_speeds]
        return (
            [coordinates.index(name_of(q)) for q in dynamics.dependent_coordinates],
            [names.index(name) for name in speeds if name in names],
        )

    def _refuse_branching(self, rank: int) -> None:
        """Refuse a state near which the configuration constraints have more rank: there is no one tangent there.

        Redundant constraints have the same rank at all states that meet them.
        """
        graph, nq = self._equations.graph, len(self._equations.motion.rates)
        symbols = [state.symbol for state in self._equations.states[:nq]]
        rows = sparse_jacobian(graph, self._closures, [graph.symbol(symbol) for symbol in symbols])

        def constraints(q: Sequence[float]) -> Point:
            at = Rounded(graph, {**self._numbers, **dict(zip(symbols, q, strict=True))})
            return point_of(at, self._closures, rows, q)

        beside = self._state[:nq] + _aside(self._state[:nq]) * np.cos(np.arange(nq))
        try:
            near = close(constraints, beside.tolist(), [range(nq)], [1.0] * nq, search=False)
        except Unmet:
            return
        if len(pivots_by_preference(_without_noise(np.array(constraints(near).slopes)).tolist(), [range(nq)])) > rank:
            raise SingularSystemError(
                f"{self._model.name}: the configuration constraints are singular at this state: motions branch there, "
                "or the mechanism locks, and nothing is linear; take a state beside it"
            )

    def _refuse_open(self) -> None:
        """Refuse a state that is not on the constraints: the linear equations hold on them only."""
        at = Rounded(self._equations.graph, self._numbers)
        residuals = [at.number(node) for node in [*self._closures, *self._equations.constraints.motion_rows]]
        worst = max((abs(value) for value, _ in residuals), default=0.0)
        # A size that tells nothing stands beside a value that is rounding, or that stands alone.
        if not all(abs(value) <= _MET * (size if size == size else 1.0) for value, size in residuals):
            raise UsageError(
                f"{self._model.name}: the state does not meet the constraints: the largest residual is {worst:.3g}; "
                "give initial values by name, which are completed, or a state from sim.state(...)"
            )

    def _refuse_infinite(self, slopes: Array) -> None:
        if not np.isfinite(slopes).all():
            names = [v.name for v in (*self._equations.states, *self._equations.inputs)]
            name = names[int(np.argmin(np.isfinite(slopes).all(axis=0)))]
            raise SingularSystemError(
                f"{self._model.name}: the equations have no derivative with respect to {name} at this state; keep away "
                "from it, or choose other coordinates or speeds"
            )
