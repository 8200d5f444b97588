"""Long runs of Hamilton's equations: what becomes of the energy in a million steps, and what a step costs.

python benchmarks/symplectic.py [--steps N] [--repetitions N]

The drift is the mean of the last tenth of the energies less the mean of the first; the times are medians of processor
time, schemes in turn. Goal: gauss3 drifts by less than 1e-12 on both models.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
from pathlib import Path

from reporting import print_machine, print_table

import eomc

CASES = [
    ("kepler", 0.02, ["rk4", "verlet", "yoshida4", "gauss3"]),
    ("double_pendulum", 0.01, ["rk4", "gauss3"]),
]

DRIVER = r"""
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "@.h"

static @_constants c;
static @_work work;
static @_real x[%_NX];

static void begin(void)
{
    int i;

    (void)@_prepare(&@_default_parameters, &c);
    for (i = 0; i < %_NX; ++i) {
        x[i] = @_initial_state[i];
    }
}

static int step(long k, double h)
{
    return (int)@_SCHEME_step_held((double)k * h, h, &@_default_inputs, &c, &work, x);
}

static double energy(void)
{
    @_real all[%_ENERGY_SIZE];

    (void)@_energy(0.0, x, &@_default_inputs, &c, &work, all);
    return all[ENERGY];
}

int main(int argc, char **argv)
{
    const long steps = atol(argv[1]);
    const double h = atof(argv[2]);
    double first = 0.0;
    double last = 0.0;
    double worst = 0.0;
    double start;
    long k;

    begin();
    if (argc == 3) {
        struct timespec a;
        struct timespec b;

        (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        for (k = 0; k < steps; ++k) {
            if (step(k, h) != 0) {
                return 1;
            }
        }
        (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        (void)printf("%g\n", (1e9 * (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec)) / (double)steps);
        return 0;
    }
    start = energy();
    for (k = 0; k < steps; ++k) {
        double e;

        if (step(k, h) != 0) {
            return 1;
        }
        e = energy() - start;
        worst = fmax(worst, fabs(e));
        first += (k < steps / 10) ? e : 0.0;
        last += (k >= steps - steps / 10) ? e : 0.0;
    }
    (void)printf("%g %g\n", worst, (last - first) / (double)(steps / 10));
    return 0;
}
"""


def emitted(folder: Path, name: str, scheme: str) -> Path:
    """Return the program of a model by a scheme."""
    build = eomc.compile(eomc.load(name), "hamilton", functions=["energy"], integrator=scheme)
    build.write(folder, library=True)
    energy = next(function for function in build.program.functions if function.name == "energy")
    place = str(energy.output_names.index("hamiltonian")) if "hamiltonian" in energy.output_names else "2"
    text = DRIVER.replace("@", build.view.name).replace("%_", f"{build.view.macro}_").replace("SCHEME", scheme)
    (folder / "drive.c").write_text(text.replace("[ENERGY]", f"[{place}]"))
    sources = sorted(path.name for path in folder.glob("*.c"))
    subprocess.run(["gcc", "-O2", "-std=c99", *sources, "-o", "drive", "-lm"], cwd=folder, check=True)
    return folder / "drive"


def run(*words: object) -> list[float]:
    """Return the numbers that a program prints."""
    answer = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True)
    return [float(word) for word in answer.stdout.split()]


def main() -> None:
    """Run all cases and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    print_machine()
    rows = []
    with tempfile.TemporaryDirectory() as root:
        for name, h, schemes in CASES:
            programs = {}
            for scheme in schemes:
                folder = Path(root) / f"{name}_{scheme}"
                folder.mkdir()
                programs[scheme] = emitted(folder, name, scheme)
            times: dict[str, list[float]] = {scheme: [] for scheme in schemes}
            for _ in range(options.repetitions):
                for scheme in schemes:
                    times[scheme] += run(programs[scheme], options.steps // 5, h)
            for scheme in schemes:
                worst, drift = run(programs[scheme], options.steps, h, "energy")
                taken = f"{statistics.median(times[scheme]):.0f}"
                rows.append([f"{name}, h = {h:g}", scheme, f"{worst:.1e}", f"{drift:.1e}", taken])
    print_table(["model", "scheme", "largest error", "drift", "ns a step"], rows)


if __name__ == "__main__":
    main()
