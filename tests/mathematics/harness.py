"""Own functions of a precision as a shared library that takes arrays, and their errors against libm in a wider format.

    library = build(("sincos", "exp"), "double", compiler="gcc", flags=STRICT)
    sine, cosine = library("sincos", x)
    worst = largest_error(library, "exp", numpy.linspace(-700, 700, 1000000))    # .ulp, .at, .result

The yardstick is libm's long double (64 bits of mantissa on x86) for double, its double for float: its own error is
below 0.001 ulp of the result. `exact_error` measures one point by mpmath.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from mpmath import mp, mpf

from eomc.backends.c99.mathematics import INCLUDES, OWN_FUNCTIONS, OwnFunction, own_text

__all__ = [
    "COMPILERS",
    "FAST",
    "MANY",
    "STRICT",
    "TYPES",
    "Library",
    "Worst",
    "all_floats",
    "build",
    "compiled",
    "digest",
    "exact_error",
    "largest_error",
    "source",
]

COMPILERS = tuple(name for name in ("gcc", "clang") if shutil.which(name))
STRICT = ("-std=c99", "-O2", "-fno-math-errno", "-ffp-contract=off")
FAST = ("-std=c99", "-O2", "-fno-math-errno", "-march=native", "-ffp-contract=fast")
MANY = 600_000 if "EOMC_THOROUGH" in os.environ else 100_000  # arguments at which the errors of a function are measured
TYPES = {"double": (np.float64, "double"), "single": (np.float32, "float")}

_FOLDER = tempfile.TemporaryDirectory(prefix="own_functions_")


class Library:
    """Functions compiled for one precision; called by name on arrays of that precision."""

    def __init__(self, path: Path, functions: dict[str, OwnFunction], precision: str) -> None:
        self.path = path
        self.precision = precision
        self.dtype = np.dtype(TYPES[precision][0])
        self.functions = functions
        self._loaded = ctypes.CDLL(str(path))

    def __call__(self, name: str, *arrays: Any, core: bool = False) -> Any:
        """Return what the function (or its branch-free core, eight at a time) makes of arrays."""
        record = self.functions[name]
        given = [np.ascontiguousarray(array, dtype=self.dtype) for array in arrays]
        given = [np.ascontiguousarray(array) for array in np.broadcast_arrays(*given)]
        made = [np.zeros_like(given[0]) for _ in record.results or (name,)]
        self.run(("core_" if core else "many_") + name, [*given, *made], given[0].size)
        return tuple(made) if record.results else made[0]

    def entry(self, function: str) -> Any:
        """Return a function in C that takes pointers and how many numbers they lead to."""
        return getattr(self._loaded, function)

    def run(self, function: str, arrays: Sequence[np.ndarray], size: int) -> None:
        """Call a function in C that takes pointers and how many numbers they lead to."""
        getattr(self._loaded, function)(
            *(ctypes.c_void_p(array.ctypes.data) for array in arrays), ctypes.c_size_t(size)
        )


def source(names: Iterable[str], precision: str, shape: str = "floats") -> str:
    """Return one .c with the functions and loops over them."""
    names = tuple(names)
    real = "own_real"
    alone = (f"{name}_core" for name in names if shape != "integers")  # cores that their functions do not call
    text = own_text((*names, *(core for core in alone if core in OWN_FUNCTIONS)), real, precision, shape)
    lines = [
        *(f"#include <{name}>" for name in (*INCLUDES, "stddef.h")),
        "",
        f"typedef {TYPES[precision][1]} {real};",
        "#define REAL(x) ((own_real)(x))",
        "#ifdef __GNUC__",
        "#define REAL_RARELY(condition) __builtin_expect(!!(condition), 0)",
        "#else",
        "#define REAL_RARELY(condition) (condition)",
        "#endif",
        "#ifndef REAL_SQRT",
        f"#define REAL_SQRT(x) (__builtin_sqrt{'' if precision == 'double' else 'f'}(x))",
        "#endif",
        "",
        text,
    ]
    for name in names:
        record = OWN_FUNCTIONS[name]
        lines += _loop(record, "many", f"real_{name}")
        if record.core and f" {record.core}(" in text:  # there is none where integers do it
            lines += _loop(record, "core", record.core)
    return "\n".join([*lines, ""])


def _loop(record: OwnFunction, kind: str, function: str) -> list[str]:
    """Return a loop over a function, its lanes side by side where it is a core."""
    given = ("x", "y")[: record.arity]
    made = tuple(f"r{i}" for i in range(len(record.results) or 1))
    parameters = ", ".join(
        [*(f"const own_real *restrict {g}" for g in given), *(f"own_real *restrict {m}" for m in made), "size_t n"]
    )
    place = "j + i" if kind == "core" else "i"
    call = f"{function}({', '.join(f'{g}[{place}]' for g in given)})"
    lines = [
        f"void {kind}_{record.name}({parameters});",
        f"void {kind}_{record.name}({parameters})",
        "{",
        "    size_t i;",
    ]
    index = "    "
    if kind == "core":
        lines += ["    size_t j;", "", "    for (j = 0; j < n; j += 8) {", "        for (i = 0; i < 8; ++i) {"]
        index = "            "
    else:
        lines += ["", "    for (i = 0; i < n; ++i) {"]
        index = "        "
    if record.results:
        lines.append(f"{index}const real_{record.name.replace('sincos', 'sine_cosine')} made = {call};")
        lines += [f"{index}{m}[{place}] = made.{field};" for m, field in zip(made, record.results, strict=True)]
    else:
        lines.append(f"{index}r0[{place}] = {call};")
    return [*lines, *(["        }"] if kind == "core" else []), "    }", "}", ""]


@functools.cache
def build(
    names: tuple[str, ...],
    precision: str,
    shape: str | None = None,
    compiler: str = "gcc",
    flags: tuple[str, ...] = STRICT,
) -> Library:
    """Compile functions of a precision; cores are called on arrays whose length is a multiple of eight.

    A model's shape follows from its flags: fused where these contract.
    """
    text = source(names, precision, shape or ("fused" if "-ffp-contract=fast" in flags else "floats"))
    path = compiled(text, compiler, flags)
    return Library(path, {name: OWN_FUNCTIONS[name] for name in names}, precision)


def compiled(text: str, compiler: str, flags: tuple[str, ...]) -> Path:
    """Return the shared library that a compiler makes of a text; made once."""
    key = hashlib.sha256("\n".join([text, compiler, *flags]).encode()).hexdigest()[:16]
    path = Path(_FOLDER.name) / f"own_{key}.so"
    if not path.exists():
        path.with_suffix(".c").write_text(text, encoding="utf-8")
        command = [compiler, *flags, "-shared", "-fPIC", str(path.with_suffix(".c")), "-o", str(path), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
    return path


@dataclass(frozen=True)
class Worst:
    """The largest error that was found."""

    ulp: float
    at: tuple[float, ...]
    result: str  # which function of several: "sin" of "sincos"


_MEASURE = """
#include <math.h>
#include <stddef.h>
#include <float.h>

typedef {real} real;
typedef {wide} wide;

/* Error in ulp of the exact value; 0 where both are NaN or equal, infinite where only one is finite. */
static double error(real found, wide exact)
{{
    const wide top = ldexp{l}((wide)2, {max_exponent} - 1) * ((wide)1 - ldexp{l}((wide)1, -{digits} - 1));
    int exponent;

    if (isnan(exact) || isnan(found)) {{
        return (isnan(exact) && isnan(found)) ? 0.0 : INFINITY;
    }}
    if (((wide)found == exact) || (isinf(found) && (fabs{l}(exact) >= top) && ((found > 0) == (exact > 0)))) {{
        return 0.0;
    }}
    (void)frexp{l}(exact, &exponent);
    if ((exponent < {min_exponent}) || !(fabs{l}(exact) > 0)) {{
        exponent = {min_exponent};
    }}
    return (double)ldexp{l}(fabs{l}((wide)found - exact), {digits} - exponent);
}}
"""


@functools.cache
def _yardstick(name: str, arity: int, precision: str) -> Callable[..., tuple[float, int]]:
    """Return a function in C that finds the largest error over arrays."""
    double = precision == "double"
    given = ("x", "y")[:arity]
    text = _MEASURE.format(
        real="double" if double else "float",
        wide="long double" if double else "double",
        l="l" if double else "",
        max_exponent=1024 if double else 128,
        min_exponent=-1021 if double else -125,
        digits=53 if double else 24,
    )
    signature = (
        f"double worst({', '.join(f'const real *{g}' for g in given)}, const real *found, size_t n, size_t *where)"
    )
    call = f"{name}{'l' if double else ''}({', '.join(f'(wide){g}[i]' for g in given)})"
    text += f"""
{signature};
{signature}
{{
    double largest = -1.0;
    size_t i;

    for (i = 0; i < n; ++i) {{
        const double e = error(found[i], {call});

        if (e > largest) {{
            largest = e;
            *where = i;
        }}
    }}
    return largest;
}}
"""
    function = ctypes.CDLL(str(compiled(text, "gcc", ("-O2", "-std=c99")))).worst
    function.restype = ctypes.c_double

    def measure(*arrays: np.ndarray) -> tuple[float, int]:
        where = ctypes.c_size_t(0)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
        return function(*pointers, ctypes.c_size_t(arrays[0].size), ctypes.byref(where)), where.value

    return measure


def largest_error(library: Library, name: str, *arrays: Any, core: bool = False) -> Worst:
    """Return the largest error of a function over arrays of arguments."""
    record = library.functions[name]
    given = [np.ascontiguousarray(array, dtype=library.dtype) for array in arrays]
    given = [np.ascontiguousarray(array) for array in np.broadcast_arrays(*given)]
    made = library(name, *given, core=core)
    worst = Worst(-1.0, (), name)
    for result, found in zip(record.results or (name,), made if record.results else (made,), strict=True):
        ulp, where = _yardstick(result, record.arity, library.precision)(*given, found)
        if ulp > worst.ulp:
            worst = Worst(ulp, tuple(float(array.flat[where]) for array in given), result)
    return worst


def exact_error(found: float, exact: mpf, precision: str) -> float:
    """Return the error of a number in ulp of the exact value."""
    digits, least = (53, -1021) if precision == "double" else (24, -125)
    exponent = max(mp.frexp(exact)[1], least)
    return float(mp.ldexp(abs(mpf(float(found)) - exact), digits - exponent))


def all_floats(exponents: Iterable[int]) -> np.ndarray:
    """Return all floats, of both signs, with one of the binary exponents: 2**e <= |x| < 2**(e + 1)."""
    mantissas = np.arange(1 << 23, dtype=np.uint32)
    words = [mantissas | np.uint32((exponent + 127) << 23) for exponent in exponents]
    positive = np.concatenate(words)
    return np.concatenate([positive, positive | np.uint32(1 << 31)]).view(np.float32)


def digest(*arrays: np.ndarray) -> str:
    """Return a hash over bits; all NaN are one."""
    hashed = hashlib.sha256()
    for array in arrays:
        hashed.update(np.where(np.isnan(array), np.array(np.nan, array.dtype), array).tobytes())
    return hashed.hexdigest()[:16]
