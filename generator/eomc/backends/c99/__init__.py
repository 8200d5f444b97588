"""The C99 target: a program becomes model.h, model.c, main.c, a Makefile and a README; a large one has more files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.backends.artifacts import Artifact
from eomc.backends.c99.cores import CORES
from eomc.backends.c99.folding import drawn
from eomc.backends.c99.kernels import count_system
from eomc.backends.c99.mathematics import DEFAULT_MATHEMATICS, MATHEMATICS
from eomc.backends.c99.runs.files import runs_artifacts
from eomc.backends.c99.series import order_of
from eomc.backends.c99.stepped import stepped
from eomc.backends.c99.storage import work_bytes
from eomc.backends.c99.units import LARGEST
from eomc.backends.c99.view import make_view
from eomc.backends.c99.views import ModelView, PartView
from eomc.errors import UsageError
from eomc.integrators import Integrator, expansion_of
from eomc.ir.operations import OperationCounts
from eomc.ir.program import Program
from eomc.passes.schedule import schedule
from eomc.passes.steps import Schedule
from eomc.tableaus import DEFAULT, Tableau
from eomc.targets import Target
from eomc.version import __version__

TEMPLATES: tuple[tuple[str, str, str], ...] = (
    ("c99/model.h.jinja", "{name}.h", "header"),
    ("c99/model.c.jinja", "{name}.c", "source"),
    ("c99/main.c.jinja", "main.c", "main"),
    ("c99/Makefile.jinja", "Makefile", "makefile"),
    ("c99/README.md.jinja", "README.md", "readme"),
)
"""Template, file, kind."""

LARGE_TEMPLATES: tuple[tuple[str, str, str], ...] = (
    ("c99/internal.h.jinja", "{name}_internal.h", "header"),
    ("c99/part.c.jinja", "{name}.c", "source"),
)
"""The same for what models of several C files have beside; the second is rendered once for each."""

TARGET_TEMPLATES: tuple[tuple[str, str, str], ...] = (
    ("c99/targets/trajectory.c.jinja", "{folder}/trajectory.c", "main"),
    ("c99/targets/port.h.jinja", "{folder}/port.h", "main"),
    ("c99/targets/ports/host.c.jinja", "{folder}/host.c", "main"),
    ("c99/targets/CMakeLists.txt.jinja", "CMakeLists.txt", "makefile"),
    ("c99/targets/library.json.jinja", "library.json", "makefile"),
)
"""The same for a target; its port and its linker script come beside."""


@dataclass(frozen=True, slots=True)
class FunctionStatistics:
    """Figures of one emitted function."""

    name: str
    counts: OperationCounts
    temporaries: int
    chunks: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Figures of an emitted folder."""

    prepare: FunctionStatistics
    functions: tuple[FunctionStatistics, ...]
    constants: int
    work_bytes: int
    lines: int


@dataclass(frozen=True, slots=True)
class C99Result:
    """A program for the C99 target, every stage kept."""

    schedule: Schedule
    view: ModelView
    artifacts: tuple[Artifact, ...]
    statistics: Statistics


def generate(
    program: Program,
    *,
    real: str = "double",
    tableaus: Sequence[Tableau] = (DEFAULT,),
    math: str = DEFAULT_MATHEMATICS,
    optimize: str = "speed",
    options_text: str = "",
    version: str = __version__,
    largest: int = LARGEST,
    target: Target | None = None,
    runs: Sequence[Integrator] = (),
) -> C99Result:
    """Return the emitted files of a program; nothing is written yet.

    Parameters
    ----------
    program
        Finished program, ``rhs`` first.
    real
        ``double`` or ``float``: what the emitted Makefile compiles for; the C serves both.
    tableaus
        The schemes of the steps; the first is that of the program, of derivatives and of several states side by side.
    math
        Whose sin, cos, exp, ... are called: a key of `MATHEMATICS`.
    optimize
        ``speed``, or ``size``.
    options_text
        Options of the stages before, for the banner and the model hash.
    version
        Version for the banner; eomc's own by default.
    largest
        Statements up to which the functions share one C file.
    target
        The processor whose files are emitted beside: a run without an operating system, and what builds a library.
    runs
        Integrators that have runs, in files of their own; the emitted program goes by the first. Without, it goes by
        fixed steps.

    Raises
    ------
    UsageError
        `real` is neither of the two.
    LoweringError
        A constant has no finite value in double precision.
    UnsupportedError
        A scheme cannot serve the program.
    """
    if real not in ("double", "float"):
        raise UsageError(f"real={real!r} is not a scalar type; use 'double' or 'float'")
    vectors = {op: bool(record.range) for op, record in CORES.items()} if MATHEMATICS[math].own else {}
    plan = schedule(stepped(program, tableaus), count_system, vectors=vectors, small=optimize == "size")
    view = make_view(
        plan,
        real=real,
        tableaus=tableaus,
        mathematics=MATHEMATICS[math],
        options_text=options_text,
        version=version,
        largest=largest,
        target=target,
        runs=runs,
    )
    artifacts = (*_rendered(view), *_rendered_parts(view), *runs_artifacts(view), *_rendered_target(view))
    lines = sum(artifact.text.count("\n") for artifact in artifacts if artifact.kind in ("header", "source"))
    return C99Result(
        plan,
        view,
        artifacts,
        _statistics(plan, work_bytes(plan, real, tableaus, order_of(expansion_of(runs), real)), lines),
    )


def _rendered(view: ModelView) -> list[Artifact]:
    """Return the files that every model has."""
    return [Artifact(path.format(name=view.name), drawn(template, view), kind) for template, path, kind in TEMPLATES]


def _rendered_parts(view: ModelView) -> list[Artifact]:
    """Return what a model of several C files has beside."""
    if not view.code.units:
        return []
    (header, header_path, header_kind), (part, part_path, part_kind) = LARGE_TEMPLATES
    return [
        Artifact(header_path.format(name=view.name), drawn(header, view), header_kind),
        *(
            Artifact(part_path.format(name=unit.name), drawn(part, PartView(view, unit)), part_kind)
            for unit in view.code.units
        ),
    ]


def _rendered_target(view: ModelView) -> list[Artifact]:
    """Return what a target has beside."""
    target = view.main.target
    if target is None:
        return []
    rows = [*TARGET_TEMPLATES]
    if target.port != "host":
        rows.append((f"c99/targets/ports/{target.port}.c.jinja", "{folder}/port.c", "main"))
    if target.memory is not None:
        rows.append((f"c99/targets/ports/{target.port}.ld.jinja", "{folder}/link.ld", "main"))
    return [Artifact(path.format(folder=target.name), drawn(template, view), kind) for template, path, kind in rows]


def _statistics(plan: Schedule, memory: int, lines: int) -> Statistics:
    figures = [
        FunctionStatistics(routine.function.name, routine.counts, len(routine.temporaries), len(routine.all_chunks))
        for routine in (plan.prepare, *plan.routines)
    ]
    return Statistics(
        prepare=figures[0],
        functions=tuple(figures[1:]),
        constants=len(plan.prepare.function.outputs),
        work_bytes=memory,
        lines=lines,
    )
