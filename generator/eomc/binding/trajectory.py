"""What a simulation returns: times, states and outputs, by position and by name."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eomc.binding.plotting import Quantity, draw
from eomc.binding.table import table_text
from eomc.binding.vectors import name_of_key, unknown_name
from eomc.errors import OutputError
from eomc.wording import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trajectory:
    """Stored points of a motion.

    ``trajectory["theta"]`` is the column of a state or an output, ``trajectory["t"]`` the time. The arguments ``t``,
    ``x``, ``inputs`` and ``parameters`` can be handed to any function of the simulator:
    ``sim.energy(trajectory.t, trajectory.x, trajectory.inputs, trajectory.parameters)``.
    """

    model: str
    method: str
    t: NDArray[np.float64]  # (n,) [s]
    x: NDArray[np.float64]  # (n, nx)
    outputs: NDArray[np.float64]  # (n, ny)
    inputs: NDArray[np.float64]  # (n, nr)
    parameters: NDArray[np.float64]  # (np,)
    quantities: tuple[Quantity, ...]  # states, then outputs
    real: str = "double"  # scalar type of the program that made it

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the states, then of the outputs."""
        return tuple(quantity.name for quantity in self.quantities)

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, name: object) -> NDArray[np.float64]:
        """Return one quantity over time, shape (n,).

        Raises
        ------
        UsageError
            No state or output has this name.
        """
        key = name_of_key(name)
        if key in self.names:
            return self._table()[self.names.index(key)]
        if key == "t":
            return self.t
        raise unknown_name(self.model, "state or output", key, ("t", *self.names))

    def __repr__(self) -> str:
        span = f"{counted(len(self), 'point')}, t = {self.t[0]:g} ... {self.t[-1]:g}"
        return f"<eomc.Trajectory of {self.model} ({self.method}): {span}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write time, states and outputs as comma separated values, one line per point, as the emitted main does.

        A number has as many digits as it takes to read the same number back.

        Raises
        ------
        OutputError
            The file cannot be written.
        """
        try:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(table_text(("t", *self.names), (self.t, *self._table()), self.real))
        except OSError as error:
            raise OutputError(f"the trajectory cannot be written to {os.fspath(path)!r}: {error.strerror}") from error

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """Draw every quantity over time and return the figure; with `path`, also write it in the format of its suffix.

        Raises
        ------
        OutputError
            matplotlib is not installed, or the file cannot be written.
        """
        columns = [(quantity, self[quantity.name]) for quantity in self.quantities]
        return draw(f"{self.model} ({self.method})", self.t, columns, path)

    def _table(self) -> tuple[NDArray[np.float64], ...]:
        return (*self.x.T, *self.outputs.T)
