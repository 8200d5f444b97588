"""Robots from URDF: the emitted recursions against the reference, which has every link as it is given."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import eomc
from eomc.analysis.agreement import compare
from eomc.errors import ModelError

pytestmark = pytest.mark.needs_cc
FILES = sorted((Path(__file__).resolve().parents[1] / "data" / "urdf").glob("*.urdf"))
MASSLESS = {"axes", "extras", "inertias", "limits", "massless", "names", "vehicles"}
"""Rows of links without mass hang on a free base, so that it is refused."""

STILL = {"satellite"}
"""Nothing moves with a fixed base."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_robot_has_the_values_of_the_reference(path: Path) -> None:
    """All functions agree to 1e-10 of their terms at random states, with a fixed base and with a free one."""
    refused = set()
    for base in ("fixed", "angles"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            try:
                # A torque turns the placeholder of a link by 1e9 rad/s^2, and powers are known by differences.
                inputs = "none" if path.stem == "inertias" else "torques"
                model = eomc.from_urdf(path, base=base, friction=0.1, inputs=inputs)
            except ModelError:
                refused.add(base)
                continue
        comparison = compare(eomc.compile(model), 10)
        assert [one.function for one in comparison if not one.holds] == []
    assert refused == ({"angles"} if path.stem in MASSLESS else {"fixed"} if path.stem in STILL else set())
