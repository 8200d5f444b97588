"""Hamilton's method: of a Hamiltonian as given, of a Lagrangian by its Legendre transformation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from eomc.derivation.accelerations import put_accelerations
from eomc.derivation.balance import balance_of_momenta
from eomc.derivation.blocks import labelled
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.energetics import WITHOUT_FORCES, cyclic_momenta
from eomc.derivation.events import with_events
from eomc.derivation.finish import constraints_of_momenta, energetics_of, finish
from eomc.derivation.hamilton import CanonicalEquations, derive_canonical, derive_dependent, derive_hamilton
from eomc.derivation.lagrange import KineticForm
from eomc.derivation.methods.in_momenta import InMomenta, derive_in_momenta, motion_in_momenta, refusal_of_accelerations
from eomc.derivation.methods.record import Derivation, Need
from eomc.derivation.power import hamiltonian_powers
from eomc.derivation.problem import Problem
from eomc.derivation.projection import Corrections
from eomc.derivation.states import rate_names, why_velocities_are_no_state
from eomc.errors import UnsupportedError
from eomc.ir.equations import Constraints, EquationsOfMotion, Invariant, Quantity
from eomc.ir.graph import Node
from eomc.ir.method import Method, SecondHalf
from eomc.ir.program import Block
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian
from eomc.passes.differentiate import depends_on, gradient


def _refusal(model: Model) -> str:
    """Return why a system has no Hamilton's equations with dependent coordinates."""
    dynamics = model.dynamics
    if isinstance(dynamics, Hamiltonian):
        return ""
    nonholonomic = len(dynamics.velocity_constraints) > len(dynamics.configuration_constraints)
    return (
        refusal_of_accelerations(model)
        or (
            "it is nonholonomic: Hamilton's equations with dependent coordinates need constraints on the configuration"
            if nonholonomic
            else ""
        )
        or why_velocities_are_no_state(model)
    )


def _derive(method: Method, problem: Problem) -> EquationsOfMotion:
    if isinstance(problem.model.dynamics, Hamiltonian):
        return _of_given(method, problem, problem.model.dynamics)
    return derive_in_momenta(method, problem, _LAGRANGIAN)


# -- a Hamiltonian as given ------------------------------------------------------------------------------------------


def _of_given(method: Method, problem: Problem, dynamics: Hamiltonian) -> EquationsOfMotion:
    model, graph = problem.model, problem.graph
    hamiltonian = problem.scalars(dynamics.expression)
    equations, forces = derive_canonical(problem, hamiltonian, dynamics.generalized_forces)
    conservative = all(graph.is_zero(force) for force in forces)
    constant = conservative and not depends_on(graph, [hamiltonian], problem.symbols.outside)
    left_out = "" if conservative else WITHOUT_FORCES
    energies = [Quantity("hamiltonian", hamiltonian, "J", f"H as given{left_out}")]
    invariants = [Invariant("hamiltonian", "")] if constant else []
    names = [name_of(p) for p in model.speeds]
    slopes = gradient(graph, hamiltonian, problem.q)
    momenta, kept = cyclic_momenta(problem, slopes, problem.symbols.second_half, forces, names)
    blocks = [
        Block("q' = dH/dp", labelled(rate_names(model), equations.rates)),
        Block("p' = -dH/dq + Q", labelled([f"{name}'" for name in names], equations.forcing)),
    ]
    powers = hamiltonian_powers(problem, hamiltonian, forces, equations.rates)
    accelerated = put_accelerations(problem, equations.forcing)
    made = finish(
        problem,
        method,
        "q' = dH/dp, p' = -dH/dq + Q",
        motion_in_momenta(model, equations),
        Constraints(),
        energetics_of(energies, momenta, [*invariants, *kept], powers),
        blocks,
        accelerated,
    )
    made = made.balanced(partial(balance_of_momenta, problem, equations.forcing))
    return with_events(made, problem, None, accelerated)


# -- a Lagrangian, with dependent coordinates under constraints ------------------------------------------------------


def _transform(problem: Problem, form: KineticForm, forces: Sequence[Node], rows: ConstraintRows) -> CanonicalEquations:
    if not rows:
        return derive_hamilton(problem, form, forces)
    if None in rows.positions:
        raise UnsupportedError(
            f"{problem.model.name}: {rows.names[rows.positions.index(None)]} is no rate of a configuration constraint: "
            "Hamilton's equations with dependent coordinates need constraints on the configuration; use "
            "hamilton-multipliers"
        )
    return derive_dependent(problem, form, forces, rows)


def _constraints(
    problem: Problem, form: KineticForm, equations: CanonicalEquations, rows: ConstraintRows, back: Corrections
) -> Constraints:
    if not rows:
        return Constraints()
    # Every p has a q' that the constraints admit. To take sigma back to zero would be the same motion, but a jump of p
    # that grows with the step, which estimates of errors and what is between steps would take for the motion's own.
    return constraints_of_momenta(rows, equations.multipliers, Corrections(back.coordinates, []))


def _summary(rows: ConstraintRows) -> str:
    if not rows:
        return "q' = dH/dp, p' = -dH/dq + Q, with q' solved from p = M q' + b"
    return "q' and sigma from p = M q' + b + Phi_q^T sigma and Phi_q q' = -Phi_t, p' = d(L + sigma^T Phi')/dq + Q"


_LAGRANGIAN = InMomenta(_transform, _summary, _constraints)

HAMILTON = Derivation(
    name="hamilton",
    second=SecondHalf.MOMENTA,
    title="Hamilton's method",
    authors="Hamilton",
    native=Hamiltonian,
    refusal=_refusal,
    needs=frozenset({Need.ENERGY, Need.LINEAR_MOMENTA, Need.HOLONOMIC}),
    derive=_derive,
)
