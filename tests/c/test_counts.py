"""Operation counts of the solve kernels against the emitted text itself, run with numbers that count."""

from __future__ import annotations

import ctypes
import shutil

import numpy as np
import pytest

from eomc.backends.c99.kernels import count_system
from eomc.ir.systems import Factorization, SystemSpec

pytestmark = pytest.mark.needs_cc

FORMS = [Factorization.ELIMINATED, Factorization.AUGMENTED, Factorization.RANGE_SPACE, Factorization.NULL_SPACE]

# As C++, the real type of the folder is a class: every operator adds one to its kind. A product with a whole number is
# the making of a tolerance, once in a call.
COUNTING = """
#include <math.h>

long counts[5];

struct Counted {
    double value;
    bool whole;
    Counted() : value(0.0), whole(false) {}
    Counted(double x) : value(x), whole(false) {}
    explicit Counted(int x) : value(x), whole(true) {}
};

static Counted operator+(Counted a, Counted b) { ++counts[0]; return a.value + b.value; }
static Counted operator-(Counted a, Counted b) { ++counts[0]; return a.value - b.value; }
static Counted operator-(Counted a) { ++counts[0]; return -a.value; }
static Counted operator*(Counted a, Counted b) { counts[1] += !a.whole; return a.value * b.value; }
static Counted operator/(Counted a, Counted b) { ++counts[2]; return a.value / b.value; }
static Counted sqrt(Counted a) { ++counts[3]; return ::sqrt(a.value); }
static Counted fabs(Counted a) { ++counts[4]; return ::fabs(a.value); }
static bool operator<(Counted a, Counted b) { ++counts[4]; return a.value < b.value; }
static bool operator>(Counted a, Counted b) { ++counts[4]; return a.value > b.value; }
static void operator+=(Counted &a, Counted b) { a = a + b; }
static void operator-=(Counted &a, Counted b) { a = a - b; }
static void operator*=(Counted &a, Counted b) { a = a * b; }
static void operator/=(Counted &a, Counted b) { a = a / b; }
"""
CALL = """
extern "C" int count(const double *given, int states, int outputs);
extern "C" int count(const double *given, int states, int outputs)
{{
    static {name}_constants constants;
    static {name}_work work;
    static Counted x[1000], out[1000];
    {name}_inputs inputs;

    if (states > 1000 || outputs > 1000) return -1;
    for (int i = 0; i < states; ++i) x[i] = given[i];
    for (int i = 0; i < 5; ++i) counts[i] = 0;
    return {name}_outputs(0.0, x, &inputs, &constants, &work, out);
}}
"""


def counted(folder, values, outputs):
    """Return additions, products, divisions, square roots and the rest that the function `outputs` does."""
    name = folder.name
    header = folder.path / f"{name}.h"
    text = header.read_text()
    assert f"typedef double {name}_real;" in text
    header.write_text(text.replace(f"typedef double {name}_real;", f"typedef Counted {name}_real;"))
    source = (folder.path / f"{name}.c").read_text()
    (folder.path / "counted.cpp").write_text(COUNTING + source + CALL.format(name=name))
    command = ["g++", "-nostdinc++", "-shared", "-fPIC", "-w", "counted.cpp", "-o", "counted.so"]  # C's own math.h
    assert folder.run(command).returncode == 0, folder.run(command).stderr
    library = ctypes.CDLL(str(folder.path / "counted.so"))
    assert library.count((ctypes.c_double * len(values))(*values), len(values), outputs) == 0
    return tuple((ctypes.c_long * 5).in_dll(library, "counts"))


@pytest.mark.parametrize("form", [Factorization.LDLT, Factorization.LU])
@pytest.mark.parametrize(("n", "columns"), [(1, 1), (2, 3), (5, 1), (6, 4)])
def test_kernels(form, n, columns, emit, unconstrained):
    """Definite and general systems, no rows exchanged."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    random = np.random.default_rng(n)
    root = random.normal(size=(n, n))
    matrix = root @ root.T + 10 * n * np.eye(n)
    entries = matrix.ravel() if form is Factorization.LU else matrix[np.tril_indices(n)]
    folder = emit(unconstrained(n, columns, form))
    found = counted(folder, [*entries, *random.normal(size=n * columns)], n * columns)
    said = count_system(SystemSpec(form, n, columns, ("",) * n))
    assert found == (said.additions, said.multiplications, said.divisions, said.square_roots, said.others)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("n", "m", "columns"), [(3, 3, 1), (4, 2, 1), (5, 3, 2), (6, 2, 4), (3, 5, 2)])
def test_constrained_kernels(form, n, m, columns, emit, constrained):
    """Full rank, whether rows leave a freedom, leave none, or are more than the unknowns."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    random = np.random.default_rng(n + 10 * m)
    root = random.normal(size=(n, n))
    mass, jacobian = root @ root.T + np.eye(n), random.normal(size=(m, n))
    right = np.vstack([random.normal(size=(n, columns)), jacobian @ random.normal(size=(n, columns))])
    lower = [mass[i, j] for i in range(n) for j in range(i + 1)]
    folder = emit(constrained(n, m, columns, form))
    found = counted(folder, [*lower, *jacobian.ravel(), *right.ravel()], (n + m) * columns)
    said = count_system(SystemSpec(form, n, columns, ("",) * (n + m), m))
    assert said.functions == 0
    assert found == (said.additions, said.multiplications, said.divisions, said.square_roots, said.others)
