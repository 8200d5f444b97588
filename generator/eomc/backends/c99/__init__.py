"""The C99 target: a program becomes model.h, model.c, main.c, a Makefile and a README."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.artifacts import Artifact
from eomc.backends.c99.view import make_view, work_bytes
from eomc.backends.c99.views import ModelView
from eomc.backends.render import render
from eomc.errors import UsageError
from eomc.ir.program import Program
from eomc.passes.count import OperationCounts
from eomc.passes.schedule import schedule
from eomc.passes.steps import Schedule

__all__ = ["TEMPLATES", "C99Result", "FunctionStatistics", "Statistics", "generate"]

TEMPLATES: tuple[tuple[str, str, str], ...] = (
    ("c99/model.h.jinja", "{name}.h", "header"),
    ("c99/model.c.jinja", "{name}.c", "source"),
    ("c99/main.c.jinja", "main.c", "main"),
    ("c99/Makefile.jinja", "Makefile", "makefile"),
    ("c99/README.md.jinja", "README.md", "readme"),
)
"""Template, file, kind."""


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
    program: Program, *, real: str = "double", options_text: str = "", version: str | None = None
) -> C99Result:
    """Return the emitted files of a program; nothing is written yet.

    Parameters
    ----------
    program
        Finished program, ``rhs`` first.
    real
        ``double`` or ``float``: what the emitted Makefile compiles for; the C serves both.
    options_text
        Options of the stages before, for the banner and the model hash.
    version
        Version for the banner; eomc's own by default.

    Raises
    ------
    UsageError
        `real` is neither of the two.
    LoweringError
        A constant has no finite value in double precision.
    """
    if real not in ("double", "float"):
        raise UsageError(f"real={real!r} is not a scalar type; use 'double' or 'float'")
    if version is None:
        from eomc import __version__

        version = __version__
    plan = schedule(program)
    view = make_view(plan, real=real, options_text=options_text, version=version)
    artifacts = tuple(
        Artifact(path.format(name=view.name), render(template, view), kind) for template, path, kind in TEMPLATES
    )
    lines = sum(artifact.text.count("\n") for artifact in artifacts if artifact.kind in ("header", "source"))
    return C99Result(plan, view, artifacts, _statistics(plan, real, lines))


def _statistics(plan: Schedule, real: str, lines: int) -> Statistics:
    figures = [
        FunctionStatistics(routine.function.name, routine.counts, len(routine.temporaries), len(routine.chunks))
        for routine in (plan.prepare, *plan.routines)
    ]
    return Statistics(
        prepare=figures[0],
        functions=tuple(figures[1:]),
        constants=len(plan.constants),
        work_bytes=work_bytes(plan, real),
        lines=lines,
    )
