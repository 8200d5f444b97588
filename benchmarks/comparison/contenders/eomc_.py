"""eomc: emitted C of one function at a time, its step, and its own ensembles."""

from __future__ import annotations

import dataclasses
import json
import os
import time
from typing import Any, ClassVar

import numpy as np

from comparison.columns import DT, STARTS, STATES, STEPS, TIMED
from comparison.contenders.contender import Contender, Refused, Task
from comparison.native import LOOP, Loop, compiled, processor_seconds, text_of
from comparison.rows import Kind, model_of
from comparison.tangents import to_tangents
from eomc.errors import EomcError

__all__ = ["Tool", "describe"]

DRIVER = (
    LOOP  # first: it asks the headers for the clock
    + r"""
#include "@.h"
static @_constants c;
static @_work work;
void prepare(void);
void prepare(void) { (void)@_prepare(&@_default_parameters, &c); }
"""
)
CALLS = {
    "rhs": "(void)@_rhs(0.0, x, (const @_inputs *)e, &c, &work, y)",
    "inverse_dynamics": "(void)@_inverse_dynamics(0.0, x, e, &@_default_inputs, &c, &work, y)",
    "jacobian": "(void)@_jacobian(0.0, x, (const @_inputs *)e, &c, &work, y@B)",
    "rk4": "{ int j_; for (j_ = 0; j_ < @@_NX; ++j_) { y[j_] = x[j_]; } "
    "(void)@_rk4_step_held(0.0, STEP, (const @_inputs *)e, &c, &work, y); }",
}


def describe(task: Task) -> None:
    """Write the order of the arrays, and the random states, for all contenders."""
    model = model_of(task.row, task.folder)
    nu, nr = len(model.speeds), len(model.inputs)
    layout: dict[str, Any] = {"nq": len(model.coordinates), "nu": nu, "nr": nr, "joints": {}}
    layout["states"] = [one.func.__name__ for one in (*model.coordinates, *model.speeds)]
    layout["inputs"] = [one.symbol.func.__name__ for one in model.inputs]
    layout["at_r"] = [*range(nr)] if task.row.kind is not Kind.ROBOT else [*range(nu - nr, nu)]
    rng = np.random.default_rng(0)
    if task.row.kind is Kind.ROBOT:
        x = rng.uniform(-1, 1, (STATES, layout["nq"] + nu))
        starts, q, u = {}, 0, 0
        for joint in model.dynamics.joints:
            starts[joint.name] = q, u
            q, u = q + len(joint.coordinates), u + len(joint.speeds)
        layout["joints"] = starts
        if task.row.base != "fixed":
            x[:, 3:7] /= np.linalg.norm(x[:, 3:7], axis=1, keepdims=True)
    elif task.row.kind is Kind.PENDULUM:
        x = rng.uniform(-1, 1, (STATES, 2 * nu))
        x[:, 1:nu] *= np.pi
    else:
        import eomc

        x = eomc.reference(model).random_state(rng, STATES)
    arrays = {"x": x, "r": rng.uniform(-1, 1, (STATES, nr)), "a": rng.uniform(-1, 1, (STATES, nu))}
    (task.folder / "layout.json").write_text(json.dumps(layout))
    np.savez(task.folder / "states.npz", **arrays)


class Tool(Contender):
    """The contender that all others are compared with."""

    columns: ClassVar[tuple[str, ...]] = TIMED
    faults: ClassVar[tuple[type[Exception], ...]] = (*Contender.faults, EomcError)

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        os.environ["XDG_CACHE_HOME"] = str(task.folder / "cache")
        self._model = model_of(task.row, task.folder)
        self._loops: dict[str, Loop] = {}
        self._ensemble: Any = None

    def build(self, column: str) -> dict[str, float]:
        """Derive, emit and compile one function."""
        if column == "ensemble":
            return self._build_ensemble()
        if column == "inverse_dynamics" and not self.task.row.is_tree:
            raise Refused("the forces of a constrained system are not unique")
        functions = [] if column in ("rhs", "rk4") else [column]
        build, spent = self._compiled_anew(functions)
        folder = self.task.folder / f"eomc-{column}"
        build.write(folder, library=True)
        view = build.view
        sizes = f", y + {view.macro}_JACOBIAN_A_SIZE"  # where B begins
        call = CALLS[column].replace("@@", view.macro).replace("@B", sizes).replace("@", view.name)
        states = self.task.arrays
        e = states["a"] if column == "inverse_dynamics" else states["r"]
        nx, nu, nr = states["x"].shape[1], self.task.layout["nu"], self.task.layout["nr"]
        size = {"inverse_dynamics": nu, "jacobian": nx * (nx + nr)}.get(column, nx)
        text = DRIVER.replace("@", view.name) + f"LOOP(run, {nx}, {max(e.shape[1], 1)}, {call})\n"
        sources = sorted(folder.glob("*.c"))
        (folder / "driver.c").write_text(text)
        more = [f"-DSTEP={DT}", *build.flags]
        library = folder / "run.so"
        seconds = compiled([*sources, folder / "driver.c"], library, self.task.flags, self.task.limit, more=more)
        import ctypes

        ctypes.CDLL(str(library)).prepare()
        self._loops[column] = Loop.of(library, "run", states["x"], e, size)
        if column != "rhs":
            return {}
        counts = build.statistics.code.functions[0].counts
        without = ("_step", "_prepare", "version", "_default", "_initial", "_names")
        return {
            **spent,
            "compile": seconds,
            "text": sum(text_of(source, without, self.task.flags, self.task.limit) for source in sources),
            "operations": counts.total - counts.others,
        }

    def _compiled_anew(self, functions: list[str]) -> tuple[Any, dict[str, float]]:
        """Return a build, and the least processor time of deriving and emitting it, twice where that is quick."""
        import eomc

        best: dict[str, float] = {}
        for _ in range(3):
            begin, worked = time.perf_counter(), time.process_time()
            build = eomc.compile(self._model, functions=functions, math=self.task.math)
            took, worked = time.perf_counter() - begin, time.process_time() - worked
            stages = dict(build.statistics.stage_times)
            derive = (stages["derive"] + stages["initial state"]) * worked / took  # the clock's share, of work
            for name, seconds in (("derive", derive), ("emit", worked - derive)):
                best[name] = min(seconds, best.get(name, seconds))
            if worked > 3.0:
                break
        return build, best

    def _build_ensemble(self) -> dict[str, float]:
        import eomc

        os.environ["CFLAGS"] = ""
        self._ensemble = eomc.compile(self._model, functions=[], math="fast").load()
        self._run(self._starts()[:2], 1)  # compiled now
        return {}

    def _starts(self) -> np.ndarray:
        x = self.task.arrays["x"]
        return np.resize(x, (STARTS, x.shape[1]))

    def _run(self, x: np.ndarray, steps: int) -> np.ndarray:
        ran = self._ensemble.ensemble(x, t_end=steps * DT, dt=DT, keep="last", threads=1, native=True)
        last: np.ndarray = ran.x
        return last

    def values(self, column: str) -> np.ndarray:
        """Return u', forces, derivatives of u', or states."""
        if column == "ensemble":
            return self._run(self.task.arrays["x"], STEPS)
        found, nq, nu = self._loops[column].values(), self.task.layout["nq"], self.task.layout["nu"]
        if column == "rhs":
            return found[:, nq:]
        if column != "jacobian":
            return found
        x, nr = self.task.arrays["x"], self.task.layout["nr"]
        nx = x.shape[1]
        a = found[:, : nx * nx].reshape(-1, nx, nx)[:, nq:]
        b = found[:, nx * nx :].reshape(len(x), nx, nr)[:, nq:]
        slopes = np.concatenate([a, b], axis=2)
        return to_tangents(slopes, x[:, :nq], nu) if self.task.row.is_tree else slopes

    def forces(self, accelerations: np.ndarray) -> np.ndarray:
        """Return the generalized forces (k, nu) with which the motion at each random state has these u'."""
        loop = self._loops["inverse_dynamics"]
        return dataclasses.replace(loop, e=np.ascontiguousarray(accelerations)).values()

    def seconds(self, column: str, calls: int) -> float:
        """Return the time of a block; of an ensemble, of so many steps of all trajectories."""
        if column != "ensemble":
            return self._loops[column].seconds(calls)
        return processor_seconds(lambda: self._run(self._starts(), calls))
