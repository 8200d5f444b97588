"""Files of meshes, written here byte by byte: what is read is what was written, and what is damaged is told."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from eomc.model.shapes import Shape
from eomc.model.surfaces import Surface
from eomc.scenery import meshes
from eomc.scenery.collada import read_collada
from eomc.scenery.meshes import Meshes
from eomc.scenery.obj import read_obj
from eomc.scenery.paths import path_of
from eomc.scenery.stl import read_stl

CORNERS = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
VOLUME = 1.0


def volume(surface: Surface) -> float:
    """Return the volume by the divergence theorem: it tells corners, their order and that nothing is left out."""
    a, b, c = (surface.points[surface.triangles[:, k]] for k in range(3))
    return float(np.einsum("ki,ki->", a, np.cross(b, c)) / 6.0)


def binary(header: bytes = b"made by hand") -> bytes:
    """Return the tetrahedron as binary STL."""
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *CORNERS[list(face)].ravel(), 0) for face in FACES)
    return header.ljust(80) + struct.pack("<I", len(FACES)) + body


def text() -> bytes:
    """Return it as STL in words."""
    lines = ["solid tetrahedron"]
    for face in FACES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"  vertex {x:e} {y:e} {z:e}" for x, y, z in CORNERS[list(face)]]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid"]).encode()


def obj() -> bytes:
    """Return it as OBJ, two faces of it by numbers that count from behind, with what else may stand there."""
    lines = ["# by hand", "mtllib none.mtl", *(f"v {x} {y} {z}" for x, y, z in CORNERS), "vn 0 0 1", "g one"]
    lines += [f"f {a + 1}//1 {b + 1}//1 {c + 1}//1" for a, b, c in FACES[:2]]
    lines += [f"f {a - 4} \\\n {b - 4} {c - 4}" for a, b, c in FACES[2:]]
    return "\n".join(lines).encode()


def collada(primitive: str, transform: str = "", unit: str = "1", times: str = "") -> bytes:
    """Return it as COLLADA."""
    numbers = " ".join(map(str, CORNERS.ravel()))
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="{unit}"/><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="a" count="12">{numbers}</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>{primitive}
</mesh></geometry></library_geometries>
<library_nodes>{times}</library_nodes>
<library_visual_scenes><visual_scene id="w"><node>{transform}<instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>""".encode()


_INPUT = '<input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>'
_RUN = " ".join(f"{k} 0" for face in FACES for k in face)
TRIANGLES = f'<triangles count="4">{_INPUT}<p>{_RUN}</p></triangles>'
POLYLIST = f'<polylist count="4">{_INPUT}<vcount>3 3 3 3</vcount><p>{_RUN}</p></polylist>'
POLYGONS = '<polygons count="4">' + _INPUT + "".join(f"<p>{a} 0 {b} 0 {c} 0</p>" for a, b, c in FACES) + "</polygons>"


@pytest.mark.parametrize(
    ("read", "content"),
    [
        (read_stl, binary()),
        (read_stl, binary(b"solid, although it is binary")),
        (read_stl, text()),
        (read_stl, b"\n  " + text().replace(b"vertex", b"VERTEX")),
        (read_obj, obj()),
        (read_obj, obj().replace(b"\n", b"\r\n")),
        (read_collada, collada(TRIANGLES)),
        (read_collada, collada(POLYLIST)),
        (read_collada, collada(POLYGONS)),
    ],
)
def test_a_tetrahedron_is_read(read, content: bytes) -> None:
    """Four points, each once, and four triangles that face outwards."""
    found = read(content)
    assert sorted(map(tuple, found.points.tolist())) == sorted(map(tuple, CORNERS.tolist()))
    assert found.triangles.shape == (4, 3)
    assert volume(found) == pytest.approx(VOLUME)


def test_polygons_become_fans() -> None:
    """A square of OBJ and one of COLLADA are two triangles each, of the whole area."""
    square = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"
    found = read_obj(square)
    a, b, c = (found.points[found.triangles[:, k]] for k in range(3))
    assert np.cross(b - a, c - a).sum(axis=0) / 2 == pytest.approx([0.0, 0.0, 1.0])
    four = f'<polylist count="1">{_INPUT}<vcount>4</vcount><p>1 0 2 0 3 0 0 0</p></polylist>'
    assert len(read_collada(collada(four)).triangles) == 2


def test_nodes_of_collada_move_their_geometries() -> None:
    """Turned, scaled and moved, in this order from the inside, all in the unit of the file, as SciPy has it."""
    steps = "<translate>1 2 3</translate><rotate>1 1 0 50</rotate><scale>1 2 1</scale>"
    found = read_collada(collada(TRIANGLES, steps, "0.01"))
    turn = Rotation.from_rotvec(np.radians(50.0) * np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0))
    expected = 0.01 * (turn.apply(CORNERS * [1.0, 2.0, 1.0]) + np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(sorted(found.points.tolist()), sorted(expected.tolist()), atol=1e-15)
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn.as_matrix(), [0.1, 0.2, 0.3]
    found = read_collada(collada(TRIANGLES, f"<matrix>{' '.join(map(repr, matrix.ravel().tolist()))}</matrix>"))
    expected = turn.apply(CORNERS) + np.array([0.1, 0.2, 0.3])
    np.testing.assert_allclose(sorted(found.points.tolist()), sorted(expected.tolist()), atol=1e-15)


_BOMB = "".join(
    f'<node id="n{k}">' + f'<instance_node url="#n{k + 1}"/>' * 10 + "</node>" for k in range(30)
) + '<node id="n30"/>'  # fmt: skip


@pytest.mark.parametrize(
    ("read", "content", "told"),
    [
        (read_stl, binary()[:-1], "ends too early: it tells of 4 triangles"),
        (read_stl, b"", "ends too early"),
        (read_stl, b"solid nothing\nendsolid", "no triangles"),
        (read_stl, text().replace(b"3.000000e+00", b"three"), "not three numbers"),
        (read_stl, text()[:-60], "not three vertices"),
        (read_stl, text().replace(b"3.000000e+00", b"nan"), "not finite"),
        (read_obj, b"v 0 0 0\nf 1 2 3\n", "a point that is not in the file"),
        (read_obj, b"v 0 0\n", "line 1"),
        (read_obj, b"", "no triangles"),
        (read_obj, b"v 0 0 0\nf 0 x 1", "line 2"),
        (read_collada, b"<COLLADA>", "no XML"),
        (read_collada, b"<html/>", "not <COLLADA>"),
        (read_collada, collada(TRIANGLES).replace(b'url="#g"', b'url="#h"'), "refers to 'h'"),
        (read_collada, collada(TRIANGLES).replace(b"<COLLADA", b"<!DOCTYPE COLLADA><COLLADA", 1), "document type"),
        (read_collada, collada(POLYLIST.replace("3 3 3 3", "3 3 3 4")), "other numbers of corners"),
        (read_collada, collada(TRIANGLES, '<instance_node url="#n0"/>', times=_BOMB), "nodes"),
        (read_collada, collada(TRIANGLES, "<matrix>1 2</matrix>"), "reshape"),
        (read_collada, collada(""), "no triangles"),
    ],
)
def test_damage_is_told(read, content: bytes, told: str) -> None:
    """By what is wrong, and by no other error."""
    with pytest.raises(ValueError, match=told):
        read(content)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_bytes_stop_a_picture(data, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever a file holds, it is a surface or a reason."""
    whole = [(".stl", binary()), (".stl", text()), (".obj", obj()), (".dae", collada(POLYLIST))]
    ending, of_kind = data.draw(st.sampled_from(whole))
    content = bytearray(of_kind)
    for _ in range(data.draw(st.integers(0, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    file = tmp_path_factory.getbasetemp() / f"spoilt{ending}"
    file.write_bytes(bytes(content[: data.draw(st.integers(0, len(content)))]))
    known = Meshes()
    surface = known.of(Shape.mesh(file))
    assert (surface is None) == bool(known.unread)
    assert surface is None or (np.isfinite(surface.points).all() and len(surface.triangles))


def test_where_files_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the file that names them, absolute, in packages above it and where ROS has packages."""
    mesh = tmp_path / "robots" / "arm" / "meshes" / "a b.stl"
    away = tmp_path / "away" / "share" / "hand" / "b.stl"
    for one in (mesh, away):
        one.parent.mkdir(parents=True)
        one.write_bytes(binary())
    folder = tmp_path / "robots" / "arm" / "urdf"
    folder.mkdir()
    for name in ("../meshes/a b.stl", str(mesh), f"file://{mesh}", "package://arm/meshes/a b.stl",
                 f"file://{str(mesh).replace(' ', '%20')}", "model://arm/meshes/a b.stl"):  # fmt: skip
        found = path_of(name, str(folder))
        assert found is not None, name
        assert found.samefile(mesh)
    assert path_of("package://robots/arm/meshes/a b.stl", str(folder)).samefile(mesh)
    assert path_of("package://hand/b.stl", str(folder)) is None
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{tmp_path / 'none'}:{tmp_path / 'away'}")
    assert path_of("package://hand/b.stl", str(folder)) == tmp_path / "away" / "share" / "hand" / "b.stl"
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "away" / "share"))
    assert path_of("package://hand/b.stl", str(folder)) is not None
    for name in ("http://here/a.stl", "none.stl", "", "x" * 5000, "a\0b", "package://", "package://arm"):
        assert path_of(name, str(folder)) is None, name


def test_what_is_not_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Formats that nobody reads, files that there are not, that are too large, and those that are folders."""
    (tmp_path / "large.stl").write_bytes(binary())
    (tmp_path / "folder.stl").mkdir()
    monkeypatch.setattr(meshes, "LARGEST", 100)
    known = Meshes()
    for name in ("a.glb", "large.stl", "none.stl", "folder.stl"):
        assert known.of(Shape.mesh(tmp_path / name)) is None
    reasons = {Path(file).name: reason for file, reason in known.unread.items()}
    assert reasons["a.glb"] == ".glb is not read, but .stl, .obj, .dae are"
    assert reasons["large.stl"].startswith("it has more than")
    assert reasons["none.stl"] == reasons["folder.stl"] == "there is no such file"


def test_a_file_is_read_once(tmp_path: Path) -> None:
    """Two wheels of one file have one surface."""
    (tmp_path / "wheel.stl").write_bytes(binary())
    known = Meshes()
    assert known.of(Shape.mesh(tmp_path / "wheel.stl")) is known.of(Shape.mesh(tmp_path / "wheel.stl", scale=(2, 2, 2)))


MTL = b"""# by hand
newmtl red paint
Kd 1 0 0
newmtl glass
Kd 0 0 1
d 0.2
newmtl old glass
Kd 0 0 1
Tr 0.8
newmtl photo
Kd 1 1 1
map_Kd a.png
newmtl spoilt
Kd nan 0 0
newmtl curve
Kd spectral a.rfl
newmtl mistaken
Kd 0 1 0
d 0
"""


@pytest.mark.parametrize(
    ("material", "colour"),
    [
        ("red paint", "#ff0000"),
        ("glass", "#0000ff33"),
        ("old glass", "#0000ff33"),
        ("photo", ""),
        ("spoilt", ""),
        ("curve", ""),
        ("mistaken", "#00ff00"),
        ("none", ""),
    ],
)
def test_plain_colours_of_obj(tmp_path: Path, material: str, colour: str) -> None:
    """Kd with the opacity of d or Tr; what is more, spoilt or not there is no colour of the file."""
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS)
    text = f"mtllib a b.mtl\n{points}f 1 3 2\nusemtl {material}\nf 1 2 4\nf 1 4 3\nusemtl red paint\nf 2 3 4\n"
    (tmp_path / "one.obj").write_text(text)
    (tmp_path / "a b.mtl").write_bytes(MTL)
    shape = Shape.mesh("one.obj")
    reader = Meshes()
    pieces = dict(reader.pieces_of(replace(shape, folder=str(tmp_path))))
    triangles = {colour: 2, "": 1, "#ff0000": 1}
    if colour in ("", "#ff0000"):
        triangles[colour] = 3
    assert {key: len(one.triangles) for key, one in pieces.items()} == triangles
    (own,) = reader.pieces_of(replace(shape, folder=str(tmp_path), colour="#123456"))
    assert own == ("#123456", reader.of(replace(shape, folder=str(tmp_path))))
    (tmp_path / "a b.mtl").unlink()
    ((none, whole),) = Meshes().pieces_of(replace(shape, folder=str(tmp_path)))
    assert (none, volume(whole)) == ("", pytest.approx(VOLUME))


EFFECTS = """<library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong><diffuse><color>0 1 0 1</color>
</diffuse></phong></technique></profile_COMMON></effect><effect id="f"><profile_COMMON><technique sid="t"><lambert>
<diffuse><texture texture="a"/></diffuse></lambert></technique></profile_COMMON></effect><effect id="h"><profile_COMMON>
<technique sid="t"><phong><diffuse><color>a b c 1</color></diffuse></phong></technique></profile_COMMON></effect>
</library_effects><library_materials><material id="o"><instance_effect url="#h"/></material>
<material id="m"><instance_effect url="#e"/></material><material id="n"><instance_effect url="#f"/>
</material></library_materials>"""


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        (
            '<instance_material symbol="S" target="#m"/><instance_material symbol="T" target="#n"/>',
            {"#00ff00": 3, "": 1},
        ),
        ('<instance_material symbol="S" target="#n"/>', {"": 4}),
        ('<instance_material symbol="T" target="#m"/>', {"": 3, "#00ff00": 1}),
        ('<instance_material symbol="S" target="#lost"/>', {"": 4}),
        ('<instance_material symbol="S" target="#o"/>', {"": 4}),
    ],
)
def test_plain_colours_of_collada(bound: str, expected: dict[str, int]) -> None:
    """A symbol of a primitive is bound to a material where its geometry stands; a texture is no colour."""
    first = f'<triangles material="S" count="3">{_INPUT}<p>{" ".join(_RUN.split()[:18])}</p></triangles>'
    last = f'<triangles material="T" count="1">{_INPUT}<p>{" ".join(_RUN.split()[18:])}</p></triangles>'
    text = collada(first + last).decode().replace("<library_nodes>", f"{EFFECTS}<library_nodes>")
    materials = f"<bind_material><technique_common>{bound}</technique_common></bind_material>"
    text = text.replace('<instance_geometry url="#g"/>', f'<instance_geometry url="#g">{materials}</instance_geometry>')
    found = read_collada(text.encode())
    assert volume(found) == pytest.approx(VOLUME)
    assert {colour: len(one.triangles) for colour, one in found.pieces()} == expected
