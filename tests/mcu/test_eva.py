"""No run-time error in emitted C, by abstract interpretation: Frama-C's Eva, for all inputs in stated ranges at once.

Its alarms are indices out of bounds, overflows, shifts, values without a start, and numbers that are not finite. A
range is cut into slices, for Eva knows of a value its interval alone. Angles stay near zero: about odd
multiples of pi/4 it forgets that n in x - n pi/2 follows x, and so how small the angle is that is left.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass

import pytest

import eomc
from eomc.build import Build

ENTRY = """
#include "{name}.h"
#include "__fc_builtin.h"

static {name}_constants c;
static {name}_work work;

static {name}_real within(double low, double high)
{{
    return ({name}_real)Frama_C_double_interval(low, high);
}}

int main(void)
{{
    {name}_parameters p = {name}_default_parameters;
    {name}_inputs r = {name}_default_inputs;
    {name}_real x[{macro}_NX];
    {name}_real dx[{macro}_NX];
    {name}_clock timer;
    int i;
    int k;
{parameters}
    if ({name}_prepare(&p, &c) == {macro}_OK) {{
        //@ loop unroll {slices};
        for (i = 0; i < {slices}; ++i) {{
            //@ loop unroll {others};
            for (k = 0; k < {others}; ++k) {{
{states}
{interruptions}
                (void){name}_rhs(0, x, &r, &c, &work, dx);
                (void){name}_rk4_step_held(0, ({name}_real)0.001, &r, &c, &work, x);
            }}
        }}
    }}
    {name}_clock_start(0, ({name}_real)0.001, &timer);
    ++timer.tick;
    (void){name}_clock_time(&timer);
    return 0;
}}
"""


@dataclass(frozen=True)
class Ranges:
    """Where Eva looks: parameters in proportion to their defaults, states and inputs by name."""

    beside: float
    values: dict[str, tuple[float, float]]
    slices: dict[str, int]  # of at most two values

    def row(self, name: str) -> str:
        """Return the row of README's table."""
        model = eomc.load(name)
        program = eomc.compile(model).program
        units = {one.name: one.unit.replace("1", "") for one in (*program.states, *program.inputs)}
        values = ", ".join(
            f"{one} {low:g} to {high:g} {units[one]}".rstrip() for one, (low, high) in self.values.items()
        )
        return f"| `{name}` | {100 * self.beside:g} % about their defaults | {values} | 0 |"

    def statements(self, build: Build) -> list[str]:
        """Return assignments to states and inputs in slice i of the first value that is cut, k of the second."""
        places = {one.name: f"x[{one.enumerator}]" for one in build.view.variables.states}
        places |= {one.name: f"r.{one.identifier}" for one in build.view.variables.inputs}
        counters = dict(zip(self.slices, "ik", strict=False))
        made = []
        for one, (low, high) in self.values.items():
            counter, width = counters.get(one, "0"), (high - low) / self.slices.get(one, 1)
            made.append(f"{places[one]} = within({low} + {width} * {counter}, {low} + {width} * ({counter} + 1));")
        return made


INTERRUPTIONS = """
                {name}_real g[{macro}_EVENTS_SIZE];
                (void){name}_events(0, x, &r, &c, &work, g);
                (void){name}_event_rates(0, x, &r, &c, &work, g);
                (void){name}_reset(0, 0, x, &r, &c, &work, dx);
"""

RANGES = {
    "bouncing_ball": Ranges(0.02, {"y": (0, 2), "v": (-5, 5), "rest": (0, 1)}, {"v": 10}),
    "cart_pole": Ranges(
        0.02, {"x": (-2, 2), "theta": (-0.75, 0.75), "x_d": (-5, 5), "theta_d": (-5, 5), "F": (-10, 10)}, {"theta": 20}
    ),
    "double_pendulum": Ranges(
        0.01, {"th1": (-0.3, 0.3), "th2": (-0.3, 0.3), "th1d": (-1, 1), "th2d": (-1, 1)}, {"th1": 6, "th2": 6}
    ),
}


@pytest.mark.parametrize("name", RANGES)
def test_the_ranges_are_told(name, root):
    """README has the ranges of each model, which are all that there is to say: no alarm is left to be explained."""
    assert RANGES[name].row(name) in (root / "README.md").read_text(encoding="utf-8")


@pytest.mark.skipif("EOMC_MCU" not in os.environ, reason="of the stage mcu: it takes a minute")
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("name", RANGES)
def test_no_alarm_within_ranges(name, real, tmp_path):
    """Derivative, events, a step and the clock, with parameters, states and inputs in their ranges."""
    if shutil.which("frama-c") is None:
        pytest.fail("frama-c: not installed")
    model, ranges = eomc.load(name), RANGES[name]
    build = eomc.compile(model, math="strict")
    build.write(tmp_path)
    low, high = 1 - ranges.beside, 1 + ranges.beside
    parameters = [
        f"    p.{one.name} = within({low} * {one.value!r}, {high} * {one.value!r});" for one in model.parameters
    ]
    states = [f"                {statement}" for statement in ranges.statements(build)]
    slices, others = (*ranges.slices.values(), 1)[:2]
    text = ENTRY.format(
        name=name,
        macro=name.upper(),
        interruptions=INTERRUPTIONS.format(name=name, macro=name.upper()) if model.events else "",
        parameters="\n".join(parameters),
        states="\n".join(states),
        slices=slices,
        others=others,
    )
    (tmp_path / "entry.c").write_text(text, encoding="utf-8")
    known = "-include math.h -D__builtin_fabs=fabs -D__builtin_fabsf=fabsf"  # Eva knows them by these names
    flags = f"-I{tmp_path} -D{name.upper()}_USE_{real.upper()} {known}"
    command = ["frama-c", "-machdep", "gcc_x86_64", f"-cpp-extra-args={flags}", "-eva", "-eva-precision", "3"]
    sources = [str(tmp_path / "entry.c"), str(tmp_path / f"{name}.c")]
    answer = subprocess.run([*command, *sources], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "0 alarms generated by the analysis" in answer.stdout, re.findall(r"\[eva:alarm\].*\n.*", answer.stdout)
    assert "0 errors    0 warnings" in answer.stdout, answer.stdout[-3000:]  # Eva has understood everything
