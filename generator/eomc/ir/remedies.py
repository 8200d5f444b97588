"""What to say and to do where a check of the motion fails: by its label, which is all that the emitted C keeps."""

from __future__ import annotations

SIGNS = "the signs of "
"""How the label of the check begins that some signs of reactions fit."""

BROKEN = "accelerations that break "
"""How the label of the check begins that given accelerations meet a constraint."""
UNMADE = "no actuated direction makes the force along "
"""How the label of the check begins that the actuated directions make a force."""


def told(label: str) -> str:
    """Return a label as messages have it.

    Examples
    --------
    >>> told("omega"), told(SIGNS + "N")
    ('omega', "the signs of N (Painleve's paradox)")
    """
    return f"{label} (Painleve's paradox)" if label.startswith(SIGNS) else label


def cause(label: str) -> str:
    """Return what is wrong where the check of a label fails.

    Examples
    --------
    >>> cause("omega"), cause(BROKEN + "velocity constraint 1")
    ('the equations are singular for omega', 'accelerations that break velocity constraint 1')
    """
    if label.startswith((BROKEN, UNMADE)):
        return label
    return f"the equations are singular{f' for {label}' if label else ''}"


_SMALL = "in float a product below 1e-38, such as m l^2 of a small body, is lost: take double or other units"


def remedy(label: str, otherwise: str, real: str = "double", doubt: str = "") -> str:
    """Return what to do where a program of `real` numbers finds no unique solution for `label`.

    `doubt` says of a body that it is none, which comes before what to do `otherwise`.

    Examples
    --------
    >>> remedy("omega", "choose other coordinates")
    'choose other coordinates'
    >>> remedy("omega", "choose other coordinates", doubt="link 'hand' is no body")
    "link 'hand' is no body; where that is not why, choose other coordinates"
    """
    if label.startswith(SIGNS):
        return (
            "no signs of these reactions fit the equations: rigid bodies with so much friction have no motion here; "
            "take less friction, or let the contact yield (a stiff spring with a damper in place of the reaction)"
        )
    if label.startswith(BROKEN):
        return "give accelerations with which the constraints hold on"
    if label.startswith(UNMADE):
        return "name more of them, or give accelerations that they can make"
    first = f"{doubt}; where that is not why, " if doubt else ""
    return f"{first}{otherwise}" + (f"; {_SMALL}" if real == "float" else "")
