"""Links and joints in an order in which parents come first: a tree, or a sentence on why they make none."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from eomc.errors import ModelError
from eomc.model.trees.records import Joint, Link
from eomc.wording import did_you_mean


@dataclass(frozen=True, slots=True)
class Order:
    """The root and then the child of each joint, the joints, and by joint the place of its parent in `links`."""

    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    parents: tuple[int, ...]


def first_speeds(joints: Sequence[Joint]) -> tuple[int, ...]:
    """Return for each joint the place of its first speed among those of all."""
    return tuple(itertools.accumulate((len(joint.speeds) for joint in joints[:-1]), initial=0)) if joints else ()


def ordered(links: Sequence[Link], joints: Sequence[Joint], root: str | None) -> Order:
    """Return links and joints in order: of the joints whose parent is placed, always the first that the user listed.

    Raises
    ------
    ModelError
        Names are not unique or not known, there is not one root, or there is a circle.
    """
    if not links:
        raise ModelError("there are no links: list Link objects in links=[...]")
    known = _by_name(links)
    above: dict[str, Joint] = {}
    names: set[str] = set()
    for joint in joints:
        if joint.name in names:
            raise ModelError(f"two joints are named {joint.name!r}: give one another name")
        names.add(joint.name)
        for end, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in known:
                near = did_you_mean(link, [*known])
                raise ModelError(f"the {end} of joint {joint.name!r} is link {link!r}, which does not exist: {near}")
        if joint.parent == joint.child:
            raise ModelError(f"joint {joint.name!r} joins link {joint.child!r} with itself: name two links")
        if joint.child in above:
            raise ModelError(
                f"link {joint.child!r} hangs on two joints, {above[joint.child].name!r} and {joint.name!r}: one of "
                f"them is a closure"
            )
        above[joint.child] = joint
    top = _root(links, above, root)
    return _sorted(links, joints, top)


def _by_name(links: Sequence[Link]) -> dict[str, Link]:
    known: dict[str, Link] = {}
    for link in links:
        if link.name in known:
            raise ModelError(f"two links are named {link.name!r}: give one another name")
        known[link.name] = link
    return known


def _root(links: Sequence[Link], above: dict[str, Joint], root: str | None) -> str:
    if root is not None and root not in {link.name for link in links}:
        near = did_you_mean(root, [link.name for link in links])
        raise ModelError(f"the root is link {root!r}, which does not exist: {near}")
    if root is not None and root in above:
        raise ModelError(f"the root {root!r} hangs on joint {above[root].name!r}: the root is a link that is no child")
    tops = [link.name for link in links if link.name not in above]
    if not tops:
        raise ModelError(f"every link hangs on a joint, {_circle(links[0].name, above)}: one must be the root")
    if len(tops) > 1:
        raise ModelError(
            f"links {', '.join(map(repr, tops[:6]))}{', ...' if len(tops) > 6 else ''} hang on no joint: one is the "
            f"root, give joints for the others"
        )
    return tops[0]


def _sorted(links: Sequence[Link], joints: Sequence[Joint], root: str) -> Order:
    below: dict[str, list[int]] = {}
    for number, joint in enumerate(joints):
        below.setdefault(joint.parent, []).append(number)
    by_name = {link.name: link for link in links}
    places = {root: 0}
    order: list[Joint] = []
    ready = below.get(root, [])
    heapq.heapify(ready)
    while ready:
        joint = joints[heapq.heappop(ready)]
        order.append(joint)
        places[joint.child] = len(order)
        for number in below.get(joint.child, ()):
            heapq.heappush(ready, number)
    if len(order) < len(joints):
        lost = next(joint for joint in joints if joint.child not in places)
        above = {joint.child: joint for joint in joints}
        raise ModelError(f"link {lost.child!r} is not reached from the root {root!r}: {_circle(lost.child, above)}")
    return Order(
        (by_name[root], *(by_name[joint.child] for joint in order)),
        tuple(order),
        tuple(places[joint.parent] for joint in order),
    )


def _circle(link: str, above: dict[str, Joint]) -> str:
    """Return a circle of links that one arrives at on the way up, in words."""
    met: dict[str, None] = {}
    while link not in met:
        met[link] = None
        link = above[link].parent
    circle = [*met][[*met].index(link) :]
    return f"joints go in a circle through {', '.join(map(repr, circle[:6]))}{', ...' if len(circle) > 6 else ''}"
