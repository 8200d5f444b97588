"""What a build makes of others."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import eomc


def declared(build: eomc.Build) -> set[str]:
    """Return the functions that the headers of a build declare."""
    headers = "".join(artifact.text for artifact in build.library if artifact.kind == "header")
    return set(re.findall(r"^\w+ \**(\w+)\(", headers, flags=re.MULTILINE))


@pytest.mark.parametrize(
    ("variant", "asked"),
    [
        (lambda build: build.with_integrator("heun,dop853"), {"integrator": "heun,dop853"}),
        (lambda build: build.for_runs_by("dop853"), {"integrator": "dop853", "functions": "outputs,energy"}),
        (lambda build: build.for_runs_by("heun", True), {"integrator": "heun", "functions": "outputs,energy,run"}),
        (lambda build: build.with_step_lanes(), {"functions": "outputs,step_lanes"}),
    ],
)
def test_what_is_derived_serves_variants(
    variant: Callable[[eomc.Build], eomc.Build], asked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They declare what a build from the beginning declares, and nothing has been derived for them."""
    model = eomc.load("simple_pendulum")
    build, expected = eomc.compile(model), eomc.compile(model, **asked)
    monkeypatch.setattr("eomc.pipeline.derive", lambda *_: pytest.fail("derived anew"))
    assert declared(variant(build)) == declared(expected) != declared(build)


@pytest.mark.parametrize("name", ["with_integrator", "for_runs_by"])
def test_what_a_program_lacks_is_derived(name: str) -> None:
    """A Taylor series needs recurrences that a build for rk4 does not have: its C is that of such a build."""
    model = eomc.load("simple_pendulum")
    variant = getattr(eomc.compile(model), name)("taylor")
    assert variant.library == eomc.compile(model, integrator="taylor", functions=variant.functions).library
