"""Momenta of cyclic coordinates where the motion is written in speeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eomc.derivation.bodies import BodySystem
from eomc.derivation.covectors import in_rates
from eomc.derivation.energetics import cyclic_momenta, is_scleronomic
from eomc.derivation.forces import active_seeds, generalized_forces
from eomc.derivation.integrability import without_rates_of_positions
from eomc.derivation.problem import Problem
from eomc.derivation.states import momentum_names, why_velocities_are_no_state
from eomc.ir.equations import Invariant, Quantity
from eomc.ir.graph import Node
from eomc.passes.cost import cost
from eomc.passes.differentiate import gradient, vjp


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
    chosen = _maybe_cyclic(problem, bodies, potential)
    if not chosen:
        return [], []
    motion = bodies.momentum_seeds()
    loads = active_seeds(bodies)
    are_speeds = problem.rates == problem.motion
    if are_speeds:  # the momenta are dT/du, and q' holds no coordinate
        variables = [problem.motion[index] for index in chosen]
        momenta, forces = vjp(graph, motion, variables), generalized_forces(problem, loads, system, variables)
        held, speed_momenta = [], momenta
    else:
        speed_momenta = vjp(graph, motion, problem.motion)
        found = in_rates(problem, [speed_momenta, generalized_forces(problem, loads, system)], problem.checks)
        if found is None:
            return [], []
        held = [(rate, graph.neg(p)) for rate, p in zip(problem.rates, found[0], strict=True)]
        momenta, forces = ([row[index] for index in chosen] for row in found)
    slopes = vjp(graph, [*motion, (potential, graph.neg(graph.one)), *held], [problem.q[index] for index in chosen])
    quantities, kept = cyclic_momenta(problem, slopes, momenta, forces, momentum_names(model), chosen)
    if not quantities or without_rates_of_positions(problem, bodies):
        return [], []
    if are_speeds:
        others = _products(problem, [mass_matrix[index] for index in chosen], momenta)
    else:
        products = in_rates(problem, [_products(problem, mass_matrix, speed_momenta)], problem.checks)
        if products is None:
            return quantities, kept
        others = [products[0][index] for index in chosen]
    pairs = dict(zip(momenta, others, strict=True))
    cheapest = [min(q.node, pairs[q.node], key=lambda node: cost(graph, [node])) for q in quantities]
    return [replace(quantity, node=node) for quantity, node in zip(quantities, cheapest, strict=True)], kept


def _maybe_cyclic(problem: Problem, bodies: BodySystem, potential: Node) -> list[int]:
    """Return the coordinates that L may not depend on: with all bodies at rest nothing but -dV/dq is left of dL/dq."""
    if not is_scleronomic(problem, bodies):
        return list(range(len(problem.q)))
    slopes = gradient(problem.graph, potential, problem.q)
    return [index for index, slope in enumerate(slopes) if problem.is_zero(slope)]


def _products(problem: Problem, rows: Sequence[Sequence[Node]], momenta: Sequence[Node]) -> list[Node]:
    """Return the dT/du that go with some rows of M, each as M u + dT/du at u = 0."""
    graph = problem.graph

    def product(row: Sequence[Node], momentum: Node) -> Node:
        products = [graph.mul(m, u) for m, u in zip(row, problem.motion, strict=True) if m != graph.zero]
        return graph.add(graph.sum(products), problem.still(momentum))

    return list(map(product, rows, momenta))
