"""A step of several states side by side: the bits of one state at a time, whichever lanes fail."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc

pytestmark = pytest.mark.needs_cc

# Compares all lanes with steps of each of them; every lane has its own time, inputs, parameters and state. Lanes whose
# bit is set in `bad` have the state `singular`. Returns how much is wrong: numbers, statuses.
COMPARE = r"""
#include "@.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double chance(unsigned *seed)
{
    *seed = (*seed * 1103515245U) + 12345U;
    return ((double)((*seed >> 8) & 0xffffU) / 32768.0) - 1.0;
}

static int check(unsigned bad, double singular)
{
    static @_lanes x[@@_NX], t;
    static @_inputs r[TIMES][@@_LANES];
    static @_parameters p[@@_LANES];
    static @_lanes_constants c;
    static @_lanes_work work;
    static @_constants own;
    static @_work scratch;
    static @_status status[@@_LANES];
    static @_real start[@@_LANES][@@_NX];
    @_status first = @@_OK, all;
    unsigned seed = 1U;
    int lane, i, k, wrong = 0, failed = -77;

    for (lane = 0; lane < @@_LANES; ++lane) {
        t.of[lane] = (@_real)chance(&seed);
        p[lane] = @_default_parameters;
        for (i = 0; i < (int)(sizeof p[0] / sizeof(@_real)); ++i) {
            ((@_real *)&p[lane])[i] *= (@_real)(1.0 + (0.1 * chance(&seed)));
        }
        for (k = 0; k < TIMES; ++k) {
            r[k][lane] = @_default_inputs;
            for (i = 0; i < (int)(sizeof r[0][0] / sizeof(@_real)); ++i) {
                ((@_real *)&r[k][lane])[i] += (@_real)(0.5 * chance(&seed));
            }
        }
        for (i = 0; i < @@_NX; ++i) {
            start[lane][i] = @_initial_state[i] + (@_real)(SPREAD * chance(&seed));
            if ((bad >> lane) & 1U) {
                start[lane][i] = (@_real)singular;
            }
            x[i].of[lane] = start[lane][i];
        }
    }
    wrong += @_prepare_lanes(p, &c, status) != @@_OK;
    all = @_SCHEME_step_lanes(&t, (@_real)0.01, (const @_inputs (*)[@@_LANES])r, &c, &work, x, status);
    for (lane = @@_LANES - 1; lane >= 0; --lane) {
        @_inputs at[TIMES];
        @_status alone;

        for (k = 0; k < TIMES; ++k) {
            at[k] = r[k][lane];
        }
        wrong += @_prepare(&p[lane], &own) != @@_OK;
        alone = @_SCHEME_step(t.of[lane], (@_real)0.01, at, &own, &scratch, start[lane]);
        wrong += (alone != status[lane]) + ((alone != @@_OK) != (((bad >> lane) & 1U) != 0U));
        if (alone != @@_OK) {
            first = alone;
            failed = scratch.failed;
        }
        for (i = 0; i < @@_NX; ++i) {
            wrong += memcmp(&start[lane][i], &x[i].of[lane], sizeof(@_real)) != 0;
        }
    }
    wrong += all != first;
    wrong += (first != @@_OK) && (work.alone.failed != failed);
    return wrong;
}

int main(void)
{
    const unsigned masks[] = {0U, BAD};
    size_t k;

    for (k = 0; k < sizeof masks / sizeof masks[0]; ++k) {
        printf("%d ", check(masks[k], SINGULAR));
    }
    return 0;
}
"""

# model, options, spread of the states, masks of lanes that fail, a state that does
CASES = {
    "disk": ("rolling_disk", {}, 0.05, "1U, 128U, 0x55U, 0xffU", "0.0"),
    "strict": ("rolling_disk", {"math": "strict"}, 0.05, "1U, 0x7eU, 0xffU", "0.0"),
    "far": ("double_pendulum", {"math": "strict"}, 1e7, "0U", "0.0"),
    "half": ("cart_pole", {"math": "strict", "integrator": "semi_implicit_euler"}, 0.3, "0U", "0.0"),
    "third": ("cart_pole", {"integrator": "ralston"}, 0.3, "0U", "0.0"),
    "loop": ("four_bar", {"stabilization": "projection"}, 1e-4, "4U, 0xf0U", "NAN"),
    "many": ("springs", {}, 0.3, "0U", "0.0"),
    "many_half": ("springs", {"integrator": "semi_implicit_euler"}, 0.3, "0U", "0.0"),
}


def load(name: str) -> eomc.Model:
    """Return a shipped model, or nine masses in a row on hardening springs: their many states are steps' loops."""
    if name != "springs":
        return eomc.load(name)
    (t, m, k), q = (dynamicsymbols._t, *sympy.symbols("m k")), dynamicsymbols("q1:10")
    stretched = [right - left for left, right in itertools.pairwise((0, *q))]
    energy = sum(m * one.diff(t) ** 2 for one in q) / 2 - sum(k * (d**2 / 2 + d**4 / 4) for d in stretched)
    return eomc.from_lagrangian(energy, coordinates=q, parameters={m: 1.0, k: 30.0}, name=name)


@pytest.fixture(scope="module", params=list(CASES))
def case(request, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a folder with a model and the comparison, and the model's name."""
    name, options, spread, bad, singular = CASES[request.param]
    build = eomc.compile(load(name), functions=["step_lanes"], **options)
    folder = tmp_path_factory.mktemp(request.param)
    build.write(folder, library=True)
    scheme = build.tableau
    text = COMPARE.replace("SCHEME", scheme.name).replace("@@", name.upper()).replace("@", name)
    times = len(scheme.times(build.program.projected))
    for word, value in (("TIMES", times), ("SPREAD", spread), ("BAD", bad), ("SINGULAR)", f"{singular})")):
        text = text.replace(word, str(value))
    (folder / "check.c").write_text(text, encoding="utf-8")
    return folder, name


def run(folder: Path, *command: str) -> str:
    """Return what a command in a folder answers."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    return done.stdout


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("compiler", "flags"),
    [
        ("gcc", "-O2"),
        ("gcc", "-O3 -march=native -fsanitize=address,undefined -fno-sanitize-recover=all"),
        ("clang", "-O2 -march=native -D@_LANES=3 -D@_USE_FLOAT"),
    ],
)
def test_every_lane_has_the_bits_of_a_step_alone(case: tuple[Path, str], compiler: str, flags: str) -> None:
    """Vectors or not, in double and, with another number of lanes, in float."""
    folder, name = case
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is missing")
    own = ["-std=c99", "-ffp-contract=off", "-fno-math-errno", *flags.replace("@", name.upper()).split()]
    run(folder, compiler, *own, "check.c", f"{name}.c", "-lm", "-o", "check")
    assert set(run(folder, "./check").split()) == {"0"}


def test_compilers_find_nothing_to_say(case: tuple[Path, str], silent: Callable[..., None]) -> None:
    """Neither of them has a warning, in neither precision."""
    folder, name = case
    silent(folder, name.upper(), [f"{name}.c"])


BELOW = r"""
#include "rolling_disk.c"
#include <stdio.h>

int main(void)
{
    const rolling_disk_real tiny = SMALLEST, huge = LARGEST, none = (rolling_disk_real)NAN;
    const rolling_disk_real values[] = {none, -none, -INFINITY, -huge, -2, -1, -tiny, -0.0, 0.0, tiny, 2 * tiny, 1,
        (rolling_disk_real)1.5, huge, INFINITY};
    const int count = (int)(sizeof values / sizeof values[0]);
    int i, j, wrong = 0;

    for (i = 0; i < count; ++i) {
        for (j = 0; j < count; ++j) {
            wrong += real_all_near(real_below(values[i], values[j])) != (values[i] < values[j]);
        }
    }
    printf("%d", wrong);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("real", "smallest", "largest"),
    [("DOUBLE", "0x1p-1074", "0x1.fffffffffffffp1023"), ("FLOAT", "0x1p-149f", "0x1.fffffep127f")],
)
def test_a_comparison_without_a_branch_is_that_of_c(tmp_path: Path, real: str, smallest: str, largest: str) -> None:
    """Of zeros, the least numbers, the largest, infinities and what is no number, of either sign."""
    eomc.compile(eomc.load("rolling_disk"), functions=["step_lanes"], math="strict").write(tmp_path, library=True)
    text = BELOW.replace("SMALLEST", smallest).replace("LARGEST", largest)
    (tmp_path / "below.c").write_text("#include <math.h>\n" + text, encoding="utf-8")
    run(
        tmp_path,
        "gcc",
        "-std=c99",
        "-O2",
        f"-DROLLING_DISK_USE_{real}",
        "-ffp-contract=off",
        "below.c",
        "-o",
        "below",
        "-lm",
    )
    assert run(tmp_path, "./below") == "0"


def test_a_step_in_loops_is_told_from_one_that_is_not() -> None:
    """A disk's slopes stand in loops; what ends on constraints, or solves a system by a kernel, goes one by one."""
    builds = {
        key: eomc.compile(eomc.load(name), functions=["step_lanes"], **options)
        for key, (name, options, *_) in CASES.items()
        if key in ("disk", "loop")
    }
    assert builds["disk"].view.code.step_lanes.slopes
    assert not builds["loop"].view.code.step_lanes.slopes
