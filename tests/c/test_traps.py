"""Nothing is divided before its check: floating-point traps stay quiet wherever a function answers."""

from __future__ import annotations

import os
import platform
import re
import subprocess

import pytest

import eomc
from eomc.frontends.loading import shipped_models

pytestmark = [
    pytest.mark.needs_cc,
    pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="feenableexcept is glibc's"),
]

DRIVER = """
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include "NAME.h"

static sigjmp_buf back;
static NAME_constants c;
static NAME_work work;
static NAME_real out[MOST];
static unsigned long seed = 12345;

static void trapped(int number) { siglongjmp(back, number); }

static int draw(int count)
{
    seed = (seed * 1103515245UL + 12345UL) & 0x7fffffffUL;
    return (int)((seed >> 8) % (unsigned long)count);
}

static int finite_all(int count)
{
    int i;
    for (i = 0; i < count; ++i) if (!isfinite((double)out[i])) return 0;
    return 1;
}

typedef NAME_status function(NAME_real, const NAME_real *, const NAME_inputs *);
WRAPPERS
static const struct { const char *name; function *call; int size; } table[] = {
TABLE
};

int main(void)
{
    /* NaN stands for the initial value, or for a number drawn */
    static const double special[] = {0.0, -0.0, 1e-9, 1.5707963267948966, 3.141592653589793, -3.141592653589793,
                                     6.283185307179586, 1.0, NAN, NAN, NAN, NAN};
    const int parameters = (int)(sizeof(NAME_parameters) / sizeof(NAME_real));
    volatile long answered = 0, singular = 0, trapped_at = 0;
    volatile int round, k, i;
    signal(SIGFPE, trapped);
    for (round = 0; round < ROUNDS; ++round) {
        NAME_parameters p = NAME_default_parameters;
        NAME_inputs r = NAME_default_inputs;
        NAME_real x[NX];
        volatile NAME_status plain;
        const int kind = round % KINDS; /* 0: the start; 1: all drawn; 2, 3: few special values */
        if (round >= 8 && round < 8 + parameters) ((NAME_real *)(void *)&p)[round - 8] = 0;
        memset(&c, 0, sizeof(c));
        plain = NAME_prepare(&p, &c);
        if (sigsetjmp(back, 1) == 0) {
            NAME_status again;
            feclearexcept(FE_ALL_EXCEPT);
            feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
            again = NAME_prepare(&p, &c);
            fedisableexcept(FE_ALL_EXCEPT);
            if (again != plain) { printf("prepare: %d is %d with traps\\n", (int)plain, (int)again); return 1; }
        } else {
            fedisableexcept(FE_ALL_EXCEPT);
            ++trapped_at;
            printf("prepare trapped in round %d\\n", round);
            return 1;
        }
        if (plain != MACRO_OK) { ++singular; continue; }
        for (i = 0; i < NX; ++i) {
            const double s = special[draw(12)];
            x[i] = NAME_initial_state[i];
            if (kind == 1 || (kind > 1 && draw(kind == 2 ? NX : 2) == 0))
                x[i] = (NAME_real)(isnan(s) ? (kind == 1 ? 2.0 * draw(1000) / 999.0 - 1.0 : (double)x[i]) : s);
        }
        for (k = 0; k < (int)(sizeof(table) / sizeof(table[0])); ++k) {
            plain = table[k].call((NAME_real)0.25, x, &r);
            ++answered;
            if (plain == MACRO_OK && !finite_all(table[k].size)) continue; /* the model itself is not defined there */
            if (plain != MACRO_OK) ++singular;
            if (sigsetjmp(back, 1) == 0) {
                NAME_status again;
                feclearexcept(FE_ALL_EXCEPT);
                feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
                again = table[k].call((NAME_real)0.25, x, &r);
                fedisableexcept(FE_ALL_EXCEPT);
                if (again != plain) { printf("%s: another status with traps\\n", table[k].name); return 1; }
            } else {
                fedisableexcept(FE_ALL_EXCEPT);
                printf("%s trapped, status %d; x =", table[k].name, (int)plain);
                for (i = 0; i < NX; ++i) printf(" %.17g", (double)x[i]);
                printf("\\n");
                ++trapped_at;
            }
        }
    }
    printf("%ld answers, %ld singular, %ld trapped\\n", answered, singular, trapped_at);
    return trapped_at != 0;
}
"""


OWN_DIVISIONS = {"whipple_bicycle"}  # of the model's own, undefined where its wheel lies flat: no special values there
THOROUGH = "EOMC_THOROUGH" in os.environ
"""Whether -O2 sees all that -O0 sees, as in CI."""

OPTIMIZED = {"four_bar", "cart_pole", "rolling_disk", "kepler"}
VARIANTS = [
    *((model, {}) for model in shipped_models()),
    *(("four_bar", {"method": method}) for method in ("lagrange", "hamilton", "hamilton-multipliers", "gibbs-appell")),
    *(
        (model, {"constraints": form, "stabilization": "projection"})
        for model in ("four_bar", "rolling_disk_dependent")
        for form in ("eliminated", "augmented", "range-space", "null-space")
    ),
    *((model, {"real": "float"}) for model in ("four_bar", "rolling_disk", "cart_pole", "two_masses_on_rod")),
    ("heavy_top", {"method": "hamilton"}),
    ("double_pendulum", {"method": "lagrange"}),
]


def called(name, function, sizes, accelerations=False):
    """Return a C function of time, state and inputs that leaves what `function` makes of them in `out`.

    Accelerations are the first entries of the state.
    """
    if function in ("rk4_step_held", "project"):  # in place
        body = f"    memcpy(out, x, {sizes[0]} * sizeof(NAME_real));\n"
        if function == "rk4_step_held":
            body += "    return NAME_rk4_step_held(t, (NAME_real)0.001, r, &c, &work, out);"
        else:
            body += "    return NAME_project(t, out, r, &c, &work);"
    else:
        places = ", ".join(f"out + {sum(sizes[:k])}" for k in range(len(sizes)))
        body = f"    return NAME_{function}(t, x, {'x, ' if accelerations else ''}r, &c, &work, {places});"
    return f"static NAME_status call_{function}(NAME_real t, const NAME_real *x, const NAME_inputs *r)\n{{\n{body}\n}}"


def driver(build, rounds):
    """Return C that calls every function that can fail, with and without traps, at regular and at singular states."""
    name, n = build.artifacts[0].path.removesuffix(".h"), len(build.program.states)
    routines = {routine.function.name: routine.function for routine in build.schedule.routines if routine.fallible}
    results = {
        known: [array.size for array in function.arrays] or [len(function.outputs)]
        for known, function in routines.items()
    }
    if "rhs" in routines:
        results["rk4_step_held"] = [n]
    if "velocity_correction" in routines and "NAME_project(".replace("NAME", name) in build.artifacts[0].text:
        results["project"] = [n]
    driven = {known for known, function in routines.items() if function.accelerations}
    wrappers = [called(name, known, sizes, known in driven) for known, sizes in results.items()]
    text = DRIVER.replace("WRAPPERS", "\n".join(wrappers))
    rows = [f'    {{"{known}", call_{known}, {sum(sizes)}}}' for known, sizes in results.items()]
    for word, value in (("TABLE", ",\n".join(rows)), ("MOST", max(map(sum, results.values())))):
        text = text.replace(word, str(value))
    text = re.sub(r"\bNX\b", str(n), text).replace("ROUNDS", str(rounds))
    text = text.replace("KINDS", "1" if build.model.name in OWN_DIVISIONS else "4")
    return name, text.replace("MACRO", name.upper()).replace("NAME", name)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("model", "options"), VARIANTS, ids=[" ".join([m, *o.values()]) for m, o in VARIANTS])
def test_traps_stay_quiet(model, options, tmp_path):
    """Every function that can fail, steps and projection too, answers alike with traps on."""
    build = eomc.compile(eomc.load(model), functions="all", **options)
    if not any(routine.fallible for routine in build.schedule.routines):
        pytest.skip("nothing can fail")
    build.write(tmp_path)
    _, text = driver(build, 80)
    (tmp_path / "driver.c").write_text(text)
    sources = [artifact.path for artifact in build.artifacts if artifact.kind == "source"]
    for optimize in ("-O0", *(["-O2"] if THOROUGH or (model in OPTIMIZED and not options) else [])):
        command = ["gcc", "-std=gnu99", optimize, "-w", "driver.c", *sources, "-lm", "-o", "driver"]
        subprocess.run(command, cwd=tmp_path, check=True)
        answer = subprocess.run([tmp_path / "driver"], capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stdout[-2000:]
