"""The text of a program: one line per node, the same for equal programs.

Only nodes that a function or a check needs are written, numbered afresh in order of birth, so that whatever else was
built in the graph does not show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from eomc.ir.graph import Graph, Node
from eomc.ir.ops import Op
from eomc.ir.program import Program, Variable
from eomc.ir.symbols import Named, Symbol
from eomc.ir.systems import SystemSpec

__all__ = ["formulas", "program_text"]


def program_text(program: Program) -> str:
    """Return a readable, deterministic text of a program: for whoever looks at one, and for comparing two.

    Parameters
    ----------
    program
        Any program; names and descriptions are part of the text.
    """
    graph = program.graph
    roots = [node for function in program.functions for node in function.outputs]
    live = set(graph.reachable(roots))
    checks = []
    pending = list(program.checks)
    while True:  # a check may make further checks necessary
        ready = [check for check in pending if check.node in live]
        if not ready:
            break
        checks += ready
        pending = [check for check in pending if check.node not in live]
        live.update(graph.reachable(check.condition for check in ready))
    name = {node: f"n{position}" for position, node in enumerate(sorted(live))}
    lines = [f"program {program.name} by {program.method.name}", f"  {program.description!r}"]
    for kind, variables in (
        ("state", program.states),
        ("input", program.inputs),
        ("parameter", program.parameters),
    ):
        lines += [_variable(kind, variable) for variable in variables]
    ops, all_args, data = graph.ops, graph.args, graph.data
    for node, text in name.items():
        args = all_args[node]
        if data[node] is None and len(args) == 2:  # most nodes
            lines.append(f"{text} = {_WORDS[ops[node]]} {name[args[0]]} {name[args[1]]}")
        else:
            lines.append(f"{text} = {_node(graph, node, name)}")
    for check in sorted(checks, key=lambda check: (check.node, check.index)):
        lines.append(f"check {check.index} of {name[check.node]}: {name[check.condition]} {check.label!r}")
    for function in program.functions:
        lines.append(f"function {function.name}{list(function.shape)} {function.title!r}")
        lines += [f"  array {array.name!r} {list(array.shape)} {array.title!r}" for array in function.arrays]
        for block in function.blocks:
            entries = [f"{name[node]} {label!r}" for label, node in block.entries if node in name]
            lines.append(f"  block {block.title!r}: {', '.join(entries)}")
        names = list(function.output_names) or [""] * len(function.outputs)
        lines += [f"  out {name[node]} {word!r}" for word, node in zip(names, function.outputs, strict=True)]
        lines += [f"  detail {line!r}" for line in function.details]
    lines += [f"note {line!r}" for line in program.notes]
    return "\n".join(lines) + "\n"


def _variable(kind: str, variable: Variable) -> str:
    return f"{kind} {variable.name!r} = {variable.value!r} [{variable.unit}] {variable.description!r}"


def _node(graph: Graph, node: Node, name: dict[Node, str]) -> str:
    op, data = graph.ops[node], graph.data[node]
    if data is None:
        return f"{_WORDS[op]} {' '.join([name[arg] for arg in graph.args[node]])}"
    if op is Op.CONSTANT:
        return f"{type(data).__name__} {data.value if isinstance(data, Named) else data!r}"
    if isinstance(data, Symbol):
        return f"{data.role.value} {data.index}"
    extra = ""
    if isinstance(data, SystemSpec):
        extra = f" {data.factorization.value} {data.n} x {data.n}, {data.columns} columns {list(data.labels)!r}"
        if data.constraints:
            extra += f" {data.constraints} constraints{'' if data.strict else ', not strict'}"
    else:
        extra = f" [{data}]"
    return f"{_WORDS[op]}{extra} {' '.join([name[arg] for arg in graph.args[node]])}"


_WORDS = {op: op.value for op in Op}

# By names of their own: looking up a member of an enumeration takes long.
_CONSTANT, _ADD, _MUL, _NEG, _POWI = Op.CONSTANT, Op.ADD, Op.MUL, Op.NEG, Op.POWI
_UNWRITTEN = frozenset({Op.SOLVE, Op.RESULT})

_INFIX = {Op.ADD: (" + ", 1), Op.SUB: (" - ", 1), Op.MUL: ("*", 2), Op.DIV: ("/", 2)}


def formulas(graph: Graph, nodes: Sequence[Node], longest: int) -> dict[Node, str]:
    """Return nodes as one would write them on paper, "" for those that take more than `longest` characters."""
    written: dict[Node, tuple[str, int]] = {}
    for node in graph.reachable(nodes):
        text = _write(graph, node, written)
        if text is not None and len(text[0]) <= longest:
            written[node] = text
    return {node: written[node][0] if node in written else "" for node in nodes}


def _write(graph: Graph, node: Node, written: Mapping[Node, tuple[str, int]]) -> tuple[str, int] | None:
    """Return text and binding strength, None where the text of an argument is missing."""
    op, data = graph.ops[node], graph.data[node]
    if op is _CONSTANT:
        return _constant(data)
    if isinstance(data, Symbol):
        return data.name, 4
    args = graph.args[node]
    parts = [written[arg] for arg in args if arg in written]
    if op in _UNWRITTEN or len(parts) < len(args):
        return None
    if op in _INFIX:
        sign, strength = _INFIX[op]
        left = _bracket(parts[0], strength)
        right = _bracket(parts[1], strength if op is _ADD or op is _MUL else strength + 1)
        return f"{left}{sign}{right}", strength
    if op is _NEG:
        return f"-{_bracket(parts[0], 2)}", 1
    if op is _POWI:
        return f"{_bracket(parts[0], 4)}^{data}", 3
    return f"{op.value}({', '.join([text for text, _ in parts])})", 4


def _bracket(part: tuple[str, int], strength: int) -> str:
    return part[0] if part[1] >= strength else f"({part[0]})"


def _constant(data: object) -> tuple[str, int]:
    if isinstance(data, Named):
        return data.value, 4
    if isinstance(data, Fraction):
        return f"{data.numerator}/{data.denominator}", 2 if data > 0 else 1
    text = f"{data}"
    return text, 1 if text.startswith("-") else 4
