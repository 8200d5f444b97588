"""Numbers and their nouns."""

from __future__ import annotations

import eomc
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
