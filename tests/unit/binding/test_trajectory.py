"""What a run returns."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from eomc.binding import Simulator, Trajectory
from eomc.binding.table import table_text
from eomc.binding.trajectory import Quantity
from eomc.errors import OutputError, UsageError

pytestmark = pytest.mark.needs_cc


@pytest.fixture
def run(sim: Simulator) -> Trajectory:
    """Return a short driven motion."""
    return sim.simulate(1.0, 0.1, inputs={"tau": 0.3})


def test_columns_by_name(run: Trajectory, sim: Simulator) -> None:
    """States, outputs and time by name are the columns of the arrays; the outputs are those of the simulator."""
    assert run.names == ("theta", "omega", "power", "clock")
    assert len(run) == 11
    np.testing.assert_array_equal(run["omega"], run.x[:, 1])
    np.testing.assert_array_equal(run["power"], 0.3 * run.x[:, 1])
    np.testing.assert_array_equal(run["clock"], run["t"])
    np.testing.assert_array_equal(run.outputs, sim.outputs(run.t, run.x, run.inputs, run.parameters))


def test_energy_along_the_motion(sim: Simulator) -> None:
    """A free pendulum keeps its total energy to the order of the integrator."""
    run = sim.simulate(2.0, 1e-3)
    total = sim.energy(run.t, run.x, run.inputs, run.parameters)["total"]
    assert np.ptp(total) < 1e-10 * abs(total[0])


def test_unknown_column(run: Trajectory) -> None:
    """The nearest names are offered."""
    with pytest.raises(UsageError, match=r"unknown column 'thta'; did you mean theta or tau\?"):
        run["thta"]


def test_save_keeps_every_bit(run: Trajectory, tmp_path: Path) -> None:
    """A header of names, then as many digits as it takes: reading gives the same numbers."""
    run.save(tmp_path / "x.csv")
    run.save(tmp_path / "x.csv")  # again: a result may be replaced
    with open(tmp_path / "x.csv", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["t", "theta", "omega", "power", "clock"]
    table = np.array(rows, dtype=float)
    np.testing.assert_array_equal(table[:, 0], run.t)
    np.testing.assert_array_equal(table[:, 1:3], run.x)
    np.testing.assert_array_equal(table[:, 3:], run.outputs)


@pytest.mark.parametrize(
    ("real", "value", "text"),
    [
        ("double", 0.7, "0.7"),
        ("double", 0.1 + 0.2, "0.30000000000000004"),
        ("double", 1e22, "1e+22"),
        ("double", -0.0, "-0"),
        ("double", 5e-324, "4.94065645841247e-324"),
        ("double", float("-nan"), "nan"),
        ("double", float("inf"), "inf"),
        ("float", float(np.float32(0.7)), "0.7"),
        ("float", float(np.float32(16777217.0)), "16777216"),
        ("float", float(np.float32(1 / 3)), "0.33333334"),
        ("float", 0.1 + 0.2, "0.3"),
    ],
)
def test_as_few_digits_as_needed(real: str, value: float, text: str) -> None:
    """15 to 17 digits for a double, 6 to 9 for a float: the first that read back to the same number."""
    assert "".join(table_text(["x"], [np.array([value])], real)) == f"x\n{text}\n"


def test_names_in_a_header() -> None:
    """RFC 4180: what holds a comma or a quotation mark stands in quotation marks, and these are doubled."""
    assert next(table_text(["t", "a,b", 'say "hi"'], [], "double")) == 't,"a,b","say ""hi"""\n'


def test_file_that_cannot_be_written(run: Trajectory, tmp_path: Path) -> None:
    """A folder in the way, a missing folder or a format without a writer are OutputErrors that name the path."""
    with pytest.raises(OutputError, match=r"trajectory cannot be written to .*: Is a directory"):
        run.save(tmp_path)
    with pytest.raises(OutputError, match=r"plot cannot be written to .*none.*x\.png"):
        run.plot(tmp_path / "none" / "x.png")
    with pytest.raises(OutputError, match=r"plot cannot be written to .*x\.xyz"):
        run.plot(tmp_path / "x.xyz")


def test_plot_shows_every_quantity_with_its_unit(run: Trajectory, tmp_path: Path) -> None:
    """One panel per kind and unit, legends with names, time below; the file is what its suffix says."""
    figure = run.plot(tmp_path / "x.png")
    assert isinstance(figure, Figure)
    assert [axis.get_ylabel() for axis in figure.axes] == ["Coordinates [rad]", "Speeds [rad/s]", "Outputs"]
    texts = [[text.get_text() for text in axis.get_legend().get_texts()] for axis in figure.axes]
    assert texts == [["theta"], ["omega"], ["power", "clock"]]
    assert figure.axes[-1].get_xlabel() == "t [s]"
    np.testing.assert_array_equal(figure.axes[1].lines[0].get_ydata(), run["omega"])
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_many_lines_can_be_told_apart() -> None:
    """Twenty lines in one panel: no two share colour and style."""
    names = tuple(Quantity(f"q{k}", "", "Coordinates") for k in range(20))
    empty = np.empty((3, 0))
    run = Trajectory("chain", "kane", np.arange(3.0), np.ones((3, 20)), empty, empty, np.empty(0), names)
    (axis,) = run.plot().axes
    assert len({(line.get_color(), line.get_linestyle()) for line in axis.lines}) == 20


def test_plot_without_matplotlib(run: Trajectory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing matplotlib is an error that says what to install."""
    monkeypatch.delitem(sys.modules, "eomc.binding.figures", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(OutputError, match="plots need matplotlib: pip install"):
        run.plot()
