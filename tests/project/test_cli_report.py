"""`eomc report`: one page for every model, and one line where there can be none."""

from __future__ import annotations

import html.parser
import os
import re
from pathlib import Path

import pytest

import eomc
from eomc.errors import UsageError
from eomc.frontends.loading import shipped_models

pytestmark = pytest.mark.needs_cc

VOID = {"meta", "input", "br", "wbr"}


class Reader(html.parser.HTMLParser):
    """Reads a page: which sections it has, whether every element is closed, what it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sections: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "section" and "id" in given:
            self.sections.append(str(given["id"]))
        self.loaded += [str(given[key]) for key in ("src", "href", "srcset", "data") if key in given]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(path: Path) -> Reader:
    """Return a page that is whole and needs nothing beside it."""
    text = path.read_text(encoding="utf-8")
    found = Reader(text)
    assert text.startswith("<!DOCTYPE html>")
    assert found.open == []
    assert found.loaded == []
    assert set(re.findall(r"\w+://[^\s\"'<]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\(", text)
    return found


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", shipped_models())
def test_every_shipped_model_has_a_report(eomc_command, tmp_path: Path, name: str) -> None:
    """By its usual run, which ends where it should."""
    path = tmp_path / "page.html"
    answer = eomc_command("report", name, "-o", str(path))
    assert answer.code == 0
    assert answer.out == f"{path}: {path.stat().st_size / 1000:.1f} kB\n"
    found = read(path)
    assert {"motion", "states", "equations", "operations"} <= set(found.sections)
    assert "It ended early" not in path.read_text(encoding="utf-8")
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize(("name", "most"), [("four_bar", 60_000), ("whipple_bicycle", 500_000)])
def test_a_report_is_small(eomc_command, tmp_path: Path, name: str, most: int) -> None:
    """With its equations."""
    path = tmp_path / "page.html"
    assert eomc_command("report", name, "-o", str(path)).code == 0
    assert path.stat().st_size <= most
    assert "<mfrac>" in path.read_text(encoding="utf-8")


def test_the_run_is_the_one_that_is_asked_for(eomc_command, tmp_path: Path) -> None:
    """Values of parameters, starts and inputs, the end, the method and its command."""
    path = tmp_path / "page.html"
    given = ("--set", "l=80cm", "--init", "theta=2", "--input", "F=0.5", "--t-end", "1", "--method", "lagrange")
    assert eomc_command("report", "cart_pole", "-o", str(path), *given).code == 0
    text = path.read_text(encoding="utf-8")
    for name, value in (("l", "0.8"), ("theta", "2"), ("F", "0.5")):
        assert f'<code>{name}</code></td><td class="number">{value}</td>' in text
    assert "1001 points from t = 0 s to 1 s by rk4" in text
    assert "Lagrange" in text


def test_the_command_that_prints_long_equations_is_told(eomc_command, tmp_path: Path, monkeypatch) -> None:
    """With the options of the report that change them, and it prints them."""
    monkeypatch.setattr("eomc.report.formulas.MOST", 10)
    path = tmp_path / "page.html"
    answer = eomc_command("report", "four_bar", "-o", str(path), "--t-end", "0.1", "--constraints", "augmented")
    assert answer.code == 0
    (command,) = re.findall(r"<code>eomc (equations .*?)</code>", path.read_text(encoding="utf-8"))
    assert command == "equations four_bar --constraints augmented"
    assert "Mass matrix" in eomc_command(*command.split()).out


def test_events_are_counted(eomc_command, tmp_path: Path) -> None:
    """How often each has happened stands beside the picture."""
    path = tmp_path / "page.html"
    assert eomc_command("report", "bouncing_ball", "-o", str(path), "--t-end", "1").code == 0
    build = eomc.compile(eomc.load("bouncing_ball"))
    run = build.load().simulate(t_end=1.0)
    (name,) = {hit.name for hit in run.events}
    assert f"; {name} {len(run.events)} time" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("four_bar", "-o", "four.pdf"), "--output: 'four.pdf' has not the ending of a page: name a file in .html"),
        (("four_bar", "-o", "no/four.html"), "--output: the folder no does not exist"),
        (("four_bar", "-o", "."), "--output: . is a folder"),
        (("four_bar",), "-o/--output"),
        (("four_bar", "-o", "four.html", "--speed", "0"), "0 is not above zero"),
        (("four_bar", "-o", "four.html", "--speed", "1e9", "--t-end", "1"), "give a speed with which it lasts"),
        (("four_bar", "-o", "four.html", "--follow", "nobody", "--t-end", "1"), "known are crank, coupler, rocker"),
        (("four_bar", "-o", "four.html", "--t0", "2", "--t-end", "1"), "--t-end 1 lies before the start"),
        (("four_baz", "-o", "four.html"), "did you mean four_bar"),
    ],
)
def test_bad_input_is_told_in_one_line(eomc_command, tmp_path: Path, monkeypatch, arguments, says: str) -> None:
    """What is wrong, where and what to do; no file is left."""
    monkeypatch.chdir(tmp_path)
    answer = eomc_command("report", *arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert says in answer.err
    assert answer.err.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_in_python_it_is_the_same_page(eomc_command, tmp_path: Path) -> None:
    """`Build.report` of the same run; with a motion that is given, of that."""
    build = eomc.compile(eomc.load("simple_pendulum"))
    build.report(tmp_path / "a.html")
    assert eomc_command("report", "simple_pendulum", "-o", str(tmp_path / "b.html")).code == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    build.report(tmp_path / "c.html", build.load().simulate(t_end=1.0), speed=0.5)
    assert "1001 points from t = 0 s to 1 s" in (tmp_path / "c.html").read_text(encoding="utf-8")


def test_a_motion_that_is_none_of_it_is_refused(tmp_path: Path) -> None:
    """Of another model, of another method, or no motion at all; no file is left."""
    build = eomc.compile(eomc.load("simple_pendulum"))
    other = eomc.compile(eomc.load("double_pendulum")).load().simulate(t_end=0.1)
    momenta = eomc.compile(eomc.load("simple_pendulum"), "hamilton").load().simulate(t_end=0.1)
    for given in (other, momenta, other.x):
        with pytest.raises(UsageError, match="simple_pendulum: "):
            build.report(tmp_path / "a.html", given)
    with pytest.raises(eomc.EomcError, match="name a file in"):
        build.report(tmp_path / "a.txt")
    assert os.listdir(tmp_path) == []


def test_a_motion_that_ends_early_has_a_report(eomc_command, tmp_path: Path) -> None:
    """A star that is thrown out: the page says what ended it, and so does the command."""
    path = tmp_path / "a.html"
    answer = eomc_command("report", "henon_heiles", "-o", str(path), "--init", "py=3", "--dt", "0.05")
    assert answer.code == 1
    told = answer.err.removeprefix("eomc: error: ").strip()
    assert "henon_heiles: diverged" in told
    assert f"It ended early: {told}" in path.read_text(encoding="utf-8")
    assert read(path).sections[0] == "motion"


def test_a_motion_that_never_begins_has_none(eomc_command, tmp_path: Path) -> None:
    """A planet at its sun."""
    answer = eomc_command("report", "kepler", "-o", str(tmp_path / "a.html"), "--init", "x=0", "y=0")
    assert answer.code == 2
    assert "no motion from the start" in answer.err
    assert os.listdir(tmp_path) == []
