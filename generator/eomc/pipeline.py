"""The whole chain, one line per stage: the first file to read.

::

    Model -> EquationsOfMotion -> Program -> Schedule -> views -> artifacts -> files -> Simulator

`Stages.of` goes from the model to the artifacts. `eomc.compile` calls it (`build.py`), and what it returns writes the
files and loads the simulator.
"""

from __future__ import annotations

import itertools
import os
import time
from dataclasses import dataclass, replace
from typing import Self

from eomc.analysis.expanding import expand
from eomc.analysis.initial import InitialState
from eomc.backends.artifacts import Artifact
from eomc.backends.c99 import C99Result, generate
from eomc.backends.c99 import Statistics as CodeStatistics
from eomc.backends.c99.views import ModelView
from eomc.collector import uncollected
from eomc.derivation.derive import derive
from eomc.derivation.methods.record import Derivation
from eomc.derivation.options import Options
from eomc.emission import Emission
from eomc.integrators import tableaus_of
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.program import Program
from eomc.ir.verify import verify
from eomc.model.model import Model
from eomc.passes.steps import Schedule
from eomc.programs.program import make_program
from eomc.programs.series import Expanded


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a build took: seconds per stage, nodes of the graph, figures of the emitted code."""

    stage_times: tuple[tuple[str, float], ...]
    nodes: int
    code: CodeStatistics
    series_products: tuple[tuple[str, int], ...] = ()  # by methods, first that whose equations are expanded


@dataclass(frozen=True, eq=False, repr=False)
class Stages:
    """What each stage has made of a model."""

    model: Model
    method: str
    options: Options
    emission: Emission
    equations: EquationsOfMotion
    program: Program
    schedule: Schedule
    view: ModelView
    artifacts: tuple[Artifact, ...]
    statistics: Statistics

    @classmethod
    def of(cls, model: Model, chosen: Derivation, options: Options, emission: Emission) -> Self:
        """Go through all stages."""
        times = [("", time.perf_counter())]

        def done(stage: str) -> None:
            times.append((stage, time.perf_counter()))

        with uncollected():
            starts = InitialState(model, chosen, options)  # coordinates, speeds -> state
            equations: EquationsOfMotion = derive(model, chosen, starts.problem, options)  # Model -> EquationsOfMotion
            done("derive")
            initial, remarks = starts.for_the_program()
            done("initial state")
            series: Expanded | None = None
            if emission.has_series:
                series = expand(model, equations, options, emission.form, freely=emission.optimize == "speed")
                done("series")
            program: Program = make_program(  # EquationsOfMotion -> Program
                equations, model.name, model.description, initial, remarks, emission.functions,
                needed=emission.needed, series=series, run=model.run,
            )  # fmt: skip
            done("program")
            if os.environ.get("EOMC_VERIFY"):
                verify(program)
            result: C99Result = emit(program, chosen.name, options, emission)  # Program -> Schedule, views, artifacts
            done("emit")
            program.graph.seal()
        laps = tuple((stage, now - before) for (_, before), (stage, now) in itertools.pairwise(times))
        return cls(
            model, chosen.name, options, emission, equations, program, result.schedule, result.view, result.artifacts,
            Statistics(laps, len(program.graph), result.statistics, series.products if series else ()),
        )  # fmt: skip

    def emitted_anew(self, program: Program, emission: Emission) -> Self:
        """Return the same of another part of the program, or emitted in another way: the last stages alone."""
        result = emit(program, self.method, self.options, emission)
        return replace(
            self,
            emission=emission,
            program=program,
            schedule=result.schedule,
            view=result.view,
            artifacts=result.artifacts,
            statistics=replace(self.statistics, code=result.statistics),
        )


def emit(program: Program, method: str, options: Options, emission: Emission) -> C99Result:
    """Emit a program; the options that are not the usual ones enter its hash."""
    return generate(
        program,
        real=emission.real,
        tableaus=tableaus_of(emission.integrators),
        math=emission.math,
        optimize=emission.optimize,
        options_text=f"method={method} {options}{emission}",
        target=emission.target,
        runs=emission.runs(bool(program.events)),
    )
