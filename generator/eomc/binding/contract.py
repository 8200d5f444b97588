"""What the binding needs from a build; `eomc.build.Build` has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from eomc.backends.artifacts import Artifact
from eomc.backends.c99.views import ModelView
from eomc.integrators import Integrator
from eomc.ir.program import Program
from eomc.model import Model
from eomc.passes.steps import Schedule
from eomc.tableaus import Tableau


class Compiled(Protocol):
    """A model after the last stage of the pipeline."""

    @property
    def model(self) -> Model:
        """The mechanism."""

    @property
    def method(self) -> str:
        """The method of derivation, such as ``kane``."""

    @property
    def real(self) -> str:
        """The emitted scalar type, ``double`` or ``float``."""

    @property
    def program(self) -> Program:
        """States, inputs, parameters and functions in the order of the emitted C."""

    @property
    def schedule(self) -> Schedule:
        """The program as the emitted C evaluates it."""

    @property
    def functions(self) -> tuple[str, ...] | None:
        """The optional functions that were asked for; None for the usual ones."""

    @property
    def integrator(self) -> Integrator:
        """The integrator by which runs go where nothing else is said."""

    @property
    def tableau(self) -> Tableau:
        """The scheme of the model's own step."""

    @property
    def flags(self) -> Sequence[str]:
        """What the compiler is told after all else."""

    @property
    def view(self) -> ModelView:
        """All texts of the emitted files."""

    @property
    def artifacts(self) -> Sequence[Artifact]:
        """The emitted files."""

    def initial_state(
        self,
        coordinates: dict[str, float],
        speeds: dict[str, float],
        t: float,
        parameters: Mapping[str, float] | None,
        inputs: Mapping[str, float] | None,
    ) -> Sequence[float]:
        """Return the method's state from coordinates and speeds; what is not given starts as the model says."""

    def with_functions(self, functions: str | Iterable[str] | None) -> Compiled:
        """Return the same build with other functions."""

    def with_integrator(self, integrator: str) -> Compiled:
        """Return the same build with another integrator."""

    def for_runs_by(self, integrator: str, run: bool = False) -> Compiled:
        """Return the same build by another integrator, with the functions of a trajectory alone, and its run in C."""

    def with_step_lanes(self) -> Compiled:
        """Return the same build with a step of several states side by side, and with what a run needs beside."""

    def with_variations(self, integrator: str, parameters: Sequence[str]) -> Compiled:
        """Return a build of power series alone: of the motion and its change by its start and by named parameters."""
