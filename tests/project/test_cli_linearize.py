"""`eomc linearize`: tables for people, JSON for programs, one line for what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derivation.options import CONSTRAINTS, STABILIZATIONS
from eomc.errors import UsageError


def test_for_programs(eomc_command: Callable[..., Any]) -> None:
    """The JSON has the numbers of `eomc.linearize`, with names."""
    answer = eomc_command("linearize", "cart_pole", "--init", "theta=0", "x_d=0.5", "--set", "M=2", "--json")
    assert answer.code == 0
    figures = json.loads(answer.out)
    linear = eomc.linearize(eomc.load("cart_pole"), at={"theta": 0.0, "x_d": 0.5}, parameters={"M": 2.0})
    for letter, matrix in zip("ABCD", linear, strict=True):
        np.testing.assert_array_equal(figures[letter], matrix)
    assert figures["states"] == ["x", "theta", "x_d", "theta_d"]
    assert figures["inputs"] == ["F"]
    assert figures["outputs"] == list(linear.output_names)
    values = np.array(figures["eigenvalues"]) @ [1.0, 1.0j]
    np.testing.assert_allclose(np.sort_complex(values), np.sort_complex(np.linalg.eigvals(linear.A)), atol=1e-6)


def test_a_state_that_is_no_equilibrium_is_told(eomc_command: Callable[..., Any]) -> None:
    """One line on stderr with |x'|; none where the motion is steady, such as that of a bicycle."""
    answer = eomc_command("linearize", "simple_pendulum", "--init", "theta=0", "theta_d=0", "--set", "g=9.81", "L=0.5")
    assert answer.code == 0
    assert answer.err.startswith("eomc: warning: simple_pendulum: this state is no equilibrium, |x'| = 19.6 (theta_d)")
    assert answer.err.count("\n") == 1
    answer = eomc_command("linearize", "whipple_bicycle:5", "--json")
    assert (answer.code, answer.err) == (0, "")
    assert json.loads(answer.out)["unsteady"] == []


@pytest.mark.parametrize("form", CONSTRAINTS)
@pytest.mark.parametrize("stabilization", STABILIZATIONS)
def test_forms_of_the_constraints(eomc_command: Callable[..., Any], form: str, stabilization: str) -> None:
    """The slider-crank about a motion: on the constraints every form and stabilization has the same A."""
    gains = ("--set", "baumgarte_alpha=3") if stabilization == "baumgarte" else ()
    chosen = ("--constraints", form, "--stabilization", stabilization)
    answer = eomc_command("linearize", "slider_crank", *chosen, *gains, "--json")
    assert answer.code == 0, answer.err
    expected = eomc.linearize(eomc.load("slider_crank"))
    np.testing.assert_allclose(json.loads(answer.out)["A"], expected.A, rtol=1e-9, atol=1e-9)


def test_options_of_linearize() -> None:
    """Unknown ones are refused, and those that a build does not have; the chosen form is what is derived."""
    model = eomc.load("slider_crank")
    with pytest.raises(UsageError, match="constraints is 'kkt'"):
        eomc.linearize(model, constraints="kkt")
    build = eomc.compile(model, constraints="null-space")
    assert eomc.linearize(build, constraints="null-space").A.shape == eomc.linearize(build).A.shape
    with pytest.raises(UsageError, match="has constraints=null-space, not constraints=augmented"):
        eomc.linearize(build, constraints="augmented")


def test_for_people(eomc_command: Callable[..., Any]) -> None:
    """Rows and columns have their names; matrices without elements are left out."""
    answer = eomc_command("linearize", "simple_pendulum", "--init", "theta=1.5707963267948966")
    assert answer.code == 0
    assert "theta_d'" in answer.out
    assert "eigenvalues" in answer.out
    heads = [line.split()[0] for line in answer.out.splitlines() if line and line[0] in "ABCD"]
    assert heads == ["A", "C"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("cart_pole", "--init", "thta=0"), "--init: cart_pole: unknown coordinate, speed or extra state 'thta'"),
        (("cart_pole", "--set", "mass=0"), "--set: cart_pole: unknown parameter 'mass'"),
        (("cart_pole", "--constraints", "kkt"), "constraints is 'kkt'"),
        (("cart_pole", "--set", "baumgarte_alpha=3"), "unknown parameter 'baumgarte_alpha'"),
        (("cart_pole", "--input", "f=0"), "--input: cart_pole: unknown input 'f'"),
        (("slider_crank", "--method", "hamilton"), "momenta grow at rest"),
        (("rolling_disk", "--method", "lagrange"), "cannot be derived by lagrange"),
    ],
)
def test_bad_input(eomc_command: Callable[..., Any], arguments: tuple[str, ...], words: str) -> None:
    """Exit 2 and one line."""
    answer = eomc_command("linearize", *arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert words in answer.err
