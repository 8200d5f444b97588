"""Controllers in the loop: when they are called, what is held, what is recorded, how they fail; single steps."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp
from sympy.physics.vector import dynamicsymbols

import eomc
from eomc.errors import EventError, UnsupportedError, UsageError

pytestmark = pytest.mark.needs_cc

START = [0.1, 3.0, 0.0, 0.0]
FIXED, ADAPTIVE = {"dt": 0.004}, {"rtol": 1e-7}
BOTH = pytest.mark.parametrize("steps", [FIXED, ADAPTIVE], ids=["fixed", "adaptive"])


@pytest.fixture(scope="module")
def cart():
    """Return the simulator of a cart with a pendulum and the input F."""
    return eomc.compile(eomc.load("cart_pole"), functions=["energy"]).load()


@pytest.fixture(scope="module")
def ball():
    """Return that of a ball of 1 kg with a thrust F and a wind w, which bounces from the ground at y = 0."""
    y, F, w = dynamicsymbols("y F w")
    v = y.diff()
    model = eomc.from_lagrangian(
        v**2 / 2 - 10 * y,
        coordinates=[y],
        generalized_forces={y: F + w},
        inputs=[F, w],
        initial={y: 1.0},
        events={
            "ground": eomc.Event(y, falling=True, reset={v: -v / 2}),
            "late": eomc.Event(at=sympy.Rational(9, 10), stop=True),
        },
        name="ball",
    )
    return eomc.compile(model, functions=[]).load()


class Counting:
    """A controller with a state of its own; keeps what it is called with."""

    def __init__(self):
        self.calls, self.t, self.x = 0, [], []

    def __call__(self, t, x):
        self.calls += 1
        self.t.append(t)
        self.x.append(x.copy())
        x[:] = math.nan  # it is a copy
        return {"F": 0.1 * self.calls - 5.0 * self.x[-1][0]}


@BOTH
@pytest.mark.parametrize(("t0", "t_end", "h", "calls"), [(0.0, 0.3, 0.1, 3), (0.7, 1.02, 0.1, 4), (1.0, 1.03, 0.1, 1)])
def test_samples_are_at_exact_times(steps, t0, t_end, h, calls, cart):
    """At t0 + k h before the end, once each, with the state there; three times 0.1 s end at 0.3 s, bits or not."""
    seen = Counting()
    run = cart.simulate(t_end, x0=START, t0=t0, controller=seen, sample_time=h, **steps)
    assert seen.t == [t0 + k * h for k in range(calls)]
    assert run.t[-1] == t_end
    for t, x in zip(seen.t, seen.x, strict=True):
        np.testing.assert_array_equal(run.x[run.t == t], [x])


@BOTH
def test_inputs_are_held_and_recorded(steps, cart):
    """A sample's input holds until the next: the motion is that of these inputs as held samples; they are columns."""
    seen = Counting()
    run = cart.simulate(1.0, x0=START, controller=seen, sample_time=0.1, **steps)
    values = [0.1 * (k + 1) - 5.0 * x[0] for k, x in enumerate(seen.x)]
    held = eomc.Samples(seen.t, {"F": values}, "held")
    np.testing.assert_array_equal(run["F"], held.at(np.array(values)[:, None], run.t)[:, 0])
    same = cart.simulate(1.0, x0=START, inputs=held, rtol=1e-10, atol=1e-10)
    assert np.abs(run.x[-1] - same.x[-1]).max() < 1e-5


def test_fixed_steps_begin_anew_at_each_sample(cart):
    """Whole steps from a sample on, a shorter one before the next; `every` counts them all."""
    given = {"x0": START, "controller": Counting(), "sample_time": 0.01}
    run = cart.simulate(0.025, dt=0.004, **given)
    expected = [0.0, 0.004, 0.008, 0.01, 0.014, 0.018, 0.02, 0.024, 0.025]
    np.testing.assert_allclose(run.t, expected, rtol=0, atol=1e-15)
    assert run.t[3] == 0.01
    assert run.t[6] == 0.02
    assert run.t[-1] == 0.025
    some = cart.simulate(0.025, dt=0.004, every=3, **{**given, "controller": Counting()})
    np.testing.assert_array_equal(some.t, run.t[[0, 3, 6, 8]])
    np.testing.assert_array_equal(some.x, run.x[[0, 3, 6, 8]])
    long = cart.simulate(0.025, dt=1.0, **{**given, "controller": Counting()})
    np.testing.assert_allclose(long.t, [0.0, 0.01, 0.02, 0.025], rtol=0, atol=1e-15)


def test_without_feedback_a_fixed_run_is_that_of_held_rows(cart):
    """Where a sample is one step, the bits are those of sampled inputs."""
    values = np.random.default_rng(7).normal(size=101)
    listed = iter(values.tolist())
    run = cart.simulate(1.0, dt=0.01, x0=START, controller=lambda t, x: [next(listed)], sample_time=0.01)
    same = cart.simulate(1.0, dt=0.01, x0=START, inputs=values[:, None])
    assert run.x.tobytes() == same.x.tobytes()
    np.testing.assert_array_equal(run.inputs[:-1], same.inputs[:-1])
    assert run.inputs[-1] == run.inputs[-2]  # nobody was asked at the end


@pytest.mark.parametrize("integrator", ["rk4", "dopri5", "rodas5p", "taylor"])
def test_a_loop_over_scipy(integrator, cart):
    """The same loop over SciPy's integrator and the reference's rates, every scheme to its accuracy."""
    reference = eomc.reference(eomc.load("cart_pole"))
    gains = np.array([-20.0, 68.0, -14.0, 15.0])

    def controller(t, x):
        return [-(gains @ (x - [0.0, math.pi, 0.0, 0.0])) + 0.1 * t]

    steps = {"dt": 1e-3} if integrator == "rk4" else {"rtol": 1e-9, "atol": 1e-9}
    run = cart.simulate(0.33, x0=START, integrator=integrator, controller=controller, sample_time=0.05, **steps)
    t, x = 0.0, np.array(START)
    for end in [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.33]:
        r = np.array(controller(t, x))
        x = solve_ivp(lambda s, y, r=r: reference.rhs(s, y, r), (t, end), x, "DOP853", rtol=1e-11, atol=1e-11).y[:, -1]
        t = end
    assert np.abs(run.x[-1] - x).max() < 1e-7


def test_events_leave_the_held_input(ball):
    """Thrust is held through a bounce; closed form: falls 1 m at 10 - 2 m/s^2, is back with half the speed."""
    calls = []

    def thrust(t, x):
        calls.append(t)
        return {"F": 2.0}

    run = ball.simulate(2.0, controller=thrust, sample_time=0.4, rtol=1e-10)
    (hit, stop) = run.events
    assert calls == [0.0, 0.4, 0.8]
    assert stop.name == "late"
    assert run.t[-1] == 0.9
    assert abs(hit.t - 0.5) < 1e-9
    assert abs(hit.after[1] - 2.0) < 1e-8
    assert (run["F"] == 2.0).all()
    rest = 0.4
    np.testing.assert_allclose(run.x[-1], [2.0 * rest - 4.0 * rest**2, 2.0 - 8.0 * rest], atol=1e-8)


def test_an_event_at_a_sample_comes_before_it(ball):
    """The run ends at its stop, which is the time of a sample: the controller is not asked there."""
    calls = []
    run = ball.simulate(2.0, controller=lambda t, x: calls.append(t) or {"F": 10.0}, sample_time=0.45, rtol=1e-9)
    assert calls == [0.0, 0.45]
    assert run.t[-1] == 0.9


@pytest.mark.parametrize("wind", [{"w": 3.0}, lambda t: {"w": 3.0}, eomc.Samples([0.0], {"w": [3.0]}, "held")])
def test_what_is_not_named_is_as_the_inputs_say(wind, ball):
    """A controller holds F, the wind is given beside: held, as a function, as samples; together they carry the ball."""
    run = ball.simulate(0.7, controller=lambda t, x: {"F": 7.0}, sample_time=0.2, inputs=wind, rtol=1e-8)
    np.testing.assert_allclose(run.x, np.tile([1.0, 0.0], (len(run), 1)), atol=1e-9)
    np.testing.assert_array_equal(run.inputs, np.tile([7.0, 3.0], (len(run), 1)))


def test_a_declared_jump_between_samples(ball):
    """A step ends at the jump, too; closed form: at rest until the wind rises by 3 N, then 3 m/s^2."""
    run = ball.simulate(
        0.7,
        controller=lambda t, x: {"F": 9.0},
        sample_time=0.25,
        inputs=lambda t: {"w": 1.0 if t < 0.3 else 4.0},
        jumps=[0.3],
        rtol=1e-8,
    )
    assert {0.25, 0.3, 0.5} <= set(run.t.tolist())
    np.testing.assert_allclose(run.x[-1], [1.0 + 1.5 * 0.4**2, 3.0 * 0.4], atol=1e-12)


def test_a_function_beside_in_fixed_steps():
    """The controller's part of the inputs is held, the other follows the time at the stages: y'' = 6 t + F."""
    y, F, w = dynamicsymbols("y F w")
    model = eomc.from_lagrangian(
        y.diff() ** 2 / 2, coordinates=[y], generalized_forces={y: F + w}, inputs=[F, w], name="mass"
    )
    sim = eomc.compile(model, functions=[]).load()
    run = sim.simulate(
        1.0, 0.25, controller=lambda t, x: {"F": 2.0}, sample_time=0.5, inputs=lambda t: {"w": 6.0 * t}, x0=[0, 0]
    )
    np.testing.assert_allclose(run.x[-1], [2.0, 5.0], atol=1e-13)  # rk4 is exact
    np.testing.assert_allclose(run["w"], 6.0 * run.t)


@BOTH
def test_between_the_points_nobody_is_asked_again(steps, cart):
    """The dense output takes the recorded inputs; at a sample the rates jump, the state does not."""
    seen = Counting()
    run = cart.simulate(0.5, x0=START, controller=seen, sample_time=0.1, **steps)
    again = cart.simulate(0.5, x0=START, controller=Counting(), sample_time=0.1, rtol=1e-11, atol=1e-11)
    times = np.linspace(0.0, 0.5, 41)
    assert np.abs(run(times) - again(times)).max() < 1e-5
    assert seen.calls == 5
    kept = pickle.loads(pickle.dumps(run))
    np.testing.assert_allclose(kept(times), run(times), atol=1e-12)


@pytest.mark.parametrize("steps", [FIXED, ADAPTIVE, {"integrator": "gauss3", "dt": 0.03}])
def test_times_that_are_asked_for(steps, cart):
    """t_eval moves no sample and no step."""
    given = {"x0": START, "sample_time": 0.1, **steps}
    run = cart.simulate(0.5, controller=Counting(), **given)
    times = np.array([0.0, 0.1, 0.25, 0.3, 0.5])
    asked = cart.simulate(0.5, controller=Counting(), t_eval=times, **given)
    np.testing.assert_array_equal(asked.x[-1], run.x[-1])
    np.testing.assert_array_equal(asked.x[1], run.x[run.t == 0.1][0])
    np.testing.assert_allclose(asked.x[2], run(0.25), atol=1e-12)
    assert asked.inputs[1] == run["F"][run.t == 0.1][0]


def test_many_samples_and_many_steps_in_one(cart):
    """Blocks of a call into C hide neither samples nor steps."""
    run = cart.simulate(1.0, x0=START, controller=Counting(), sample_time=1e-4, rtol=1e-3)
    assert len(run) >= 10_001
    assert (np.diff(run.t) > 0.0).all()
    seen = Counting()
    run = cart.simulate(1.0, dt=1e-4, x0=START, controller=seen, sample_time=0.5)
    assert len(run) == 10_001
    assert seen.t == [0.0, 0.5]
    np.testing.assert_array_equal(run.x[5000], seen.x[1])


def test_a_controller_keeps_its_state_from_run_to_run(cart):
    """It is the caller's object: a run neither copies nor resets it."""
    given = {"x0": START, "sample_time": 0.1, "dt": 0.1}
    seen = Counting()
    first, second = (cart.simulate(0.3, controller=seen, **given) for _ in "ab")
    assert seen.calls == 6
    assert first.x.tobytes() == cart.simulate(0.3, controller=Counting(), **given).x.tobytes()
    assert first.x.tobytes() != second.x.tobytes()


def test_float():
    """In single precision a sample is where the C has it."""
    sim = eomc.compile(eomc.load("cart_pole"), real="float", functions=[]).load()
    for steps in ({"dt": 0.1}, {"rtol": 1e-4}):
        seen = Counting()
        run = sim.simulate(1.0, x0=START, controller=seen, sample_time=0.1, **steps)
        assert seen.t == [k * 0.1 for k in range(10)]
        values = np.float32([0.1 * (k + 1) - 5.0 * x[0] for k, x in enumerate(seen.x)])
        at_samples = [np.abs(run.t - t).argmin() for t in seen.t]
        np.testing.assert_allclose(run["F"][at_samples], values, rtol=1e-6)


@BOTH
def test_a_controller_may_ask_the_simulator(steps, cart):
    """It predicts by the simulator that runs: the run's own memory is not touched."""
    predicted = []

    def predicting(t, x):
        predicted.append(cart.step(t, x, 0.1, [1.0], rtol=1e-7))
        cart.step(t, 2.0 * x, 0.1), cart.rhs(t, -x), cart.simulate(0.1, **steps)
        return [1.0]

    run = cart.simulate(0.3, x0=START, controller=predicting, sample_time=0.1, **steps)
    same = cart.simulate(0.3, x0=START, controller=lambda t, x: [1.0], sample_time=0.1, **steps)
    assert run.x.tobytes() == same.x.tobytes()
    assert np.abs(run.x[-1] - predicted[-1]).max() < 1e-5


def test_a_model_without_inputs():
    """Its controller can but look, and says so by nothing."""
    seen = []
    sim = eomc.compile(eomc.load("simple_pendulum"), functions=[]).load()
    for empty, steps in (({}, FIXED), ([], ADAPTIVE)):
        run = sim.simulate(0.5, controller=lambda t, x, e=empty: seen.append(t) or e, sample_time=0.25, **steps)
        assert run.inputs.shape == (len(run), 0)
    assert seen == [0.0, 0.25, 0.0, 0.25]


WRONG = {
    "none": (lambda t, x: None, "the controller returned None at t = 0.2"),
    "scalar": (lambda t, x: 1.0, "1 value [F], not of shape (), which the controller returned at t = 0.2"),
    "shape": (lambda t, x: [1.0, 2.0], "not of shape (2,), which the controller returned at t = 0.2"),
    "nan": (lambda t, x: {"F": math.nan}, "input F must be a finite number, not nan, which the controller"),
    "inf": (lambda t, x: [math.inf], "not inf, which the controller returned at t = 0.2"),
    "name": (lambda t, x: {"G": 1.0}, "unknown input 'G'; known are F, which the controller returned at t = 0.2"),
    "text": (lambda t, x: {"F": "much"}, "'much', which the controller returned at t = 0.2"),
}


@BOTH
@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_with_time_and_value(case, steps, cart):
    """One error, with the points until then."""
    wrong, told = WRONG[case]
    with pytest.raises(UsageError) as caught:
        cart.simulate(
            1.0, x0=START, controller=lambda t, x: wrong(t, x) if t > 0.1 else [0.5], sample_time=0.1, **steps
        )
    assert told in str(caught.value), caught.value
    assert caught.value.trajectory.t[-1] == 0.2


class Odd(Exception):
    """An exception that takes no attribute."""

    __slots__ = ()

    def __setattr__(self, name, value):
        raise AttributeError(name)


@BOTH
@pytest.mark.parametrize("error", [ZeroDivisionError("here"), KeyboardInterrupt(), Odd()])
def test_what_a_controller_raises_passes(error, steps, cart):
    """The same object, with the points so far, which can be asked between, too."""

    def controller(t, x):
        if t >= 0.2:
            raise error
        return [1.0]

    with pytest.raises(type(error)) as caught:
        cart.simulate(1.0, x0=START, controller=controller, sample_time=0.1, **steps)
    assert caught.value is error
    if not isinstance(error, Odd):
        run = error.trajectory
        assert run.t[-1] == 0.2
        assert (run["F"] == 1.0).all()
        whole = cart.simulate(0.2, x0=START, controller=lambda t, x: [1.0], sample_time=0.1, **steps)
        np.testing.assert_allclose(run(0.13), whole(0.13), atol=1e-12)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"controller": lambda t, x: [0.0]}, "give sample_time="),
        ({"sample_time": 0.1}, "give controller="),
        ({"controller": {"F": 1.0}, "sample_time": 0.1}, "must be a function of t and x"),
        ({"controller": lambda t, x: [0.0], "sample_time": 0.0}, "sample_time must be a positive number"),
        ({"controller": lambda t, x: [0.0], "sample_time": math.nan}, "sample_time must be a finite number"),
        ({"controller": lambda t, x: [0.0], "sample_time": 1e-320}, "sample_time = "),
        ({"controller": lambda t, x: [0.0], "sample_time": 0.1, "dt": -1.0}, "dt must be a positive number"),
    ],
)
def test_what_is_refused(given, told, cart):
    """A controller without its sample time, and the reverse; what cannot be called; times that are none."""
    with pytest.raises(UsageError) as caught:
        cart.simulate(1.0, **given)
    assert told in str(caught.value)


def test_nobody_is_asked_in_no_time(cart):
    """From t to t there is no sample."""
    seen = Counting()
    assert len(cart.simulate(0.0, controller=seen, sample_time=0.1)) == 1
    assert len(cart.simulate(0.0, controller=seen, sample_time=0.1, rtol=1e-6)) == 1
    assert seen.calls == 0


def test_sensitivities_refuse_a_controller():
    """Its derivatives are not known."""
    sim = eomc.compile(eomc.load("simple_pendulum"), functions=[]).load()
    with pytest.raises(UnsupportedError, match="a controller is called, not differentiated"):
        sim.sensitivities(1.0, controller=lambda t, x: {}, sample_time=0.1)


def test_a_torn_signal_is_refused():
    """A signal without its derivatives, which would keep their defaults."""
    sim = eomc.compile(eomc.load("bar_on_moving_pivot:1"), functions=[]).load()
    with pytest.raises(UsageError, match="the controller returned z without z_d, z_dd at t = 0"):
        sim.simulate(1.0, controller=lambda t, x: {"z": 0.1}, sample_time=0.1)


# -- single steps -----------------------------------------------------------------------------------------------------


def test_a_step_is_that_of_a_run(cart):
    """By schemes of fixed steps to the bit; the state that is given stays as it is."""
    x, r = np.array(START), {"F": 1.5}
    before = x.copy()
    after = cart.step(0.3, x, 0.01, r, {"m": 0.3})
    run = cart.simulate(0.31, 0.01, x0=x, t0=0.3, inputs=r, parameters={"m": 0.3})
    assert after.tobytes() == run.x[-1].tobytes()
    assert x.tobytes() == before.tobytes()
    assert cart.step(0.3, x, 0.01, lambda t: {"F": 5.0 * t}, {"m": 0.3}).tobytes() == after.tobytes()
    other = cart.step(0.3, x, 0.01, r, integrator="heun")
    assert other.tobytes() == cart.simulate(0.31, 0.01, x0=x, t0=0.3, inputs=r, integrator="heun").x[-1].tobytes()


def test_an_adaptive_step_takes_steps_as_needed(cart):
    """A step of a second is the motion over it, to the tolerance."""
    found = cart.step(1.0, START, 1.0, [2.0], rtol=1e-9, atol=1e-9)
    run = cart.simulate(2.0, x0=START, t0=1.0, inputs=[2.0], rtol=1e-9, atol=1e-9)
    assert len(run) > 10
    assert found.tobytes() == run.x[-1].tobytes()


def test_a_step_over_events(ball):
    """A bounce is in the step; where an event ends the motion, that is said."""
    found = ball.step(0.0, [1.0, 0.0], 0.6, {"F": 2.0}, rtol=1e-10)
    np.testing.assert_allclose(found, [0.2 - 0.04, 2.0 - 0.8], atol=1e-8)
    with pytest.raises(EventError, match=r"late ends the motion at t = 0\.9, within the step to 1\.2"):
        ball.step(0.2, [1.0, 0.0], 1.0)


@pytest.mark.parametrize(
    ("arguments", "given", "told"),
    [
        ((0.0, START, 0.0), {}, "h must be above zero"),
        ((1e20, START, 0.1), {}, "makes no step at t = 1e+20"),
        ((0.0, [1.0, 2.0], 0.1), {}, "a state has 4 entries"),
        ((0.0, [1.0, 2.0, math.nan, 0.0], 0.1), {}, "begins at finite numbers"),
        ((0.0, START, 0.1), {"integrator": "rk4", "rtol": 1e-6}, "rtol is not for rk4"),
        ((0.0, START, 0.1, {"G": 1.0}), {}, "unknown input 'G'"),
    ],
)
def test_steps_that_are_none(arguments, given, told, cart):
    """Each wrong argument by its name."""
    with pytest.raises(UsageError) as caught:
        cart.step(*arguments, **given)
    assert told in str(caught.value)
