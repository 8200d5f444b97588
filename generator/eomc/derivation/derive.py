"""Model -> EquationsOfMotion by the method asked for."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from eomc.derivation.accelerations import growths_of, put_accelerations
from eomc.derivation.bodies import BodySystem
from eomc.derivation.clusters import find_clusters
from eomc.derivation.constrained import ConstrainedMotion, constraint_forces
from eomc.derivation.constraints import ConstraintRows, constraint_rows
from eomc.derivation.energetics import (
    WITHOUT_FORCES,
    bodies_energies,
    cyclic_momenta,
    is_scleronomic,
    lagrangian_energies,
)
from eomc.derivation.forces import (
    active_seeds,
    generalized_forces,
    lagrangian_forces,
    potential_seeds,
    weight_seeds,
)
from eomc.derivation.gibbs_appell import derive_gibbs_appell, gibbs_function
from eomc.derivation.hamilton import (
    CanonicalEquations,
    derive_canonical,
    derive_dependent,
    derive_hamilton,
    derive_with_multipliers,
)
from eomc.derivation.integrability import why_no_energy_gives_forces
from eomc.derivation.kane import derive_kane, refuse_nonlinear_velocities
from eomc.derivation.lagrange import (
    KineticForm,
    kinetic_form,
    lagrange_forcing,
    quadratic_form,
    solve_lagrange,
)
from eomc.derivation.mass_matrix import lower_triangle, mass_matrices
from eomc.derivation.momenta import momenta_in_speeds
from eomc.derivation.options import DEFAULT_OPTIONS, Options
from eomc.derivation.power import Powers, bodies_powers, hamiltonian_powers, lagrangian_powers
from eomc.derivation.problem import Problem
from eomc.derivation.projection import Corrections, corrections
from eomc.derivation.reactions import with_reactions
from eomc.derivation.shortest import shortest_system
from eomc.errors import DerivationError, UnsupportedError
from eomc.ir.equations import EquationsOfMotion, Invariant, Quantity
from eomc.ir.graph import Graph, Node
from eomc.ir.program import Block
from eomc.model.model import Model
from eomc.model.names import name_of
from eomc.model.parts import Hamiltonian, Lagrangian, MechanicalSystem
from eomc.passes.cost import cost
from eomc.passes.differentiate import depends_on, gradient
from eomc.passes.substitute import Substitution
from eomc.solving.ldlt import IndefiniteError

__all__ = ["derive"]

Rewrite = Callable[[Node], Node]


def derive(
    model: Model, method: str, problem: Problem | None = None, options: Options = DEFAULT_OPTIONS
) -> EquationsOfMotion:
    """Derive the equations of motion of a model by an admissible method.

    Parameters
    ----------
    model, method
        What is derived, and how.
    problem
        The model on a graph, written in its speeds, where that is at hand: Kane's method goes on from there.
    options
        How constraints are met and kept.

    Raises
    ------
    DerivationError
        The equations do not exist: singular mass or kinematic matrix, velocities not linear in the speeds.
    LoweringError
        An expression has no meaning in real arithmetic.
    """
    try:
        if model.is_first_order:
            return _of_first_order(Problem(model, options=options) if problem is None else problem)
        if method in ("kane", "gibbs-appell") and isinstance(model.dynamics, MechanicalSystem):
            return _by_speeds(Problem(model, options=options) if problem is None else problem, method)
        if method in ("kane", "lagrange"):
            return _by_lagrange(model, options, method)
        return _by_hamilton(model, options, method == "hamilton-multipliers")
    except IndefiniteError as error:
        raise DerivationError(f"{model.name}: {error}") from error


def _of_first_order(problem: Problem) -> EquationsOfMotion:
    """Return z' = g(z, r, t): there is nothing to derive."""
    nothing: list[Any] = []
    return _finish(
        problem, "kane", nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing,
        lambda node: node, "z' = g(z, r, t), a system of first order", None,
        Powers(missing="a system of first order has no energy"),
    )  # fmt: skip


# -- Kane, Gibbs and Appell ------------------------------------------------------------------------------------------

_MATRIX_AND_FORCES = {
    "kane": (
        "mass matrix: M_rs = sum m v_r.v_s + w_r.I.w_s",
        "generalized active and inertia forces without u': f",
    ),
    "gibbs-appell": (
        "mass matrix: M = d2S/du'2 of the Gibbs function S",
        "f = Q - dS/du' at u' = 0",
    ),
}


def _by_speeds(problem: Problem, method: str) -> EquationsOfMotion:
    model = problem.model
    bodies = BodySystem(problem)
    rows = constraint_rows(problem)
    kane = (derive_kane if method == "kane" else derive_gibbs_appell)(problem, bodies, rows)
    kane, reactions = with_reactions(problem, bodies, rows, kane)
    energies, invariants = bodies_energies(problem, bodies, rows)
    momenta, kept = momenta_in_speeds(problem, bodies, kane.inertia, energies)
    of_matrix, of_forces = _MATRIX_AND_FORCES[method]
    of_matrix += _OF_LOADS if kane.loads_added else ""
    blocks = [
        Block("kinematical differential equations: q' = Y^-1 (u - Z)", _labelled(_rate_names(model), problem.rates)),
        *_dependent_blocks(kane.constraint_matrix, problem.graph),
        Block(of_matrix, _matrix_entries("M", kane.mass_matrix, problem.graph, _is_mirrored(kane))),
        Block(of_forces, _vector_entries("f", kane.forcing)),
        *_reaction_blocks(reactions.quantities),
        _elimination(
            f"M u' = f by {kane.solver}", problem, kane.labels, [kane.accelerations[i] for i in kane.independent]
        ),
    ]  # fmt: skip
    if kane.dependent:
        names = [variable.name for variable in problem.states[len(problem.q) :]]
        blocks.append(
            Block(
                "dependent speeds: u_D' = A u_I' + B'",
                tuple((f"{names[d]}'", kane.accelerations[d]) for d in kane.dependent),
            )
        )
    summary = _kane_summary(kane, rows)
    equations = _finish(
        problem, method, problem.rates, kane.mass_matrix, kane.forcing, kane.labels, kane.accelerations,
        energies, [*invariants, *kept], momenta, blocks,
        _after(put_accelerations(problem, kane.accelerations), reactions.rewrite),
        summary if method == "kane" else f"dS/du' = Q with the Gibbs function S: {summary}",
        _ConstraintResults.of(problem, rows, kane.multipliers, corrections(problem, rows, kane.free_matrix)),
        bodies_powers(problem, bodies, rows, kane.multipliers, energies),
    )  # fmt: skip
    equations = replace(equations, reactions=tuple(reactions.quantities), loads_in_matrix=kane.loads_added)
    return equations if method == "kane" else replace(equations, gibbs=gibbs_function(bodies))


_OF_LOADS = ", less the slopes dF_r/du'_s of the loads"


def _is_mirrored(motion: ConstrainedMotion) -> bool:
    """Whether the lower triangle of the mass matrix tells the whole."""
    matrix = motion.mass_matrix
    return not motion.loads_added or all(row[j] == matrix[j][i] for i, row in enumerate(matrix) for j in range(i))


def _kane_summary(kane: ConstrainedMotion, rows: ConstraintRows) -> str:
    if not rows or kane.dependent:
        return "M(q, t) u' = f(q, u, r, t), q' from the kinematical differential equations"
    return "M u' + J^T lambda = f, J u' = -(J' u + b'), q' from the kinematical differential equations"


@dataclass(frozen=True, slots=True)
class _ConstraintResults:
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
    ) -> _ConstraintResults:
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
    def of_momenta(cls, rows: ConstraintRows, multipliers: Sequence[Node], back: Corrections) -> _ConstraintResults:
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


def _dependent_blocks(constraint_matrix: Sequence[Sequence[Node]], graph: Graph) -> list[Block]:
    if not constraint_matrix:
        return []
    return [Block("dependent speeds: u_D = A u_I + B", _matrix_entries("A", constraint_matrix, graph, symmetric=False))]


def _reaction_blocks(reactions: Sequence[Quantity]) -> list[Block]:
    if not reactions:
        return []
    entries = tuple((quantity.name, quantity.node) for quantity in reactions)
    return [Block("reactions: F_r + F*_r + R_r = 0 along the auxiliary speeds", entries)]


# -- Lagrange and Hamilton -------------------------------------------------------------------------------------------


def _by_lagrange(model: Model, options: Options, method: str) -> EquationsOfMotion:
    """Derive Lagrange's equations, or Kane's from the kinetic energy: with u = q' they differ in what is told apart."""
    problem = Problem(model, velocity_names=_rate_names(model), options=options)
    rows = constraint_rows(problem)
    source = _lagrangian_of(problem, rows)
    labels, of_forces = _coordinate_names(model), "f = Q + dL/dq - d/dt(dL/dq') without q''"
    if method == "kane":
        source = _with_active_forces(problem, source)
        labels = _rate_names(model)
        of_forces = "generalized active forces Q - dV/dq and inertia forces dK/dq - d/dt(dK/dq') without q'': f"
    choices = [(form, lagrange_forcing(problem, form, source.forces)) for form in source.forms]
    form, forcing = min(choices, key=lambda pair: cost(problem.graph, [*lower_triangle(pair[0].mass_matrix), *pair[1]]))
    inertia, forcing = shortest_system(
        problem.graph, form.mass_matrix, forcing, [entry for row in rows.jacobian for entry in row]
    )
    momenta, kept = ([], []) if rows else _cyclic(problem, source, form.momenta)
    motion = solve_lagrange(problem, inertia, forcing, rows)
    matrix, forcing = motion.mass_matrix, motion.forcing
    of_matrix = f"mass matrix: M = d2{'K' if method == 'kane' else 'L'}/dq'2"
    of_matrix += ", less the slopes dQ_r/dq_s'' of the generalized forces" if motion.loads_added else ""
    blocks = [
        Block(of_matrix, _matrix_entries("M", matrix, problem.graph, _is_mirrored(motion))),
        Block(of_forces, _vector_entries("f", forcing)),
        _elimination(f"M q'' = f by {motion.solver}", problem, _rate_names(model), motion.accelerations),
    ]
    if method == "kane":
        summary = _kane_summary(motion, rows)
    elif rows:
        summary = "M q'' + J^T lambda = f, J q'' = -(J' q' + b'), Lagrange's equations of the first kind"
    else:
        summary = "M(q, t) q'' = f(q, q', r, t), Lagrange's equations of the second kind"
    equations = _finish(
        problem, method, problem.rates, matrix, forcing, labels, motion.accelerations,
        source.energies, [*source.invariants, *kept], momenta, blocks, put_accelerations(problem, motion.accelerations),
        summary,
        _ConstraintResults.of(problem, rows, motion.multipliers, corrections(problem, rows, motion.free_matrix)),
        _powers(problem, source, rows, motion.multipliers),
    )  # fmt: skip
    return replace(equations, loads_in_matrix=motion.loads_added)


def _canonical(
    problem: Problem, form: KineticForm, source: _Source, rows: ConstraintRows, with_multipliers: bool
) -> CanonicalEquations:
    if not rows:
        return derive_hamilton(problem, form, source.forces)
    derive_under = derive_with_multipliers if with_multipliers else derive_dependent
    return derive_under(problem, form, source.forces, rows)


def _by_hamilton(model: Model, options: Options, with_multipliers: bool) -> EquationsOfMotion:
    dynamics = model.dynamics
    if isinstance(dynamics, Hamiltonian):
        return _by_given_hamiltonian(model, dynamics)
    problem = Problem(model, velocity_names=_momentum_names(model), momenta=True, options=options)
    graph = problem.graph
    rows = constraint_rows(problem)
    source = _lagrangian_of(problem, rows)
    if rows and not with_multipliers and None in rows.positions:
        raise UnsupportedError(
            f"{model.name}: {rows.names[rows.positions.index(None)]} is no rate of a configuration constraint: "
            "Hamilton's equations with dependent coordinates need constraints on the configuration; use "
            "hamilton-multipliers"
        )
    choices = [(form, _canonical(problem, form, source, rows, with_multipliers)) for form in source.forms]
    form, equations = min(choices, key=lambda pair: cost(graph, [*pair[1].rates, *pair[1].forcing]))
    momenta, kept = ([], []) if rows else _cyclic(problem, source, problem.second_half)
    matrix = _rewritten(form.mass_matrix, equations.velocities)
    blocks = [
        Block("mass matrix: M = d2L/dq'2", _matrix_entries("M", matrix, graph)),
        _elimination(f"q' from p = M q' + b by {equations.solver}", problem, _coordinate_names(model), equations.rates),
        Block("p' = dL/dq + Q = -dH/dq + Q", _labelled([f"{n}'" for n in _momentum_names(model)], equations.forcing)),
    ]
    rewrite = _after(_accelerations_in_momenta(problem, form, source, rows), equations.velocities)
    back = corrections(problem, rows, form.mass_matrix)
    if not rows:
        method, summary = "hamilton", "q' = dH/dp, p' = -dH/dq + Q, with q' solved from p = M q' + b"
        results = None
    elif with_multipliers:
        method, summary = "hamilton-multipliers", "q' = dH/dp, p' = -dH/dq + Q - J^T lambda"
        moved = [
            graph.sum(graph.mul(m, v) for m, v in zip(row, back.velocities[:-1], strict=True))
            for row in form.mass_matrix
        ]
        back = Corrections(back.coordinates, [*moved, back.velocities[-1]])
        results = _ConstraintResults.of(problem, rows, equations.multipliers, back, equations.velocities)
    else:
        method = "hamilton"
        summary = (
            "q' and sigma from p = M q' + b + Phi_q^T sigma and Phi_q q' = -Phi_t, p' = d(L + sigma^T Phi')/dq + Q"
        )
        # sigma grows with time; p = M q' + b is the same motion with sigma = 0: no momenta are off the constraints
        back = Corrections(back.coordinates, [*constraint_forces(graph, rows, equations.multipliers), graph.zero])
        results = _ConstraintResults.of_momenta(rows, equations.multipliers, back)
    return _finish(
        problem, method, equations.rates, matrix, equations.forcing, _coordinate_names(model), equations.forcing,
        source.energies, [*source.invariants, *kept], momenta, blocks, rewrite, summary, results,
        _powers(problem, source, rows, equations.multipliers if with_multipliers or not rows else None),
    )  # fmt: skip


def _accelerations_in_momenta(problem: Problem, form: KineticForm, source: _Source, rows: ConstraintRows) -> Rewrite:
    """Return how to write what holds q'' by Lagrange's M q'' = f, whose M is that of p = M q' + b."""
    written = [output.expression for output in problem.model.outputs] + [z.rate for z in problem.model.extra_states]
    nodes = [problem.scalars(expression) for expression in written]
    if not (problem.mentions_accelerations and depends_on(problem.graph, nodes, growths_of(problem))):
        return lambda node: node
    motion = solve_lagrange(problem, form.mass_matrix, lagrange_forcing(problem, form, source.forces), rows)
    return put_accelerations(problem, motion.accelerations)


def _after(first: Rewrite, second: Rewrite) -> Rewrite:
    return lambda node: second(first(node))


@dataclass(frozen=True, slots=True)
class _Source:
    """A Lagrangian ready for derivation."""

    forms: list[KineticForm]  # of L, or of T for bodies: equal functions written differently
    full: Node  # L with all potentials
    forces: list[Node]  # generalized forces beside the forms
    applied: list[Node]  # generalized forces beside the full L
    energies: list[Quantity]
    invariants: list[Invariant]
    bodies: BodySystem | None  # None for a Lagrangian alone


def _powers(problem: Problem, source: _Source, rows: ConstraintRows, multipliers: Sequence[Node] | None) -> Powers:
    if source.bodies is not None:
        return bodies_powers(problem, source.bodies, rows, multipliers, source.energies, by_energy=True)
    return lagrangian_powers(problem, source.full, rows, multipliers)


def _lagrangian_of(problem: Problem, rows: ConstraintRows) -> _Source:
    dynamics = problem.model.dynamics
    graph = problem.graph
    if isinstance(dynamics, Lagrangian):
        lagrangian = problem.scalars(dynamics.expression)
        forces = lagrangian_forces(problem, dynamics)
        energies, invariants = lagrangian_energies(problem, lagrangian, forces, rows)
        return _Source([kinetic_form(problem, lagrangian)], lagrangian, forces, forces, energies, invariants, None)
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
        cheapest = min(matrices, key=lambda matrix: cost(graph, lower_triangle(matrix)))
        forms.append(quadratic_form(problem, cheapest))
    kinetic = energies[0].node
    full = graph.sub(kinetic, potentials[0]) if potentials else kinetic
    return _Source(forms, full, forces, applied, energies, invariants, bodies)


def _with_active_forces(problem: Problem, source: _Source) -> _Source:
    """Return K = L - L(q' = 0), what q' brings into L, with the forces Q - dV/dq beside it.

    Kane's generalized inertia forces are dK/dq - d/dt(dK/dq') (Kane & Levinson, *Dynamics* (1985), section 5.6).
    """
    graph = problem.graph
    at_rest = Substitution(graph, dict.fromkeys(problem.motion, graph.zero))(source.full)
    kinetic = kinetic_form(problem, graph.sub(source.full, at_rest))
    slopes = gradient(graph, [(at_rest, graph.one)], problem.q)
    forces = [graph.add(force, slope) for force, slope in zip(source.forces, slopes, strict=True)]
    return replace(source, forms=[kinetic], forces=forces)


def _cyclic(problem: Problem, source: _Source, momenta: Sequence[Node]) -> tuple[list[Quantity], list[Invariant]]:
    slopes = gradient(problem.graph, [(source.full, problem.graph.one)], problem.q)
    return cyclic_momenta(problem, slopes, momenta, source.applied, _momentum_names(problem.model))


def _by_given_hamiltonian(model: Model, dynamics: Hamiltonian) -> EquationsOfMotion:
    problem = Problem(model)
    graph = problem.graph
    hamiltonian = problem.scalars(dynamics.expression)
    equations, forces = derive_canonical(problem, hamiltonian, dynamics.generalized_forces)
    signals = [graph.symbol(variable.symbol) for variable in problem.inputs]
    conservative = all(graph.is_zero(force) for force in forces)
    constant = conservative and not depends_on(graph, [hamiltonian], [problem.t, *signals, *problem.extra])
    left_out = "" if conservative else WITHOUT_FORCES
    energies = [Quantity("hamiltonian", hamiltonian, "J", f"H as given{left_out}")]
    invariants = [Invariant("hamiltonian", "")] if constant else []
    names = [name_of(p) for p in model.speeds]
    slopes = gradient(graph, [(hamiltonian, graph.one)], problem.q)
    momenta, kept = cyclic_momenta(problem, slopes, problem.second_half, forces, names)
    blocks = [
        Block("q' = dH/dp", _labelled(_rate_names(model), equations.rates)),
        Block("p' = -dH/dq + Q", _labelled([f"{name}'" for name in names], equations.forcing)),
    ]
    return _finish(
        problem, "hamilton", equations.rates, [], equations.forcing, _coordinate_names(model), equations.forcing,
        energies, [*invariants, *kept], momenta, blocks, put_accelerations(problem, equations.forcing),
        "q' = dH/dp, p' = -dH/dq + Q",
        None, hamiltonian_powers(problem, hamiltonian, forces, equations.rates),
    )  # fmt: skip


# -- the rest --------------------------------------------------------------------------------------------------------


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
    constraints: _ConstraintResults | None,
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
        mass_matrix=_rewritten(mass_matrix, rewrite),
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


def _coordinate_names(model: Model) -> list[str]:
    return [name_of(q) for q in model.coordinates]


def _rate_names(model: Model) -> list[str]:
    return [f"{name}_d" for name in _coordinate_names(model)]


def _momentum_names(model: Model) -> list[str]:
    return [f"p_{name}" for name in _coordinate_names(model)]


def _labelled(names: Sequence[str], nodes: Sequence[Node]) -> tuple[tuple[str, Node], ...]:
    return tuple(zip(names, nodes, strict=True))


def _elimination(title: str, problem: Problem, names: Sequence[str], solution: Sequence[Node]) -> Block:
    """Return the block of a linear solve: its steps in the order of elimination, then the named solution."""
    steps = [("", node) for node in problem.checks.elimination]
    return Block(title, (*steps, *_labelled([f"{name}'" for name in names], solution)))


def _matrix_entries(
    letter: str, matrix: Sequence[Sequence[Node]], graph: Graph, symmetric: bool = True
) -> tuple[tuple[str, Node], ...]:
    """Return the entries, of a symmetric matrix those of its lower triangle but for zeros."""
    zero = graph.zero
    filled = [
        (i, [(j, entry) for j, entry in enumerate(row[: i + 1]) if entry != zero] if symmetric else enumerate(row))
        for i, row in enumerate(matrix)
    ]
    return tuple((f"{letter}[{i}][{j}]", entry) for i, row in filled for j, entry in row)


def _rewritten(matrix: Sequence[Sequence[Node]], rewrite: Rewrite) -> tuple[tuple[Node, ...], ...]:
    """Return a matrix with its entries rewritten, equal ones once."""
    known = {entry: rewrite(entry) for entry in dict.fromkeys(itertools.chain.from_iterable(matrix))}
    return tuple(tuple(map(known.__getitem__, row)) for row in matrix)


def _vector_entries(letter: str, vector: Sequence[Node]) -> tuple[tuple[str, Node], ...]:
    return tuple((f"{letter}[{i}]", entry) for i, entry in enumerate(vector))
