"""Jacobians of both versions as CasADi has them, beside those of the same equations there; in the stage `people`."""

from __future__ import annotations

import os
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.fmu import write_fmu
from eomc.fmu.names import structured

pytestmark = [pytest.mark.needs_cc, pytest.mark.importers]
Equations = Callable[[ModuleType, Any, Any, Any], tuple[Any, Any]]


@pytest.fixture(scope="session")
def casadi() -> ModuleType:
    """Import CasADi, behind what is installed already."""
    sys.path.append(os.environ["EOMC_IMPORTERS"])
    with warnings.catch_warnings(action="ignore"):
        import casadi
    return casadi


def cart_pole(casadi: ModuleType, x: Any, u: Any, p: Any) -> tuple[Any, Any]:
    """Return rates and outputs of a bob on a rod on a cart, as text-books have them."""
    _, angle, speed, spin = casadi.vertsplit(x)
    cart, bob, length, weight, *_ = casadi.vertsplit(p)
    sine, cosine = casadi.sin(angle), casadi.cos(angle)
    M = casadi.vertcat(
        casadi.horzcat(cart + bob, bob * length * cosine), casadi.horzcat(bob * length * cosine, bob * length**2)
    )
    f = casadi.vertcat(u + bob * length * spin**2 * sine, -bob * weight * length * sine)
    outputs = casadi.vertcat(x[0] + length * sine, -length * cosine)
    return casadi.vertcat(speed, spin, casadi.solve(M, f)), outputs


def henon_heiles(casadi: ModuleType, x: Any, u: Any, p: Any) -> tuple[Any, Any]:
    """Return the rates of H = (p^2 + q^2)/2 + q1^2 q2 - q2^3/3."""
    q1, q2, p1, p2 = casadi.vertsplit(x)
    return casadi.vertcat(p1, p2, -q1 - 2 * q1 * q2, -q2 - q1**2 + q2**2), x


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("equations", [cart_pole, henon_heiles], ids=lambda one: one.__name__)
def test_jacobians_are_those_of_the_same_equations(
    casadi: ModuleType, tmp_path: Path, equations: Equations, fmi: int
) -> None:
    """Of rates and outputs by states, inputs and parameters, to 1e-12 of their size."""
    build = eomc.compile(eomc.load(equations.__name__))
    read = _read(casadi, build, tmp_path, fmi)
    assert [*read.x()] == [structured(state.name) for state in build.program.states]
    x, u, p = (casadi.SX.sym(name, len(getattr(read, name)())) for name in ("x", "u", "p"))
    rates, outputs = equations(casadi, x, u, p)
    same = casadi.Function("f", [x, u, p], [rates, outputs], ["x", "u", "p"], ["ode", "y"])
    blocks = [f"jac:{of}:{by}" for of in ("ode", "y") for by in ("x", "u", "p")]
    ours, theirs = (
        one.factory("J", ["x", "u", "p"], blocks) for one in (read.create("f", ["x", "u", "p"], ["ode", "y"]), same)
    )
    rng = np.random.default_rng(3)
    for _ in range(5):
        point = (
            rng.uniform(-1.5, 1.5, len(read.x())), rng.uniform(-3.0, 3.0, len(read.u())),
            np.array([read.start(one) for one in read.p()]).ravel() * rng.uniform(0.8, 1.2, len(read.p())),
        )  # fmt: skip
        for name, a, b in zip(blocks, ours(*point), theirs(*point), strict=True):
            a, b = np.array(a), np.array(b)
            assert a.shape == b.shape, name
            assert abs(a - b).max(initial=0.0) <= 1e-12 * (1.0 + abs(b).max(initial=0.0)), name


@pytest.mark.parametrize("fmi", [2, 3])
def test_jacobians_of_a_loop_have_the_feedback(casadi: ModuleType, tmp_path: Path, fmi: int) -> None:
    """Off the constraints, too, they are those of the equations with Baumgarte's feedback."""
    build = eomc.compile(eomc.load("four_bar"))
    read = _read(casadi, build, tmp_path, fmi)
    parameters = {name: float(np.ravel(read.start(name))[0]) for name in read.p()}
    function = read.create("f", ["x", "u", "p"], ["ode"]).factory("J", ["x", "u", "p"], ["jac:ode:x"])
    fed = eomc.compile(eomc.load("four_bar"), stabilization="baumgarte", functions="jacobian").load()
    x = fed.state() + 0.02 * np.arange(1, 7)
    u = np.full(len(read.u()), 0.3)
    wanted, _ = fed.jacobian(0.0, x, u if len(u) else None, parameters)
    assert np.array(function(x, u, np.array([*parameters.values()]))) == pytest.approx(
        wanted, abs=1e-12 * abs(wanted).max()
    )


def _read(casadi: ModuleType, build: eomc.Build, folder: Path, fmi: int) -> Any:
    """Return CasADi's record of an FMU."""
    with zipfile.ZipFile(write_fmu(build, folder / "a.fmu", fmi=fmi)) as archive:
        archive.extractall(folder / "x")
    return casadi.DaeBuilder(build.model.name, str(folder / "x"), {"debug": False})
