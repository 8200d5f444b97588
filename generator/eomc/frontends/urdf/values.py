"""Attributes of elements as names, numbers and triples of numbers."""

from __future__ import annotations

import math
import re

from eomc.frontends.robots.matrices import Triple
from eomc.frontends.robots.names import shown
from eomc.frontends.urdf.faults import Fault
from eomc.frontends.urdf.markup import Element
from eomc.wording import did_you_mean

NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
"""How a number is written: neither a comma nor a name, such as nan."""

_SPACE = " \t\r\n"  # the white space of XML: others are characters of a name, or mistakes
_BOUND = 1e100  # products of three such numbers, and sums of them, are finite


def name_in(element: Element, attribute: str, owner: str) -> str:
    """Return a name that must be there; `owner` says whose it is."""
    text = element.get(attribute)
    if text is None:
        near = [name for name, _ in element.attributes]
        found = f" ({did_you_mean(attribute, near)})" if near and "?" in did_you_mean(attribute, near) else ""
        raise Fault(element.line, f"{owner}: <{element.tag}> has no attribute {attribute}{found}")
    if not text.strip(_SPACE):
        raise Fault(element.line, f"{owner}: the attribute {attribute} of <{element.tag}> is empty")
    return text


def number_in(element: Element, attribute: str, owner: str, default: float | None = None) -> float:
    """Return a finite number, `default` where the attribute is not given; without default it must be."""
    text = element.get(attribute)
    if text is None and default is not None:
        return default
    given = name_in(element, attribute, owner) if text is None else text
    return _number(given.strip(_SPACE), f"{owner}: {attribute} of <{element.tag}>", element.line)


def triple_in(element: Element, attribute: str, owner: str, default: Triple) -> Triple:
    """Return three finite numbers separated by white space, `default` where the attribute is not given."""
    text = element.get(attribute)
    if text is None:
        return default
    what = f"{owner}: {attribute} of <{element.tag}>"
    parts = re.split(f"[{_SPACE}]+", text.strip(_SPACE))
    if len(parts) != 3:
        hint = _hint(text)
        raise Fault(element.line, f"{what} is {shown(text)}: it needs three numbers separated by spaces{hint}")
    x, y, z = (bounded(_number(part, what, element.line), what, element.line) for part in parts)
    return x, y, z


def bounded(value: float, what: str, line: int) -> float:
    """Return a number with which the tree may be calculated, or refuse it."""
    if abs(value) > _BOUND:
        raise Fault(line, f"{what} is {value:g}: this is too large to calculate with")
    return value


def _number(text: str, what: str, line: int) -> float:
    if not NUMBER.fullmatch(text):
        raise Fault(line, f"{what} is {shown(text)}, which is no finite number{_hint(text)}")
    value = float(text)
    if not math.isfinite(value):
        raise Fault(line, f"{what} is {shown(text)}, which is beyond the range of numbers")
    return value + 0.0  # of minus zero, zero


def _hint(text: str) -> str:
    if "${" in text or "$(" in text:
        return ": this is an expression of xacro: run xacro first"
    if "," in text:
        return ": decimals have a point, and numbers are separated by spaces"
    return ""
