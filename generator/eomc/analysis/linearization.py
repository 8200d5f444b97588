"""Linear equations of small motions about a state: x' = A x + B r, y = C x + D r on the independent states.

Constraints Phi(q, r, t) = 0 and J v + b = 0 are linearized with the equations: the changes of dependent coordinates
follow from those of the independent ones, dq_D = -Phi_D^-1 (Phi_I dq_I + Phi_r dr), and likewise those of the dependent
speeds, which depend on the coordinates, too. What remains is exact for the motion on the constraints (D. L. Peterson,
G. Gede and M. Hubbard, Symbolic linearization of equations of motion of constrained multibody systems, *Multibody
System Dynamics* 33 (2015)). The derivatives are those of the graph, evaluated without a compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.analysis.about import About, aside, equations_about
from eomc.analysis.assembly import Point, Unmet, close
from eomc.analysis.cell import linearization_cell
from eomc.analysis.contract import Built
from eomc.analysis.points import Constraints
from eomc.analysis.spectrum import eigenvalues
from eomc.analysis.steadiness import that_must_rest
from eomc.analysis.trimmed import Trim
from eomc.binding.saving import needed
from eomc.binding.vectors import Array, Values
from eomc.errors import SingularSystemError, UsageError
from eomc.ir.elimination import pivots_by_preference
from eomc.ir.interpreter import Sample
from eomc.ir.rounding import Rounded
from eomc.model import MechanicalSystem, Model, name_of
from eomc.solving.jacobian import sparse_jacobian
from eomc.wording import suggesting

if TYPE_CHECKING:
    from control import StateSpace

_MET = 1e-6  # residuals of constraints in proportion to the sizes of their terms
_STILL = 1e-8  # what is less beside its size around a state is zero: states are given by their digits
_NOISE = 1e-12  # derivatives of constraints that are rounding errors of a zero


@dataclass(frozen=True, slots=True, eq=False)
class Linearization:
    """x' = A x + B r, y = C x + D r for small changes x, r, y about a state; unpacks into A, B, C, D.

    `to_control` makes a system of python-control of it.

    Attributes
    ----------
    name
        Of the model.
    A, B, C, D
        Matrices of shape (n, n), (n, nr), (ny, n), (ny, nr).
    state_names, input_names, output_names
        Of the independent states in the order of the state, of the inputs, of the outputs.
    state, rates
        The whole state about which, and its rates.
    unsteady
        The states that must rest in a steady motion and do not.

    Examples
    --------
    >>> import numpy as np
    >>> import eomc
    >>> linear = eomc.linearize(eomc.load("cart_pole"), at={"theta": np.pi})
    >>> linear.A.shape, linear.input_names
    ((4, 4), ('F',))
    """

    name: str  # of the model
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
        """The largest ``|x'|`` of the unsteady states; 0 at an equilibrium, and where the motion stays as it is.

        A steady motion has no accelerations, and coordinates grow that nothing depends on, such as the angle of a
        wheel that rolls. Beside it A and B are constant; elsewhere they hold at this instant alone.
        """
        return max((abs(float(self.rates[self.state_names.index(name)])) for name in self.unsteady), default=0.0)

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """The eigenvalues of A, by real part and then by imaginary part; a part that is rounding is zero.

        It is where A + E has the eigenvalue without it, E being as small as the error of their computation.
        """
        return eigenvalues(self.A)

    def to_control(self) -> StateSpace:
        """Return a ``control.StateSpace`` of python-control, with the names of states, inputs and outputs.

        A model without outputs has its states for outputs.

        Raises
        ------
        OutputError
            python-control is not installed.
        """
        needed("control", "control", "a StateSpace")
        import control

        C, D, outputs = self.C, self.D, self.output_names
        if not outputs:
            C, D, outputs = np.eye(len(self.A)), np.zeros(self.B.shape), self.state_names
        names = {"states": list(self.state_names), "inputs": list(self.input_names), "outputs": list(outputs)}
        return control.ss(self.A, self.B, C, D, name=self.name, **names)

    def _repr_html_(self) -> str:
        """Return the matrices with the names of their rows and columns, and the eigenvalues, for a notebook."""
        names = self.state_names, self.input_names, self.output_names
        return linearization_cell(self.name, tuple(self), *names, self.eigenvalues.tolist(), self.unsteady)

    def __iter__(self) -> Iterator[Array]:
        """Yield A, B, C, D."""
        return iter((self.A, self.B, self.C, self.D))


@suggesting
def linearize(
    model: Model | Built,
    at: ArrayLike | Mapping[Any, float] | Iterable[tuple[Any, float]] | Trim | None = None,
    method: str | None = None,
    inputs: Values | None = None,
    parameters: Values | None = None,
    t: float = 0.0,
    *,
    constraints: str = "eliminated",
    stabilization: str | None = None,
    units: str = "check",
) -> Linearization:
    """Return the linear equations of small motions about a state.

    Parameters
    ----------
    model
        A model; or a build, whose derivation then serves for many states.
    at
        The state: one number per state of the method, as in ``sim.state_names``; or initial values by name or symbol in
        place of the model's (``model.initial`` itself is fine), completed so that the constraints hold; or what
        `eomc.trim` found, with its inputs, parameters and time where no others are given. None: the model's initial
        values. Where it is no equilibrium, A and B describe small deviations from the motion through
        it, at this instant: `Linearization.drift` is then the largest ``|x'|``.
    method
        As in `eomc.compile`; a build has its own.
    inputs, parameters
        By name or in order; what is not given has the model's default value.
    t
        Time [s].
    constraints, stabilization
        As in `eomc.compile`; a build has its own. On the constraints all give the same equations.
    units
        As in `eomc.compile`; those of a build were checked when it was made.

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
        No state near the initial values meets the constraints, or the model's units do not agree.
    SingularSystemError
        The equations have no derivative here.
    UnsupportedError
        Hamilton's form with dependent coordinates, whose momenta grow at rest, too.

    Examples
    --------
    >>> import eomc
    >>> A, B, C, D = eomc.linearize(eomc.load("cart_pole"), at={"theta": 0.0})
    >>> B.shape
    (4, 1)
    """
    forms = constraints, stabilization
    about = equations_about(model, at, method, inputs, parameters, t, forms, units, "eomc.linearize")
    return _Point(about).linearization()


def _without_noise(slopes: Array) -> Array:
    """Return derivatives of constraints with zeros in the place of rounding errors."""
    return np.where(np.abs(slopes) <= _NOISE, 0.0, slopes)


class _Point:
    """The derivatives of all that matters at one state."""

    def __init__(self, about: About) -> None:
        self._model = about.model
        self._equations = equations = about.equations
        self._state = about.state
        self._numbers = about.numbers()
        graph = equations.graph
        self._sample = sample = about.sample()
        self._closures = about.closures
        self._rates = rates = [*equations.motion.derivative]
        groups = [rates, [q.node for q in equations.outputs], self._closures, [*equations.constraints.motion_rows]]
        about.refuse_singular([*rates, *groups[1]], sample, "linearize about another state")
        variables = [graph.symbol(v.symbol) for v in (*equations.states, *equations.inputs)]
        rows = sparse_jacobian(
            graph, [node for group in groups for node in group], variables, equations.systems, equations.rules
        )
        values = np.array([sample.vector(row) for row in rows]).reshape(len(rows), len(variables))
        self._refuse_infinite(values[: len(rates) + len(groups[1])])
        self._rows = rows[: len(rates)]
        ends = np.cumsum([len(group) for group in groups])[:-1]
        self._slopes = [np.split(part, [len(equations.states)], axis=1) for part in np.split(values, ends)]

    def linearization(self) -> Linearization:
        """Put the linear equations together."""
        (f_x, f_r), (y_x, y_r) = self._slopes[:2]
        self._refuse_open()
        independent, along, driven = self._tangent()
        names = [state.name for state in self._equations.states]
        moving = self._moving()[independent]
        unsteady = moving & self._must_rest(f_x, along, independent) if moving.any() else moving
        return Linearization(
            name=self._model.name,
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
        places = (self._state + aside(self._state) * np.cos(k + np.arange(len(symbols))) for k in (0, 2))
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
        ordered = Constraints(graph, self._closures, rows)

        def constraints(q: Sequence[float]) -> Point:
            return ordered.at(Rounded(graph, {**self._numbers, **dict(zip(symbols, q, strict=True))}), q)

        beside = self._state[:nq] + aside(self._state[:nq]) * np.cos(np.arange(nq))
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
