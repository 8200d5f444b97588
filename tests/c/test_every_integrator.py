"""All integrators of one model in one folder: strict compilers, sanitizers, no heap, a Cortex-M4."""

from __future__ import annotations

import math
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.integrators import INTEGRATORS, NAMES
from eomc.targets import TARGETS

pytestmark = pytest.mark.needs_cc

M4 = next(target for target in TARGETS if target.name == "cortex-m4")
SANITIZERS = ["-std=c99", "-g1", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
STIFFNESS, FORCE, T_END = 4.0, 1.0, 1.0

HEAD = """#include <stdio.h>
static const swing_inputs held = {1};
static const swing_source source = {SWING_HELD, &held, 0, 0, 0, 0, 0, 0};
static swing_constants c;
static swing_work work;
"""
ONE = """
static int go_NAME(void)
{
    static swing_NAME run;
    swing_options o = swing_default_options;
    swing_real x[SWING_NX];
    swing_real half;
    int which;

    o.first_step = (swing_real)(ADAPTIVE ? 0.0 : 1e-3);
    if (swing_NAME_start(0, swing_initial_state, &source, &o, &c, &work, &run) != SWING_OK) { return 1; }
    if (swing_NAME_advance((swing_real)0.5, &source, &c, &work, &run) != SWING_OK) { return 2; }
    half = run.at.t * (swing_real)0.5;
    swing_NAME_at(&run, half, x);
    if (swing_NAME_run(1, &source, &c, &work, &run, &which) != SWING_OK) { return 3; }
    (void)printf("NAME %.9g %.9g %.9g ", (double)half, (double)x[0], (double)run.at.t);
    (void)printf("%.9g %d\\n", (double)run.at.x[0], (int)run.at.steps);
    return 0;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a driven oscillator by every integrator, and a program that runs each."""
    q = dynamicsymbols("q")
    k, force = sm.Symbol("k"), dynamicsymbols("F")
    model = eomc.from_lagrangian(
        q.diff() ** 2 / 2 - k * q**2 / 2 + force * q,
        coordinates=[q],
        inputs=[force],
        name="swing",
        parameters={k: STIFFNESS},
        initial={q: 1.0},
    )
    path: Path = tmp_path_factory.mktemp("all")
    build = eomc.compile(model, integrator=",".join(NAMES), functions=[])
    build.write(path, library=True)
    ones = [ONE.replace("NAME", row.name).replace("ADAPTIVE", str(int(row.adaptive))) for row in INTEGRATORS]
    calls = " | ".join(f"go_{name}()" for name in NAMES)
    includes = "".join(f'#include "swing_{name}.h"\n' for name in NAMES)
    main = f"\nint main(void)\n{{\n    (void)swing_prepare(&swing_default_parameters, &c);\n    return {calls};\n}}\n"
    (path / "all.c").write_text(includes + HEAD + "".join(ones) + main, encoding="utf-8")
    return path


def call(folder: Path, *words: str) -> str:
    """Run a command in the folder, which has to be content."""
    answer = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, ""), answer.stderr[:2000]
    return answer.stdout


def sources(folder: Path) -> list[str]:
    """Return the emitted C files: the model, what runs share, each integrator."""
    found = sorted(path.name for path in folder.glob("swing*.c"))
    assert {f"swing_{name}.c" for name in NAMES} | {"swing.c", "swing_run.c"} == set(found)
    return found


@pytest.mark.sampled(2)  # doubles
@pytest.mark.parametrize("real", ["double", "float"])
def test_each_runs_under_sanitizers(folder: Path, real: str) -> None:
    """One program of all, with a held input: q = (1 - F/k) cos(w t) + F/k at the end, and within the first step."""
    define = f"-DSWING_USE_{real.upper()}"
    call(folder, "gcc", *SANITIZERS, define, *sources(folder), "all.c", "-o", f"all_{real}", "-lm")
    rows = [line.split() for line in call(folder, f"./all_{real}").splitlines()]
    assert [row[0] for row in rows] == list(NAMES)
    rest, w = FORCE / STIFFNESS, math.sqrt(STIFFNESS)
    for row, (_, *numbers) in zip(INTEGRATORS, rows, strict=True):
        half, within, t, end, steps = map(float, numbers)
        close = 2e-3 if row.order == 1 else 1e-5 if real == "float" else 1e-6
        assert (half < 0.5, t) == (True, T_END)
        for time, found in ((half, within), (t, end)):
            assert found == pytest.approx((1.0 - rest) * math.cos(w * time) + rest, abs=close), row.name
        assert steps == 1000 if not row.adaptive else steps < 100


def test_strict_compilers_find_nothing_to_say(folder: Path, silent: Callable[..., None]) -> None:
    """Not one warning by either, in both precisions."""
    silent(folder, "SWING", sources(folder))


@pytest.mark.skipif(shutil.which("nm") is None, reason="binutils are missing")
def test_there_is_no_heap(folder: Path) -> None:
    """Objects ask for nothing but one another, mathematics, and copies of memory; they hold no data that is written."""
    objects = [source.replace(".c", ".o") for source in sources(folder)]
    call(folder, "gcc", "-std=c99", "-O2", "-fno-pie", "-c", *sources(folder))
    symbols = [line.split() for line in call(folder, "nm", *objects).splitlines() if len(line.split()) > 1]
    wanted = {symbol[-1] for symbol in symbols if symbol[-2] == "U" and not symbol[-1].startswith("swing_")}
    assert wanted <= {"memcpy", "memset", "sqrt", "fabs", "_GLOBAL_OFFSET_TABLE_"}
    assert not {symbol[-1] for symbol in symbols if symbol[-2] in "bBdDC"}


@pytest.mark.skipif(shutil.which(f"{M4.prefix}gcc") is None, reason="no compiler for the Cortex-M4")
def test_a_cortex_m4_takes_them(folder: Path, strict: dict[str, list[str]]) -> None:
    """In float, without a warning, without double arithmetic, and without the library's heap."""
    flags = [*M4.flags, "-O2", "-ffunction-sections", "-DSWING_USE_FLOAT"]
    objects = [source.replace(".c", ".m4") for source in sources(folder)]
    for source, made in zip(sources(folder), objects, strict=True):
        call(folder, f"{M4.prefix}gcc", *strict["gcc"][1:], *flags, "-c", source, "-o", made)
    entries = [f"-Wl,-u,swing_{name}_run" for name in NAMES]
    linked = [*M4.flags, "-nostartfiles", "-Wl,--gc-sections,-e,swing_rhs", *entries, *objects, "-o", "image", "-lm"]
    call(folder, f"{M4.prefix}gcc", *linked)
    symbols = {line.split()[-1] for line in call(folder, f"{M4.prefix}nm", "image").splitlines()}
    assert {f"swing_{name}_run" for name in NAMES} <= symbols
    assert not {"malloc", "_malloc_r", "_sbrk"} & symbols
    assert not {symbol for symbol in symbols if symbol.startswith("__aeabi_d")}
