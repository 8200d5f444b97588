"""sin, cos, sincos and tan: their errors, the reduction of angles, special values, and their forms among themselves."""

from __future__ import annotations

import numpy as np
import pytest
from angles import nearest_to_multiples
from harness import COMPILERS, FAST, MANY, STRICT, all_floats, build, digest, exact_error, largest_error
from mpmath import mp, mpf
from samples_trigonometric import samples

from eomc.backends.c99.mathematics import OWN_FUNCTIONS
from eomc.backends.c99.mathematics.coefficients import COEFFICIENTS

pytestmark = pytest.mark.needs_cc

FUNCTIONS = ("sin", "cos", "sincos", "tan")
KINDS = {"double": np.float64, "single": np.float32}
precisions = pytest.mark.parametrize("precision", KINDS)
modes = pytest.mark.parametrize("flags", [STRICT, FAST], ids=["strict", "fast"])


def bound(name: str, precision: str) -> float:
    """Return what a function promises."""
    promised = OWN_FUNCTIONS[name].bound
    assert promised is not None
    return promised.double if precision == "double" else promised.single


def tuples(values: object) -> tuple[np.ndarray, ...]:
    """Return the results of a function as a tuple."""
    return values if isinstance(values, tuple) else (values,)


@precisions
@pytest.mark.parametrize("compiler", COMPILERS)
@modes
@pytest.mark.sampled(3)
def test_errors(precision: str, compiler: str, flags: tuple[str, ...]) -> None:
    """No error is beyond its bound, with contraction or without."""
    library = build(FUNCTIONS, precision, compiler=compiler, flags=flags)
    for name in FUNCTIONS:
        worst = largest_error(library, name, *samples(name, precision, MANY))
        assert worst.ulp <= bound(name, precision), worst


@pytest.mark.slow
@pytest.mark.parametrize("exponent", [-13, -1, 0, 12, 13, 14, 127])
@modes
@pytest.mark.sampled(5)
def test_all_floats_of_an_exponent(exponent: int, flags: tuple[str, ...]) -> None:
    """No float is beyond the bounds, among all of an exponent: small, usual, where the reduction changes, largest."""
    library = build(FUNCTIONS, "single", flags=flags)
    floats = all_floats([exponent])[: 1 << 23]  # test_signs has the negative ones
    for name in ("sincos", "tan"):
        worst = largest_error(library, name, floats)
        assert worst.ulp <= bound(name, "single"), worst


@precisions
@modes
@pytest.mark.sampled(3)
def test_angles_nearest_to_multiples_of_half_pi(precision: str, flags: tuple[str, ...]) -> None:
    """Reduction keeps all digits at the numbers, of any size, whose sin or cos is smallest."""
    angles = nearest_to_multiples(precision)
    library = build(FUNCTIONS, precision, flags=flags)
    sine, cosine = library("sincos", angles)
    tangent = library("tan", angles)
    smallest = np.minimum(np.abs(sine), np.abs(cosine))
    assert np.min(smallest[angles > 1]) < (1e-18 if precision == "double" else 1e-8)  # they are near indeed
    hardest = np.argsort(np.where(angles > 1, smallest, 1.0))[:400]
    with mp.workprec(1400):
        for i in hardest:
            x = mpf(float(angles[i]))
            assert exact_error(sine[i], mp.sin(x), precision) <= bound("sincos", precision)
            assert exact_error(cosine[i], mp.cos(x), precision) <= bound("sincos", precision)
            assert exact_error(tangent[i], mp.tan(x), precision) <= bound("tan", precision)


@precisions
@modes
@pytest.mark.sampled(3)
def test_all_multiples_that_are_reduced_in_floating_point(precision: str, flags: tuple[str, ...]) -> None:
    """At every multiple of pi/2 below the limit, the nearest number and its neighbours keep all digits."""
    limit = float(COEFFICIENTS[precision]["ANGLE_LIMIT"])
    wide = np.longdouble if precision == "double" else np.float64
    half_pi = wide(float(mp.pi / 2)) + wide(float(mp.pi / 2 - mpf(float(mp.pi / 2))))
    nearest = (np.arange(1, int(limit / 1.5707) + 2, dtype=wide) * half_pi).astype(KINDS[precision])
    library = build(FUNCTIONS, precision, flags=flags)
    for angles in (nearest, np.nextafter(nearest, KINDS[precision](0)), np.nextafter(nearest, KINDS[precision](1e30))):
        for name in ("sincos", "tan"):
            worst = largest_error(library, name, angles)
            assert worst.ulp <= bound(name, precision), worst


@precisions
@modes
@pytest.mark.sampled(3)
def test_neighbours_of_break_points(precision: str, flags: tuple[str, ...]) -> None:
    """Where the quadrant or the way of reduction changes nothing is lost."""
    kind = KINDS[precision]
    limit = kind(COEFFICIENTS[precision]["ANGLE_LIMIT"])
    corners = ((np.arange(-3000, 3000) + 0.5) * np.pi / 2).astype(kind)
    points = np.concatenate([corners, np.array([limit, -limit], kind)])
    around = [points]
    for towards in (kind(-1e30), kind(1e30)):
        beside = points
        for _ in range(3):
            beside = np.nextafter(beside, towards)
            around.append(beside)
    library = build(FUNCTIONS, precision, flags=flags)
    for name in FUNCTIONS:
        assert largest_error(library, name, np.concatenate(around)).ulp <= bound(name, precision)


@precisions
@pytest.mark.parametrize("shape", [None, "integers"], ids=["floats", "integers"])
@modes
@pytest.mark.sampled(5)
def test_special_values(precision: str, shape: str | None, flags: tuple[str, ...]) -> None:
    """Zeros keep their sign, subnormal numbers are their own sines, what is not finite gives NaN (C99, F.9.1)."""
    kind = KINDS[precision]
    library = build(FUNCTIONS, precision, shape, flags=flags)
    info = np.finfo(kind)
    tiny = np.array([0.0, info.smallest_subnormal, 3 * info.smallest_subnormal, info.tiny, 1.5 * info.tiny], kind)
    tiny = np.concatenate([tiny, -tiny])
    for made in (library("sin", tiny), library("sincos", tiny)[0], library("tan", tiny)):
        assert made.tobytes() == tiny.tobytes()
    for made in (library("cos", tiny), library("sincos", tiny)[1]):
        assert np.all(made == 1)
    strange = np.array([np.inf, -np.inf, np.nan, -np.nan], kind)
    for name in FUNCTIONS:
        for made in tuples(library(name, strange)):
            assert np.all(np.isnan(made))
    assert largest_error(library, "sincos", np.array([info.max, -info.max], kind)).ulp <= 1


@precisions
@modes
@pytest.mark.sampled(3)
def test_signs(precision: str, flags: tuple[str, ...]) -> None:
    """sin and tan are odd, cos is even, bit by bit; sincos is sin and cos."""
    (angles,) = samples("sincos", precision, 60_000)
    library = build(FUNCTIONS, precision, flags=flags)
    sine, cosine = library("sincos", angles)
    finite = np.isfinite(angles)
    assert digest(sine, cosine) == digest(library("sin", angles), library("cos", angles))
    assert digest(library("sin", -angles)[finite]) == digest(-sine[finite])
    assert digest(library("cos", -angles)) == digest(cosine)
    assert digest(library("tan", -angles)[finite]) == digest(-library("tan", angles)[finite])


def test_integers() -> None:
    """Integers alone are good to 0.55 ulp wherever the angle lies, and contraction cannot touch them."""
    integers = build(FUNCTIONS, "double", "integers")
    (angles,) = samples("sincos", "double", MANY)
    multiples = (np.arange(1, 300_000, dtype=np.longdouble) * (np.longdouble(np.pi) / 2)).astype(np.float64)
    corners = ((np.arange(-3000, 3000) + 0.5) * np.pi / 2).astype(np.float64)
    ends = np.array([2.0**-27, np.nextafter(2.0**-27, 0), np.nextafter(2.0**-27, 1), 0.5, np.nextafter(0.5, 0)])
    for points in (angles, multiples, np.nextafter(multiples, 0), corners, np.nextafter(corners, 0), ends):
        for name in ("sincos", "tan"):
            worst = largest_error(integers, name, points)
            assert worst.ulp <= 0.55, worst
    fast = build(FUNCTIONS, "double", "integers", COMPILERS[-1], FAST)
    sine, cosine = integers("sincos", angles)
    assert digest(sine, cosine) == digest(integers("sin", angles), integers("cos", angles))
    assert digest(sine, cosine, integers("tan", angles)) == digest(*fast("sincos", angles), fast("tan", angles))


@precisions
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.sampled(3)
def test_cores_have_the_same_bits(precision: str, compiler: str) -> None:
    """Branches instead of selections change nothing, nor does a loop over lanes, vectorized or not."""
    (angles,) = samples("sincos", precision, 60_000)
    limit = float(COEFFICIENTS[precision]["ANGLE_LIMIT"])
    angles = angles[np.abs(angles) < limit]
    angles = angles[: angles.size // 8 * 8]
    usual = build(FUNCTIONS, precision, "floats", compiler)
    native = ("-std=c99", "-O3", "-fno-math-errno", "-march=native", "-ffp-contract=off")
    vectors = build(FUNCTIONS, precision, "floats", compiler, native)
    for name in FUNCTIONS:
        wanted = digest(*tuples(usual(name, angles)))
        assert digest(*tuples(usual(name, angles, core=True))) == wanted
        assert digest(*tuples(vectors(name, angles, core=True))) == wanted
