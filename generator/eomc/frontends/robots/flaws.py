"""What is told of links that are no bodies, wherever a tree of joints comes from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import sympy

from eomc.frontends.robots.findings import Finding, Kind
from eomc.model.trees.physical import Flaw, flaw_of
from eomc.model.trees.records import Entry, Joint, Link

_KINDS = {Flaw.MOMENT: Kind.NEGATIVE_INERTIA, Flaw.TRIANGLE: Kind.BROKEN_TRIANGLE}


def lengths_of(links: Sequence[Link], joints: Sequence[Joint]) -> dict[str, float]:
    """Return the largest distance of each link's joints and centre from its origin [m]; what is no number is 0."""
    found = {link.name: _length(link.centre) for link in links}
    for joint in joints:
        found[joint.parent] = max(found[joint.parent], _length(joint.offset))
    return found


def flaws_of(
    links: Sequence[Link], joints: Sequence[Joint], lines: Mapping[str, int] = MappingProxyType({})
) -> Iterator[Finding]:
    """Tell which links that are given in numbers no body can be.

    Parameters
    ----------
    links, joints
        Of a tree, as they are given. A mass below zero is refused before.
    lines
        Of a file, by link.
    """
    lengths = lengths_of(links, joints)
    for link in links:
        if not all(map(_is_number, [link.mass, *link.centre, *(entry for row in link.inertia for entry in row)])):
            continue
        flaw = flaw_of(link, lengths[link.name])
        if flaw is not None:
            yield Finding(_KINDS[flaw], link.name, lines.get(link.name, 0))


def _length(vector: Sequence[Entry]) -> float:
    return math.hypot(*(float(entry) for entry in vector if _is_number(entry)))


def _is_number(entry: Entry) -> bool:
    return not (isinstance(entry, sympy.Expr) and entry.free_symbols)
