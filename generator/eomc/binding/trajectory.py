"""What a simulation returns: times, states and outputs, by position and by name."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.along import Along
from eomc.binding.cell import trajectory_cell
from eomc.binding.controls import positive
from eomc.binding.frames import dataframe, dataset
from eomc.binding.hits import Hit, hits_so_far
from eomc.binding.interpolation import Interpolant
from eomc.binding.plotting import Columns, Quantity, draw, draw_phase, two_names
from eomc.binding.saving import Recorded, save
from eomc.binding.scales import scales_of
from eomc.binding.vectors import Array, name_of_key, real_array, unknown_name
from eomc.errors import UsageError
from eomc.pictures import refuse_unwritable, warn_of_unread, write
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

    Attributes
    ----------
    model, method, real
        Of what, derived by which method, in which scalar type.
    t, x, outputs, inputs, parameters
        Times (n,) [s], states (n, nx), outputs (n, ny), inputs (n, nr), parameters (np,).
    quantities, signals
        Name, unit and meaning of states and outputs, and of inputs.
    along, interpolant
        What evaluates functions at the points, and states between them; None where a trajectory has no simulator.
    events, event_names
        What happened, in order, and the names of all events that the model has.

    Examples
    --------
    >>> import eomc
    >>> motion = eomc.compile(eomc.load("simple_pendulum")).load().simulate(t_end=0.1)
    >>> len(motion), motion.names[:2], motion(0.05).shape
    (101, ('theta', 'theta_d'), (2,))
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

        The ending of `path` names the format.
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

    def plot(
        self,
        *names: str | os.PathLike[str],
        path: str | os.PathLike[str] | None = None,
        phase: tuple[str, str] | None = None,
        section: str | float | None = None,
    ) -> ShownFigure:
        """Draw quantities over time, or one over another, and return the figure.

        A notebook shows the figure as the value of a cell; no window is opened, and pyplot does not know of it. What
        changes by no more than rounding is drawn as a line.

        Parameters
        ----------
        names
            Of states, outputs, inputs, energies or events; states and outputs by default. One that is no such name and
            has an ending is the path.
        path
            The figure is also written there, in the format of its ending.
        phase
            Two names: the second is drawn over the first.
        section
            Of a `phase` of two states dots alone, a Poincaré section: after each event of this name, or, for a number,
            at the times t0 + k `section` [s] of a driven motion.

        Raises
        ------
        OutputError
            matplotlib is not installed, or the file cannot be written.
        UsageError
            A name is unknown, or a section is none.
        """
        asked, path = self._asked(names, path)
        title = f"{self.model} ({self.method})"
        eps = float(np.finfo(np.float32 if self.real == "float" else np.float64).eps)
        if phase is None:
            if section is not None:
                raise UsageError(f"{self.model}: a section is one of a phase: give phase=(name, name), too")
            columns = [self._column(name) for name in asked or self.names]
            return draw(title, self.t, columns, path, self._scales(columns), eps)
        if asked:
            raise UsageError(f"{self.model}: phase= takes two names, and no others beside them")
        across, upwards = map(self._column, two_names(self.model, phase))
        scales = self._scales([across, upwards])
        if section is None:
            return draw_phase(title, across, upwards, path, scales, eps, dots=False)
        states = self._section(section)
        first, second = ((one[0], self._of_states(one[0], states)) for one in (across, upwards))
        return draw_phase(title, first, second, path, scales, eps, dots=True)

    def _asked(
        self, names: tuple[str | os.PathLike[str], ...], path: str | os.PathLike[str] | None
    ) -> tuple[list[str], str | os.PathLike[str] | None]:
        """Return names of columns, and the path among them."""
        asked = []
        for name in names:
            if isinstance(name, os.PathLike) or (name not in self.names and Path(str(name)).suffix):
                if path is not None:
                    raise UsageError(f"{self.model}: plot has two paths, {os.fspath(path)!r} and {os.fspath(name)!r}")
                path = name
            else:
                asked.append(name)
        return asked, path

    def _column(self, name: object) -> tuple[Quantity, Array]:
        """Return one quantity with its name and unit."""
        values = self[name]
        columns = (*self._columns(), *(() if name_of_key(name) in self.names else self._further()))
        return next(quantity for quantity, _ in columns if quantity.name == name_of_key(name)), values

    def _scales(self, columns: Columns) -> dict[str, float]:
        """Return how large quantities are, by unit."""
        span = float(self.t[-1] - self.t[0]) if len(self) else 0.0
        return scales_of(((quantity.unit, values) for quantity, values in (*self._columns()[1:], *columns)), span)

    def _section(self, section: str | float) -> Array:
        """Return the states of a section, shape (k, nx)."""
        if isinstance(section, str):
            if section not in self.event_names:
                raise unknown_name(self.model, "event", section, self.event_names)
            hits = [hit.after for hit in self.events if hit.name == section]
            return np.reshape(hits, (-1, self.x.shape[1]))
        period = positive("section", section)
        count = int(np.floor(float(self.t[-1] - self.t[0]) / period * (1.0 + 1e-12)))
        return self(np.minimum(self.t[0] + period * np.arange(count + 1), self.t[-1]))

    def _of_states(self, quantity: Quantity, states: Array) -> Array:
        """Return a state of many."""
        known = self.names[: self.x.shape[1]]
        if quantity.name not in known:
            raise UsageError(f"{self.model}: a section is one of states, and {quantity.name} is none")
        column: Array = states[:, known.index(quantity.name)]
        return column

    def animate(
        self,
        path: str | os.PathLike[str],
        *,
        speed: float | None = None,
        fps: float = 25.0,
        pixels: int = 480,
        follow: str | None = None,
    ) -> None:
        """Write the motion as a picture that moves, in the format of the file's ending.

        ``.svg`` of a planar motion, in key frames without a script; ``.glb`` for viewers and Blender; ``.html``, a page
        with nothing beside it, by SVG or WebGL; ``.webp``, which needs ``eomc[pictures]``. Between key frames, which
        are as many as it takes, nothing is farther than a pixel from the motion. Shapes are those of `eomc.scene`.

        Parameters
        ----------
        path
            The file; it is written whole or not at all.
        speed
            Seconds of the motion in one of the picture; None: as of the model's usual run, 1 of most.
        fps
            Frames a second of ``.webp``.
        pixels
            Along the longer side of ``.webp``, 16 to 4096; the others have any size.
        follow
            Name of a body, link or point that stays where it is in the picture, for what goes far for its size; viewers
            of ``.glb`` have an eye of their own.

        Warns
        -----
        UserWarning
            Files of meshes cannot be read.

        Raises
        ------
        OutputError
            An unknown ending, Pillow is not installed, or the file cannot be written.
        UsageError
            The model has no poses, the motion is not planar (of ``.svg``), the trajectory was pickled, or a number is
            not above zero, or no size of a picture.
        """
        refuse_unwritable(path)
        fps = positive("fps", fps)
        if pixels not in range(16, 4097):
            raise UsageError(f"pixels is {pixels!r}: give a whole number from 16 to 4096")
        if self.along is None or not len(self):
            raise UsageError(f"{self.model}: a trajectory without simulator has no poses to draw")
        speed = self.along.speed if speed is None else positive("speed", speed)
        motion = self.along.motion(float(self.t[0]), float(self.t[-1]), self, follow)
        warn_of_unread(motion)
        write(motion, path, speed, fps, int(pixels))

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
