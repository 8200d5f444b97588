"""Where calls into the C read and write, and the constants that belong to a set of parameters.

The emitted C is re-entrant: whatever a call writes is owned by the caller. Each thread therefore has its own buffers,
while prepared constants, which calls only read, are shared.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.bodies import Bodies
from eomc.binding.library import Library
from eomc.binding.vectors import NamedVector, Real, Values
from eomc.errors import SingularSystemError
from eomc.ir.remedies import remedy


@dataclass(frozen=True, slots=True)
class Constants:
    """What the C prepared from one set of parameters; only read after that."""

    memory: NDArray[np.uint8]
    pointer: Any
    doubt: Callable[[], str]  # what there is to say of a link that is no body with them


class ConstantsCache:
    """The constants of the parameters that were used last; the oldest of too many is dropped."""

    def __init__(self, library: Library, parameters: NamedVector, bodies: Bodies, limit: int = 16) -> None:
        self._library = library
        self._parameters = parameters
        self._default: Constants | None = None
        self._prepared = functools.lru_cache(limit)(functools.partial(_prepared, library, parameters, bodies))

    def of(self, parameters: Values | None) -> Constants:
        """Return the constants for parameters by name or in order.

        Raises
        ------
        UsageError
            The parameters are not those of the model.
        SingularSystemError
            A system that depends on the parameters alone has no solution.
        """
        if parameters is None and self._default is not None:
            return self._default
        values = np.array(self._parameters.array(parameters), dtype=real_type(self._library))
        constants = self._prepared(values.tobytes())
        if parameters is None:
            self._default = constants
        return constants


def _prepared(library: Library, parameters: NamedVector, bodies: Bodies, given: bytes) -> Constants:
    """Let the C evaluate what depends on the parameters alone."""
    values = np.frombuffer(given, dtype=real_type(library))
    memory = np.zeros(library.model.constants_size, dtype=np.uint8)
    pointer = library.pointer(memory, "void *")
    doubt = functools.partial(bodies.doubt, values)
    if library.lib.eomc_prepare(library.pointer(values), pointer) != 0:
        owner, names = parameters.owner, parameters.names
        told = ", ".join(f"{name}={value:.9g}" for name, value in zip(names, values.tolist(), strict=True))
        label = library.label_of_constants(pointer)
        raise SingularSystemError(
            f"{owner}: the equations are singular{f' for {label}' if label else ''} in every state, with {told}; "
            + remedy(label, "look for a mass, an inertia or a length that is zero or negative", library.real, doubt())
        )
    return Constants(memory, pointer, doubt)


class Slot:
    """The buffers of one function for one state in one thread; `call` with `arguments` fills what `take` returns."""

    __slots__ = ("_constants", "_inputs", "_out", "arguments", "call", "dv", "take", "x")

    def __init__(self, library: Library, name: str, shape: tuple[int, ...], rates: int, work: Any) -> None:
        real = real_type(library)
        entry = library.functions[name]
        self.x: Real = np.zeros(library.model.nx, dtype=real)
        self.dv: Real = np.zeros(max(1, rates), dtype=real)
        self._inputs: Real = np.zeros(max(1, library.model.nr), dtype=real)
        self._out: Real = np.zeros(shape, dtype=real)
        self._constants: Constants | None = None
        self.arguments: Any = library.ffi.new("eomc_call *")
        self.arguments.x = library.pointer(self.x)
        self.arguments.dv = library.pointer(self.dv)
        self.arguments.r = library.pointer(self._inputs)
        self.arguments.out = library.pointer(self._out)
        self.arguments.work = work
        self.call: Callable[[float, Any], int] = entry.call
        copy: Callable[[], Any] = self._out.copy
        self.take = copy if real == np.float64 else functools.partial(self._out.astype, np.float64)

    def use(self, inputs: Real, constants: Constants) -> None:
        """Set inputs and constants for the calls that follow."""
        self._inputs[: len(inputs)] = inputs
        self._constants = constants  # alive for as long as the C may read it
        self.arguments.c = constants.pointer


class Buffers(threading.local):
    """The memory of one thread: scratch of the C, and slots made on first use.

    ``rhs`` (absent until `prime`) is the slot for default inputs and parameters, which nothing ever changes.
    """

    rhs: Slot

    def __init__(self, library: Library, shapes: Mapping[str, tuple[int, ...]], rates: int) -> None:
        self._library = library
        self._shapes = shapes
        self._rates = rates
        self._memory = np.zeros(library.model.work_size, dtype=np.uint8)
        self._slots: dict[str, Slot] = {}
        self.work = library.pointer(self._memory, "void *")

    def slot(self, name: str) -> Slot:
        """Return the slot of a function, for any inputs and parameters."""
        slot = self._slots.get(name)
        if slot is None:
            slot = self._slots[name] = self._new(name)
        return slot

    def prime(self, inputs: Real, constants: Constants) -> None:
        """Make the slot for defaults, once."""
        if hasattr(self, "rhs"):
            return
        slot = self._new("rhs")
        slot.use(inputs, constants)
        self.rhs = slot

    def _new(self, name: str) -> Slot:
        return Slot(self._library, name, self._shapes[name], self._rates, self.work)


def real_type(library: Library) -> type[np.floating[Any]]:
    """Return NumPy's name of the library's real type."""
    return np.float64 if library.real == "double" else np.float32
