"""What to say and to do where a check of the motion fails: by its label, which is all that the emitted C keeps."""

from __future__ import annotations

__all__ = ["SIGNS", "remedy", "told"]

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


def remedy(label: str, otherwise: str) -> str:
    """Return what to do where there is no unique solution for `label`.

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
    return otherwise
