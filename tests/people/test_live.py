"""A live page: WebAssembly by clang and lld in node and in Chromium, its hash, what people turn in it."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from live_programs import here, in_node, program
from PIL import Image

import eomc
from eomc.binding.compiler import find_compiler
from eomc.live import compiled

pytestmark = [
    pytest.mark.needs_cc,
    pytest.mark.skipif("EOMC_VIEWERS" not in os.environ, reason=".ci/run people installs what these tests need"),
]
MODELS = ("four_bar", "bouncing_ball", "rolling_disk", "cart_pole")


def strict_build(name: str) -> Any:
    """Return what a page runs."""
    return eomc.compile(eomc.load(name), integrator="rk4").for_a_page()


def hash_by_make(name: str, folder: Path, command: str) -> str:
    """Return what the command of a page prints."""
    arguments = command.partition(" && ")[0].split()[1:]
    from eomc.cli import main

    arguments[arguments.index("-o") + 1] = str(folder)
    assert main(arguments) == 0
    done = subprocess.run(["make", "-s", "-C", str(folder), "hash"], capture_output=True, text=True, check=True)
    (found,) = re.findall(r"^sha256 ([0-9a-f]{64})$", done.stdout, flags=re.MULTILINE)
    return str(found)


@pytest.mark.parametrize("name", MODELS)
def test_node_has_the_bits_of_this_machine(name: str, tmp_path: Path) -> None:
    """Ten thousand steps: the state of the same C, compiled for this processor, to the last bit."""
    build, module = strict_build(name), tmp_path / "live.wasm"
    module.write_bytes(compiled(build))
    ours, theirs = here(build, program(build, tmp_path, "gcc"), 10_000), in_node(build, module, 10_000)
    assert (ours["state"], ours["status"]) == (theirs["state"], theirs["status"])


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write live pages, and one without the simulator."""
    folder, found = tmp_path_factory.mktemp("live"), {}
    for name in MODELS:
        found[name] = folder / f"{name}.html"
        eomc.compile(eomc.load(name), integrator="rk4").report(found[name], live=True)
    found["still"] = folder / "still.html"
    eomc.compile(eomc.load("four_bar"), integrator="rk4").report(found["still"])
    return found


def test_the_simulator_is_small(pages: dict[str, Path]) -> None:
    """It adds at most 45 kB to the report of a four-bar linkage."""
    assert pages["four_bar"].stat().st_size - pages["still"].stat().st_size <= 45_000


@pytest.fixture
def started(opened: Callable[..., Any]) -> Callable[..., Any]:
    """Return what opens a page of which the simulator has started."""

    @contextmanager
    def open_page(path: Path, motion: str = "reduce") -> Iterator[Any]:
        with opened(path, wide=700, high=900, reduced_motion=motion) as page:
            page.wait_for_function("document.getElementById('live-time').value")
            yield page

    return open_page


def told(page: Any, name: str) -> str:
    """Return what stands in an output of the simulator."""
    found: str = page.evaluate(f"document.getElementById('live-{name}').value")
    return found


def seconds(page: Any) -> float:
    """Return the time of the simulator."""
    return float(told(page, "time").split()[2])


def settled(page: Any) -> float:
    """Return the time [s] that a page shows once it has drawn two frames, which a busy machine draws late."""
    page.evaluate("() => new Promise(then => requestAnimationFrame(() => requestAnimationFrame(then)))")
    page.wait_for_timeout(100)
    return seconds(page)


def picture(page: Any) -> np.ndarray:
    """Return what is seen."""
    page.wait_for_timeout(100)
    return np.asarray(Image.open(io.BytesIO(page.locator("#live-view").screenshot())).convert("RGB"), dtype=int)


def turn(page: Any, label: str, value: float) -> None:
    """Drag a slider."""
    page.locator(f".dials label:has(> span:first-child:text-is('{label}')) input[type=range]").fill(str(value))


@pytest.mark.parametrize("name", MODELS)
def test_chromium_has_the_hash_of_make(
    started: Callable[..., Any], pages: dict[str, Path], name: str, tmp_path: Path
) -> None:
    """What the page shows is what its own command prints, and what node has."""
    with started(pages[name]) as page:
        shown = page.inner_text("#live-hash")
        command = page.inner_text(".live p code >> nth=1")
    assert re.fullmatch(r"[0-9a-f]{64}", shown)
    assert hash_by_make(name, tmp_path / "c", command) == shown
    build, module = strict_build(name), tmp_path / "live.wasm"
    module.write_bytes(compiled(build))
    assert in_node(build, module, 1)["hash"] == shown


def test_sliders_move_it(started: Callable[..., Any], pages: dict[str, Path]) -> None:
    """A force drives the cart where none did; a longer pole is longer in the picture; as given it is as it was."""
    with started(pages["cart_pole"]) as page:
        first = picture(page)
        turn(page, "l", 2.0)
        assert np.abs(first - picture(page)).max() > 50
        page.locator("#live-given").click()
        assert np.abs(first - picture(page)).max() == 0
        turn(page, "F", 5.0)
        page.locator("#live-play").click()
        page.wait_for_timeout(1000)
        page.locator("#live-play").click()
        passed = seconds(page)
        assert passed > 0.1
        assert abs(float(told(page, "error").split()[0])) < 1e-3
        states = page.evaluate("Array.from(document.querySelectorAll('.readouts output'), e => +e.value)")
        build = strict_build("cart_pole")
        run = build.load().simulate(t_end=passed, dt=1e-3, inputs={"F": 5.0})
        assert states == pytest.approx(run.x[-1].tolist(), rel=1e-5, abs=1e-6)


def test_a_step_is_a_step_and_a_reset_is_the_start(started: Callable[..., Any], pages: dict[str, Path]) -> None:
    """By buttons and by keys alike; a key in a field is a key in a field."""
    with started(pages["four_bar"]) as page:
        assert (seconds(page), page.inner_text("#live-play")) == (0.0, "Play")
        page.locator("#live-step").click()
        assert settled(page) == 0.001
        page.locator("#live-view").focus()
        for key, expected in ((".", 0.002), (".", 0.003), ("r", 0.0)):
            page.keyboard.press(key)
            assert settled(page) == expected
        page.keyboard.press(" ")
        page.wait_for_timeout(300)
        assert page.inner_text("#live-play") == "Pause"
        page.keyboard.press(" ")
        passed = settled(page)
        assert passed > 0.0
        first = picture(page)
        page.keyboard.press("ArrowLeft")
        assert np.abs(first - picture(page)).max() > 50
        page.locator(".dials input[type=number]").first.focus()
        page.keyboard.press(".")
        assert settled(page) == passed


def test_time_is_scaled(started: Callable[..., Any], pages: dict[str, Path]) -> None:
    """A tenth of the speed is a tenth of the time, roughly: the machine may be busy."""
    with started(pages["rolling_disk"]) as page:
        passed = []
        for scale in (0.0, -1.0):
            page.locator("#live-reset").click()
            page.locator("#live-speed").fill(str(scale))
            page.locator("#live-play").click()
            page.wait_for_timeout(1500)
            page.locator("#live-play").click()
            page.wait_for_timeout(100)
            passed.append(seconds(page))
        assert 0.0 < passed[1] < 0.4 * passed[0]


def test_stops_are_told_by_name(started: Callable[..., Any], pages: dict[str, Path]) -> None:
    """A loop that cannot close, a cart without mass; both go on when the number is given back."""
    with started(pages["four_bar"]) as page:
        page.locator(".dials label:has(> span:first-child:text-is('a')) input[type=number]").fill("50")
        page.keyboard.press("Tab")
        page.wait_for_timeout(100)
        assert "Stopped at t = 0.00000 s: " in page.inner_text("#live-status")
        assert page.locator("#live-play").is_disabled()
        page.locator("#live-given").click()
        assert page.inner_text("#live-status") == ""
        assert page.locator("#live-play").is_enabled()
    with started(pages["cart_pole"]) as page:
        turn(page, "m", 0.0)
        turn(page, "M", 0.0)
        page.locator("#live-step").click(force=True)
        page.wait_for_timeout(100)
        names = "|".join(strict_build("cart_pole").load().state_names)
        assert re.search(rf"singular: no unique solution for ({names})\.", page.inner_text("#live-status"))


def test_it_rests_for_those_who_prefer_it(started: Callable[..., Any], pages: dict[str, Path]) -> None:
    """With less motion preferred it stands until it is played; the recorded picture waits in any case."""
    for preferred, word in (("reduce", "Play"), ("no-preference", "Pause")):
        with started(pages["bouncing_ball"], preferred) as page:
            page.wait_for_timeout(500)
            assert page.inner_text("#live-play") == word
            assert (seconds(page) == 0.0) == (preferred == "reduce")
            assert page.inner_text("#play") == "Play"


@pytest.mark.parametrize("name", ["four_bar", "snakeboard", "heavy_top", "slider_crank", "two_link_arm"])
def test_shapes_have_the_sizes_of_the_scene(name: str) -> None:
    """In node, with other parameters: what the page draws is what `eomc.scene` has, by another road."""
    from eomc.live.appearance import shapes_of

    model = eomc.load(name)
    names = [one.name for one in model.parameters]
    other = {one.name: 1.3 * float(one.value) for one in model.parameters}
    script = (
        f"console.log(JSON.stringify((p => {shapes_of(model, names, {}).shapes})({json.dumps(list(other.values()))})))"
    )
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    drawn = [one for one in json.loads(done.stdout) if one["kind"] != "line"]
    lines = [one for one in json.loads(done.stdout) if one["kind"] == "line"]
    scene = eomc.scene(model, other)
    assert len(drawn) == len(scene.solids)
    assert len(lines) == len(scene.segments)
    for one, solid in zip(drawn, scene.solids, strict=True):
        if solid.guessed:
            continue
        assert one["row"] == solid.row
        if "from" in one:
            start, end = np.array(one["from"]), np.array(one["to"])
            assert (start + end) / 2 == pytest.approx(np.array(solid.offset), abs=1e-12)
            assert [*one["sizes"], np.linalg.norm(end - start)] == pytest.approx(list(solid.sizes))
        else:
            assert one["offset"] == pytest.approx(list(solid.offset), abs=1e-12)
            if one["kind"] != "point":
                assert one["sizes"] == pytest.approx(list(solid.sizes))
    for key in (lambda one: one["from"], lambda one: one["to"]):
        assert len({len(key(one)) for one in lines}) <= 1


def test_meshes_are_seen(started: Callable[..., Any], tmp_path: Path) -> None:
    """An octahedron of STL is a rhombus in its colour, where the box about it would fill the corners, too."""
    ends = np.vstack([np.eye(3), -np.eye(3)])
    faces = [[ends[x], ends[y], ends[z]] for x in (0, 3) for y in (1, 4) for z in (2, 5)]
    loops = ["".join(f"vertex {a} {b} {c}\n" for a, b, c in face) for face in faces]
    facets = "".join(f"facet normal 0 0 0\nouter loop\n{one}endloop\nendfacet\n" for one in loops)
    (tmp_path / "eight.stl").write_text(f"solid eight\n{facets}endsolid eight\n")
    (tmp_path / "one.urdf").write_text(
        '<robot name="one"><link name="base"/><link name="arm"><inertial><mass value="1"/><inertia ixx="1" ixy="0" '
        'ixz="0" iyy="1" iyz="0" izz="1"/></inertial><visual><geometry><mesh filename="eight.stl"/></geometry>'
        '<material name="m"><color rgba="1 0 0 1"/></material></visual></link><joint name="a_joint_with_a_long_name" '
        'type="continuous"><parent link="base"/><child link="arm"/><origin/><axis xyz="0 0 1"/></joint></robot>'
    )
    build = eomc.compile(eomc.from_urdf(tmp_path / "one.urdf"))
    build.report(tmp_path / "one.html", build.load().simulate(t_end=0.01), live=True, dt=1e-5)
    with started(tmp_path / "one.html") as page:
        assert told(page, "time") == "t = 0.00000 s"  # the digits of a step
        seen = picture(page)
        label = page.locator(".dials label").first
        name, slider = (label.locator(one).first.bounding_box() for one in ("span", "input"))
        assert name["x"] + name["width"] <= slider["x"]
    red = (seen[..., 0] > 100) & (seen[..., 1:].max(axis=-1) < 50)
    rows, columns = (np.flatnonzero(red.any(axis=axis)) for axis in (1, 0))
    box = red[rows[0] : rows[-1], columns[0] : columns[-1]]
    assert 0.4 < box.mean() < 0.8
    corner = box[: len(box) // 8, : len(box[0]) // 8]
    assert not corner.any()


def test_what_is_missing_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without lld: what is missing, how to get it; no page is left."""
    from eomc.cli import main

    folder = tmp_path / "bin"
    folder.mkdir()
    for command in ("clang", "cc", "gcc", "as", "ld"):
        if (place := shutil.which(command)) is not None:
            (folder / command).symlink_to(place)
    find_compiler()
    monkeypatch.setenv("PATH", str(folder))
    assert main(["report", "cart_pole", "--live", "-o", str(tmp_path / "a.html"), "--t-end", "0.1"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "wasm-ld is not on the path: install both (Debian: apt install clang lld" in said
    assert not (tmp_path / "a.html").exists()
