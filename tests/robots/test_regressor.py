"""The regressor by moments of links against that of Pinocchio, for the arms of the worked examples.

Pinocchio comes with the stage `robots` of `.ci/run`, whole.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc

ROBOTS = Path(os.environ.get("EOMC_ROBOTS", "nowhere"))
pytestmark = pytest.mark.skipif("EOMC_PINOCCHIO" not in os.environ, reason="of the stage robots: it installs 900 MB")
EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "robots" / "examples"
THEIRS = ("m", "hx", "hy", "hz", "Jxx", "Jxy", "Jyy", "Jxz", "Jyz", "Jzz")


@pytest.fixture(scope="module")
def pinocchio() -> Any:
    """Pinocchio from the folder of the stage, behind what eomc itself imports, such as NumPy."""
    (place,) = ROBOTS.parents[2].glob("lib/python3*/site-packages")
    sys.path.append(str(place))
    import pinocchio

    return pinocchio


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_columns_of_all_links(pinocchio: Any, name: str) -> None:
    """Column by column, of the ten moments of each moving link, at random states and accelerations."""
    path = EXAMPLES / f"{name}.urdf"
    theirs = pinocchio.buildModelFromUrdf(str(path))
    data = theirs.createData()
    with warnings.catch_warnings(action="ignore"):
        model = eomc.from_urdf(path, inputs="none", damping=False, parameters="moments", snap=False)
    names = [one.name for one in model.parameters]
    sim = eomc.compile(model, functions=f"regressor:{':'.join(names)}").load()
    links = [one.removeprefix("m_") for one in names if one.startswith("m_")]
    order = [names.index(f"{word}_{link}") for link in links for word in THEIRS]
    random = np.random.default_rng(2)
    for _ in range(100):
        q, u, a = random.uniform(-2, 2, (3, theirs.nv))
        expected = pinocchio.computeJointTorqueRegressor(theirs, data, q, u, a)
        found, rest = sim.regressor(0.0, [*q, *u], a)
        np.testing.assert_allclose(found[:, order], expected, atol=1e-12 * np.max(np.abs(expected)), rtol=1e-12)
        np.testing.assert_array_equal(rest, 0.0)
