"""The whole chain, one line per stage: the first file to read.

::

    Model -> EquationsOfMotion -> Program -> Schedule -> views -> artifacts -> files -> Simulator
"""

from __future__ import annotations

import gc
import hashlib
import importlib.metadata
import itertools
import os
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eomc.analysis.initial import InitialState
from eomc.backends.artifacts import Artifact
from eomc.backends.c99 import C99Result, generate
from eomc.backends.c99 import Statistics as CodeStatistics
from eomc.backends.c99.mathematics import DEFAULT_MATHEMATICS, MATHEMATICS
from eomc.backends.c99.views import ModelView
from eomc.backends.writing import write
from eomc.derivation.derive import derive
from eomc.derivation.methods import choose_method
from eomc.derivation.methods.record import Derivation
from eomc.derivation.options import Options, refuse_unknown
from eomc.errors import UsageError, VerificationError
from eomc.integrators import ADAPTIVE, DEFAULT, Integrator, integrators, tableaus_of
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.program import RUN, STEP_LANES, TAYLOR_COEFFICIENTS, Program
from eomc.ir.verify import verify
from eomc.model.model import Model
from eomc.passes.steps import Schedule
from eomc.programs.choice import (
    always_there,
    belongs_to_a_run,
    belongs_to_a_trajectory,
    chosen_functions,
    words_of,
)
from eomc.programs.program import make_program
from eomc.tableaus import Tableau
from eomc.targets import Target, find_target
from eomc.version import __version__
from eomc.wording import counted, suggesting

if TYPE_CHECKING:
    from eomc.binding import Simulator


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a build took: seconds per stage, nodes of the graph, figures of the emitted code."""

    stage_times: tuple[tuple[str, float], ...]
    nodes: int
    code: CodeStatistics


@dataclass(frozen=True, slots=True)
class Emission:
    """How a program becomes C: what `compile` is told beside the model, its method and its constraints."""

    real: str
    math: str
    functions: tuple[str, ...] | None  # optional functions that were asked for; None for the usual ones
    integrators: tuple[Integrator, ...]  # the first is the one of runs
    target: Target | None  # the processor that has files beside
    optimize: str = "speed"  # or size

    def runs(self, events: bool) -> tuple[Integrator, ...]:
        """Return those that have runs in C: all, but for one alone whose steps know nothing of others or `events`."""
        asked = events or (self.functions is not None and RUN in self.functions)
        return self.integrators if asked or len(self.integrators) > 1 or self.integrators[0].remembers else ()

    def __str__(self) -> str:
        """Return what is not as usual, each behind a blank; `real` and `target` are not told."""
        selection = f" functions={words_of(self.functions)}" if self.functions is not None else ""
        names = ",".join(row.asked for row in self.integrators)
        stepping = f" integrator={names}" if names != DEFAULT.name else ""
        own = f" math={self.math}" if self.math != DEFAULT_MATHEMATICS else ""
        small = f" optimize={self.optimize}" if self.optimize != "speed" else ""
        return f"{selection}{stepping}{own}{small}"


@dataclass(frozen=True, eq=False, repr=False)
class Build:
    """A compiled model, every stage's result kept."""

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

    def __repr__(self) -> str:
        counts = self.statistics.code.functions[0].counts.total
        sizes = f"{counted(len(self.program.states), 'state')}, {counted(counts, 'operation')} in rhs"
        return f"<eomc.Build of {self.model.name!r} by {self.method}: {sizes}>"

    @property
    def real(self) -> str:
        """The scalar type that the emitted Makefile compiles for: ``double`` or ``float``."""
        return self.emission.real

    @property
    def math(self) -> str:
        """Whose functions of mathematics the C calls."""
        return self.emission.math

    @property
    def optimize(self) -> str:
        """What the C is short of: ``speed`` or ``size``."""
        return self.emission.optimize

    @property
    def functions(self) -> tuple[str, ...] | None:
        """The optional functions that were asked for; None for the usual ones."""
        return self.emission.functions

    @property
    def integrators(self) -> tuple[Integrator, ...]:
        """The integrators that are emitted; the first is the one of runs."""
        return self.emission.integrators

    @property
    def target(self) -> Target | None:
        """The processor that has files beside."""
        return self.emission.target

    @property
    def integrator(self) -> Integrator:
        """The integrator by which runs go where nothing else is said."""
        return self.integrators[0]

    @property
    def tableau(self) -> Tableau:
        """The scheme of the model's own step."""
        return tableaus_of(self.integrators)[0]

    @property
    def library(self) -> tuple[Artifact, ...]:
        """The header and the source, several of a large model: what other programs need."""
        return tuple(artifact for artifact in self.artifacts if artifact.kind in ("header", "source"))

    @property
    def flags(self) -> tuple[str, ...]:
        """What the compiler of the C is told after all else; the Makefile has it, too."""
        return MATHEMATICS[self.math].flags

    def write(self, directory: str | os.PathLike[str], library: bool = False) -> list[Path]:
        """Write the C sources, the Makefile and the README; whole or not at all.

        Parameters
        ----------
        directory
            The folder, made where it is missing. Files that would not change are not touched.
        library
            Whether headers and sources are written alone, without main, Makefile and README.

        Raises
        ------
        OutputError
            The directory cannot be written, or a file there is not ours, or it belongs to another model.
        """
        return write(self.library if library else self.artifacts, directory)

    def load(self) -> Simulator:
        """Compile with the system compiler (or take the cached result) and bind to NumPy.

        Raises
        ------
        BuildError
            No compiler, or it refuses the code; its command and output are shown.
        """
        from eomc.binding import load

        return load(self)

    def with_functions(self, functions: str | Iterable[str] | None) -> Build:
        """Return the same build with other functions, as `compile` takes them."""
        return compile(self.model, self.method, **{**self._asked(), "functions": functions})

    def _asked(self) -> dict[str, Any]:
        """Return the options of this build, as `compile` takes them."""
        return {
            "real": self.real,
            "math": self.math,
            "constraints": self.options.constraints,
            "stabilization": self.options.stabilization,
            "functions": self.functions,
            "integrator": [row.asked for row in self.integrators],
            "target": self.target.name if self.target else None,
            "optimize": self.optimize,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the model, the options and what tells the C from others: the rest is derived anew, to the same bytes.

        A model is some kilobytes, its stages are a thousand times that, and deriving takes no longer than reading them.
        """
        return _derived_again, (self.model, self.method, self._asked(), _versions(), _digest(self.artifacts))

    def __copy__(self) -> Build:
        return self  # nothing of it can change

    def __deepcopy__(self, memo: object) -> Build:
        return self

    def with_integrator(self, integrator: str | Iterable[str]) -> Build:
        """Return the same build with other integrators: what is derived stays, the C is emitted anew.

        Where one takes the power series of the motion and none did, or none does and one did, all is derived anew; so
        it is where one takes functions that are not there.
        """
        chosen = integrators(integrator)
        there = {function.name for function in self.program.functions}
        if _expands(chosen) is not _expands(self.integrators) or not there.issuperset(_needed(chosen)):
            return compile(self.model, self.method, **{**self._asked(), "integrator": integrator})
        return self._emitted_anew(self.program, replace(self.emission, integrators=chosen))

    def for_runs_by(self, integrator: str, run: bool = False) -> Build:
        """Return the same build by another integrator, with the functions of a trajectory alone, and its run in C."""
        chosen = integrators(integrator)
        names = (*_needed(chosen), *(one.name for one in self.program.functions if belongs_to_a_trajectory(one.name)))
        fewer = tuple(name for name in dict.fromkeys(names) if not always_there(name)) + (RUN,) * run
        emission = replace(self.emission, functions=fewer, integrators=chosen)
        there = {function.name for function in self.program.functions}
        if (_expands(chosen) and not self.program.series) or not there.issuperset(names):
            asked = {**self._asked(), "functions": fewer, "integrator": integrator}
            return compile(self.model, self.method, **asked)
        program = replace(
            self.program,
            functions=tuple(one for one in self.program.functions if one.name in names),
            further=(TAYLOR_COEFFICIENTS,) if _expands(chosen) else (),
            series=self.program.series if _expands(chosen) else (),
        )
        return self._emitted_anew(program, emission)

    def with_step_lanes(self) -> Build:
        """Return the same build with a step of several states side by side, and with what a run needs beside."""
        own = _needed(self.integrators[:1])
        needed = [one for one in self.program.functions if belongs_to_a_run(one.name) or one.name in own]
        names = tuple(one.name for one in needed if one.name != "rhs")
        series = self.program.series if self.integrator.expands else ()
        program = replace(self.program, functions=tuple(needed), further=(STEP_LANES,), series=series)
        emission = replace(self.emission, functions=(*names, STEP_LANES), integrators=self.integrators[:1])
        return self._emitted_anew(program, emission)

    def _emitted_anew(self, program: Program, emission: Emission) -> Build:
        """Return the build with another part of its program, or emitted in another way."""
        result = _emitted(program, self.method, self.options, emission)
        return replace(
            self,
            emission=emission,
            program=program,
            schedule=result.schedule,
            view=result.view,
            artifacts=result.artifacts,
            statistics=replace(self.statistics, code=result.statistics),
        )

    @cached_property
    def starts(self) -> InitialState:
        """What makes states of coordinates and speeds; on a graph of its own, made when it is asked for."""
        return InitialState(self.model, choose_method(self.model, self.method), self.options)

    def initial_state(
        self,
        coordinates: Mapping[str, float] | None = None,
        speeds: Mapping[str, float] | None = None,
        t: float = 0.0,
        parameters: Mapping[str, float] | None = None,
        inputs: Mapping[str, float] | None = None,
    ) -> list[float]:
        """Return this method's state from coordinates and speeds (or q') by name, else the model's initial values."""
        start = self.starts({**(coordinates or {}), **(speeds or {})}, t, parameters, inputs)
        for remark in start.vanishing:
            warnings.warn(f"{self.model.name}: {remark}", stacklevel=2)
        return start.state


@suggesting
def compile(  # the field's word for it, and only ever called as eomc.compile
    model: Model,
    method: str | None = None,
    *,
    real: str = "double",
    math: str = DEFAULT_MATHEMATICS,
    constraints: str = "eliminated",
    stabilization: str = "none",
    functions: str | Iterable[str] | None = None,
    integrator: str | Iterable[str] | None = None,
    target: str | None = None,
    optimize: str = "speed",
) -> Build:
    """Derive a model's equations of motion and emit its C simulator.

    Parameters
    ----------
    model
        The mechanism.
    method
        ``kane``, ``lagrange``, ``hamilton`` or another of ``model.methods``; None: the model's native one.
    real
        ``double`` or ``float``: what the emitted Makefile compiles for.
    math
        Whose sin, cos, exp, ... the C calls: ``libm``, the platform's; ``strict``, functions that are written into the
        model, without a contracted operation, so that all compilers and machines give the same bits; ``fast``, the same
        functions, where compilers may contract.
    constraints
        How M v' + J^T lambda = f, J v' = c is solved: ``eliminated`` (dependent speeds, as named or else chosen by
        complete pivoting), ``augmented`` (the matrix [M J^T; J 0]), ``range-space`` (J M^-1 J^T) or ``null-space``
        (R with J R = 0). All give the same motion.
    stabilization
        Against drift from the constraints: ``none``, ``baumgarte`` (with the parameters baumgarte_alpha and
        baumgarte_beta) or ``projection`` (of coordinates and speeds after each step).
    functions
        Names of the functions to emit beside the right-hand side and the integrator: ``["jacobian", "energy"]``, or
        ``"all"``. None: all but those that are long and seldom wanted, such as `jacobian`. What the model does not have
        (energy, for a model without) is left out. ``"rhs_lanes"``, the right-hand side of several states side by side,
        is emitted where it is named: ``"all,rhs_lanes"``; so are ``"step_lanes"``, a step of them, and ``"evaluate"``,
        which serves all functions at one state. After some, names say of what: ``"inverse_dynamics:F:tau"``.
    integrator
        Integrator of the runs, a row of `eomc.integrators`: a scheme of fixed steps such as ``rk4`` or ``heun``, or an
        adaptive one, ``dop853``, ``dopri5``, ``rodas5p`` or ``taylor`` (``taylor:15``: of that order). Several
        (``["rk4", "dop853"]`` or ``"rk4,dop853"``) are emitted beside each other; the first is that of `simulate` and
        of the emitted program.
    target
        A processor, a row of `eomc.targets` such as ``cortex-m4``: files are emitted beside that build a library for
        it and run it in an emulator. The equations are the same for all.
    optimize
        ``speed``; or ``size``, for a third less text at -Os where there are constraints: systems go to their kernels at
        once instead of a fixed order of their pivots, functions share what they can, and may evaluate what only others
        need. The values are the same to rounding.

    Raises
    ------
    UsageError
        An argument that is not among those listed above.
    UnsupportedError
        A method that cannot serve the model.
    ModelError
        The model's initial values determine no state.
    DerivationError, LoweringError
        The equations do not exist, or an expression has no meaning in C.
    """
    if not isinstance(model, Model):
        raise UsageError(
            f"eomc.compile takes an eomc.Model, not {type(model).__name__}; eomc.load makes one from a name or file"
        )
    derivation = choose_method(model, method)
    refuse_unknown("real", real, ("double", "float"))
    refuse_unknown("math", math, tuple(MATHEMATICS))
    refuse_unknown("optimize", optimize, ("speed", "size"))
    options = Options(constraints, stabilization)
    schemes = _integrators_of(model, integrator)
    chosen = chosen_functions(functions, tableaus_of(schemes)[0].name)
    machine = None if target is None else find_target(target, real)
    with _uncollected():
        return _run(model, derivation, options, Emission(real, math, chosen, schemes, machine, optimize))


def _integrators_of(model: Model, asked: str | Iterable[str] | None) -> tuple[Integrator, ...]:
    """Return the integrators of a model's runs: where none is asked for, events are worth a tolerance."""
    if asked is None:
        return (ADAPTIVE if model.events else DEFAULT,)
    return integrators(asked)


def _needed(chosen: Iterable[Integrator]) -> tuple[str, ...]:
    """Return the functions that the steps of integrators evaluate beside the rates."""
    return tuple(dict.fromkeys(name for row in chosen for name in row.needed))


def _derived_again(model: Model, method: str, asked: dict[str, Any], versions: str, digest: str) -> Build:
    """Return the build that was pickled."""
    with warnings.catch_warnings(action="ignore"):  # they were given when it was made
        build = compile(model, method, **asked)
    if _digest(build.artifacts) != digest:
        raise VerificationError(
            f"{model.name}: the C derived here, by {_versions()}, differs from that of the pickled build, by "
            f"{versions}: have the same versions in both places, or pickle the model alone"
        )
    return build


def _versions() -> str:
    """Return the versions that the emitted C depends on, for people."""
    return f"eomc {__version__} with SymPy {importlib.metadata.version('sympy')}"


def _digest(artifacts: Iterable[Artifact]) -> str:
    """Return a hash of all emitted files."""
    digest = hashlib.sha256()
    for artifact in artifacts:
        digest.update(f"{artifact.path}\0{artifact.text}\0".encode())
    return digest.hexdigest()


@contextmanager
def _uncollected() -> Iterator[None]:
    """Hold Python's search for cycles: the stages make many small objects and no cycles, and SymPy's heap is large.

    What they leave behind counts as old at once, or it would be searched as soon as the search goes on.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if gc.get_freeze_count() == 0:  # what somebody else froze stays frozen
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _run(model: Model, chosen: Derivation, options: Options, emission: Emission) -> Build:
    """Go through all stages."""
    times = [("", time.perf_counter())]
    starts = InitialState(model, chosen, options)  # coordinates, speeds -> state
    equations: EquationsOfMotion = derive(model, chosen, starts.problem, options)  # Model -> EquationsOfMotion
    times.append(("derive", time.perf_counter()))
    initial, remarks = starts.for_the_program()
    times.append(("initial state", time.perf_counter()))
    # EquationsOfMotion -> Program
    program: Program = make_program(
        equations, model.name, model.description, initial, remarks, emission.functions,
        needed=_needed(emission.integrators), expanded=_expands(emission.integrators),
    )  # fmt: skip
    times.append(("program", time.perf_counter()))
    if os.environ.get("EOMC_VERIFY"):
        verify(program)
    result: C99Result = _emitted(program, chosen.name, options, emission)
    times.append(("emit", time.perf_counter()))
    program.graph.seal()
    laps = tuple((stage, now - before) for (_, before), (stage, now) in itertools.pairwise(times))
    statistics = Statistics(laps, len(program.graph), result.statistics)
    return Build(
        model, chosen.name, options, emission, equations, program, result.schedule, result.view, result.artifacts,
        statistics,
    )  # fmt: skip


def _expands(chosen: Iterable[Integrator]) -> bool:
    """Whether an integrator takes the power series of the motion."""
    return any(row.expands for row in chosen)


def _emitted(program: Program, method: str, options: Options, emission: Emission) -> C99Result:
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
