"""The contract of a program, checked in one pass: what every stage may take for granted about its graph."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NoReturn

from eomc.errors import VerificationError
from eomc.ir.graph import Graph, Level, Node
from eomc.ir.ops import OPS, Kind, Op
from eomc.ir.program import Function, Program
from eomc.ir.symbols import OF_SERIES, Named, Role, Symbol, Tabled
from eomc.ir.systems import Factorization, SystemSpec

_LOGIC = frozenset({Op.AND, Op.OR, Op.NOT})
_MIXED = _LOGIC | {Op.SELECT, Op.RESULT}  # do not take real numbers alone
_WITH_DATA = frozenset({Op.CONSTANT, Op.SYMBOL, Op.SOLVE, Op.RESULT, Op.POWI})
_UNCONSTRAINED = frozenset({Factorization.LDLT, Factorization.LU})
_REAL = frozenset(op for op, row in OPS.items() if row.kind in (Kind.REAL, Kind.LEAF))


def verify(program: Program) -> None:
    """Check that a program keeps the contract of the graph; time linear in the number of its nodes.

    Nodes that no function needs may still hold placeholders: the derivation leaves its scaffolding in the graph.

    Parameters
    ----------
    program
        Any program that is handed from one stage to the next.

    Raises
    ------
    VerificationError
        A rule is broken; the message names the program, the node and the rule.
    """
    _Verifier(program).run()


class _Verifier:
    """One check of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._graph: Graph = program.graph
        self._size = len(program.graph)
        self._declared: set[Symbol] = {program.time}

    def run(self) -> None:
        """Check declarations, functions and checks, then every node that they need."""
        self._variables()
        for function in self._program.evaluated:
            self._function(function)
        names = [function.name for function in self._program.functions]
        if len(set(names)) != len(names):
            self._fail(f"functions {names} are not told apart by their names")
        if names and names[0] != "rhs":
            self._fail(f"the first function is {names[0]!r}, not 'rhs'")
        self._lanes()
        self._checks()
        for node in self._needed():
            self._node(node)

    def _fail(self, what: str) -> NoReturn:
        raise VerificationError(f"program {self._program.name!r}: {what}; this is a defect of eomc, please report it")

    def _fail_at(self, node: Node, what: str) -> NoReturn:
        self._fail(f"node {node} ({self._graph.ops[node].value}) {what}")

    # -- what people see ---------------------------------------------------------------------------------------------

    def _variables(self) -> None:
        program = self._program
        if program.time.role is not Role.TIME:
            self._fail(f"time is a symbol of role {program.time.role.value}")
        for role, variables in (
            (Role.STATE, program.states),
            (Role.INPUT, program.inputs),
            (Role.PARAMETER, program.parameters),
            (Role.ACCELERATION, program.accelerations),
        ):
            for position, variable in enumerate(variables):
                if variable.symbol.role is not role or variable.symbol.index != position:
                    self._fail(f"{role.value} {position} is {variable.symbol}")
                self._declared.add(variable.symbol)

    def _function(self, function: Function) -> None:
        where = f"function {function.name}"
        if math.prod(function.shape) != len(function.outputs):
            self._fail(f"{where} has shape {function.shape} and {len(function.outputs)} outputs")
        if function.arrays and sum(array.size for array in function.arrays) != len(function.outputs):
            self._fail(f"{where} fills arrays of other sizes than its {len(function.outputs)} outputs")
        if function.output_texts and len(function.output_texts) != len(function.outputs):
            self._fail(f"{where} has {len(function.output_texts)} texts for {len(function.outputs)} outputs")
        if function.output_names and len(function.output_names) != len(function.outputs):
            self._fail(f"{where} has {len(function.output_names)} names for {len(function.outputs)} outputs")
        if function.row_names and (len(function.row_names), len(function.shape)) != (function.shape[0], 2):
            self._fail(f"{where} has {len(function.row_names)} names of rows for the shape {function.shape}")
        for node in dict.fromkeys(function.outputs):
            self._real(node, f"{where} returns")
        for block in function.blocks:
            for _, node in block.entries:
                self._real(node, f"{where} shows in block {block.title!r}")

    def _lanes(self) -> None:
        flat = [function.name for function in self._program.functions if len(function.shape) == 1]
        for name in self._program.further:
            of = name.removesuffix("_lanes")
            if of != name and of not in (*flat, "step"):
                self._fail(f"{of!r} is wanted side by side, but is no function of one array")

    def _checks(self) -> None:
        used: dict[int, Node] = {}  # number -> condition
        guarded: set[tuple[int, Node]] = set()
        for check in self._program.checks:
            where = f"check {check.label!r}"
            self._real(check.node, f"{where} guards")
            self._known(check.condition, f"{where} asks")
            if self._graph.kind(check.condition) is not Kind.BOOLEAN:
                self._fail_at(check.condition, f"is the condition of {where} but no truth value")
            condition = used.setdefault(check.index, check.condition)
            if check.index < 0 or condition != check.condition or (check.index, check.node) in guarded:
                self._fail(f"{where} has index {check.index}, which is negative or taken")
            guarded.add((check.index, check.node))

    def _known(self, node: Node, where: str) -> None:
        if not 0 <= node < self._size:
            self._fail(f"{where} node {node}, which is not in the graph")

    def _real(self, node: Node, where: str) -> None:
        self._known(node, where)
        if not self._is_real(node):
            self._fail_at(node, f"is not a real number, yet {where} it")

    def _is_real(self, node: Node) -> bool:
        return self._graph.ops[node] in _REAL

    # -- the graph ---------------------------------------------------------------------------------------------------

    def _needed(self) -> Iterator[Node]:
        """Yield every node that a function, or a check on the way, needs."""
        conditions: dict[Node, list[Node]] = {}
        for check in self._program.checks:
            conditions.setdefault(check.node, []).append(check.condition)
        seen = bytearray(self._size)
        stack = [node for function in self._program.evaluated for node in function.outputs]
        while stack:
            node = stack.pop()
            if seen[node]:
                continue
            seen[node] = True
            args = self._graph.args[node]
            for argument in args:
                if not 0 <= argument < node:
                    self._fail_at(node, f"uses node {argument}, which does not precede it")
            yield node
            stack += args
            if node in conditions:
                stack += conditions[node]

    def _node(self, node: Node) -> None:
        graph = self._graph
        op, args, data = graph.ops[node], graph.args[node], graph.data[node]
        arity = OPS[op].arity
        if arity is not None and len(args) != arity:
            self._fail_at(node, f"has {len(args)} arguments, not {arity}")
        if op not in _WITH_DATA:
            if data is not None:
                self._fail_at(node, f"carries data {data!r}")
        elif op is Op.CONSTANT:
            self._constant(node)
        elif op is Op.SYMBOL:
            self._symbol(node)
        elif op is Op.SOLVE:
            self._system(node)
        elif op is Op.RESULT:
            self._result(node)
        elif type(data) is not int or data in (0, 1):
            self._fail_at(node, f"has exponent {data!r}; it must be an integer other than 0 and 1")
        if op in _MIXED or not _REAL.issuperset([graph.ops[a] for a in args]):
            self._kinds(node)
        if args and graph.level[node] != max([graph.level[a] for a in args]):
            self._fail_at(node, f"has level {graph.level[node]}, which is not that of its arguments")
        if args and graph.holds[node] != graph.bits(args):
            self._fail_at(node, "does not hold the symbols of its arguments")

    def _constant(self, node: Node) -> None:
        value = self._graph.data[node]
        if type(value) not in (int, float, Fraction, Named, Tabled):
            self._fail_at(node, f"holds {value!r}, which is no number")
        if isinstance(value, float) and not math.isfinite(value):
            self._fail_at(node, f"holds {value!r}, which is not finite")
        if self._graph.level[node] != Level.CONSTANT:
            self._fail_at(node, "is a number whose level says that it varies")

    def _symbol(self, node: Node) -> None:
        symbol = self._graph.data[node]
        if not isinstance(symbol, Symbol):
            self._fail_at(node, f"stands for {symbol!r}, which is no symbol")
        if symbol.role is Role.PLACEHOLDER:
            self._fail_at(node, f"is the placeholder {symbol.name!r}, which has no value at run time")
        if symbol not in self._declared and symbol.role not in OF_SERIES:
            self._fail_at(node, f"stands for {symbol}, which the program does not declare")
        level = Level.PARAMETERS if symbol.role is Role.PARAMETER else Level.VARYING
        if self._graph.level[node] != level:
            self._fail_at(node, f"is a {symbol.role.value} of level {self._graph.level[node]}")

    def _system(self, node: Node) -> None:
        spec, args = self._graph.data[node], self._graph.args[node]
        if not isinstance(spec, SystemSpec):
            self._fail_at(node, f"carries {spec!r} where the shape of the system belongs")
        if spec.n < 1 or spec.columns < 1 or len(spec.labels) != spec.rows:
            self._fail_at(node, f"has {spec.rows} rows, {spec.columns} columns and {len(spec.labels)} labels")
        if (spec.constraints > 0) is (spec.factorization in _UNCONSTRAINED) or spec.constraints < 0:
            self._fail_at(node, f"is solved as {spec.factorization.value} and has {spec.constraints} constraints")
        if len(args) != spec.matrix_entries + spec.right_entries:
            self._fail_at(node, f"has {len(args)} arguments, not {spec.matrix_entries} + {spec.right_entries}")

    def _result(self, node: Node) -> None:
        index, (system,) = self._graph.data[node], self._graph.args[node]
        spec = self._graph.data[system]
        if not isinstance(spec, SystemSpec):
            self._fail_at(node, f"reads node {system}, which is no linear system")
        if type(index) is not int or not 0 <= index < spec.rows * spec.columns:
            self._fail_at(node, f"reads entry {index!r} of a solution with {spec.rows * spec.columns}")

    def _kinds(self, node: Node) -> None:
        """Truth values feed conditions, solutions feed RESULT, and everything else takes real numbers."""
        graph, op = self._graph, self._graph.ops[node]
        for position, argument in enumerate(graph.args[node]):
            if op in _LOGIC or (op is Op.SELECT and position == 0):
                fits = graph.kind(argument) is Kind.BOOLEAN
            elif op is Op.RESULT:
                fits = graph.kind(argument) is Kind.SYSTEM
            else:
                fits = self._is_real(argument)
            if not fits:
                self._fail_at(node, f"cannot take a {graph.kind(argument).value} value as argument {position}")
