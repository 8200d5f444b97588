"""Kane's equations of a tree of joints, each part by a recursion over its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from eomc.derivation.accelerations import put_accelerations
from eomc.derivation.added_inertia import EquationMatrix, equation_matrix, solve_equations
from eomc.derivation.balance import Forces, balance_with
from eomc.derivation.blocks import elimination, labelled, matrix_entries, vector_entries
from eomc.derivation.constrained import ConstrainedMotion, prescribed_rates, solve_motion, solved_motion
from eomc.derivation.constraints import ConstraintRows, constraint_rows
from eomc.derivation.energetics import when_zero
from eomc.derivation.events import Inertia, with_events
from eomc.derivation.finish import constraints_of, energetics_of, finish, motion_of
from eomc.derivation.power import CONSTRAINTS, LOADS, Part, Powers, constraint_power, summed
from eomc.derivation.problem import Problem
from eomc.derivation.projection import corrections
from eomc.derivation.speeds import no_inertia
from eomc.derivation.states import rate_names
from eomc.derivation.trees.choice import Algorithm, algorithm_asked, recursion_of
from eomc.derivation.trees.constrained_rule import ConstrainedSolution, rule_under_constraints
from eomc.derivation.trees.energies import kinetic_energy, potential_energy
from eomc.derivation.trees.forward import TreeDynamics
from eomc.derivation.trees.loads import TreeLoads
from eomc.derivation.trees.placed import PlacedTree
from eomc.derivation.trees.rule import rule_of_accelerations
from eomc.ir.equations import (
    Balance,
    DerivativeRule,
    EquationsOfMotion,
    Invariant,
    MotionMatrices,
    Quantity,
    Recursion,
    Tree,
)
from eomc.ir.graph import Graph, Node, Rows
from eomc.ir.method import Method
from eomc.ir.program import Block, LinkInertia
from eomc.model.events import Impact
from eomc.model.trees.inertial_parameters import varying_parameters
from eomc.passes.differentiate import depends_on


@dataclass(frozen=True, slots=True)
class _Posed:
    """A tree with its loads, on the graph of a problem."""

    problem: Problem
    placed: PlacedTree
    loads: TreeLoads
    dynamics: TreeDynamics
    rows: ConstraintRows


def derive_tree(method: Method, problem: Problem) -> EquationsOfMotion:
    """Derive the equations of a tree of joints."""
    placed = problem.kinematics.placed
    assert placed is not None
    loads = TreeLoads(placed, problem.scalars)
    dynamics = TreeDynamics(problem.graph, placed.rows, placed.moving, placed.gravity, loads.wrenches)
    posed = _Posed(problem, placed, loads, dynamics, constraint_rows(problem))
    rows, solved = posed.rows, _solved(posed)
    motion = solved.motion
    energies, invariants = _energies(posed)
    independent = [motion.accelerations[i] for i in motion.independent]
    blocks = [
        Block(
            "kinematical differential equations: q' of each joint", labelled(rate_names(problem.model), problem.rates)
        ),
        *(_matrix_blocks(problem.graph, motion.mass_matrix, motion.forcing) if motion.mass_matrix else ()),
        elimination(f"M u' = f by {motion.solver}", motion.steps, motion.labels, independent),
    ]
    constraints = constraints_of(problem, rows, motion.multipliers, corrections(problem, rows, motion.free_matrix))
    powers = _powers(posed, motion.multipliers)
    rewrite = put_accelerations(problem, motion.accelerations)
    equations = finish(
        problem,
        method,
        _summary(rows),
        motion_of(problem.rates, motion, problem.kinematics.order),
        constraints,
        energetics_of(energies, [], invariants, powers),
        blocks,
        rewrite,
    )
    tree = Tree(placed.siblings(loads.beside), posed.dynamics.rows.longest(), _links(posed))
    known = replace(equations.motion, rules=solved.rules, recursion=solved.recursion, tree=tree)
    if not motion.mass_matrix:
        known = replace(known, matrices=_Matrices(posed.dynamics, posed.loads.beside))
    equations = replace(equations, motion=known).balanced(partial(_balance, posed))
    hit = _need_inertia(posed) and not rows and not _follow_accelerations(posed)
    sizes = dynamics.sizes_of_speeds() if hit else None
    return with_events(equations, problem, Inertia(motion.free_matrix, rows, sizes=sizes), rewrite)


def _links(posed: _Posed) -> tuple[LinkInertia, ...]:
    """Return the inertial parameters of links as they are given, where they hold parameters."""
    given, scalars = varying_parameters(posed.placed.tree.links), posed.problem.scalars
    return tuple(LinkInertia(one.link, one.moments, tuple(map(scalars, one.entries))) for one in given)


def _summary(rows: ConstraintRows) -> str:
    if not rows:
        return "M(q) u' = f(q, u, r, t) by recursion over the joints, q' of each joint"
    return "M u' + J^T lambda = f, J u' = -(J' u + b'), M and f by recursion over the joints, q' of each joint"


@dataclass(frozen=True, slots=True)
class _Solved:
    """u', rules for its derivatives, and the recursion that it comes from."""

    motion: ConstrainedMotion
    recursion: Recursion
    rules: tuple[DerivativeRule, ...] = ()


def _solved(posed: _Posed) -> _Solved:
    """Return u' by the recursion that costs least, or as the user, constraints or loads ask."""
    problem, dynamics, beside = posed.problem, posed.dynamics, posed.loads.beside
    names, option = problem.motion_names, problem.options.algorithm
    forced = _needs_matrix(posed)
    asked = algorithm_asked(problem.model.name, option, forced)
    if posed.rows or _follow_accelerations(posed):
        recursion = recursion_of(Algorithm.COMPOSITE, {}, forced=forced)
        equations = equation_matrix(problem, dynamics.mass_matrix(), dynamics.forcing(beside))
        if posed.rows:
            motion = solve_motion(problem, equations, posed.rows, (), no_inertia)
            return _Solved(motion, recursion, () if equations.has_loads else (_constrained_rule(posed, motion),))
        found, solver = solve_equations(
            problem, equations.entries, equations.forcing, names, equations.is_definite, no_inertia
        )
        return _Solved(solved_motion(problem.graph, equations, names, found.column, solver, found.steps), recursion)
    forward = dynamics.forward(beside, problem.checks, asked)
    recursion = recursion_of(
        forward.algorithm, forward.costs, rows=dynamics.rows, asked=option != "auto", forced=forced
    )
    accelerations = posed.placed.moving.to_speeds(forward.accelerations)
    rule = rule_of_accelerations(dynamics, beside, forward)
    inertia, forcing = [], []  # articulated bodies do without
    if forward.algorithm is Algorithm.COMPOSITE or _need_inertia(posed):
        inertia, forcing = dynamics.mass_matrix(), dynamics.forcing(beside)
    equations = EquationMatrix(inertia, forcing, inertia, True, True)
    motion = solved_motion(problem.graph, equations, names, accelerations, forward.algorithm.title)
    return _Solved(motion, recursion, (rule,))


def _constrained_rule(posed: _Posed, motion: ConstrainedMotion) -> DerivativeRule:
    wanted = prescribed_rates(posed.problem, posed.rows)
    solution = ConstrainedSolution(motion.accelerations, motion.multipliers, posed.rows.jacobian, wanted)
    return rule_under_constraints(posed.dynamics, posed.loads.beside, solution)


def _needs_matrix(posed: _Posed) -> str:
    """Return what cannot do without M, "" where nothing is."""
    if posed.rows:
        return "constraints act beside the joints"
    if _follow_accelerations(posed):
        return "loads follow accelerations"
    followers = posed.placed.moving.following
    return f"joint {posed.dynamics.rows.rows[followers[0].row].name!r} follows another" if followers else ""


def _follow_accelerations(posed: _Posed) -> bool:
    """Whether loads depend on u'."""
    problem, loads = posed.problem, posed.loads
    if not problem.has_u_dots:
        return False
    wrenches = [entry for wrench in loads.wrenches.values() for entry in (*wrench.force, *wrench.moment)]
    return bool(depends_on(problem.graph, [*loads.beside, *wrenches], problem.u_dots))


def _need_inertia(posed: _Posed) -> bool:
    """Whether impulses move the tree, or a step leads it back to where loops are closed."""
    events = posed.problem.model.events
    return bool(posed.rows.closing) or any(isinstance(event.what, Impact) for event in events)


def _matrix_blocks(graph: Graph, matrix: Rows, forcing: Sequence[Node]) -> tuple[Block, ...]:
    return (
        Block("mass matrix: M by composite bodies", matrix_entries("M", matrix, graph)),
        Block("loads less inertia forces without u', by Newton-Euler recursion: f", vector_entries("f", forcing)),
    )


@dataclass(frozen=True, slots=True)
class _Matrices:
    """M and f of a tree whose accelerations are found without them, made where a function needs them."""

    dynamics: TreeDynamics
    forces: Sequence[Node]

    def __call__(self, graph: Graph) -> MotionMatrices:
        """Return them on the graph of the tree or a copy."""
        dynamics = self.dynamics.on(graph)
        matrix, forcing = dynamics.mass_matrix(), dynamics.forcing(self.forces)
        return MotionMatrices(tuple(map(tuple, matrix)), tuple(forcing), _matrix_blocks(graph, matrix, forcing))


# -- energies --------------------------------------------------------------------------------------------------------


def _energies(posed: _Posed) -> tuple[list[Quantity], list[Invariant]]:
    """Return T, V, T + V and the Jacobi integral, and which of them the motion keeps."""
    problem, graph, loads = posed.problem, posed.problem.graph, posed.loads
    kinetic, potential = kinetic_energy(posed.placed), potential_energy(posed.placed)
    total = graph.add(kinetic, potential)
    without = "; the loads are not in it" if posed.placed.tree.loads else ""
    quantities = [
        Quantity("kinetic", kinetic, "J", "kinetic energy T"),
        Quantity("potential", potential, "J", f"potential energy V{without}"),
        Quantity("total", total, "J", "total energy T + V"),
        Quantity("jacobi", total, "J", "Jacobi integral T2 - T0 + V, degrees in q'"),
    ]
    if not all(map(problem.is_zero, problem.still.all(posed.rows.residuals))):
        return quantities, []  # the constraints do work
    working = graph.add(_power(problem, loads.generalized), _power(problem, loads.damping))
    condition = when_zero(problem, working)
    return quantities, [] if condition is None else [Invariant(name, condition) for name in ("total", "jacobi")]


def _power(problem: Problem, forces: Sequence[Node]) -> Node:
    return problem.graph.sum(map(problem.graph.mul, forces, problem.motion))


def _powers(posed: _Posed, multipliers: Sequence[Node]) -> Powers:
    """Return what changes T + V: all bodies are at rest where u = 0, and nothing of theirs moves in time."""
    problem = posed.problem
    constraints = constraint_power(problem, posed.rows, problem.still, multipliers)
    assert constraints is not None
    parts: list[Part] = [
        ("loads", _power(problem, posed.loads.generalized), LOADS),
        ("dissipation", _power(problem, posed.loads.damping), "power of the damping of joints"),
        ("constraints", constraints, CONSTRAINTS),
    ]
    return summed(problem, parts, "total")


def _balance(posed: _Posed) -> Balance:
    problem, graph, placed = posed.problem, posed.problem.graph, posed.placed
    none, zeros = (graph.zero,) * 3, [graph.zero] * len(problem.motion)
    weightless = TreeDynamics(graph, placed.rows, placed.weightless, none, {})
    heavy = TreeDynamics(graph, placed.rows, placed.moving, placed.gravity, {})
    taken = posed.dynamics.inverse(problem.u_dots)
    forces = Forces(
        missing=[graph.sub(force, load) for force, load in zip(taken, posed.loads.beside, strict=True)],
        coriolis=weightless.inverse(zeros),
        gravity=problem.still.all(heavy.inverse(zeros)),
    )
    return balance_with(problem, posed.rows, forces)
