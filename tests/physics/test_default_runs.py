"""Shipped models over the runs that are theirs where nothing is said: they end, close and keep energy."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.analysis.balance import balance
from eomc.cli.entry import main
from eomc.frontends.loading import shipped_models

pytestmark = pytest.mark.needs_cc


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", shipped_models())
def test_energy_and_constraints_over_the_default_run(name: str) -> None:
    """Change of energy is the work, to 1e-4 of what is turned over; loops and rolling are kept to 1e-4."""
    build = eomc.compile(eomc.load(name))
    simulator = build.load()
    run = simulator.simulate()
    assert run.t[-1] == build.model.run.t_end or simulator.event_names
    assert np.isfinite(run.x).all()
    if "constraint_residuals" in simulator.functions:
        residuals = simulator.constraint_residuals(run.t, run.x, run.inputs if run.inputs.size else None)
        assert max(float(np.abs(one).max()) for one in np.atleast_2d(residuals)) < 1e-4
    if not build.equations.energetics.no_power:
        found = balance(build)
        assert found.defect <= max(1e-4 * found.turnover, found.tolerance)


@pytest.mark.parametrize("name", ["andrews_squeezer", "n_four_bar", "slider_crank"])
def test_the_command_line_takes_them(name: str, tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without an option the run ends where it should, without a warning; what is given is taken."""
    file = tmp_path / "run.csv"
    assert main(["simulate", name, "-o", str(file)]) == 0
    assert "warning" not in capsys.readouterr().err
    assert float(file.read_text().splitlines()[-1].partition(",")[0]) == eomc.load(name).run.t_end
    assert main(["simulate", name, "-o", str(file), "--t-end", "0.002", "--dt", "1e-4", "--stabilization", "none"]) == 0
    assert len(file.read_text().splitlines()) == 22
