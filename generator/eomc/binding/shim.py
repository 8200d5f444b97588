"""The private C file between the emitted code and Python, and all the texts that go into a library."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import PurePosixPath

from eomc.backends.c99.views import ModelView
from eomc.backends.render import render
from eomc.binding.contract import Compiled
from eomc.binding.library import declarations
from eomc.errors import BuildError
from eomc.ir.program import STEP_LANES, Function


@dataclass(frozen=True, slots=True)
class ShimFunction:
    """A function of the program."""

    name: str
    size: int
    offsets: tuple[int, ...]  # where each array of results begins
    accelerations: bool  # it takes them


@dataclass(frozen=True, slots=True)
class ShimView:
    """All that the shim's template sees."""

    model: ModelView
    functions: tuple[ShimFunction, ...]
    lanes: bool  # the right-hand side of many states is evaluated for several of them side by side
    outputs: int  # numbers that the model's outputs are; 0 without
    adaptive: bool  # trajectories of an ensemble have steps of their own: by a tolerance, or between events
    declarations: str


def _shim_view(build: Compiled) -> ShimView:
    """Describe `build` for the template."""
    functions = tuple(map(_function, build.program.functions))
    outputs = next((function.size for function in functions if function.name == "outputs"), 0)
    own_steps = build.integrator.adaptive or bool(build.program.events)
    return ShimView(build.view, functions, _gains_by_lanes(build), outputs, own_steps, declarations())


_FUNCTION = 20
"""Sums and products in an own function, or so."""

_MOVED = 16
"""Sums, products and quotients per state from which on lanes gain more than the way into lanes and back costs."""


def _gains_by_lanes(build: Compiled) -> bool:
    """Whether the right-hand side stands side by side, and is long enough for that: measured by benchmarks/lanes.py."""
    for routine in build.schedule.lanes:
        counts = routine.counts
        arithmetic = counts.additions + counts.multiplications + counts.divisions
        if build.view.uses.mathematics.own:  # its functions are arithmetic, too
            arithmetic += _FUNCTION * counts.functions
        if routine.function.name == "rhs" and routine.loops:
            return arithmetic >= _MOVED * len(build.program.states)
    return False


def _function(function: Function) -> ShimFunction:
    sizes = [array.size for array in function.arrays] or [0]
    return ShimFunction(
        function.name, len(function.outputs), (0, *itertools.accumulate(sizes[:-1])), bool(function.accelerations)
    )


def library_sources(build: Compiled) -> dict[str, str]:
    """Return file name -> text of all that goes into the library: the model without its main, and the shim."""
    sources = {
        PurePosixPath(file.path).name: file.text for file in build.artifacts if file.kind in ("header", "source")
    }
    if not {f"{build.view.name}.h", f"{build.view.name}.c"} <= sources.keys():
        raise BuildError(
            f"{build.model.name}: the emitted files hold no header and source, so there is nothing to bind"
        )
    view = _shim_view(build)
    # One unit instead of two takes a quarter less time; the compiler calls the shim's lines those of a file of its own.
    sources[f"{build.view.name}.c"] += '\n#line 1 "eomc_shim.c"\n' + render("binding/shim.c.jinja", view)
    if STEP_LANES in build.program.further:
        sources["eomc_ensemble.c"] = render("binding/ensemble.c.jinja", view)
    return sources
