"""What notebooks show: HTML that parses, is escaped, bounded, without script and colour, and says what is there."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import symbols
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.binding.cell import thinned
from eomc.cells import matrix, page, sentence, sparkline, table
from eomc.cells.sparkline import HEIGHT, WIDTH

ALLOWED = {"div", "p", "b", "code", "table", "caption", "thead", "tbody", "tr", "th", "td", "svg", "polyline"}
HOSTILE = "<script>alert('x')</script> & \"quotes\""


class Cell(HTMLParser):
    """Reads a cell: its text, its tables by their captions, its curves. What is not closed in order is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.curves: list[list[list[tuple[float, float]]]] = []
        self.labels: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what is opened."""
        assert tag in ALLOWED
        given = dict(attrs)
        assert re.fullmatch(r"(text-align:(left|right)|color:inherit;margin:0 0 1em 0)?", given.get("style") or "")
        assert {given.get("stroke"), given.get("fill")} <= {None, "none", "currentColor"}
        assert not [name for name in given if name.startswith("on") or name in ("class", "id", "href", "src")]
        self.open.append(tag)
        if tag == "table":
            self.rows: list[list[str]] = []
            self.caption = ""
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "svg":
            self.curves.append([])
            self.labels.append(given["aria-label"] or "")
        if tag == "polyline":
            pairs = (given["points"] or "").split()
            self.curves[-1].append([tuple(map(float, pair.split(","))) for pair in pairs])

    def handle_endtag(self, tag: str) -> None:
        """Close it."""
        assert self.open.pop() == tag
        if tag == "table":
            self.tables[self.caption] = self.rows

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open and close it."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        """Keep text where it stands."""
        self.text += data
        if "caption" in self.open:
            self.caption += data
        elif self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def shown(thing: Any) -> Cell:
    """Read what a notebook shows of a thing, which is the same each time."""
    text = thing._repr_html_()
    assert type(text)(text) == thing._repr_html_()
    return Cell(text)


def column(rows: list[list[str]], name: str) -> dict[str, str]:
    """Return first cell -> the cell of a column."""
    place = rows[0].index(name)
    return {row[0]: row[place] for row in rows[1:]}


def test_text_is_escaped_wherever_it_stands() -> None:
    """A reader of HTML finds the words as they were given."""
    cell = Cell(
        page(
            HOSTILE,
            HOSTILE,
            HOSTILE,
            sentence(HOSTILE),
            table(HOSTILE, (HOSTILE, "n"), [(HOSTILE, 1.0)], 1),
            matrix("M", [[1.0]], [HOSTILE], [HOSTILE]),
            table("curve", ("c",), [(sparkline(HOSTILE, [(0.0, 1.0), (1.0, 2.0)]),)], 1),
        )
    )
    assert cell.text.count(HOSTILE) == 9
    assert cell.tables[HOSTILE] == [[HOSTILE, "n"], [HOSTILE, "1"]]
    assert cell.labels == [HOSTILE]


def test_long_tables_end_and_say_so() -> None:
    """Rows beyond the last that is shown are counted, and not even asked for."""
    asked = []

    def rows():
        for number in range(1000):
            asked.append(number)
            yield (f"q{number}", number)

    cell = Cell(table("many", ("name", "value"), rows(), 1000))
    assert len(asked) == 30
    assert cell.tables["many"][-1] == ["and 970 more rows"]
    assert Cell(table("", ("name",), [("a",)] * 31, 31)).tables[""][-1] == ["and 1 more row"]
    assert table("none", ("name",), [], 0) == ""


def test_empty_columns_are_left_out() -> None:
    """Where nobody has stated a unit there is no column of units."""
    assert Cell(table("t", ("name", "unit"), [("a", ""), ("b", "")], 2)).tables["t"] == [["name"], ["a"], ["b"]]


def test_large_matrices_are_cut_with_a_note() -> None:
    """Of 20 x 15 numbers the first 12 x 12 are shown, and their number is told; an empty one is its sizes."""
    values = np.arange(300.0).reshape(20, 15)
    text = matrix("A", values.tolist(), [f"r{k}" for k in range(20)], [f"c{k}" for k in range(15)])
    ((caption, rows),) = Cell(text).tables.items()
    assert caption == "A: 20 x 15, of which no more than 12 rows and columns are shown"
    assert rows[0] == ["", *(f"c{k}" for k in range(12))]
    assert [list(map(float, row[1:])) for row in rows[1:]] == values[:12, :12].tolist()
    assert Cell(matrix("B", [[], []], ["a", "b"], [])).text == "B: 2 x 0"


@given(st.lists(st.floats(), min_size=1, max_size=12))
def test_a_curve_is_the_values_to_scale(values: list[float]) -> None:
    """Points stand in the picture, in proportion; the greatest is at the top; gaps are where values are not finite."""
    text = sparkline("q", [(float(k), value) for k, value in enumerate(values)])
    finite = [value for value in values if np.isfinite(value)]
    if not finite:
        assert text == ""
        return
    (lines,) = Cell(text).curves
    apart = "".join("x" if np.isfinite(value) else " " for value in values).split()
    assert [len(line) for line in lines] == [max(2, len(run)) for run in apart]  # a single point is a dot
    drawn = [y for line, run in zip(lines, apart, strict=True) for _, y in line[: len(run)]]
    low, high = min(finite), max(finite)
    for value, y in zip(finite, drawn, strict=True):
        part = 0.5 if low == high else (value / 4 - low / 4) / (high / 4 - low / 4)
        if low == high or (high / 4 - low / 4) > 1e-300:
            assert y == pytest.approx(HEIGHT - 2 - part * (HEIGHT - 4), abs=0.051)
    across = [x for line in lines for x, _ in line]
    assert across == sorted(across)
    assert all(2 <= x <= WIDTH - 2 for x in across)


def test_a_thinned_curve_keeps_what_stands_out() -> None:
    """Of 100,000 points the peaks of one point and the gap are left, and no more than can be seen."""
    t = np.linspace(0.0, 1.0, 100_001)
    values = np.sin(40.0 * t)
    values[[12_345, 77_777]] = 5.0, -7.0
    values[50_000] = np.nan
    points = thinned(t, values)
    assert len(points) <= 160
    assert {(t[12_345], 5.0), (t[77_777], -7.0)} <= set(points)
    assert sum(np.isnan(value) for _, value in points) == 1
    assert [at for at, _ in points] == sorted(at for at, _ in points)


@pytest.fixture(scope="module")
def oscillator() -> eomc.Model:
    """Return a mass on a spring with a damper: x'' = (F - c x' - k x)/m."""
    x, v, F = dynamicsymbols("x v F")
    m, k, c = symbols("m k c")
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, v * N.x)
    return eomc.Model(
        name="oscillator",
        inertial_frame=N,
        coordinates=[x],
        speeds=[v],
        bodies=[Particle("P", P, m)],
        loads=[(P, (F - k * x - c * v) * N.x)],
        inputs=[F],
        parameters={m: (2.0, "kg", HOSTILE), k: (8.0, "N/m"), c: (1.0, "N s/m")},
        initial={x: (0.25, "m", "of the mass")},
        outputs={"power": (F * v, "W")},
        description="a mass on a spring",
    )


def test_a_model_shows_what_its_symbols_mean(oscillator: eomc.Model) -> None:
    """States with initial values, parameters with units and words, outputs."""
    cell = shown(oscillator)
    assert cell.text.startswith("eomc.Model oscillator: MechanicalSystem, 1 coordinate, 1 speeda mass on a spring")
    assert column(cell.tables["states"], "initial") == {"x": "0.25", "v": "0"}
    assert column(cell.tables["states"], "kind") == {"x": "coordinate", "v": "speed"}
    assert column(cell.tables["states"], "meaning") == {"x": "of the mass", "v": ""}
    assert column(cell.tables["parameters"], "value") == {"m": "2", "k": "8", "c": "1"}
    assert column(cell.tables["parameters"], "meaning")["m"] == HOSTILE
    assert column(cell.tables["outputs"], "unit") == {"power": "W"}


def test_a_build_shows_functions_and_files(oscillator: eomc.Model) -> None:
    """Operations are those of `eomc stats`, lines those of the files."""
    build = eomc.compile(oscillator)
    cell = shown(build)
    counted = {one.name: str(one.counts.total) for one in build.statistics.code.functions}
    assert counted.items() <= column(cell.tables["functions"], "operations").items()
    assert "rhs" in counted
    lines = {one.path: str(len(one.text.splitlines())) for one in build.artifacts}
    assert column(cell.tables["files"], "lines") == lines


@pytest.mark.needs_cc
def test_a_simulator_and_its_motion_show_themselves(oscillator: eomc.Model) -> None:
    """Defaults of the one; first, last, least, greatest and a curve for each quantity of the other, inputs too."""
    sim = eomc.compile(oscillator).load()
    cell = shown(sim)
    assert column(cell.tables["states"], "initial") == {"x": "0.25", "v": "0"}
    assert column(cell.tables["parameters"], "default") == {"m": "2", "k": "8", "c": "1"}
    assert column(cell.tables["inputs"], "default") == {"F": "0"}
    motion = sim.simulate(t_end=3.0, dt=1e-3, inputs=lambda t: {"F": np.cos(t)})
    cell = shown(motion)
    assert cell.text.startswith("eomc.Trajectory oscillator: by kane, 3001 points, t = 0 ... 3 s")
    (rows,) = cell.tables.values()
    for name in ("x", "v", "power", "F"):
        values = motion[name]
        told = [values[0], values[-1], values.min(), values.max()]
        assert [float(column(rows, what)[name]) for what in rows[0][2:6]] == pytest.approx(told, rel=1e-5)
    assert cell.labels == [f"{name} over time" for name in ("x", "v", "power", "F")]
    assert len(motion._repr_html_()) < 20_000


@pytest.mark.needs_cc
def test_an_ensemble_shows_ends_and_spans(oscillator: eomc.Model) -> None:
    """Least, mean and greatest over the trajectories of the last point, and how they ended."""
    sim = eomc.compile(oscillator).load()
    x0 = np.array([[0.1, 0.0], [0.3, 0.0]])
    together = sim.ensemble(x0=x0, t_end=1.0, dt=1e-2)
    cell = shown(together)
    last = together["x"].reshape(2, -1)[:, -1]
    rows = cell.tables["over trajectories"]
    told = [float(column(rows, what)["x"]) for what in ("least", "mean", "greatest")]
    assert told == pytest.approx([last.min(), last.mean(), last.max()], rel=1e-5)
    assert column(rows, "unit")["x"] == "m"
    assert "2 trajectories: 2 finished" in cell.text
    reduced = sim.ensemble(x0=x0, t_end=1.0, dt=1e-2, reduce={"x": "maximum"})  # no points are kept
    rows = shown(reduced).tables["over trajectories"]
    assert [row[:3] for row in rows[1:]] == [["x", "maximum", "m"]]
    assert float(rows[1][-1]) == pytest.approx(together["x"].max(), rel=1e-5)
    assert shown(sim.ensemble(x0=x0, t_end=1.0, dt=1e-2, keep="none")).tables == {}


def test_a_linearization_shows_its_matrices(oscillator: eomc.Model) -> None:
    """A is [[0, 1], [-k/m, -c/m]], the frequency sqrt(k/m), the damping ratio c/(2 sqrt(k m))."""
    cell = shown(eomc.linearize(oscillator, at={"x": 0.0, "v": 0.0}))
    assert cell.tables["A"] == [["", "x", "v"], ["x", "0", "1"], ["v", "-4", "-0.5"]]
    assert cell.tables["B"] == [["", "F"], ["x", "0"], ["v", "0.5"]]
    assert cell.tables["D"] == [["", "F"], ["power", "0"]]
    values = cell.tables["eigenvalues of A"][1:]
    assert [row[1:] for row in values] == [["2", "0.125"]] * 2
    assert {row[0] for row in values} == {"-0.25 + 1.98431i", "-0.25 - 1.98431i"}
    assert "not at a steady motion" not in cell.text
    assert "the rates of v are not zero" in shown(eomc.linearize(oscillator, at={"x": 1.0, "v": 0.0})).text


def test_a_tree_shows_what_hangs_on_what() -> None:
    """A row for each joint with parent, child, mass and coordinates; of a long chain the first."""
    above = ["ground", *(f"l{k}" for k in range(39))]
    joints = [
        eomc.trees.Joint(
            name=f"j{k}",
            kind=eomc.trees.JointKind.REVOLUTE,
            parent=above[k],
            child=f"l{k}",
            axis=(0, 0, 1),
            coordinates=[dynamicsymbols(f"q{k}")],
            speeds=[dynamicsymbols(f"u{k}")],
        )
        for k in range(40)
    ]
    masses = {0: symbols("m"), 1: 2.0}
    links = [
        eomc.trees.Link(name="ground"),
        *(eomc.trees.Link(name=f"l{k}", mass=masses.get(k, 1.5)) for k in range(40)),
    ]
    tree = eomc.JointTree(links, joints)
    cell = shown(tree)
    rows = cell.tables["joints"]
    assert rows[2] == ["j1", "revolute", "l0", "l1", "2", "q1", "u1"]  # numbers as numbers
    assert [row[4] for row in rows[1:4]] == ["m", "2", "1.5"]
    assert rows[-1] == ["and 10 more rows"]


@pytest.mark.parametrize("name", ["rolling_disk", "four_bar", "spherical_pendulum"])
def test_shipped_models_show_themselves(name: str) -> None:
    """Rolling, loops and momenta, with the names of all states and parameters."""
    model = eomc.load(name)
    cell = shown(model)
    assert set(column(cell.tables["parameters"], "value")) == {one.name for one in model.parameters}
    assert len(cell.tables["states"]) == 1 + len(model.coordinates) + len(model.speeds) + len(model.extra_states)
