"""From coordinates and speeds to the state of a method."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, dynamicsymbols

import eomc
from eomc.errors import UsageError
from eomc.model import Model


@pytest.fixture
def mixed() -> Model:
    """Return a particle in polar coordinates with the radial and the transverse velocity as speeds."""
    r, theta, v, w = dynamicsymbols("r theta v w")
    m = sm.Symbol("m")
    N, A = ReferenceFrame("N"), ReferenceFrame("A")
    A.orient_axis(N, N.z, theta)
    origin = Point("O")
    origin.set_vel(N, 0)
    point = origin.locatenew("P", r * A.x)
    point.set_vel(N, v * A.x + w * A.y)
    return Model(
        name="polar",
        inertial_frame=N,
        coordinates=[r, theta],
        speeds=[v, w],
        kinematical_equations=[v - r.diff(), w - r * theta.diff()],
        bodies=[Particle("p", point, m)],
        parameters={m: 2.0},
        initial={r: 2.0, theta: 0.3, v: 0.5, w: 3.0},
        ranges={r: (1.0, 2.0)},
    )


def test_speeds_become_velocities_and_momenta(mixed: Model) -> None:
    """U = (r', r theta') gives q' = (v, w / r) for Lagrange and p = (m v, m r w) for Hamilton."""
    states = {method: eomc.compile(mixed, method).initial_state() for method in mixed.methods}
    assert set(states) == {"kane", "lagrange", "hamilton"}
    np.testing.assert_allclose(states["kane"], [2.0, 0.3, 0.5, 3.0])
    np.testing.assert_allclose(states["lagrange"], [2.0, 0.3, 0.5, 1.5])
    np.testing.assert_allclose(states["hamilton"], [2.0, 0.3, 1.0, 12.0])


def test_velocities_may_be_given_instead_of_speeds(mixed: Model) -> None:
    """theta' = 4 at r = 3 is w = 12; a speed given beside it wins over the default."""
    build = eomc.compile(mixed)
    np.testing.assert_allclose(build.initial_state({"r": 3.0}, {"theta_d": 4.0}), [3.0, 0.3, 0.5, 12.0])
    np.testing.assert_allclose(build.initial_state({"r": 3.0}, {"theta_d": 4.0, "v": -1.0}), [3.0, 0.3, -1.0, 12.0])


def test_parameters_count_in_momenta(mixed: Model) -> None:
    """P = m q' for another mass."""
    state = eomc.compile(mixed, "hamilton").initial_state(parameters={"m": 10.0})
    np.testing.assert_allclose(state, [2.0, 0.3, 5.0, 60.0])


def test_an_unknown_name_is_answered_with_the_known_ones(mixed: Model) -> None:
    """A misspelt coordinate is an error that offers the nearest."""
    with pytest.raises(UsageError, match=r"no coordinate or speed 'thetta'; did you mean theta"):
        eomc.compile(mixed).initial_state({"thetta": 1.0})
