"""The steps of a run, as a follower is told of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.binding.samples import Samples
from eomc.binding.sensitivity.reached import Steps
from eomc.binding.trajectory import Trajectory
from eomc.binding.vectors import Array


class Record:
    """Keeps all steps of a run: their ends, and the inputs that they take."""

    def __init__(self) -> None:
        self._blocks: list[Steps] = []
        self._ends: list[tuple[Array, Array]] = []
        self._inputs: list[Array] = []  # at the beginnings of the steps

    def __call__(self, t: Array, x: Array, inputs: Array, taken: Array) -> None:
        """Take some steps that follow the last; see `eomc.binding.integration.Follower`."""
        self._inputs.append(inputs[:-1])
        self._blocks.append(Steps(t[:-1], np.diff(t), x[:-1], taken))
        self._ends.append((t[1:], x[1:]))

    def start(self, run: Trajectory) -> tuple[Array, Array, Array]:
        """Return time (1,), state (1, nx) and inputs (1, nr) at the start; of a run without a step its points."""
        if not self._blocks:
            return run.t[:1], run.x[:1], run.inputs[:1]
        return self._blocks[0].t[:1], self._blocks[0].x[:1], self._inputs[0][:1]

    @property
    def ends(self) -> tuple[Array, Array]:
        """Times and states between which the steps go, one more than steps; none of a run without a step."""
        if not self._blocks:
            return np.zeros(0), np.zeros((0, 0))
        first = self._blocks[0]
        return (
            np.concatenate([first.t[:1], *(t for t, _ in self._ends)]),
            np.concatenate([first.x[:1], *(x for _, x in self._ends)]),
        )

    @property
    def inputs(self) -> Samples:
        """The inputs as samples that are held over each step."""
        t, first = np.unique(np.concatenate([block.t for block in self._blocks]), return_index=True)
        return Samples(t, np.concatenate(self._inputs)[first], "held")

    def parts(self, most: int) -> Iterator[Steps]:
        """Yield the steps in their order, `most` at once."""
        for block in self._blocks:
            for first in range(0, len(block.t), most):
                yield block.part(slice(first, first + most))
