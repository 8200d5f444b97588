"""The C of live pages in node beside the same C by the same clang at -O2: processor time, medians of runs in turn.

python benchmarks/live.py [MODEL ...] [--least RATIO]: with --least the program fails where a ratio is below it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import eomc
from eomc.live import compiled, sources

MODELS = ("four_bar", "whipple_bicycle")
STEPS, RUNS = 20_000, 7
FLAGS = ("-std=c99", "-O2", "-fno-math-errno", "-ffp-contract=off")

IN_NODE = """
const code = new WebAssembly.Instance(new WebAssembly.Module(require("fs").readFileSync(process.argv[1]))).exports;
const given = JSON.parse(process.argv[2]);
for (const name of ["parameters", "inputs", "state"])
  new Float64Array(code.memory.buffer, code[name](), given[name].length).set(given[name]);
let status = code.begin(0, given.dt) || code.steps(given.steps);
const before = process.cpuUsage();
status = status || code.steps(given.steps);
const used = process.cpuUsage(before);
const state = Array.from(new Float64Array(code.memory.buffer, code.state(), given.state.length));
console.log(JSON.stringify({ status, seconds: (used.user + used.system) / 1e6, state }));
"""
NATIVE = """#include "live.c"
#undef memcpy
#undef memmove
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
    const int steps = atoi(argv[argc - 2]);
    clock_t before, after;
    int status, i;
    live.parameters = NAME_default_parameters;
    live.inputs = NAME_default_inputs;
    for (i = 0; i < (int)(sizeof(live.x) / sizeof(live.x[0])); ++i) live.x[i] = NAME_initial_state[i];
    status = live_begin(0.0, atof(argv[argc - 1]));
    if (status == 0) status = live_steps(steps);
    before = clock();
    if (status == 0) status = live_steps(steps);
    after = clock();
    printf("{\\"status\\": %d, \\"seconds\\": %.9f, \\"state\\": [", status, (double)(after - before) / CLOCKS_PER_SEC);
    for (i = 0; i < (int)(sizeof(live.x) / sizeof(live.x[0])); ++i) printf("%s%.17g", i ? ", " : "", live.x[i]);
    printf("]}\\n");
    return 0;
}
"""


def printed(*command: object) -> dict[str, Any]:
    """Return what a command prints."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def ratios(name: str, folder: Path) -> list[float]:
    """Return of each pair of runs how fast node is beside this machine, both having the same states."""
    build = eomc.compile(eomc.load(name), integrator="rk4").for_a_page()
    module, native = folder / f"{name}.wasm", folder / name
    module.write_bytes(compiled(build))
    texts = {**sources(build), "native.c": NATIVE.replace("NAME", build.view.name)}
    for file, text in texts.items():
        (folder / file).write_text(text)
    units = [file for file in texts if file.endswith(".c") and file != "live.c"]
    subprocess.run(["clang", *FLAGS, "-o", native, *units], cwd=folder, check=True)
    program = build.program
    given = {
        "parameters": [one.value for one in program.parameters],
        "inputs": [one.value for one in program.inputs],
        "state": [one.value for one in program.states],
        "steps": STEPS,
        "dt": program.run.dt,
    }
    found = []
    for _ in range(RUNS):
        here = printed(native, STEPS, program.run.dt)
        there = printed("node", "-e", IN_NODE, module, json.dumps(given))
        assert (here["status"], here["state"]) == (there["status"], there["state"])
        found.append(here["seconds"] / there["seconds"])
    return found


def main() -> None:
    """Measure each model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", default=MODELS)
    parser.add_argument("--least", type=float, default=0.0)
    asked = parser.parse_args()
    slow = []
    for name in asked.models:
        with tempfile.TemporaryDirectory() as folder:
            found = ratios(name, Path(folder))
        middle = statistics.median(found)
        print(f"{name}: {middle:.2f} of this machine's speed; {', '.join(f'{one:.2f}' for one in sorted(found))}")
        if middle < asked.least:
            slow.append(name)
    if slow:
        raise SystemExit(f"below {asked.least:g}: {', '.join(slow)}")


if __name__ == "__main__":
    main()
