"""Colours of robots as shapes have them."""

from __future__ import annotations


def hex_of(*shares: float) -> str:
    """Return red, green and blue from 0 to 1 as #rrggbb.

    Examples
    --------
    >>> hex_of(1.0, 0.5, 0.0)
    '#ff8000'
    """
    return "#" + "".join(f"{round(255 * min(max(share, 0.0), 1.0)):02x}" for share in shares)
