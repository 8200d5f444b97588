"""What every method ends with: outputs, extra states and residuals, all written in terms of the state."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from eomc.derivation.constrained import constraint_forces
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.power import Powers
from eomc.derivation.problem import Problem
from eomc.derivation.projection import Corrections
from eomc.ir.equations import EquationsOfMotion, Invariant, Quantity
from eomc.ir.graph import Node
from eomc.ir.method import Method
from eomc.ir.program import Block
from eomc.model.parts import Hamiltonian

__all__ = ["ConstraintResults", "Rewrite", "after", "finish", "rewritten"]

Rewrite: TypeAlias = Callable[[Node], Node]


def after(first: Rewrite, second: Rewrite) -> Rewrite:
    """Return the rewriting by one and then by the other."""
    return lambda node: second(first(node))


@dataclass(frozen=True, slots=True)
class ConstraintResults:
    """What is known of the constraints beside the motion."""

    multipliers: list[Quantity]
    forces: list[Quantity]
    corrections: Corrections
    rows: list[Node]  # J v + b, where the state could fail to meet them

    @classmethod
    def of(
        cls,
        problem: Problem,
        rows: ConstraintRows,
        multipliers: Sequence[Node],
        back: Corrections,
        rewrite: Rewrite | None = None,
    ) -> ConstraintResults:
        """Name the multipliers and the generalized forces that they stand for."""
        forces = constraint_forces(problem.graph, rows, multipliers) if rows else []
        if rewrite is not None:
            forces = [rewrite(force) for force in forces]
        names = [problem.symbol_of(v).name for v in problem.motion]
        return cls(
            [
                Quantity(f"lambda_{key}", node, "", f"multiplier of {name}")
                for key, name, node in zip(rows.keys, rows.names, multipliers, strict=True)
            ],
            [
                Quantity(f"force_{name}", node, "", f"generalized constraint force on {name}")
                for name, node in zip(names, forces, strict=False)
            ],
            back,
            rows.residuals,
        )

    @classmethod
    def of_momenta(cls, rows: ConstraintRows, multipliers: Sequence[Node], back: Corrections) -> ConstraintResults:
        """Name sigma, whose rates are the multipliers of Lagrange's equations."""
        return cls(
            [
                Quantity(f"sigma_{key}", node, "", f"sigma of {name}; its rate is the multiplier")
                for key, name, node in zip(rows.keys, rows.names, multipliers, strict=True)
            ],
            [],
            back,
            [],
        )


def finish(
    problem: Problem,
    method: Method,
    rates: Sequence[Node],
    mass_matrix: Sequence[Sequence[Node]],
    forcing: Sequence[Node],
    labels: Sequence[str],
    accelerations: Sequence[Node],
    energies: Sequence[Quantity],
    invariants: Sequence[Invariant],
    momenta: Sequence[Quantity],
    blocks: Sequence[Block],
    rewrite: Rewrite,
    summary: str,
    constraints: ConstraintResults | None,
    powers: Powers,
) -> EquationsOfMotion:
    """Add outputs, extra states and residuals, and write everything in terms of the state."""
    model = problem.model
    outputs = [
        Quantity(output.name, rewrite(problem.scalars(output.expression)), output.unit, output.description)
        for output in model.outputs
    ]
    extra = [rewrite(problem.scalars(z.rate)) for z in model.extra_states]
    problem.checks.rewrite(rewrite)
    quantities = [*outputs, *energies, *momenta]
    if constraints is not None:
        quantities += [*constraints.multipliers, *constraints.forces]
    problem.refuse_missing_derivatives([*rates, *accelerations, *forcing, *extra, *(q.node for q in quantities)])
    return EquationsOfMotion(
        graph=problem.graph,
        method=method,
        time=problem.time,
        states=problem.states,
        inputs=problem.inputs,
        parameters=problem.parameters,
        rates=tuple(rates),
        mass_matrix=rewritten(mass_matrix, rewrite),
        forcing=tuple(rewrite(entry) for entry in forcing),
        labels=tuple(labels),
        accelerations=tuple(accelerations),
        extra_rates=tuple(extra),
        outputs=tuple(outputs),
        energies=tuple(Quantity(q.name, rewrite(q.node), q.unit, q.description) for q in energies),
        momenta=tuple(Quantity(q.name, rewrite(q.node), q.unit, q.description) for q in momenta),
        powers=tuple(Quantity(q.name, rewrite(q.node), q.unit, q.description) for q in powers.quantities),
        no_power=powers.missing,
        residuals=tuple(_residuals(problem, rewrite)),
        multipliers=tuple(constraints.multipliers) if constraints else (),
        constraint_forces=tuple(constraints.forces) if constraints else (),
        coordinate_correction=tuple(map(rewrite, constraints.corrections.coordinates)) if constraints else (),
        velocity_correction=tuple(map(rewrite, constraints.corrections.velocities)) if constraints else (),
        motion_rows=tuple(map(rewrite, constraints.rows)) if constraints else (),
        projected=problem.options.stabilization == "projection",
        blocks=tuple(blocks),
        checks=problem.checks.all(),
        systems=tuple(problem.checks.systems),
        invariants=tuple(invariants),
        summary=summary,
    )


def _residuals(problem: Problem, rewrite: Rewrite) -> list[Quantity]:
    dynamics = problem.model.dynamics
    if isinstance(dynamics, Hamiltonian):
        return []
    kinds = (("configuration", dynamics.configuration_constraints), ("velocity", dynamics.velocity_constraints))
    return [
        Quantity(
            f"{kind}_{index}",
            rewrite(problem.scalars(expression)),
            "",
            f"{kind} constraint {index + 1}, zero when it holds",
        )
        for kind, expressions in kinds
        for index, expression in enumerate(expressions)
    ]


def rewritten(matrix: Sequence[Sequence[Node]], rewrite: Rewrite) -> tuple[tuple[Node, ...], ...]:
    """Return a matrix with its entries rewritten, equal ones once."""
    known = {entry: rewrite(entry) for entry in dict.fromkeys(itertools.chain.from_iterable(matrix))}
    return tuple(tuple(map(known.__getitem__, row)) for row in matrix)
