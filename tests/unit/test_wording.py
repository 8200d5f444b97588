"""Numbers and their nouns."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import eomc
from eomc.model.described import Described
from eomc.wording import are, counted, with_article


def test_counted() -> None:
    """One is singular, zero and many are plural, regular or not."""
    assert [counted(n, "speed") for n in (0, 1, 2)] == ["0 speeds", "1 speed", "2 speeds"]
    assert [counted(n, "momentum", "momenta") for n in (0, 1)] == ["0 momenta", "1 momentum"]
    assert [f"there {are(n, 'speed')}" for n in (0, 1, 2)] == [
        "there are 0 speeds",
        "there is 1 speed",
        "there are 2 speeds",
    ]


def test_with_article() -> None:
    """Before a vowel it is "an"."""
    assert [with_article(noun) for noun in ("int", "KanesMethod")] == ["an int", "a KanesMethod"]


def test_objects_of_one() -> None:
    """What Python shows of models and builds counts rightly."""
    model = eomc.load("simple_pendulum")
    assert repr(model).endswith(": MechanicalSystem, 1 coordinate, 1 speed>")
    build = eomc.compile(model)
    assert "2 states, " in repr(build)
    assert ": 1 point, t = 0 ... 0>" in repr(build.load().simulate(0.0))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda model: eomc.Model(name="m", paramters={}),
            "Model has .* 'paramters': did you mean parameters",
        ),
        (lambda model: eomc.compile(model, metod="kane"), "compile has no argument 'metod': did you mean method"),
        (lambda model: eomc.linearize(model, parameter={}), "linearize has no argument .*: did you mean parameters"),
        (lambda model: eomc.from_lagrangian(0, coordinates=[], input=[]), "from_lagrangian has .*did you mean inputs"),
        (lambda model: eomc.from_hamiltonian(0, momentum=[]), "from_hamiltonian has .*did you mean momenta"),
        (lambda model: eomc.from_kanes_method(0, intial={}), "from_kanes_method has .*did you mean initial"),
        (lambda model: eomc.from_lagranges_method(0, outputts={}), "from_lagranges_method has .*did you mean outputs"),
        (lambda model: eomc.from_system(0, range={}), "from_system has .*did you mean ranges"),
        (lambda model: eomc.compile(model).load().simulate(t_ned=1.0), "simulate has .* 't_ned': did you mean t_end"),
        (lambda model: eomc.compile(model).load().state(speed={}), "state has .* 'speed': did you mean speeds"),
    ],
)
def test_a_misspelt_argument(call: Callable[[Any], Any], words: str) -> None:
    """The nearest argument is told, in Python's own kind of error."""
    with pytest.raises(TypeError, match=words):
        call(eomc.load("simple_pendulum"))


@pytest.mark.parametrize(
    "front_end",
    [
        eomc.Model,
        eomc.from_hamiltonian,
        eomc.from_kanes_method,
        eomc.from_lagranges_method,
        eomc.from_lagrangian,
        eomc.from_system,
    ],
)
def test_signatures_name_every_argument(front_end: Callable[..., Any]) -> None:
    """What all front ends take is listed one by one: ``help`` and editors show it."""
    parameters = inspect.signature(front_end).parameters
    assert parameters.keys() >= {"name", *Described.__annotations__}
    assert all(one.kind is not one.VAR_KEYWORD for one in parameters.values())
