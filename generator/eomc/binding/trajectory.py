"""What a simulation returns: times, states and outputs, by position and by name."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.along import Along
from eomc.binding.cell import trajectory_cell
from eomc.binding.controls import positive
from eomc.binding.frames import dataframe, dataset
from eomc.binding.hits import Hit, hits_so_far
from eomc.binding.interpolation import Interpolant
from eomc.binding.plotting import Quantity, draw
from eomc.binding.saving import Columns, Recorded, save
from eomc.binding.vectors import Array, name_of_key, real_array, unknown_name
from eomc.errors import UsageError
from eomc.pictures import refuse_unwritable, write
from eomc.wording import counted

if TYPE_CHECKING:
    from pandas import DataFrame
    from xarray import Dataset

    from eomc.binding.figures import ShownFigure


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trajectory:
    """Stored points of a motion.

    ``trajectory["theta"]`` is the column of a state, an output, an input or an energy (``energy_total``),
    ``trajectory["event_impact"]`` counts how often an event has happened so far, ``trajectory["t"]`` is the time;
    ``trajectory(t)`` is the state in between. The arguments ``t``, ``x``, ``inputs`` and ``parameters`` can be handed
    to any function of the simulator: ``sim.power(trajectory.t, trajectory.x, trajectory.inputs,
    trajectory.parameters)``. At a jump two points have one time: the state before and after it.
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
    signals: tuple[Quantity, ...] = ()  # the inputs
    along: Along | None = None  # has the energies
    interpolant: Interpolant | None = None  # has the states between the points
    events: tuple[Hit, ...] = ()  # what happened, in order
    event_names: tuple[str, ...] = ()  # of all events that the model has

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the states, then of the outputs."""
        return tuple(quantity.name for quantity in self.quantities)

    def __len__(self) -> int:
        return len(self.t)

    def __call__(self, t: ArrayLike) -> NDArray[np.float64]:
        """Return the state at a time, shape (nx,), or the states at k times, (k, nx).

        Of fixed steps it is a cubic polynomial with the states and rates at both ends. Of a run to a tolerance, by
        gauss3, with events, or with points or jumps that were asked for, it is the scheme's own dense output, for which
        the run is taken again when it is first asked for. At a jump it is the state after it.

        Raises
        ------
        UsageError
            A time is outside of the run, or no number; or this trajectory was put together without a simulator.
        """
        times = real_array(t, f"{self.model}: times")
        if times.ndim > 1:
            raise UsageError(f"{self.model}: give one time or k of them, not times of shape {times.shape}")
        outside = ~((times >= self.t[0]) & (times <= self.t[-1]))
        if outside.any():
            raise UsageError(
                f"{self.model}: t = {float(times[outside].flat[0]):.9g} is outside of the run, "
                f"{self.t[0]:.9g} to {self.t[-1]:.9g}"
            )
        if self.interpolant is None:
            raise UsageError(f"{self.model}: nothing is known between the points of a trajectory without simulator")
        states: Array = self.interpolant(times.reshape(-1)).reshape(*times.shape, self.x.shape[1])
        return states

    @property
    def energies(self) -> dict[str, NDArray[np.float64]]:
        """The energies [J] by name, as of `Simulator.energy`, (n,) each; none where the model's energy is not known."""
        return {} if self.along is None else dict(self.along.energies)

    def __getitem__(self, name: object) -> NDArray[np.float64]:
        """Return one quantity over time, shape (n,).

        Raises
        ------
        UsageError
            No state, output, input, energy or event has this name.
        """
        key = name_of_key(name)
        if key in self.names:  # the others, which may have to be evaluated, after that
            return self._columns()[1 + self.names.index(key)][1]
        columns = {quantity.name: values for quantity, values in (*self._columns(), *self._further())}
        if key in columns:
            return columns[key]
        raise unknown_name(self.model, "column", key, tuple(columns))

    def __repr__(self) -> str:
        span = counted(len(self), "point") + (f", t = {self.t[0]:g} ... {self.t[-1]:g}" if len(self) else "")
        return f"<eomc.Trajectory of {self.model} ({self.method}): {span}>"

    def _repr_html_(self) -> str:
        """Return first, last, least and greatest of states, outputs and inputs with their curves, for a notebook."""
        columns = [*self._columns()[1:], *zip(self.signals, self.inputs.T, strict=True)]
        return trajectory_cell(self.model, self.method, self.t, columns, self.events)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the trajectory in the format of the file's ending: .csv, .npz, .parquet or .h5.

        ``.csv``, and no ending, is one line per point of time, states and outputs as the emitted main writes them: a
        number has as many digits as it takes to read the same number back. The others have inputs, energies and counts
        of events, too, an array for each name; .parquet needs ``eomc[parquet]``, .h5 ``eomc[hdf5]``, and both keep the
        units.

        Raises
        ------
        OutputError
            An unknown ending, a package that is not installed, or a file that cannot be written.
        """
        save(Recorded(self.model, self.method, self.real, self._columns(), self._further()), path)

    def to_dataframe(self) -> DataFrame:
        """Return states, outputs, inputs, energies and counts of events as a pandas DataFrame over the time t [s].

        ``frame.attrs["units"]`` has their units.

        Raises
        ------
        OutputError
            pandas is not installed.
        """
        return dataframe(self._columns(), self._further())

    def to_xarray(self) -> Dataset:
        """Return what `to_dataframe` has as an xarray Dataset over the time t [s], each with its unit.

        Raises
        ------
        OutputError
            xarray is not installed.
        """
        return dataset(self._columns(), self._further(), {"model": self.model, "method": self.method})

    def plot(self, path: str | os.PathLike[str] | None = None) -> ShownFigure:
        """Draw states and outputs over time and return the figure; with `path`, also write it, in the suffix's format.

        A notebook shows the figure as the value of a cell; no window is opened, and pyplot does not know of it.

        Raises
        ------
        OutputError
            matplotlib is not installed, or the file cannot be written.
        """
        columns = [(quantity, self[quantity.name]) for quantity in self.quantities]
        return draw(f"{self.model} ({self.method})", self.t, columns, path)

    def animate(self, path: str | os.PathLike[str], *, speed: float = 1.0, fps: float = 25.0) -> None:
        """Write the motion as a picture that moves, in the format of the file's ending.

        ``.svg`` of a planar motion, in key frames without a script; ``.glb`` for viewers and Blender; ``.html``, a page
        with nothing beside it, by SVG or WebGL; ``.webp``, which needs ``eomc[pictures]``. Between key frames, which
        are as many as it takes, nothing is farther than a pixel from the motion. Shapes are those of `eomc.scene`.

        Parameters
        ----------
        path
            The file; it is written whole or not at all.
        speed
            Seconds of the motion in one of the picture.
        fps
            Frames a second of ``.webp``.

        Raises
        ------
        OutputError
            An unknown ending, Pillow is not installed, or the file cannot be written.
        UsageError
            The model has no poses, the motion is not planar (of ``.svg``), the trajectory was pickled, or a number is
            not above zero.
        """
        refuse_unwritable(path)
        speed, fps = positive("speed", speed), positive("fps", fps)
        if self.along is None or not len(self):
            raise UsageError(f"{self.model}: a trajectory without simulator has no poses to draw")
        write(self.along.motion(float(self.t[0]), float(self.t[-1]), self), path, speed, fps)

    def _columns(self) -> Columns:
        """Return time, states and outputs."""
        listed = zip(self.quantities, (*self.x.T, *self.outputs.T), strict=True)
        return ((Quantity("t", "s", "Time"), self.t), *listed)

    def _further(self) -> Columns:
        """Return inputs, energies and counts of events but for those whose name a state or an output has."""
        energies = [(Quantity(f"energy_{name}", "J", "Energies"), one) for name, one in self.energies.items()]
        counts = hits_so_far(self.event_names, self.events, self.t)
        events = [(Quantity(f"event_{name}", "", "Events"), count) for name, count in counts.items()]
        taken = ("t", *self.names)
        return [
            column
            for column in (*zip(self.signals, self.inputs.T, strict=True), *energies, *events)
            if column[0].name not in taken
        ]
