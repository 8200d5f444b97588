"""The C of a live page run twice: as its module of WebAssembly in node, and as a program of this machine.

Both make steps of the model's usual run from its own start; tests compare the states, `live.py` the times.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import eomc
from eomc.live import sources

IN_NODE = """
const code = new WebAssembly.Instance(new WebAssembly.Module(require("fs").readFileSync(process.argv[1]))).exports;
const given = JSON.parse(process.argv[2]);
const text = place => {
  const bytes = new Uint8Array(code.memory.buffer, place);
  return Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString();
};
for (const name of ["parameters", "inputs", "state"])
  new Float64Array(code.memory.buffer, code[name](), given[name].length).set(given[name]);
const hash = text(code.hash(1000, given.dt));
let status = code.begin(0, given.dt) || code.steps(given.before);
const start = process.cpuUsage();
status = status || code.steps(given.steps);
const used = process.cpuUsage(start);
const state = Array.from(new Float64Array(code.memory.buffer, code.state(), given.state.length));
console.log(JSON.stringify({ hash, status, seconds: (used.user + used.system) / 1e6, state }));
"""
NATIVE = """#include "live.c"
#undef memcpy
#undef memmove
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv)
{
    clock_t start, end;
    int status, i;
    (void)argc;
    live.parameters = NAME_default_parameters;
    live.inputs = NAME_default_inputs;
    for (i = 0; i < (int)(sizeof(live.x) / sizeof(live.x[0])); ++i) live.x[i] = NAME_initial_state[i];
    status = live_begin(0.0, atof(argv[1]));
    if (status == 0) status = live_steps(atoi(argv[2]));
    start = clock();
    if (status == 0) status = live_steps(atoi(argv[3]));
    end = clock();
    printf("{\\"status\\": %d, \\"seconds\\": %.9f, \\"state\\": [", status, (double)(end - start) / CLOCKS_PER_SEC);
    for (i = 0; i < (int)(sizeof(live.x) / sizeof(live.x[0])); ++i) printf("%s%.17g", i ? ", " : "", live.x[i]);
    printf("]}\\n");
    return 0;
}
"""


def program(build: eomc.Build, folder: Path, compiler: str) -> Path:
    """Return a program of this machine that a compiler makes in a folder, at -O2."""
    texts = {**sources(build), "native.c": NATIVE.replace("NAME", build.view.name)}
    for file, text in texts.items():
        (folder / file).write_text(text)
    units = [file for file in texts if file.endswith(".c") and file != "live.c"]  # which native.c includes
    subprocess.run([compiler, "-std=c99", "-O2", *build.flags, "-o", "native", *units], cwd=folder, check=True)
    return folder / "native"


def here(build: eomc.Build, native: Path, steps: int, before: int = 0) -> dict[str, Any]:
    """Return status, state and, without those of the steps before, seconds of processor time of a program."""
    return _printed(native, build.program.run.dt, before, steps)


def in_node(build: eomc.Build, module: Path, steps: int, before: int = 0) -> dict[str, Any]:
    """Return the same of a module, and the hash of a thousand steps."""
    found = build.program
    given = {
        "parameters": [one.value for one in found.parameters],
        "inputs": [one.value for one in found.inputs],
        "state": [one.value for one in found.states],
        "dt": found.run.dt,
        "before": before,
        "steps": steps,
    }
    return _printed("node", "-e", IN_NODE, module, json.dumps(given))


def _printed(*command: object) -> dict[str, Any]:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
