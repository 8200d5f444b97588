"""Systems with more zeros than not, and in several chunks: the emitted C against the reference."""

from __future__ import annotations

import pytest

import eomc
from eomc.agreement import compare

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("constraints", ["eliminated", "augmented", "range-space", "null-space"])
def test_a_chain_of_loops(constraints: str) -> None:
    """Ten loops: 21 speeds, 20 rows; the places of M and J are cleared in one call, not by hundreds of statements."""
    build = eomc.compile(eomc.load("n_four_bar:10"), constraints=constraints)
    (source,) = (artifact.text for artifact in build.artifacts if artifact.kind == "source")
    assert "clear_reals(" in source
    assert source.count("= REAL(0.0);") < 1000
    for one in compare(build, count=10):
        assert one.holds, one


def test_a_chain_of_forty_loops_is_emitted_in_proportion() -> None:
    """Text per loop does not grow, but for M, whose n^2 entries are handed out one by one."""
    lines = {n: len(_without_mass_matrix(n)) / n for n in (10, 40)}
    assert lines[40] < 1.3 * lines[10]


def _without_mass_matrix(loops: int) -> list[str]:
    build = eomc.compile(eomc.load(f"n_four_bar:{loops}"), functions=["energy", "multipliers"])
    (source,) = (artifact.text for artifact in build.artifacts if artifact.kind == "source")
    return source.splitlines()
