"""Pictures as others see them: glTF by Khronos' validator and by trimesh, pages in Chromium without a network."""

from __future__ import annotations

import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import eomc
from eomc.frontends.loading import shipped_models
from eomc.pictures import write

TOOLS = os.environ.get("EOMC_VIEWERS", "")
pytestmark = [
    pytest.mark.needs_cc,
    pytest.mark.skipif(not TOOLS, reason=".ci/run people installs what these tests need"),
]
GALLERY = 100_000  # bytes of a page's pictures

VALIDATE = """
const validator = require(process.argv[1] + "/node_modules/gltf-validator"), fs = require("fs");
(async () => {
  const found = {};
  for (const file of process.argv.slice(2))
    found[file] = (await validator.validateBytes(new Uint8Array(fs.readFileSync(file)))).issues;
  console.log(JSON.stringify(found));
})();
"""


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write every shipped model as .glb and .html, and what is planar as .svg; return the paths without endings."""
    folder, found = tmp_path_factory.mktemp("gallery"), {}
    for name in shipped_models():
        model = eomc.load(name)
        run = eomc.compile(model).load().simulate(t_end=min(4.0, model.run.t_end))
        motion = run.along.motion(float(run.t[0]), float(run.t[-1]), run)
        found[name] = folder / name
        for ending in (".glb", ".html", *([".svg"] if motion.view.planar else [])):
            write(motion, folder / f"{name}{ending}", 1.0, 25.0)
        write(motion, folder / f"{name}.webp", 1.0, 10.0, pixels=280)
    return found


def test_the_validator_has_no_remark(gallery: dict[str, Path]) -> None:
    """No error, no warning, no hint of any file."""
    files = [str(path.with_suffix(".glb")) for path in gallery.values()]
    done = subprocess.run(["node", "-e", VALIDATE, TOOLS, *files], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert len(found) == len(gallery)
    assert {file: issues["messages"] for file, issues in found.items() if issues["messages"]} == {}


def test_trimesh_loads_it(gallery: dict[str, Path]) -> None:
    """Each has geometry of finite size."""
    trimesh = pytest.importorskip("trimesh")
    for path in gallery.values():
        scene = trimesh.load(path.with_suffix(".glb"))
        assert len(scene.geometry) > 0
        assert np.isfinite(scene.bounds).all()


def test_pictures_of_a_page_are_small(gallery: dict[str, Path]) -> None:
    """The .svg of what is planar, the page of what is not, and WebP with fewer and smaller frames of all."""
    for path in gallery.values():
        assert path.with_suffix(".webp").stat().st_size < GALLERY, path.name
        shown = path.with_suffix(".svg") if path.with_suffix(".svg").exists() else path.with_suffix(".html")
        assert shown.stat().st_size < GALLERY, shown.name


def test_pages_are_drawn_and_move(browser: Any, gallery: dict[str, Path]) -> None:
    """Chromium, offline: no error, something is drawn, and another time is another picture."""
    context = browser.new_context(viewport={"width": 480, "height": 480}, offline=True)
    for name, path in gallery.items():
        page, said = context.new_page(), []
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.on("console", lambda message, said=said: said.append(message.text) if message.type == "error" else None)
        page.goto(path.with_suffix(".html").as_uri())
        pictures = []
        for share in (0.0, 0.35):
            page.evaluate(f"running = false; at = {share}; show({share})")
            page.wait_for_timeout(150)
            shot = page.locator("canvas, svg").first.screenshot()
            pictures.append(np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), dtype=int))
        assert said == [], name
        assert np.ptp(pictures[0]) > 50, name
        assert (np.abs(pictures[0] - pictures[1]).max(axis=-1) > 50).sum() > 20, name
        page.close()


def test_a_page_rests_for_those_who_prefer_it(browser: Any, gallery: dict[str, Path]) -> None:
    """With less motion preferred it stands until it is played."""
    for preferred, word in (("reduce", "Play"), ("no-preference", "Pause")):
        page = browser.new_context(reduced_motion=preferred).new_page()
        page.goto(gallery["four_bar"].with_suffix(".html").as_uri())
        if preferred == "reduce":
            page.wait_for_timeout(300)
        else:
            page.wait_for_function("at > 0")  # the first frames of a busy machine are late
        assert page.locator("#play").inner_text() == word
        assert (page.evaluate("at") == 0) == (preferred == "reduce")
