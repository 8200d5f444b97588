"""Whether the links of a tree of joints are bodies with given parameters."""

from __future__ import annotations

import warnings
from functools import cached_property

import numpy as np

from eomc.binding.contract import Compiled
from eomc.binding.vectors import NamedVector, Values
from eomc.model import JointTree
from eomc.model.trees.inertial_parameters import InertialParameters, first_unphysical, varying_parameters


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
        rounded = given.astype(self._real).tolist()
        by_name = dict(zip(self._parameters.names, rounded, strict=True))
        values = {one.symbol: by_name[one.name] for one in self._model.parameters}
        place = first_unphysical(self._links, values, float(np.finfo(self._real).eps))
        return None if place is None else self._links[place].link

    def warn(self, parameters: Values | None) -> None:
        """Say of parameters that a run is given when a link is no body with them."""
        link = None if parameters is None else self.unphysical_link(parameters)
        if link is not None:
            warnings.warn(
                f"{self._model.name}: with these parameters link {link!r} is no body: its mass is not above zero, or a "
                "principal moment of inertia is negative or larger than the sum of the others",
                RuntimeWarning,
                stacklevel=4,
            )
