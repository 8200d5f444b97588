"""The graph of a model's right-hand side as expressions of heyoka."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eomc.build import Build
from eomc.ir.interpreter import value_of
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol

__all__ = ["translated"]


def translated(build: Build, hy: Any, inputs: list[Any] | None = None) -> list[Any]:
    """Return the rates of the states x0, x1, ... as heyoka's expressions, of the nodes of our graph.

    Parameters are put in as numbers, and so are inputs where no expressions are given for them.
    """
    program, graph = build.program, build.program.graph
    states = hy.make_vars(*[f"x{k}" for k in range(len(program.states))])
    numbers = [[one.value for one in variables] for variables in (program.parameters, program.inputs)]
    places = {Role.STATE: states, Role.PARAMETER: numbers[0], Role.INPUT: inputs or numbers[1]}
    made: dict[int, Any] = {}
    rules: dict[Op, Callable[..., Any]] = {
        Op.ADD: lambda a, b: a + b,
        Op.SUB: lambda a, b: a - b,
        Op.MUL: lambda a, b: a * b,
        Op.DIV: lambda a, b: a / b,
        Op.NEG: lambda a: -a,
        Op.SIN: lambda a: hy.sin(a) if isinstance(a, hy.expression) else np.sin(a),
        Op.COS: lambda a: hy.cos(a) if isinstance(a, hy.expression) else np.cos(a),
        Op.SQRT: lambda a: a**0.5,
        Op.ABS: abs,
    }
    for node in sorted(graph.reachable(program.functions[0].outputs)):
        op, data = graph.ops[node], graph.data[node]
        if op is Op.SYMBOL:
            assert isinstance(data, Symbol)
            place = places[data.role]
            made[node] = place[data.index]
        elif op is Op.CONSTANT:
            made[node] = value_of(data)
        elif op is Op.POWI:
            made[node] = made[graph.args[node][0]] ** data
        else:
            made[node] = rules[op](*(made[arg] for arg in graph.args[node]))
    return [
        hy.expression(made[node]) if not isinstance(made[node], hy.expression) else made[node]
        for node in program.functions[0].outputs
    ]
