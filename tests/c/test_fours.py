"""Sines and cosines of four angles at once: their bits are those of one after the other, and near the exact values."""

from __future__ import annotations

import itertools
import math
import shutil

import numpy as np
import pytest
from mpmath import mp, mpf

from eomc.backends.c99 import generate
from eomc.ir.ops import Op

pytestmark = pytest.mark.needs_cc

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
ANGLES = 7  # four at once, and three that follow them
STATES = [
    [0.3, -1.2, 2.5, 0.1, -3.1, 0.7],
    [-0.0, 0.0, -0.0, 1e-40, 1e-30, -0.0],
    [1.5707963267948966, 3.141592653589793, -4.71238898038469, 6.283185307179586, 100.0, -1000.0],
    [12866.0, 3e5, -4.1e5, 2.0, 3.0, 4.0],
    [1e22, 0.3, -1.2, 2.5, 0.1, 7.0],  # beyond what four have in common: one large angle is enough
    [0.3, -1.2, 2.5, 3.4e38, 0.1, 7.0],
]


@pytest.fixture
def arm(builder):
    """Return a program with sines and cosines of sums of its coordinates."""
    b = builder("arm")
    g = b.graph
    q = [b.state(f"q{i}", 0.1 * i) for i in range(ANGLES - 1)]
    angles = [q[0], g.add(q[0], q[1]), *q[2:], g.sub(q[4], q[5])]
    b.function("rhs", [g.unary(op, angle) for angle in angles for op in (Op.SIN, Op.COS)][: len(q)])
    b.function("outputs", [g.unary(op, angle) for angle in angles for op in (Op.SIN, Op.COS)])
    return b.program()


def angles_at(x, kind):
    """Return the angles at a state, sums rounded as in C."""
    q = [kind(value) for value in x]
    return [q[0], kind(q[0] + q[1]), *q[2:], kind(q[4] - q[5])]


def test_text(arm, emit):
    """Four angles take one call; they do not with libm, nor where bytes count before time."""
    for choice in ("strict", "fast"):
        folder = emit(arm, math=choice)
        text = (folder.path / "arm.c").read_text()
        assert text.count("    real_sincos_four(") == 1
        assert text.count(" = real_sincos(q") >= 3
    assert "real_sincos" not in (emit(arm).path / "arm.c").read_text()
    small = generate(arm, real="double", math="strict", version="0.0.0", optimize="size")
    assert not any("real_sincos_four" in artifact.text for artifact in small.artifacts)


def test_compilers_find_nothing_to_say(arm, emit, silent):
    """Where vectors are wide and where they are not, and for processors without doubles."""
    for choice in ("strict", "fast"):
        folder = emit(arm, math=choice)
        for flags in ([], ["-fno-math-errno", "-march=native"], ["-D__arm__"]):
            silent(folder.path, folder.macro, folder.sources, *flags)


@pytest.mark.parametrize("real", ["double", "float"])
def test_strict_bits_are_the_same_everywhere(arm, emit, real):
    """Every compiler finds the same, wide vectors or none, large angles among them or none: within 0.9 ulp."""
    folder = emit(arm, math="strict", real=real)
    kind = np.float64 if real == "double" else np.float32
    ways = itertools.product(COMPILERS, (("-O0",), ("-O2",), ("-O3", "-march=native")))
    loaded = [folder.load(real, flags[0], compiler, *flags[1:]) for compiler, flags in ways]
    for one in loaded:
        one.prepare()
    for x in STATES:
        found = [np.array(one.call("outputs", 0.0, x)[1], dtype=kind) for one in loaded]
        assert len({values.tobytes() for values in found}) == 1
        with mp.workprec(300):
            exact = [mpf(float(a)) for a in angles_at(np.array(x, dtype=kind), kind)]
            for value, wanted in zip(found[0], [f(a) for a in exact for f in (mp.sin, mp.cos)], strict=True):
                assert abs(mpf(float(value)) - wanted) <= mpf("0.9") * mpf(float(np.spacing(abs(value))))


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("real", ["double", "float"])
def test_fast_values(arm, emit, real, compiler):
    """Products and sums in one operation keep the bound, with and without wide vectors."""
    folder = emit(arm, math="fast", real=real)
    kind = np.float64 if real == "double" else np.float32
    rng = np.random.default_rng(0)
    states = [*STATES[:4], *rng.uniform(-10.0, 10.0, (50, ANGLES - 1)).tolist()]
    for flags in ((), ("-march=native", "-ffp-contract=fast")):
        loaded = folder.load(real, "-O3", compiler, "-fno-math-errno", *flags)
        loaded.prepare()
        for x in states:
            found = np.array(loaded.call("outputs", 0.0, x)[1], dtype=kind)
            with mp.workprec(200):
                exact = [mpf(float(a)) for a in angles_at(np.array(x, dtype=kind), kind)]
                for value, wanted in zip(found, [f(a) for a in exact for f in (mp.sin, mp.cos)], strict=True):
                    assert abs(mpf(float(value)) - wanted) <= mpf("0.9") * mpf(float(np.spacing(abs(value))))


@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_is_not_finite_spoils_its_own_alone(arm, emit, compiler):
    """An infinite angle among four has no sine; the others keep theirs, and zeros their signs."""
    folder = emit(arm, math="strict")
    loaded = folder.load("double", "-O3", compiler, "-march=native")
    loaded.prepare()
    _, values = loaded.call("outputs", 0.0, [-0.0, 1.0, math.inf, 0.5, 0.25, 0.25])
    assert math.copysign(1.0, values[0]) == -1.0
    assert values[0:2] == [0.0, 1.0]
    assert math.isnan(values[4])
    assert math.isnan(values[5])
    assert values[6:8] == pytest.approx([math.sin(0.5), math.cos(0.5)], rel=1e-15)
