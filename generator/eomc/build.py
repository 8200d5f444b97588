"""A compiled model: what is asked of it, and `compile`, which makes it."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eomc.analysis.dimensions import refuse_disagreeing
from eomc.analysis.initial import InitialState
from eomc.backends.artifacts import Artifact
from eomc.backends.c99.mathematics import DEFAULT_MATHEMATICS, MATHEMATICS
from eomc.backends.writing import write
from eomc.collector import uncollected
from eomc.derivation.methods import choose_method
from eomc.derivation.methods.record import Derivation
from eomc.derivation.options import Options, refuse_unknown
from eomc.emission import Emission
from eomc.errors import RunError, UsageError, VerificationError
from eomc.integrators import ADAPTIVE, DEFAULT, Integrator, integrators, tableaus_of
from eomc.ir.single import refuse_beyond_float
from eomc.model.model import Model
from eomc.model.placements import placements
from eomc.pipeline import Stages
from eomc.programs.choice import chosen_functions
from eomc.summary import build_cell
from eomc.tableaus import Tableau
from eomc.targets import Target, find_target
from eomc.variants import Variant, by_integrators, in_lanes, of_a_run, of_changes, of_steps
from eomc.version import __version__
from eomc.wording import counted, suggesting

if TYPE_CHECKING:
    from eomc.binding import Simulator, Trajectory


class Build(Stages):
    """A compiled model, every stage's result kept.

    Attributes
    ----------
    model, method, options
        What was derived, by which method, and how constraints and trees are solved.
    emission
        How it becomes C; the properties `real`, `math`, `functions` and others read it.
    equations, program, schedule, view
        The results of the stages, in their order.
    artifacts
        The files, as text.
    statistics
        Times of the stages, operations and sizes.

    Notes
    -----
    Methods take `functions`, `integrator`, `parameters`, `inputs`, `coordinates`, `speeds` and the time `t` as
    `eomc.compile` and `Simulator` do; with a `run` a build has the run of a scheme in C.

    Examples
    --------
    >>> import eomc
    >>> build = eomc.compile(eomc.load("kepler"))
    >>> build.method, [artifact.path for artifact in build.artifacts][:2]
    ('hamilton', ['kepler.h', 'kepler.c'])
    """

    def __repr__(self) -> str:
        counts = self.statistics.code.functions[0].counts.total
        sizes = f"{counted(len(self.program.states), 'state')}, {counted(counts, 'operation')} in rhs"
        return f"<eomc.Build of {self.model.name!r} by {self.method}: {sizes}>"

    def _repr_html_(self) -> str:
        """Return functions with their operations, and files, in tables, for a notebook."""
        return build_cell(self)

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

    @suggesting
    def report(
        self,
        path: str | os.PathLike[str],
        trajectory: Trajectory | None = None,
        *,
        speed: float | None = None,
        follow: str | None = None,
        live: bool = False,
        dt: float | None = None,
    ) -> None:
        """Write a report: one page that needs nothing beside it, no network either.

        It has the motion as a picture that moves, its energies, eigenvalues where it starts at an equilibrium or in a
        steady motion, parameters, inputs, states and outputs with their units, the equations of motion, and the
        operations of each function. A motion that ends early is told, with what ended it.

        Parameters
        ----------
        path
            The file, in ``.html``; it is written whole or not at all.
        trajectory
            The motion that is shown, of this build's simulator; None: the model's
            usual run, from its initial values.
        speed, follow
            Of the picture, and of the simulator, as `Trajectory.animate` takes them.
        live
            Whether the page has a simulator, too: the C of this build's scheme, which is explicit and of fixed steps,
            in WebAssembly; with strict mathematics, and with projection where nothing else keeps the constraints.
        dt
            Length of the simulator's steps [s]; None: of those of the model's usual run.

        Warns
        -----
        UserWarning
            Files of meshes cannot be read.

        Raises
        ------
        OutputError
            The ending is not that of a page, or the file cannot be written.
        UsageError
            `trajectory` is none of this model, or `speed` is not above zero.
        RunError
            There is no motion from the model's initial values.
        UnsupportedError
            A page cannot run this build's scheme.
        BuildError
            There is no C compiler, or, for a simulator, no clang or lld; or it refuses the code.
        """
        from eomc.live import refuse_without_tools
        from eomc.report import page, refuse_unwritable, write_report

        refuse_unwritable(path)
        if live:
            refuse_without_tools()
        runs = self.for_a_page() if live else None
        ended = None
        if trajectory is None:
            try:
                trajectory = self.load().simulate()
            except RunError as error:
                if error.trajectory is None:
                    raise
                trajectory, ended = error.trajectory, error
        write_report(path, page(self, trajectory, ended=ended, speed=speed, follow=follow, live=runs, dt=dt))

    def for_a_page(self) -> Build:
        """Return a build of the same motion for a page that runs it.

        With strict mathematics and what is shown alone; steps end on the constraints where nothing else keeps them.

        Raises
        ------
        UnsupportedError
            A page cannot run this build's scheme.
        """
        from eomc.live import refuse_what_is_not_served

        refuse_what_is_not_served(self)
        kept = "projection" if self.options.stabilization == "none" else self.options.stabilization
        shown = ["energy", "power"]
        if placements(self.model).rows:
            shown.append("poses")
        other = {"math": "strict", "stabilization": kept, "functions": shown, "target": None, "optimize": "speed"}
        return compile(self.model, self.method, **{**self._asked(), **other})

    def with_functions(self, functions: str | Iterable[str] | None) -> Build:
        """Return the same build with other functions, as `compile` takes them."""
        chosen = chosen_functions(functions, self.tableau.name)
        return self._varied(Variant(replace(self.emission, functions=chosen)))

    def with_integrator(self, integrator: str | Iterable[str]) -> Build:
        """Return the same build with other integrators: what is derived stays where it serves them."""
        return self._varied(by_integrators(self.program, self.emission, integrators(integrator)))

    def for_runs_by(self, integrator: str, run: bool = False) -> Build:
        """Return the same build by another integrator, with the functions of a trajectory alone, and its run in C."""
        return self._varied(of_a_run(self.program, self.emission, integrators(integrator), run))

    def with_steps_alone(self) -> Build:
        """Return the same build with what its steps call, and its outputs: no step and no output has other bits."""
        return self._varied(of_steps(self.program, self.emission))

    def with_step_lanes(self) -> Build:
        """Return the same build with a step of several states side by side, and with what a run needs beside."""
        return self._varied(in_lanes(self.program, self.emission))

    def with_variations(self, integrator: str, parameters: Sequence[str]) -> Build:
        """Return a build of power series alone: of the motion and its change by its start and by named parameters."""
        by = replace(self.emission, integrators=integrators(integrator))
        with uncollected():
            return self._varied(of_changes(self.equations, self.program, by, parameters))

    def _varied(self, variant: Variant) -> Build:
        """Return another build of the same model, method and constraints."""
        if variant.program is None:
            return Build.of(self.model, self._derivation, self.options, variant.emission)
        return self.emitted_anew(variant.program, variant.emission)

    @property
    def _derivation(self) -> Derivation:
        return choose_method(self.model, self.method)

    def _asked(self) -> dict[str, Any]:
        """Return the options of this build, as `compile` takes them."""
        return {
            "real": self.real,
            "math": self.math,
            "constraints": self.options.constraints,
            "stabilization": self.options.stabilization,
            "algorithm": self.options.algorithm,
            "functions": self.functions,
            "integrator": [row.asked for row in self.integrators],
            "target": self.target.name if self.target else None,
            "optimize": self.optimize,
            "units": "ignore",  # they were checked, or were not to be
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

    @cached_property
    def starts(self) -> InitialState:
        """What makes states of coordinates and speeds; on a graph of its own, made when it is asked for."""
        return InitialState(self.model, self._derivation, self.options)

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
    stabilization: str | None = None,
    functions: str | Iterable[str] | None = None,
    integrator: str | Iterable[str] | None = None,
    target: str | None = None,
    optimize: str = "speed",
    algorithm: str = "auto",
    units: str = "check",
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
        baumgarte_beta) or ``projection`` (of coordinates and speeds after each step). None: as the model's usual run
        has it, ``none`` where it has none of its own.
    functions
        Names of the functions to emit beside the right-hand side and the integrator: ``["jacobian", "energy"]``, or
        ``"all"``. None: all but those that are long and seldom wanted, such as `jacobian`; with more than 50 speeds,
        energy and outputs alone. What the model does not have (energy, for a model without) is left out. With more than
        150 speeds there are no dense matrices, `mass_matrix` and `jacobian`. ``"rhs_lanes"``, the right-hand side of
        several states side by side, is emitted where it is named: ``"all,rhs_lanes"``; so are ``"step_lanes"``, a step
        of them, ``"evaluate"``, which serves all functions at one state, and ``"unphysical_link"``, which finds a link
        of a tree of joints that is no body with given parameters. After some, names say of what:
        ``"inverse_dynamics:F:tau"``.
    integrator
        Integrator of the runs, a row of `eomc.integrators`: a scheme of fixed steps such as ``rk4`` or ``heun``, or an
        adaptive one, ``dop853``, ``dopri5``, ``rodas5p`` or ``taylor`` (``taylor:15``: of that order; its series is
        that of the equations with the fewest products, ``taylor:kane`` of those that it names). Several
        (``["rk4", "dop853"]`` or ``"rk4,dop853"``) are emitted beside each other; the first is that of `simulate` and
        of the emitted program.
    target
        A processor, a row of `eomc.targets` such as ``cortex-m4``: files are emitted beside that build a library for
        it and run it in an emulator. The equations are the same for all.
    optimize
        ``speed``; or ``size``, for a third less text at -Os where there are constraints: systems go to their kernels at
        once instead of a fixed order of their pivots, functions share what they can, and may evaluate what only others
        need. The values are the same to rounding.
    algorithm
        By which recursion over its joints a tree of joints, or of bodies that are one, is solved: ``composite`` bodies,
        which make M and factor it from the leaves to the root, or ``articulated`` bodies, which do without M; ``auto``:
        that of fewer operations, weighed, as `eomc stats` and the header say; of bodies their own frames are weighed,
        too. Other models take ``auto`` alone.
    units
        ``check``: where all parameters have units, the dimensions of every expression of the model must agree with
        each other and with its place; or ``ignore``.

    Raises
    ------
    UsageError
        An argument that is not among those listed above.
    UnsupportedError
        A method or a recursion that cannot serve the model.
    ModelError
        The model's initial values determine no state, or its units do not agree.
    DerivationError, LoweringError
        The equations do not exist, or an expression has no meaning in C.

    Examples
    --------
    >>> import eomc
    >>> eomc.compile(eomc.load("simple_pendulum"), real="float").real
    'float'
    """
    if not isinstance(model, Model):
        raise UsageError(
            f"eomc.compile takes an eomc.Model, not {type(model).__name__}; eomc.load makes one from a name or file"
        )
    derivation = choose_method(model, method)
    refuse_unknown("real", real, ("double", "float"))
    refuse_unknown("math", math, tuple(MATHEMATICS))
    refuse_unknown("optimize", optimize, ("speed", "size"))
    refuse_disagreeing(model, units)
    options = Options.of(model.run, constraints, stabilization, algorithm)
    schemes = _integrators_of(model, integrator)
    chosen = chosen_functions(functions, tableaus_of(schemes)[0].name)
    machine = None if target is None else find_target(target, real)
    build = Build.of(model, derivation, options, Emission(real, math, chosen, schemes, machine, optimize))
    if real == "float":
        for parameter in build.program.parameters:
            refuse_beyond_float(f"{model.name}: parameter {parameter.name}", parameter.value)
    return build


def _integrators_of(model: Model, asked: str | Iterable[str] | None) -> tuple[Integrator, ...]:
    """Return the integrators of a model's runs: where none is asked for, events are worth a tolerance."""
    if asked is None:
        return (ADAPTIVE if model.events else DEFAULT,)
    return integrators(asked)


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
