"""What to say and to do where a check of the motion fails: by its label, which is all that the emitted C keeps."""

from __future__ import annotations

SIGNS = "the signs of "
"""How the label of the check begins that some signs of reactions fit."""


def told(label: str) -> str:
    """Return a label as messages have it.

    Examples
    --------
    >>> told("omega"), told(SIGNS + "N")
    ('omega', "the signs of N (Painleve's paradox)")
    """
    return f"{label} (Painleve's paradox)" if label.startswith(SIGNS) else label


_SMALL = "in float a product below 1e-38, such as m l^2 of a small body, is lost: take double or other units"


def remedy(label: str, otherwise: str, real: str = "double") -> str:
    """Return what to do where a program of `real` numbers finds no unique solution for `label`.

    Examples
    --------
    >>> remedy("omega", "choose other coordinates")
    'choose other coordinates'
    """
    if label.startswith(SIGNS):
        return (
            "no signs of these reactions fit the equations: rigid bodies with so much friction have no motion here; "
            "take less friction, or let the contact yield (a stiff spring with a damper in place of the reaction)"
        )
    return f"{otherwise}; {_SMALL}" if real == "float" else otherwise
