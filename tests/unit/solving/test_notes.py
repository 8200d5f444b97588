"""What the emitted header and README say about the quantities that the motion keeps."""

from __future__ import annotations

import pytest

import eomc

DRIVEN = "while the inputs are zero"


@pytest.mark.parametrize(
    ("name", "method", "sentences"),
    [
        ("rolling_disk", "kane", ["the total energy T + V (and so the Jacobi integral) is constant"]),
        (
            "cart_pole",
            "lagrange",
            [
                f"the total energy T + V (and so the Jacobi integral) is constant {DRIVEN}",
                f"the momentum p_x is constant {DRIVEN}",
            ],
        ),
        ("kepler", "hamilton", ["the Hamiltonian H is constant"]),
    ],
)
def test_each_invariant_is_told_once_in_words(name: str, method: str, sentences: list[str]) -> None:
    """Notes are the form of the equations, then a sentence per invariant; T + V = h is one of them, not two."""
    program = eomc.compile(eomc.load(name), method).program
    assert list(program.notes[1:]) == sentences
    told = [function.details for function in program.functions if function.name in {"energy", "momenta"}]
    assert [line for details in told for line in details] == sentences
