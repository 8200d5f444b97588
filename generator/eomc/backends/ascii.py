"""Text in plain ASCII: Greek letters by name, accents off, superscripts as powers."""

from __future__ import annotations

import unicodedata

_SYMBOLS = {
    "·": " ", "⋅": " ", "×": "x", "÷": "/", "−": "-", "\u2013": "-", "\u2014": "-", "°": "deg", "µ": "u",
    "′": "'", "″": "''", "’": "'", "\u2018": "'", "“": '"', "”": '"', "…": "...", "≤": "<=", "≥": ">=",
    "≠": "!=", "≈": "~", "→": "->", "√": "sqrt", "∂": "d", "∑": "sum", "∞": "inf", "ß": "ss", "ø": "o", "Ø": "O",
    "æ": "ae", "Æ": "AE", "ł": "l", "Ł": "L", "đ": "d", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
}  # fmt: skip
_DOTS = {"\u0307": "_d", "\u20db": "_ddd"}
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")


def plain(text: str) -> str:
    """Return a comment's or unit's text in printable ASCII on one line: ``m/s²`` is ``m/s^2``, ``θ`` is ``theta``."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split()) if "  " in text or text.strip() != text else text
    pieces = []
    raised = False
    for character in unicodedata.normalize("NFC", text):
        digit = character.translate(_SUPERSCRIPT)
        if digit != character:
            pieces.append(digit if raised else f"^{digit}")
            raised = True
            continue
        raised = False
        if " " <= character <= "~":
            pieces.append(character)
        elif character.isspace():
            pieces.append(" ")
        elif character.isprintable():
            pieces.append(spell(character) or "?")
    return " ".join("".join(pieces).split())


def spell(text: str) -> str:
    """Return letters in ASCII: ``θ`` is ``theta``, ``φ̇`` is ``phi_d``, ``ñ`` is ``n``; the unspeakable is dropped."""
    pieces = []
    base = ""
    for character in unicodedata.normalize("NFD", text):
        if " " <= character <= "~":
            pieces.append(character)
        elif character in _SYMBOLS:
            pieces.append(_SYMBOLS[character])
        elif character in _DOTS:
            pieces.append(_DOTS[character])
        elif character == "\u0308":  # two dots: a second derivative on anything but a vowel with an umlaut
            pieces.append("" if base in set("aeiouyAEIOUY") else "_dd")
        else:
            pieces.append(_letter(character))
        if not unicodedata.combining(character):
            base = character
    return "".join(pieces)


def _letter(character: str) -> str:
    if unicodedata.combining(character):
        return ""
    compatible = unicodedata.normalize("NFKD", character)
    if compatible != character:  # subscripts, ligatures, mathematical letters
        return spell(compatible)
    words = unicodedata.name(character, "").split()
    if len(words) >= 4 and words[0] == "GREEK" and words[1] in ("SMALL", "CAPITAL") and words[2] == "LETTER":
        return _greek(words).lower() if words[1] == "SMALL" else _greek(words).capitalize()
    return ""


def _greek(words: list[str]) -> str:
    """Return a letter's name: the last word but for a final sigma; Unicode says LAMDA."""
    name = words[4] if words[3] == "FINAL" else words[3]
    return "LAMBDA" if name == "LAMDA" else name
