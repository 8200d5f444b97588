"""Equilibria and steady motions: states and inputs at which what must rest does.

Speeds and extra states rest, and the coordinates that anything which rests depends on; coordinates that enter nothing,
such as the angle of a wheel, may grow. Constraints hold. All of it is one system of equations, solved on the graph
with exact slopes and without a compiler.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.analysis.about import About, aside, equations_about
from eomc.analysis.contract import Built
from eomc.analysis.least_squares import Residuals, minimize, open_directions
from eomc.analysis.steadiness import that_must_rest
from eomc.analysis.trimmed import Trim
from eomc.binding.vectors import Array, Values, name_of_key, unknown_name
from eomc.errors import RunError
from eomc.ir.graph import Node
from eomc.ir.interpreter import Sample
from eomc.ir.rounding import ROUNDING, Rounded, is_rounding
from eomc.model import MechanicalSystem, Model
from eomc.model.amounts import amount_of, state_units
from eomc.model.signals import rate_unit
from eomc.solving.jacobian import sparse_jacobian
from eomc.wording import counted, suggesting

_MET = 1e-10  # residuals beside their sizes around the state
_LOCAL = 1e-6  # the same beside their sizes around what is found
_ROUNDING = 1e-13  # residuals that are none
_NOISE = (1e-7, 1e-10, 1e-13)  # unknowns beside their sizes: at a double root they are known to half of the digits
_FAR = 100.0  # as far from a state as it is large
_RINGS = (0.25, 0.5, 1.0, 2.0)  # how far from the first start the others are, in sizes of the unknowns
_TRIES = 4  # on each ring


@suggesting
def trim(
    model: Model | Built,
    at: ArrayLike | Mapping[Any, float] | Iterable[tuple[Any, float]] | None = None,
    method: str | None = None,
    inputs: Values | None = None,
    parameters: Values | None = None,
    t: float = 0.0,
    *,
    held: Mapping[Any, float] | Iterable[Any] = (),
    free: Iterable[Any] = (),
    rates: Mapping[Any, float | None] | None = None,
    constraints: str = "eliminated",
    stabilization: str | None = None,
    units: str = "check",
) -> Trim:
    """Find an equilibrium or a steady motion: states, and inputs where these are free, near the given ones.

    Sought are all states but those that are held. Rates of speeds, momenta and extra states shall be zero, and those of
    coordinates that enter such a rate; coordinates that enter nothing may move. Speeds that the model names dependent
    follow the others. The constraints shall hold. A heading that enters the equations without a part in the motion, as
    that of a bicycle does, is set free by ``rates={"psi": None}``.

    Parameters
    ----------
    model
        A model, or a build.
    at
        Where to begin, as `eomc.linearize` takes a state; None: the model's initial values.
    method, parameters, t, constraints, stabilization, units
        As in `eomc.linearize`.
    inputs
        Their values, where free ones begin.
    held
        States that keep their value, by name, or by name with the value: ``held={"theta": math.pi}``.
    free
        Names of inputs that are sought, too.
    rates
        What the rate of a state shall be in place of zero, such as the acceleration of a speed; None: anything.

    Returns
    -------
    Trim
        With its `family`: where fewer equations than unknowns determine it, unknowns that may be chosen.

    Raises
    ------
    RunError
        There is none near; the message has what does not vanish.
    UsageError
        A name or a value that is none.
    UnsupportedError
        As of `eomc.linearize`.

    Examples
    --------
    >>> import eomc
    >>> steady = eomc.trim(eomc.load("cart_pole"), held={"x": 0.0, "x_d": 1.0}, free=["F"], rates={"x_d": 2.0})
    >>> round(float(steady["theta"]), 4)
    -0.2011
    """
    forms = constraints, stabilization
    about = equations_about(model, at, method, inputs, parameters, t, forms, units, "eomc.trim")
    return _Search(about, _named_values(about, held), _chosen(about, free), dict(rates or {})).trim()


def _named_values(about: About, held: Mapping[Any, float] | Iterable[Any]) -> dict[int, float]:
    """Return the positions of held states with their values."""
    names, units = [state.name for state in about.equations.states], state_units(about.model)
    if isinstance(held, str):
        held = [held]
    given = dict(held) if isinstance(held, Mapping) else {key: None for key in held}
    found = {}
    for key, value in given.items():
        k = _position(about.model.name, "state", name_of_key(key), names)
        unit = units.get(name_of_key(key), "")
        found[k] = float(about.state[k]) if value is None else amount_of(f"{about.model.name}: {key}", value, unit)
    return found


def _chosen(about: About, free: Iterable[Any]) -> list[int]:
    names = [one.name for one in about.equations.inputs]
    keys = [free] if isinstance(free, str) else list(free)
    return sorted({_position(about.model.name, "input", name_of_key(key), names) for key in keys})


def _position(owner: str, kind: str, name: str, names: list[str]) -> int:
    if name not in names:
        raise unknown_name(owner, kind, name, names)
    return names.index(name)


class _Search:
    """The equations of one steady motion."""

    def __init__(self, about: About, held: dict[int, float], free: list[int], rates: dict[Any, float | None]) -> None:
        self._about = about
        equations = about.equations
        self._names = [state.name for state in equations.states]
        self._inputs = [one.name for one in equations.inputs]
        self._sought = [k for k in range(len(self._names)) if k not in held]
        self._free = free
        self._state, self._signals = about.state.copy(), about.inputs.copy()
        for k, value in held.items():
            self._state[k] = value
        self._near = self._beside(self._start())
        graph, derivative = equations.graph, [*equations.motion.derivative]
        variables = [graph.symbol(v.symbol) for v in equations.states]
        slopes = self._acting(sparse_jacobian(graph, derivative, variables, equations.systems, equations.rules))
        asked = self._asked(rates, self._at_rest(slopes))
        self._rows = [*(derivative[k] for k in asked), *about.closures, *equations.constraints.motion_rows]
        self._wanted = np.array([*asked.values(), *[0.0] * (len(self._rows) - len(asked))])
        self._told = [*(f"the rate of {self._names[k]}" for k in asked), *self._constraint_names(len(asked))]
        unknowns = [variables[k] for k in self._sought]
        unknowns += [graph.symbol(equations.inputs[k].symbol) for k in free]
        self._slopes = self._acting(sparse_jacobian(graph, self._rows, unknowns, equations.systems, equations.rules))
        self._sizes = self._sizes_at(self._near, _MET)

    def trim(self) -> Trim:
        """Look for the motion from the first start, then around it."""
        best = (np.inf, self._start())
        for first in self._starts():
            y, there = minimize(self._residuals, first)
            y, there = self._without_noise(y, there)
            worst = float(np.max(np.abs(there.values), initial=0.0))
            if worst <= _MET and self._vanishes(y):
                return self._result(y, there)
            best = min(best, (worst, y), key=lambda pair: pair[0])
        raise self._none(best[1])

    def _at_rest(self, slopes: list[list[Node]]) -> NDArray[np.bool_]:
        """Return which states must rest, by what stands in the equations."""
        zero = self._about.equations.graph.zero
        acts = np.array([[node != zero for node in row] for row in slopes]).reshape(len(slopes), len(self._names))
        motion = self._about.equations.motion
        place, nq = np.arange(len(self._names)), len(motion.rates)
        extra = place >= nq + len(motion.accelerations)
        return that_must_rest(acts, (place >= nq) & ~extra, extra)

    def _asked(self, rates: dict[Any, float | None], at_rest: NDArray[np.bool_]) -> dict[int, float]:
        """Return the states whose rates have a value, with it."""
        owner, units = self._about.model.name, state_units(self._about.model)
        dynamics = self._about.model.dynamics
        dependent = dynamics.dependent_speeds if isinstance(dynamics, MechanicalSystem) else ()
        follow = {name_of_key(speed) for speed in dependent}
        asked: dict[int, float | None] = {
            k: 0.0 for k in np.flatnonzero(at_rest).tolist() if self._names[k] not in follow
        }
        for key, value in rates.items():
            k = _position(owner, "state", name_of_key(key), self._names)
            unit = rate_unit(units.get(self._names[k], ""))
            asked[k] = None if value is None else amount_of(f"{owner}: the rate of {key}", value, unit)
        return {k: value for k, value in sorted(asked.items()) if value is not None}

    def _constraint_names(self, rates: int) -> list[str]:
        count = len(self._about.closures)
        return [
            *(f"configuration constraint {k + 1}" for k in range(count)),
            *(f"constraint {k + 1} on the speeds" for k in range(len(self._rows) - rates - count)),
        ]

    # -- unknowns ------------------------------------------------------------------------------------------------------

    def _start(self) -> Array:
        return np.array([*self._state[self._sought], *self._signals[self._free]])

    def _reach(self) -> Array:
        """Return how far around the start is far, for each unknown."""
        return _FAR * aside(self._start())

    def _starts(self) -> list[Array]:
        """Return the first start, and points around it, the same in every run; what enters no row stays."""
        first, drawn, zero = self._start(), random.Random(0), self._about.equations.graph.zero
        enters = [any(row[k] != zero for row in self._slopes) for k in range(len(first))]
        sizes = np.where(enters, self._reach(), 0.0)
        rings = [ring for ring in _RINGS for _ in range(_TRIES)]
        return [first, *(first + ring * sizes * [drawn.uniform(-1.0, 1.0) for _ in first] for ring in rings)]

    def _full(self, y: Array) -> tuple[Array, Array]:
        """Return the whole state and all inputs."""
        state, signals = self._state.copy(), self._signals.copy()
        state[self._sought], signals[self._free] = np.split(y, [len(self._sought)])
        return state, signals

    def _sample(self, y: Array) -> Sample:
        return self._about.sample(*self._full(y))

    def _residuals(self, y: Array) -> Residuals:
        sample = self._sample(y)
        values = (np.array(sample.vector(self._rows)) - self._wanted) / self._sizes
        slopes = np.array([sample.vector(row) for row in self._slopes]).reshape(len(values), len(y))
        return Residuals(values, slopes / self._sizes[:, None])

    def _without_noise(self, y: Array, there: Residuals) -> tuple[Array, Residuals]:
        """Return zeros in the place of unknowns that are rounding, where the residuals allow."""
        allowed = max(float(np.max(np.abs(there.values), initial=0.0)), _ROUNDING)
        for share in _NOISE:
            clean = np.where(np.abs(y) <= share * self._reach(), 0.0, y)
            again = self._residuals(clean)
            if np.max(np.abs(again.values), initial=0.0) <= allowed:
                return clean, again
        return y, there

    def _vanishes(self, y: Array) -> bool:
        """Whether the rows are small beside what they are around there, too: a force that fades is no equilibrium."""
        sample = self._sample(y)
        values = np.abs(np.array(sample.vector(self._rows)) - self._wanted)
        return bool(np.all(values <= _LOCAL * self._sizes_at(self._beside(y), _LOCAL)))

    def _sizes_at(self, samples: list[Rounded], share: float) -> Array:
        """Return how large each row is at states beside one, where nothing of it happens to vanish.

        A row whose terms cancel everywhere is rounding there: of its terms it has so much that `share` of it is more.
        """
        with np.errstate(invalid="ignore"):
            found = [np.abs(self._wanted)]
            for sample in samples:
                values, terms = np.array([sample.sized(row) for row in self._rows]).reshape(-1, 2).T
                found += [np.abs(values - self._wanted), ROUNDING / share * (terms + np.abs(self._wanted))]
        sizes = np.fmax.reduce(found)
        return np.where(np.isfinite(sizes) & (sizes > 0.0), sizes, 1.0)

    def _beside(self, y: Array) -> list[Rounded]:
        """Return values with the sizes of their terms at two states beside one."""
        places = [y + _FAR * aside(y) * np.cos(k + np.arange(len(y))) for k in (0, 2)]
        graph = self._about.equations.graph
        return [Rounded(graph, self._about.numbers(*self._full(place))) for place in places]

    def _acting(self, slopes: list[list[Node]]) -> list[list[Node]]:
        """Return slopes with the literal zero for those that are rounding beside the start: what they tell is noise."""
        zero = self._about.equations.graph.zero
        return [
            [zero if all(is_rounding(sample.number(node)) for sample in self._near) else node for node in row]
            for row in slopes
        ]

    # -- what is found -------------------------------------------------------------------------------------------------

    def _result(self, y: Array, there: Residuals) -> Trim:
        about, equations = self._about, self._about.equations
        state, signals = self._full(y)
        sample, derivative = about.sample(state, signals), [*equations.motion.derivative]
        about.refuse_singular(derivative, sample, "hold another state, or begin elsewhere")
        unknowns = [*(self._names[k] for k in self._sought), *(self._inputs[k] for k in self._free)]
        return Trim(
            about.model.name, about.method, tuple(self._names), tuple(self._inputs), state, signals, about.parameters,
            about.t, np.array(sample.vector(derivative)),
            tuple(unknowns[k] for k in open_directions(there.slopes)),
            float(np.max(np.abs(there.values), initial=0.0)),
        )  # fmt: skip

    def _none(self, y: Array) -> RunError:
        """Say what stays where the search ends."""
        sample = self._sample(y)
        values = np.array(sample.vector(self._rows)) - self._wanted
        k = int(np.argmax(np.nan_to_num(np.abs(values / self._sizes), nan=np.inf)))
        inputs = [name for k, name in enumerate(self._inputs) if k not in self._free]
        more = f", free inputs (free={inputs!r})" if inputs else ""
        return RunError(
            f"{self._about.model.name}: no steady motion found from {counted(1 + len(_RINGS) * _TRIES, 'start')}: "
            f"{self._told[k]} stays {values[k]:.3g} off; hold fewer states{more}, give other values, or begin nearer"
        )
