"""Makes the ensembles of a simulator: its C with a step in lanes, the plan, the run, the result."""

from __future__ import annotations

import functools
import os
import platform
import warnings
from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from eomc.binding.bodies import Bodies
from eomc.binding.contract import Compiled
from eomc.binding.controls import Asked, controls, fixed_controls, warn_of_rounding
from eomc.binding.ensemble.checkpoint import Checkpoint, key_of_run
from eomc.binding.ensemble.plan import LAST, Plan, Planner
from eomc.binding.ensemble.progress import Watcher, show
from eomc.binding.ensemble.reductions import Reduce, reductions_of
from eomc.binding.ensemble.result import Ensemble, EnsembleInterrupt, told_failures
from eomc.binding.ensemble.running import Crew, Run
from eomc.binding.ensemble.scheduled import Scheduled
from eomc.binding.ensemble.threads import Threads, processors
from eomc.binding.grids import time_grid
from eomc.binding.integration import positive_integer
from eomc.binding.library import Library
from eomc.binding.loading import Source, source_of
from eomc.binding.sources import InputSource, Sources
from eomc.binding.states import States
from eomc.binding.vectors import NamedVector
from eomc.errors import UsageError
from eomc.wording import counted

NATIVE = ("-O3", "-march=native")
"""Flags for the processor that this is, in front of those that keep the bits."""

WIDEST = "-mprefer-vector-width=512"
"""On x86 compilers take half of the widest vectors else; where there are none so wide it changes nothing."""

LANES = {"double": 16, "float": 32}
"""Two of the widest vectors: while one waits for its own results, the other goes on."""

USUAL_LANES = 8
"""Those of the emitted C where nothing else is said."""


class Ensembles:
    """The ensembles of one build."""

    def __init__(
        self, build: Compiled, states: States, sources: Sources, parameters: NamedVector, bodies: Bodies
    ) -> None:
        self._build = build
        self._states = states
        self._sources = sources
        self._parameters = parameters
        self._bodies = bodies
        self._source = functools.cache(self._made_source)
        self._library = functools.cache(self._opened)
        self.name = build.program.name

    def run(
        self,
        x0: ArrayLike | None,
        parameters: Any,
        inputs: InputSource | Sequence[InputSource],
        t_end: float,
        dt: float,
        t0: float,
        keep: Any,
        reduce: Reduce,
        threads: int | None,
        native: bool,
        checkpoint: str | os.PathLike[str] | None,
        progress: bool | Watcher,
        scheduler: Any,
        asked: Asked,
    ) -> Ensemble:
        """Run an ensemble; the arguments are those of `Simulator.ensemble`, `asked` those of adaptive steps."""
        program = self._build.program
        outputs = next((one.output_names for one in program.functions if one.name == "outputs"), ())
        names = self._states.names
        events = tuple(kind.name for kind in program.events)
        reductions = reductions_of(reduce, self.name, names, outputs, events)
        grid = time_grid(t0, t_end, dt)
        tolerated = None
        if self._build.integrator.adaptive:
            tolerated = controls(asked, t0, t_end, names, self.name)
            warn_of_rounding(asked, self._build.integrator, self._build.real, self.name)
        elif events:
            tolerated = fixed_controls(asked, t0, t_end, dt, names, self.name)
        crew = self._crew(threads, native, scheduler)
        build = self._build
        planner = Planner(build.integrator, build.tableau, program.projected, self._states, self._sources)
        plan = planner.plan(grid, x0, parameters, inputs, keep, reductions, self._parameters, tolerated)
        if parameters is not None:
            self._bodies.warn_of_each(plan.parameters.chunks, plan.parameters.count)
        run = self._made_room(plan, progress if callable(progress) else show if progress else None)
        kept = None
        if checkpoint is not None:
            texts = [file.text for file in self._build.artifacts if file.path.endswith((".h", ".c"))]
            kept = Checkpoint(checkpoint, key_of_run(texts, plan))
        try:
            run.run(crew, kept)
        except KeyboardInterrupt as error:
            interrupt = EnsembleInterrupt(f"{self.name}: interrupted; `ensemble` has what was finished")
            interrupt.ensemble = self._result(plan, run)
            raise interrupt from error
        finally:
            if kept is not None:
                kept.close()
        if run.moved:
            starts = f"{counted(run.moved, 'start')} {'is' if run.moved == 1 else 'are'}"
            warnings.warn(f"{self.name}: {starts} moved onto the constraints", stacklevel=4)
        failed = told_failures(run.points.status)
        if failed:
            warnings.warn(f"{self.name}: {failed}; `status` and `t_failed` tell which", RuntimeWarning, stacklevel=4)
        return self._result(plan, run)

    def _crew(self, threads: int | None, native: bool, scheduler: Any) -> Crew:
        """Return who runs blocks."""
        constrained = self._build.view.projection is not None
        if scheduler is None:
            workers = processors() if threads is None else positive_integer("threads", threads)
            return Threads(self._library(native), constrained, workers)
        if threads is not None:
            raise UsageError("threads are those of this machine, and a scheduler has workers of its own: leave one out")
        lanes = LANES[self._build.real] if native else USUAL_LANES
        return Scheduled(self._source(native), constrained, lanes, scheduler)

    def _made_source(self, native: bool) -> Source:
        """Return the C with a step in lanes."""
        contracted = self._build.flags == () or "-ffp-contract=off" in self._build.flags
        wide = (WIDEST,) if platform.machine().lower() in ("x86_64", "amd64") else ()
        lanes = f"-D{self._build.view.macro}_LANES={LANES[self._build.real]}"
        flags = (*NATIVE, *wide, lanes, *(("-ffp-contract=off",) if contracted else ())) if native else ()
        return source_of(self._build.with_step_lanes(), flags)

    def _opened(self, native: bool) -> Library:
        return self._source(native).opened()

    def _made_room(self, plan: Plan, watcher: Watcher | None) -> Run:
        try:
            return Run(plan, watcher)
        except (MemoryError, ValueError) as error:
            kept = f"{counted(plan.task.rows, 'point')} of {counted(plan.count, 'trajectory', 'trajectories')}"
            raise UsageError(
                f'{self.name}: {kept} do not fit into memory; keep each n-th, the "last" or "none"'
            ) from error

    def _result(self, plan: Plan, run: Run) -> Ensemble:
        points, task = run.points, plan.task
        reduced: dict[tuple[str, str], Any] = {
            **dict(zip(task.reductions.names, points.reduced.T, strict=True)),
            **dict(zip(task.reductions.happened, points.happened.T, strict=True)),
        }
        return Ensemble(
            self.name,
            self._build.method,
            task.grid.times(task.kept),
            points.x[:, 0] if task.every == LAST else points.x,
            points.status,
            points.t_failed,
            plan.parameters,
            reduced,
            self._states.names,
            self._parameters.names,
            self._units(),
        )

    def _units(self) -> dict[str, str]:
        """Return the units of states, outputs and parameters by name, of those that have one."""
        program = self._build.program
        outputs = next((one for one in program.functions if one.name == "outputs"), None)
        told = [(one.name, one.unit) for one in (*program.states, *program.parameters)]
        if outputs is not None:
            told += [(name, unit) for name, (unit, _) in zip(outputs.output_names, outputs.output_texts, strict=False)]
        return {name: unit for name, unit in told if unit}
