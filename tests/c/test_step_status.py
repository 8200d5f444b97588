"""What the emitted README teaches tells a failed step from a good one."""

from __future__ import annotations

import re
import subprocess

import pytest

import eomc

pytestmark = pytest.mark.needs_cc

DRIVER = """
#include <stdio.h>
int main(void)
{
    four_bar_inputs r[3] = {{0}, {0}, {0}};
    four_bar_parameters p = four_bar_default_parameters;
    four_bar_real x[FOUR_BAR_NX];
    four_bar_real kept[FOUR_BAR_NX];
    int i;
    int same = 1;
    int started = (int)start(x);
    int good = (int)step((four_bar_real)0, (four_bar_real)1e-3, r, x);
    int bad;

    p.%s *= (four_bar_real)10;
    (void)four_bar_prepare(&p, &constants);
    (void)start(x);
    (void)four_bar_prepare(&p, &constants);
    for (i = 0; i < FOUR_BAR_NX; ++i) kept[i] = x[i];
    bad = (int)step((four_bar_real)0, (four_bar_real)1e-3, r, x);
    for (i = 0; i < FOUR_BAR_NX; ++i) same = same && (x[i] <= kept[i]) && (x[i] >= kept[i]);
    (void)printf("%%d %%d %%d %%d\\n", started, good, bad == (int)FOUR_BAR_OPEN, same);
    return 0;
}
"""


def test_a_torn_linkage_is_no_good_step(tmp_path):
    """Projection finds no way back: the step() of the README says OPEN and leaves the state, and a good one says 0."""
    build = eomc.compile(eomc.load("four_bar"), stabilization="projection")
    build.write(tmp_path)
    snippet = re.search(r"```c\n(.*?)```", (tmp_path / "README.md").read_text(), re.DOTALL)
    crank = re.search(r"four_bar_real (\w+);.*crank", (tmp_path / "four_bar.h").read_text())
    assert snippet
    assert crank
    (tmp_path / "t.c").write_text(snippet[1] + DRIVER % crank[1])
    command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "t.c", "four_bar.c", "-lm", "-o", "t"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "t"], capture_output=True, text=True, check=True).stdout == "0 0 1 1\n"


ROUNDS = """
#include <stdio.h>
#include <string.h>
#include "four_bar.h"
int main(void)
{
    static four_bar_constants c;
    static four_bar_work w;
    four_bar_real x[FOUR_BAR_NX];
    four_bar_real kept[FOUR_BAR_NX];
    four_bar_status status = FOUR_BAR_OK;
    int k;

    (void)four_bar_prepare(&four_bar_default_parameters, &c);
    memcpy(x, four_bar_initial_state, sizeof(x));
    for (k = 0; (k < 200) && (status == FOUR_BAR_OK); ++k) {
        memcpy(kept, x, sizeof(x));
        status = four_bar_rk4_step_held(0, (four_bar_real)1e-2, &four_bar_default_inputs, &c, &w, x);
    }
    (void)printf("%d %d %d", k, (int)status, memcmp(x, kept, sizeof(x)) == 0);
    return 0;
}
"""


def test_rounds_of_a_projection_are_bounded(tmp_path):
    """As many as a macro says: one does not bring a step of 10 ms back, and says so, two do; there is no zeroth."""
    eomc.compile(eomc.load("four_bar"), stabilization="projection").write(tmp_path)
    (tmp_path / "t.c").write_text(ROUNDS)
    for rounds, said in ((1, "1 2 1"), (2, "200 0 0")):
        command = ["gcc", "-std=c99", f"-DFOUR_BAR_PROJECTION_ROUNDS={rounds}", "t.c", "four_bar.c", "-lm", "-o", "t"]
        subprocess.run(command, cwd=tmp_path, check=True)
        assert subprocess.run([tmp_path / "t"], capture_output=True, text=True, check=True).stdout == said
    command = ["gcc", "-fsyntax-only", "-DFOUR_BAR_PROJECTION_ROUNDS=0", "four_bar.c"]
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "must be at least 1" in answer.stderr


@pytest.mark.parametrize("stabilization", ["none", "projection"])
@pytest.mark.parametrize("name", ["four_bar", "chaplygin_sleigh", "rolling_disk", "cart_pole"])
def test_the_header_names_every_status_that_a_function_returns(name, stabilization):
    """A status stands in the comment of a function exactly when the function, or what it calls, can return it."""
    if stabilization == "projection" and name in ("cart_pole", "rolling_disk"):
        pytest.skip("no constraints")
    build = eomc.compile(eomc.load(name), stabilization=stabilization)
    header, source = (next(f.text for f in build.artifacts if f.path == f"{name}.{end}") for end in "hc")
    returned = _returned(name, source)
    comments = re.findall(rf"/\*\*((?:(?!\*/).)*)\*/\n{name}_status {name}_(\w+)\(", header, re.DOTALL)
    assert {function for _, function in comments} == {f for f in returned if f"{name}_{f}(" in header} != set()
    for comment, function in comments:
        said = set(re.findall(rf"{name.upper()}_(OK|SINGULAR|OPEN)", comment.partition("@return")[2]))
        assert said == returned[function], function


def _returned(name, source):
    """Return function -> statuses: its own, and those of what it calls."""
    bodies = {
        match[1].removeprefix(f"{name}_"): match[2]
        for match in re.finditer(
            rf"^(?:static )?(?:REAL_INLINE )?{name}_status (\w+)\([^{{}};]*\)\n\{{\n(.*?)^\}}", source, re.M | re.S
        )
    }
    own = {f: set(re.findall(rf"return {name.upper()}_(\w+);", body)) for f, body in bodies.items()}
    for _ in bodies:
        for function, body in bodies.items():
            for other, statuses in own.items():
                if re.search(rf"\b(?:{name}_)?{other}\(", body):
                    own[function] |= statuses
    return {f: statuses | {"OK"} for f, statuses in own.items()}


FLAT = """
#include <stdio.h>
#include <string.h>
#include "rolling_disk.h"
int main(void)
{
    static const double leans[] = {3.141592653589793, 0.0, 1e-6, 1.2};
    static rolling_disk_constants c;
    static rolling_disk_work w;
    rolling_disk_inputs r[3] = {{0}, {0}, {0}};
    int i;

    (void)rolling_disk_prepare(&rolling_disk_default_parameters, &c);
    for (i = 0; i < 4; ++i) {
        rolling_disk_real x[ROLLING_DISK_NX];
        rolling_disk_real kept[ROLLING_DISK_NX];
        rolling_disk_status status;
        memcpy(x, rolling_disk_initial_state, sizeof(x));
        x[0] = (rolling_disk_real)leans[i];
        memcpy(kept, x, sizeof(x));
        status = rolling_disk_rk4_step(0, (rolling_disk_real)1e-9, r, &c, &w, x);
        (void)printf("%d%d ", status == ROLLING_DISK_SINGULAR, memcmp(x, kept, sizeof(x)) == 0);
    }
    return 0;
}
"""


def test_a_flat_disk_takes_no_step(tmp_path):
    """A disk that lies flat to rounding is SINGULAR and its state stays; a millionth of a radian from it moves."""
    eomc.compile(eomc.load("rolling_disk")).write(tmp_path)
    (tmp_path / "t.c").write_text(FLAT)
    for optimize in ("-O0", "-O2"):
        command = ["gcc", "-std=c99", optimize, "-Wall", "-Werror", "t.c", "rolling_disk.c", "-lm", "-o", "t"]
        subprocess.run(command, cwd=tmp_path, check=True)
        answer = subprocess.run([tmp_path / "t"], capture_output=True, text=True, check=True)
        assert answer.stdout.split() == ["11", "11", "00", "00"]
