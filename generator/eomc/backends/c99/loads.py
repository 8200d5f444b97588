"""How a chunk gets what it reads: arguments into named locals, values of earlier chunks, or each in place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from eomc.backends.c99.places import Places
from eomc.backends.c99.scope import Scope
from eomc.ir.cone import cone
from eomc.ir.graph import Node
from eomc.ir.ops import Op
from eomc.ir.program import Check
from eomc.ir.symbols import Role, Symbol
from eomc.passes.fours import fours_of, turns_of
from eomc.passes.loops import needed_before
from eomc.passes.steps import Chunk, Compute, Fill, Loop, Output

_RESULT = Op.RESULT  # by a name of its own: looking up a member of an enumeration takes long
_ALONE = (Role.TIME, Role.ORDER)  # arguments that are numbers
_ELEMENTS = (Role.PRODUCT, Role.SQUARE, Role.KEPT)  # of arrays, read where they are used
ARGUMENTS = {
    **{Role.TIME: "t", Role.STATE: "x", Role.ACCELERATION: "dv", Role.INPUT: "r", Role.PARAMETER: "p"},
    **{role: role.value for role in (Role.TERM, *_ELEMENTS, Role.ORDER, Role.PLACEHOLDER)},
}
_RANKS = {role: rank for rank, role in enumerate(ARGUMENTS)}


class Loads(NamedTuple):
    """What stands before the steps of a chunk."""

    names: Mapping[Node, str]  # of all that is read by a name, temporaries included
    lines: list[str]
    late: Mapping[Node, str]  # lines that read values of other chunks, or arguments, each due before its first use
    arguments: frozenset[str]  # that are read
    pairs: Mapping[Node, str]  # the first of a sine and a cosine in one call: the name of both; "" for the second
    angles: Mapping[Node, tuple[Node, ...]]  # of those in one call, by the first of them


def load(places: Places, chunk: Chunk) -> Loads:
    """Name what a chunk reads and what it computes."""
    graph, scope = places.graph, places.scope
    names = places.names_of_elements()
    lines: list[str] = []
    late: dict[Node, str] = {}
    arguments: set[str] = set()
    in_place = _only_handed_out(places, chunk)
    writes = places.small and bool(chunk.stores or places.prepares)  # all along, so that no compiler moves what reads
    constants = {leaf: places.constants[leaf] for leaf in chunk.leaves if leaf in places.constants}
    if constants:
        names |= constants
        arguments.add("c")
    symbols = [leaf for leaf in chunk.leaves if leaf not in constants]
    for leaf in sorted(symbols, key=lambda leaf: rank(graph.data[leaf], leaf)):
        symbol = _given(scope, graph.symbol_of(leaf))
        argument = ARGUMENTS[symbol.role]
        arguments.add(argument)
        if symbol.role in _ALONE:
            names[leaf] = argument
            continue
        if symbol.role in _ELEMENTS:
            names[leaf] = f"{argument}[{symbol.index}]"
            continue
        local, source = _local(scope, symbol)
        names[leaf] = source if leaf in in_place else local
        line = f"    const {places.real} {local} = {source};"
        if leaf not in in_place and writes:
            late[leaf] = line
        elif leaf not in in_place:
            lines.append(line)
    for loaded in chunk.loads:
        text = f"{places.storage}passed[{loaded.place}]"
        if loaded.node in in_place:
            names[loaded.node] = text
            continue
        names[loaded.node] = places.temporaries[loaded.node]
        suffix = " > REAL(0.5)" if places.is_boolean(loaded.node) else ""
        late[loaded.node] = f"    const {places.type_of(loaded.node)} {names[loaded.node]} = {text}{suffix};"
    temporaries = places.temporaries
    for step in chunk.steps:
        if isinstance(step, Compute):
            names[step.node] = temporaries[step.node]
        elif isinstance(step, Loop):
            names.update((node, temporaries[node]) for node in step.leaves)
    pairs, angles = _name_pairs(places, chunk, names) if scope.pairs else ({}, {})
    return Loads(names, [*lines, ""], late, frozenset(arguments), pairs, angles)


def _name_pairs(
    places: Places, chunk: Chunk, names: dict[Node, str]
) -> tuple[dict[Node, str], dict[Node, tuple[Node, ...]]]:
    """Name sines and cosines of one angle, which follow each other, as fields of one value, or those of four angles."""
    graph = places.graph
    turns = dict(turns_of(graph, chunk.steps))
    groups = {first: [turn] for first, turn in turns.items()}
    for first, four in [] if places.small else fours_of(graph, turns.items(), names):
        for i in range(len(four)):
            del groups[first + 2 * i]
        groups[first] = four
    pairs: dict[Node, str] = {}
    angles: dict[Node, tuple[Node, ...]] = {}
    for first, group in groups.items():
        step = chunk.steps[first]
        assert isinstance(step, Compute)
        all_of_them = names[step.node]
        for i, turn in enumerate(group):
            element = f"[{i}]" if len(group) > 1 else ""
            names[turn.sine], names[turn.cosine] = f"{all_of_them}.sin{element}", f"{all_of_them}.cos{element}"
            pairs |= {turn.sine: "", turn.cosine: ""}
        pairs[step.node] = all_of_them
        angles[step.node] = tuple(turn.angle for turn in group)
    return pairs, angles


def _given(scope: Scope, symbol: Symbol) -> Symbol:
    """Return a symbol as an argument of C gives it: terms of a series stand where states, time and inputs do."""
    if symbol.role is not Role.TERM:
        return symbol
    states = len(scope.states)
    if symbol.index < states:
        return Symbol(Role.STATE, symbol.index, symbol.name)
    if symbol.index == states:
        return Symbol(Role.TIME, 0, symbol.name)
    return Symbol(Role.INPUT, symbol.index - states - 1, symbol.name)


def _local(scope: Scope, symbol: Symbol) -> tuple[str, str]:
    """Return the local variable of a state, an acceleration, an input or a parameter, and what it is loaded from."""
    index = symbol.index
    if symbol.role is Role.STATE:
        return scope.states[index], f"x[{scope.enumerators[index]}]"
    if symbol.role is Role.ACCELERATION:
        return scope.accelerations[index], f"dv[{index}]"
    if symbol.role is Role.INPUT:
        return scope.input_locals[index], f"r->{scope.inputs[index]}"
    return scope.parameter_locals[index], f"p->{scope.parameters[index]}"


def rank(data: object, leaf: Node) -> tuple[int, int]:
    """Return the place of a leaf among loads: time, states and so on, each as the program has them."""
    if isinstance(data, Symbol):
        return _RANKS[data.role], data.index
    return len(_RANKS), leaf


def _only_handed_out(places: Places, chunk: Chunk) -> set[Node]:
    """Return parameters and passed values that an output takes as they are, and that nothing else reads."""
    graph = places.graph
    passed = {loaded.node for loaded in chunk.loads}
    candidates = (passed | set(chunk.leaves)) if places.prepares else set(passed)
    if not candidates:
        return candidates
    handed_out = {step.node for step in chunk.steps if isinstance(step, Output)}
    candidates = {node for node in candidates & handed_out if not places.is_boolean(node)}
    if not candidates:
        return candidates
    own = {step.node for step in chunk.steps if isinstance(step, Compute)}
    read: list[Node] = []
    for step in chunk.steps:
        if isinstance(step, Compute):
            read += graph.args[step.node]
        elif isinstance(step, Loop):
            read += needed_before(step.repeat)
        elif isinstance(step, Check):
            read.append(step.condition)
        elif isinstance(step, Fill) or (isinstance(step, Output) and step.node not in candidates):
            read.append(step.node)
    named = own | passed
    return candidates.difference(cone(graph, read, lambda node: node in named or graph.ops[node] is _RESULT))
