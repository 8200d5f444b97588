"""Colours of files as shapes have them."""

from __future__ import annotations


def hex_of(red: float, green: float, blue: float, alpha: float = 1.0) -> str:
    """Return shares from 0 to 1 as #rrggbb; as #rrggbbaa where not all light is held back.

    Examples
    --------
    >>> hex_of(1.0, 0.5, 0.0)
    '#ff8000'
    >>> hex_of(1.0, 0.5, 0.0, 0.2)
    '#ff800033'
    """
    opaque, *shares = (round(255 * min(max(share, 0.0), 1.0)) for share in (alpha, red, green, blue))
    return "#" + "".join(f"{share:02x}" for share in (shares if opaque == 255 else [*shares, opaque]))
