"""M, f and u' of trees that are found are those of the velocities as the user gave them."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from typing import Any

import pytest

import eomc
import eomc.models
from eomc.derivation.found.drafts import NoTreeError
from eomc.derivation.mass_matrix import lower_triangle
from eomc.model import Model
from eomc.model.parts import MechanicalSystem

SHIPPED = [found.name for found in pkgutil.iter_modules(eomc.models.__path__)]
MORE = ["heavy_top:quaternion", "n_link_pendulum:1", "n_link_pendulum:2", "n_link_pendulum:5", "n_link_pendulum:9"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [*SHIPPED, *MORE])
def test_shipped_models(name: str, hung: Callable[[Model], Any]) -> None:
    """M and f are the same functions: every entry to the rounding of its own terms, wherever a tree is found."""
    model = eomc.load(name)
    if not isinstance(model.dynamics, MechanicalSystem):
        pytest.skip("no bodies")
    try:
        found = hung(model)
    except NoTreeError as error:
        pytest.fail(f"{name}: {error}")
    (ours, force), (theirs, other) = found.by_recursion(), found.by_partial_velocities()
    assert found.differ(lower_triangle(ours), lower_triangle(theirs)) == []
    assert found.differ(force, other) == []


@pytest.mark.parametrize("n", [3, 8])
def test_accelerations(n: int, arm: Callable[[int], Model], motions: Callable[[Model], Any]) -> None:
    """u' of a spatial arm by the recursion that is chosen: to the condition of M, that of partial velocities."""
    problem, chosen, given = motions(arm(n))
    assert chosen.recursion is not None
    for number in (0, 4, 8):
        sample = problem.sampling.state(number)
        ours, theirs = ([sample.sized(node)[0] for node in one.accelerations] for one in (chosen, given))
        assert ours == pytest.approx(theirs, rel=1e-7, abs=1e-7 * max(map(abs, theirs)))
