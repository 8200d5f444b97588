"""One evaluation at a state, and the functions that read it: the bytes and statuses of those that do all themselves."""

from __future__ import annotations

import subprocess

import pytest

import eomc
from eomc.backends.c99 import generate

pytestmark = pytest.mark.needs_cc

# Returns 0; or the number of the first state at which a function differs, with its name on standard output.
DRIVER = """
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "@.h"

static @_constants c;
static @_work work;
static @_work other;
static int answers; /* of evaluations that succeeded */

static int at(@_real t, const @_real *x, const @_inputs *r)
{
    @_real dv[64];
    int i;
    int round;
    const @_status status = @_evaluate(t, x, r, &c, &work);

    (void)dv;
    for (i = 0; i < 64; ++i) {
        dv[i] = (@_real)0.1 * (@_real)i;
    }
    if (status != @@_OK) {
        @_real dx[@@_NX];

        return !((@_rhs(t, x, r, &c, &other, dx) == status) && (other.failed == work.failed));
    }
    ++answers;
    for (round = 0; round < 2; ++round) {
CALLS
    }
    return 0;
}

int main(void)
{
    @_inputs r = @_default_inputs;
    @_real x[@@_NX];
    int k;
    int i;

    (void)@_prepare(&@_default_parameters, &c);
    memset(&work, 255, sizeof work);
    for (k = 0; k < 6; ++k) {
        for (i = 0; i < @@_NX; ++i) {
            x[i] = @_initial_state[i] + (@_real)(0.05 * sin((double)(i + 1) * (double)(k + 1)));
        }
        if (k == 5) {
            x[0] = (@_real)NAN;
        }
        if (at((@_real)0.3 * (@_real)k, x, &r) != 0) {
            return k + 1;
        }
    }
    (void)printf("%d", answers);
    return 0;
}
"""

CALL = """
        {
            @_real ARRAY_ONES;
            @_real ARRAY_TWOS;
            @_status one;
            @_status two;

            memset(ONES, 0, sizeof ONES);
            memset(TWOS, 0, sizeof TWOS);
            one = @_NAME(t, x, DVr, &c, &other, &ONES[0]);
            two = @_NAME_from(DV&c, &work, &TWOS[0]);
            if ((one != two) || (memcmp(ONES, TWOS, sizeof ONES) != 0)) {
                (void)printf("NAME in round %d", round);
                return 1;
            }
        }
"""


def call(function):
    """Return the comparison of one function; its arrays are rows of one."""
    sizes = [f"({array.macro} + 1)" for array in function.arrays]
    arrays = [f"{{}}[{' + '.join(sizes)}]".format(name) for name in ("ones", "twos")]
    starts = [" + ".join(sizes[:k]) or "0" for k in range(len(sizes))]
    text = CALL.replace("NAME", function.name).replace("DV", "dv, " if function.accelerations else "")
    text = text.replace("ARRAY_ONES", arrays[0]).replace("ARRAY_TWOS", arrays[1])
    for name in ("ones", "twos"):
        text = text.replace(f"&{name.upper()}[0]", ", ".join(f"&{name}[{start}]" for start in starts))
    return text.replace("ONES", "ones").replace("TWOS", "twos")


CASES = [
    ("four_bar", "kane", "all", 10_000),
    ("four_bar", "kane", "all", 300),  # in several files
    ("four_bar", "lagrange", "multipliers,constraint_forces,jacobian", 10_000),
    ("rolling_disk", "kane", "all", 10_000),
    ("rolling_disk_dependent", "hamilton-multipliers", "all", 10_000),
    ("cart_pole", "kane", "energy,inverse_dynamics:F,jacobian,rhs_lanes", 10_000),
    ("cart_pole", "kane", "", 10_000),
    ("n_link_pendulum:4", "gibbs-appell", "all", 10_000),
]


def compared(folder_of, name, method, functions, largest, real="double"):
    """Return what the driver says of a model."""
    build = eomc.compile(eomc.load(name), method, math="strict", functions=f"{functions},evaluate".lstrip(","))
    result = generate(build.program, math="strict", largest=largest)
    for artifact in result.artifacts:
        if artifact.kind in ("header", "source"):
            (folder_of / artifact.path).write_text(artifact.text)
    view = result.view
    functions = [one for one in view.functions if one.name in [reader.name for reader in view.code.evaluation.readers]]
    assert len(functions) == len(view.functions)
    calls = "".join(call(one) for one in functions[::-1])
    text = DRIVER.replace("CALLS", calls).replace("@@", view.macro).replace("@", view.name)
    (folder_of / "driver.c").write_text(text)
    sources = sorted(path.name for path in folder_of.glob("*.c"))
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", *build.flags]
    flags += [f"-D{view.macro}_USE_FLOAT"] if real == "float" else []
    subprocess.run(["gcc", *flags, *sources, "-lm", "-o", "driver"], cwd=folder_of, check=True)
    return subprocess.run([folder_of / "driver"], capture_output=True, text=True), result


@pytest.mark.parametrize(("name", "method", "functions", "largest"), CASES)
def test_one_evaluation_serves_all(name, method, functions, largest, tmp_path):
    """Each reader gives the same bytes and the same status, twice; a state that is singular for u' is told at once."""
    ran, result = compared(tmp_path, name, method, functions, largest)
    assert (ran.returncode, ran.stdout) in [(0, "5"), (0, "6")]
    assert bool(result.view.code.units) is (largest < 1000)


@pytest.mark.parametrize("real", ["double", "float"])
def test_a_bicycle(real, tmp_path):
    """Of a long model the parts serve the functions as well, the state derivative among them."""
    ran, result = compared(tmp_path, "whipple_bicycle", "kane", "multipliers,constraint_forces,forcing", 10_000, real)
    assert ran.returncode == 0, ran.stdout
    schedule = result.schedule
    assert schedule.routines[0].before == schedule.evaluation.before != ()


def test_nothing_is_evaluated_twice():
    """What a reader takes and what was evaluated are together what the function takes, which needs all of it."""
    build = eomc.compile(eomc.load("four_bar"), functions="multipliers,constraint_forces,evaluate")
    once = build.schedule.evaluation.before[-1]
    for routine in build.schedule.routines:
        if routine.function.name != "rhs":
            assert routine.before == build.schedule.evaluation.before
    assert once.counts.total > 0.8 * build.schedule.routines[0].counts.total
    alone = eomc.compile(eomc.load("four_bar"), functions="multipliers,constraint_forces")
    assert alone.schedule.evaluation is None
    assert alone.schedule.routines[0].counts == build.schedule.routines[0].counts
