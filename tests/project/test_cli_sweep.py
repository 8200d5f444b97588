"""`eomc sweep`: a row for each run of a product of ranges."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import eomc

pytestmark = pytest.mark.needs_cc


def test_every_row_is_what_simulate_makes_of_it(eomc_command, tmp_path: Path) -> None:
    """Of parameters, starts and inputs: the last range is the fastest, the extremes are those of all points."""
    file = tmp_path / "runs.csv"
    arguments = (
        "--set m=0.1:0.3:3 l=0.7 --init theta=0.5:1:2 --input F=0:1:2 --reduce theta:minimum,maximum --t-end 0.5"
    )
    answer = eomc_command("sweep", "cart_pole", *arguments.split(), "--dt", "0.01", "-o", str(file))
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == f"{file}: 12 rows\n"
    table = np.genfromtxt(file, delimiter=",", names=True)
    assert table.dtype.names == ("m", "theta", "F", "theta_minimum", "theta_maximum", "status", "t_failed")
    sim = eomc.compile(eomc.load("cart_pole")).load()
    for row, (m, theta, F) in zip(table, itertools.product((0.1, 0.2, 0.3), (0.5, 1.0), (0.0, 1.0)), strict=True):
        own = {"m": m, "l": 0.7}
        run = sim.simulate(0.5, 0.01, sim.state({"theta": theta}, parameters=own), inputs={"F": F}, parameters=own)
        assert (row["m"], row["theta"], row["F"]) == pytest.approx((m, theta, F), rel=1e-15)
        extremes = (run["theta"].min(), run["theta"].max())
        assert (row["theta_minimum"], row["theta_maximum"]) == pytest.approx(extremes, rel=1e-13)
        assert row["status"] == 0


def test_times_of_events_are_columns(eomc_command, tmp_path: Path) -> None:
    """A ball without drag falls for sqrt(2 h/g), and flies for 2 e of that."""
    file = tmp_path / "runs.csv"
    words = "--init y=0.5:2:4 --set c=0 --reduce bounce:count,time1,time2 --t-end 1.5 --rtol 1e-10"
    answer = eomc_command("sweep", "bouncing_ball", *words.split(), "-o", str(file))
    assert (answer.code, answer.err) == (0, "")
    table = np.genfromtxt(file, delimiter=",", names=True)
    names = ("y", "bounce_count", "bounce_time1", "bounce_time2", "status", "t_failed")
    assert table.dtype.names == names
    falls = np.sqrt(2.0 * table["y"] / 9.81)
    assert table["bounce_time1"] == pytest.approx(falls, rel=1e-8)
    second = np.where(2.6 * falls < 1.5, 2.6 * falls, np.nan)
    assert table["bounce_time2"] == pytest.approx(second, rel=1e-8, nan_ok=True)
    assert table["bounce_count"][-1] == 1.0


def test_each_run_may_have_steps_of_its_own(eomc_command, tmp_path: Path) -> None:
    """To a tolerance; what is reduced are points at equal distances."""
    file = tmp_path / "runs.csv"
    sweep = "--init theta=0.5:1:2 --rtol 1e-9 --atol theta=1e-10 --rows-every 0.05 --t-end 0.5 --reduce theta:maximum"
    answer = eomc_command("sweep", "cart_pole", *sweep.split(), "-o", str(file))
    assert (answer.code, answer.err) == (0, "")
    sim = eomc.compile(eomc.load("cart_pole")).load()
    for row, theta in zip(np.genfromtxt(file, delimiter=",", names=True), (0.5, 1.0), strict=True):
        points = np.linspace(0.0, 0.5, 11)
        run = sim.simulate(0.5, x0=sim.state({"theta": theta}), rtol=1e-9, atol={"theta": 1e-10}, t_eval=points)
        assert row["theta_maximum"] == pytest.approx(run["theta"].max(), rel=1e-13)


@pytest.mark.filterwarnings("default:cart_pole")
def test_without_reductions_the_last_states_are_written(eomc_command, tmp_path: Path) -> None:
    """A run that fails is NaN, with its status and time; a file of finished blocks is written."""
    file, kept = tmp_path / "runs.npz", tmp_path / "runs.ckpt"
    sweep = ("--set", "l=0:1:2", "--t-end", "0.1", "-o", str(file), "--checkpoint", str(kept))
    answer = eomc_command("sweep", "cart_pole", *sweep)
    assert answer.code == 0, answer.err
    assert "1 of 2 trajectories ended early: 1 singular" in answer.err
    table = np.load(file)
    assert np.isnan(table["theta_end"]).tolist() == [True, False]
    assert table["status"].tolist() == [1, 0]
    assert table["t_failed"][0] == 0.0
    assert kept.is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--set m=0.1:0.3", "'m=0.1:0.3' is neither NAME=VALUE nor NAME=LOW:HIGH:COUNT"),
        ("--set m=0.1:0.3:0", "0 is below one"),
        ("--set q=0.1:0.3:2", "--set: cart_pole: unknown parameter 'q'"),
        ("--init thet=0:1:2", "did you mean theta"),
        ("--reduce theta", "'theta' is not NAME:KIND"),
        ("--reduce theta:maximun", "unknown reduction 'maximun'; did you mean maximum"),
        ("--integrator dop853 --dt 0.01", "--dt is not for dop853"),
        ("--rows-every 0.01", "--rows-every is not for rk4"),
    ],
)
def test_bad_input_is_told_in_one_line(eomc_command, tmp_path: Path, arguments: str, message: str) -> None:
    """Exit code 2, and nothing is written."""
    file = tmp_path / "runs.csv"
    answer = eomc_command("sweep", "cart_pole", *arguments.split(), "-o", str(file))
    assert answer.code == 2
    assert message in answer.err
    assert answer.err.count("\n") == 1
    assert not file.exists()


def test_a_file_that_cannot_be_written_is_refused_before_the_work(eomc_command, tmp_path: Path) -> None:
    """In the words of other commands."""
    for path, message in ((tmp_path, "is a folder; name a file in it"), (tmp_path / "no" / "a.csv", "make it first")):
        answer = eomc_command("sweep", "cart_pole", "--set", "m=0.1:0.3:2", "-o", str(path))
        assert (answer.code, answer.out) == (2, "")
        assert message in answer.err
