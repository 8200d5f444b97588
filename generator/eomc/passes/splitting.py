"""Motions in two parts that are each known in closed form: q' by the speeds alone, their rates by q and the time alone.

Where T depends on the momenta alone and V on the coordinates and the time, H = T(p) + V(q, t) is such a motion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from eomc.errors import UnsupportedError
from eomc.ir.graph import Node
from eomc.ir.method import SecondHalf
from eomc.ir.program import Function, Program
from eomc.ir.symbols import Role, Symbol
from eomc.passes.rates import RATES

FORCES = "forces"
"""Name of the function of the rates of speeds or momenta; that of the coordinates is `RATES`."""


def with_split(program: Program, scheme: str) -> Program:
    """Return the program with functions of both parts, each with the results of ``rhs`` that are its own.

    Raises
    ------
    UnsupportedError
        A rate depends on what its part must not know, or there are states beside coordinates and speeds; `scheme`
        is said not to serve the model.
    """
    rhs, count = program.functions[0], program.coordinates
    names = [state.name for state in program.states]
    refused = f"{program.name} has no step of {scheme}"
    other = "use integrator gauss3 or rk4"
    if len(names) != 2 * count or count == 0:
        raise UnsupportedError(f"{refused}: of its {len(names)} states {count} are coordinates, not half; {other}")
    for name, output in zip(names[:count], rhs.outputs[:count], strict=True):
        found = _read(program, [output], lambda symbol: symbol.role is not Role.STATE or symbol.index < count)
        if found is not None:
            raise UnsupportedError(
                f"{refused}: {name}' depends on {found}, not on speeds or momenta alone; so it is where "
                f"the mass matrix depends on coordinates; {other}"
            )
    for name, output in zip(names[count:], rhs.outputs[count:], strict=True):
        found = _read(program, [output], lambda symbol: symbol.role is Role.STATE and symbol.index >= count)
        if found is not None:
            raise UnsupportedError(
                f"{refused}: {name}' depends on {found}: a damping, another force that depends on velocities, or "
                f"a mass matrix that depends on coordinates; {other}"
            )
    second = "momenta" if program.method.second is SecondHalf.MOMENTA else "speeds"
    parts = (
        _part(rhs, RATES, "Rates q' of the coordinates", slice(0, count), names),
        _part(rhs, FORCES, f"Rates of the {second}", slice(count, None), names),
    )
    return replace(program, functions=(*program.functions, *parts))


def _read(program: Program, outputs: Iterable[Node], wanted: Callable[[Symbol], bool]) -> str | None:
    """Return the name of a state, input or time of a kind that outputs depend on; parameters are of none."""
    graph = program.graph
    for node in graph.reachable(outputs):
        symbol = graph.data[node]
        if isinstance(symbol, Symbol) and symbol.role is not Role.PARAMETER and wanted(symbol):
            return symbol.name
    return None


def _part(rhs: Function, name: str, title: str, which: slice, names: list[str]) -> Function:
    outputs = rhs.outputs[which]
    return Function(
        name=name,
        title=title,
        outputs=outputs,
        output_names=tuple(names[which]),
        shape=(len(outputs),),
        blocks=rhs.blocks,
    )
