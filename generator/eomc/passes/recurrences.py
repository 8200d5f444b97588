"""Recurrences: what joints in a row do, each after the one before it, found in the nodes of a function.

A derivation goes along a row of joints once for each pass of its recursion, so that nodes in the order of their birth
repeat themselves (`periods`). Where frames alternate, a period is of several joints. A region becomes a loop; passes in
the same direction become one where nothing stands between them. Instances at the ends that differ, and those that
nothing goes before, stay straight lines.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.ir.symbols import Role
from eomc.passes.columns import LEAST, Columns, Known, Loop, Places
from eomc.passes.fusing import fused
from eomc.passes.periods import find_regions
from eomc.passes.phases import arrange
from eomc.passes.repeats import Before, Common, Each, Operand, Own, Repeat, Statement

LONG = 50
"""Joints in a row from which there are loops along them."""

SPARED = 110
"""Operations, likewise, that are written for the first instance and not for the others."""

_ROUNDS = 16  # in which loops lose instances; one that still does is none

_CONSTANT, _SYMBOL, _SOLVE, _RESULT = Op.CONSTANT, Op.SYMBOL, Op.SOLVE, Op.RESULT


def find_recurrences(
    graph: Graph,
    evaluated: Sequence[Node],
    steady: frozenset[Node],
    checks: Mapping[Node, Check],
    arrays: Sequence[tuple[Node, ...]] = (),
) -> list[Repeat]:
    """Return loops that evaluate some of the nodes, no node in two of them, each before those that read it.

    Parameters
    ----------
    evaluated
        Nodes in the order of their birth, no leaves among them.
    steady
        Nodes that are read from the constants.
    checks
        By the nodes that they guard: the condition is found in the same instance, or there is no loop.
    arrays
        What loops have left before.
    """
    known = Known(graph, steady, arrays)
    signature = _signature(graph, evaluated, steady)
    regions = [(evaluated[one.start : one.end], one.period) for one in find_regions(signature, LEAST)]
    loops = _settled(known, arrange(graph, regions))
    loops = _settled(known, fused(graph, loops))
    while len(kept := _worth(graph, _guarded(loops, checks))) < len(loops):
        loops = _settled(known, kept)
    return _repeats(known, loops)


def _signature(graph: Graph, evaluated: Sequence[Node], steady: frozenset[Node]) -> list[object]:
    """Return what nodes that can be instances of one statement have in common; a linear system has that with none."""
    ops, data, args = graph.ops, graph.data, graph.args
    numbers = {op: k << 16 for k, op in enumerate(Op)}
    kinds = [0x1000 if op is _CONSTANT else 0x100 if op is _SYMBOL else 0x10 for op in ops]  # of what a node may read
    for node in steady:
        kinds[node] = 0x1
    kind_of = kinds.__getitem__
    signature: list[object] = [numbers[ops[node]] + sum(map(kind_of, args[node])) for node in evaluated]
    for place, node in enumerate(evaluated):
        if ops[node] in (_SOLVE, _RESULT):
            signature[place] = (node,)
        elif data[node] is not None:
            signature[place] = (signature[place], data[node])
    return signature


def _settled(known: Known, loops: list[Loop]) -> list[Loop]:
    """Return the loops without the instances that differ from those before them."""
    beside: dict[Loop, set[Loop]] = {}
    for round_ in range(_ROUNDS):
        columns = Columns(known, loops)
        kept: list[Loop] = []
        before, changed, beside = beside, False, {}
        for index, loop in enumerate(loops):
            beside[loop] = columns.beside(index)
            asked = before.get(loop) != beside[loop]  # else it was looked at, and what it reads has not changed since
            changes = {j for _, found in columns.of(index) for j in found} if asked else set[int]()
            changed = changed or bool(changes)
            if not changes:
                kept.append(loop)
            elif round_ < _ROUNDS - 1:
                bounds = [0, *sorted(changes), loop.count]
                kept += [loop.part(a, b) for a, b in itertools.pairwise(bounds) if b - a >= LEAST]
        if not changed:
            return kept
        loops = kept
    return []


def _guarded(loops: Sequence[Loop], checks: Mapping[Node, Check]) -> list[Loop]:
    """Return the loops in which each condition is found in the instance that it is asked in."""
    conditions = {node: check.condition for node, check in checks.items()}
    kept = []
    for loop in loops:
        slots = {column[0]: slot for slot, column in enumerate(loop.columns)}
        for column in loop.columns:
            found = [conditions.get(node, -1) for node in column]
            if found.count(-1) == len(found):
                continue
            slot = slots.get(found[0])
            if slot is None or loop.columns[slot] != found:
                break
            numbers = [checks[node].index for node in column]
            if len({after - before for before, after in itertools.pairwise(numbers)}) > 1:
                break
        else:
            kept.append(loop)
    return kept


def _worth(graph: Graph, loops: Sequence[Loop]) -> list[Loop]:
    """Return the loops that spare enough, and what these read."""
    home = {node: loop for loop in loops for column in loop.columns for node in column}
    kept = [loop for loop in loops if loop.weight - len(loop.columns) >= SPARED]
    for loop in kept:
        for column in loop.columns:
            for arg in graph.args[column[loop.count // 2]]:
                if arg in home and home[arg] not in kept:
                    kept.append(home[arg])
    return [loop for loop in loops if loop in kept]


def _repeats(known: Known, loops: Sequence[Loop]) -> list[Repeat]:
    columns = Columns(known, loops)
    repeats: list[Repeat] = []
    for index, loop in enumerate(loops):
        statements = [
            Statement(tuple(column), tuple(_operand(columns, index, one) for one in read))
            for column, (read, _) in zip(loop.columns, columns.of(index), strict=True)
        ]
        names = _names(known.graph, columns.places, statements, repeats)
        repeats.append(Repeat(names, tuple(statements), arithmetic=False, in_a_row=True))
    return repeats


def _operand(columns: Columns, index: int, nodes: Sequence[Node]) -> Operand:
    second = columns.places.of(nodes[1])
    if second is not None and second.loop == index:
        return Own(second.slot) if second.instance == 1 else Before(second.slot, nodes[0])
    return Common(nodes[0]) if nodes.count(nodes[0]) == len(nodes) else Each(tuple(nodes))


def _names(graph: Graph, places: Places, statements: Sequence[Statement], before: Sequence[Repeat]) -> tuple[str, ...]:
    """Return the first state that each instance reads, or that those read which it looks at."""
    each = [one.nodes for statement in statements for one in statement.operands if isinstance(one, Each)]
    symbols = [
        nodes for nodes in each if graph.ops[nodes[0]] is _SYMBOL and graph.symbol_of(nodes[0]).role is Role.STATE
    ]
    if symbols:
        first = min(symbols, key=lambda nodes: graph.symbol_of(nodes[0]).index)
        return tuple(graph.symbol_of(node).name for node in first)
    for nodes in each:
        found = [places.of(node) for node in nodes]
        if found[0] is not None and found[0].loop < len(before):
            return tuple(before[one.loop].instances[one.instance] for one in found if one is not None)
    return ("",) * len(statements[0].nodes)
