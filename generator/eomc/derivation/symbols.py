"""A model's symbols as leaves of a graph, and the variables of its program, which they stand for."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from eomc.derivation.options import BAUMGARTE_GAINS, Options
from eomc.derivation.states import auxiliary_speeds, second_names, state_variables
from eomc.ir.graph import Node
from eomc.ir.method import SecondHalf
from eomc.ir.program import Variable
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.scalars import ScalarLowering
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.parts import MechanicalSystem
from eomc.model.signals import signal_of

_GAIN = 5.0
_OF_GAINS = (
    "Baumgarte's gain on the rates of the constraints",
    "Baumgarte's gain on the configuration constraints",
)


@dataclass(frozen=True, slots=True)
class Symbols:
    """Leaves of a model's symbols, and the program's variables.

    `second_half` follows the coordinates in the state, `signals` are the inputs' leaves, `extra` those of the extra
    states. `reactions` stand in for what loads hold until it is solved for.
    """

    time: Symbol
    t: Node
    parameters: tuple[Variable, ...]
    gains: tuple[Node, ...]  # alpha and beta of Baumgarte's feedback where it is asked for
    inputs: tuple[Variable, ...]
    signals: tuple[Node, ...]
    states: tuple[Variable, ...]
    q: tuple[Node, ...]
    second_half: tuple[Node, ...]
    extra: tuple[Node, ...]
    reactions: tuple[Node, ...]

    @property
    def outside(self) -> tuple[Node, ...]:
        """What may move beside coordinates and motion variables: time, inputs, extra states."""
        return (self.t, *self.signals, *self.extra)


def define_symbols(model: Model, second: SecondHalf, options: Options, scalars: ScalarLowering) -> Symbols:
    """Make the leaves, and tell the conversion of them.

    Parameters
    ----------
    model
        The model.
    second
        What follows the coordinates in the state.
    options
        How constraints are met; Baumgarte's stabilization brings two parameters.
    scalars
        The conversion to the graph; q' and u are left for the kinematics to say.
    """
    graph = scalars.graph
    time = Symbol(Role.TIME, 0, "t")
    t = graph.symbol(time)
    scalars.define(model.time, t)
    parameters = _parameters(model)
    scalars.define_all((p.symbol for p in model.parameters), [graph.symbol(p.symbol) for p in parameters])
    for idle in model.idle:
        scalars.define(idle, graph.zero)
    gains = _gains(len(parameters)) if options.stabilization == "baumgarte" and model.is_constrained else ()
    gain_leaves = tuple(graph.symbol(gain.symbol) for gain in gains)
    inputs = _inputs(model)
    signals = tuple(graph.symbol(r.symbol) for r in inputs)
    scalars.define_all((r.symbol for r in model.inputs), signals)
    names = [name_of(q) for q in model.coordinates] + second_names(model, second)
    n, m = len(model.coordinates), len(names)
    symbols = [Symbol(Role.STATE, i, name) for i, name in enumerate([*names, *(z.name for z in model.extra_states)])]
    nodes = tuple(map(graph.symbol, symbols))
    scalars.define_all([*model.coordinates, *(z.symbol for z in model.extra_states)], nodes[:n] + nodes[m:])
    given = model.dynamics.reactions if isinstance(model.dynamics, MechanicalSystem) else ()
    reactions = tuple(graph.fresh(reaction.name) for reaction in given)
    scalars.define_all((reaction.symbol for reaction in given), reactions, unknown=True)
    for u in sorted(auxiliary_speeds(model), key=name_of):
        scalars.define(u, graph.zero)
        scalars.define(sympy.Derivative(u, model.time), graph.zero)
    return Symbols(
        time=time,
        t=t,
        parameters=parameters + gains,
        gains=gain_leaves,
        inputs=inputs,
        signals=signals,
        states=state_variables(model, symbols, second),
        q=nodes[:n],
        second_half=nodes[n:m],
        extra=nodes[m:],
        reactions=reactions,
    )


def leaves_of(model: Model) -> list[sympy.Basic]:
    """Return the symbols that expressions of a model may hold beside q', speeds and reactions."""
    return [
        model.time,
        *(p.symbol for p in model.parameters),
        *model.idle,
        *(r.symbol for r in model.inputs),
        *model.coordinates,
        *(z.symbol for z in model.extra_states),
    ]


def _parameters(model: Model) -> tuple[Variable, ...]:
    return tuple(
        Variable(
            Symbol(Role.PARAMETER, index, p.name), p.name, p.unit, p.description, p.value,
            array=p.array, index=p.index, shape=p.shape,
        )
        for index, p in enumerate(model.parameters)
    )  # fmt: skip


def _gains(first: int) -> tuple[Variable, ...]:
    return tuple(
        Variable(Symbol(Role.PARAMETER, first + k, name), name, "1/s", description, _GAIN)
        for k, (name, description) in enumerate(zip(BAUMGARTE_GAINS, _OF_GAINS, strict=True))
    )


def _inputs(model: Model) -> tuple[Variable, ...]:
    made = []
    for index, r in enumerate(model.inputs):
        base, order = signal_of(r.symbol)
        symbol = Symbol(Role.INPUT, index, r.name)
        made.append(Variable(symbol, r.name, r.unit, r.description, r.value, name_of(base), order))
    return tuple(made)
