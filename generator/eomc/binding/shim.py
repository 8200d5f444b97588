"""The private C file between the emitted code and Python, and all the texts that go into a library."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import PurePosixPath

from eomc.backends.c99.names import model_identifier
from eomc.backends.c99.stepping import trial_state
from eomc.backends.render import render
from eomc.binding.contract import Compiled
from eomc.binding.library import declarations
from eomc.errors import BuildError
from eomc.ir.program import Function, Program

__all__ = ["ShimFunction", "ShimView", "library_sources", "shim_view"]


@dataclass(frozen=True, slots=True)
class ShimFunction:
    """A function of the program."""

    name: str
    size: int
    offsets: tuple[int, ...]  # where each array of results begins


@dataclass(frozen=True, slots=True)
class ShimProjection:
    """What `c99/starting.c.jinja` needs to know."""

    coordinates: bool  # configuration constraints correct the coordinates
    velocities: bool
    first_velocity: int  # index of the first velocity or momentum in the state


@dataclass(frozen=True, slots=True)
class ShimView:
    """All that the shim's template sees."""

    name: str  # C identifier before every external name
    macro: str  # the same before macros
    header: str
    real: str
    nx: int
    parameters: int
    inputs: int
    functions: tuple[ShimFunction, ...]
    lanes: bool  # the right-hand side of many states is evaluated for several of them side by side
    has_checks: bool  # the emitted C can name the pivot that failed
    scheme: str  # of the steps
    times: int  # at which a step takes inputs
    trial: str  # where a step that failed was evaluated last
    declarations: str
    state_units: tuple[int, ...]  # the same number for states of the same unit
    projection: ShimProjection | None  # None where the emitted C has no way back onto the constraints


def shim_view(build: Compiled) -> ShimView:
    """Describe `build` for the template."""
    prefix = model_identifier(build.program.name)
    header = f"{prefix}.h"
    if all(PurePosixPath(file.path).name != header for file in build.artifacts):
        raise BuildError(f"{build.model.name}: the emitted files hold no header, so there is nothing to bind")
    return ShimView(
        name=prefix,
        macro=prefix.upper(),
        header=header,
        real=build.real,
        nx=len(build.program.states),
        parameters=len(build.program.parameters),
        inputs=len(build.program.inputs),
        functions=tuple(map(_function, build.program.functions)),
        lanes=_gains_by_lanes(build),
        has_checks=bool(build.schedule.check_labels),
        scheme=build.integrator.name,
        times=len(build.integrator.times(build.program.projected)),
        trial=trial_state(build.integrator, build.program.projected, "own"),
        declarations=declarations(),
        state_units=build.program.kinds,
        projection=_projection(build.program),
    )


def _projection(program: Program) -> ShimProjection | None:
    names = {function.name for function in program.functions}
    coordinates, velocities = "coordinate_correction" in names, "velocity_correction" in names
    return ShimProjection(coordinates, velocities, program.coordinates) if coordinates or velocities else None


_MOVED = 16
"""Sums, products and quotients per state from which on lanes gain more than the way into lanes and back costs."""


def _gains_by_lanes(build: Compiled) -> bool:
    """Whether the right-hand side stands side by side, and is long enough for that: measured by benchmarks/lanes.py."""
    for routine in build.schedule.lanes:
        counts = routine.counts
        arithmetic = counts.additions + counts.multiplications + counts.divisions
        if routine.function.name == "rhs" and routine.loops:
            return arithmetic >= _MOVED * len(build.program.states)
    return False


def _function(function: Function) -> ShimFunction:
    sizes = [array.size for array in function.arrays] or [0]
    return ShimFunction(function.name, len(function.outputs), (0, *itertools.accumulate(sizes[:-1])))


def library_sources(build: Compiled, view: ShimView) -> dict[str, str]:
    """Return file name -> text of all that goes into the library: the model without its main, and the shim."""
    sources = {
        PurePosixPath(file.path).name: file.text
        for file in build.artifacts
        if file.path.endswith((".h", ".c")) and PurePosixPath(file.path).name != "main.c"
    }
    sources["eomc_shim.c"] = render("binding/shim.c.jinja", view)
    return sources
