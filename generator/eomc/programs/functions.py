"""The functions of a simulator, one row each: name, title, when it is there, how it is checked, what it is made from.

From this table a program is assembled, a choice of functions is read, the binding knows what it may compile later, and
`eomc check` knows how the reference has each function.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from eomc.ir.equations import EquationsOfMotion, Quantity
from eomc.ir.graph import Node
from eomc.ir.method import SecondHalf
from eomc.ir.program import Block, Function, Variable
from eomc.passes.substitute import Substitution
from eomc.programs.constancy import constancy_of
from eomc.programs.derivatives import jacobian, outputs_jacobian, rhs_parameter_jacobian, time_derivative
from eomc.programs.events import event_rates, event_sizes, event_times, events, impacts, resets
from eomc.programs.inverse import coriolis_forces, gravity_forces, inverse_dynamics, regressor
from eomc.programs.large import refuse_dense
from eomc.programs.poses import poses
from eomc.programs.results import returns, state_names
from eomc.programs.slopes import derivatives_of
from eomc.programs.switches import switches


class Presence(Enum):
    """When a simulator has a function that its equations give."""

    ALWAYS = "always"
    USUAL = "usual"
    ON_REQUEST = "on request"  # long, and much is simulated without it
    NAMED = "named"  # where it is named alone: it serves others


class Known(Enum):
    """How the reference has a function."""

    VALUES = "values"
    DIFFERENCES = "differences"  # with their errors; not in every model
    SLOPES = "slopes"  # differences of the right-hand side, known to fewer digits
    NOT = "not"  # not component by component, or it is not unique: what it achieves is tested


@dataclass(frozen=True, slots=True)
class FunctionRow:
    """One function of the simulator."""

    name: str
    title: str  # in the letters of Kane's method: see `in_letters`
    make: Callable[..., Function | None]  # of the equations, and of what is named; None: these do not give it
    presence: Presence = Presence.USUAL
    known: Known = Known.VALUES
    ends_steps: bool = False  # a step that ends on the constraints calls it
    of: str = ""  # what may be named after it, as in inverse_dynamics:F; "" for nothing

    def made(self, equations: EquationsOfMotion, named: Sequence[str]) -> Function | None:
        """Return the function without its name; `named` is what stands after that."""
        return self.make(equations, named) if self.of else self.make(equations)


def in_letters(equations: EquationsOfMotion, text: str) -> str:
    """Return a text about Kane's u' in the letters of the method: Lagrange's equations have q''."""
    return text if equations.method.second is SecondHalf.SPEEDS else text.replace("u'", "q''")


def _rhs(equations: EquationsOfMotion) -> Function:
    return returns(equations.motion.derivative, state_names(equations), equations.blocks, (equations.summary,))


_WITH_LOADS = (
    "M is the matrix of the equations: it holds -dF/du' of the loads that are linear in u', and is not that of the "
    "kinetic energy, nor always symmetric"
)


def _mass_matrix(equations: EquationsOfMotion) -> Function | None:
    n = len(equations.motion.labels)
    refuse_dense(equations, (n, n), "M")
    matrices = equations.matrices
    if not matrices.mass_matrix:
        return None
    details = (f"rows and columns: {', '.join(equations.motion.labels)}",)
    entries = tuple(itertools.chain.from_iterable(matrices.mass_matrix))
    return returns(
        entries,
        blocks=(*matrices.blocks, *equations.blocks),
        details=(*details, in_letters(equations, _WITH_LOADS)) if equations.motion.loads_in_matrix else details,
        square=n,
        title="Mass matrix M of p = M q' + b, by rows" if _in_momenta(equations) else "",
    )


def _forcing(equations: EquationsOfMotion) -> Function | None:
    matrices = equations.matrices
    if not matrices.mass_matrix or _in_momenta(equations):
        return None
    details = (f"rows: {', '.join(equations.motion.labels)}",)
    return returns(matrices.forcing, equations.motion.labels, (*matrices.blocks, *equations.blocks), details)


def _in_momenta(equations: EquationsOfMotion) -> bool:
    """Whether p' is given as it is, and M is that of p = M q' + b."""
    return equations.method.second is SecondHalf.MOMENTA


def _named(
    quantities: Sequence[Quantity], details: Sequence[str] = (), before: Sequence[Block] = (), kind: str = ""
) -> Function | None:
    """Return named scalars, None for no scalars.

    The blocks `before` name what they rest on; a `kind` stands before the name of one without a description.
    """
    if not quantities:
        return None
    return returns(
        tuple(quantity.node for quantity in quantities),
        tuple(quantity.name for quantity in quantities),
        (*before, *(Block(q.description or f"{kind}{q.name}", ((q.name, q.node),)) for q in quantities)),
        tuple(details),
        tuple((quantity.unit, quantity.description) for quantity in quantities),
    )


def _after_motion(equations: EquationsOfMotion, quantities: Sequence[Quantity], kind: str = "") -> Function | None:
    """Return named scalars with the blocks of the motion, where they hold its accelerations."""
    solved = {node for node in equations.motion.accelerations if equations.graph.args[node]}
    reached = equations.graph.reachable([quantity.node for quantity in quantities])
    return _named(quantities, before=() if solved.isdisjoint(reached) else equations.blocks, kind=kind)


def _outputs(equations: EquationsOfMotion) -> Function | None:
    return _after_motion(equations, equations.outputs, "output ")


def _kept(equations: EquationsOfMotion, quantities: Sequence[Quantity]) -> Function | None:
    """Return named scalars, and which of them the motion keeps."""
    return _named(quantities, constancy_of(equations.energetics, quantities))


def _gibbs(equations: EquationsOfMotion) -> Function | None:
    """Return S at the motion: its u' are the accelerations."""
    gibbs = equations.motion.gibbs
    if gibbs is None:
        return None
    moving = Substitution(equations.graph, dict(zip(gibbs.accelerations, equations.motion.accelerations, strict=True)))
    value = Quantity("gibbs_function", moving(gibbs.node), "J/s^2", "Gibbs function S, the energy of the accelerations")
    return _named([value], ["dS/du' = Q."])


def _multipliers(equations: EquationsOfMotion) -> Function | None:
    """Return lambda, or sigma, whose rates they are."""
    results = _named(equations.constraints.multipliers)
    if results is None or not equations.constraints.impulses:
        return results
    return replace(results, title="sigma of the constraints: p = M q' + b + J^T sigma")


def _correction(outputs: Sequence[Node], states: Sequence[Variable]) -> Function:
    """Return what to add to states, and how far they are off."""
    texts = [(state.unit, f"to be added to {state.name}") for state in states]
    off = "how far the state is off the constraints, beside the sizes of their terms"
    return returns(tuple(outputs), (*(state.name for state in states), "open"), texts=(*texts, ("", off)))


def _coordinate_correction(equations: EquationsOfMotion) -> Function | None:
    outputs = equations.constraints.coordinate_correction
    if not outputs:
        return None
    return replace(
        _correction(outputs, equations.states[: len(equations.motion.rates)]),
        title=f"What to add to the coordinates: a Newton step to the constraints, {equations.constraints.way_back}",
    )


def _velocity_correction(equations: EquationsOfMotion) -> Function | None:
    outputs, first = equations.constraints.velocity_correction, len(equations.motion.rates)
    return _correction(outputs, equations.states[first : first + len(outputs) - 1]) if outputs else None


FUNCTIONS = (
    FunctionRow("rhs", "State derivative dx/dt", _rhs, Presence.ALWAYS),
    FunctionRow("events", "Functions g of the events, which happen where they change sign", events, Presence.ALWAYS),
    FunctionRow("event_rates", "dg/dt of the events along the motion", event_rates, Presence.ALWAYS, Known.SLOPES),
    FunctionRow(
        "event_sizes",
        "Sizes of the terms of g, which its rounding is proportional to",
        event_sizes,
        Presence.ALWAYS,
        Known.NOT,
    ),
    FunctionRow("event_times", "Times of the events that are known beforehand", event_times, Presence.ALWAYS),
    FunctionRow("resets", "States after the resets of the events", resets, Presence.ALWAYS),
    FunctionRow("impacts", "What impulses along the gaps do", impacts, Presence.ALWAYS),
    FunctionRow("mass_matrix", "Mass matrix M of M u' = f, by rows", _mass_matrix),
    FunctionRow("forcing", "Right side f of M u' = f", _forcing),
    FunctionRow("outputs", "Outputs y that the model names", _outputs),
    FunctionRow("energy", "Energies", lambda e: _kept(e, e.energetics.energies)),
    FunctionRow(
        "power",
        "Power that changes the energy",
        lambda e: _after_motion(e, e.energetics.powers),
        known=Known.DIFFERENCES,
    ),
    FunctionRow("gibbs", "Gibbs function of the motion", _gibbs),
    FunctionRow(
        "momenta",
        "Generalized momenta p = dL/dq' of coordinates q that do not enter the Lagrangian L",
        lambda e: _kept(e, e.energetics.momenta),
    ),
    FunctionRow(
        "constraint_residuals",
        "Constraint residuals, zero where the constraints hold",
        lambda e: _named(e.constraints.residuals),
    ),
    FunctionRow(
        "multipliers",
        "Multipliers lambda of the constraints: M u' + J^T lambda = f",
        _multipliers,
    ),
    FunctionRow(
        "constraint_forces", "Generalized constraint forces -J^T lambda", lambda e: _named(e.constraints.forces)
    ),
    FunctionRow(
        "reactions",
        "Reactions: forces and torques that hold the auxiliary speeds at zero",
        lambda e: _named(e.constraints.reactions),
    ),
    FunctionRow(
        "coordinate_correction",
        "What to add to the coordinates: a Newton step to the constraints",
        _coordinate_correction,
        known=Known.NOT,
        ends_steps=True,
    ),
    FunctionRow(
        "velocity_correction",
        "What to add to the velocities or momenta, least in the mass metric, to meet the constraints",
        _velocity_correction,
        known=Known.NOT,
        ends_steps=True,
    ),
    FunctionRow(
        "inverse_dynamics",
        "Forces along actuated directions with which the motion has given accelerations",
        inverse_dynamics,
        Presence.ON_REQUEST,
        of="inputs and speeds",
    ),
    FunctionRow(
        "regressor",
        "Regressor Y and remainder y0 of inverse dynamics: tau = Y p + y0 for chosen parameters p",
        regressor,
        Presence.ON_REQUEST,
        Known.NOT,
        of="parameters, inputs and speeds",
    ),
    FunctionRow("gravity_forces", "Gravity terms g of M v' + c + g = Q", gravity_forces, Presence.ON_REQUEST),
    FunctionRow(
        "coriolis_forces",
        "Velocity-dependent inertia terms c of M v' + c + g = Q",
        coriolis_forces,
        Presence.ON_REQUEST,
    ),
    FunctionRow(
        "poses",
        "Poses: places and orientations of bodies, links and points, by rows",
        poses,
        Presence.ON_REQUEST,
        Known.NOT,
    ),
    FunctionRow(
        "jacobian",
        "Jacobians A = df/dx and B = df/dr of dx/dt = f(t, x, r)",
        jacobian,
        Presence.ON_REQUEST,
        Known.SLOPES,
    ),
    FunctionRow(
        "time_derivative",
        "Partial derivative df/dt of dx/dt = f(t, x, r)",
        time_derivative,
        Presence.ON_REQUEST,
        Known.SLOPES,
    ),
    FunctionRow(
        "outputs_jacobian",
        "Jacobians C = dy/dx and D = dy/dr of the outputs y = h(t, x, r)",
        outputs_jacobian,
        Presence.ON_REQUEST,
        Known.SLOPES,
    ),
    FunctionRow(
        "rhs_parameter_jacobian",
        "Jacobian P = df/dp of dx/dt = f(t, x, r) for chosen parameters p",
        rhs_parameter_jacobian,
        Presence.ON_REQUEST,
        Known.SLOPES,
        of="parameters",
    ),
    FunctionRow(
        "switches",
        "Numbers that change where the state derivative may jump",
        switches,
        Presence.NAMED,
        Known.NOT,
        of="parameters",
    ),
    *(
        FunctionRow(
            f"{name}_derivatives",
            f"Derivatives of {name} by time, states, inputs and chosen parameters",
            derivatives_of(f"{name}_derivatives", make, kept),
            Presence.NAMED,
            Known.NOT,
            of="parameters",
        )
        for name, make, kept in (
            ("events", events, None),
            ("event_rates", event_rates, None),
            ("resets", resets, None),
            ("impacts", impacts, None),
            ("outputs", _outputs, None),
            ("jacobian", jacobian, None),
            ("time_derivative", time_derivative, None),
            ("coordinate_correction", _coordinate_correction, -1),  # but what is open
            ("velocity_correction", _velocity_correction, -1),
        )
    ),
)
"""In the order of their emission."""

ROWS = {row.name: row for row in FUNCTIONS}
"""The same by name."""
