"""One function at one state or at many: arguments checked, rows that fail counted."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.bodies import Bodies
from eomc.binding.calls import Buffers, Constants, ConstantsCache, real_type
from eomc.binding.contract import Compiled
from eomc.binding.later import Later
from eomc.binding.library import Library
from eomc.binding.sources import InputSource, Sources
from eomc.binding.vectors import NamedVector, Real, Values, real_array
from eomc.errors import RunError, SingularSystemError, UsageError
from eomc.ir.program import STEP_JACOBIAN
from eomc.ir.remedies import cause, remedy
from eomc.model import Model
from eomc.programs.choice import FURTHER, OPTIONAL, base_of
from eomc.programs.functions import ROWS, Presence
from eomc.wording import counted

_UNDETERMINED = "this state does not determine its derivative; keep away from it, or choose other coordinates or speeds"
_OPEN = 2  # <MODEL>_OPEN of the emitted header
_TOO_MANY_EVENTS = 8


class Evaluator:
    """The functions of a program in a library.

    `buffers` are those of the calling thread; `constants` those of the parameters that were used last.
    """

    def __init__(
        self,
        build: Compiled,
        library: Library,
        inputs: NamedVector,
        parameters: NamedVector,
        load: Callable[[Compiled], Evaluator],
    ):
        program = build.program
        self.name = program.name
        self.method = build.method
        self._build = build
        self.parameter_names = parameters.names
        self._requested = Later(lambda name: load(build.with_functions(name)))
        self.functions = {function.name: function for function in program.functions}
        self.state_names = tuple(state.name for state in program.states)
        self.shape = (len(program.states),)
        self.inputs = inputs
        self.sources = Sources(inputs, program.inputs)
        rates = program.accelerations
        self.accelerations = NamedVector("acceleration", self.name, [one.name for one in rates], [0.0] * len(rates))
        self.bodies = Bodies(build, parameters)
        self.constants = ConstantsCache(library, parameters, self.bodies)
        shapes = {function.name: function.shape for function in program.functions}
        self.buffers = Buffers(library, shapes, len(program.accelerations))
        self._library = library

    @property
    def model(self) -> Model:
        """The mechanism."""
        return self._build.model

    def evaluate(
        self,
        name: str,
        t: Any,
        x: ArrayLike,
        inputs: InputSource,
        parameters: Values | None,
        accelerations: Values | None = None,
    ) -> NDArray[np.float64]:
        """Check everything, then evaluate a function at one state or many."""
        return self._serving(name)._values(name, t, x, inputs, parameters, accelerations)

    def by_name(
        self,
        name: str,
        t: Any,
        x: ArrayLike,
        inputs: InputSource,
        parameters: Values | None,
        accelerations: Values | None = None,
    ) -> dict[str, Any]:
        """Return the results by name: floats for one state, arrays of shape (k,) for k states."""
        serving = self._serving(name)
        values = serving._values(name, t, x, inputs, parameters, accelerations)
        columns = values.tolist() if values.ndim == 1 else values.T
        return dict(zip(serving.functions[name].output_names, columns, strict=True))

    def arrays(
        self,
        name: str,
        t: Any,
        x: ArrayLike,
        inputs: InputSource,
        parameters: Values | None,
        accelerations: Values | None = None,
    ) -> list[NDArray[np.float64]]:
        """Return the arrays of results of a function that has several."""
        serving = self._serving(name)
        values = serving._values(name, t, x, inputs, parameters, accelerations)
        arrays = serving.functions[name].arrays
        ends = list(itertools.accumulate(array.size for array in arrays))
        parts = np.split(values, ends[:-1], axis=-1)
        return [part.reshape(*values.shape[:-1], *one.shape) for part, one in zip(parts, arrays, strict=True)]

    def _serving(self, name: str) -> Evaluator:
        """Return what evaluates a function: a build of its own where the usual ones do not have it."""
        if name in self.functions:
            return self
        row = ROWS.get(name)
        if row is None or row.presence is not Presence.ON_REQUEST or self._build.functions is not None:
            raise self.absent(name)
        return self.having(name)

    def having(self, name: str) -> Evaluator:
        """Return what evaluates a function, whether or not it was asked for when this was compiled.

        Raises
        ------
        UsageError
            The model has no such function.
        """
        if name in self.functions:
            return self
        requested = self._requested(name)
        if name not in requested.functions:
            raise self.absent(name)
        return requested

    def _values(
        self,
        name: str,
        t: Any,
        x: ArrayLike,
        inputs: InputSource,
        parameters: Values | None,
        accelerations: Values | None,
    ) -> NDArray[np.float64]:
        """Return the values of a function of this library."""
        states = real_array(x, f"{self.name}: states")
        times = real_array(t, f"{self.name}: times")
        constants = self.constants.of(parameters)
        rates = self._rates(name, accelerations, states)
        if states.ndim == 2:
            return self._many(name, times, states, rates, inputs, constants)
        self.checked_state(states)
        if times.shape != ():
            raise UsageError(f"{self.name}: one state needs one time, not times of shape {times.shape}")
        if name == "rhs" and inputs is None and parameters is None:
            self.buffers.prime(self.inputs.defaults, constants)
        slot = self.buffers.slot(name)
        slot.use(self.inputs.array(self.sources.held(inputs, times)), constants)
        slot.x[...] = states
        slot.dv[: rates.shape[1]] = rates[0]
        if slot.call(float(times), slot.arguments) != 0:
            raise self._singular(float(times), states, constants)
        return slot.take()

    def on_constraints(
        self, t: float, x: ArrayLike, inputs: InputSource, parameters: Values | None, as_start: bool = False
    ) -> tuple[NDArray[np.float64], float]:
        """Bring one state onto the constraints, in C.

        Parameters
        ----------
        t, x, inputs, parameters
            As for a function.
        as_start
            Leave a state that meets the constraints to the bit, as the emitted main does.

        Returns
        -------
        NDArray, shape (nx,)
            The state.
        float
            Of a start: its largest change beside the largest state of its unit, 0 where it was left.

        Raises
        ------
        RunError
            There is no way.
        """
        library, states = self._library, self.checked_state(real_array(x, f"{self.name}: states"))
        moved, given, constants = self._written(states, self.sources.held(inputs, t), parameters)
        by = library.ffi.new("double *")
        arguments = (t, library.pointer(moved), library.pointer(given), constants.pointer, self.buffers.work)
        status = library.lib.eomc_close_start(*arguments, by) if as_start else library.lib.eomc_project(*arguments)
        self._refuse_open(status)
        if status != 0:
            raise self._singular(t, states, constants)
        return (states if as_start and by[0] == 0.0 else moved).astype(np.float64), by[0]

    def after_event(
        self, which: int, name: str, t: float, x: ArrayLike, inputs: Values | None, parameters: Values | None
    ) -> NDArray[np.float64]:
        """Return one state after event `which`, in C."""
        library, states = self._library, self.checked_state(real_array(x, f"{self.name}: states"))
        moved, given, constants = self._written(states, inputs, parameters)
        arguments = (which, t, library.pointer(moved), library.pointer(given), constants.pointer, self.buffers.work)
        status = library.lib.eomc_reset(*arguments)
        if status == _TOO_MANY_EVENTS:
            raise RunError(f"{self.name}: at t = {t:.9g} impulses of {name} follow each other without an end")
        self._refuse_open(status)
        if status != 0:
            raise self._singular(t, states, constants)
        return moved.astype(np.float64)

    def _refuse_open(self, status: int) -> None:
        if status == _OPEN:
            raise RunError(f"{self.name}: no coordinates near the given ones meet the constraints; give others")

    def _written(
        self, states: Real, inputs: Values | None, parameters: Values | None
    ) -> tuple[NDArray[Any], NDArray[Any], Constants]:
        """Return a state and inputs in the library's scalar type, which C may write, and constants."""
        constants, moved = self.constants.of(parameters), states.astype(real_type(self._library))
        given = np.zeros(max(1, len(self.inputs)), dtype=moved.dtype)
        given[: len(self.inputs)] = self.inputs.array(inputs)
        return moved, given, constants

    def _rates(self, name: str, given: Values | None, states: Real) -> Real:
        """Return the accelerations that a function takes, one row for all states or one for each; none of another."""
        wanted = self.functions[name].accelerations
        if (given is None) is bool(wanted):
            names = ", ".join(self.accelerations.names)
            raise UsageError(
                f"{self.name}: {name} {f'needs accelerations [{names}]' if wanted else 'takes no accelerations'}"
            )
        if given is None:
            return np.zeros((1, 0))
        return self._rows(self.accelerations, given, len(states) if states.ndim == 2 else 1)

    def step_jacobian(
        self, t: float, x: ArrayLike, h: float, inputs: InputSource, parameters: Values | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Take one step with held inputs, in C; return the state, its derivatives by the state and by the inputs."""
        if self._build.view.step.derived is None:
            if self._build.functions is not None:
                raise self.absent(STEP_JACOBIAN)
            return self._requested(STEP_JACOBIAN).step_jacobian(t, x, h, inputs, parameters)
        library, states = self._library, self.checked_state(real_array(x, f"{self.name}: states"))
        moved, given, constants = self._written(states, self.sources.held(inputs, t), parameters)
        real, n = moved.dtype, len(self.state_names)
        F, G = np.zeros((n, n), dtype=real), np.zeros((n, max(1, len(self.inputs))), dtype=real)
        arguments = (library.pointer(moved), library.pointer(given), constants.pointer, self.buffers.work)
        status = library.lib.eomc_step_jacobian(t, h, *arguments, library.pointer(F), library.pointer(G))
        self._refuse_open(status)
        if status != 0:
            raise self._singular(t, states, constants)
        moved, F, G = (array.astype(np.float64) for array in (moved, F, G[:, : len(self.inputs)]))
        return moved, F, G

    def _many(
        self, name: str, times: Real, states: Real, rates: Real, inputs: InputSource, constants: Constants
    ) -> NDArray[np.float64]:
        """Evaluate a function at the rows of `states`."""
        count, real, library, function = len(states), real_type(self._library), self._library, self.functions[name]
        if states.shape[1:] != self.shape:
            raise self.wrong_shape(states)
        if times.shape not in ((), (count,)):
            raise UsageError(
                f"{self.name}: give one time, or one for each of {counted(count, 'state')}, not times of shape "
                f"{times.shape}"
            )
        rows = self._rows(self.inputs, self.sources.held(inputs, times), count)
        x = np.ascontiguousarray(states, dtype=real)
        dv = np.ascontiguousarray(rates if rates.size else np.zeros((1, 1)), dtype=real)
        r = np.ascontiguousarray(rows if rows.size else np.zeros((1, 1)), dtype=real)
        out = np.empty((count, *function.shape), dtype=real)
        clock = np.array(times, dtype=np.float64).reshape(-1)
        first = library.ffi.new("int64_t *")
        given = (count, library.pointer(clock, "double *"), int(times.shape != ()), library.pointer(x))
        beside = (library.pointer(dv), dv.shape[1] if len(dv) > 1 else 0)
        arguments = (
            library.pointer(r), r.shape[1] if len(r) > 1 else 0, constants.pointer, self.buffers.work,
            library.pointer(out), first,
        )  # fmt: skip
        if name == "rhs" and library.model.lanes:
            failures = library.lib.eomc_many_side_by_side(*given, *arguments)
        else:
            entry = library.functions[name]
            failures = library.lib.eomc_many(entry.call, len(function.outputs), *given, *beside, *arguments)
        if failures:
            row = first[0]
            reason = self._singular(float(clock[row if len(clock) > 1 else 0]), states[row], constants)
            warnings.warn(
                f"{failures} of {counted(count, 'row')} {'is' if failures == 1 else 'are'} NaN; the first is "
                f"row {row}: {reason}",
                RuntimeWarning,
                stacklevel=5,
            )
        return out.astype(np.float64, copy=False)

    def _rows(self, vector: NamedVector, given: Values | None, count: int) -> Real:
        """Return inputs or accelerations as rows: one for all states, or one for each."""
        if given is not None and not isinstance(given, Mapping):
            array = vector.numbers(given)
            if array.ndim == 2:
                if array.shape != (count, len(vector)):
                    raise UsageError(
                        f"{self.name}: {vector.kind}s of {counted(count, 'state')} must be ({count}, {len(vector)}), "
                        f"one row [{', '.join(vector.names)}] each, not of shape {array.shape}"
                    )
                return vector.finite(array)
        return vector.array(given)[None]

    def checked_state(self, x: Real) -> Real:
        """Return `x` if it is one state of this model."""
        if x.ndim == 2 and x.shape[1:] == self.shape:
            size = len(self.state_names)
            raise UsageError(
                f"{self.name}: one state is wanted here, {counted(size, 'entry', 'entries')} "
                f"[{', '.join(self.state_names)}] of the shape ({size},), not {x.shape}"
            )
        if x.shape != self.shape:
            raise self.wrong_shape(x)
        return x

    def absent(self, name: str) -> UsageError:
        """Say why there is no such function, and what to write where it was left out."""
        selected = self._build.functions
        why = dict(self._build.program.refused).get(name)
        if why is not None:
            return UsageError(f"{self.name} ({self.method}) has no function {name!r}: {why}")
        if selected is not None and name in (*OPTIONAL, *FURTHER) and name not in map(base_of, selected):
            wanted = ", ".join(map(repr, (*selected, name)))
            return UsageError(
                f"{self.name} ({self.method}) was compiled without {name!r}: write "
                f"eomc.compile(model, functions=[{wanted}])"
            )
        return UsageError(f"{self.name} ({self.method}) has no function {name!r}; it has {', '.join(self.functions)}")

    def wrong_shape(self, x: Real, columns: bool = False) -> UsageError:
        """Return what to raise for an array that is neither a state nor states, as rows or as `columns`."""
        size = len(self.state_names)
        many = f"({size}, k)" if columns else f"(k, {size})"
        turned = x.ndim == 2 and x.shape[1 if columns else 0] == size
        other = (
            "; rows are for sim.rhs" if columns else "; sim.columns.rhs takes columns, as SciPy's vectorized=True has"
        )
        return UsageError(
            f"{self.name}: a state has {counted(size, 'entry', 'entries')} [{', '.join(self.state_names)}], and k "
            f"states have the shape {many}, not {x.shape}{other if turned else ''}"
        )

    def _singular(self, t: float, x: Real, constants: Constants) -> SingularSystemError:
        """Say why the last call of this thread failed."""
        for name, value in zip(self.state_names, x.tolist(), strict=True):
            if not math.isfinite(value):
                return SingularSystemError(f"{self.name}: at t = {t:.9g} the state is not finite: {name} = {value}")
        label = self._library.label(self.buffers.work)
        return SingularSystemError(
            f"{self.name}: at t = {t:.9g} {cause(label)}: "
            + remedy(label, _UNDETERMINED, self._library.real, constants.doubt())
        )
