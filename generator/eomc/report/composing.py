"""A model on one page: what it is, how it moves, its symbols, its equations, what its C takes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from eomc.analysis.contract import Built
from eomc.backends.render import render
from eomc.backends.report import style as style_of_equations
from eomc.binding import Trajectory
from eomc.binding.controls import positive
from eomc.errors import EomcError, RunError, UsageError
from eomc.live import section
from eomc.live.contract import Runnable
from eomc.model.placements import placements
from eomc.pictures import Motion, View
from eomc.pictures.page import Fragment, figure
from eomc.pictures.sampling import refuse_unknown
from eomc.pictures.writing import refuse_speed, warn_of_unread
from eomc.report.contract import Reported
from eomc.report.counts import operations
from eomc.report.eigenvalues import modes
from eomc.report.energetics import energies
from eomc.report.formulas import equations
from eomc.report.symbols import inputs, outputs, parameters, states
from eomc.version import __version__
from eomc.wording import counted

_FAR = 5.0  # times its size


@dataclass(frozen=True, slots=True)
class Part:
    """A section of the page."""

    name: str  # by which a link finds it
    title: str
    markup: str
    folded: bool = False


@dataclass(frozen=True, slots=True)
class PageView:
    """The `m` of the page's template."""

    title: str
    description: str
    about: str
    style: str
    parts: tuple[Part, ...]
    scripts: tuple[str, ...]
    made: str


def style() -> str:
    """Return the CSS of all parts; that of equations styles what stands in an element of the class ``eomc``."""
    return f"{render('report/page.css.jinja', None)}{style_of_equations()}"


def page(
    build: Reported,
    trajectory: Trajectory,
    *,
    ended: RunError | None = None,
    speed: float | None = None,
    follow: str | None = None,
    named: str = "",
    live: Runnable | None = None,
    dt: float | None = None,
) -> str:
    """Return the page of a build and a motion of it.

    Parameters
    ----------
    build
        What `eomc.compile` returns.
    trajectory
        Of it.
    ended
        What ended the motion early; None where nothing did.
    speed, follow
        Of the picture, and of the simulator, as `Trajectory.animate` takes them.
    named
        What the command line calls the model, for commands that are told; "" where it has no name there.
    live
        Of the same model, to be run by the page in steps of `dt` [s], None: those of its usual run; None for none.

    Warns
    -----
    UserWarning
        Files of meshes cannot be read.

    Raises
    ------
    UsageError
        The trajectory is none of this build, nothing has the name to follow, or nobody could look at this speed.
    UnsupportedError
        A page cannot run `live`.
    BuildError
        There is no clang or no lld to make that of.
    """
    if follow is not None:
        refuse_unknown(build.model.name, [one.name for one in placements(build.model).rows], follow)
    _refuse_foreign(build, trajectory)
    speed = build.model.run.speed if speed is None else positive("speed", speed)
    motion, reason = _motion(trajectory, float(trajectory.t[-1]), follow)
    if motion is not None:
        refuse_speed(motion, speed)
        warn_of_unread(motion)
    drawn = None if motion is None else figure(motion, speed, rests=live is not None)
    step = None if dt is None else positive("dt", dt)
    runs = None if live is None else _simulator(live, trajectory, motion, step, speed, follow, named)
    early = "" if ended is None else _paragraph(f"It ended early: {ended}")
    shown = f'<figure class="picture">{drawn.markup.removeprefix("<figure>")}' if drawn else _paragraph(reason)
    listed = [
        Part("simulator", "Simulator", runs.markup if runs else ""),
        Part("motion", "Motion", shown + _paragraph(_run(build, trajectory)) + early),
        Part("energies", "Energies", energies(trajectory)),
        Part("eigenvalues", "Eigenvalues", modes(build, trajectory)),
        *_symbols(build, trajectory),
        Part("equations", "Equations of motion", f'<div class="eomc">{equations(build, named)}</div>', folded=True),
        Part("operations", "Operations", operations(build), folded=True),
    ]
    view = PageView(
        title=build.model.name,
        description=build.model.description,
        about=f"{build.equations.method.title}: {_sizes(build)}",
        style=style() + "".join(one.style for one in (drawn, runs) if one),
        parts=tuple(part for part in listed if part.markup),
        scripts=tuple(one.script for one in (drawn, runs) if one),
        made=f"eomc {__version__}",
    )
    return render("report/page.html.jinja", view)


def _refuse_foreign(build: Reported, trajectory: object) -> None:
    """Refuse what is no motion of this build."""
    name = build.model.name
    if not isinstance(trajectory, Trajectory):
        raise UsageError(f"{name}: a report shows a trajectory, as sim.simulate returns it, not {trajectory!r}")
    states = tuple(one.name for one in build.program.states)
    if not len(trajectory):
        raise UsageError(f"{name}: the trajectory has no points")
    if trajectory.model != name or trajectory.names[: trajectory.x.shape[1]] != states:
        raise UsageError(
            f"{name}: the trajectory is one of {trajectory.model} by {trajectory.method}, the report one of {name} by "
            f"{build.method}: give a motion by build.load()"
        )


def _motion(trajectory: Trajectory, end: float, follow: str | None) -> tuple[Motion | None, str]:
    """Return the motion from its start to a time in key frames, or why there is no picture of it."""
    if trajectory.along is None:
        return None, "No picture: the trajectory has no simulator."
    try:
        return trajectory.along.motion(float(trajectory.t[0]), end, trajectory, follow), ""
    except EomcError as error:
        return None, f"No picture: {error}"


def _simulator(
    build: Runnable,
    trajectory: Trajectory,
    motion: Motion | None,
    dt: float | None,
    speed: float,
    follow: str | None,
    named: str,
) -> Fragment:
    """Return the part of the page that runs, from where the trajectory starts: what is too wild is seen so."""
    start = float(trajectory.t[0])
    begins, _ = _motion(trajectory, start, follow)
    views = [one.view for one in (motion, begins) if one is not None]
    given, held = _values_of(build, trajectory)
    return section(
        build,
        trajectory.x[0].tolist(),
        t0=start,
        dt=dt,
        parameters=given,
        inputs=held,
        view=_nearer(*views) if views else None,
        follow=follow,
        speed=speed,
        named=named,
    )


def _nearer(whole: View, begins: View | None = None) -> View:
    """Return from where a motion is seen; what goes far for its size is seen as large as it starts."""
    if begins is None:
        return whole
    wide = whole.axes @ begins.axes.T @ (begins.high - begins.low)
    size, all_of_it = float(abs(wide[:2]).max()), float((whole.high - whole.low)[:2].max())
    if all_of_it <= _FAR * size:
        return whole
    middle, half = whole.axes @ begins.axes.T @ (begins.high + begins.low) / 2, np.full(3, 1.5 * size)
    return replace(whole, low=middle - half, high=middle + half)


def _values_of(build: Built, trajectory: Trajectory) -> tuple[dict[str, float], dict[str, float]]:
    """Return parameters, and inputs at the start, by name."""
    program = build.program
    given = dict(zip((one.name for one in program.parameters), trajectory.parameters.tolist(), strict=True))
    held = dict(zip((one.name for one in program.inputs), trajectory.inputs[0].tolist(), strict=True))
    return given, held


def _symbols(build: Reported, trajectory: Trajectory) -> list[Part]:
    """Return the tables of the symbols, with the values of the run."""
    program = build.program
    start = dict(zip((one.name for one in program.states), trajectory.x[0].tolist(), strict=True))
    given, held = _values_of(build, trajectory)
    return [
        Part("parameters", "Parameters", parameters(build, given)),
        Part("inputs", "Inputs", inputs(build, held)),
        Part("states", "States", states(build, start)),
        Part("outputs", "Outputs", outputs(build)),
    ]


def _sizes(build: Reported) -> str:
    program = build.program
    sizes = [
        (program.states, "state"),
        (program.inputs, "input"),
        (program.parameters, "parameter"),
        (program.events, "event"),
    ]
    return ", ".join(counted(len(members), noun) for members, noun in sizes if members)


def _run(build: Reported, trajectory: Trajectory) -> str:
    """Return of what run the picture is."""
    span = f"{counted(len(trajectory), 'point')} from t = {trajectory.t[0]:g} s to {trajectory.t[-1]:g} s"
    happened = Counter(hit.name for hit in trajectory.events)
    events = "".join(f"; {name} {counted(times, 'time')}" for name, times in happened.items())
    return f"{span} by {build.integrator.name}{events}."


def _paragraph(text: str) -> str:
    return render("report/paragraph.html.jinja", text) if text else ""
