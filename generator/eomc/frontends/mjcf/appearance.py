"""Geoms of a compiled model that are seen, with colours and meshes, where MuJoCo has moved these to.

As with visuals of URDF, the motion does not depend on them: what cannot be drawn is a finding, and refuses no robot.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from eomc.frontends.mjcf.geoms import MESH, PLAIN, PLANE, SHOWN, SOLIDS, UNDRAWN, Geom
from eomc.frontends.robots.findings import Finding, Kind
from eomc.frontends.robots.names import shown
from eomc.model.colours import hex_of
from eomc.model.surfaces import Surface, joined

_NOT_OURS = {1: "a height field", 8: "a signed distance field"}


@dataclass(frozen=True, slots=True)
class Looks:
    """The geoms of each body, those that cannot be drawn by their type alone, and what is told of these."""

    geoms: tuple[tuple[Geom, ...], ...]
    findings: tuple[Finding, ...]


def looks_of(model: Any, geoms: Sequence[str], bodies: Sequence[str]) -> Looks:
    """Return what bodies look like; what is wholly transparent, or of a group that is not shown, is not seen.

    Parameters
    ----------
    model
        As MuJoCo has compiled it.
    geoms, bodies
        Their names.
    """
    found: list[list[Geom]] = [[] for _ in bodies]
    findings: list[Finding] = []
    surfaces: dict[int, Surface | None] = {}
    for g, name in enumerate(geoms):
        if int(model.geom_group[g]) >= SHOWN:
            continue
        body = int(model.geom_bodyid[g])
        rgba, given = _rgba(model, g)
        if rgba[3] <= 0.0:
            continue
        finite = all(map(math.isfinite, rgba))
        if not finite:
            findings.append(Finding(Kind.UNCOLOURED, name, detail=f"link {shown(bodies[body])}: rgba is not finite"))
        geom = _geom(model, g, hex_of(*rgba) if given and finite else "", surfaces)
        flaw = _flaw(geom)
        if flaw:
            findings.append(Finding(Kind.UNSEEN, bodies[body], detail=f"geom {shown(name)}: {flaw}"))
        found[body].append(replace(geom, type=UNDRAWN) if flaw else geom)
    return Looks(tuple(map(tuple, found)), tuple(findings))


def _geom(model: Any, g: int, colour: str, surfaces: dict[int, Surface | None]) -> Geom:
    type_, number = int(model.geom_type[g]), int(model.geom_dataid[g])
    if type_ == MESH and number not in surfaces:
        surfaces[number] = _surface(model, number)
    x, y, z = map(float, model.geom_size[g])
    if type_ == PLANE:  # a plane without an end is as large as the robot
        x, y = (one or float(model.stat.extent) for one in (x, y))
    px, py, pz = map(float, model.geom_pos[g])
    qw, qx, qy, qz = map(float, model.geom_quat[g])
    surface = surfaces[number] if type_ == MESH else None
    return Geom(type_, (x, y, z), (px, py, pz), (qw, qx, qy, qz), colour, surface)


def _flaw(geom: Geom) -> str:
    """Return why a geom cannot be drawn, "" where it can."""
    if not all(map(math.isfinite, (*geom.size, *geom.at, *geom.turn))):
        return "it has numbers that are not finite"
    if geom.type == MESH:
        return "" if geom.surface is not None else "its mesh has no triangles"
    return "" if geom.type in SOLIDS else f"{_NOT_OURS.get(geom.type, 'its type')} is not drawn"


def _rgba(model: Any, g: int) -> tuple[tuple[float, float, float, float], bool]:
    """Return the colour of a geom or its material, and whether it was given: MuJoCo's plain grey was not."""
    material = int(model.geom_matid[g])
    red, green, blue, alpha = map(float, model.geom_rgba[g] if material < 0 else model.mat_rgba[material])
    rgba = red, green, blue, alpha
    return rgba, material >= 0 or rgba != PLAIN


def _surface(model: Any, number: int) -> Surface | None:
    first, count = int(model.mesh_vertadr[number]), int(model.mesh_vertnum[number])
    begin, many = int(model.mesh_faceadr[number]), int(model.mesh_facenum[number])
    try:
        return joined(model.mesh_vert[first : first + count], model.mesh_face[begin : begin + many])
    except ValueError:  # points without triangles
        return None
