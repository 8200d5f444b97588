"""Sensitivities as users ask for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from eomc.binding.contract import Compiled
from eomc.binding.controls import Asked, controls, least_rtol
from eomc.binding.evaluation import Evaluator
from eomc.binding.feeding import Feed
from eomc.binding.later import Later
from eomc.binding.library import Library
from eomc.binding.sensitivity.dividing import Allowed
from eomc.binding.sensitivity.following import Followed
from eomc.binding.sensitivity.jumps import Jumps
from eomc.binding.sensitivity.rates import Place, Rates, needed
from eomc.binding.sensitivity.record import Record
from eomc.binding.sensitivity.result import Sensitivities
from eomc.binding.sensitivity.series import Variations
from eomc.binding.trajectory import Trajectory
from eomc.binding.vectors import Array, name_of_key, unknown_name
from eomc.errors import UnsupportedError, UsageError
from eomc.integrators import Integrator

_EVERY = "parameters"


def _variations(build: Compiled, integrator: str, *parameters: str) -> Variations:
    return Variations(build.with_variations(integrator, parameters))


class Sensitive:
    """Runs with derivatives, beside those of a simulator."""

    def __init__(
        self, build: Compiled, library: Library, evaluator: Evaluator, load: Callable[[Compiled], Any]
    ) -> None:
        self._program, self._real = build.program, build.real
        self._evaluator, self._source = evaluator, (evaluator.sources, library)
        self._differentiated: Later[Evaluator] = Later(
            lambda names: load(build.with_functions(names.split("\n"))).evaluator
        )
        self._expanded: Later[Variations] = Later(lambda names: _variations(build, *names.split("\n")))

    def of(
        self,
        simulate: Callable[..., Trajectory],
        chosen: Callable[[str | None, Asked, float | None], Integrator],
        by: str | Iterable[Any],
        given: dict[str, Any],
    ) -> Sensitivities:
        """Return a run with its derivatives.

        Parameters
        ----------
        simulate
            Makes it of the arguments `given`, and of ``follow``.
        chosen
            Says by which integrator that will be.
        by
            Names of parameters, or all.
        """
        program = self._program
        names = self._parameters(by)
        asked = Asked(**{name: given[name] for name in Asked.__slots__ if name in given})
        integrator = chosen(given.get("integrator"), asked, given.get("dt"))
        if given.get("controller") is not None:
            raise UnsupportedError(
                f"{program.name}: sensitivities: a controller is called, not differentiated; give the inputs of its "
                'run, as eomc.Samples(t, values, "held")'
            )
        if given.get("follow") is not None:
            raise UsageError(f"{program.name}: follow is not for sensitivities, which follow the run themselves")
        record = Record()
        run = simulate(**{**given, "follow": record})
        functions = needed(program, names, integrator)
        evaluator = self._differentiated("\n".join(functions)) if functions else self._evaluator
        variations = allowed = None
        if integrator.adaptive:
            tolerances = controls(Asked(asked.rtol, asked.atol), 0.0, 0.0, evaluator.state_names, program.name)
            rtol = max(tolerances.rtol, least_rtol(integrator, self._real))
            places = [k for name in names for k, one in enumerate(program.parameters) if one.name == name]
            scales = np.abs(run.parameters[places])
            allowed = Allowed(rtol, tolerances.atols / rtol, np.where(scales > 0.0, scales, 1.0))
        if integrator.expands:
            variations = self._expanded("\n".join([integrator.asked, *names]))
        rates = Rates(evaluator, run.parameters, len(names), program.coordinates, allowed, variations)
        inputs = given.get("inputs")
        if not integrator.adaptive and not program.events:
            inputs = None  # nothing is asked for beside what the steps take
        elif isinstance(inputs, (Sequence, np.ndarray)) and np.ndim(inputs) == 2:
            inputs = record.inputs  # a row for each time of the grid
        feed = Feed(inputs, *self._source)
        jumps = Jumps(rates, program.events, feed, self._real)
        start = rates.start(*record.start(run))
        followed = Followed(integrator.row, program.projected, rates, record, jumps, run.events, start)
        found = followed.at_points(run.t, run.x) if asked.t_eval is None else followed.at_times(run.t)
        n, outputs = len(program.states), self._outputs(rates, run, found.by)
        return Sensitivities(
            run,
            dx_dx0=found.by[:, :, :n],
            dx_dp=found.by[:, :, n:],
            dy_dx0=outputs[:, :, :n],
            dy_dp=outputs[:, :, n:],
            dt_dx0=found.times[:, :n],
            dt_dp=found.times[:, n:],
            states=tuple(state.name for state in program.states),
            parameters=names,
        )

    def _outputs(self, rates: Rates, run: Trajectory, by: Array) -> Array:
        """Return how the outputs change with x0 and p at points of a run, (n, ny, nx + np)."""
        if not run.outputs.size:
            return np.zeros((len(run), run.outputs.shape[1], by.shape[-1]))
        still = np.zeros((len(run), by.shape[-1]))
        return rates.changes("outputs", Place(run.t, run.x, run.inputs, by, still, np.zeros_like(run.inputs)))

    def _parameters(self, by: str | Iterable[Any]) -> tuple[str, ...]:
        """Return the names of the parameters that are chosen.

        Raises
        ------
        UsageError
            One is not known.
        """
        known = tuple(one.name for one in self._program.parameters)
        if not isinstance(by, Iterable):
            raise UsageError(f"{self._program.name}: by is {by!r}: give names of parameters, or ()")
        names = [by] if isinstance(by, str) else [name_of_key(one) for one in by]
        chosen: list[str] = []
        for name in names:
            elements = [one.name for one in self._program.parameters if name in (one.name, one.array)]
            if name != _EVERY and not elements:
                raise unknown_name(self._program.name, "parameter", name, (_EVERY, *known))
            chosen += known if name == _EVERY else elements
        return tuple(dict.fromkeys(chosen)) if self._program.states else ()
