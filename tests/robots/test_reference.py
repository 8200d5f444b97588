"""The emitted C of the 69 robots against the reference, which has every link as it is given, at 100 random states.

They run in the stage `robots` of `.ci/run`, whole.
"""

from __future__ import annotations

import gc
import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

import eomc
from eomc.analysis.agreement import compare
from eomc.errors import ModelError

ROBOTS = Path(os.environ.get("EOMC_ROBOTS", "nowhere"))
pytestmark = pytest.mark.skipif("EOMC_PINOCCHIO" not in os.environ, reason="of the stage robots: it takes long")
FILES = sorted(ROBOTS.rglob("*.urdf"))
BY_FORCES: set[tuple[str, str]] = set()
"""Robots whose M has a condition above 1e6 at all states, with their base: accelerations are judged by their forces."""


@pytest.fixture(autouse=True)
def memory() -> Iterator[None]:
    """Free what a robot took: a graph is few objects with much memory, which Python would keep for long."""
    yield
    gc.collect()


@pytest.mark.parametrize("base", ["fixed", "quaternion"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_robot_has_the_values_of_the_reference(path: Path, base: str) -> None:
    """Right-hand side, M, bias, energies and powers agree to 1e-10 of their terms."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            model = eomc.from_urdf(path, base=base)
        except ModelError as error:
            pytest.skip(f"refused: {error}")
    comparison = compare(eomc.compile(model), 100)
    assert (comparison.ill > 0) == ((path.stem, base) in BY_FORCES)
    assert [one.function for one in comparison if not one.holds] == []
