"""What every method ends with: outputs, extra states and residuals, all written in terms of the state."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TypeAlias

from eomc.derivation.constrained import ConstrainedMotion, constraint_forces
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.poses import poses_of
from eomc.derivation.power import Powers
from eomc.derivation.problem import Problem
from eomc.derivation.projection import Corrections
from eomc.derivation.states import rate_names
from eomc.errors import UnsupportedError
from eomc.ir.equations import (
    Constraints,
    Energetics,
    EquationsOfMotion,
    Invariant,
    Matrix,
    Motion,
    MotionMatrices,
    OnRequest,
    Quantity,
    Tree,
)
from eomc.ir.graph import Node
from eomc.ir.method import Method
from eomc.ir.program import Block, Variable

Rewrite: TypeAlias = Callable[[Node], Node]


def after(first: Rewrite, second: Rewrite) -> Rewrite:
    """Return the rewriting by one and then by the other."""
    return lambda node: second(first(node))


def motion_of(rates: Sequence[Node], motion: ConstrainedMotion, order: tuple[int, ...] = ()) -> Motion:
    """Return the part of the equations that tells the motion."""
    return Motion(
        rates=tuple(rates),
        matrices=MotionMatrices(tuple(map(tuple, motion.mass_matrix)), tuple(motion.forcing)),
        labels=tuple(motion.labels),
        accelerations=tuple(motion.accelerations),
        constraint_matrix=tuple(map(tuple, motion.constraint_matrix)),
        loads_in_matrix=motion.loads_added,
        order=order,
        rules=motion.rules,
        recursion=motion.recursion,
        arrangement=motion.arrangement,
        tree=motion.tree or Tree(),
    )


def constraints_of(
    problem: Problem,
    rows: ConstraintRows,
    multipliers: Sequence[Node],
    back: Corrections,
    rewrite: Rewrite = lambda node: node,
) -> Constraints:
    """Return the multipliers with names, the generalized forces that they stand for, and the way back."""
    forces = map(rewrite, constraint_forces(problem.graph, rows, multipliers) if rows else [])
    return Constraints(
        multipliers=tuple(
            Quantity(f"lambda_{key}", node, "", f"multiplier of {name}")
            for key, name, node in zip(rows.keys, rows.names, multipliers, strict=True)
        ),
        forces=tuple(
            Quantity(f"force_{name}", node, "", f"generalized constraint force on {name}")
            for name, node in zip(problem.motion_names, forces, strict=False)
        ),
        motion_rows=tuple(rows.residuals),  # the state could fail to meet them
        coordinate_correction=tuple(back.coordinates),
        way_back=back.way,
        velocity_correction=tuple(back.velocities),
    )


def constraints_of_momenta(rows: ConstraintRows, multipliers: Sequence[Node], back: Corrections) -> Constraints:
    """Return sigma with names, whose rates are the multipliers of Lagrange's equations, and the way back."""
    return Constraints(
        multipliers=tuple(
            Quantity(f"sigma_{key}", node, "", f"sigma of {name}; its rate is the multiplier")
            for key, name, node in zip(rows.keys, rows.names, multipliers, strict=True)
        ),
        impulses=True,
        coordinate_correction=tuple(back.coordinates),
        way_back=back.way,
        velocity_correction=tuple(back.velocities),
    )


def energetics_of(
    energies: Sequence[Quantity], momenta: Sequence[Quantity], invariants: Sequence[Invariant], powers: Powers
) -> Energetics:
    """Return the part of the equations that tells energies."""
    return Energetics(tuple(energies), tuple(momenta), tuple(invariants), tuple(powers.quantities), powers.missing)


def finish(
    problem: Problem,
    method: Method,
    summary: str,
    motion: Motion,
    constraints: Constraints,
    energetics: Energetics,
    blocks: Sequence[Block],
    rewrite: Rewrite,
) -> EquationsOfMotion:
    """Add outputs, extra states and residuals, and write everything in terms of the state."""
    outputs = [
        Quantity(output.name, rewrite(problem.scalars(output.expression)), output.unit, output.description)
        for output in problem.model.outputs
    ]
    extra = [rewrite(problem.scalars(z.rate)) for z in problem.model.extra_states]
    problem.checks.rewrite(rewrite)
    quantities = [*outputs, *energetics.energies, *energetics.momenta, *constraints.multipliers, *constraints.forces]
    matrices = motion.matrices(problem.graph)
    roots = [*motion.rates, *motion.accelerations, *matrices.forcing, *extra, *(q.node for q in quantities)]
    refuse_missing_derivatives(problem, roots)
    motion = replace(
        motion,
        matrices=MotionMatrices(
            rewritten(matrices.mass_matrix, rewrite), tuple(map(rewrite, matrices.forcing)), matrices.blocks
        ),
        extra_rates=tuple(extra),
    )
    energetics = replace(
        energetics,
        energies=_rewritten_all(energetics.energies, rewrite),
        momenta=_rewritten_all(energetics.momenta, rewrite),
        powers=_rewritten_all(energetics.powers, rewrite),
    )
    constraints = replace(
        constraints,
        configuration=_residuals(problem, "configuration", rewrite),
        velocity=_residuals(problem, "velocity", rewrite),
        coordinate_correction=tuple(map(rewrite, constraints.coordinate_correction)),
        velocity_correction=tuple(map(rewrite, constraints.velocity_correction)),
        motion_rows=tuple(map(rewrite, constraints.motion_rows)),
        projected=problem.options.stabilization == "projection",
    )
    return EquationsOfMotion(
        graph=problem.graph,
        method=method,
        summary=summary,
        time=problem.symbols.time,
        states=_told_rates(problem, motion.rates),
        inputs=problem.symbols.inputs,
        parameters=problem.symbols.parameters,
        motion=motion,
        constraints=constraints,
        energetics=energetics,
        outputs=tuple(outputs),
        blocks=tuple(blocks),
        checks=problem.checks.all(),
        systems=tuple(problem.checks.systems),
        on_request=OnRequest(poses=cache(partial(poses_of, problem))),
    )


def _told_rates(problem: Problem, rates: Sequence[Node]) -> tuple[Variable, ...]:
    """Return the states; those that are a q' and have its name say so."""
    symbols = problem.symbols
    leaves = (*symbols.q, *symbols.second_half, *symbols.extra)
    coordinates = dict(zip(zip(rates, rate_names(problem.model), strict=True), symbols.states, strict=False))
    pairs = [(state, coordinates.get((leaf, state.name))) for leaf, state in zip(leaves, symbols.states, strict=True)]
    return tuple(state if q is None else replace(state, rate_of=q.name) for state, q in pairs)


def refuse_missing_derivatives(problem: Problem, roots: Sequence[Node]) -> None:
    """Refuse what holds derivatives of inputs that are no inputs."""
    needed = problem.outside_rates.needed(problem.graph, roots)
    if needed:
        raise UnsupportedError(
            f"{problem.model.name}: the motion needs time derivatives of inputs: list {', '.join(needed)} among the "
            "inputs too"
        )


def _rewritten_all(given: Sequence[Quantity], rewrite: Rewrite) -> tuple[Quantity, ...]:
    return tuple(replace(quantity, node=rewrite(quantity.node)) for quantity in given)


def _residuals(problem: Problem, kind: str, rewrite: Rewrite) -> tuple[Quantity, ...]:
    """Return what is zero where the constraints of one kind hold; a Hamiltonian has none."""
    return tuple(
        Quantity(
            f"{kind}_{index}",
            rewrite(problem.scalars(expression)),
            "",
            f"{kind} constraint {index + 1}, zero when it holds",
        )
        for index, expression in enumerate(getattr(problem.model.dynamics, f"{kind}_constraints", ()))
    )


def rewritten(matrix: Sequence[Sequence[Node]], rewrite: Rewrite) -> Matrix:
    """Return a matrix with its entries rewritten, equal ones once."""
    known = {entry: rewrite(entry) for entry in dict.fromkeys(itertools.chain.from_iterable(matrix))}
    return tuple(tuple(map(known.__getitem__, row)) for row in matrix)
