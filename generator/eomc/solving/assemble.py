"""EquationsOfMotion -> Program: which functions the simulator offers, with the text-book names of their parts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from eomc.ir.equations import EquationsOfMotion, Quantity
from eomc.ir.graph import Node
from eomc.ir.program import Block, Check, Function, OutputArray, Program, Variable
from eomc.passes.guarding import guarded_nodes
from eomc.passes.strength import reduce_strength
from eomc.passes.substitute import Substitution
from eomc.solving.functions import usual_functions
from eomc.solving.jacobian import sparse_jacobian

__all__ = ["assemble"]


def assemble(
    equations: EquationsOfMotion,
    name: str,
    description: str,
    initial: Sequence[float],
    remarks: Sequence[str] = (),
    functions: Sequence[str] | None = None,
) -> Program:
    """Return the program of a model's simulator.

    Parameters
    ----------
    equations
        Derived equations of motion.
    name, description
        Of the model.
    initial
        Initial state, one number per state.
    remarks
        What the user should know beside the form of the equations: the last of the program's notes.
    functions
        Optional functions to offer, as far as the equations give them; None for the usual ones.
    """
    states = tuple(
        replace(state, value=value, unit=state.unit) for state, value in zip(equations.states, initial, strict=True)
    )
    wanted = set(usual_functions() if functions is None else functions)
    if equations.projected:
        wanted.update(("coordinate_correction", "velocity_correction"))  # a step ends with them
    made = [_rhs(equations, states)]
    for make in _MAKERS:
        made.extend(function for function in make(equations) if function.name in wanted)
    if "jacobian" in wanted:
        made.append(_jacobian(equations))
    if "time_derivative" in wanted:
        made.append(_time_derivative(equations))
    program = Program(
        name=name,
        description=description,
        method=equations.method,
        graph=equations.graph,
        time=equations.time,
        states=states,
        inputs=equations.inputs,
        parameters=equations.parameters,
        functions=tuple(made),
        checks=_live_checks(equations, made),
        coordinates=len(equations.rates),
        projected=equations.projected and any(function.name.endswith("_correction") for function in made),
        notes=(equations.summary, *_constancy_of(equations, [*equations.energies, *equations.momenta]), *remarks),
    )
    return reduce_strength(program)


def _live_checks(equations: EquationsOfMotion, functions: Sequence[Function]) -> tuple[Check, ...]:
    """Return the tests of what the functions evaluate, numbered anew: a derivation tries more than it keeps."""
    outputs = itertools.chain.from_iterable(function.outputs for function in functions)
    guarded = guarded_nodes(equations.graph, equations.checks, outputs)
    return tuple(
        replace(check, node=node, index=index) for index, (check, nodes) in enumerate(guarded.items()) for node in nodes
    )


def _constancy_of(equations: EquationsOfMotion, quantities: Sequence[Quantity]) -> list[str]:
    """Return one sentence for each of the quantities that the motion keeps; where T + V is h, that is told once."""
    names = {quantity.name for quantity in quantities}
    conditions = {kept.name: kept.condition for kept in equations.invariants if kept.name in names}
    words = {energy.name: f"the {re.split('[,;]', energy.description)[0]}" for energy in equations.energies}
    words["hamiltonian"] = "the Hamiltonian H"
    if "total" in conditions and conditions["total"] == conditions.get("jacobi"):
        words["total"] += " (and so the Jacobi integral)"
        del conditions["jacobi"]
    return [
        f"{words.get(name, f'the momentum {name}')} is constant {condition}".rstrip()
        for name, condition in conditions.items()
    ]


_WITH_LOADS = (
    "M is the matrix of the equations: it holds -dF/du' of the loads that are linear in u', and is not that of the "
    "kinetic energy, nor always symmetric"
)


def _rhs(equations: EquationsOfMotion, states: Sequence[Variable]) -> Function:
    outputs = (*equations.rates, *equations.accelerations, *equations.extra_rates)
    return Function(
        name="rhs",
        title="State derivative dx/dt",
        outputs=outputs,
        output_names=tuple(state.name for state in states),
        shape=(len(outputs),),
        blocks=equations.blocks,
        details=(equations.summary,),
    )


def _linear_system(equations: EquationsOfMotion) -> list[Function]:
    n = len(equations.mass_matrix)
    if n == 0:
        return []
    rows = ", ".join(equations.labels)
    if equations.method.startswith("hamilton"):
        title = "Mass matrix M of p = M q' + b, by rows"
    else:
        title = "Mass matrix M of M u' = f, by rows"
    details = [f"rows and columns: {rows}"]
    if equations.loads_in_matrix:
        details.append(_WITH_LOADS)
    made = [
        Function(
            name="mass_matrix",
            title=title,
            outputs=tuple(itertools.chain.from_iterable(equations.mass_matrix)),
            output_names=(),
            shape=(n, n),
            blocks=equations.blocks,
            details=tuple(details),
        )
    ]
    if not equations.method.startswith("hamilton"):
        made.append(
            Function(
                name="forcing",
                title="Right side f of M u' = f",
                outputs=equations.forcing,
                output_names=equations.labels,
                shape=(n,),
                blocks=equations.blocks,
                details=(f"rows: {rows}",),
            )
        )
    return made


def _vector(
    name: str,
    title: str,
    quantities: Sequence[Quantity],
    details: Sequence[str] = (),
    before: Sequence[Block] = (),
) -> list[Function]:
    """Return a function of named scalars, none for no scalars; the blocks `before` name what they rest on."""
    if not quantities:
        return []
    nodes: tuple[Node, ...] = tuple(quantity.node for quantity in quantities)
    return [
        Function(
            name=name,
            title=title,
            outputs=nodes,
            output_names=tuple(quantity.name for quantity in quantities),
            shape=(len(nodes),),
            blocks=(*before, *(Block(q.description or q.name, ((q.name, q.node),)) for q in quantities)),
            details=tuple(details),
            output_texts=tuple((quantity.unit, quantity.description) for quantity in quantities),
        )
    ]


def _outputs(equations: EquationsOfMotion) -> list[Function]:
    return _vector(
        "outputs", "Outputs y that the model names", equations.outputs, (), _motion(equations, equations.outputs)
    )


def _motion(equations: EquationsOfMotion, quantities: Sequence[Quantity]) -> tuple[Block, ...]:
    """Return the blocks of the motion where quantities are evaluated after it, for they hold accelerations."""
    solved = {node for node in equations.accelerations if equations.graph.args[node]}
    reached = equations.graph.reachable([quantity.node for quantity in quantities])
    return () if solved.isdisjoint(reached) else equations.blocks


def _energy(equations: EquationsOfMotion) -> list[Function]:
    return _vector("energy", "Energies", equations.energies, _constancy_of(equations, equations.energies))


def _power(equations: EquationsOfMotion) -> list[Function]:
    before = _motion(equations, equations.powers)
    return _vector("power", "Power that changes the energy", equations.powers, (), before)


def _gibbs(equations: EquationsOfMotion) -> list[Function]:
    """Return S at the motion: its u' are the accelerations."""
    gibbs = equations.gibbs
    if gibbs is None:
        return []
    moving = Substitution(equations.graph, dict(zip(gibbs.accelerations, equations.accelerations, strict=True)))
    value = Quantity("gibbs_function", moving(gibbs.node), "J/s^2", "Gibbs function S, the energy of the accelerations")
    return _vector("gibbs", "Gibbs function of the motion", [value], ["dS/du' = Q."])


def _momenta(equations: EquationsOfMotion) -> list[Function]:
    title = "Generalized momenta p = dL/dq' of coordinates q that do not enter the Lagrangian L"
    return _vector("momenta", title, equations.momenta, _constancy_of(equations, equations.momenta))


_OPEN = ("open: how far the state is off the constraints, beside the sizes of their terms",)


def _corrections(equations: EquationsOfMotion) -> list[Function]:
    made = []
    n = len(equations.rates)
    names = [state.name for state in equations.states]
    if equations.coordinate_correction:
        made.append(
            Function(
                name="coordinate_correction",
                title="What to add to the coordinates: a Newton step, least in the mass metric, to the constraints",
                details=_OPEN,
                outputs=equations.coordinate_correction,
                output_names=(*names[:n], "open"),
                shape=(n + 1,),
            )
        )
    if equations.velocity_correction:
        made.append(
            Function(
                name="velocity_correction",
                title="What to add to the velocities or momenta, least in the mass metric, to meet the constraints",
                details=_OPEN,
                outputs=equations.velocity_correction,
                output_names=(*names[n : n + len(equations.velocity_correction) - 1], "open"),
                shape=(len(equations.velocity_correction),),
            )
        )
    return made


def _multipliers(equations: EquationsOfMotion) -> list[Function]:
    return _vector("multipliers", "Multipliers lambda of the constraints: M v' + J^T lambda = f", equations.multipliers)


def _constraint_forces(equations: EquationsOfMotion) -> list[Function]:
    title = "Generalized constraint forces -J^T lambda"
    return _vector("constraint_forces", title, equations.constraint_forces)


def _reactions(equations: EquationsOfMotion) -> list[Function]:
    title = "Reactions: forces and torques that hold the auxiliary speeds at zero"
    return _vector("reactions", title, equations.reactions)


def _residuals(equations: EquationsOfMotion) -> list[Function]:
    return _vector("constraint_residuals", "Constraint residuals, zero where the constraints hold", equations.residuals)


_MAKERS = (
    _linear_system,
    _outputs,
    _energy,
    _power,
    _gibbs,
    _momenta,
    _residuals,
    _multipliers,
    _constraint_forces,
    _reactions,
    _corrections,
)


def _jacobian(equations: EquationsOfMotion) -> Function:
    graph = equations.graph
    states = [graph.symbol(state.symbol) for state in equations.states]
    inputs = [graph.symbol(signal.symbol) for signal in equations.inputs]
    rates = [*equations.rates, *equations.accelerations, *equations.extra_rates]
    rows = sparse_jacobian(graph, rates, [*states, *inputs], equations.systems)
    n, m = len(states), len(inputs)
    outputs = [entry for row in rows for entry in row[:n]] + [entry for row in rows for entry in row[n:]]
    entries = Block("A = df/dx, B = df/dr", tuple(("", entry) for entry in outputs if entry != graph.zero))
    return Function(
        name="jacobian",
        title="Jacobians A = df/dx and B = df/dr of dx/dt = f(t, x, r)",
        outputs=tuple(outputs),
        output_names=(),
        shape=(len(outputs),),
        blocks=(*equations.blocks, entries),
        details=(
            "A[i NX + j] is the derivative of the rate of state i with respect to state j, B[i NR + j] that with "
            "respect to input j; states, inputs and time count as independent of each other.",
        ),
        arrays=(OutputArray("A", "df/dx", (n, n)), OutputArray("B", "df/dr", (n, m))),
    )


def _time_derivative(equations: EquationsOfMotion) -> Function:
    graph = equations.graph
    rates = [*equations.rates, *equations.accelerations, *equations.extra_rates]
    rows = sparse_jacobian(graph, rates, [graph.symbol(equations.time)], equations.systems)
    outputs = tuple(row[0] for row in rows)
    return Function(
        name="time_derivative",
        title="Partial derivative df/dt of dx/dt = f(t, x, r)",
        outputs=outputs,
        output_names=tuple(state.name for state in equations.states),
        shape=(len(outputs),),
        blocks=(*equations.blocks, Block("df/dt", tuple(("", entry) for entry in outputs))),
        details=("States and inputs are held: zero where the time does not enter the equations itself.",),
    )
