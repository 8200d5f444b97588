"""Bodies drawn as a tree: a line for each, branches with rules before them, bodies in a row below each other.

Of a long row the first and the last are drawn, of a large tree as much as a person reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eomc.frontends.robots.bodies import Body
from eomc.model.trees.records import Joint, JointKind
from eomc.wording import counted

_ROW = 14  # bodies in a row that are drawn one by one
_FIRST, _LAST = 6, 3  # of those of a longer one
_LINES = 120
_NAMES = 2  # of links that are fixed to one

COLUMNS = ("link", "joint", "kind", "kg", "kg carried", "with links fixed to it")


def drawn(bodies: Sequence[Body]) -> list[str]:
    """Return the lines of a table: the tree, each body with joint, mass and the mass that its joint carries."""
    carried = [float(body.link.mass) for body in bodies]
    for i in reversed(range(len(bodies))):
        above = bodies[i].above
        if above is not None:
            carried[above] += carried[i]
    rows: list[tuple[str, ...]] = [COLUMNS]
    shown = 0
    for prefix, group in _lines(bodies):
        if len(rows) > _LINES:
            break
        shown += len(group)
        if len(group) == 1:
            body = bodies[group[0]]
            rows.append((prefix + body.link.name, *_told(body), _mass(carried[group[0]]), _fixed(body)))
        else:
            mass = sum(float(bodies[i].link.mass) for i in group)
            rows.append((f"{prefix}... {len(group)} more in a row", "", "", _mass(mass), _mass(carried[group[0]]), ""))
    lines = _aligned(rows)
    left = len(bodies) - shown
    return [*lines, f"... and {counted(left, 'body', 'bodies')} more: --json lists all"] if left else lines


def _lines(bodies: Sequence[Body]) -> Iterator[tuple[str, Sequence[int]]]:
    """Return what stands before each line, and the bodies of the line: one, or those of a row that are left out."""
    below: list[list[int]] = [[] for _ in bodies]
    for i, body in enumerate(bodies):
        if body.above is not None:
            below[body.above].append(i)
    waiting = [(0, "", "")]
    while waiting:
        first, before, after = waiting.pop()
        row = [first]
        while len(below[row[-1]]) == 1:
            row += below[row[-1]]
        left = row[_FIRST:-_LAST] if len(row) > _ROW else []
        for k, i in enumerate(row):
            hidden = bool(left) and _FIRST <= k < len(row) - _LAST
            if not hidden or k == _FIRST:
                yield (after if k else before), left if hidden else [i]
        branches = below[row[-1]]
        for i in reversed(branches):
            last = i == branches[-1]
            waiting.append((i, after + ("\u2514 " if last else "\u251c "), after + ("  " if last else "\u2502 ")))


def _told(body: Body) -> tuple[str, str, str]:
    joint = body.joint
    return (joint.name if joint else "", _kind(joint) if joint else "", _mass(float(body.link.mass)))


def _kind(joint: Joint) -> str:
    if joint.mimic is not None:
        return f"{joint.kind.value}, follows {joint.mimic.joint}"
    if joint.kind is JointKind.FREE:
        return "free, by a quaternion" if len(joint.coordinates) > len(joint.speeds) else "free, by angles"
    return str(joint.kind.value)


def _mass(mass: float) -> str:
    return f"{mass:.5g}"


def _fixed(body: Body) -> str:
    names = body.members[1:]
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return f"{', '.join(names[:_NAMES])}{more}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if name.startswith("kg") else cell.ljust(width)
            for name, cell, width in zip(COLUMNS, row, widths, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
