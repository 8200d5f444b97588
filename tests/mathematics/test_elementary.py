"""Elementary functions: their errors, and branch-free cores against the functions."""

from __future__ import annotations

import numpy as np
import pytest
from harness import FAST, MANY, STRICT, Library, Worst, all_floats, build, digest, exact_error, largest_error
from mpmath import mp, mpf
from samples_elementary import NAMES, samples

from eomc.backends.c99.mathematics import OWN_FUNCTIONS
from eomc.backends.c99.mathematics.coefficients import COEFFICIENTS

pytestmark = pytest.mark.needs_cc

KINDS = {"double": np.float64, "single": np.float32}
LANES = ("-std=c99", "-O3", "-mavx2", "-fno-math-errno", "-ffp-contract=off")
precisions = pytest.mark.parametrize("precision", KINDS)
modes = pytest.mark.parametrize("flags", [STRICT, FAST], ids=["strict", "fast"])


def within_bound(library: Library, name: str, *arguments: np.ndarray) -> Worst:
    """Assert that no error is beyond what the function promises; return the largest."""
    promised = OWN_FUNCTIONS[name].bound
    assert promised is not None
    worst = largest_error(library, name, *arguments)
    assert worst.ulp <= (promised.double if library.precision == "double" else promised.single), (name, worst)
    return worst


def neighbours(points: list[float], precision: str) -> np.ndarray:
    """Return points of both signs and some numbers on both sides of each."""
    kind = KINDS[precision]
    found = [np.array([*points, *(-p for p in points)], dtype=kind)]
    for toward in (kind(np.inf), kind(-np.inf)):
        last = found[0]
        for _ in range(4):
            last = np.nextafter(last, toward)
            found.append(last)
    return np.concatenate(found)


def number(name: str, precision: str) -> float:
    """Return a coefficient that is a single number."""
    text = COEFFICIENTS[precision][name]
    assert isinstance(text, str)
    return float(text)


@precisions
@modes
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.sampled(3)
def test_errors(precision: str, compiler: str, flags: tuple[str, ...]) -> None:
    """No error is beyond its bound, with contraction or without."""
    library = build(NAMES, precision, compiler=compiler, flags=flags)
    for name in NAMES:
        within_bound(library, name, *samples(name, precision, MANY // 2))


@precisions
@modes
@pytest.mark.sampled(3)
def test_neighbours_of_break_points(precision: str, flags: tuple[str, ...]) -> None:
    """Where a function takes another way nothing is lost."""
    library = build(NAMES, precision, flags=flags)
    halves = [(k + 0.5) * float(mp.log(2)) for k in range(-40, 40)]
    far = [number(name, precision) for name in ("EXP_CORE", "EXP_LIMIT", "HYPERBOLIC_CORE")]
    smallest = number("SMALLEST_NORMAL", precision)
    places: dict[str, list[float]] = {
        "exp": [0.0, *halves, *far],
        "log": [11 / 16, 1.0, 11 / 8, smallest, smallest / 8],
        "sinh": [0.0, *halves, *far, smallest],
        "cosh": [0.0, *halves, *far, smallest],
        "tanh": [0.0, *halves, *far, smallest],
        "atan": [0.0, 0.5, 1.0, 2.0, number("ATAN_TOP", precision), smallest],
        "asin": [0.0, 0.5, 1.0, smallest],
        "acos": [0.0, 0.5, 1.0, smallest],
        "cbrt": [1.0, 2.0, 4.0, 8.0, smallest, smallest / 8],
        "floor": [0.0, 0.5, 1.0, 1.5, 2.0, *(2.0**e for e in (21, 22, 23, 24, 50, 51, 52, 53))],
    }
    for name, points in places.items():
        within_bound(library, name, neighbours(points, precision))
    slopes = neighbours([0.5, 1.0, 2.0], precision)
    sizes = neighbours([number(name, precision) for name in ("HYPOT_LOW", "HYPOT_HIGH", "ATAN_TOP")], precision)
    for x, y in (np.meshgrid(slopes, slopes), np.meshgrid(sizes, sizes), np.meshgrid(sizes, slopes)):
        within_bound(library, "atan2", x.ravel(), y.ravel())
        within_bound(library, "hypot", x.ravel(), y.ravel())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "exponent"),
    [
        *(("exp", -2), ("log", -1), ("sinh", -2), ("cosh", 0), ("tanh", -2), ("atan", -1), ("asin", -1)),
        *(("acos", -1), ("cbrt", 0)),
    ],
)
@modes
@pytest.mark.sampled(5)
def test_all_floats_of_an_exponent(name: str, exponent: int, flags: tuple[str, ...]) -> None:
    """Every float of a binade in which a function is worst; of functions with a symmetry the positive ones."""
    x = all_floats([exponent])
    within_bound(build(NAMES, "single", flags=flags), name, x if name in ("exp", "acos") else x[: x.size // 2])


@precisions
@modes
def test_powers_far_out(precision: str, flags: tuple[str, ...]) -> None:
    """Where y log x is largest, an error of log x counts most: x^y near overflow and underflow."""
    library = build(NAMES, precision, flags=flags)
    random = np.random.default_rng(31)
    top = {"double": 709.0, "single": 88.0}[precision]
    for low, high in ((0.1, 10.0), (0.69, 0.72), (1.3, 1.45)):
        x = random.uniform(low, high, 200_000).astype(KINDS[precision])
        exponent = top * random.uniform(0.9, 1.0, x.size) * random.choice([-1.0, 1.0], x.size)
        within_bound(library, "pow", x, exponent / np.log(x.astype(float)))


@precisions
def test_powers_against_mpmath(precision: str) -> None:
    """The yardstick of powers is libm's; here it is another."""
    random = np.random.default_rng(36)
    x, y = (random.uniform(*limits, 2000).astype(KINDS[precision]) for limits in ((0.5, 2.0), (-100.0, 100.0)))
    for a, b, found in zip(x, y, build(NAMES, precision)("pow", x, y), strict=True):
        assert exact_error(found, mp.power(mpf(float(a)), mpf(float(b))), precision) <= 1.2


@precisions
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_cores_are_the_functions(precision: str) -> None:
    """In lanes a core has the bits of the function, wherever it is valid."""
    library = build(NAMES, precision)
    lanes = build(NAMES, precision, flags=LANES)
    smallest, largest = number("SMALLEST_NORMAL", precision), number("LARGEST", precision)
    top = number("ATAN_TOP", precision)
    valid = {
        "exp": lambda x: np.abs(x) <= number("EXP_CORE", precision),
        "log": lambda x: (smallest <= x) & (x <= largest),
        "pow": lambda x, y: (
            (smallest <= x) & (x <= largest) & (np.abs(y * np.log(np.abs(x))) < 0.999 * number("EXP_CORE", precision))
        ),
        "atan": lambda x: np.abs(x) <= top,
        "atan2": lambda y, x: (np.maximum(np.abs(x), np.abs(y)) <= top) & ((x != 0) | (y != 0)),
        "cbrt": lambda x: (smallest <= np.abs(x)) & (np.abs(x) <= largest),
        "hypot": lambda x, y: (
            (number("HYPOT_LOW", precision) <= np.maximum(np.abs(x), np.abs(y)))
            & (np.maximum(np.abs(x), np.abs(y)) <= number("HYPOT_HIGH", precision))
        ),
    }
    valid |= {name: lambda x: np.abs(x) <= number("HYPERBOLIC_CORE", precision) for name in ("sinh", "cosh", "tanh")}
    for name in NAMES:
        if OWN_FUNCTIONS[name].core is None:
            continue
        arguments = samples(name, precision, 60_000)
        chosen = valid[name](*arguments) if name in valid else np.ones(arguments[0].size, dtype=bool)
        kept = [argument[chosen] for argument in arguments]
        kept = [argument[: argument.size // 8 * 8] for argument in kept]
        assert kept[0].size > 15_000
        assert digest(lanes(name, *kept, core=True)) == digest(library(name, *kept)), name
