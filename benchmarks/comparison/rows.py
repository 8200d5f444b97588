"""The rows of the table: which mechanism, and where its description comes from."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collection import ROBOTS, chain, robots_folder, welded

if TYPE_CHECKING:
    import eomc

__all__ = ["ROWS", "Kind", "Row", "chosen", "model_of", "urdf_of"]


class Kind(Enum):
    """What a row's mechanism is, which decides who can take it."""

    PENDULUM = "pendulum"  # a cart with links in a plane: bodies of SymPy, and a tree of joints in relative angles
    ROBOT = "robot"  # a URDF
    MODEL = "model"  # bodies of SymPy under constraints


@dataclass(frozen=True, slots=True)
class Row:
    """A mechanism of the table."""

    name: str
    kind: Kind
    title: str
    size: int = 0  # links of a pendulum or of a chain
    base: str = "fixed"
    shipped: str = ""  # the name of the model that eomc ships

    @property
    def is_tree(self) -> bool:
        """Whether it is a tree of joints without constraints."""
        return self.kind is not Kind.MODEL


def _rows() -> tuple[Row, ...]:
    pendulums = [
        Row(f"cart{n}", Kind.PENDULUM, f"cart, {n} link{'s' if n > 1 else ''}", n, shipped=f"n_link_pendulum:{n}")
        for n in range(1, 21)
    ]
    chains = [Row(f"chain{n}", Kind.ROBOT, f"chain of {n}", n) for n in (3, 7, 12, 30, 100, 1000)]
    titles = {"panda": "Panda", "ur5": "UR5", "solo12": "Solo12", "anymal": "ANYmal", "g1": "G1", "talos": "Talos"}
    robots = [Row(name, Kind.ROBOT, title, base=ROBOTS[name][1]) for name, title in titles.items()]
    models = [
        Row("bicycle", Kind.MODEL, "bicycle", shipped="whipple_bicycle"),
        Row("disk", Kind.MODEL, "rolling disk", shipped="rolling_disk"),
        Row("fourbar", Kind.MODEL, "four-bar", shipped="four_bar"),
    ]
    return (*pendulums, *chains, *robots, *models)


ROWS = {row.name: row for row in _rows()}


def chosen(names: str) -> tuple[Row, ...]:
    """Return rows by their names, all of them for no name.

    Raises
    ------
    SystemExit
        A name that is none.
    """
    unknown = [name for name in names.split() if name not in ROWS]
    if unknown:
        raise SystemExit(f"no row {', '.join(unknown)}; there are {' '.join(ROWS)}")
    return tuple(ROWS[name] for name in names.split()) or tuple(ROWS.values())


def urdf_of(row: Row, folder: Path) -> Path:
    """Return a robot's file: that of example-robot-data, Panda's with its fingers welded, or a chain written now."""
    path = folder / f"{row.name}.urdf"
    if row.size:
        path.write_text(chain(row.size), encoding="utf-8")
        return path
    original = robots_folder() / ROBOTS[row.name][0]
    if row.name == "panda":
        path.write_text(welded(original.read_text(encoding="utf-8"), "panda_finger"), encoding="utf-8")
        return path
    return original


def model_of(row: Row, folder: Path) -> eomc.Model:
    """Return eomc's model of a row; losses of joints are left out, for not all peers have them."""
    import eomc

    if row.kind is not Kind.ROBOT:
        return eomc.load(row.shipped)
    options: dict[str, Any] = {"base": row.base, "damping": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eomc.from_urdf(urdf_of(row, folder), **options)
