"""The page on sensitivities does what it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pages import run_python

PAGE = Path(__file__).resolve().parents[2] / "docs" / "sensitivities" / "README.md"


@pytest.mark.needs_cc
def test_the_session_of_the_page_runs() -> None:
    """Volumes shrink as the damping says; parameters come back; exponents sum to zero, in pairs; bounces move by e."""
    names = run_python(PAGE)
    damped, t = names["found"].dx_dx0, names["found"].trajectory.t
    np.testing.assert_allclose(np.linalg.det(damped), np.exp(-0.05 / 0.8**2 * t), rtol=1e-7)  # Liouville's formula
    flow, J = names["step"].dx_dx0[-1], np.kron([[0.0, 1.0], [-1.0, 0.0]], np.eye(2))
    np.testing.assert_allclose(flow.T @ J @ flow, J, atol=1e-6)  # a Hamiltonian motion is symplectic
    assert np.abs(names["exact"].x - names["truth"]).max() < 1e-8
    assert (np.abs(names["noisy"].x - names["truth"]) < 3.0 * names["spread"]).all()
    exponents = names["exponents"]
    assert exponents[0] > 0.5
    assert abs(exponents.sum()) < 1e-8
    assert np.abs(exponents + exponents[::-1]).max() < 0.05
    assert names["bounced"].dt_dp[0, 0] == 0.0 < names["bounced"].dt_dp[1, 0]
    np.testing.assert_allclose(names["back"]["q_d", "q_d"][-1], 1.8 / 4.2, rtol=1e-8)
