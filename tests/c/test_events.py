"""Emitted C of models with events: strict compilers, stack, no heap."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.backends.c99.stack import stack_bounds
from eomc.binding.measuring import measure

pytestmark = pytest.mark.needs_cc

T = dynamicsymbols._t
X, Y = dynamicsymbols("x y")
M, G, S = sympy.symbols("m g s")
EVENTS = {
    "kick": eomc.Event(Y.diff(T), reset={X.diff(T): 2 * X.diff(T), S: 1 - S}),
    "end": eomc.Event(at=2.0, stop=True),
}
IMPACTS = [eomc.Impact(X + 0.5, restitution=0.5), eomc.Impact(0.9 - X, name="other wall")]
KINDS = {
    "resets": {"events": EVENTS},
    "impacts": {"impacts": IMPACTS},
    "both": {"events": EVENTS, "impacts": IMPACTS},
    "watched": {"events": {"apex": eomc.Event(Y.diff(T))}},
}


def built(kind: str, constrained: bool, real: str = "double") -> eomc.Build:
    """Return a mass on a circle, or free in a plane, with events of one kind."""
    model = eomc.from_lagrangian(
        M * (X.diff(T) ** 2 + Y.diff(T) ** 2) / 2 - M * G * Y * (1 + S),
        coordinates=[X, Y],
        configuration_constraints=[X**2 + Y**2 - 1] if constrained else [],
        parameters={M: 2.0, G: 9.81, S: 0.0},
        initial={Y: -1},
        **KINDS[kind],
        name=f"circle_{kind}",
    )
    return eomc.compile(model, real=real, integrator="dopri5")


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_compilers_find_nothing_to_say(
    kind: str, constrained: bool, silent: Callable[..., None], tmp_path: Path
) -> None:
    """The strictest flags of gcc and clang, in both precisions."""
    build = built(kind, constrained)
    build.write(tmp_path)
    silent(tmp_path, build.view.macro, [f"{build.view.name}{end}.c" for end in ("", "_run", "_dopri5")])


def test_the_stack_is_what_the_header_says() -> None:
    """At -O2, all that it calls counted; the frames of impulses among it."""
    build = built("both", constrained=True)
    assert measure(build).stack["reset"] <= stack_bounds(build.schedule, 8, own_mathematics=False)["reset"]
