"""What the conversion says about an expression that it cannot convert."""

from __future__ import annotations

from typing import Any

import sympy

_PRINTABLE = 60  # nodes; SymPy's printer recurses, and nobody reads more
_LONGEST = 80  # characters


def unknown(expression: Any, root: Any) -> str:
    """Return what to do about a symbol, time function or derivative without a value."""
    what = f"{short(expression)}{within(expression, root)} has no value: list it among the"
    if isinstance(expression, sympy.Derivative):
        return f"{what} inputs (the derivative of an input signal is an input too)"
    return f"{what} coordinates, speeds, inputs or parameters"


def within(expression: Any, root: Any) -> str:
    """Return where an expression stands, unless it stands alone."""
    return "" if expression is root else f" in {short(root)}"


def short(expression: Any) -> str:
    """Return the text of an expression when it is small, else its head."""
    parts = [expression]
    for part in parts:
        parts.extend(part.args if isinstance(part, sympy.Basic) else ())
        if len(parts) > _PRINTABLE:
            return f"{type(expression).__name__}(...)"
    try:
        text = str(expression)
    except ValueError:  # Python prints no integer of more than some thousand digits
        return f"{type(expression).__name__}(...)"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
