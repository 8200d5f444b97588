"""Trajectories in files and in other packages."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from eomc.binding import Simulator, Trajectory
from eomc.errors import OutputError

pytestmark = pytest.mark.needs_cc

STATES = ["theta", "omega", "power", "clock"]
FURTHER = ["tau", "energy_kinetic", "energy_potential", "energy_total"]


@pytest.fixture
def run(sim: Simulator) -> Trajectory:
    """Return a short driven motion."""
    return sim.simulate(1.0, 0.1, inputs={"tau": 0.3})


def test_npz(run: Trajectory, tmp_path: Path) -> None:
    """An array for each column, the same bytes each time."""
    run.save(tmp_path / "a.npz")
    run.save(tmp_path / "b.NPZ")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.NPZ").read_bytes()
    with np.load(tmp_path / "a.npz") as found:
        assert list(found) == ["t", *STATES, *FURTHER]
        for name in found:
            np.testing.assert_array_equal(found[name], run[name])


def test_parquet(run: Trajectory, tmp_path: Path) -> None:
    """Columns with units."""
    parquet = pytest.importorskip("pyarrow.parquet")
    run.save(tmp_path / "a.parquet")
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.column_names == ["t", *STATES, *FURTHER]
    assert table.schema.field("omega").metadata == {b"unit": b"rad/s", b"group": b"Speeds"}
    assert table.schema.metadata[b"model"] == b"pendulum"
    np.testing.assert_array_equal(table["tau"].to_numpy(), run["tau"])


def test_hdf5(run: Trajectory, tmp_path: Path) -> None:
    """Data sets with units."""
    h5py = pytest.importorskip("h5py")
    run.save(tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        assert set(file) == {"t", *STATES, *FURTHER}
        assert file["omega"].attrs["unit"] == "rad/s"
        assert file.attrs["model"] == "pendulum"
        np.testing.assert_array_equal(file["energy_total"], run["energy_total"])


def test_dataframe(run: Trajectory) -> None:
    """Over the time, with units beside."""
    pytest.importorskip("pandas")
    frame = run.to_dataframe()
    assert list(frame) == [*STATES, *FURTHER]
    assert frame.index.name == "t"
    assert frame.attrs["units"]["energy_total"] == "J"
    np.testing.assert_array_equal(frame["energy_total"], run["energy_total"])
    np.testing.assert_array_equal(frame.index, run.t)


def test_xarray(run: Trajectory) -> None:
    """Over the time, each variable with its unit."""
    pytest.importorskip("xarray")
    dataset = run.to_xarray()
    assert list(dataset.data_vars) == [*STATES, *FURTHER]
    assert dataset["omega"].attrs == {"units": "rad/s", "group": "Speeds"}
    assert dataset.attrs == {"model": "pendulum", "method": "kane"}
    np.testing.assert_array_equal(dataset["tau"].sel(t=run.t), run["tau"])


def test_unknown_endings(run: Trajectory, tmp_path: Path) -> None:
    """What is known is listed, and nothing is written; a file without an ending is CSV."""
    with pytest.raises(OutputError, match=r"as \.csv, \.npz, \.parquet, \.h5, not as \.xlsx"):
        run.save(tmp_path / "a.xlsx")
    run.save(tmp_path / "a")
    run.save(tmp_path / "a.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.csv"]
    assert (tmp_path / "a").read_bytes() == (tmp_path / "a.csv").read_bytes()


@pytest.mark.parametrize("ending", [".csv", ".npz", ".parquet", ".h5", ".png"])
def test_a_file_that_is_there_stays_until_the_new_one_is_whole(
    ending: str, run: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every format, and of a plot: what fails on the way leaves the old file alone."""
    path = tmp_path / f"run{ending}"
    path.write_bytes(b"old")
    needed = {".parquet": "pyarrow", ".h5": "h5py", ".png": "matplotlib"}.get(ending)
    if needed:
        pytest.importorskip(needed)

    def full(*given: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        with pytest.raises(OutputError, match="No space left on device"):
            run.plot(path=path) if ending == ".png" else run.save(path)
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [(path.name, b"old")]
    run.plot(path=path) if ending == ".png" else run.save(path)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() != b"old"


def test_missing_extras(run: Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install is said, and no file is begun."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    for ending, package, extra in ((".parquet", "pyarrow", "parquet"), (".h5", "h5py", "hdf5")):
        with pytest.raises(OutputError, match=rf"a\{ending}: \{ending} needs {package}: pip install 'eomc\[{extra}\]'"):
            run.save(tmp_path / f"a{ending}")
    with pytest.raises(OutputError, match=r"a DataFrame needs pandas: pip install 'eomc\[pandas\]'"):
        run.to_dataframe()
    with pytest.raises(OutputError, match=r"a Dataset needs xarray: pip install 'eomc\[xarray\]'"):
        run.to_xarray()
    assert not list(tmp_path.iterdir())


def test_figures_in_notebooks(run: Trajectory) -> None:
    """A notebook asks a value for its picture; a figure that pyplot does not know of is not drawn a second time."""
    assert run.plot()._repr_png_().startswith(b"\x89PNG")
    check = "import sys, eomc.binding.figures; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
