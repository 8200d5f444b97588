"""Pages: one file, nothing beside it, the picture that the other endings have."""

from __future__ import annotations

import base64
import re

import pytest

from eomc.errors import UsageError
from eomc.pictures import sampled, write
from eomc.pictures.glb import glb
from eomc.pictures.page import page
from eomc.pictures.svg import svg

BEGIN, END = 1.0, 5.0


@pytest.mark.parametrize("name", ["mill", "gyro"])
def test_a_page_needs_nothing_beside_it(name: str, request: pytest.FixtureRequest) -> None:
    """No address but the name of SVG's language, no placeholder that was forgotten, names as text, a rest."""
    known = request.getfixturevalue(name)
    text = page(sampled(known.scene, known.poses, BEGIN, END), 1.0)
    assert set(re.findall(r"\w+://[^\s\"'<]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@[A-Z]+@|\b(?:src|href)=", text)
    assert "A mill &amp; &lt;its&gt; disk" in text
    assert "<its>" not in text
    assert "prefers-reduced-motion" in text
    assert text.startswith("<!DOCTYPE html>")


def test_its_picture_is_that_of_the_other_endings(mill, gyro) -> None:
    """Of a planar motion the SVG, of one in space the bytes of the .glb."""
    planar, space = (sampled(known.scene, known.poses, BEGIN, END) for known in (mill, gyro))
    assert svg(planar, 2.0).rstrip() in page(planar, 2.0)
    (data,) = re.findall(r'id="glb">([^<]+)<', page(space, 2.0))
    assert base64.b64decode(data) == glb(space, 2.0)
    assert "const begin = 1.0, end = 5.0, duration = 2.0;" in page(space, 2.0)


def test_a_speed_at_which_nobody_could_look(mill, tmp_path) -> None:
    """Four seconds in a nanosecond, or in years, are refused with the speeds that there are."""
    motion = sampled(mill.scene, mill.poses, BEGIN, END)
    for speed in (1e9, 1e-300):
        with pytest.raises(UsageError, match=r"give a speed with which it lasts 0\.01 s to 1e\+06 s"):
            write(motion, tmp_path / "a.svg", speed, 25.0)
    with pytest.raises(UsageError, match="up to 100 frames a second"):
        write(motion, tmp_path / "a.webp", 1.0, 1e4)
    with pytest.raises(UsageError, match="4000 frames are too many"):
        write(motion, tmp_path / "a.webp", 0.1, 100.0)
    assert not list(tmp_path.iterdir())
