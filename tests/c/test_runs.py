"""Runs in the emitted C: steps of the adaptive pairs, their control, dense output, sources of inputs, failures."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest
from driving import runner
from scipy.integrate import DOP853, RK45, ode
from scipy.integrate._ivp.rk import rk_step

from eomc.ir.ops import Op
from eomc.pairs import PAIRS

pytestmark = pytest.mark.needs_cc

EVERY = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)


def build(folder, scheme, *how, **options):
    """Return the function that runs a scheme of an emitted folder."""
    return runner(folder.path, folder.result.view, scheme, *how, **options)


@pytest.fixture(scope="module")
def oscillators(emit_in, programs, tmp_path_factory):
    """Return, by pair, the function that runs the harmonic oscillator."""
    folder = emit_in(programs["bare"](), tmp_path_factory.mktemp("runs"), runs="dopri5,dop853")
    return {pair.name: build(folder, pair.name) for pair in PAIRS}


@pytest.fixture(scope="module")
def pendulum(emit_in, programs, tmp_path_factory):
    """Return the folder of the pendulum with runs by the pairs and by rk4."""
    return emit_in(programs["pendulum"](), tmp_path_factory.mktemp("runs"), runs="rk4,dopri5,dop853")


@pytest.fixture(scope="module")
def pendulums(pendulum):
    """Return, by scheme, the function that runs the pendulum with its input held."""
    return {name: build(pendulum, name) for name in ("rk4", "dopri5", "dop853")}


def swing(t, x):
    return np.array([x[1], -9.81 / 0.7 * math.sin(x[0])])


X0 = [0.3, 0.1]


def test_dopri5_takes_the_steps_of_the_program_of_hairer_and_wanner(pendulums):
    """SciPy has that program: the same times, to what a power is off."""
    for tolerance in (1e-5, 1e-9):
        found = pendulums["dopri5"](tol=tolerance, t_end=10.0, dense=0)
        times = []
        other = ode(swing).set_integrator("dopri5", rtol=tolerance, atol=tolerance, nsteps=10**6)
        other.set_solout(lambda t, x, times=times: times.append(t))
        other.set_initial_value(X0, 0.0)
        end = other.integrate(10.0)
        assert found.times == pytest.approx(times, rel=1e-6)
        assert found.x == pytest.approx(end, rel=1e-9)


def test_dop853_takes_the_steps_of_its_own_definition(pendulums):
    """Steps and estimates by SciPy's coefficients, lengths by the rule that is written out here."""
    tolerance = 1e-8
    found = pendulums["dop853"](tol=tolerance, t_end=10.0, dense=0)
    solver = DOP853(swing, 0.0, np.array(X0), 10.0, rtol=tolerance, atol=tolerance)
    h, again, times = found.times[1], False, [0.0]
    t, x, slope = 0.0, np.array(X0), swing(0.0, X0)
    while t < 10.0:
        h = 10.0 - t if t + 1.01 * h >= 10.0 else h
        y, new = rk_step(swing, t, x, slope, h, solver.A, solver.B, solver.C, solver.K)
        scale = tolerance + tolerance * np.maximum(np.abs(x), np.abs(y))
        error = solver._estimate_error_norm(solver.K, h, scale)
        factor = error**0.125 / 0.9
        if error <= 1.0:
            t, x, slope = t + h, y, new
            times.append(t)
            longer = h / min(1 / 0.333, max(1 / 6, factor))
            h, again = (min(h, longer) if again else longer), False
        else:
            h, again = h / min(1 / 0.333, factor), True
    assert found.times == pytest.approx(times, rel=1e-6)
    assert found.x == pytest.approx(x, rel=1e-9)
    assert found.rejected > 0


def test_first_steps_follow_the_rule(pendulums):
    """The length of the first step is that of Hairer, Norsett and Wanner, sec. II.4, with the order of the pair."""
    for pair, tolerance in ((PAIRS[0], 1e-6), (PAIRS[1], 1e-9)):
        scale = tolerance * (1.0 + np.abs(X0))
        norms = [math.sqrt(np.mean((value / scale) ** 2) * 2) for value in (X0, swing(0.0, X0))]
        guess = 0.01 * norms[0] / norms[1]
        bend = (swing(0.0, np.array(X0) + guess * swing(0.0, X0)) - swing(0.0, X0)) / scale / guess
        most = max(math.sqrt(bend @ bend), norms[1])
        wanted = min(100.0 * guess, (0.01 / most) ** (1.0 / pair.order))
        assert pendulums[pair.name](tol=tolerance, t_end=5.0).times[1] == pytest.approx(wanted, rel=1e-8)


@EVERY
def test_errors_follow_the_tolerance(pair, oscillators):
    """The oscillator ends where the cosine is, to fifty tolerances, down to round-off."""
    for tolerance in (1e-4, 1e-7, 1e-10, 1e-13):
        t, x, v = oscillators[pair.name](tol=tolerance, t_end=20.0).rows["end"][0]
        assert t == 20.0
        assert math.hypot(x - math.cos(20.0), v + math.sin(20.0)) < 50.0 * tolerance


@EVERY
def test_dense_output_is_of_its_order(pair, oscillators):
    """Half the step: the error within it falls by two to one more than the order; it is no worse than the steps."""
    errors = []
    for h in (1.0, 0.5):
        found = oscillators[pair.name](tol=1e3, first=h, largest=h, t_end=h).rows["dense"]
        errors.append(np.hypot(found[:, 1] - np.cos(found[:, 0]), found[:, 2] + np.sin(found[:, 0])).max())
    assert math.log2(errors[0] / errors[1]) == pytest.approx(pair.dense_order + 1, abs=0.6)
    found = oscillators[pair.name](tol=1e-9, t_end=20.0).rows["dense"]
    assert np.abs(found[:, 1] - np.cos(found[:, 0])).max() < 1e-7


@EVERY
def test_dense_output_moves_no_step(pair, pendulums):
    """The same bits with it and without it."""
    found = [pendulums[pair.name](tol=1e-7, t_end=5.0, dense=dense).rows["step"].tolist() for dense in (0, 1)]
    assert found[0] == found[1]


@EVERY
def test_limits_are_hit_and_cost_little(pair, pendulums):
    """A step ends at each limit, and the step after is as long as the one before it would have been."""
    found = pendulums[pair.name](tol=1e-7, t_end=5.0, limits=7)
    for k in range(1, 8):
        assert 5.0 * k / 7 in found.times
    free = pendulums[pair.name](tol=1e-7, t_end=5.0)
    assert found.steps <= free.steps + 12
    assert np.abs(found.rows["end"] - free.rows["end"]).max() < 1e-5
    assert np.diff(found.times).min() > 0.0


@EVERY
def test_options(pair, oscillators):
    """First and largest step, and how many steps may be tried."""
    run = oscillators[pair.name]
    found = run(tol=1e-6, first=0.01, largest=0.05, t_end=1.0)
    assert found.times[1] == 0.01
    assert np.diff(found.times).max() == pytest.approx(0.05)
    found = run(tol=1e-6, largest=0.05, t_end=1.0, most=7)
    assert (found.status, found.steps + found.rejected) == (6, 7)
    assert run(rtol=0.0, t_end=1.0).status == 0  # counts as ten roundings


@EVERY
def test_the_end_of_a_motion(pair, emit, programs):
    """x' = x^2 ends at t = 1: steps shrink there, and no step passes; beyond a limit of x the pivot is told."""
    folder = emit(programs["runaway"](), runs=pair.name)
    found = build(folder, pair.name)(tol=1e-6, t_end=2.0)
    assert (found.status, found.t) == (5, pytest.approx(1.0, abs=1e-6))
    text = (folder.path / "runaway.c").read_text().replace("1e+200", "1e3")
    (folder.path / "runaway.c").write_text(text)
    found = build(folder, pair.name)(tol=1e-6, t_end=2.0)
    assert (found.status, found.failed) == (1, 0)
    assert 900.0 < found.x[0] <= 1000.0


@EVERY
def test_slopes_that_are_no_numbers_shorten_the_step(pair, emit, builder):
    """x' = sqrt(x) - 2 crosses zero: what is no number is never accepted, whatever a comparison says."""
    b = builder("rooted")
    x = b.state("x", 1.0)
    b.function("rhs", [b.graph.sub(b.graph.unary(Op.SQRT, x), b.graph.constant(2))])
    found = build(emit(b.program(), runs=pair.name), pair.name)(tol=1e-8, t_end=5.0)
    # 1 = exact time at which x = 0: t = -2 sqrt(x) - 4 ln(2 - sqrt(x)) from x = 1 to 0
    assert found.status in (4, 5)
    assert found.t == pytest.approx(4.0 * math.log(2.0) - 2.0, abs=1e-6)
    assert np.isfinite(found.rows["end"]).all()


SOURCES = {
    "steps": (
        "static const pendulum_inputs values[3] = {{1}, {-2}, {0.5}};"
        "static const pendulum_real times[3] = {0.0, 0.4, 1.1};"
        "static const pendulum_source source = {PENDULUM_STEPS, values, times, 3, 0, 0, 0, 0};",
        lambda t: 1.0 if t < 0.4 else -2.0 if t < 1.1 else 0.5,
        [0.4, 1.1],
    ),
    "lines": (
        "static const pendulum_inputs values[3] = {{1}, {-2}, {0.5}};"
        "static const pendulum_real times[3] = {0.1, 0.5, 1.1};"
        "static const pendulum_source source = {PENDULUM_LINES, values, times, 3, 0, 0, 0, 0};",
        lambda t: float(np.interp(t, [0.1, 0.5, 1.1], [1.0, -2.0, 0.5])),
        [],
    ),
    "called": (
        "#include <math.h>\n"
        "static double factor = 3.0;"
        "static int wave(pendulum_real t, void *context, pendulum_inputs *r)"
        "{ r->tau = (pendulum_real)(*(double *)context * sin(5.0 * t)); return 0; }\n"
        "static const pendulum_source source = {PENDULUM_CALLED, 0, 0, 0, wave, &factor, 0, 0};",
        lambda t: 3.0 * math.sin(5.0 * t),
        [],
    ),
    "jumps": (
        "static int square(pendulum_real t, void *context, pendulum_inputs *r)"
        "{ (void)context; r->tau = (t < 0.7) ? 4.0 : -4.0; return 0; }\n"
        "static const pendulum_real at[2] = {0.0, 0.7};"
        "static const pendulum_source source = {PENDULUM_CALLED, 0, 0, 0, square, 0, at, 2};",
        lambda t: 4.0 if t < 0.7 else -4.0,
        [0.7],
    ),
}


@EVERY
@pytest.mark.parametrize("name", SOURCES)
def test_sources_of_inputs(name, pair, pendulum):
    """Each kind gives the motion of a tight run by SciPy from corner to corner; a jump ends a step and rejects none."""
    source, tau, jumps = SOURCES[name]
    found = build(pendulum, pair.name, source)(tol=1e-9, t_end=2.0)

    def driven(t, x, held=None):
        torque = tau(t) if held is None else held
        return np.array([x[1], (torque - 1.5 * 0.7 * 9.81 * math.sin(x[0])) / (1.5 * 0.49)])

    x, corners = np.array(X0), sorted({0.0, 0.1, 0.4, 0.5, 0.7, 1.1, 2.0})
    for first, last in itertools.pairwise(corners):
        middle = 0.5 * (first + last)
        held = tau(middle) if name in ("steps", "jumps") else None
        solver = RK45(functools.partial(driven, held=held), first, x, last, rtol=1e-12, atol=1e-12)
        while solver.status == "running":
            solver.step()
        x = solver.y
    assert found.x == pytest.approx(x, abs=3e-7 if name == "lines" else 3e-8)
    for time in jumps:
        assert time in found.times
    if jumps:
        assert found.rejected <= 6


@EVERY
def test_inputs_that_fail_end_the_run(pair, pendulum):
    """A function of inputs that says so is not asked again; the state is that before the step."""
    source = (
        "static int ends(pendulum_real t, void *context, pendulum_inputs *r)"
        "{ (void)context; r->tau = 0.0; return (t > 1.0) ? 1 : 0; }\n"
        "static const pendulum_source source = {PENDULUM_CALLED, 0, 0, 0, ends, 0, 0, 0};"
    )
    found = build(pendulum, pair.name, source)(tol=1e-8, t_end=3.0)
    assert found.status == 7
    assert 0.5 < found.t <= 1.0


@EVERY
def test_float_runs(pair, pendulum):
    """In float the tolerance is at least ten roundings, and steps are told apart in a float's time."""
    run = build(pendulum, pair.name, real="float")
    found, exact = run(tol=1e-8, t_end=5.0), RK45(swing, 0.0, X0, 5.0, rtol=1e-10, atol=1e-10)
    while exact.status == "running":
        exact.step()
    assert found.status == 0
    assert found.x == pytest.approx(exact.y, abs=2e-4)
    assert np.diff(found.times).min() > 0.0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["pendulum", "bare", "states_as_arguments", "hundred_states"])
def test_strict_compilers_find_nothing_to_say(name, programs, emit, silent):
    """Runs compile without one warning, in both precisions, and their headers as C++."""
    folder = emit(programs[name](), runs="dopri5,dop853")
    files = [source for source in folder.sources if source != f"{folder.name}.c"]
    assert len(files) == 3
    silent(folder.path, folder.macro, files)


def test_all_compilers_give_the_same_bits(emit, programs):
    """With strict mathematics a run is the same from gcc and clang at all levels, its lengths included."""
    folder = emit(programs["pendulum"](), runs="dopri5", math="strict")
    found = {
        build(folder, "dopri5", "", "-ffp-contract=off", level)(tol=1e-7, t_end=3.0).text
        for level in ("-O0", "-O2", "-O3")
    }
    assert len(found) == 1


def test_fixed_steps_are_those_of_the_loop(pendulum, pendulums):
    """A run by rk4 has the bits of its step in a loop, with times t0 + k h; a shorter last one ends it."""
    run, loaded = pendulums["rk4"], pendulum.load()
    loaded.prepare()
    found = run(first=0.03, t_end=1.0)
    assert found.times.tolist() == [0.03 * k for k in range(34)] + [1.0]
    x = X0
    for k, row in enumerate(found.rows["step"].tolist()):
        h = 0.03 if k < 33 else 1.0 - found.times[33]
        _, x = loaded.step(0.03 * k, h, x, [[0.0]], "_held")
        assert row[1:] == x
    assert run(first=0.1, t_end=0.7).steps == 7  # 0.7/0.1 is less than 7
    assert run(t_end=0.01).steps == 10
    assert run(first=0.1, t_end=1.0, most=4).status == 6
    assert run(first=0.25, t_end=1.0, limits=3).times.tolist() == pytest.approx(
        [0, 1 / 4, 1 / 3, 7 / 12, 2 / 3, 11 / 12, 1]
    )


def test_dense_output_of_fixed_steps(pendulums):
    """Cubic polynomials: half the step divides the error within it by 16; it moves no step."""
    run, errors = pendulums["rk4"], []
    for h in (0.02, 0.01):
        found = run(first=h, t_end=0.2)
        fine = run(first=h / 4, t_end=0.2, dense=0)
        among = np.isin(np.round(fine.rows["step"][:, 0] / (h / 4)), np.round(found.rows["dense"][:, 0] / (h / 4)))
        errors.append(np.abs(found.rows["dense"] - fine.rows["step"][among]).max())
        assert run(first=h, t_end=0.2, dense=0).rows["step"].tolist() == found.rows["step"].tolist()
    assert math.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.3)


@pytest.mark.parametrize("name", SOURCES)
def test_fixed_steps_take_inputs_from_sources(name, pendulum):
    """At the times of the scheme; a jump ends a step."""
    source, _, jumps = SOURCES[name]
    found = build(pendulum, "rk4", source)(first=1e-3, t_end=2.0)
    exact = build(pendulum, "dop853", source)(tol=1e-11, t_end=2.0, largest=0.05)
    assert np.abs(found.rows["end"] - exact.rows["end"]).max() < (1e-6 if name == "lines" else 1e-9)
    assert set(jumps) <= set(found.times.tolist())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["pendulum", "bare"])
def test_strict_compilers_have_nothing_to_say_of_fixed_steps(name, programs, emit, silent):
    """Runs in fixed steps compile without one warning, in both precisions."""
    folder = emit(programs[name](), runs="rk4")
    silent(folder.path, folder.macro, [f"{folder.name}_rk4.c"], "-fsyntax-only")


@pytest.mark.parametrize(("scheme", "counted"), [("rk4", "run.count"), ("dopri5", "run.at.rejected")])
def test_counts_of_a_run_end_at_the_largest_number(pendulum, scheme, counted):
    """A controller runs for months: 2^31 steps at 1 kHz are 25 days, and a count that overflows is undefined in C.

    Steps of 1/128 s have exact times, whatever they are counted from.
    """
    last = "(INT_LEAST32_MAX - 1)"
    set_counts = f"if (run.at.steps == 1) {{ run.at.steps = {last}; {counted} = {last}; "
    if scheme == "rk4":
        set_counts += f"run.since = run.at.t - ((MODEL_real){last} * run.at.next); "
    after = f"{set_counts}}}"
    checked = ("-O0", "-fsanitize=signed-integer-overflow", "-fno-sanitize-recover=all")
    options = {"first": 0.0078125, "largest": 0.0078125, "tol": 1e-3, "most": 0, "t_end": 0.0625}
    usual = build(pendulum, scheme)(**options)
    long_run = build(pendulum, scheme, "", *checked, after=after)(**options)
    assert usual.times == pytest.approx(np.arange(9) / 128, abs=0.0)
    assert long_run.rows["step"].tolist() == usual.rows["step"].tolist()
    assert (usual.steps, long_run.steps) == (8, 2**31 - 1)
