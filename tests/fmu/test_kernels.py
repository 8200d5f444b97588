"""Kernels of linear systems, once in a header, and the C of a run without what no step calls."""

from __future__ import annotations

import re

import numpy as np
import pytest

import eomc
from eomc.fmu.derived import beside
from eomc.fmu.kernels import HEADER, kernels_once
from eomc.fmu.shortening import without_comments


def program(name: str) -> tuple[list[eomc.Build], dict[str, str]]:
    """Return the programs of an FMU of a shipped model, and their files."""
    run = eomc.compile(eomc.load(name)).with_steps_alone()
    other = beside(run, feeds=run.view.projection is not None, timed=False)
    assert other is not None
    builds = [run, other.build]
    return builds, {artifact.path: artifact.text for build in builds for artifact in build.library}


def tokens(text: str) -> list[str]:
    """Return words and signs of C, without its remarks."""
    return re.findall(r"\w+|[^\w\s]", without_comments(f"/* */ /* */ {text}"))


@pytest.mark.parametrize("name", ["four_bar", "slider_crank_unequal"])
def test_a_header_in_its_place_is_the_program(name: str) -> None:
    """With the text of the header for its name each program has the tokens that it had; kernels are nowhere else."""
    builds, texts = program(name)
    shared = kernels_once([build.view for build in builds], texts)
    assert set(shared) == {*texts, HEADER}
    functions = re.findall(r"^static \w+ \*?(\w+)\(", shared[HEADER], flags=re.MULTILINE)
    assert "ldlt_solve" in functions
    assert not re.search(r"_real\b", shared[HEADER])
    for build in builds:
        text, type_ = shared[f"{build.view.name}.c"], f"{build.view.name}_real"
        assert not any(re.search(rf"^static .*\b{one}\(", text, flags=re.MULTILINE) for one in functions)
        whole = text.replace(f'#include "{HEADER}"', shared[HEADER])
        before = texts[f"{build.view.name}.c"].replace(f"{build.view.macro}_USE", f"{builds[0].view.macro}_USE")
        after = whole.replace(f"{build.view.macro}_USE", f"{builds[0].view.macro}_USE")
        assert tokens(after.replace(type_, "double")) == tokens(before.replace(type_, "double"))


@pytest.mark.parametrize("name", ["double_pendulum", "n_link_pendulum:40"])
def test_what_has_no_kernels_in_common_is_left(name: str) -> None:
    """Systems that are written out have none; those of a program in several files have names of its own."""
    run = eomc.compile(eomc.load(name)).with_steps_alone()
    texts = {artifact.path: artifact.text for artifact in run.library}
    assert kernels_once([run.view], texts) == texts
    if name == "double_pendulum":
        builds, both = program(name)
        assert kernels_once([build.view for build in builds], both) == both


@pytest.mark.needs_cc
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("four_bar", {}),
        ("cart_pole", {"integrator": "gauss3"}),
        ("bouncing_ball", {}),
        ("kepler", {"integrator": "taylor"}),
    ],
)
def test_steps_alone_have_the_bits_of_all(name: str, options: dict[str, str]) -> None:
    """Without energies, multipliers and the like, and shorter, each state and each output of a run is the same."""
    build = eomc.compile(eomc.load(name), **options)
    alone = build.with_steps_alone()
    assert sum(len(one.text) for one in alone.library) < sum(len(one.text) for one in build.library)
    ours, all_of_them = (one.load().simulate(t_end=0.2) for one in (alone, build))
    assert np.array_equal(ours.x, all_of_them.x)
    if build.model.outputs:
        assert np.array_equal(ours.outputs, all_of_them.outputs)
