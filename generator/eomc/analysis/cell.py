"""A linearization as a notebook shows it: its matrices with the names of their rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eomc.binding.vectors import Array
from eomc.cells import Markup, matrix, number, page, sentence, table


def linearization_cell(
    name: str,
    matrices: Sequence[Array],
    states: Sequence[str],
    inputs: Sequence[str],
    outputs: Sequence[str],
    eigenvalues: Sequence[complex],
    unsteady: Sequence[str],
) -> Markup:
    """Return A, B, C, D and the eigenvalues, with frequency |s| and damping ratio -Re s/|s|.

    Parameters
    ----------
    name
        Of the model.
    matrices
        A, B, C, D.
    states, inputs, outputs
        Names of their rows and columns.
    eigenvalues
        Of A.
    unsteady
        States whose rates are not those of a steady motion.
    """
    A, B, C, D = (one.tolist() for one in matrices)
    warning = f"not at a steady motion: the rates of {', '.join(unsteady)} are not zero" if unsteady else ""
    return page(
        "eomc.Linearization",
        name,
        "x' = A x + B r, y = C x + D r",
        sentence(warning),
        matrix("A", A, states, states),
        matrix("B", B, states, inputs),
        matrix("C", C, outputs, states),
        matrix("D", D, outputs, inputs),
        table(
            "eigenvalues of A",
            ("s [1/s]", "|s| [rad/s]", "damping ratio"),
            _rows(eigenvalues),
            len(eigenvalues),
        ),
    )


def _rows(eigenvalues: Sequence[complex]) -> Iterator[tuple[str, float, float | str]]:
    """Yield an eigenvalue, its frequency and its damping ratio."""
    for s in eigenvalues:
        size = abs(s)
        sign = "-" if s.imag < 0 else "+"
        told = number(s.real) if s.imag == 0 else f"{number(s.real)} {sign} {number(abs(s.imag))}i"
        yield told, size, (-s.real / size + 0.0 if size else "")
