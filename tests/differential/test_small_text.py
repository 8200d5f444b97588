"""Less text by `optimize="size"`: the same values, fewer bytes, the same refusals."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.analysis.agreement import compare
from eomc.passes.steps import Check, Compute, Gather

pytestmark = pytest.mark.needs_cc

FLAGS = ("-std=c99", "-Os", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wfloat-equal", "-Werror")


@pytest.fixture(scope="module")
def bicycle() -> eomc.Build:
    return eomc.compile(eomc.load("whipple_bicycle"), optimize="size")


def text_of(build: eomc.Build, folder: Path) -> int:
    """Return the bytes that gcc makes of a build at -Os, constants included."""
    build.write(folder, library=True)
    name = build.view.name
    subprocess.run(["gcc", *FLAGS, "-c", f"{name}.c", "-o", "part.o"], cwd=folder, check=True)
    told = subprocess.run(["size", "part.o"], cwd=folder, check=True, capture_output=True, text=True)
    return int(told.stdout.splitlines()[1].split()[0])


def functions_of(build: eomc.Build) -> list[str]:
    """Return the functions of the source, each from its first line to its last."""
    text = next(artifact.text for artifact in build.artifacts if artifact.kind == "source")
    return re.findall(r"^\w[^\n;=]*\((?:[^;{]*)\n\{\n.*?^\}", text, re.MULTILINE | re.DOTALL)


def test_a_bicycle_takes_three_quarters_of_the_bytes(bicycle: eomc.Build, tmp_path: Path) -> None:
    """No order of pivots is written out, and one function fills the matrix of all that solve with it."""
    fast = text_of(eomc.compile(eomc.load("whipple_bicycle")), tmp_path / "fast")
    assert text_of(bicycle, tmp_path / "small") < 0.75 * fast
    text = next(artifact.text for artifact in bicycle.artifacts if artifact.kind == "source")
    assert "fixed_order" not in text
    assert text.count("static void fill_") == 2
    assert text.count("    fill_0(") == 3


def test_the_values_are_those_of_the_reference(bicycle: eomc.Build) -> None:
    """Every function, at random states and parameters."""
    comparison = compare(bicycle, 4)
    assert comparison.holds, comparison


@pytest.mark.parametrize(
    ("name", "functions"), [("four_bar", "all,evaluate"), ("rolling_disk_dependent", "all"), ("snakeboard", None)]
)
def test_other_models_agree_too(name: str, functions: str | None) -> None:
    """Constraints that are written out, and those of a kernel; all functions, and one evaluation for them."""
    comparison = compare(eomc.compile(eomc.load(name), optimize="size", functions=functions), 4)
    assert comparison.holds, comparison


def test_each_value_is_written_once(bicycle: eomc.Build) -> None:
    """What two functions evaluate stands in a part, unless it may fail where one of them does not need it."""
    graph, written = bicycle.schedule.program.graph, list[int]()
    routines = [one for one in bicycle.schedule.all_routines if one.function.name != "prepare"]
    for routine in routines:
        written += [step.node for chunk in routine.chunks for step in chunk.steps if isinstance(step, Compute)]
    twice = {node for node in written if written.count(node) > 1 and graph.args[node]}
    assert len(twice) < 0.05 * len(written)
    gathers = [step for one in routines for chunk in one.chunks for step in chunk.steps if isinstance(step, Gather)]
    assert len(gathers) == 5


def test_values_of_a_matrix_wait_side_by_side(bicycle: eomc.Build) -> None:
    """In the order of its arguments: the first 20 elements of the triangle of M are copied by one call."""
    (fill,) = (fill for fill in functions_of(bicycle) if fill.startswith("static void fill_0("))
    assert re.search(r"    copy_reals\(20, &passed\[\d+\], &a\[0\]\);", fill)
    assert "    a[19] = " not in fill


def test_arguments_are_read_where_they_are_used(bicycle: eomc.Build) -> None:
    """Where results are written all along, an argument that is read early waits on the stack."""
    (prepare,) = (
        one for one in functions_of(bicycle) if one.startswith("whipple_bicycle_status whipple_bicycle_prepare(")
    )
    lines = [line.strip() for line in prepare.splitlines()]
    places = {match[1]: k for k, line in enumerate(lines) if (match := re.search(r"(\w+) = p->\w+;", line))}
    assert len(places) == 26
    for name, k in places.items():
        followers = lines[k + 1 : k + 8]
        assert any(re.search(rf"(?<![>\w]){name}\b", line) for line in followers), name
    (step,) = (one for one in functions_of(bicycle) if one.startswith("static void rhs_0("))
    assert step.rindex("= x[") < step.index("    dx[")  # which may be x


def test_nothing_is_refused_that_was_not(bicycle: eomc.Build) -> None:
    """The dependent speeds that the mass matrix is written for fail at a pitch of 90 degrees, the motion does not."""
    fast = eomc.compile(eomc.load("whipple_bicycle"))
    for one, other in zip(bicycle.schedule.routines, fast.schedule.routines, strict=True):
        made, wanted = (
            {step.condition for chunk in routine.all_chunks for step in chunk.steps if isinstance(step, Check)}
            for routine in (one, other)
        )
        assert len(made) == len(wanted), one.function.name


def test_a_step_is_the_same_to_rounding(bicycle: eomc.Build) -> None:
    """And a run over a second."""
    fast = eomc.compile(eomc.load("whipple_bicycle")).load()
    runs = [sim.simulate(t_end=1.0, dt=0.01) for sim in (bicycle.load(), fast)]
    np.testing.assert_allclose(runs[0].x, runs[1].x, rtol=1e-11, atol=1e-11)


def test_an_unknown_aim_is_refused() -> None:
    """With the two that there are."""
    with pytest.raises(eomc.errors.UsageError, match="optimize is 'bytes': it must be 'speed' or 'size'"):
        eomc.compile(eomc.load("four_bar"), optimize="bytes")


def test_no_name_is_left_over(tmp_path: Path) -> None:
    """A changed sign that the text-books name, and that only a filler writes, is not named here."""
    model = eomc.load("rolling_disk_dependent")
    build = eomc.compile(model, "hamilton-multipliers", optimize="size", functions="all,evaluate")
    assert text_of(build, tmp_path) > 0
