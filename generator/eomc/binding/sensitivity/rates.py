"""dx/dt, what interrupts a motion and what puts it back, with derivatives, at many states for one run's parameters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from eomc.binding.evaluation import Evaluator
from eomc.binding.sensitivity.dividing import Allowed
from eomc.binding.sensitivity.series import Variations
from eomc.binding.vectors import Array
from eomc.integrators import Integrator
from eomc.ir.program import Program


class Slopes(NamedTuple):
    """What is known of dx/dt = f(t, x, r, p) at k states."""

    f: Array  # (k, nx)
    A: Array  # df/dx, (k, nx, nx)
    P: Array  # df/dp of the chosen parameters, (k, nx, np)

    def along(self, changes: Array) -> Array:
        """Return df (k, nx, m) along changes dx (k, nx, m); the last columns are those of the parameters."""
        moved: Array = self.A @ changes
        if self.P.shape[-1]:
            moved[..., changes.shape[-1] - self.P.shape[-1] :] += self.P
        return moved


class Place(NamedTuple):
    """k states, each at its time, and how all of it changes with x0 and p."""

    t: Array  # (k,)
    x: Array  # (k, nx)
    r: Array  # (k, nr)
    by: Array  # dx, (k, nx, m), the last columns those of the chosen parameters
    dt: Array  # (k, m)
    moving: Array  # dr/dt, (k, nr)


class Rates:
    """Evaluates them.

    Parameters
    ----------
    evaluator
        Has what `needed` lists.
    parameters
        Of the run, (np,) in order.
    chosen
        Number of the chosen ones.
    coordinates
        Number of states that are coordinates, the first.
    allowed
        Where steps go to a tolerance: how far they may be off.
    variations
        Power series, where steps go by these.
    """

    def __init__(
        self,
        evaluator: Evaluator,
        parameters: Array,
        chosen: int,
        coordinates: int,
        allowed: Allowed | None = None,
        variations: Variations | None = None,
    ) -> None:
        self.evaluator, self.parameters = evaluator, parameters
        self.chosen, self.coordinates = chosen, coordinates
        self.allowed, self.variations = allowed, variations

    def rates(self, t: Array, x: Array, r: Array) -> Array:
        """Return dx/dt, (k, nx), at times (k,), states (k, nx) and inputs (k, nr) or (1, nr)."""
        return self.evaluator.evaluate("rhs", t, x, _inputs(r, len(x)), self.parameters)

    def slopes(self, t: Array, x: Array, r: Array) -> Slopes:
        """Return dx/dt and its derivatives; likewise."""
        given = t, x, _inputs(r, len(x)), self.parameters
        A = self.evaluator.arrays("jacobian", *given)[0]
        P = np.zeros((*x.shape, 0))
        if self.chosen:
            (P,) = self.evaluator.arrays("rhs_parameter_jacobian", *given)
        return Slopes(self.evaluator.evaluate("rhs", *given), A, P)

    def start(self, t: Array, x: Array, r: Array) -> Place:
        """Return the start of a run, at t (1,), x (1, nx) and r (1, nr), as itself."""
        n = x.shape[1]
        width = n + self.chosen
        return Place(t, x, r, np.eye(n, width)[None], np.zeros((1, width)), np.zeros_like(r))

    def values(self, name: str, place: Place) -> Array:
        """Return the results of any function, (k, n)."""
        return self.evaluator.evaluate(name, place.t, place.x, _inputs(place.r, len(place.x)), self.parameters)

    def derivatives(self, name: str, place: Place) -> Array:
        """Return their derivatives by t, x, r and the chosen parameters, (k, n, 1 + nx + nr + np)."""
        given = place.t, place.x, _inputs(place.r, len(place.x)), self.parameters
        return self.evaluator.arrays(f"{name}_derivatives", *given)[0]

    def changes(self, name: str, place: Place) -> Array:
        """Return how they change with x0 and p, (k, n, m)."""
        D = self.derivatives(name, place)
        n, nr = place.x.shape[1], place.r.shape[1]
        by_time = D[..., 0] + np.einsum("kij,kj->ki", D[..., 1 + n : 1 + n + nr], place.moving)
        changes: Array = D[..., 1 : 1 + n] @ place.by + by_time[..., None] * place.dt[:, None, :]
        if self.chosen:
            changes[..., changes.shape[-1] - self.chosen :] += D[..., 1 + n + nr :]
        return changes


def needed(program: Program, chosen: tuple[str, ...], integrator: Integrator) -> list[str]:
    """Return the functions that sensitivities by the chosen parameters take, as `eomc.compile` names them."""
    events, after = program.events, "".join(f":{name}" for name in chosen)
    there = {function.name for function in program.functions}
    corrections = [name for name in ("coordinate_correction", "velocity_correction") if name in there]
    impact = any(one.impact for one in events)
    of = {
        "outputs": "outputs" in there,
        "events": bool(events),
        "event_rates": impact,
        "resets": any(one.resets and not one.impact for one in events),
        "impacts": impact,
    }
    derived = [*(name for name, is_wanted in of.items() if is_wanted), *corrections, *integrator.needed]
    by_parameters = [f"rhs_parameter_jacobian{after}"] if chosen else []
    slopes = (
        [] if integrator.expands else ["jacobian", *by_parameters, f"switches{after}"]
    )  # power series know no jumps
    whole = [*dict.fromkeys([*slopes, *integrator.needed]), *corrections]
    return [*whole, *(f"{name}_derivatives{after}" for name in derived)]


def _inputs(r: Array, count: int) -> Array | None:
    """Return inputs as an evaluation of many states takes them."""
    if r.shape[1] == 0:
        return None
    return r[0] if len(r) < count else r
