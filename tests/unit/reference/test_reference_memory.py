"""What the reference remembers: the last motion, and the symbols' derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.reference.instant import derivative
from eomc.reference.kane import Kane
from eomc.reference.lagrange import HamiltonOfMomenta


def solutions(monkeypatch: pytest.MonkeyPatch, method: type) -> list[bool]:
    """Return a list to which each solution for a motion is added: whether accelerations were asked for."""
    solved: list[bool] = []
    solve = method.solve

    def counted(self: Any, instant: Any, accelerations: bool = False) -> Any:
        solved.append(accelerations)
        return solve(self, instant, accelerations)

    monkeypatch.setattr(method, "solve", counted)
    return solved


def test_a_motion_is_solved_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is asked of some states is one motion; other states, other times and other parameters make others."""
    oracle = eomc.reference(eomc.load("four_bar"))
    states = np.array([[0.7, 0.4, 0.9, 0.1, 0.2, 0.3], [0.8, 0.4, 0.9, 0.1, 0.2, 0.3]])
    parameters = np.array([one.value for one in oracle.model.parameters])
    oracle.rhs(0.0, states, None, parameters)
    solved = solutions(monkeypatch, Kane)
    for _ in range(2):
        for function in (oracle.rhs, oracle.mass_matrix, oracle.outputs, oracle.multipliers, oracle.condition):
            function(0.0, states, None, parameters)
    assert not solved
    first = oracle.rhs(0.0, states, None, parameters)
    states[0, 0] += 0.1  # in place: what is remembered is not the caller's array
    assert not np.array_equal(oracle.rhs(0.0, states, None, parameters), first)
    oracle.rhs(1.0, states, None, parameters)
    oracle.rhs(1.0, states, None, 2.0 * parameters)
    oracle.rhs(1.0, states[:1], None, 2.0 * parameters)
    assert len(solved) == 4


def test_results_are_the_callers_own() -> None:
    """To write into what was returned changes nothing that is returned later."""
    oracle = eomc.reference(eomc.load("cart_pole"))
    state = [0.1, 0.2, 0.3, 0.4]
    for function in (oracle.rhs, oracle.mass_matrix, oracle.forcing, oracle.velocities, oracle.accelerations):
        first = function(0.0, state)
        kept = first.copy()
        first[...] = np.nan
        np.testing.assert_array_equal(function(0.0, state), kept)


def test_accelerations_are_another_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hamilton's p' needs no q'': a forcing that was not asked for is not taken from what is remembered."""
    oracle = eomc.reference(eomc.load("cart_pole"), "hamilton")
    state = [0.1, 0.2, 0.3, 0.4]
    solved = solutions(monkeypatch, HamiltonOfMomenta)
    oracle.rhs(0.0, state)
    assert np.all(np.isfinite(oracle.forcing(0.0, state)))
    oracle.mass_matrix(0.0, state)
    oracle.accelerations(0.0, state)
    assert solved == [False, True]


@pytest.mark.parametrize("method", ["kane", "lagrange", "hamilton"])
def test_symbols_are_differentiated_once(method: str) -> None:
    """Evaluations take numbers alone: SymPy's derivatives, which take longer, are made at the first one."""
    oracle = eomc.reference(eomc.load("cart_pole"), method)
    oracle.accelerations(0.0, [0.1, 0.2, 0.3, 0.4])
    made = derivative.cache_info().misses
    oracle.accelerations(0.5, [0.2, 0.3, 0.4, 0.5])
    assert derivative.cache_info().misses == made
