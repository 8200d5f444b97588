"""Texts of the model as C string literals."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["c_string", "csv_field", "csv_header"]

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
    return tuple(map(c_string, _pieces(",".join(map(csv_field, names)))))


def _pieces(text: str) -> list[str]:
    """Return a text in pieces that every C99 compiler takes as a string, of 4095 bytes at most; UTF-8 has up to 4."""
    longest = 1000
    return [text[start : start + longest] for start in range(0, len(text), longest)] if len(text) > longest else [text]


def csv_field(name: str) -> str:
    """Return a name in a CSV header, in quotation marks where it could be misread."""
    return '"' + name.replace('"', '""') + '"' if any(character in name for character in ',"\n\r') else name
