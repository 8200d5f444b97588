"""Functions can be chosen: what is emitted, what is not, what is said of a wrong name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import eomc
from eomc.binding import Simulator
from eomc.errors import UsageError
from eomc.programs.choice import OPTIONAL, chosen_functions, usual_functions
from eomc.programs.functions import FUNCTIONS, Known
from eomc.reference import Reference

ON_REQUEST = (
    "inverse_dynamics",
    "regressor",
    "gravity_forces",
    "coriolis_forces",
    "poses",
    "jacobian",
    "time_derivative",
    "outputs_jacobian",
    "rhs_parameter_jacobian",
)


def names(build: eomc.Build) -> list[str]:
    """Return the functions of a program."""
    return [function.name for function in build.program.functions]


def header(build: eomc.Build) -> str:
    """Return the text of the emitted header."""
    return next(artifact.text for artifact in build.artifacts if artifact.path.endswith(".h"))


@pytest.mark.parametrize("asked", ["energy,jacobian", "jacobian, energy", ["jacobian", "energy"]])
def test_what_is_asked_for(asked: Any) -> None:
    """The order of the names does not matter; nothing else is emitted."""
    build = eomc.compile(eomc.load("cart_pole"), functions=asked)
    assert names(build) == ["rhs", "energy", "jacobian"]
    text = header(build)
    assert "cart_pole_jacobian(" in text
    assert "mass_matrix" not in text
    assert "functions=energy,jacobian" in text


def test_the_usual_functions_are_all_but_the_jacobians() -> None:
    """Nobody pays for Jacobians without a word; their names say nothing in the banner."""
    build = eomc.compile(eomc.load("cart_pole"))
    assert "jacobian" not in names(build)
    assert {"mass_matrix", "forcing", "outputs", "energy", "momenta"} <= set(names(build))
    assert "functions=" not in header(build)
    assert set(OPTIONAL) - set(usual_functions()) == set(ON_REQUEST)


@pytest.mark.parametrize("owner", [Simulator, Reference])
def test_every_row_has_its_public_method(owner: type) -> None:
    """What the table names can be called and compared; corrections, which are not unique, serve `project`."""
    for row in FUNCTIONS:
        if row.known is not Known.NOT:
            assert getattr(owner, row.name).__doc__, f"{owner.__name__} has no {row.name}"


def test_a_function_on_request_answers_by_its_name_too() -> None:
    """`evaluate` compiles what the usual builds leave out, as `jacobian` does."""
    simulator = eomc.compile(eomc.load("cart_pole")).load()
    state = simulator.initial_state
    A, B = simulator.jacobian(0.0, state)
    assert simulator.evaluate("jacobian", 0.0, state).tolist() == [*A.ravel(), *B.ravel()]


def test_all_and_none() -> None:
    """`all` is everything that the model has, but no regressor of nothing named; an empty choice leaves the minimum."""
    every = eomc.compile(eomc.load("cart_pole"), functions="all")
    assert names(every) == [
        *names(eomc.compile(eomc.load("cart_pole"))),
        *(one for one in ON_REQUEST if one != "regressor"),
    ]
    assert "functions=all" in header(every)
    bare = eomc.compile(eomc.load("cart_pole"), functions=[])
    assert names(bare) == ["rhs"]
    assert names(eomc.compile(eomc.load("cart_pole"), functions="rhs,rk4_step,prepare")) == ["rhs"]
    assert "cart_pole_rk4_step(" in header(bare)


def test_what_the_model_does_not_have_is_left_out() -> None:
    """A function without content is no error: one choice serves many models."""
    assert names(eomc.compile(eomc.load("rolling_disk"), functions=["momenta", "jacobian"])) == ["rhs", "jacobian"]


@pytest.mark.parametrize("asked", ["jacobain", ["energy", "jacobain"], "", [3]])
def test_an_unknown_name(asked: Any) -> None:
    """One line with the known names."""
    with pytest.raises(
        UsageError,
        match=r"unknown function .*: (did you mean jacobian( or .*)?\? )?choose among mass_matrix, .*, or all",
    ) as caught:
        chosen_functions(asked)
    assert "\n" not in str(caught.value)


def test_projection_keeps_what_a_step_needs() -> None:
    """A step that ends on the constraints calls the corrections, chosen or not."""
    build = eomc.compile(eomc.load("slider_crank"), functions=["energy"], stabilization="projection")
    assert names(build) == ["rhs", "energy", "coordinate_correction", "velocity_correction"]


def test_the_same_build_with_other_functions() -> None:
    """Method, precision and options stay."""
    asked = {"real": "float", "constraints": "augmented", "stabilization": "none"}
    build = eomc.compile(eomc.load("slider_crank"), "lagrange", **asked)
    other = build.with_functions("jacobian")
    assert names(other) == ["rhs", "jacobian"]
    assert (other.method, other.real, other.options) == (build.method, build.real, build.options)


def test_the_command(eomc_command: Callable[..., Any], tmp_path: Path) -> None:
    """`eomc generate --functions` writes them; a wrong name is bad input and writes nothing."""
    answer = eomc_command("generate", "cart_pole", "-o", str(tmp_path / "out"), "--functions", "jacobian")
    assert answer.code == 0
    assert "cart_pole_jacobian(" in (tmp_path / "out" / "cart_pole.h").read_text()
    answer = eomc_command("generate", "cart_pole", "-o", str(tmp_path / "no"), "--functions", "jacobain")
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert "'jacobain'" in answer.err
    assert not (tmp_path / "no").exists()
