"""Systems in a fixed order of their pivots against NumPy, and against the kernel where the order does not serve."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import eomc
from eomc.ir.systems import Factorization

pytestmark = pytest.mark.needs_cc


def starting(program, values):
    """Return a program that starts elsewhere."""
    pairs = zip(program.states, values, strict=True)
    return dataclasses.replace(program, states=tuple(dataclasses.replace(state, value=x) for state, x in pairs))


@pytest.fixture(scope="module")
def both(tmp_path_factory, emit_in, constrained):
    """Return a function that loads a system with the fixed order and one without, once for all tests."""
    made = {}

    def load(n, m, columns=1, real="double"):
        key = n, m, columns, real
        if key not in made:
            program = constrained(n, m, columns, Factorization.ELIMINATED)
            where = tmp_path_factory.mktemp("fixed")
            start = flat(*system(np.random.default_rng(5), n, m, columns))
            folders = [
                emit_in(starting(program, start), where / "with"),
                emit_in(starting(program, np.zeros_like(start)), where / "without"),  # tells no order
            ]
            assert ["fixed_order_0(" in (one.path / f"{one.name}.c").read_text() for one in folders] == [True, False]
            made[key] = [one.load(real) for one in folders]
            for one in made[key]:
                one.prepare()
        return made[key]

    return load


def system(random, n, m, columns=1):
    """Return M, J and a right side."""
    root = random.normal(size=(n, n))
    return root @ root.T + 0.1 * np.eye(n), random.normal(size=(m, n)), random.normal(size=(n + m, columns))


def flat(mass, jacobian, right):
    return np.concatenate([mass[np.tril_indices(len(mass))], jacobian.ravel(), right.ravel()])


def answers(loaded, mass, jacobian, right):
    results = [one.call("outputs", 0.0, list(flat(mass, jacobian, right))) for one in loaded]
    return [status for status, _ in results], [np.array(values) for _, values in results]


def expected(mass, jacobian, right):
    empty = np.zeros((len(jacobian), len(jacobian)))
    whole = np.block([[mass, jacobian.T], [jacobian, empty]])
    condition = np.linalg.cond(whole)
    return (np.linalg.solve(whole, right).ravel() if condition < 1e15 else None), condition


SHAPES = [(1, 1, 1), (2, 1, 2), (3, 2, 1), (3, 3, 1), (5, 2, 3), (6, 4, 1)]


@pytest.mark.parametrize(("n", "m", "columns"), SHAPES)
def test_values_are_those_of_numpy(both, n, m, columns):
    """Whatever the state is, and however near to one at which the chosen unknowns cannot be the dependent ones."""
    loaded, random = both(n, m, columns), np.random.default_rng(n + m)
    for k in range(60):
        mass, jacobian, right = system(random, n, m, columns)
        if k % 2:  # the chosen columns nearly depend on each other, rows do not
            jacobian[:, : n - 1] *= 10.0 ** -random.integers(1, 12)
        wanted, condition = expected(mass, jacobian, right)
        if condition > 1e8:
            continue
        statuses, values = answers(loaded, mass, jacobian, right)
        assert statuses == [0, 0]
        size = 1e-13 * condition * (1.0 + np.max(np.abs(wanted)))
        assert np.max(np.abs(values[0] - wanted)) <= size


def test_single_precision(both):
    """The same to the rounding of floats."""
    loaded, random = both(5, 2, 1, "float"), np.random.default_rng(3)
    for _ in range(40):
        mass, jacobian, right = system(random, 5, 2)
        wanted, condition = expected(mass, jacobian, right)
        _, values = answers(loaded, mass, jacobian, right)
        assert np.max(np.abs(values[0] - wanted)) <= 1e-6 * condition * (1.0 + np.max(np.abs(wanted)))


def degenerate(random, n, m):
    """Yield systems at which no order serves, or at which numbers are none."""
    mass, jacobian, right = system(random, n, m)
    yield mass, jacobian * 0.0, right * 0.0
    yield mass, np.tile(jacobian[:1], (m, 1)), np.vstack([right[:n], np.tile(right[n : n + 1], (m, 1))])
    yield mass, np.tile(jacobian[:1], (m, 1)), right  # contradicts itself
    yield mass * 0.0, jacobian, right
    yield -mass, jacobian, right
    yield np.outer(mass[0], mass[0]), jacobian, right
    for place in range(3):
        spoilt = [mass.copy(), jacobian.copy(), right.copy()]
        spoilt[place][0, 0] = np.nan
        yield tuple(spoilt)
        spoilt[place][0, 0] = np.inf
        yield tuple(spoilt)


@pytest.mark.parametrize(("n", "m"), [(2, 1), (3, 2), (5, 2), (6, 4)])
def test_what_does_not_serve_is_left_to_the_kernel(both, n, m):
    """At singular, redundant and contradictory systems status and values are those of the kernel alone."""
    loaded = both(n, m)
    for mass, jacobian, right in degenerate(np.random.default_rng(n), n, m):
        statuses, values = answers(loaded, mass, jacobian, right)
        assert statuses[0] == statuses[1]
        assert np.isfinite(values[0]).all() == np.isfinite(values[1]).all()
        if np.isfinite(values[1]).all():
            np.testing.assert_allclose(values[0], values[1], rtol=1e-10)


@pytest.mark.parametrize("power", [33, -33])
def test_units_do_not_decide(both, power):
    """Columns and rows in units of 2^33 and 2^-33: the solution is the same in these units, to the last bit."""
    loaded, random, unit = both(5, 2), np.random.default_rng(1), 2.0**power
    mass, jacobian, right = system(random, 5, 2)
    _, (plain, _) = answers(loaded, mass, jacobian, right)
    columns = np.array([unit, 1.0, unit, 1.0, 1.0])
    rows = np.array([1.0, unit])
    scaled = mass / np.outer(columns, columns), rows[:, None] * jacobian / columns
    _, (found, _) = answers(loaded, *scaled, right / np.concatenate([columns, 1.0 / rows])[:, None])
    np.testing.assert_array_equal(found / np.concatenate([columns, 1.0 / rows]), plain)


def test_the_start_decides_how_fast_and_nothing_else():
    """A linkage whose start tells another order moves as before, to rounding."""
    build = eomc.compile(eomc.load("four_bar"))
    q1, q2, q3 = build.model.coordinates
    other = build.model.renamed("four_bar")
    object.__setattr__(other, "initial", ((q1, 3.0), (q2, 0.9), (q3, 1.9)))
    moved = eomc.compile(other)
    orders = [one.schedule.routines[0].systems[0].fixed.pivots for one in (build, moved)]
    assert orders[0] != orders[1]
    sim, again = build.load(), moved.load()
    for angle in np.linspace(0.0, 6.0, 13):
        x = sim.state(coordinates={"q1": angle}, speeds={"u1": 2.0})
        np.testing.assert_allclose(again.rhs(0.0, x), sim.rhs(0.0, x), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "n_four_bar:2", "andrews_squeezer", "whipple_bicycle"])
def test_linkages_go_the_short_way(name):
    """The acceleration of shipped linkages is written out."""
    routines = eomc.compile(eomc.load(name)).schedule.routines
    assert all(place.fixed for place in routines[0].systems)
