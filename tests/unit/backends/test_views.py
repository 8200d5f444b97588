"""What the templates see is made of small records; lines of C part themselves."""

from __future__ import annotations

import dataclasses

import pytest

import eomc
from eomc.backends.c99 import code_views, lane_views, step_views, use_views, views
from eomc.backends.c99.kernels import count_system
from eomc.backends.c99.layout import Text
from eomc.backends.c99.runs import views as run_views
from eomc.ir.ops import Op
from eomc.passes.schedule import schedule
from eomc.passes.steps import Compute, Solve

RECORDS = [
    record
    for module in (views, code_views, lane_views, step_views, use_views, run_views)
    for record in vars(module).values()
    if isinstance(record, type) and record.__module__ == module.__name__
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_a_record_has_fifteen_fields_at_most(record: type) -> None:
    """A template's author keeps that many in mind; more are a part of their own."""
    assert dataclasses.is_dataclass(record)
    assert len(dataclasses.fields(record)) <= 15


def test_blank_lines_stand_between_others_only() -> None:
    """None at the ends, none twice, none below a heading; remarks of neighbours stand in one column."""
    text = Text(["", "    first;", "", ""])
    text.part()
    text.head("what follows")
    text.part()
    text.state("    a = 1;", "one")
    text.state("    long = 2;", "two")
    text.part()
    assert text.finished() == (
        "    first;",
        "",
        "    /* what follows */",
        "    a = 1;    /* one */",
        "    long = 2; /* two */",
    )


def test_a_statement_that_is_wrapped_has_its_remark_above() -> None:
    """It would stand beyond the margin; what was before keeps its column."""
    text = Text()
    text.state("    a = 1;", "one")
    text.state(f"    b = {' + '.join(['something'] * 12)};", "sum")
    lines = text.finished()
    assert lines[:2] == ("    a = 1; /* one */", "    /* sum */")
    assert lines[2].startswith("    b = something")
    assert len(lines) > 3


def test_a_chunk_says_whether_it_reads_solutions() -> None:
    """A system that is solved in one chunk and read in a later one: the later one takes the scratch memory for it."""
    build = eomc.compile(eomc.load("four_bar"), constraints="augmented", functions="all")
    ops = build.program.graph.ops
    chunks = [chunk for routine in schedule(build.program, count_system, chunk=10).routines for chunk in routine.chunks]
    reading = [
        chunk
        for chunk in chunks
        if any(isinstance(step, Compute) and ops[step.node] is Op.RESULT for step in chunk.steps)
    ]
    assert all(chunk.solutions for chunk in reading)
    assert any(not any(isinstance(step, Solve) for step in chunk.steps) for chunk in reading)
    assert not all(chunk.solutions for chunk in chunks)
