"""Energies and momenta of every method.

With T = T2 + T1 + T0, Tk of degree k in q', the momenta are p = dT/dq' and q' . p - T = T2 - T0, so that the
Jacobi integral h = T2 - T0 + V is q' . dL/dq' - L. Where there are fewer speeds than coordinates, u . dT/du - T
takes the place of q' . p - T. A Lagrangian alone has h and what is left of it at q' = 0, minus L there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eomc.model import JointTree, MechanicalSystem, Model
from eomc.reference.arrays import solve_values
from eomc.reference.gravity import choose_origins, potential_of_weights
from eomc.reference.hamilton import HamiltonOfFunction
from eomc.reference.instant import Energy, Instant
from eomc.reference.jets import Array
from eomc.reference.kane import Kane
from eomc.reference.lagrange import HamiltonOfMomenta, Lagrange
from eomc.reference.method import Method
from eomc.reference.momenta import Wanted
from eomc.reference.moving import Moving


class Energies:
    """Evaluates energies and momenta under `method`; :meth:`prepare` first finds from where heights are measured."""

    def __init__(self, model: Model, method: Method) -> None:
        self.model = model
        self.method = method
        self._origins: list[int] | None = [] if isinstance(model.dynamics, JointTree) else None
        self._parted = True  # whether a Lagrangian has a value at q' = 0, so that there are parts of its energy
        self._prepared = False

    def prepare(self, sample: Callable[[int], Instant]) -> None:
        """Choose the origins of the potential energy of the weights, and which energies a Lagrangian has.

        `sample` returns that many admissible states: what there is does not depend on where it is asked for.
        """
        if self._prepared:
            return
        if isinstance(self.model.dynamics, MechanicalSystem):
            self._origins = choose_origins(self._moving(sample(4)))
        elif isinstance(self.method, (Lagrange, HamiltonOfMomenta)):
            self._parted = bool(np.any(np.isfinite(self._at_rest(self.method, sample(4)))))
        self._prepared = True

    def at(self, instant: Instant) -> Energy:
        """Return the energies (k,) and momenta (k, nq)."""
        if isinstance(self.method, Kane):
            return self._of_kane(self.method, instant)
        if isinstance(self.method, HamiltonOfFunction):
            function, _, _ = self.method.function(instant)
            return Energy({"hamiltonian": function.value}, instant.speeds)
        assert isinstance(self.method, (Lagrange, HamiltonOfMomenta))
        at = self.method.momenta(instant)
        rates = np.stack([at.values[symbol] for symbol in self.method.source.setting.rates], axis=-1)
        difference = np.einsum("ki,ki->k", at.value, rates) - at.function
        if at.moving is not None:
            return self._energy(at.moving, at.function, difference, at.value)
        named = {"total": difference, "jacobi": difference}
        if self._parted:
            still = self._at_rest(self.method, instant)
            named = {"kinetic": difference + still, "potential": -still} | named
        return Energy(named, at.value)

    @staticmethod
    def _at_rest(method: Lagrange | HamiltonOfMomenta, instant: Instant) -> Array:
        """Return the Lagrangian (k,) at q' = 0."""
        return method.source.at(instant, np.zeros_like(instant.coordinates), Wanted.VALUE).function

    def resting(self, instant: Instant) -> dict[str, Array]:
        """Return the parts of the energies (k,) that depend on the places alone: no motion is solved for."""
        method = self.method
        if self._origins is None or (isinstance(method, Kane) and not method.speeds):
            return {}
        if isinstance(method, Kane):
            return self._of_places(method.moving(instant, order=1)[0])
        assert isinstance(method, (Lagrange, HamiltonOfMomenta))
        moving = method.source.at(instant, np.zeros_like(instant.coordinates), Wanted.VALUE).moving
        assert moving is not None
        return self._of_places(moving)

    def _of_kane(self, method: Kane, instant: Instant) -> Energy:
        if not method.speeds:  # extra states alone
            return Energy({}, None)
        moving, _, values = method.moving(instant, order=1)
        kinetic, slopes = moving.kinetic_energy()
        momenta = None
        if len(method.speeds) == len(self.model.coordinates):
            transposed = np.swapaxes(moving.rate_partials, 1, 2)
            momenta = solve_values(transposed, slopes[..., None], "the matrix of q' over the speeds")[..., 0]
            rates = np.stack([values[symbol] for symbol in method.setting.rates], axis=-1)
            difference = np.einsum("ki,ki->k", momenta, rates) - kinetic
        else:
            difference = np.einsum("ki,ki->k", slopes, instant.speeds) - kinetic
        return self._energy(moving, kinetic, difference, momenta)

    def _energy(self, moving: Moving, kinetic: Array, difference: Array, momenta: Array | None) -> Energy:
        if self._origins is None:
            return Energy({"kinetic": kinetic}, momenta)
        parts = {"kinetic": kinetic, "potential": np.zeros_like(kinetic), "total": kinetic, "jacobi": difference}
        return Energy(parts, momenta, self._of_places(moving))

    def _of_places(self, moving: Moving) -> dict[str, Array]:
        assert self._origins is not None
        potential = moving.potential()
        if self._origins:
            potential = potential + potential_of_weights(moving, self._origins)
        return dict.fromkeys(("potential", "total", "jacobi"), np.broadcast_to(potential, (moving.states,)))

    def _moving(self, instant: Instant) -> Moving:
        if isinstance(self.method, Kane):
            return self.method.moving(instant)[0]
        assert isinstance(self.method, (Lagrange, HamiltonOfMomenta))
        moving = self.method.momenta(instant).moving
        assert moving is not None
        return moving
