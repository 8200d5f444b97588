"""The bounds of the stack that headers tell, against what compilers report of their frames and calls."""

from __future__ import annotations

import itertools
import os
import re
import shutil

import pytest

import eomc
from eomc.backends.c99.stack import PROJECT, STEP, stack_bounds
from eomc.binding.measuring import measure
from eomc.frontends.loading import shipped_models
from eomc.ir.program import STEP_JACOBIAN, STEP_LANES

pytestmark = pytest.mark.needs_cc

LEVELS = ("-O2", "-Os")[: 2 if "EOMC_THOROUGH" in os.environ else 1]
M4 = "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"


@pytest.mark.sampled(62)
@pytest.mark.parametrize(("compiler", "real"), [("gcc", "double"), ("gcc", "float"), (M4, "float")])
@pytest.mark.parametrize("math", ["libm", "strict"])
@pytest.mark.parametrize("name", shipped_models())
def test_no_call_goes_deeper_than_its_comment_says(name, math, compiler, real, monkeypatch):
    """Functions of shipped models and their steps, at -O2 and, in CI, -Os; bounds are at most four times that + 500."""
    if shutil.which(compiler.split()[0]) is None:
        pytest.skip(f"{compiler.split()[0]} is missing")
    model = eomc.load(name)
    stabilization = "projection" if model.is_constrained else "none"
    build = eomc.compile(model, real=real, math=math, stabilization=stabilization)
    bounds = stack_bounds(build.schedule, 8 if real == "double" else 4, math != "libm")
    del bounds[STEP_LANES]  # nobody asked for it
    monkeypatch.setenv("CC", compiler)
    for level in LEVELS:
        monkeypatch.setenv("CFLAGS", level)
        stack = measure(build).stack
        stack[STEP] = stack["rk4_step_held"]
        assert bounds.keys() - {PROJECT, STEP_JACOBIAN} <= stack.keys()
        for function, bound in bounds.items():
            assert stack.get(function, 0) <= bound, (level, function)
        assert max(bounds.values()) <= 4 * max(stack.values()) + 500


@pytest.mark.sampled(11)
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("math", ["libm", "strict"])
@pytest.mark.parametrize("name", ["double_pendulum", "n_link_pendulum:5", "rolling_disk", "whipple_bicycle"])
def test_lanes_go_no_deeper_than_their_comments_say(name, math, real, monkeypatch):
    """In loops over lanes and one by one; a bound for all machines is four times the deepest and 500, at most."""
    compilers = ["gcc", M4] if real == "float" and shutil.which(M4.split()[0]) else ["gcc"]
    build = eomc.compile(eomc.load(name), real=real, math=math, functions="rhs_lanes,step_lanes")
    bounds = stack_bounds(build.schedule, 8 if real == "double" else 4, math != "libm")
    header = next(file.text for file in build.artifacts if file.path.endswith(".h"))
    measured = dict.fromkeys(("rhs_lanes", STEP_LANES), 0)
    for compiler, level in itertools.product(compilers, LEVELS):
        monkeypatch.setenv("CC", compiler)
        monkeypatch.setenv("CFLAGS", level)
        stack = measure(build).stack
        measured = {one: max(most, stack[f"{one.replace('step', 'rk4_step')}_8"]) for one, most in measured.items()}
    for function, most in measured.items():
        assert most <= bounds[function] <= 4 * most + 500, function
        assert f"{bounds[function]}{' bytes, ' if real == 'double' else ' in float.'}" in header


def test_headers_tell_the_bounds():
    """Beside every function: double first; the derivative of a step is kept within its own, too."""
    build = eomc.compile(eomc.load("cart_pole"), functions="all,step_jacobian")
    header = next(file.text for file in build.artifacts if file.path.endswith(".h"))
    double, single = (stack_bounds(build.schedule, size, own_mathematics=False) for size in (8, 4))
    functions = ["prepare", *(function.name for function in build.program.functions), STEP, STEP_JACOBIAN]
    said = re.findall(r"Stack: at most (\d+) bytes, (\d+) in float\.", header)
    assert said == [(str(double[name]), str(single[name])) for name in functions]
    assert measure(build).stack["rk4_step_jacobian"] <= double[STEP_JACOBIAN]
    projected = eomc.compile(eomc.load("four_bar"), functions="step_jacobian", stabilization="projection")
    assert measure(projected).stack["rk4_step_jacobian"] <= stack_bounds(projected.schedule, 8, False)[STEP_JACOBIAN]


def test_readers_of_an_evaluation_keep_their_bounds(monkeypatch):
    """What is evaluated once for a state, and each function that reads it."""
    build = eomc.compile(eomc.load("four_bar"), functions="all,evaluate")
    bounds = stack_bounds(build.schedule, 8, own_mathematics=False)
    for level in LEVELS:
        monkeypatch.setenv("CFLAGS", level)
        stack = measure(build).stack
        readers = [name for name in stack if name == "evaluate" or name.endswith("_from")]
        assert len(readers) == 1 + len(build.program.functions)
        for name in readers:
            assert stack[name] <= bounds[name] <= 4 * stack[name] + 1000, (level, name)
