"""What every contender is asked for."""

from __future__ import annotations

import json
import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from comparison.rows import ROWS, Row

__all__ = ["Contender", "Refused", "Task"]


class Refused(Exception):
    """A contender has no such function; the text says why, in a few words."""


@dataclass(frozen=True)
class Task:
    """What a contender is given: the row, a folder, flags of the compiler, a limit of time [s], options of eomc."""

    row: Row
    folder: Path
    flags: tuple[str, ...]
    limit: float
    math: str = "libm"  # whose sine eomc's C calls

    @classmethod
    def read(cls, folder: Path) -> Task:
        """Return the task that is written in a folder."""
        told = json.loads((folder / "task.json").read_text())
        return cls(ROWS[told["row"]], folder, tuple(told["flags"]), told["limit"], told["math"])

    def write(self) -> None:
        """Write it for another process."""
        self.folder.mkdir(parents=True, exist_ok=True)
        told = {"row": self.row.name, "flags": self.flags, "limit": self.limit, "math": self.math}
        (self.folder / "task.json").write_text(json.dumps(told))

    @cached_property
    def layout(self) -> dict[str, Any]:
        """The order of eomc's coordinates, speeds and inputs, which is that of the arrays."""
        layout: dict[str, Any] = json.loads((self.folder / "layout.json").read_text())
        return layout

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """The random states `x`, inputs `r` and accelerations `a`, a row each."""
        return dict(np.load(self.folder / "states.npz"))

    def forces(self) -> np.ndarray:
        """Return the inputs as generalized forces along eomc's speeds."""
        r = self.arrays["r"]
        forces = np.zeros((len(r), self.layout["nu"]))
        forces[:, self.layout["at_r"]] = r
        return forces


class Contender(ABC):
    """A tool with its functions of one row.

    Results are in eomc's order: `rhs` accelerations u' (k, nu); `inverse_dynamics` generalized forces (k, nu);
    `jacobian` derivatives of u' by small changes of the place in child axes, by speeds and by inputs, or where there
    is no free base simply by q, u and r (k, nu, 2 nu + nr); `rk4` and `ensemble` states (k, nx).
    """

    columns: ClassVar[tuple[str, ...]] = ()
    faults: ClassVar[tuple[type[Exception], ...]] = (
        ArithmeticError,
        ImportError,
        MemoryError,
        OSError,
        RuntimeError,
        ValueError,
        subprocess.SubprocessError,
    )  # what ends one cell: that of its library, and of compilers; what else is raised ends the process
    why_not: ClassVar[dict[str, str]] = {}  # columns that it has not

    def __init__(self, task: Task) -> None:
        self.task = task

    @classmethod
    def serves(cls, row: Row) -> str:
        """Return why it has no such row, or nothing."""
        return ""

    @classmethod
    def install(cls, folder: Path, flags: tuple[str, ...]) -> Path | None:
        """Make what serves all rows, without a limit of time, and return where it is; most need nothing."""
        return None

    @abstractmethod
    def build(self, column: str) -> dict[str, float]:
        """Make a function, and return what that took where it is the right-hand side.

        Raises
        ------
        Refused
            It has none.
        """

    @abstractmethod
    def values(self, column: str) -> np.ndarray:
        """Return the results at all random states, in eomc's order."""

    def forces(self, accelerations: np.ndarray) -> np.ndarray:
        """Return the generalized forces (k, nu) of given accelerations; asked of eomc alone."""
        raise NotImplementedError

    @abstractmethod
    def seconds(self, column: str, calls: int) -> float:
        """Return the time of a block of calls, or of steps of an ensemble of all starts."""
