"""Elements -> XML: escaped, indented, the same bytes for the same elements."""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def element(tag: str, **attributes: str | int | float | bool | None) -> Element:
    """Return an element; attributes without a value are left out, an underscore ends the name of a Python word.

    Numbers have as many digits as tell them from all others: an importer reads the same bits.
    """
    return Element(
        tag, {name.rstrip("_"): _text(value) for name, value in attributes.items() if value is not None and value != ""}
    )


def document(root: Element, notice: str) -> str:
    """Return the text of a document with a comment before its root."""
    ElementTree.indent(root)
    words = notice.replace("--", "- -")
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- {words} -->\n{ElementTree.tostring(root, encoding="unicode")}\n'
    )


def _text(value: str | int | float | bool | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", str(value))  # characters that no XML can hold
