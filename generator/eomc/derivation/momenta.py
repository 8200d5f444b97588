"""Momenta of cyclic coordinates where the motion is written in speeds."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from eomc.derivation.bodies import BodySystem
from eomc.derivation.covectors import in_rates
from eomc.derivation.energetics import cyclic_momenta
from eomc.derivation.forces import active_seeds, generalized_forces
from eomc.derivation.integrability import without_rates_of_positions
from eomc.derivation.problem import Problem
from eomc.derivation.states import momentum_names, why_velocities_are_no_state
from eomc.ir.equations import Invariant, Quantity
from eomc.ir.graph import Node
from eomc.passes.cost import cost
from eomc.passes.differentiate import vjp


def momenta_in_speeds(
    problem: Problem, bodies: BodySystem, mass_matrix: Sequence[Sequence[Node]], energies: Sequence[Quantity]
) -> tuple[list[Quantity], list[Invariant]]:
    """Return the momenta of cyclic coordinates for a holonomic system written in speeds.

    p = (du/dq')^T dT/du, and at constant q' dT/dq is that at constant u less the sum of p_i dq'_i/dq. Of two ways to
    dT/du the cheaper is taken: sums over the bodies, or M u with what is left of those at u = 0.
    """
    graph, system = problem.graph, bodies.system
    model = problem.model
    is_strange = bodies.strange_accelerations or bodies.has_varying_inertia
    if model.is_constrained or why_velocities_are_no_state(model) or len(energies) < 2 or is_strange:
        return [], []
    potential = energies[1].node
    motion = bodies.momentum_seeds()
    speed_momenta = vjp(graph, motion, problem.motion)
    found = in_rates(
        problem, [speed_momenta, generalized_forces(problem, active_seeds(bodies), system)], problem.checks
    )
    if found is None:
        return [], []
    momenta, forces = found
    held = [(rate, graph.neg(p)) for rate, p in zip(problem.rates, momenta, strict=True)]
    seeds = [*motion, (potential, graph.neg(graph.one)), *held]
    names = momentum_names(problem.model)
    quantities, kept = cyclic_momenta(problem, vjp(graph, seeds, problem.q), momenta, forces, names)
    if not quantities or without_rates_of_positions(problem, bodies):
        return [], []
    cyclic = {momenta.index(quantity.node) for quantity in quantities} if problem.rates == problem.motion else None
    others = in_rates(problem, [_products(problem, mass_matrix, speed_momenta, cyclic)], problem.checks)
    if others is None:
        return quantities, kept
    pairs = dict(zip(momenta, others[0], strict=True))
    cheapest = [min(q.node, pairs[q.node], key=lambda node: cost(graph, [node])) for q in quantities]
    return [replace(quantity, node=node) for quantity, node in zip(quantities, cheapest, strict=True)], kept


def _products(
    problem: Problem,
    mass_matrix: Sequence[Sequence[Node]],
    speed_momenta: Sequence[Node],
    wanted: Container[int] | None,
) -> list[Node]:
    """Return dT/du as M u + dT/du at u = 0; dT/du itself where they are not `wanted` (None: all are)."""
    graph = problem.graph

    def product(row: Sequence[Node], momentum: Node) -> Node:
        products = [graph.mul(m, u) for m, u in zip(row, problem.motion, strict=True) if m != graph.zero]
        return graph.add(graph.sum(products), problem.still(momentum))

    return [
        product(row, momentum) if wanted is None or index in wanted else momentum
        for index, (row, momentum) in enumerate(zip(mass_matrix, speed_momenta, strict=True))
    ]
