"""Derivatives of the right-hand side and of the outputs, by one sweep over the graph each."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.errors import UsageError
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.graph import Node
from eomc.ir.program import Block, Function, OutputArray, Variable
from eomc.programs.large import refuse_dense, refuse_many
from eomc.programs.results import returns, state_names
from eomc.solving.jacobian import sparse_jacobian
from eomc.wording import did_you_mean

_INDEPENDENT = "states, inputs and time count as independent of each other."


def jacobian(equations: EquationsOfMotion) -> Function:
    """Return A = df/dx and B = df/dr."""
    details = (
        "A[i NX + j] is the derivative of the rate of state i with respect to state j, B[i NR + j] that with "
        f"respect to input j; {_INDEPENDENT}"
    )
    n, variables = len(equations.states), len(equations.states) + len(equations.inputs)
    refuse_dense(equations, (n, variables), "[A B]")
    return _by_states_and_inputs(equations, equations.motion.derivative, ("A", "B"), "f", details)


def outputs_jacobian(equations: EquationsOfMotion) -> Function | None:
    """Return C = dy/dx and D = dy/dr; None without outputs."""
    if not equations.outputs:
        return None
    details = (
        "C[i NX + j] is the derivative of output i with respect to state j, D[i NR + j] that with respect to input j; "
        f"{_INDEPENDENT}"
    )
    roots, variables = [y.node for y in equations.outputs], len(equations.states) + len(equations.inputs)
    refuse_many(equations, (len(roots), variables), "[C D]")
    moving = {node for node in equations.motion.accelerations if equations.graph.args[node]}
    if not moving.isdisjoint(equations.graph.reachable(roots)):  # on the way to them there are those of all u'
        refuse_dense(equations, (len(moving), variables), "du'/d[x r], which outputs with accelerations take,")
    return _by_states_and_inputs(equations, roots, ("C", "D"), "y", details)


def _by_states_and_inputs(
    equations: EquationsOfMotion, roots: Sequence[Node], names: tuple[str, str], letter: str, details: str
) -> Function:
    """Return the derivatives of some nodes by the states, then those by the inputs, each by rows."""
    graph = equations.graph
    variables = [graph.symbol(variable.symbol) for variable in (*equations.states, *equations.inputs)]
    rows = sparse_jacobian(graph, roots, variables, equations.systems, equations.rules)
    n = len(equations.states)
    outputs = [entry for row in rows for entry in row[:n]] + [entry for row in rows for entry in row[n:]]
    by_states, by_inputs = f"d{letter}/dx", f"d{letter}/dr"
    title = f"{names[0]} = {by_states}, {names[1]} = {by_inputs}"
    entries = Block(title, tuple(("", entry) for entry in outputs if entry != graph.zero))
    return returns(
        tuple(outputs),
        blocks=(*equations.blocks, entries),
        details=(details,),
        arrays=(
            OutputArray(names[0], by_states, (len(roots), n)),
            OutputArray(names[1], by_inputs, (len(roots), len(equations.inputs))),
        ),
        checks=equations.checks_of_rules(),
    )


def time_derivative(equations: EquationsOfMotion) -> Function:
    """Return df/dt, states and inputs held."""
    graph = equations.graph
    rows = sparse_jacobian(
        graph, equations.motion.derivative, [graph.symbol(equations.time)], equations.systems, equations.rules
    )
    outputs = tuple(row[0] for row in rows)
    blocks = (*equations.blocks, Block("df/dt", tuple(("", entry) for entry in outputs)))
    details = ("States and inputs are held: zero where the time does not enter the equations itself.",)
    return returns(outputs, state_names(equations), blocks, details, checks=equations.checks_of_rules())


def rhs_parameter_jacobian(equations: EquationsOfMotion, named: Sequence[str]) -> Function | None:
    """Return df/dp for the named parameters, for all where none are named; None for a model without parameters.

    Raises
    ------
    UsageError
        A name that is no parameter.
    """
    chosen = chosen_parameters("rhs_parameter_jacobian", equations, named)
    if not chosen or not equations.states:
        return None
    refuse_many(equations, (len(equations.states), len(chosen)), "P")
    graph, names = equations.graph, tuple(one.name for one in chosen)
    leaves = [graph.symbol(one.symbol) for one in chosen]
    rows = sparse_jacobian(graph, equations.motion.derivative, leaves, equations.systems)
    outputs = tuple([entry for row in rows for entry in row])
    return returns(
        outputs,
        blocks=(*equations.blocks, Block("df/dp", tuple([("", entry) for entry in outputs if entry != graph.zero]))),
        details=(f"P[i {len(names)} + j] is the derivative of the rate of state i; p: {', '.join(names)}.",),
        arrays=(OutputArray("P", "df/dp", (len(rows), len(names))),),
        chosen=names,
    )


def chosen_parameters(function: str, equations: EquationsOfMotion, named: Sequence[str]) -> tuple[Variable, ...]:
    """Return the parameters that are named after a function, all where none are.

    Raises
    ------
    UsageError
        A name that is no parameter.
    """
    known = {variable.name: variable for variable in equations.parameters}
    for name in named:
        if name not in known:
            near = did_you_mean(name, tuple(known))
            raise UsageError(f"{function}:{name}: unknown parameter {name!r}; {near}")
    return tuple(known[name] for name in dict.fromkeys(named or known))
