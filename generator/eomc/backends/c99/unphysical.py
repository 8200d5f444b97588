"""Inertial parameters of links -> UnphysicalView: what the templates place of the function that looks at them."""

from __future__ import annotations

from eomc.backends.c99.arguments import Argument, signature
from eomc.backends.c99.code_views import LinkView, UnphysicalView
from eomc.backends.c99.expressions import Printer
from eomc.backends.c99.layout import comment, wrap
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.strings import c_string
from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import LinkInertia, Program
from eomc.ir.rounding import ROUNDINGS


def unphysical_view(program: Program, scope: Scope, used: set[str]) -> UnphysicalView | None:
    """Return what is placed of the function, None where it is not asked for; what it calls is added to `used`."""
    links = program.links
    if not links:
        return None
    used.update(("EPSILON", "FABS", "bool"))
    nodes = program.graph.reachable([node for link in links for node in link.entries])
    printer = Printer(program.graph, _names(program.graph, nodes, scope), used)
    return UnphysicalView(
        links=tuple(_link(one, printer, scope) for one in links),
        centre=not all(one.moments for one in links),
        moments=any(one.moments for one in links),
        allowed=str(ROUNDINGS),
        signature=signature(
            f"int {scope.prefix}_unphysical_link", [Argument(f"const {scope.prefix}_parameters *p", "p", "")]
        ),
    )


def _names(graph: Graph, nodes: list[Node], scope: Scope) -> dict[Node, str]:
    """Return how parameters are read: nothing else is a leaf of these expressions."""
    symbols = [node for node in nodes if graph.ops[node] is Op.SYMBOL]
    return {node: f"p->{scope.parameters[graph.symbol_of(node).index]}" for node in symbols}


def _link(one: LinkInertia, printer: Printer, scope: Scope) -> LinkView:
    entries = ", ".join(map(printer.text, one.entries))
    return LinkView(
        name=c_string(one.link),
        remark=comment(one.link),
        test="is_link_of_moments" if one.moments else "is_link",
        lines=tuple(wrap(f"        const {scope.prefix}_real n[10] = {{{entries}}};")),
    )
