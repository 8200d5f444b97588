"""The kernels of constrained systems against NumPy's least squares and pseudo-inverse."""

from __future__ import annotations

import re
import shutil
from typing import NamedTuple

import numpy as np
import pytest

from eomc.backends.c99.kernels import KERNELS
from eomc.ir.systems import Factorization, SystemSpec

pytestmark = pytest.mark.needs_cc

FORMS = [Factorization.ELIMINATED, Factorization.AUGMENTED, Factorization.RANGE_SPACE, Factorization.NULL_SPACE]


def wanted(mass, jacobian, right):
    """X by the null space of J from its singular values, L of least norm by the pseudo-inverse of J^T."""
    n, m = len(mass), len(jacobian)
    force, rate = right[:n], right[n:]
    if m == 0:
        return np.linalg.solve(mass, force)
    _, sizes, turned = np.linalg.svd(jacobian)
    rank = int(np.sum(sizes > 1e-9 * sizes[0]))
    basis = turned[rank:].T
    particular = np.linalg.pinv(jacobian, rcond=1e-9) @ rate
    x = particular
    if rank < n:
        x = x + basis @ np.linalg.solve(basis.T @ mass @ basis, basis.T @ (force - mass @ particular))
    return np.vstack([x, np.linalg.pinv(jacobian.T, rcond=1e-9) @ (force - mass @ x)])


def drawn(n, m, columns, rank, seed):
    """Return a random M, J of some rank and consistent right sides."""
    random = np.random.default_rng(seed)
    root = random.normal(size=(n, n))
    mass = root @ root.T + 0.1 * np.eye(n)
    jacobian = random.normal(size=(m, rank)) @ random.normal(size=(rank, n))
    right = np.vstack([random.normal(size=(n, columns)), jacobian @ random.normal(size=(n, columns))])
    return mass, jacobian, right


def flat(mass, jacobian, right):
    lower = [mass[i, j] for i in range(len(mass)) for j in range(i + 1)]
    return [*lower, *jacobian.ravel(), *right.ravel()]


def solve(loaded, mass, jacobian, right):
    status, values = loaded.call("outputs", 0.0, flat(mass, jacobian, right))
    return status, np.array(values).reshape(-1, right.shape[1])


def less(loaded, mass, jacobian, right, from_jacobian, from_right, ends=0):
    """Return the solution where the rows of the constraints have terms to subtract; or the status, if any may be."""
    given = [*flat(mass, jacobian, right), *np.ravel(from_jacobian), *np.ravel(from_right)]
    status, values = loaded.call("outputs", 0.0, given)
    if ends is None:
        return status
    assert status == ends
    return np.array(values).reshape(-1, right.shape[1])


class Units(NamedTuple):
    """Factors of lengths, times, energies: the first, third... coordinate is a length, and so are the constraints."""

    length: float = 1.0
    time: float = 1.0
    energy: float = 1.0

    def lengths(self, count):
        return np.array([self.length if k % 2 == 0 else 1.0 for k in range(count)])


UNITS = [Units(), *(Units()._replace(**{field: 2.0**power}) for field in Units._fields for power in (33, -33))]


def in_units(units, mass, jacobian, right):
    """Return a system in other units; X is accelerations."""
    x, rows, pace = units.lengths(len(mass)), units.lengths(len(jacobian)), 1.0 / units.time**2
    mass = units.energy / pace * mass / np.outer(x, x)
    return mass, rows[:, None] * jacobian / x, np.concatenate([units.energy / x, pace * rows])[:, None] * right


def from_units(units, n, values):
    """Return X and L in the first units."""
    x, rows = units.lengths(n), units.lengths(len(values) - n)
    return values / np.concatenate([x / units.time**2, units.energy / rows])[:, None]


SHAPES = [
    (1, 1, 1, 1),
    (2, 1, 1, 1),
    (3, 2, 2, 2),
    (4, 2, 1, 1),
    (5, 3, 2, 2),
    (6, 4, 1, 3),
    (4, 5, 2, 3),
    (3, 3, 1, 3),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("n", "m", "columns", "rank"), [*SHAPES, (12, 6, 3, 6), (9, 7, 1, 4)])
def test_solution_is_that_of_numpy(form, n, m, columns, rank, emit, constrained):
    """Regular and redundant constraints, as many as unknowns and more; several right sides."""
    loaded = emit(constrained(n, m, columns, form)).load()
    loaded.prepare()
    for seed in range(20):
        problem = drawn(n, m, columns, rank, seed)
        status, values = solve(loaded, *problem)
        assert status == 0
        expected = wanted(*problem)
        assert np.max(np.abs(values - expected)) <= 1e-9 * (1.0 + np.max(np.abs(expected)))


@pytest.mark.parametrize("form", FORMS)
def test_float(form, emit, constrained):
    """The same in single precision, to its rounding."""
    loaded = emit(constrained(5, 3, 1, form)).load("float")
    loaded.prepare()
    for rank in (2, 3):
        problem = drawn(5, 3, 1, rank, 7)
        status, values = solve(loaded, *problem)
        assert status == 0
        expected = wanted(*problem)
        assert np.max(np.abs(values - expected)) <= 2e-3 * (1.0 + np.max(np.abs(expected)))


@pytest.mark.parametrize("form", FORMS)
def test_rows_of_other_units_are_no_redundant_rows(form, emit, constrained):
    """A row in micrometres beside one in kilometres counts as much; its multiplier takes the factor back."""
    loaded = emit(constrained(4, 2, 1, form)).load()
    loaded.prepare()
    mass, jacobian, right = drawn(4, 2, 1, 2, 3)
    units = np.array([[1e-6], [1e9]])
    _, values = solve(loaded, mass, jacobian, right)
    status, scaled = solve(loaded, mass, units * jacobian, np.vstack([right[:4], units * right[4:]]))
    assert status == 0
    np.testing.assert_allclose(scaled[:4], values[:4], rtol=1e-10)
    np.testing.assert_allclose(units * scaled[4:], values[4:], rtol=1e-10)


@pytest.mark.parametrize("form", FORMS)
def test_no_choice_of_dependent_unknowns_is_singular(form, emit, constrained):
    """J = [cos a, sin a] for angles through those at which either unknown alone would be a bad choice."""
    loaded = emit(constrained(2, 1, 1, form)).load()
    loaded.prepare()
    mass = np.array([[2.0, 0.3], [0.3, 1.0]])
    for angle in [0.0, 1e-13, 1e-9, 1e-5, 0.7, np.pi / 2 - 1e-9, np.pi / 2]:
        problem = mass, np.array([[np.cos(angle), np.sin(angle)]]), np.array([[1.0], [-2.0], [0.5]])
        status, values = solve(loaded, *problem)
        assert status == 0
        np.testing.assert_allclose(values, wanted(*problem), rtol=1e-13, atol=1e-14)


def made(mass, jacobian, seed, columns=1):
    """Return a right side made from a solution, and the solution: its multipliers are combinations of J's columns."""
    random = np.random.default_rng(seed)
    n = len(mass)
    x, multipliers = random.normal(size=(n, columns)), jacobian @ random.normal(size=(n, columns))
    multipliers /= np.max(np.abs(jacobian.T @ multipliers))
    right = np.vstack([mass @ x + jacobian.T @ multipliers, jacobian @ x])
    return right, np.vstack([x, multipliers])


@pytest.mark.sampled(2)  # all by gcc
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("form", FORMS)
def test_solutions_that_are_known_beforehand(form, compiler, emit, constrained):
    """F and C are made from X and L: random ranks, heavy and light unknowns, rows of sizes from 1e-3 to 1e3."""
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is missing")
    for n, m, columns in [(2, 3, 1), (6, 4, 3)]:  # more rows than unknowns, and fewer
        loaded = emit(constrained(n, m, columns, form)).load(optimize="-O1", compiler=compiler)
        loaded.prepare()
        for seed in range(30):
            random = np.random.default_rng(seed)
            rank = 1 + seed % min(n, m)
            mass, _, _ = drawn(n, m, columns, rank, seed)
            light = 10.0 ** random.uniform(-1, 1, n)
            left, right = (np.linalg.qr(random.normal(size=(size, size)))[0][:, :rank] for size in (m, n))
            jacobian = 10.0 ** random.uniform(-3, 3, (m, 1)) * (left @ right.T)
            mass = mass * light * light[:, None]
            right, expected = made(mass, jacobian, seed, columns)
            status, values = solve(loaded, mass, jacobian, right)
            assert status == 0
            wrong, size = np.abs(values - expected), np.abs(expected)
            assert np.max(wrong[:n]) <= 1e-11 * np.max(size[:n])
            assert np.max(wrong[n:]) <= 1e-7 * np.max(size[n:])  # what small rows take of F is a small part of it


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("distance", [1e-2, 1e-4, 1e-6, 1e-7])
def test_beside_a_singular_choice(form, distance, emit, constrained):
    """Two rows that are almost one: errors grow as 1 / distance, as they must, and not as its square."""
    loaded = emit(constrained(4, 2, 1, form)).load()
    loaded.prepare()
    for seed in range(20):
        mass, jacobian, _ = drawn(4, 2, 1, 2, seed)
        jacobian[1] = 2.0 * jacobian[0] + distance * jacobian[1]
        right, expected = made(mass, jacobian, seed)
        status, values = solve(loaded, mass, jacobian, right)
        assert status == 0
        assert np.max(np.abs(values[:4] - expected[:4])) <= 1e-13 / distance
        np.testing.assert_allclose(jacobian @ values[:4], right[4:], rtol=1e-14, atol=1e-13)


@pytest.mark.parametrize("form", FORMS)
def test_units_of_mass_do_not_matter(form, emit, constrained):
    """M and F in other units: the same X, multipliers with the factor of the forces."""
    loaded = emit(constrained(4, 2, 1, form)).load()
    loaded.prepare()
    mass, jacobian, right = drawn(4, 2, 1, 2, 5)
    _, values = solve(loaded, mass, jacobian, right)
    for unit in (1e-18, 1e-9, 1e9, 1e18):
        status, scaled = solve(loaded, unit * mass, jacobian, np.vstack([unit * right[:4], right[4:]]))
        assert status == 0
        np.testing.assert_allclose(scaled[:4], values[:4], rtol=1e-10)
        np.testing.assert_allclose(scaled[4:], unit * values[4:], rtol=1e-10)


@pytest.mark.parametrize("form", FORMS)
def test_least_multipliers_of_rows_in_other_units(form, emit, constrained):
    """The large rows are one row, the small one is another: its share is not lost beside theirs."""
    loaded = emit(constrained(4, 3, 1, form)).load()
    loaded.prepare()
    mass, jacobian, _ = drawn(4, 2, 1, 2, 11)
    rows = np.array([1e6 * jacobian[0], 2e6 * jacobian[0], 1e-3 * (jacobian[0] + 1.3 * jacobian[1])])
    share = np.array([[0.2], [0.4], [-700.0]])  # the first two in the ratio of their rows
    x = np.array([[0.3], [-1.0], [0.5], [2.0]])
    status, values = solve(loaded, mass, rows, np.vstack([mass @ x + rows.T @ share, rows @ x]))
    assert status == 0
    np.testing.assert_allclose(values[:4], x, rtol=1e-7)
    np.testing.assert_allclose(values[4:], share, rtol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_row_that_is_rounding(form, emit, constrained):
    """What is left of a row whose terms cancel is no constraint, however it is divided and in whatever units."""
    loaded = emit(constrained(3, 2, 1, form, differences=True)).load()
    loaded.prepare()
    mass, jacobian, _ = drawn(3, 1, 1, 1, 2)
    right, expected = made(mass, jacobian, 2)
    terms = np.array([0.3, -0.8, 0.1])
    for noise in (2e-16 * np.array([[1.0, -3.0, 0.7]]), np.zeros((1, 3))):
        for unit in (1.0, 2.0**33, 2.0**-33):
            rows, sides = np.vstack([jacobian, unit * (terms + noise)]), np.vstack([right, [[unit * (1.0 + 2e-16)]]])
            values = less(loaded, mass, rows, sides, np.vstack([0.0 * jacobian, unit * terms]), [[0.0], [unit]])
            np.testing.assert_allclose(values, np.vstack([expected, [[0.0]]]), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("real", ["double", "float"])
def test_rows_that_contradict_each_other(form, real, emit, constrained):
    """The failure names one of them; nothing is written. What is a little off is none. So it is in whatever units."""
    loaded = emit(constrained(3, 3, 2, form)).load(real)
    loaded.prepare()
    mass, two, _ = drawn(3, 2, 2, 2, 4)
    jacobian = np.vstack([two, 0.5 * two[0] - two[1]])
    right, _ = made(mass, jacobian, 4, 2)
    for units in UNITS:
        for row in range(3):
            wrong = right.copy()
            wrong[3 + row, 1] += 3.0
            status, values = solve(loaded, *in_units(units, mass, jacobian, wrong))
            assert status == 1
            assert np.all(values == -77.0)
            assert re.fullmatch(
                r"row \d, which contradicts the others", loaded.folder.result.schedule.check_labels[loaded.failed()]
            )
            for off in (1e-3, 1e-7):
                wrong[3 + row, 1] = right[3 + row, 1] + off
                assert solve(loaded, *in_units(units, mass, jacobian, wrong))[0] == 0


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("real", ["double", "float"])
def test_contradictions_at_rest(form, real, emit, constrained):
    """Right sides that cancel to nothing may be off by little of their terms, or of what loads would do.

    No size is small by itself. X = 0, but for what is off.
    """
    loaded = emit(constrained(3, 3, 1, form, differences=True)).load(real)
    loaded.prepare()
    mass, two, _ = drawn(3, 2, 2, 2, 4)
    jacobian = np.vstack([two, 0.5 * two[0] - two[1]])
    nothing, loads = np.zeros((3, 1)), jacobian.T @ np.array([[2.0], [3.0], [-1.0]])

    def verdict(units, load, off, terms):
        """Return the status with C = off in the first row, the difference of terms."""
        beside = terms * np.array([[1.0], [1.5], [1.25]])
        c = beside + np.array([[off], [0.0], [0.0]])
        inner, rows, sides = in_units(units, mass, jacobian, np.vstack([load, c]))
        others = in_units(units, mass, 0.0 * jacobian, np.vstack([nothing, beside]))
        return less(loaded, inner, rows, sides, others[1], others[2][3:], ends=None)

    for units in UNITS:
        assert verdict(units, nothing, 0.0, 0.0) == 0
        assert verdict(units, nothing, 1e-12, 0.0) == 1
        assert verdict(units, loads, 1e-12, 0.0) == 0
        assert verdict(units, loads, 0.1, 0.0) == 1
        for off in (0.0, 2e-16, 1e-6, 1e-3):
            assert verdict(units, nothing, off, 1.0) == 0
        assert verdict(units, nothing, 2.0, 1.0) == 1


@pytest.mark.parametrize("form", FORMS)
def test_contradiction_beside_a_large_unknown(form, emit, constrained):
    """x0' = 1 and x0' = 1.3 contradict each other however large the acceleration of another unknown is."""
    loaded = emit(constrained(2, 2, 1, form)).load()
    loaded.prepare()
    rows = np.array([[1.0, 0.0], [1.0, 0.0]])
    for size in (1.0, 1e3, 1e9):
        for second, expected in ((1.3, 1), (1.0, 0)):
            assert solve(loaded, np.eye(2), rows, np.array([[0.0], [size], [1.0], [second]]))[0] == expected


@pytest.mark.parametrize("form", FORMS)
def test_unknowns_of_other_units_make_no_rows_redundant(form, emit, constrained):
    """Columns in metres beside columns in radians: the rows are independent, whatever a metre is."""
    loaded = emit(constrained(4, 3, 1, form)).load()
    loaded.prepare()
    mass = np.diag([2.0, 1.0, 3.0, 1.5])
    rows = np.array([[1.0, 1.0, 0.5, 0.0], [1.0, 1.0, 0.7, 0.0], [0.0, 0.0, 1.0, 1.1]])
    right, expected = made(mass, rows, 3)
    for units in UNITS:
        status, values = solve(loaded, *in_units(units, mass, rows, right))
        assert status == 0
        np.testing.assert_allclose(from_units(units, 4, values), expected, rtol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_contradiction_is_passed_over_where_it_may_be(form, emit, constrained):
    """A system that is not strict is solved without the row that disagrees; one without a solution fails."""
    folder = emit(constrained(3, 2, 1, form, strict=False))
    loaded = folder.load()
    loaded.prepare()
    mass, row, _ = drawn(3, 1, 1, 1, 4)
    right, expected = made(mass, row, 4)
    status, values = solve(loaded, mass, np.vstack([row, 0.5 * row]), np.vstack([right, [[9.0]]]))
    assert status == 0
    np.testing.assert_allclose(values[:3], expected[:3], rtol=1e-12)
    np.testing.assert_allclose(values[3:], expected[3] * np.array([[0.8], [0.4]]), rtol=1e-12)
    status, values = solve(loaded, np.zeros((3, 3)), np.vstack([row, 0.5 * row]), np.vstack([right, [[9.0]]]))
    assert status == 1
    assert np.all(values == -77.0)


@pytest.mark.parametrize("form", FORMS)
def test_kernels_stay_within_their_scratch(form, emit, constrained):
    """On blocks of exactly the announced sizes the address sanitizer sees every step beside them, whatever the rank."""
    folder = emit(constrained(4, 2, 1, form))  # the kernel takes any size
    kernel = f"{form.value.replace('-', '_')}_solve"
    arrays, calls = [], []
    for n, m, columns in [(4, 2, 1), (3, 3, 1), (2, 5, 3), (5, 3, 7), (1, 1, 2)]:
        spec = SystemSpec(form, n, columns, ("",) * (n + m), m, sized=True)
        entries = spec.entries  # behind them the sizes of J, none of them known, and those of M's diagonal
        record = KERNELS[form]
        blocks = f"{spec.matrix_entries}, {spec.right_entries}, {record.scratch(spec)}, {record.order(spec)}"
        for rank in range(1, min(n, m) + 1):
            values = ", ".join(map(repr, map(float, flat(*drawn(n, m, columns, rank, rank)))))
            calls.append(f"check({n}, {m}, {columns}, {entries}, {blocks}, given_{len(arrays)})")
            arrays.append(f"static const double given_{len(arrays)}[] = {{{values}}};")
    (folder.path / "exact.c").write_text(f"""
#include "{folder.name}.c"
#include <stdlib.h>
#include <string.h>

{chr(10).join(arrays)}

static int check(int n, int m, int columns, int entries, int matrix_entries, int right_entries, int scratch_entries,
    int order_entries, const double *given)
{{
    double *a = calloc((size_t)matrix_entries, sizeof(double));
    double *b = calloc((size_t)right_entries, sizeof(double));
    double *s = malloc((size_t)scratch_entries * sizeof(double));
    int *order = malloc((size_t)order_entries * sizeof(int));
    int failed, i;

    memcpy(a, given, (size_t)entries * sizeof(double));
    memcpy(b, given + entries, (size_t)((n + m) * columns) * sizeof(double));
    for (i = 0; i < n; ++i) a[entries + m * n + i] = a[(i * (i + 3)) / 2];
    failed = {kernel}(n, m, columns, 1, a, b, s, order) != -1;
    free(a);
    free(b);
    free(s);
    free(order);
    return failed;
}}

int main(void)
{{
    return {" + ".join(calls)};
}}
""")
    folder.compile(
        "gcc -std=c99 -g -O0 -fsanitize=address,undefined -fno-sanitize-recover=all exact.c -o exact -lm".split()
    )
    answer = folder.run(["./exact"])
    assert (answer.returncode, answer.stderr) == (0, "")


@pytest.mark.parametrize("form", FORMS)
def test_unknown_without_inertia(form, emit, constrained):
    """What has no inertia is solved where constraints hold it (not by the range space), and named where they do not."""
    folder = emit(constrained(3, 1, 1, form))
    loaded = folder.load()
    loaded.prepare()
    mass = np.diag([2.0, 0.0, 1.0])
    right = np.array([[1.0], [0.5], [-1.0], [0.2]])
    status, values = solve(loaded, mass, np.array([[0.3, 1.0, -0.5]]), right)
    if form is Factorization.RANGE_SPACE:
        assert status == 1
    else:
        assert status == 0
        np.testing.assert_allclose(values, wanted(mass, np.array([[0.3, 1.0, -0.5]]), right), rtol=1e-12)
    status, values = solve(loaded, mass, np.array([[0.3, 0.0, -0.5]]), right)
    assert status == 1
    assert np.all(values == -77.0)
    assert folder.result.schedule.check_labels[loaded.failed()] == "x1"


@pytest.mark.parametrize("form", FORMS)
def test_states_named_as_the_kernels_functions(form, emit, constrained, builder):
    """No local variable hides a function of the file."""
    folder = emit(constrained(2, 1, 1, form))
    names = re.findall(r"^static [\w ]+?(\w+)\(", (folder.path / f"{folder.name}.c").read_text(), re.M)
    assert {"factor", "find_contradiction", "measure_rows"} <= set(names)
    b = builder("helpers")
    states = [b.state(name, 0.5) for name in names]
    one, product = b.graph.one, b.graph.product(states)
    b.function("rhs", [product] * len(names))
    unknowns, _ = b.graph.solve_constrained(form, [[one]], [[product]], [[one], [one]], ["x", "row"])
    b.function("outputs", unknowns[0])
    folder = emit(b.program())
    folder.compile(["gcc", "-std=c99", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-c", f"{folder.name}.c"])
