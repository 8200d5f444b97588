"""Operation counts of kernels and steps against the emitted text itself, run with numbers that count."""

from __future__ import annotations

import ctypes
import itertools
import re
import shutil
from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest

import eomc
from eomc.backends.c99.kernels import count_system, most_of_system
from eomc.ir.systems import Factorization, SystemSpec
from eomc.tableaus import SPLITTINGS, TABLEAUS, Tableau, tableau

pytestmark = pytest.mark.needs_cc

KUTTA = Tableau(  # negative weights, stages along several slopes
    "kutta38", "Kutta 3/8", 4,
    a=((), (F(1, 3),), (F(-1, 3), 1), (1, -1, 1)),
    b=(F(1, 8), F(3, 8), F(3, 8), F(1, 8)),
)  # fmt: skip
FORMS = [Factorization.ELIMINATED, Factorization.AUGMENTED, Factorization.RANGE_SPACE, Factorization.NULL_SPACE]

# As C++, the real type of the folder is a class: every operator adds one to its kind. A product with a whole number is
# the making of a tolerance, once in a call.
COUNTING = """
#include <math.h>

long counts[6];

struct Counted {
    double value;
    bool whole;
    Counted() : value(0.0), whole(false) {}
    Counted(double x) : value(x), whole(false) {}
    explicit Counted(int x) : value(x), whole(true) {}
    explicit Counted(unsigned long x) : value(double(x)), whole(true) {}
};

static Counted operator+(Counted a, Counted b) { ++counts[0]; return a.value + b.value; }
static Counted operator-(Counted a, Counted b) { ++counts[0]; return a.value - b.value; }
static Counted operator-(Counted a) { ++counts[0]; return -a.value; }
static Counted operator*(Counted a, Counted b) { counts[1] += !a.whole; return a.value * b.value; }
static Counted operator/(Counted a, Counted b) { ++counts[2]; return a.value / b.value; }
static Counted sqrt(Counted a) { ++counts[3]; return ::sqrt(a.value); }
static Counted sin(Counted a) { ++counts[5]; return ::sin(a.value); }
static Counted cos(Counted a) { ++counts[5]; return ::cos(a.value); }
static Counted fabs(Counted a) { ++counts[4]; return ::fabs(a.value); }
static bool operator<(Counted a, Counted b) { ++counts[4]; return a.value < b.value; }
static bool operator<=(Counted a, Counted b) { ++counts[4]; return a.value <= b.value; }
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
    for (int i = 0; i < 6; ++i) counts[i] = 0;
    return {name}_outputs(0.0, x, &inputs, &constants, &work, out);
}}
"""


STEP = """
extern "C" int count(int prepared);
extern "C" int count(int prepared)
{{
    static {name}_constants constants;
    static {name}_work work;
    {name}_real x[{macro}_NX];

    for (int i = 0; i < {macro}_NX; ++i) x[i] = {name}_initial_state[i].value;
    for (int i = 0; i < 6; ++i) counts[i] = 0;
    if (int status = {name}_prepare(&{name}_default_parameters, &constants)) return status;
    if (prepared) return 0;
    for (int i = 0; i < 6; ++i) counts[i] = 0;
    return {name}_{scheme}_step_held(0.0, 0.01, &{name}_default_inputs, &constants, &work, x);
}}
"""


def counting(folder, call=CALL):
    """Return a library of a folder in which numbers count what is done with them."""
    name = folder.name
    header = folder.path / f"{name}.h"
    text = header.read_text()
    assert "_SCALAR double\n" in text
    header.write_text(text.replace("_SCALAR double\n", "_SCALAR Counted\n"))
    source = (folder.path / f"{name}.c").read_text()
    names = {"name": name, "macro": folder.macro, "scheme": folder.result.view.step.name}
    (folder.path / "counted.cpp").write_text(COUNTING + source + call.format(**names))
    command = ["g++", "-nostdinc++", "-shared", "-fPIC", "-w", "counted.cpp", "-o", "counted.so"]  # C's own math.h
    assert folder.run(command).returncode == 0, folder.run(command).stderr
    return ctypes.CDLL(str(folder.path / "counted.so"))


def called(library, values, outputs):
    """Return status, additions, products, divisions, square roots and the rest of a call of the function `outputs`."""
    status = library.count((ctypes.c_double * len(values))(*values), len(values), outputs)
    return status, tuple((ctypes.c_long * 5).in_dll(library, "counts"))


def counted(folder, values, outputs):
    """Return what a call that succeeds does."""
    status, found = called(counting(folder), values, outputs)
    assert status == 0
    return found


def kinds(counts):
    """Return the same numbers of an estimate."""
    assert counts.functions == 0
    return (counts.additions, counts.multiplications, counts.divisions, counts.square_roots, counts.others)


def still(program):
    """Return a program whose start tells no order of pivots, so that its kernel does all."""
    return replace(program, states=tuple(replace(state, value=0.0) for state in program.states))


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
    assert found == kinds(said)


@pytest.mark.sampled(3)
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
    folder = emit(still(constrained(n, m, columns, form)))
    found = counted(folder, [*lower, *jacobian.ravel(), *right.ravel()], (n + m) * columns)
    said = count_system(SystemSpec(form, n, columns, ("",) * (n + m), m))
    assert found == kinds(said)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("n", "m", "columns"), [(3, 3, 1), (5, 3, 2), (3, 5, 1)])
def test_no_call_takes_more_than_the_most(form, n, m, columns, emit, constrained):
    """Rows of any rank, right sides that contradict or not, unknowns without inertia: each kind stays below its bound.

    The usual case is no such bound: where rows follow from others some kind passes it.
    """
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    random = np.random.default_rng(n + 10 * m)
    spec = SystemSpec(form, n, columns, ("",) * (n + m), m)
    most, usual, passed = kinds(most_of_system(spec)), kinds(count_system(spec)), False
    folder = emit(still(constrained(n, m, columns, form)))
    library = counting(folder)
    for rank in range(min(n, m) + 1):
        for idle in range(n):
            root = random.normal(size=(n, n))
            mass = root @ root.T + np.eye(n)
            mass[:idle], mass[:, :idle] = 0.0, 0.0
            jacobian = random.normal(size=(m, rank)) @ random.normal(size=(rank, n))
            for noise in (0.0, 1.0):
                forces = random.normal(size=(n, columns))
                right = np.vstack([forces, jacobian @ forces + noise * random.normal(size=(m, columns))])
                lower = [mass[i, j] for i in range(n) for j in range(i + 1)]
                _, found = called(library, [*lower, *jacobian.ravel(), *right.ravel()], (n + m) * columns)
                assert all(a <= b for a, b in zip(found, most, strict=True)), (rank, idle, found, most)
                passed = passed or any(a > b for a, b in zip(found, usual, strict=True))
    assert passed or form is Factorization.RANGE_SPACE  # whose systems shrink with the rank


def told(text):
    """Return the counts of a comment by kind, the first ones and those of each round of a projection."""
    kinds = ("add", "mul", "div", "sqrt", "other", "func")
    return [
        tuple(sum(map(int, re.findall(rf"(\d+) {kind}\b", part))) for kind in kinds)
        for part in re.findall(r"\(([^)]*)\)", text)
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        *itertools.product(
            ["pendulum", "states_as_arguments"], [row for row in [*TABLEAUS, KUTTA] if not row.implicit]
        ),
        *(("pendulum", row) for row in SPLITTINGS),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_step_does_what_its_comment_says(name, scheme, emit, programs):
    """Of models without linear systems to the last operation, in statements and in loops; `_prepare`, too."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    folder = emit(programs[name](), tableau=scheme)
    comments = re.findall(r"Operations: ((?:at most )?\d.*)\.\n", (folder.path / f"{folder.name}.h").read_text())
    library = counting(folder, STEP)
    for prepared, said in ((1, comments[0]), (0, comments[-1])):
        assert library.count(prepared) == 0
        assert (told(said) or [(0,) * 6]) == [tuple((ctypes.c_long * 6).in_dll(library, "counts"))]


@pytest.mark.parametrize("name", ["pendulum", "states_as_arguments"])
def test_a_step_by_iteration_does_what_its_comment_says(name, emit, programs):
    """Some rounds, each of as many operations; only comparisons may be fewer."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    folder = emit(programs[name](), tableau=tableau("gauss3"))
    once, each_round = told(folder.result.view.step.cost.operations)
    library = counting(folder, STEP)
    assert library.count(0) == 0
    found = tuple((ctypes.c_long * 6).in_dll(library, "counts"))
    rounds = (found[0] - once[0]) // each_round[0]
    most = [a + rounds * b for a, b in zip(once, each_round, strict=True)]
    assert [*found[:4], found[5]] == [*most[:4], most[5]]
    assert 0.8 * most[4] < found[4] <= most[4]
    assert 3 <= rounds <= 12


def test_a_projected_step_does_no_more_than_its_comment_says(emit):
    """Of a linkage, with two rounds, in which it is brought back from steps of 10 ms.

    A quarter of that at least: the fixed order serves, and the kernel's share is not taken.
    """
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    folder = emit(eomc.compile(eomc.load("four_bar"), stabilization="projection", functions=[]).program)
    once, each_round = told(folder.result.view.step.cost.operations)
    library = counting(folder, STEP)
    assert library.count(0) == 0
    found = tuple((ctypes.c_long * 6).in_dll(library, "counts"))
    most = [a + 2 * b for a, b in zip(once, each_round, strict=True)]
    assert all(a <= b for a, b in zip(found, most, strict=True)), (found, most)
    assert sum(found) > 0.25 * sum(most)


@pytest.mark.parametrize(("n", "m", "columns"), [(2, 1, 1), (3, 2, 1), (5, 3, 2)])
def test_fixed_orders(n, m, columns, emit, constrained):
    """A system in a fixed order of its pivots takes what is said, at its start."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is missing")
    program = constrained(n, m, columns, Factorization.ELIMINATED)
    folder = emit(program)
    (routine,) = [one for one in folder.result.schedule.routines if one.systems]
    values = [state.value for state in program.states]
    found, said = counted(folder, values, (n + m) * columns), routine.counts
    assert found == kinds(said)
    assert said.total < count_system(SystemSpec(Factorization.ELIMINATED, n, columns, ("",) * (n + m), m)).total
