"""Colours that people tell apart whatever colours they see, and those that a shape was given."""

from __future__ import annotations

import re

from eomc.scenery.records import GROUND

PALETTE = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
"""M. Okabe and K. Ito, *Color universal design* (2008)."""
GROUND_COLOUR = "#ccd0d5"
GROUND_OPACITY = 0.45
"""Of what is drawn flat on paper."""
FAINT = "#9aa0a8"
INK = "#30343a"
PAPER = "#ffffff"

_NAMES = {
    "black": "#000000", "white": "#ffffff", "grey": "#808080", "gray": "#808080", "silver": "#c0c0c0",
    "red": "#d62728", "green": "#2ca02c", "blue": "#1f77b4", "yellow": "#f0e442", "orange": "#e69f00",
    "purple": "#9467bd", "brown": "#8c564b", "pink": "#e377c2", "cyan": "#17becf", "magenta": "#c71585",
    "navy": "#000080", "teal": "#008080", "olive": "#808000", "maroon": "#800000",
}  # fmt: skip


def hex_of(given: str, otherwise: str) -> str:
    """Return a colour as #rrggbb, or #rrggbbaa of what light passes; what nobody knows is `otherwise`."""
    text = given.strip().lower()
    if re.fullmatch(r"#[0-9a-f]{3}", text):
        return "#" + "".join(2 * digit for digit in text[1:])
    if re.fullmatch(r"#[0-9a-f]{6}([0-9a-f]{2})?", text):
        return text.removesuffix("ff") if len(text) == 9 else text
    return _NAMES.get(text, otherwise)


def colour_of(given: str, row: int) -> str:
    """Return the colour of a solid as `hex_of` has it: its own, else that of the row which it follows."""
    return hex_of(given, GROUND_COLOUR if row == GROUND else PALETTE[row % len(PALETTE)])


def paint_of(given: str, row: int) -> str:
    """Return the colour of a solid where nothing but paper is behind: the ground lets that through, as in SVG."""
    colour = colour_of(given, row)
    return faded(colour, GROUND_OPACITY) if row == GROUND else colour


def opacity_of(colour: str) -> float:
    """Return the opacity of #rrggbb or #rrggbbaa, from 0 to 1."""
    return int(colour[7:], 16) / 255 if len(colour) == 9 else 1.0


def faded(colour: str, opacity: float) -> str:
    """Return #rrggbb or #rrggbbaa as it looks on paper through which it lets some light.

    Examples
    --------
    >>> faded("#000000", 0.2)
    '#cccccc'
    """
    mixed = (round(255 * (opacity * one + 1.0 - opacity)) for one in rgb_of(colour))
    return "#" + "".join(f"{one:02x}" for one in mixed) + colour[7:]


def rgb_of(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue of #rrggbb or #rrggbbaa, from 0 to 1."""
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue
