"""The command that measures own functions.

    python tests/mathematics/table.py                      # bounds and measured errors, gcc and clang, strict and fast
    python tests/mathematics/table.py sincos exp --points 10000000
    python tests/mathematics/table.py --speeds             # ns a value beside libm's
    python tests/mathematics/table.py --all-floats sincos tan    # every float, of functions of one argument

Exit 1 when an error is beyond its bound.
"""

from __future__ import annotations

import argparse
import ctypes
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from coefficients import FAMILIES
from harness import COMPILERS, FAST, STRICT, TYPES, Library, Worst, all_floats, build, compiled, largest_error

from eomc.backends.c99.mathematics import OWN_FUNCTIONS

FLAGS = {"strict": STRICT, "fast": FAST}
SPEEDS = {  # what loops are compiled with
    "-O2": ("-std=c99", "-O2", "-fno-math-errno", "-ffp-contract=off"),
    "-O3 -mavx2": ("-std=c99", "-O3", "-mavx2", "-fno-math-errno", "-ffp-contract=off"),
    "-O3 native, contracted": ("-std=c99", "-O3", "-march=native", "-fno-math-errno", "-ffp-contract=fast"),
}
RANGES = {"exp": (-20, 20), "log": (0.1, 100), "pow": (0.1, 10), "sqrt": (0.1, 100), "asin": (-1, 1), "acos": (-1, 1)}
VALUES = 4096  # of one call when speed is measured


def names() -> list[tuple[str, str]]:
    """Return the functions that are measured, each with its family."""
    return [(name, family) for family in FAMILIES for name in import_module(f"samples_{family}").NAMES]


def bound(name: str, precision: str) -> float:
    """Return what a function promises."""
    promised = OWN_FUNCTIONS[name].bound
    assert promised is not None
    return promised.double if precision == "double" else promised.single


def errors(name: str, family: str, precision: str, points: int, shape: str | None) -> Iterator[Worst]:
    """Measure the error of a function by each compiler, without and with contraction."""
    arguments = import_module(f"samples_{family}").samples(name, precision, points)
    for flags in FLAGS.values():
        for compiler in COMPILERS:
            yield largest_error(build((name,), precision, shape, compiler, flags), name, *arguments)


def print_errors(chosen: list[tuple[str, str]], points: int, shape: str | None) -> bool:
    """Print the table; return whether all bounds are kept."""
    columns = [f"{compiler}, {kind}" for kind in FLAGS for compiler in COMPILERS]
    print(f"| function | precision | bound | {' | '.join(columns)} | worst at |")
    print("|---|---|---|" + "---|" * (len(columns) + 1))
    kept = True
    for name, family in chosen:
        for precision in TYPES:
            measured = list(errors(name, family, precision, points, shape))
            worst = max(measured, key=lambda one: one.ulp)
            kept &= worst.ulp <= bound(name, precision)
            cells = " | ".join(f"{one.ulp:.3f}" for one in measured)
            where = ", ".join(repr(x) for x in worst.at)
            print(f"| {name} | {precision} | {bound(name, precision)} | {cells} | {where} |", flush=True)
    return kept


def print_all_floats(chosen: list[tuple[str, str]], exponents: range) -> bool:
    """Measure at every float, an exponent at a time; return whether all bounds are kept."""
    kept = True
    for name, _ in chosen:
        for mode, flags in FLAGS.items():
            library = build((name,), "single", flags=flags)
            worst = Worst(-1.0, (), name)
            for exponent in exponents:
                worst = max(worst, largest_error(library, name, all_floats([exponent])), key=lambda one: one.ulp)
            kept &= worst.ulp <= bound(name, "single")
            print(f"{name}, {mode}: {worst.ulp:.4f} ulp at {worst.at[0]!r}, bound {bound(name, 'single')}", flush=True)
    return kept


def libm(name: str, precision: str) -> Library:
    """Return a loop over libm's functions."""
    record = OWN_FUNCTIONS[name]
    kind, suffix = TYPES[precision][1], "" if precision == "double" else "f"
    given = ("x", "y")[: record.arity]
    results = record.results or (name,)
    parameters = [f"const {kind} *{g}" for g in given] + [f"{kind} *r{i}" for i in range(len(results))]
    calls = " ".join(f"r{i}[i] = {f}{suffix}({', '.join(f'{g}[i]' for g in given)});" for i, f in enumerate(results))
    text = (
        "#include <math.h>\n#include <stddef.h>\n"
        f"void libm({', '.join(parameters)}, size_t n);\n"
        f"void libm({', '.join(parameters)}, size_t n) {{ size_t i; for (i = 0; i < n; ++i) {{ {calls} }} }}\n"
    )
    return Library(compiled(text, "gcc", ("-O2", "-std=c99")), {name: record}, precision)


def fastest(calls: list[Callable[[], None]]) -> list[float]:
    """Return ns a value of each, the least of many; they take turns, so that a busy machine slows all of them."""
    least = [float("inf")] * len(calls)
    for _ in range(100):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            call()
            least[i] = min(least[i], time.perf_counter() - start)
    return [1e9 * one / VALUES for one in least]


def print_speeds(chosen: list[tuple[str, str]]) -> None:
    """Print ns a value: libm, then own scalar / own in lanes by compiler and flags."""
    columns = [(compiler, flags) for compiler in COMPILERS for flags in SPEEDS]
    print(f"| function | precision | libm | {' | '.join(f'{compiler} {flags}' for compiler, flags in columns)} |")
    print("|---|---|---|" + "---|" * len(columns))
    random = np.random.default_rng(0)
    for name, _ in chosen:
        record = OWN_FUNCTIONS[name]
        for precision in TYPES:
            kind = TYPES[precision][0]
            given = [random.uniform(*RANGES.get(name, (-10, 10)), VALUES).astype(kind) for _ in range(record.arity)]
            arrays = [*given, *(np.zeros(VALUES, kind) for _ in record.results or (name,))]
            calls = [call(libm(name, precision), "libm", arrays)]
            for compiler, flags in columns:
                library = build((name,), precision, compiler=compiler, flags=SPEEDS[flags])
                calls.append(call(library, f"many_{name}", arrays))
                calls.append(call(library, f"{'core' if record.core else 'many'}_{name}", arrays))
            theirs, *own = fastest(calls)
            cells = " | ".join(f"{own[i]:.1f} / {own[i + 1]:.1f}" for i in range(0, len(own), 2))
            print(f"| {name} | {precision} | {theirs:.1f} | {cells} |", flush=True)


def call(library: Library, function: str, arrays: list[np.ndarray]) -> Callable[[], None]:
    """Return a call without arguments; what ctypes needs is made before."""
    entry = library.entry(function)
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    size = ctypes.c_size_t(VALUES)
    return lambda: entry(*pointers, size)


def main() -> int:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("functions", nargs="*", help="all when none is given")
    parser.add_argument("--points", type=int, default=2_000_000)
    parser.add_argument("--shape", choices=("floats", "fused", "integers"), help="else fused where flags contract")
    parser.add_argument("--speeds", action="store_true")
    parser.add_argument("--all-floats", action="store_true")
    parser.add_argument(  # -127: subnormal numbers; 128: infinities and NaN
        "--exponents",
        nargs=2,
        type=int,
        default=(-127, 128),
        help="of all floats: those from 2**FIRST to 2**(LAST + 1)",
    )
    arguments = parser.parse_args()
    chosen = [(name, family) for name, family in names() if not arguments.functions or name in arguments.functions]
    if arguments.speeds:
        print_speeds(chosen)
        return 0
    if arguments.all_floats:
        first, last = arguments.exponents
        single = [one for one in chosen if OWN_FUNCTIONS[one[0]].arity == 1]
        return 0 if print_all_floats(single, range(first, last + 1)) else 1
    return 0 if print_errors(chosen, arguments.points, arguments.shape) else 1


if __name__ == "__main__":
    raise SystemExit(main())
