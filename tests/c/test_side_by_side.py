"""Branches that are alike in loops: the same bits as one after the other, by several compilers, with every failure."""

from __future__ import annotations

import itertools
import random
import shutil
from dataclasses import replace

import pytest

from eomc.backends.c99.stack import stack_bounds
from eomc.ir.program import Siblings
from eomc.passes import side_by_side
from eomc.passes.steps import Loop

pytestmark = pytest.mark.needs_cc

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]


def loops(folder):
    """Return the loops of all functions."""
    routines = folder.result.schedule.all_routines
    return [step for one in routines for chunk in one.chunks for step in chunk.steps if isinstance(step, Loop)]


def both(emit, program, **options):
    """Return the folders of a program with branches in loops and without."""
    apart = replace(program, name=f"{program.name}_apart", siblings=())
    return emit(program, **options), emit(apart, **options)


def states(program, number, seed=0):
    """Return random states."""
    rng = random.Random(seed)
    return [[rng.uniform(-1.0, 1.0) for _ in program.states] for _ in range(number)]


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize(("count", "size", "chunks"), [(4, 60, 1), (2, 40, 1), (3, 40, 2), (4, 150, 6)])
def test_loops_give_the_same_bits(emit, programs, real, count, size, chunks):
    """Every result of every function, in one chunk and where values of loops wait for another one."""
    program = programs["limbs"](count, size, seed=count, chunks=chunks)
    together, apart = both(emit, program, real=real)
    assert loops(together)
    assert not loops(apart)
    for compiler, optimize in itertools.product(COMPILERS, ("-O0", "-O2")):
        ours, plain = (folder.load(real, optimize, compiler) for folder in (together, apart))
        assert ours.prepare() == plain.prepare() == 0
        for x in states(program, 4):
            for name in ("rhs", "outputs"):
                assert ours.call(name, 0.0, x) == plain.call(name, 0.0, x)


@pytest.mark.parametrize("limb", range(4))
def test_a_pivot_that_vanishes_is_found_after_its_loop(emit, programs, limb):
    """The status and the number of the pivot are those of limbs one after the other, and nothing is handed out."""
    program = programs["limbs"]()
    names = [one.name for one in program.parameters]
    masses = [1.0] * len(names)
    masses[names.index(f"mass_{limb}")] = -1e3
    for folder in both(emit, program):
        loaded = folder.load()
        assert loaded.prepare(masses) == 0
        status, found = loaded.call("rhs", 0.0, states(program, 1)[0])
        labels = folder.result.schedule.check_labels
        assert status != 0
        assert labels[loaded.failed()] == f"limb {limb}"
        assert set(found) == {-77.0}


def test_loops_become_vectors(emit, programs):
    """gcc makes vectors of every loop of arithmetic at -O2, by what it says of itself; long ones too."""
    program = programs["limbs"](4, 150, seed=4, chunks=6)
    folder = emit(program)
    arithmetic = [loop for loop in loops(folder) if loop.repeat.arithmetic]
    command = ["gcc", "-std=c99", "-O2", "-fopt-info-vec-optimized", "-c", f"{folder.name}.c", "-o", "out.o"]
    answer = folder.run(command)
    text = (folder.path / f"{folder.name}.c").read_text().splitlines()
    heads = [number for number, line in enumerate(text, 1) if "int lane = 0; lane < 4;" in line]
    told = {int(line.split(":")[1]) for line in answer.stderr.splitlines() if "loop vectorized" in line}
    assert arithmetic
    assert len(told.intersection(heads)) == len(arithmetic)


def test_the_bytes_are_those_of_a_model_without_branches(emit, programs):
    """Branches that are not alike leave no trace: leaves that correspond and nothing else."""
    program = programs["pendulum"]()
    theta, omega = (program.graph.symbol(state.symbol) for state in program.states)
    marked = replace(program, siblings=(Siblings(("one", "other"), ((theta, omega),)),))
    first, second = (emit(one) for one in (program, marked))
    assert [one.text for one in first.result.artifacts] == [one.text for one in second.result.artifacts]


@pytest.mark.parametrize("math", ["libm", "strict"])
def test_the_stack_is_as_deep_as_the_header_says(emit, programs, math):
    """Arrays of loops and what vectors keep stay below the bound, by what gcc tells of frames."""
    for count, size in ((4, 60), (2, 200)):
        folder = emit(programs["limbs"](count, size), math=math)
        bounds = stack_bounds(folder.result.schedule, 8, math != "libm")
        for level in ("-O2", "-Os"):
            folder.compile(["gcc", "-std=c99", level, "-fstack-usage", "-c", f"{folder.name}.c", "-o", "out.o"])
            frames = dict(
                (line.split("\t")[0].split(":")[-1], int(line.split("\t")[1]))
                for line in (folder.path / "out.su").read_text().splitlines()
            )
            assert frames[f"{folder.name}_rhs"] <= bounds["rhs"]


def test_long_bodies_are_several_loops(emit, programs, monkeypatch):
    """A long limb is cut, what passes between the loops waits in arrays, and the bits stay."""
    monkeypatch.setattr(side_by_side, "_MOST", 60)
    program = programs["limbs"](2, 1200, seed=5)
    together, apart = both(emit, program)
    lengths = [len(loop.repeat.statements) for loop in loops(together)]
    assert max(lengths) <= 60
    assert sum(lengths) > 300
    ours, plain = (folder.load("double", "-O1") for folder in (together, apart))
    assert ours.prepare() == plain.prepare() == 0
    for x in states(program, 2):
        assert ours.call("rhs", 0.0, x) == plain.call("rhs", 0.0, x)


def test_little_is_not_worth_a_loop(emit, programs):
    """Where a loop would spare less than it has to read one by one, there is none."""
    assert not [loop for loop in loops(emit(programs["limbs"](2, 6, seed=2))) if loop.repeat.arithmetic]
