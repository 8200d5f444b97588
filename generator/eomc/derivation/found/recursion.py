"""u' of a tree that was found: by articulated bodies at once, or from M and f by composite bodies and Newton-Euler."""

from __future__ import annotations

from dataclasses import dataclass, replace

from eomc.derivation.added_inertia import EquationMatrix, equation_matrix
from eomc.derivation.bodies import BodySystem
from eomc.derivation.constrained import ConstrainedMotion, solved_motion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.found.tree import FoundTree
from eomc.derivation.problem import Problem
from eomc.derivation.speeds import equations_for_speeds, no_inertia, solve_for_speeds
from eomc.derivation.trees.choice import Algorithm
from eomc.derivation.trees.forward import Forward
from eomc.derivation.trees.newton_euler import is_afloat
from eomc.derivation.trees.rule import rule_of_accelerations
from eomc.derivation.trees.tensors import PAIRS, transposed
from eomc.derivation.trees.turns import matrix_of
from eomc.errors import DerivationError
from eomc.ir.graph import Level, Node, Rows
from eomc.lowering.vectors import Matrix, dot


@dataclass(frozen=True, slots=True)
class Articulated:
    """u' by articulated bodies, and how it was found.

    Attributes
    ----------
    forces
        Of the rates.
    accelerations
        Of the speeds.
    """

    problem: Problem
    tree: FoundTree
    forces: list[Node]
    found: Forward
    accelerations: list[Node]

    def motion(self, equations: EquationMatrix, recursive: bool) -> ConstrainedMotion:
        """Return the motion, with M and f for whoever asks for these; whether they come from the tree, too."""
        problem, dynamics = self.problem, self.tree.dynamics
        words = self.found.algorithm.title
        motion = solved_motion(problem.graph, equations, problem.motion_names, self.accelerations, words)
        motion = replace(motion, recursive=recursive)
        turned = _turned(problem, self.tree)
        levels = problem.graph.level
        if turned is None or any(levels[entry] == Level.VARYING for entry in dynamics.gravity):
            return motion  # a rule knows places, rates and loads alone
        return replace(motion, rules=(rule_of_accelerations(dynamics, self.forces, self.found, turned),))


def by_composite_bodies(
    problem: Problem, bodies: BodySystem, tree: FoundTree, rows: ConstraintRows, loads: tuple[Node, ...]
) -> ConstrainedMotion:
    """Return the motion of M u' = f, constraints or none, where M is known to have an inverse.

    Parameters
    ----------
    problem, bodies, rows
        The model.
    tree
        What it is.
    loads
        Generalized forces of the speeds, of all but weights.
    """
    if rows:
        equations = equations_for_speeds(problem, rows, tree.mass_matrix(), tree.forcing(loads))
    else:
        equations = equation_matrix(problem, *tree.shortest(loads))
    return replace(solve_for_speeds(problem, bodies, rows, equations), recursive=True)


def by_articulated_bodies(problem: Problem, tree: FoundTree, loads: tuple[Node, ...]) -> Articulated:
    """Return the accelerations of a tree without constraints whose speeds and rates follow from each other.

    M has to have an inverse, and is not needed.
    """
    dynamics = tree.dynamics
    forces = tree.speeds.forces_on_rates(loads)
    found = dynamics.forward(forces, problem.checks, Algorithm.ARTICULATED)
    accelerations = tree.speeds.accelerations(dynamics.moving.to_speeds(found.accelerations))
    return Articulated(problem, tree, forces, found, accelerations)


def _turned(problem: Problem, tree: FoundTree) -> dict[int, Matrix] | None:
    """Return the rotations of balls; None where one is no rotation for all values of its coordinates.

    Such is that by a quaternion which is not divided by its length: accelerations depend on that length, too. Of the
    place of a floating base nothing depends.
    """
    graph, found = problem.graph, dict[int, Matrix]()
    for i, (row, draft) in enumerate(zip(tree.dynamics.rows.rows, tree.drafts, strict=True)):
        if draft.coordinate is None and not is_afloat(row):
            rotation = matrix_of(graph, draft.turns)
            columns = transposed(rotation)
            for j, k in PAIRS:
                wanted = graph.one if j == k else graph.zero
                if not problem.is_zero(graph.sub(dot(graph, columns[j], columns[k]), wanted)):
                    return None
            found[i] = rotation
    return found


def refuse_singular(problem: Problem, bodies: BodySystem, matrix: Rows) -> None:
    """Refuse a mass matrix that is singular everywhere, naming the speed without inertia.

    M of a long chain may be as close to a singular one as its rounding. What the speeds give the bodies of momenta is
    not, and has the same rank: M = V^T m V with V the partial velocities. It is looked at where M is doubted.
    """
    if problem.ranks.undetermined(matrix) is None:
        return
    momenta = [momentum for _, momentum in bodies.momentum_seeds()]
    rows = [list(map(partial, momenta)) for partial in problem.partials]
    follows = problem.ranks.redundant(rows)
    if follows is not None:
        raise DerivationError(f"{problem.model.name}: {no_inertia(problem.motion_names[follows])}")
