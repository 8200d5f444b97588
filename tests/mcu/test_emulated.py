"""Emitted C on processors that are emulated, where their tools are installed; `.ci/run mcu` installs them."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from eomc.targets import TARGETS

pytestmark = pytest.mark.needs_cc
STRICT = ("rolling_disk", "double_pendulum", "spherical_pendulum", "cart_pole", "four_bar", "heavy_top")
EMULATED = [row for row in TARGETS if row.runs]


def _real(row):
    return "double" if row.wide else "float"


@pytest.mark.parametrize("row", EMULATED, ids=lambda row: row.name)
def test_it_runs_on_the_bare_machine(folder_of, needs_tools, row):
    """The image starts, prints a hash that a second run prints again, what a step costs, and ends with success."""
    needs_tools(row)
    folder = folder_of("double_pendulum", row.name, _real(row))
    lines = folder.lines(row.runs, "STEPS=20")
    assert re.fullmatch(r"eomc \S+, model double_pendulum sha256:\w{12}", lines[0])
    assert re.fullmatch(r"sha256 [0-9a-f]{64}", lines[1])
    found = re.fullmatch(rf"{row.counts} a step (\d+), from (\d+) to (\d+)", lines[2])
    assert found is not None, lines
    middle, least, most = map(int, found.groups())
    assert 0 < least <= middle <= most
    assert lines[3].split()[:3] == ["text", "data", "bss"]
    assert folder.printed_hash(row.runs, "STEPS=20") == lines[1].removeprefix("sha256 ")


@pytest.mark.parametrize("row", EMULATED, ids=lambda row: row.name)
def test_a_failure_is_told(folder_of, needs_tools, row):
    """A run that cannot go on ends make with an error."""
    needs_tools(row)
    answer = folder_of("double_pendulum", row.name, _real(row)).make("-s", row.runs, "STEPS=20", "DT=1e30")
    assert answer.returncode != 0
    assert re.search(r"^failed in step \d+$", answer.stdout, re.MULTILINE), answer.stdout + answer.stderr


@pytest.mark.parametrize("row", EMULATED, ids=lambda row: row.name)
def test_the_compiler_of_the_target_is_content(folder_of, needs_tools, row):
    """Model, run and port compile without a warning under the strictest flags."""
    needs_tools(row)
    strict = (
        "-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wshadow "
        "-Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wundef -Wvla -Wfloat-equal -Werror"
    ).split()
    folder = folder_of("double_pendulum", row.name, _real(row))
    sources = ["double_pendulum.c", f"{row.name}/trajectory.c", f"{row.name}/port.c"]
    for real in ("double", "float")[0 if row.wide else 1 :]:
        precision = f"-DDOUBLE_PENDULUM_USE_{real.upper()}"
        command = [row.prefix + "gcc", *row.flags, "-O2", *strict, precision, "-I.", f"-I{row.name}", "-fsyntax-only"]
        answer = subprocess.run([*command, *sources], cwd=folder.path, capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize("row", EMULATED, ids=lambda row: row.name)
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("model", STRICT)
@pytest.mark.sampled(13)  # each processor once
def test_strict_mathematics_have_the_bits_of_this_machine(folder_of, hashes_here, needs_tools, model, real, row):
    """One hash over all states, 10,000 of them in the stage, here and on every processor, by hardware or software."""
    needs_tools(row)
    if real == "double" and not row.wide:
        pytest.skip("no double of 53 bits")
    kept = "projection" if model == "four_bar" else "none"
    steps = 10000 if "EOMC_MCU" in os.environ and row.name in ("cortex-m4", "rv32") else 100
    hashes = hashes_here(model, real, kept, steps)
    there = folder_of(model, row.name, real, "strict", kept).printed_hash(row.runs, f"STEPS={steps}")
    assert set(hashes.values()) == {there}, hashes


def test_double_is_refused_where_it_is_none(folder_of, needs_tools):
    """A build of double for AVR, whose double is a float, is an error that says what to do."""
    row = next(row for row in TARGETS if not row.wide)
    needs_tools(row)
    folder = folder_of("double_pendulum", row.name, "float")
    answer = folder.make("library", "PRECISION=-DDOUBLE_PENDULUM_USE_DOUBLE")
    assert answer.returncode != 0
    assert "double has fewer than 53 bits here: build with -DDOUBLE_PENDULUM_USE_FLOAT" in answer.stderr
