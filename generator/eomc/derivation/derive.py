"""Model -> EquationsOfMotion by the method asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eomc.derivation.bodies import BodySystem
from eomc.derivation.energetics import bodies_energies, cyclic_momenta, lagrangian_energies
from eomc.derivation.equations import EquationsOfMotion, Invariant, Quantity
from eomc.derivation.forces import active_seeds, generalized_forces, potential_seeds, weight_seeds
from eomc.derivation.hamilton import CanonicalEquations, derive_canonical, derive_hamilton
from eomc.derivation.kane import derive_kane
from eomc.derivation.lagrange import derive_lagrange
from eomc.derivation.problem import Problem
from eomc.ir.graph import Node
from eomc.ir.program import Block
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian, Lagrangian, MechanicalSystem
from eomc.passes.differentiate import depends_on
from eomc.solving.ldlt import solve_positive_definite

__all__ = ["derive"]

Rewrite = Callable[[Node], Node]


def derive(model: Model, method: str) -> EquationsOfMotion:
    """Derive the equations of motion of a model by an admissible method.

    Raises
    ------
    DerivationError
        The equations do not exist: singular mass or kinematic matrix, velocities not linear in the speeds.
    LoweringError
        An expression has no meaning in real arithmetic.
    """
    if method == "kane":
        return _by_kane(model)
    if method == "lagrange":
        return _by_lagrange(model)
    return _by_hamilton(model)


# -- Kane -----------------------------------------------------------------------------------------------------------------


def _by_kane(model: Model) -> EquationsOfMotion:
    problem = Problem(model)
    bodies = BodySystem(problem)
    kane = derive_kane(problem, bodies)
    energies, invariants = bodies_energies(problem, bodies)
    blocks = [
        Block("kinematical differential equations: q' = Y^-1 (u - Z)", _labelled(_rate_names(model), problem.rates)),
        *_dependent_blocks(kane.constraint_matrix),
        Block("mass matrix: M_rs = sum m v_r.v_s + w_r.I.w_s", _matrix_entries("M", kane.mass_matrix)),
        Block("generalized active and inertia forces without u': f", _vector_entries("f", kane.forcing)),
        Block("M u' = f by L D L^T", _labelled([f"{name}'" for name in kane.labels], [kane.accelerations[i] for i in kane.independent])),
    ]  # fmt: skip
    if kane.dependent:
        names = [variable.name for variable in problem.states[len(problem.q) :]]
        blocks.append(
            Block(
                "dependent speeds: u_D' = A u_I' + B'",
                tuple((f"{names[d]}'", kane.accelerations[d]) for d in kane.dependent),
            )
        )
    return _finish(
        problem, "kane", problem.rates, kane.mass_matrix, kane.forcing, kane.labels, kane.accelerations,
        energies, invariants, [], blocks, lambda node: node,
        "M(q, t) u' = f(q, u, r, t), q' from the kinematical differential equations",
    )  # fmt: skip


def _dependent_blocks(constraint_matrix: Sequence[Sequence[Node]]) -> list[Block]:
    if not constraint_matrix:
        return []
    return [Block("dependent speeds: u_D = A u_I + B", _matrix_entries("A", constraint_matrix, symmetric=False))]


# -- Lagrange and Hamilton --------------------------------------------------------------------------------------------------


def _by_lagrange(model: Model) -> EquationsOfMotion:
    names = _rate_names(model)
    problem = Problem(model, velocity_names=names)
    lagrangian, full, forces, applied, energies, invariants = _lagrangian_of(problem)
    equations = derive_lagrange(problem, lagrangian, forces)
    momenta, kept = cyclic_momenta(problem, full, equations.momenta, applied, _momentum_names(model))
    accelerations = solve_positive_definite(
        problem.graph, equations.mass_matrix, equations.forcing, _coordinate_names(model), problem.checks
    )
    blocks = [
        Block("mass matrix: M = d2L/dq'2", _matrix_entries("M", equations.mass_matrix)),
        Block("f = Q + dL/dq - d/dt(dL/dq') without q''", _vector_entries("f", equations.forcing)),
        Block("M q'' = f by L D L^T", _labelled([f"{n}'" for n in names], accelerations)),
    ]
    return _finish(
        problem, "lagrange", problem.rates, equations.mass_matrix, equations.forcing, _coordinate_names(model), accelerations,
        energies, [*invariants, *kept], momenta, blocks, lambda node: node,
        "M(q, t) q'' = f(q, q', r, t), Lagrange's equations of the second kind",
    )  # fmt: skip


def _by_hamilton(model: Model) -> EquationsOfMotion:
    dynamics = model.dynamics
    if isinstance(dynamics, Hamiltonian):
        return _by_given_hamiltonian(model, dynamics)
    problem = Problem(model, velocity_names=_momentum_names(model), momenta=True)
    lagrangian, full, forces, applied, energies, invariants = _lagrangian_of(problem)
    equations = derive_hamilton(problem, lagrangian, forces)
    momenta, kept = cyclic_momenta(problem, full, equations.momenta, applied, _momentum_names(model))
    blocks = [
        Block("mass matrix: M = d2L/dq'2", _matrix_entries("M", [[equations.velocities(x) for x in row] for row in equations.mass_matrix])),
        Block("q' from p = M q' + b by L D L^T", _labelled(_rate_names(model), equations.rates)),
        Block("p' = dL/dq + Q = -dH/dq + Q", _labelled([f"{n}'" for n in _momentum_names(model)], equations.forcing)),
    ]  # fmt: skip
    return _finish(
        problem, "hamilton", equations.rates, equations.mass_matrix, equations.forcing, _coordinate_names(model),
        equations.forcing, energies, [*invariants, *kept], momenta, blocks, equations.velocities,
        "q' = dH/dp, p' = -dH/dq + Q, with q' solved from p = M q' + b",
    )  # fmt: skip


def _by_given_hamiltonian(model: Model, dynamics: Hamiltonian) -> EquationsOfMotion:
    problem = Problem(model)
    graph = problem.graph
    hamiltonian = problem.scalars(dynamics.expression)
    forces = [problem.scalars(force) for force in dynamics.generalized_forces]
    equations: CanonicalEquations = derive_canonical(problem, hamiltonian, forces)
    signals = [graph.symbol(variable.symbol) for variable in problem.inputs]
    conservative = all(graph.is_zero(force) for force in forces)
    constant = conservative and not depends_on(graph, [hamiltonian], [problem.t, *signals])
    energies = [Quantity("hamiltonian", hamiltonian, "J", "H as given")]
    invariants = [Invariant("hamiltonian", "")] if constant else []
    names = [name_of(p) for p in model.speeds]
    momenta, kept = cyclic_momenta(problem, hamiltonian, problem.second_half, forces, names)
    blocks = [
        Block("q' = dH/dp", _labelled(_rate_names(model), equations.rates)),
        Block("p' = -dH/dq + Q", _labelled([f"{name}'" for name in names], equations.forcing)),
    ]
    for coordinate, rate in zip(model.coordinates, equations.rates, strict=True):
        problem.scalars.define(coordinate.diff(model.time), rate)
    return _finish(
        problem, "hamilton", equations.rates, [], equations.forcing, _coordinate_names(model), equations.forcing,
        energies, [*invariants, *kept], momenta, blocks, lambda node: node, "q' = dH/dp, p' = -dH/dq + Q",
    )  # fmt: skip


def _lagrangian_of(
    problem: Problem,
) -> tuple[Node, Node, list[Node], list[Node], list[Quantity], list[Invariant]]:
    """Return L of a Lagrangian or T of bodies; L with all potentials; the generalized forces that go with the former and with
    the latter; energies; invariants."""
    dynamics = problem.model.dynamics
    graph = problem.graph
    if isinstance(dynamics, Lagrangian):
        lagrangian = problem.scalars(dynamics.expression)
        forces = [problem.scalars(force) for force in dynamics.generalized_forces]
        energies, invariants = lagrangian_energies(problem, lagrangian, forces)
        return lagrangian, lagrangian, forces, forces, energies, invariants
    assert isinstance(dynamics, MechanicalSystem)
    bodies = BodySystem(problem)
    kinetic = bodies.kinetic_energy()
    weights = weight_seeds(bodies)
    applied = active_seeds(bodies)
    forces = generalized_forces(problem, [*weights, *potential_seeds(problem, dynamics), *applied], dynamics)
    remaining = generalized_forces(problem, applied, dynamics)
    energies, invariants = bodies_energies(problem, bodies)
    potentials = [quantity.node for quantity in energies if quantity.name == "potential"]
    full = graph.sub(kinetic, potentials[0]) if potentials else kinetic
    return kinetic, full, forces, remaining, energies, invariants


# -- the rest ---------------------------------------------------------------------------------------------------------------


def _finish(
    problem: Problem,
    method: str,
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
) -> EquationsOfMotion:
    """Add outputs, extra states and residuals, and write everything in terms of the state."""
    model = problem.model
    outputs = [
        Quantity(output.name, rewrite(problem.scalars(output.expression)), output.unit, output.description)
        for output in model.outputs
    ]
    extra = [rewrite(problem.scalars(z.rate)) for z in model.extra_states]
    roots = [*rates, *accelerations, *forcing, *extra, *(q.node for q in outputs)]
    problem.refuse_missing_derivatives(roots)
    return EquationsOfMotion(
        graph=problem.graph,
        method=method,
        time=problem.time,
        states=problem.states,
        inputs=problem.inputs,
        parameters=problem.parameters,
        rates=tuple(rates),
        mass_matrix=tuple(tuple(rewrite(entry) for entry in row) for row in mass_matrix),
        forcing=tuple(rewrite(entry) for entry in forcing),
        labels=tuple(labels),
        accelerations=tuple(accelerations),
        extra_rates=tuple(extra),
        outputs=tuple(outputs),
        energies=tuple(Quantity(q.name, rewrite(q.node), q.unit, q.description) for q in energies),
        momenta=tuple(Quantity(q.name, rewrite(q.node), q.unit, q.description) for q in momenta),
        residuals=tuple(_residuals(problem)),
        blocks=tuple(blocks),
        checks=problem.checks.all(),
        invariants=tuple(invariants),
        summary=summary,
    )


def _residuals(problem: Problem) -> list[Quantity]:
    dynamics = problem.model.dynamics
    if not isinstance(dynamics, MechanicalSystem):
        return []
    kinds = (("configuration", dynamics.configuration_constraints), ("velocity", dynamics.velocity_constraints))
    return [
        Quantity(f"{kind}_{index}", problem.scalars(expression), "", f"{kind} constraint {index}, zero when it holds")
        for kind, expressions in kinds
        for index, expression in enumerate(expressions)
    ]


def _coordinate_names(model: Model) -> list[str]:
    return [name_of(q) for q in model.coordinates]


def _rate_names(model: Model) -> list[str]:
    return [f"{name}_d" for name in _coordinate_names(model)]


def _momentum_names(model: Model) -> list[str]:
    return [f"p_{name}" for name in _coordinate_names(model)]


def _labelled(names: Sequence[str], nodes: Sequence[Node]) -> tuple[tuple[str, Node], ...]:
    return tuple(zip(names, nodes, strict=True))


def _matrix_entries(
    letter: str, matrix: Sequence[Sequence[Node]], symmetric: bool = True
) -> tuple[tuple[str, Node], ...]:
    return tuple(
        (f"{letter}[{i}][{j}]", entry)
        for i, row in enumerate(matrix)
        for j, entry in enumerate(row)
        if j <= i or not symmetric
    )


def _vector_entries(letter: str, vector: Sequence[Node]) -> tuple[tuple[str, Node], ...]:
    return tuple((f"{letter}[{i}]", entry) for i, entry in enumerate(vector))
