"""Which inertias a body can have: none below zero, none larger than the other two together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.model import JointTree, MechanicalSystem, Model, bounds_of
from eomc.reference.instant import Instant
from eomc.reference.jets import Array
from eomc.reference.kane import Kane
from eomc.reference.trees.entries import Entries

_ROUNDING = 1e-9  # a plate has I1 + I2 = I3


class Inertias:
    """The central inertias of a model's bodies.

    Attributes
    ----------
    parameters
        For each body that turns, the places of the parameters in its inertia.
    """

    def __init__(self, model: Model, kane: Kane | None) -> None:
        self.parameters: list[list[int]] = []
        self._model = model
        self._kane = kane
        self._entries, self._places = Entries(), list[int]()  # of the links of a tree
        if isinstance(model.dynamics, JointTree):
            for link in model.dynamics.links:
                self._places.append(self._entries.add(link.inertia))
                self._note(entry for row in link.inertia for entry in row)
        elif isinstance(model.dynamics, MechanicalSystem):
            for body in model.dynamics.bodies:
                if hasattr(body, "inertia"):
                    self._note(number for number, *_ in body.inertia[0].args)

    def _note(self, entries: Iterable[Any]) -> None:
        """Note which parameters stand in an inertia."""
        held = {symbol for entry in entries for symbol in sympy.sympify(entry).free_symbols}
        self.parameters.append([k for k, one in enumerate(self._model.parameters) if one.symbol in held])

    def are_possible(self, parameters: Array) -> NDArray[np.bool_]:
        """Return which inertias a body can have, shape (bodies that turn, k), for parameters (k, np)."""
        if self._kane is None or not self.parameters:
            return np.ones((0, len(parameters)), dtype=bool)
        with np.errstate(all="ignore"):
            found = []
            for tensor in self._tensors(parameters):
                known = np.all(np.isfinite(tensor), axis=(1, 2))
                moments = np.linalg.eigvalsh(np.where(known[:, None, None], tensor, 0.0))
                least = -_ROUNDING * moments[:, 2]
                possible = (moments[:, 0] >= least) & (moments[:, 0] + moments[:, 1] - moments[:, 2] >= least)
                found.append(known & possible)
        return np.array(found)

    def _tensors(self, parameters: Array) -> list[Array]:
        """Return the central inertias (k, 3, 3) of what turns."""
        assert self._kane is not None
        if self._places:
            values = {one.symbol: parameters[:, k] for k, one in enumerate(self._model.parameters)}
            arrays = self._entries.at(values, len(parameters))
            return [arrays[place] for place in self._places]
        moving, _, _ = self._kane.moving(self._somewhere(parameters))
        turning = [(body, body.rotation) for body in self._kane.construction.bodies if body.rotation is not None]
        shape = (len(parameters), 3, 3)
        return [np.broadcast_to(moving.central_inertia_value(body, turn), shape) for body, turn in turning]

    def _somewhere(self, parameters: Array) -> Instant:
        """Return states of the ranges, one for each set: an inertia may be a function of the coordinates."""
        assert self._kane is not None
        model, count = self._model, len(parameters)
        generator = np.random.default_rng(0)

        def middle(symbols: tuple[sympy.Expr, ...]) -> Array:
            low, high = np.array(bounds_of(model, symbols)).reshape(-1, 2).T
            return np.broadcast_to(generator.uniform(low, high), (count, len(symbols)))

        inputs = np.array([r.value for r in model.inputs], dtype=np.float64)
        return Instant(
            np.zeros(count),
            middle(model.coordinates),
            middle(self._kane.speeds),
            middle(tuple(z.symbol for z in model.extra_states)),
            np.broadcast_to(inputs, (count, len(inputs))),
            parameters,
        )
