"""The run that a model bears is that of everything that follows its motion where nothing else is said."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import eomc
from eomc.analysis.balance import balance
from eomc.errors import UsageError
from eomc.fmu import write_fmu
from eomc.live import section

pytestmark = pytest.mark.needs_cc

MODEL = """
import sympy
from sympy.physics.mechanics import dynamicsymbols
import eomc
x, y, x_d, y_d = dynamicsymbols("x y x_d y_d")
m, l = sympy.symbols("m l", positive=True)
model = eomc.from_lagrangian(m*(x.diff()**2 + y.diff()**2)/2 - 1e6*m*y, name="fast", coordinates=[x, y],
                             configuration_constraints=[x**2 + y**2 - l**2], parameters={m: (1, "g"), l: (10, "um")},
                             initial={x: 1e-5}, points={"P": (x, y, 0)},
                             shapes={"P": [eomc.Shape.sphere(l / 5)]},
                             run={"t_end": (20, "us"), "dt": 1e-7, "stabilization": "baumgarte", "speed": 1e-5})
"""
END, STEP, POINTS = 2e-5, 1e-7, 201


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a pendulum of ten micrometres, whose swing takes some twenty microseconds."""
    found = tmp_path_factory.mktemp("fast") / "fast.py"
    found.write_text(MODEL, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def build(path: Path) -> eomc.Build:
    """Return its build, with nothing said."""
    return eomc.compile(eomc.load(str(path)))


def test_compile_and_simulate(build: eomc.Build) -> None:
    """What keeps the constraint, the end and the steps; of many runs and of derivatives, too; each may be said."""
    assert build.options.stabilization == "baumgarte"
    assert "baumgarte_alpha" in [one.name for one in build.program.parameters]
    assert eomc.compile(build.model, stabilization="none").options.stabilization == "none"
    assert "baumgarte" in eomc.equations(build.model).text
    sim = build.load()
    run = sim.simulate()
    assert (len(run), run.t[-1], run.t[1]) == (POINTS, END, STEP)
    assert sim.simulate(dt=2 * STEP).t[-1] == END
    assert sim.simulate(t_end=3 * STEP).t[1] == STEP
    assert np.array_equal(sim.ensemble([run.x[0]]).x[0], run.x)
    assert len(sim.sensitivities(by=()).trajectory) == POINTS
    assert balance(build).defect == balance(build, END, STEP).defect


def test_check_compares_what_holds_at_each_state(path: Path, eomc_command: Callable[..., Any]) -> None:
    """Whatever a run does against drift: its gains are no parameters of the reference."""
    answer = eomc_command("check", str(path), "--samples", "3")
    assert answer.code == 0, answer.out + answer.err


def test_the_emitted_program(build: eomc.Build, tmp_path: Path) -> None:
    """Without an option, by `make run`, by its hash, and in its help; that of a tolerance ends there, too."""
    build.write(tmp_path / "c")

    def lines(*arguments: str) -> list[str]:
        done = subprocess.run(arguments, cwd=tmp_path / "c", capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    lines("make", "-s", "CFLAGS=-O0")
    rows = lines("./fast")
    assert len(rows) == 1 + POINTS
    assert float(rows[-1].split(",")[0]) == END
    told = " ".join(lines("./fast", "--help"))
    assert "time at the end, 2e-05 by default" in told
    assert "step (rk4), 1e-07 by default" in told
    lines("make", "-s", "run", "CFLAGS=-O0")
    assert len((tmp_path / "c" / "fast.csv").read_text().splitlines()) == 1 + 1 + POINTS // 10
    texts = {one.path: one.text for one in eomc.compile(build.model, integrator="dop853", target="host").artifacts}
    assert "o.t_end = 2e-05;" in texts["main.c"]
    assert "--t-end 2e-05 --rows-every 2e-08" in texts["Makefile"]
    assert "\nDT = 1e-07\n" in texts["Makefile"]
    assert any("#define DT 1e-07\n" in text for text in texts.values())


def test_commands(eomc_command: Callable[..., Any], path: Path, tmp_path: Path) -> None:
    """simulate, report, sweep, check --energy, animate: all end in 20 us, and the rows are 0.1 us apart."""
    file = tmp_path / "run.csv"
    assert eomc_command("simulate", path, "-o", file).code == 0
    assert len(file.read_text().splitlines()) == 1 + POINTS
    assert eomc_command("report", path, "-o", tmp_path / "a.html").code == 0
    assert f"{POINTS} points from t = 0 s to 2e-05 s by rk4" in (tmp_path / "a.html").read_text()
    (told,) = json.loads(eomc_command("check", path, "--energy", "--json").out)
    assert (told["t_end"], told["dt"], told["stabilization"]) == (END, STEP, "baumgarte")
    assert eomc_command("sweep", path, "-o", tmp_path / "s.csv", "--set", "baumgarte_alpha=1:2:2").code == 0
    late = eomc_command("simulate", path, "--t0", "1")
    assert (late.code, "--t-end 2e-05 lies before the start, --t0 1" in late.err) == (2, True)


def test_in_python_a_report_is_of_it(build: eomc.Build, tmp_path: Path) -> None:
    """As of the command, as fast as the run says: two seconds of a picture."""
    build.report(tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text()
    assert f"{POINTS} points from t = 0 s to 2e-05 s by rk4" in text
    assert 'dur="2s"' in text


def test_a_picture_is_as_fast_as_it_says(build: eomc.Build, tmp_path: Path) -> None:
    """Two seconds for 20 us; a speed that is given is taken, and refused where nobody could look."""
    run = build.load().simulate()
    for speed, words in ((None, "2s"), (2e-5, "1s")):
        run.animate(tmp_path / "a.svg", speed=speed)
        assert f'dur="{words}"' in (tmp_path / "a.svg").read_text()
    with pytest.raises(UsageError, match="give a speed with which it lasts"):
        run.animate(tmp_path / "b.svg", speed=1.0)


def test_an_fmu_proposes_it(build: eomc.Build, tmp_path: Path) -> None:
    """As its default experiment, in both versions of the standard."""
    for fmi in (2, 3):
        target = write_fmu(build, tmp_path / f"{fmi}.fmu", fmi=fmi)
        root = ElementTree.fromstring(zipfile.ZipFile(target).read("modelDescription.xml"))
        told = root.find("DefaultExperiment")
        assert (float(told.get("stopTime")), float(told.get("stepSize"))) == (END, STEP)


def test_a_live_page_takes_its_steps(monkeypatch: pytest.MonkeyPatch, build: eomc.Build) -> None:
    """The steps that run, and those that are hashed; the module itself is not looked at."""
    monkeypatch.setattr(sys.modules["eomc.live.section"], "compiled", lambda build: b"")
    runs, values = build.for_a_page(), build.load().parameters
    made = section(runs, runs.load().initial_state.tolist(), parameters=values, inputs={}, speed=0.01)
    data = json.loads(re.search(r"const data = (\{.*\});", made.script).group(1))
    assert (data["dt"], data["hashed"]) == (STEP, [1000, STEP])
    assert "Steps of 1e-07 s" in made.markup
    assert "1000 steps of 1e-07 s" in made.markup
    assert "--stabilization" not in made.markup
    assert 'id="live-speed" min="-3" max="1" step="any" value="-2"' in made.markup
