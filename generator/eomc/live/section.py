"""The part of a page in which a model runs: markup, script, styles, nothing beside it."""

from __future__ import annotations

import base64
import json
import math
import shlex
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eomc.backends.render import render
from eomc.backends.report.pages import raised
from eomc.integrators import DEFAULT
from eomc.live.appearance import shapes_of
from eomc.live.asking import options_of
from eomc.live.building import compiled, view_of
from eomc.live.contract import Runnable
from eomc.live.dials import Dial, dials_of
from eomc.pictures import View
from eomc.pictures.page import Fragment

_HASHED = 1000
_NARROWEST, _WIDEST = 8, 24  # letters of names beside sliders; longer ones take two lines


@dataclass(frozen=True, slots=True)
class Readout:
    """A state that is shown."""

    name: str
    unit: str


@dataclass(frozen=True, slots=True)
class SectionView:
    """The `m` of the templates of a section."""

    title: str
    drawn: bool
    energy: str  # the one that is shown; "" where none is known
    balanced: bool  # whether its work is known
    parameters: tuple[Dial, ...]
    inputs: tuple[Dial, ...]
    states: tuple[Readout, ...]
    step: str
    hashed_step: str
    scheme: str
    speed: str  # its common logarithm
    command: str  # that prints the hash
    module: str  # WebAssembly, deflated, in base64
    data: str  # JSON
    shapes: str  # JavaScript
    meshes: str  # to which these point, deflated, in base64; "" for none
    widest: int  # letters of the longest name of a number


def section(
    build: Runnable,
    start: Sequence[float],
    *,
    t0: float = 0.0,
    dt: float | None = None,
    parameters: Mapping[str, float],
    inputs: Mapping[str, float],
    view: View | None = None,
    follow: str | None = None,
    speed: float = 1.0,
    named: str = "",
) -> Fragment:
    """Return the simulator of a build as a part of a page.

    Parameters
    ----------
    build
        With ``math="strict"``, an explicit scheme of fixed steps, and what is shown among its functions.
    start, t0
        State, shape (nx,), and time [s] at which it starts.
    dt
        Length of a step [s]; None: of those of the model's usual run.
    parameters, inputs
        Values by name.
    view
        From where it is seen; None: nothing is drawn.
    follow
        Name of the row that stays where it is in the picture.
    speed
        Seconds of the motion in one, at first; as far as the slider goes.
    named
        What the command line calls the model.

    Raises
    ------
    UnsupportedError
        A page cannot run this build.
    BuildError
        There is no clang, no lld beside it, or it refuses the code.
    """
    module = base64.b64encode(zlib.compress(compiled(build), 9)).decode()
    program, shown = build.program, view_of(build)
    dt = program.run.dt if dt is None else dt
    rows = next((one.row_names for one in program.functions if one.name == "poses"), ())
    drawn = view is not None and bool(rows)
    names = [one.name for one in program.parameters]
    looks = shapes_of(build.model, names, parameters) if drawn else None
    numbers = {
        "t0": t0,
        "dt": dt,
        "start": [float(value) for value in start],
        "rows": len(rows),
        "hashed": [_HASHED, program.run.dt],
        "view": _seen(view, rows, follow) if view is not None and drawn else None,
        "meshes": looks.meshes.sizes if looks else (),
    }
    widest = max((len(one.name) for one in (*program.parameters, *program.inputs)), default=0)
    made = SectionView(
        title=build.model.name,
        drawn=drawn,
        energy=shown.energy.name if shown.energy else "",
        balanced=shown.power is not None,
        parameters=dials_of(program.parameters, parameters, centred=False),
        inputs=dials_of(program.inputs, inputs, centred=True),
        states=tuple(Readout(one.name, raised(one.unit)) for one in program.states),
        step=f"{dt:g}",
        hashed_step=f"{program.run.dt:g}",
        scheme=build.tableau.name,
        speed=f"{min(max(math.log10(speed), -3.0), 1.0):.6g}",
        command=_command(build, named or build.model.name),
        module=module,
        data=json.dumps(numbers, separators=(",", ":")).replace("<", "\\u003c"),
        shapes=looks.shapes.replace("<", "\\u003c") if looks else "[]",
        meshes=looks.meshes.data if looks else "",
        widest=min(max(widest, _NARROWEST), _WIDEST),
    )
    return Fragment(
        render("live/live.html.jinja", made), render("live/live.js.jinja", made), render("live/live.css.jinja", made)
    )


def _seen(view: View, rows: Sequence[str], follow: str | None) -> dict[str, Any]:
    """Return from where it is seen, in numbers of six digits."""

    def short(values: Any) -> list[float]:
        return [float(f"{value:.6g}") for value in values.ravel().tolist()]

    return {
        "axes": [short(row) for row in view.axes],
        "low": short(view.low),
        "high": short(view.high),
        "follow": rows.index(follow) if follow is not None else -1,
    }


def _command(build: Runnable, named: str) -> str:
    """Return the command that writes the C, and makes it print the same hash."""
    words = ["eomc", "generate", named, "--target", "host", "--math", "strict", *options_of(build)]
    if build.tableau.name != DEFAULT.name or build.program.events:  # a tolerance is the default of these
        words += ["--integrator", build.tableau.name]
    folder = f"build/{build.model.name}"
    return f"{shlex.join([*words, '-o', folder])} && make -s -C {folder} hash"
