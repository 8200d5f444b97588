"""Names in the convention "structured" of FMI 2.0, section 2.2.9: identifiers with indices, or any text in quotes."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\[[0-9]+(,[0-9]+)*\])?")


def structured(name: str) -> str:
    r"""Return a name of the model as the convention has it.

    Examples
    --------
    >>> structured("q1"), structured("I[0,2]"), structured("joint 1"), structured("a'b")
    ('q1', 'I[0,2]', "'joint 1'", "'a\\'b'")
    """
    if _PLAIN.fullmatch(name):
        return name
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def rate(name: str) -> str:
    """Return the name of the time derivative of a variable, whose name is structured."""
    return f"der({name})"
