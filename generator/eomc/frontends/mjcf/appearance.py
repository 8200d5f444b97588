"""Geoms of a compiled model that are seen, with colours and meshes, where MuJoCo has moved these to."""

from __future__ import annotations

from typing import Any

from eomc.frontends.mjcf.geoms import MESH, PLAIN, PLANE, SHOWN, Geom
from eomc.frontends.robots.looks import hex_of
from eomc.model.surfaces import Surface, joined


def seen(model: Any) -> list[tuple[Geom, ...]]:
    """Return the geoms of each body; what is wholly transparent, or has no size, is not seen."""
    found: list[list[Geom]] = [[] for _ in range(model.nbody)]
    surfaces: dict[int, Surface | None] = {}
    for g in range(model.ngeom):
        colour = _colour(model, g)
        if int(model.geom_group[g]) >= SHOWN or colour is None:
            continue
        type_, number = int(model.geom_type[g]), int(model.geom_dataid[g])
        if type_ == MESH and number not in surfaces:
            surfaces[number] = _surface(model, number)
        x, y, z = map(float, model.geom_size[g])
        if type_ == PLANE:  # a plane without an end is as large as the robot
            x, y = (one or float(model.stat.extent) for one in (x, y))
        px, py, pz = map(float, model.geom_pos[g])
        qw, qx, qy, qz = map(float, model.geom_quat[g])
        surface = surfaces.get(number) if type_ == MESH else None
        found[int(model.geom_bodyid[g])].append(Geom(type_, (x, y, z), (px, py, pz), (qw, qx, qy, qz), colour, surface))
    return [tuple(one) for one in found]


def _colour(model: Any, g: int) -> str | None:
    """Return #rrggbb of a geom or its material, "" where it has MuJoCo's plain grey, None where it is transparent."""
    material = int(model.geom_matid[g])
    red, green, blue, alpha = map(float, model.geom_rgba[g] if material < 0 else model.mat_rgba[material])
    if not alpha > 0.0:
        return None
    return "" if material < 0 and (red, green, blue, alpha) == PLAIN else hex_of(red, green, blue)


def _surface(model: Any, number: int) -> Surface | None:
    first, count = int(model.mesh_vertadr[number]), int(model.mesh_vertnum[number])
    begin, many = int(model.mesh_faceadr[number]), int(model.mesh_facenum[number])
    try:
        return joined(model.mesh_vert[first : first + count], model.mesh_face[begin : begin + many])
    except ValueError:  # points without triangles
        return None
