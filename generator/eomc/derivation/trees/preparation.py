"""Rows made cheap before any recursion runs over them; all that is done here costs nothing at run time.

What is done to numbers is done now. What is done to parameters becomes expressions of them alone, evaluated once per
run, and no pattern follows from their values: an entry is a zero where it is written as one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from eomc.derivation.trees.frames import turn_frames
from eomc.derivation.trees.least import with_least
from eomc.derivation.trees.regrouping import regroup
from eomc.derivation.trees.rows import TreeRows, list_rows
from eomc.derivation.trees.sliding import slide_origins
from eomc.ir.graph import Graph, Node
from eomc.model.trees.records import Entry, Joint, Link


def prepare(graph: Graph, scalars: Callable[[Entry], Node], links: Sequence[Link], joints: Sequence[Joint]) -> TreeRows:
    """Return the rows of a tree, merged, turned, slid and regrouped.

    Parameters
    ----------
    graph, scalars
        The graph and the conversion of entries to it.
    links
        All, the root first.
    joints
        In an order in which what carries a joint comes before it.
    """
    return prepared(graph, scalars, links, joints).regrouped


class Prepared(NamedTuple):
    """The rows after each step of their preparation."""

    merged: TreeRows
    turned: TreeRows
    slid: TreeRows
    regrouped: TreeRows


def prepared(
    graph: Graph, scalars: Callable[[Entry], Node], links: Sequence[Link], joints: Sequence[Joint]
) -> Prepared:
    """Return the rows of a tree after each step, as `prepare` takes them."""
    merged = list_rows(graph, scalars, links, joints)
    turned = turn_frames(graph, merged)
    slid = slide_origins(graph, turned)
    return Prepared(merged, turned, slid, with_least(graph, regroup(graph, slid), slid))
