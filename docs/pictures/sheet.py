"""All shipped models, or those named, at four times: `python docs/pictures/sheet.py models.webp [NAME ...]`."""

from __future__ import annotations

import sys
from typing import NamedTuple

from PIL import Image, ImageDraw

import eomc
from eomc.frontends.loading import shipped_models
from eomc.pictures.motion import Motion
from eomc.pictures.webp import still

TIMES = (0.0, 0.3, 0.6, 0.9)
ENDS = {"bouncing_ball": 2.0, "n_four_bar": 2.0}
FOLLOWED = {"whipple_bicycle": "rear_frame"}
WIDE, HIGH, IN_ROW = 160, 130, 2


def cell(picture: Image.Image) -> Image.Image:
    """Return a picture in a cell of the sheet."""
    picture.thumbnail((WIDE - 6, HIGH - 22))
    paper = Image.new("RGB", (WIDE, HIGH), "white")
    paper.paste(picture, ((WIDE - picture.width) // 2, HIGH - 4 - picture.height))
    return paper


class Shown(NamedTuple):
    """A shipped model in motion, by the run that shows it."""

    build: eomc.Build
    t_end: float  # [s]
    followed: str | None
    run: eomc.Trajectory
    motion: Motion


def shown(name: str) -> Shown:
    """Return a model with its motion."""
    build = eomc.compile(eomc.load(name))
    t_end = min(ENDS.get(name, 4.0), build.model.run.t_end)
    run = build.load().simulate(t_end=t_end)
    followed = FOLLOWED.get(name)
    motion = run.along.motion(float(run.t[0]), float(run.t[-1]), run, followed)
    return Shown(build, t_end, followed, run, motion)


def strip(name: str) -> Image.Image:
    """Return a model at four times of its motion."""
    motion = shown(name).motion
    paper = Image.new("RGB", (WIDE * len(TIMES), HIGH), "white")
    for k, share in enumerate(TIMES):
        paper.paste(cell(still(motion, share)), (k * WIDE, 0))
    ImageDraw.Draw(paper).text((6, 4), name, fill="black")
    return paper


def main(path: str, *names: str) -> None:
    """Write the sheet."""
    strips = [strip(name) for name in names or shipped_models()]
    rows = -(-len(strips) // IN_ROW)
    sheet = Image.new("RGB", (IN_ROW * len(TIMES) * WIDE, rows * HIGH), "white")
    for k, one in enumerate(strips):
        sheet.paste(one, (k // rows * len(TIMES) * WIDE, k % rows * HIGH))
    sheet.save(path, quality=60, method=6)
    print(f"{path}: {len(strips)} models")


if __name__ == "__main__":
    main(*sys.argv[1:])
