"""Taylor series in emitted C against heyoka, which compiles its own with LLVM.

python benchmarks/taylor.py [--heyoka PYTHON] [--rounds N] [--patient]

heyoka is fed with the graph of the right-hand side that eomc emits, and with the double pendulum as one writes it by
hand. PYTHON is an interpreter that has heyoka (this one by default; it is no part of eomc's environment). Runs
alternate and medians are compared; numbers of steps, and errors beside heyoka's run in extended precision, come first.
One run to rounding tells nothing of rounding: its error is a walk of some hundred steps, which ends ten times nearer or
farther by chance. So errors are geometric means over several starts, beside each the least and the largest.
heyoka unrolls models up to some hundred operations in seconds and takes minutes beyond: --patient waits for it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from reporting import print_machine, print_table

import eomc
from eomc.build import Build
from eomc.expansions import order_for
from eomc.ir.interpreter import value_of
from eomc.ir.ops import Op
from eomc.ir.symbols import Symbol

MODELS = (
    ("double_pendulum", "lagrange", 20.0, 1.1, 1.0),
    ("n_link_pendulum:5", "kane", 5.0, 0.85, 2.0),
    ("n_link_pendulum:10", "kane", 1.0, 0.5, 5.0),
)
"""Model, method, time at the end, goals: time per step beside heyoka's, seconds of gcc."""

STARTS = tuple(1.0 + k / 64.0 for k in range(12))
"""Times the initial state: numbers that both sides multiply alike."""

LONG = 100.0  # s of the double pendulum
SWEEP = (1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 2.0**-52)

DRIVER = r"""
#define _POSIX_C_SOURCE 199309L
#include "@_taylor.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    static @_constants c;
    static @_work work;
    static @_taylor run;
    static @_source source; /* held */
    @_options o = @_default_options;
    const int rounds = (argc > 3) ? atoi(argv[3]) : 1;
    const double scale = (argc > 4) ? atof(argv[4]) : 1.0;
    double best = 1e9;
    @_real x0[@@_NX];
    int which, i;

#if @@_NR > 0
    source.values = &@_default_inputs;
#endif
    o.rtol = o.atol = atof(argv[2]);
    (void)@_prepare(&@_default_parameters, &c);
    for (i = 0; i < @@_NX; ++i) { x0[i] = @_initial_state[i] * scale; }
    for (i = 0; i < rounds; ++i) {
        const double begin = now();
        (void)@_taylor_start(0.0, x0, &source, &o, &c, &work, &run);
        if (@_taylor_run(atof(argv[1]), &source, &c, &work, &run, &which) != @@_OK) { return 1; }
        best = (now() - begin < best) ? now() - begin : best;
    }
    printf("[%.9g, %d, [", best, (int)run.at.steps);
    for (i = 0; i < @@_NX; ++i) { printf("%s%.17g", i ? ", " : "", run.at.x[i]); }
    puts("]]");
    return 0;
}
"""

HEYOKA = r"""
import json, math, sys, time
import heyoka as hy
import numpy as np

NAMES = {"sin": (hy.sin, math.sin), "cos": (hy.cos, math.cos), "sqrt": (hy.sqrt, math.sqrt)}
PAIRS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b}


def built(graph, real):
    x, known = [hy.make_vars(f"x{i}") for i in range(len(graph["x0"]))], {}
    for node, op, args, data in graph["nodes"]:
        a = [known[k] for k in args]
        if op == "state":
            known[node] = x[data]
        elif op == "number":
            known[node] = real(data)
        elif op == "powi":
            known[node] = a[0] ** real(data)
        elif op == "neg":
            known[node] = -a[0]
        elif op in NAMES:
            known[node] = NAMES[op][not isinstance(a[0], hy.expression)](a[0])
        else:
            known[node] = PAIRS[op](*a)
    rates = [known[k] for k in graph["roots"]]
    return [(v, r if isinstance(r, hy.expression) else hy.expression(real(r))) for v, r in zip(x, rates)]


made = {}
for line in sys.stdin:
    asked = json.loads(line)
    graph, key = asked["graph"], (asked["name"], asked["tol"], asked["compact"], asked["long"])
    real = np.longdouble if asked["long"] else float
    if key not in made:
        options = {"compact_mode": asked["compact"]}
        options |= {"fp_type": np.longdouble} if asked["long"] else {"tol": asked["tol"]}
        begin = time.perf_counter()
        made[key] = hy.taylor_adaptive(built(graph, real), [real(v) for v in graph["x0"]], **options)
        sys.stderr.write(f"{time.perf_counter() - begin:.1f} s\n")
    run, best = made[key], 1e9
    for _ in range(asked["rounds"]):
        run.time = real(0.0)
        run.state[:] = [real(v) for v in graph["x0"]]
        begin = time.process_time()
        steps = run.propagate_until(real(asked["t_end"]))[3]
        best = min(best, time.process_time() - begin)
    print(json.dumps([best, steps, [float(v) for v in run.state]]), flush=True)
"""

Ran = tuple[float, int, np.ndarray]


class Peer:
    """heyoka in a process of its own."""

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(
            [python, "-c", HEYOKA], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def run(self, graph: dict[str, Any], name: str, t_end: float, rounds: int = 1, **options: Any) -> Ran:
        """Return seconds, steps and the state at the end."""
        asked = {"tol": 2.0**-52, "compact": False, "long": False, **options}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        line = json.dumps({"graph": graph, "name": name, "t_end": t_end, "rounds": rounds, **asked})
        print(line, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            sys.exit("heyoka does not answer: give --heyoka an interpreter that has it (pip install heyoka)")
        seconds, steps, x = json.loads(answer)
        return seconds, steps, np.array(x)


def graph_of(build: Build) -> dict[str, Any]:
    """Return the rates that are expanded as nodes: number, op, arguments, index or value; parameters are numbers."""
    graph, nodes = build.program.graph, []
    rates = build.program.series[0].outputs[: len(build.program.states)]
    values = {one.symbol: one.value for one in (*build.program.parameters, *build.program.inputs)}
    for node in graph.reachable(rates):
        op, data = graph.ops[node], graph.data[node]
        if isinstance(data, Symbol) and data not in values:
            nodes.append((node, "state", (), data.index))
        elif op in (Op.CONSTANT, Op.SYMBOL):
            nodes.append((node, "number", (), values[data] if isinstance(data, Symbol) else value_of(data)))
        else:
            nodes.append((node, op.value, graph.args[node], data))
    return {"nodes": nodes, "roots": rates, "x0": [state.value for state in build.program.states]}


def by_hand() -> dict[str, Any]:
    """Return the double pendulum of masses 1 and 1.7 on rods of 0.9 and 1.3, solved by Cramer's rule."""
    nodes: list[tuple[int, str, tuple[int, ...], Any]] = []

    def add(op: str, *args: int, data: Any = None) -> int:
        nodes.append((len(nodes), op, args, data))
        return len(nodes) - 1

    def times(factor: float, a: int) -> int:
        return add("mul", add("number", data=factor), a)

    th1, th2, v1, v2 = (add("state", data=i) for i in range(4))
    m1, m2, l1, l2, g = 1.0, 1.7, 0.9, 1.3, 9.81
    apart = add("sub", th1, th2)
    sine, cosine = add("sin", apart), add("cos", apart)
    across, down = times(m2 * l2, cosine), times(l1, cosine)
    e1 = add("sub", times(-m2 * l2, add("mul", add("powi", v2, data=2), sine)), times((m1 + m2) * g, add("sin", th1)))
    e2 = add("sub", times(l1, add("mul", add("powi", v1, data=2), sine)), times(g, add("sin", th2)))
    determinant = add("sub", add("number", data=(m1 + m2) * l1 * l2), add("mul", across, down))
    a1 = add("div", add("sub", times(l2, e1), add("mul", across, e2)), determinant)
    a2 = add("div", add("sub", times((m1 + m2) * l1, e2), add("mul", down, e1)), determinant)
    return {"nodes": nodes, "roots": (v1, v2, a1, a2), "x0": [0.8, -0.5, 1.1, -0.6]}


class Emitted:
    """The C of a model, compiled for some orders."""

    def __init__(self, name: str, method: str, folder: Path) -> None:
        self.build = eomc.compile(eomc.load(name), method, functions=(), integrator="rk4,taylor")
        self.folder = folder / self.build.view.name
        self.build.write(self.folder, library=True)
        text = DRIVER.replace("@@", self.build.view.macro).replace("@", self.build.view.name)
        (self.folder / "driver.c").write_text(text)
        self.seconds: dict[int, float] = {}

    def run(self, t_end: float, tolerance: float, rounds: int = 1, scale: float = 1.0) -> Ran:
        """Return seconds, steps and the state at the end; the start is `scale` times the initial state."""
        order = order_for(tolerance)
        program = self.folder / f"order{order}"
        if order not in self.seconds:
            command = ["gcc", "-std=c99", "-O2", f"-D{self.build.view.macro}_TAYLOR_ORDER={order}"]
            begin = time.perf_counter()
            subprocess.run([*command, *self.folder.glob("*.c"), "-o", program, "-lm"], check=True)
            self.seconds[order] = time.perf_counter() - begin
        answer = subprocess.run(
            [program, repr(t_end), repr(tolerance), str(rounds), repr(scale)],
            capture_output=True,
            text=True,
            check=True,
        )
        seconds, steps, x = json.loads(answer.stdout)
        return seconds, steps, np.array(x)


def compare_errors(
    peer: Peer, emitted: Emitted, graph: dict[str, Any], name: str, t_end: float, compact: bool
) -> list[str]:
    """Return the errors of both at the tolerance of rounding over several starts, and their ratio."""
    found = []
    for scale in STARTS:
        start = {**graph, "x0": [value * scale for value in graph["x0"]]}
        exact = peer.run(start, name, t_end, long=True, compact=True)[2]
        both = emitted.run(t_end, 2.0**-52, scale=scale), peer.run(start, name, t_end, compact=compact)
        found.append([float(np.abs(ran[2] - exact).max()) for ran in both])
    errors = np.array(found).T
    means = np.exp(np.log(errors).mean(axis=1))
    told = [f"{mean:.1e} ({row.min():.0e}, {row.max():.0e})" for mean, row in zip(means, errors, strict=True)]
    return [*told, f"{means[0] / means[1]:.2f}"]


def compare_steps(peer: Peer, folder: Path, rounds: int, patient: bool) -> None:
    """Print steps, errors and times per step at the tolerance of rounding."""
    rows = []
    for name, method, t_end, goal, compiler in MODELS:
        emitted = Emitted(name, method, folder)
        graph, tolerance = graph_of(emitted.build), 2.0**-52
        modes = (True,) if len(graph["nodes"]) > 600 and not patient else (False, True)
        ours, theirs = emitted.run(t_end, tolerance), peer.run(graph, name, t_end, compact=modes[-1])
        errors = compare_errors(peer, emitted, graph, name, t_end, modes[-1])
        times: list[list[float]] = [[], []]
        for _ in range(rounds):
            times[0].append(emitted.run(t_end, tolerance, 5)[0] / ours[1])
            times[1].append(min(peer.run(graph, name, t_end, 5, compact=mode)[0] for mode in modes) / theirs[1])
        own, other = map(statistics.median, times)
        told = [f"{ours[1]}", f"{theirs[1]}", *errors, f"{own * 1e6:.2f}", f"{other * 1e6:.2f}"]
        rows.append([name, method, *told, f"{own / other:.2f}", f"{goal}", f"{emitted.seconds[20]:.1f}", f"{compiler}"])
    head = [
        "model",
        "method",
        "steps",
        "heyoka",
        "error",
        "heyoka",
        "ratio",
        "us/step",
        "heyoka",
        "ratio",
        "goal",
        "gcc s",
        "goal",
    ]
    print_table(head, rows)


def compare_precision(peer: Peer, folder: Path, rounds: int) -> None:
    """Print the time to an error below 1e-11 after 100 s of the double pendulum, each at its loosest tolerance."""
    emitted, graph = Emitted("double_pendulum", "lagrange", folder), by_hand()
    exact = peer.run(graph, "hand", LONG, long=True)[2]
    found = []
    for run in (
        lambda tolerance, n: emitted.run(LONG, tolerance, n),
        lambda tolerance, n: peer.run(graph, "hand", LONG, n, tol=tolerance),
    ):
        errors = {tolerance: float(np.abs(run(tolerance, 1)[2] - exact).max()) for tolerance in SWEEP}
        serves = [tolerance for tolerance in SWEEP if errors[tolerance] <= 1e-11] or [
            min(errors, key=errors.__getitem__)
        ]
        found.append((run, serves[0], errors[serves[0]]))
    times = [[run(tolerance, 3)[0] for run, tolerance, _ in found] for _ in range(rounds)]
    own, other = (statistics.median(column) for column in zip(*times, strict=True))
    rows = [
        [name, f"{tolerance:.0e}", f"{order_for(tolerance)}", f"{error:.1e}", f"{seconds * 1e3:.2f}"]
        for name, (_, tolerance, error), seconds in zip(("eomc", "heyoka"), found, (own, other), strict=True)
    ]
    print(
        f"\n{LONG:g} s of the double pendulum to 1e-11, heyoka on the form by hand: ratio {own / other:.2f}, goal 1.6"
    )
    print_table(["", "tolerance", "order", "error", "ms"], rows)


def main() -> None:
    """Run the comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heyoka", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--patient", action="store_true")
    options = parser.parse_args()
    print_machine()
    peer = Peer(options.heyoka)
    with tempfile.TemporaryDirectory() as folder:
        compare_steps(peer, Path(folder), options.rounds, options.patient)
        compare_precision(peer, Path(folder), options.rounds)


if __name__ == "__main__":
    main()
