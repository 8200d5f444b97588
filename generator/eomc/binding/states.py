"""The state of a method from coordinates and speeds, or momenta, as people give them: by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.contract import Compiled
from eomc.binding.sources import InputSource, Sources
from eomc.binding.vectors import NamedVector, Values, name_of_key, unknown_name
from eomc.errors import UsageError
from eomc.ir.method import SecondHalf
from eomc.model.amounts import amount_of, state_units
from eomc.model.arguments import number_of
from eomc.units import with_unit


class States:
    """Makes states of a build."""

    def __init__(self, build: Compiled, sources: Sources, parameters: NamedVector) -> None:
        self._build = build
        self._sources = sources
        self._parameters = parameters
        self.name = build.program.name
        self.names = tuple(state.name for state in build.program.states)

    @property
    def initial(self) -> NDArray[np.float64]:
        """The model's own state at t = 0, shape (nx,)."""
        return np.array([state.value for state in self._build.program.states], dtype=np.float64)

    def start(self) -> NDArray[np.float64]:
        """Return the state in which a run begins at t = 0 where nothing else is said, shape (nx,).

        Raises
        ------
        ModelError
            The constraints do not hold there, and no state near it was found.
        """
        initial = self.initial
        if initial.any() or not self._build.model.is_constrained:
            return initial
        return self.state(None, None, 0.0, None, None, None)  # zeros also stand for a start that was not found

    def state(
        self,
        coordinates: Mapping[Any, float] | None,
        speeds: Mapping[Any, float] | None,
        t: float,
        parameters: Values | None,
        momenta: Mapping[Any, float] | None,
        inputs: InputSource,
    ) -> NDArray[np.float64]:
        """Return a state; what is not given is as the model says."""
        model = self._build.model
        names = [name_of_key(symbol) for symbol in model.coordinates]
        p = self._given("momentum", momenta, list(self.momentum_names))
        if p and speeds:
            raise UsageError(f"{self.name}: give speeds or momenta, not both ({next(iter(p))} and speeds)")
        q = self._given("coordinate", coordinates, [*names, *(one.name for one in model.extra_states)])
        # A Hamiltonian knows no speeds: q' is what its momenta make it.
        rates = [] if self._has_own_momenta else [f"{name}_d" for name in names]
        u = self._given("speed", speeds, list(dict.fromkeys([*map(name_of_key, model.speeds), *rates])))
        t = number_of(f"{self.name}: t", t, UsageError)
        held = self._sources.held(inputs, t)
        values, signals = self._parameters.by_name(parameters), self._sources.names.by_name(held)
        state = np.array(self._build.initial_state(q, u, t, values, signals), dtype=np.float64)
        for name, value in p.items():
            state[self.names.index(name)] = value
        return state

    @property
    def momentum_names(self) -> tuple[str, ...]:
        """Names of the momenta that may have any value, where Hamilton's form has put them in the place of speeds."""
        model = self._build.model
        in_momenta = self._build.program.method.second is SecondHalf.MOMENTA
        if not in_momenta or self._has_own_momenta or model.is_constrained:
            return ()
        return self.names[len(model.coordinates) : len(self.names) - len(model.extra_states)]

    @property
    def _has_own_momenta(self) -> bool:
        """Whether the model is a Hamiltonian."""
        from eomc.model import Hamiltonian

        return isinstance(self._build.model.dynamics, Hamiltonian)

    def _given(self, kind: str, values: Mapping[Any, float] | None, known: list[str]) -> dict[str, float]:
        """Return a mapping by name with known names only."""
        if values is not None and not isinstance(values, Mapping):
            raise UsageError(f"{self.name}: give each {kind} by name, as in {{{next(iter(known), 'name')!r}: 1.0}}")
        given = {}
        values = values or {}
        units = state_units(self._build.model) if any(with_unit(value)[1] for value in values.values()) else {}
        for key, value in values.items():
            name = name_of_key(key)
            if name not in known:
                raise unknown_name(self.name, kind, name, known)
            given[name] = amount_of(f"{self.name}: {kind} {name}", value, units.get(name, ""))
        return given
