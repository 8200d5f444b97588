"""A motion as one page that needs nothing beside it: SVG where it is planar, else WebGL 2."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np

from eomc.pictures.glb import glb, upright_axes
from eomc.pictures.home import home_of
from eomc.pictures.motion import Motion
from eomc.pictures.svg import svg

_HERE = Path(__file__).parent

_SHOW_SVG = """\
const picture = document.querySelector("svg");
picture.pauseAnimations();
function show(share) { picture.setCurrentTime(share * duration); }"""


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a page shows and runs beside others; one of its kind in a page, for its elements have names."""

    markup: str
    script: str
    style: str  # CSS


def page(motion: Motion, speed: float) -> str:
    """Return a page with the picture, its time and a button; it rests where a reader prefers less motion.

    Parameters
    ----------
    motion
        What is drawn.
    speed
        Seconds of the motion in one of the picture.
    """
    made = figure(motion, speed)
    title = escape(motion.title)
    return _filled("page.html", {"TITLE": title, "STYLE": made.style, "FIGURE": made.markup, "SCRIPT": made.script})


def figure(motion: Motion, speed: float, *, rests: bool = False) -> Fragment:
    """Return what a page shows of a motion, for a page of others; one that `rests` waits to be played."""
    if motion.view.planar:
        picture, show = svg(motion, speed).rstrip(), _SHOW_SVG
    else:
        data = base64.b64encode(glb(motion, speed)).decode()
        picture = f'<canvas id="view" role="img" aria-label="{escape(motion.words)}"></canvas>\n'
        picture += f'<script type="text/plain" id="glb">{data}</script>'
        show = _drawing(motion)
    playing = {
        "BEGIN": repr(motion.begin),
        "END": repr(motion.end),
        "DURATION": repr((motion.end - motion.begin) / speed),
        "SHOW": show,
        "RESTS": json.dumps(rests),
    }
    markup = _filled("figure.html", {"PICTURE": picture, "WORDS": escape(motion.words)})
    return Fragment(markup, _filled("playing.js", playing), _filled("figure.css", {}))


def _drawing(motion: Motion) -> str:
    """Return the script that draws, with the eye where the view has it."""
    view, axes = motion.view, upright_axes(motion)
    eye = axes @ view.normal
    middle = axes @ view.axes.T @ ((view.low + view.high) / 2)
    values = {
        "AZIMUTH": f"{float(np.arctan2(eye[0], eye[2])):.6f}",
        "ELEVATION": f"{float(np.arcsin(np.clip(eye[1], -1.0, 1.0))):.6f}",
        "CENTRE": json.dumps([float(one) for one in middle]),
        "TIMES": json.dumps(view.times.tolist()),
        "PLACES": json.dumps(((view.places - home_of(motion)) @ axes.T).tolist()),
        "HALF": repr(float((view.high - view.low)[:2].max() / 2)),
    }
    return _filled("drawing.js", values).rstrip()


def _filled(name: str, values: dict[str, str]) -> str:
    """Return a text with what stands between two at signs put in; what is put in is not looked at again."""
    text = (_HERE / name).read_text(encoding="utf-8")
    pieces = text.split("@")
    return "".join(values[piece] if k % 2 else piece for k, piece in enumerate(pieces))
