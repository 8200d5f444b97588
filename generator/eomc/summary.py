"""A build as a notebook shows it: its functions and its files."""

from __future__ import annotations

from eomc.cells import Markup, page, table
from eomc.pipeline import Stages
from eomc.wording import counted


def build_cell(build: Stages) -> Markup:
    """Return operations of each function and lines of each file."""
    program, code = build.program, build.statistics.code
    sizes = (
        counted(len(program.states), "state"),
        counted(len(program.inputs), "input"),
        counted(len(program.parameters), "parameter"),
        build.emission.real,
    )
    return page(
        "eomc.Build",
        build.model.name,
        f"by {build.method}, {', '.join(sizes)}",
        table(
            "functions",
            ("function", "operations"),
            ((one.name, one.counts.total) for one in (code.prepare, *code.functions)),
            1 + len(code.functions),
        ),
        table(
            "files",
            ("file", "lines"),
            ((one.path, one.text.count("\n")) for one in build.artifacts),
            len(build.artifacts),
        ),
    )
