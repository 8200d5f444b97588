"""A tree of joints as a notebook shows it: what hangs on what."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from eomc.cells import Cell, Markup, page, sentence, table
from eomc.model.names import name_of
from eomc.model.trees.records import Closure, Joint, Link
from eomc.wording import counted


def tree_cell(
    links: Sequence[Link], joints: Sequence[Joint], parents: Sequence[int], closures: Sequence[Closure]
) -> Markup:
    """Return a row for each joint.

    Parameters
    ----------
    links, joints, parents, closures
        As the tree has them: joint i carries link i + 1, and hangs on link ``parents[i]``.
    """
    speeds = sum(len(joint.speeds) for joint in joints)
    closing = f"closures: {', '.join(f'{one.name} ({one.first} to {one.second})' for one in closures)}"
    return page(
        "eomc.JointTree",
        links[0].name,
        f"{counted(len(links), 'link')}, {counted(speeds, 'speed')}",
        table(
            "joints",
            ("joint", "kind", "on", "carries", "mass [kg]", "coordinates", "speeds"),
            (
                (
                    joint.name,
                    joint.kind.value,
                    links[parent].name,
                    child.name,
                    _mass(child),
                    ", ".join(map(name_of, joint.coordinates)),
                    ", ".join(map(name_of, joint.speeds)),
                )
                for joint, parent, child in zip(joints, parents, links[1:], strict=True)
            ),
            len(joints),
        ),
        sentence(closing if closures else ""),
    )


def _mass(link: Link) -> Cell:
    """Return a mass as a number where it is one, else as it was written."""
    mass = sympy.sympify(link.mass)
    return float(mass) if mass.is_number else str(mass)
