"""Whether the links of a tree of joints are bodies with given parameters."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.contract import Compiled
from eomc.binding.vectors import Array, NamedVector, Values
from eomc.model import JointTree
from eomc.model.trees.inertial_parameters import (
    InertialParameters,
    first_unphysical,
    first_unphysical_of_each,
    varying_parameters,
)

_NAMED = 3
"""Trajectories, at most, that a warning names for each link."""

_FLAW = "mass is not above zero, or a principal moment of inertia is negative or larger than the sum of the others"


class Bodies:
    """The links whose inertial parameters hold parameters of the model."""

    def __init__(self, build: Compiled, parameters: NamedVector) -> None:
        self._model = build.model
        self._parameters = parameters
        self._real = np.float32 if build.real == "float" else np.float64

    @cached_property
    def _links(self) -> tuple[InertialParameters, ...]:
        tree = self._model.dynamics
        return varying_parameters(tree.links) if isinstance(tree, JointTree) else ()

    def unphysical_link(self, parameters: Values | None) -> str | None:
        """Return the name of the first link that is no body, None where all are."""
        given = self._parameters.array(parameters)
        if not self._links:
            return None
        place = first_unphysical(self._links, self._values(given), self._epsilon)
        return None if place is None else self._links[place].link

    def doubt(self, values: Array) -> str:
        """Return what there is to say of the first link that is no body with all parameters in order, or nothing.

        Links in numbers are looked at, too: what reads them warns, and may have been told to be silent.
        """
        tree = self._model.dynamics
        if not isinstance(tree, JointTree):
            return ""
        place = first_unphysical(tree.links, self._values(values), self._epsilon)
        if place is None:
            return ""
        link = tree.links[place]
        varies = "with these parameters " if InertialParameters.of(link).varies else ""
        return f"{varies}link {link.name!r} is no body: its {_FLAW}"

    def warn(self, parameters: Values | None) -> None:
        """Say of parameters that a run is given when a link is no body with them."""
        link = None if parameters is None else self.unphysical_link(parameters)
        if link is not None:
            warnings.warn(self._of_all(link), RuntimeWarning, stacklevel=4)

    def warn_of_each(self, chunks: Iterable[Array], count: int) -> None:
        """Say of parameters that trajectories are given which link is no body, the first one of each of them.

        Parameters
        ----------
        chunks
            All parameters, a row for each trajectory, some rows at a time.
        count
            Rows; of one the values are those of all trajectories.
        """
        if not self._links:
            return
        found: dict[str, list[int]] = {}
        first = 0
        for rows in chunks:
            places = first_unphysical_of_each(self._links, self._values(rows), self._epsilon)
            for number in np.flatnonzero(places >= 0).tolist():
                found.setdefault(self._links[places[number]].link, []).append(first + number)
            first += len(rows)
        if found:
            told = self._of_all(next(iter(found))) if count == 1 else self._of_some(found, count)
            warnings.warn(told, RuntimeWarning, stacklevel=5)

    def _of_all(self, link: str) -> str:
        return f"{self._model.name}: with these parameters link {link!r} is no body: its {_FLAW}"

    def _of_some(self, found: Mapping[str, Sequence[int]], count: int) -> str:
        """Return what is said of links that are no bodies in some trajectories."""
        listed = {
            link: ", ".join(map(str, numbers[:_NAMED])) + ", ..." * (len(numbers) > _NAMED)
            for link, numbers in found.items()
        }
        said = [f"link {link!r} in {len(numbers)} ({listed[link]})" for link, numbers in found.items()]
        verb = "is no body" if len(found) == 1 else "are no bodies"
        return f"{self._model.name}: of {count} trajectories, {' and '.join(said)} {verb}: the {_FLAW}"

    @property
    def _epsilon(self) -> float:
        return float(np.finfo(self._real).eps)

    def _values(self, given: Array) -> dict[Any, Any]:
        """Return the value of each parameter as the C stores it, or an array of them, by its symbol."""
        columns = dict(zip(self._parameters.names, given.T.astype(self._real).astype(np.float64), strict=True))
        return {one.symbol: columns[one.name] for one in self._model.parameters}
