"""Inputs of trajectories: functions of time, samples and held ones, common or of each, with the bits of a run alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.binding import Samples, Simulator
from eomc.errors import RunError, UsageError

pytestmark = pytest.mark.needs_cc


@pytest.fixture(scope="module")
def cart() -> Simulator:
    """Return a model with an input."""
    return eomc.compile(eomc.load("cart_pole"), math="strict").load()


def pushed(name: str, stopped: bool) -> Simulator:
    """Return a block on a spring that is pushed, with the push among its outputs; perhaps a stop throws it back."""
    y, push = dynamicsymbols("y f")
    v, m = y.diff(dynamicsymbols._t), sympy.Symbol("m")
    model = eomc.from_lagrangian(
        m * v**2 / 2 - y**2 / 2,
        coordinates=[y],
        generalized_forces={y: push},
        inputs=[push],
        outputs={"pushed": push + y},
        parameters={m: 1.0},
        initial={y: 0.5},
        events={"stop": eomc.Event(y + 0.2, falling=True, reset={v: -v})} if stopped else {},
        name=name,
    )
    return eomc.compile(model, math="strict").load()


@pytest.fixture(scope="module")
def block() -> Simulator:
    """Return the one with a stop."""
    return pushed("stopped_block", True)


class Push:
    """A push that is a function of time of each trajectory; it can be sent to other processes."""

    def __init__(self, name: str, k: int) -> None:
        self._name, self._k = name, k

    def __call__(self, t: float) -> dict[str, float]:
        return {self._name: np.sin((1.0 + self._k) * t)}


def line(name: str, k: int) -> Samples:
    """Return samples with times of their own."""
    return Samples([0.0, 0.013 * (k + 1), 0.21, 0.4], {name: [0.0, 1.0 + k, -1.0, 0.3 * k]})


def stairs(name: str, k: int) -> Samples:
    """Return samples that are held, on a grid of 0.05."""
    return Samples([0.0, 0.05 * (1 + k % 4), 0.3], {name: [1.0, 2.0 - k, 0.1 * k]}, "held")


Source = Callable[[str, int], Any]
SOURCES: dict[str, Source] = {
    "function of all": lambda name, k: Push(name, 0),
    "function of each": Push,
    "line of all": lambda name, k: line(name, 0),
    "line of each": line,
    "stairs of each": stairs,
    "held of each": lambda name, k: {name: 0.3 * k},
    "mixed": lambda name, k: (Push, line, stairs, lambda name, k: [0.1 * k])[k % 4](name, k),
}


def of_all(kind: str, name: str, count: int) -> Any:
    """Return the inputs of an ensemble."""
    if kind.endswith("of all"):
        return SOURCES[kind](name, 0)
    return [SOURCES[kind](name, k) for k in range(count)]


COUNT = 11
STARTS = np.random.default_rng(5).uniform(-0.2, 0.2, (COUNT, 4))


@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize("how", [{"integrator": "dop853", "rtol": 1e-7}, {"integrator": "dopri5"}, {}])
def test_each_trajectory_is_that_of_a_run_alone(cart: Simulator, kind: str, how: dict[str, Any]) -> None:
    """In lanes, with steps of its own and in fixed ones, by as many threads as there are, the last step a short one."""
    made = cart.ensemble(STARTS, inputs=of_all(kind, "F", COUNT), t_end=0.42, dt=0.05, **how)
    points = {"t_eval": made.t} if how else {"dt": 0.05}
    for k in range(COUNT):
        run = cart.simulate(0.42, x0=STARTS[k], inputs=SOURCES[kind]("F", k), **how, **points)
        np.testing.assert_array_equal(made.x[k], run.x)


@pytest.mark.parametrize("kind", ["line of each", "mixed"])
@pytest.mark.parametrize("integrator", ["taylor", "rodas5p", "gauss3"])
def test_schemes_that_go_one_by_one(cart: Simulator, kind: str, integrator: str) -> None:
    """Likewise; a function of time has no power series."""
    inputs = of_all(kind, "F", COUNT)
    own = {} if integrator == "gauss3" else {"rtol": 1e-7}
    call = {"t_end": 0.42, "dt": 0.05, "integrator": integrator, **own}
    if integrator == "taylor" and kind == "mixed":
        with pytest.raises(UsageError, match="no power series for taylor: give "):
            cart.ensemble(STARTS, inputs=inputs, **call)
        return
    made = cart.ensemble(STARTS, inputs=inputs, **call)
    points = {"t_eval": made.t} if own else {"dt": 0.05}
    for k in range(COUNT):
        run = cart.simulate(0.42, x0=STARTS[k], inputs=inputs[k], integrator=integrator, **own, **points)
        np.testing.assert_array_equal(made.x[k], run.x)


@pytest.mark.parametrize("kind", ["function of all", "stairs of each", "mixed"])
@pytest.mark.parametrize("how", [{"integrator": "dop853"}, {"integrator": "rk4"}])
def test_with_events_and_outputs_that_are_reduced(block: Simulator, kind: str, how: dict[str, Any]) -> None:
    """Outputs at the points have the inputs at that time, at a jump those after it."""
    x0 = np.stack([np.linspace(0.3, 0.6, COUNT), np.full(COUNT, -3.0)], axis=1)
    inputs = of_all(kind, "f", COUNT)
    reduce = {"pushed": ("minimum", "maximum"), "stop": "count"}
    made = block.ensemble(x0, inputs=inputs, t_end=3.0, dt=0.05, keep="all", reduce=reduce, **how)
    assert made["stop", "count"].sum() >= 9
    for k in range(COUNT):
        one = inputs if callable(inputs) else inputs[k]
        if how["integrator"] == "rk4":
            run = block.simulate(3.0, 0.05, x0[k], inputs=one, integrator="rk4", t_eval=made.t)
        else:
            run = block.simulate(3.0, x0=x0[k], inputs=one, t_eval=made.t, **how)
        np.testing.assert_array_equal(made.x[k], run.x)
        assert made["pushed", "minimum"][k] == run["pushed"].min()
        assert made["pushed", "maximum"][k] == run["pushed"].max()


def test_rows_at_the_times_of_fixed_steps_with_events(block: Simulator) -> None:
    """One row at each time, of each trajectory, is held over the step that it begins, as alone."""
    rows = np.random.default_rng(2).uniform(-1.0, 1.0, (3, 21, 1))
    made = block.ensemble(inputs=rows, t_end=1.0, dt=0.05, integrator="rk4")
    for k in range(3):
        run = block.simulate(1.0, 0.05, inputs=rows[k], integrator="rk4", t_eval=made.t)
        np.testing.assert_array_equal(made.x[k], run.x)


def test_outputs_that_are_reduced_in_fixed_steps() -> None:
    """Likewise, many calls into C or one."""
    sim, inputs = pushed("pushed_block", False), of_all("mixed", "f", COUNT)
    made = sim.ensemble(inputs=inputs, t_end=0.42, dt=0.05, reduce={"pushed": ("minimum", "maximum")})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("eomc.binding.ensemble.blocks._STEPS", 3 * COUNT)
        parts = sim.ensemble(inputs=inputs, t_end=0.42, dt=0.05, reduce={"pushed": ("minimum", "maximum")})
    for k in range(COUNT):
        run = sim.simulate(0.42, 0.05, inputs=inputs[k])
        assert made["pushed", "minimum"][k] == parts["pushed", "minimum"][k] == run["pushed"].min()
        assert made["pushed", "maximum"][k] == parts["pushed", "maximum"][k] == run["pushed"].max()


def test_starts_of_the_model_follow_the_inputs(cart: Simulator) -> None:
    """Arrays by name are of each trajectory, as parameters are; no start is given."""
    forces = np.linspace(-1.0, 1.0, 5)
    for how in ({}, {"rtol": 1e-6}):
        made = cart.ensemble(inputs={"F": forces}, t_end=0.3, dt=0.1, **how)
        assert len(made) == 5
        rows = cart.ensemble(inputs=forces[:, None], t_end=0.3, dt=0.1, **how)
        np.testing.assert_array_equal(made.x, rows.x)
        points = {"t_eval": made.t} if how else {"dt": 0.1}
        run = cart.simulate(0.3, inputs={"F": forces[3]}, **how, **points)
        np.testing.assert_array_equal(made.x[3], run.x)


@pytest.mark.parametrize("how", [{"rtol": 1e-7}, {}])
def test_float_has_the_bits_of_float(how: dict[str, Any]) -> None:
    """Interpolation is in double in fixed steps and in float in the others, as alone."""
    sim = eomc.compile(eomc.load("cart_pole"), math="strict", real="float").load()
    how = {key: 1e-4 for key in how}
    inputs = of_all("mixed", "F", COUNT)
    made = sim.ensemble(STARTS, inputs=inputs, t_end=0.42, dt=0.05, **how)
    points = {"t_eval": made.t} if how else {"dt": 0.05}
    for k in range(COUNT):
        run = sim.simulate(0.42, x0=STARTS[k], inputs=inputs[k], **how, **points)
        # Alone, fixed steps are counted anew from a jump: their lengths are rounded otherwise.
        jumps = not how and isinstance(inputs[k], Samples) and inputs[k].jump
        np.testing.assert_allclose(made.x[k], run.x, rtol=1e-6 if jumps else 0.0)


@pytest.mark.parametrize("how", [{"rtol": 1e-6}, {}])
def test_what_a_function_raises_is_raised(cart: Simulator, how: dict[str, Any]) -> None:
    """With the trajectory and the time; nothing goes on behind it."""

    def broken(t: float) -> dict[str, float]:
        if t > 0.2:
            raise ZeroDivisionError("no more force")
        return {"F": 0.0}

    inputs = [broken if k == 7 else Push("F", k) for k in range(COUNT)]
    with pytest.raises(ZeroDivisionError, match="no more force") as caught:
        cart.ensemble(STARTS, inputs=inputs, t_end=0.42, dt=0.05, **how)
    assert caught.value.__notes__[0].startswith("which the inputs of trajectory 7 raised at t = 0.2")
    with pytest.raises(UsageError, match=r"unknown input 'f'.*, which inputs\(t\) returned at t = 0"):
        cart.ensemble(STARTS, inputs=[lambda t: {"f": 1.0}] * COUNT, t_end=0.1, dt=0.05, **how)


def test_functions_are_called_by_one_thread_at_a_time(cart: Simulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many threads run trajectories."""
    monkeypatch.setattr("eomc.binding.ensemble.running._LARGEST", 8)
    inside, most, threads = 0, 0, set()

    def watched(t: float) -> list[float]:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        threads.add(threading.get_ident())
        time.sleep(1e-5)
        inside -= 1
        return [t]

    x0 = np.tile(STARTS, (8, 1))
    cart.ensemble(x0, inputs=[watched] * len(x0), t_end=0.2, dt=0.1, rtol=1e-4, threads=3)
    assert most == 1
    assert len(threads) > 1


def test_other_processes_and_checkpoints(cart: Simulator, tmp_path: Path) -> None:
    """Functions go there if they can be pickled; a checkpoint is of the functions by what they say."""
    inputs, call = of_all("mixed", "F", COUNT), {"t_end": 0.3, "dt": 0.05, "rtol": 1e-6}
    here = cart.ensemble(STARTS, inputs=inputs, checkpoint=tmp_path / "kept", **call)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        there = cart.ensemble(STARTS, inputs=inputs, scheduler=pool, **call)
        with pytest.raises(RunError, match=r"a worker of the scheduler did not run trajectories .*: .*pickle"):
            cart.ensemble(STARTS, inputs=[lambda t: [t]] * COUNT, scheduler=pool, **call)
    np.testing.assert_array_equal(there.x, here.x)
    again = cart.ensemble(STARTS, inputs=inputs, checkpoint=tmp_path / "kept", **call)
    np.testing.assert_array_equal(again.x, here.x)
    others = [Push("F", 99) if isinstance(one, Push) else one for one in inputs]
    with pytest.raises(UsageError, match="belongs to another run"):
        cart.ensemble(STARTS, inputs=others, checkpoint=tmp_path / "kept", **call)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ([Push("F", 0), Push("F", 1)], "there are x0 11, inputs 2"),
        ([Push("F", 0), "left"], "for trajectory 1"),
        ([line("F", 0)] * 10 + [line("G", 0)], "unknown input 'G'.*, for trajectory 10"),
        ([stairs("F", 0)] * 10 + [Samples([0.0, 0.07], {"F": [0.0, 1.0]}, "held")], "within a step.*for trajectory 10"),
    ],
)
def test_what_cannot_be_meant(cart: Simulator, inputs: list[Any], message: str) -> None:
    """One clear error, with the trajectory."""
    with pytest.raises(UsageError, match=message):
        cart.ensemble(STARTS, inputs=inputs, t_end=0.4, dt=0.05)
