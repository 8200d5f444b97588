"""A model's Lagrangian and generalized forces, ready for the methods that start from energies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derivation.bodies import BodySystem
from eomc.derivation.clusters import find_clusters
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.energetics import bodies_energies, cyclic_momenta, is_scleronomic, lagrangian_energies
from eomc.derivation.forces import active_seeds, generalized_forces, lagrangian_forces, potential_seeds, weight_seeds
from eomc.derivation.integrability import why_no_energy_gives_forces
from eomc.derivation.lagrange import KineticForm, kinetic_form, quadratic_form
from eomc.derivation.mass_matrix import lower_triangle, mass_matrices
from eomc.derivation.power import Powers, bodies_powers, lagrangian_powers
from eomc.derivation.problem import Problem
from eomc.derivation.speeds import refuse_nonlinear_velocities
from eomc.derivation.states import momentum_names
from eomc.errors import UnsupportedError
from eomc.ir.equations import Invariant, Quantity
from eomc.ir.graph import Node
from eomc.model.parts import Lagrangian, MechanicalSystem
from eomc.passes.cost import cost
from eomc.passes.differentiate import gradient


@dataclass(frozen=True, slots=True)
class Source:
    """A Lagrangian ready for derivation."""

    forms: list[KineticForm]  # of L, or of T for bodies: equal functions written differently
    full: Node  # L with all potentials
    forces: list[Node]  # generalized forces beside the forms
    applied: list[Node]  # generalized forces beside the full L
    energies: list[Quantity]
    invariants: list[Invariant]
    bodies: BodySystem | None  # None for a Lagrangian alone


def source_of(problem: Problem, rows: ConstraintRows) -> Source:
    """Return what a problem in q' has.

    Raises
    ------
    UnsupportedError
        No energy gives the forces of the bodies.
    """
    dynamics = problem.model.dynamics
    if isinstance(dynamics, Lagrangian):
        lagrangian = problem.scalars(dynamics.expression)
        forces = lagrangian_forces(problem, dynamics)
        energies, invariants = lagrangian_energies(problem, lagrangian, forces, rows)
        return Source([kinetic_form(problem, lagrangian)], lagrangian, forces, forces, energies, invariants, None)
    assert isinstance(dynamics, MechanicalSystem)
    bodies = BodySystem(problem)
    refuse_nonlinear_velocities(problem, bodies)
    reason = why_no_energy_gives_forces(problem, bodies)
    if reason:
        raise UnsupportedError(f"{problem.model.name}: {reason}")
    loads = active_seeds(bodies)
    forces = generalized_forces(problem, [*weight_seeds(bodies), *potential_seeds(problem, dynamics), *loads], dynamics)
    applied = generalized_forces(problem, loads, dynamics)
    energies, invariants = bodies_energies(problem, bodies, rows)
    potentials = [quantity.node for quantity in energies if quantity.name == "potential"]
    forms = [kinetic_form(problem, bodies.kinetic_energy(frames)) for frames in bodies.frame_choices()]
    if is_scleronomic(problem, bodies):
        clusters = find_clusters(bodies)
        matrices = (m for frames in bodies.frame_choices() for m in mass_matrices(bodies, clusters, frames))
        cheapest = min(matrices, key=lambda matrix: cost(problem.graph, lower_triangle(matrix)))
        forms.append(quadratic_form(problem, cheapest))
    kinetic = energies[0].node
    full = problem.graph.sub(kinetic, potentials[0]) if potentials else kinetic
    return Source(forms, full, forces, applied, energies, invariants, bodies)


def powers_of(problem: Problem, source: Source, rows: ConstraintRows, multipliers: Sequence[Node] | None) -> Powers:
    """Return the powers that change the energies."""
    if source.bodies is not None:
        return bodies_powers(problem, source.bodies, rows, multipliers, source.energies, by_energy=True)
    return lagrangian_powers(problem, source.full, rows, multipliers)


def cyclic(problem: Problem, source: Source, momenta: Sequence[Node]) -> tuple[list[Quantity], list[Invariant]]:
    """Return the momenta of coordinates that do not enter L, and which of them the motion keeps."""
    slopes = gradient(problem.graph, source.full, problem.q)
    return cyclic_momenta(problem, slopes, momenta, source.applied, momentum_names(problem.model))
