"""rodas5p where the Jacobian is sparse: factors by its entries in the emitted C, and what happens where they fail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sm
from driving import call, runner
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.backends.c99.runs.factors import choose_factors, jacobian_pattern

pytestmark = pytest.mark.needs_cc

STAGES = 8
GAMMA = 0.21193756319429014
t = dynamicsymbols._t
m, k, c, a, b = sm.symbols("m k c a b")


def chain(length: int, **extra: Any) -> eomc.Model:
    """Return masses in a row between walls, on springs that harden, the first let go."""
    q = dynamicsymbols(f"q:{length}")
    stretched = [right - left for left, right in zip([0, *q], [*q, 0], strict=True)]
    return eomc.from_lagrangian(
        sum(m * x.diff(t) ** 2 for x in q) / 2 - k * sum(s**2 + s**4 for s in stretched) / 2,
        coordinates=q,
        generalized_forces={x: -c * x.diff(t) for x in q},
        name="chain",
        parameters={m: 1.0, k: 100.0, c: 0.5} | extra.pop("parameters", {}),
        initial={q[0]: 0.3},
        **extra,
    )


def followed(length: int) -> eomc.Model:
    """Return a chain whose last speed is measured twice: filters of which one feeds the other, neither the motion."""
    slow, slower = dynamicsymbols("slow slower")
    last = dynamicsymbols(f"q:{length}")[-1].diff(t)
    states = {slow: a * (last - slow), slower: b * (slow - slower)}
    return chain(length, extra_states=states, parameters={a: 20.0, b: 5.0})


@pytest.fixture(scope="module")
def build() -> Any:
    return eomc.compile(followed(12), integrator="rodas5p")


@pytest.fixture(scope="module")
def folder(build: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("chain")
    build.write(place, library=True)
    return place


@pytest.mark.parametrize("model", [chain(30), followed(30)], ids=["chain", "extra states"])
def test_operations_of_the_linear_algebra(model: eomc.Model) -> None:
    """A quarter of what LU of the speeds' matrix takes at the least, the test of the factors included."""
    found = choose_factors(eomc.compile(model, integrator="rodas5p").program, STAGES)
    full = 2 * (found.rest**3 // 3 + STAGES * found.rest**2)  # coordinates eliminated for nothing
    assert found.sparse is not None
    assert found.rest < found.states
    assert found.usual(STAGES).total < full / 3.5
    assert found.most(STAGES).total > full  # where rows are exchanged in the end


@pytest.mark.parametrize("name", ["double_pendulum", "n_link_pendulum:10", "hanging_chain"])
def test_what_is_full_is_factorized_densely(name: str) -> None:
    """Joint coordinates couple all speeds: counting says so."""
    assert choose_factors(eomc.compile(eomc.load(name), integrator="rodas5p").program, STAGES).sparse is None


def test_the_text_grows_with_the_entries() -> None:
    """Twice the masses, at most twice the numbers in tables; code is the same."""
    texts = []
    for length in (20, 40):
        built = eomc.compile(chain(length), functions=[], integrator="rodas5p")
        texts.append(next(file.text for file in built.artifacts if file.path.endswith("_rodas5p.c")))
    tables = [text.count(", ") for text in texts]
    assert tables[1] < 2.1 * tables[0]
    assert abs(texts[1].count(";") - texts[0].count(";")) < 5


def test_a_run_is_that_of_scipy(build: Any, folder: Path) -> None:
    """By Radau to a tight tolerance, extra states included."""
    found = runner(folder, build.view, "rodas5p")(t_end=2.0, tol=1e-8)
    sim = build.load()
    wanted = solve_ivp(sim.rhs, (0.0, 2.0), sim.initial_state, "DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    assert found.status == 0
    assert np.abs(found.x - wanted).max() < 1e-5


def test_order(build: Any, folder: Path) -> None:
    """Five, as with full matrices."""
    run, sim, errors = runner(folder, build.view, "rodas5p"), build.load(), []
    for h in (0.02, 0.01):
        rows = run(t_end=0.4, tol=1e3, largest=h, first=h).rows["step"]
        wanted = solve_ivp(sim.rhs, (0.0, 0.4), sim.initial_state, "DOP853", rows[:, 0], rtol=1e-13, atol=1e-14).y.T
        errors.append(np.abs(rows[:, 1:] - wanted).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(5.0, abs=0.4)


# What is private in the file of a scheme is called from a text that includes it.
FACTORS = """
#include <stdio.h>
#include "chain_rodas5p.c"

static double given(void)
{
    double value = 0.0;

    return (scanf("%lf", &value) == 1) ? value : 0.0;
}

int main(void)
{
    static chain_rodas5p run;
    chain_options o = chain_default_options;
    int found;
    int i;

    const double part = given();
    o.rtol = given();
    o.atol = o.rtol;
    chain_run_start(0.0, chain_initial_state, &o, &run.at);
    for (i = 0; i < CHAIN_NX * CHAIN_NX; ++i) { run.A[i] = given(); }
    for (i = 0; i < CHAIN_NX; ++i) { run.u[0][i] = given(); }
    for (i = 0; i < CHAIN_NX; ++i) { run.u[3][i] = given(); }
    found = begin_stages(part, &run);
    solve(part, &run, run.u[3]);
    printf("%d %d", found, run.exchanged);
    for (i = 0; i < CHAIN_NX; ++i) { printf(" %.17g", run.u[0][i]); }
    for (i = 0; i < CHAIN_NX; ++i) { printf(" %.17g", run.u[3][i]); }
    return 0;
}
"""


@pytest.fixture(scope="module")
def factors(folder: Path) -> Path:
    (folder / "factors.c").write_text(FACTORS)
    flags = ("-std=c99", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    call(folder, "gcc", *flags, "factors.c", "chain.c", "chain_run.c", "-o", "factors", "-lm")
    return folder / "factors"


def by_factors(program: Path, part: float, tolerance: float, A: np.ndarray, right: np.ndarray) -> tuple[int, int, Any]:
    """Return whether there were factors, whether rows were exchanged, and two solutions."""
    words = " ".join(f"{value!r}" for value in map(float, (part, tolerance, *A.ravel(), *right.ravel())))
    (program.parent / "given.txt").write_text(words)
    found, exchanged, *values = call(program.parent, "sh", "-c", "./factors < given.txt").split()
    return int(found), int(exchanged), np.array(values, float).reshape(2, -1)


def random_jacobian(build: Any, seed: int, size: float = 1.0) -> np.ndarray:
    """Return numbers where the Jacobian has entries; damped."""
    rng, n = np.random.default_rng(seed), len(build.program.states)
    A = np.zeros((n, n))
    for i, row in enumerate(jacobian_pattern(build.program)):
        A[i, row] = size * rng.normal(size=len(row))
    A[np.diag_indices(n)] -= np.where(np.diag(A) != 0.0, 3.0, 0.0)
    return A


@pytest.mark.parametrize("seed", range(5))
def test_solutions_in_c(seed: int, build: Any, factors: Path) -> None:
    """Of any numbers on the pattern, NumPy's."""
    A = random_jacobian(build, seed)
    right = np.random.default_rng(seed + 99).normal(size=(2, len(A)))
    found, exchanged, x = by_factors(factors, 0.1, 1e-8, A, right)
    assert (found, exchanged) == (1, 0)
    assert np.abs(x - np.linalg.solve(10.0 * np.eye(len(A)) - A, right.T).T).max() < 1e-13


@pytest.mark.parametrize("apart", [0.0, 1e-14, 1e-12], ids=["zero", "rounding", "little more"])
def test_a_pivot_that_is_rounding(apart: float, build: Any, factors: Path) -> None:
    """Where the matrix has a good inverse all the same: rows are exchanged, the solution is NumPy's."""
    A, chosen = random_jacobian(build, 1, 20.0), choose_factors(build.program, STAGES)
    sparse = chosen.sparse
    assert sparse is not None
    place = next(i for i in sparse.order if i >= chosen.first and sparse.lower[i] and sparse.upper[i])
    A[place, list(sparse.lower[place])] = 0.0
    A[place, place] = 10.0 * (1.0 - apart)
    W = 10.0 * np.eye(len(A)) - A
    assert np.linalg.cond(W) < 1e4
    right = np.random.default_rng(5).normal(size=(2, len(A)))
    found, exchanged, x = by_factors(factors, 0.1, 1e-10, A, right)
    assert (found, exchanged) == (1, 1)
    assert np.abs(x - np.linalg.solve(W, right.T).T).max() < 1e-12


def test_no_factors_at_all(build: Any, factors: Path) -> None:
    """A singular matrix is told, as before."""
    A = random_jacobian(build, 1)
    A[-1] = 0.0
    A[-1, -1] = 10.0
    right = np.ones((2, len(A)))
    assert by_factors(factors, 0.1, 1e-8, A, right)[0] == 0


def test_strict_compilers(build: Any, folder: Path, silent: Callable[..., None]) -> None:
    """Not one warning in either precision."""
    silent(folder, build.view.macro, ["chain_rodas5p.c"])
