"""Texts of the model as C string literals."""

from __future__ import annotations

from collections.abc import Sequence

_LONGEST = 1000  # characters: every C99 compiler takes strings of 4095 bytes, and UTF-8 has up to 4 for each
_ESCAPED = frozenset('"\\?')


def c_string(text: str) -> str:
    """Return a C string literal of the text in UTF-8, written in ASCII."""
    if text.isascii() and text.isprintable() and not _ESCAPED.intersection(text):
        return f'"{text}"'
    pieces = []
    for byte in text.encode("utf-8"):
        character = chr(byte)
        if character in _ESCAPED:
            pieces.append(f"\\{character}")
        elif " " <= character <= "~":
            pieces.append(character)
        else:
            pieces.append(f"\\{byte:03o}")
    return f'"{"".join(pieces)}"'


def csv_header(names: Sequence[str]) -> tuple[str, ...]:
    """Return the literals of a CSV header; they stand one after the other in one line."""
    text = ",".join(map(csv_field, names))
    return tuple(c_string(text[start : start + _LONGEST]) for start in range(0, len(text), _LONGEST))


def csv_field(name: str) -> str:
    """Return a name in a CSV header, in quotation marks where it could be misread."""
    return '"' + name.replace('"', '""') + '"' if any(character in name for character in ',"\n\r') else name
