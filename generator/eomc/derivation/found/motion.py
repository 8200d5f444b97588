"""The motion of bodies by the tree that was found in them, or as their frames stand: whichever takes less time.

Both are derived and their operations counted, of u' and multipliers together, and weighed as the algorithms of trees
are. Comments and reports speak of the frames that were given, so that a tree takes their place where it leaves out a
tenth, not before. Of many speeds nothing else is derived where the elimination of a mass matrix with as many entries
would take more than articulated bodies do in all, and M of composite bodies is not eliminated where it surely does. A
recursion that the user asks for is taken, whatever it costs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from eomc.derivation.bodies import BodySystem
from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.forces import active_seeds, generalized_forces, potential_seeds
from eomc.derivation.found.drafts import NoTreeError
from eomc.derivation.found.finder import find_tree
from eomc.derivation.found.recursion import by_articulated_bodies, by_composite_bodies, refuse_singular
from eomc.derivation.found.tree import FoundTree, place_tree
from eomc.derivation.mass_matrix import lower_triangle
from eomc.derivation.problem import Problem
from eomc.derivation.trees.choice import Algorithm, algorithm_asked, has_limbs, weight_of, work_of
from eomc.errors import UnsupportedError
from eomc.ir.equations import Recursion
from eomc.ir.graph import Level, Node, Rows
from eomc.passes.cost import cost
from eomc.passes.differentiate import depends_on
from eomc.solving.ldlt import operations
from eomc.wording import counted

_SAVED = 0.9
"""Share of the operations of the user's frames below which a tree takes their place."""

_MANY = 12
"""Speeds from which on it is asked whether other forms than a tree can be cheaper, before they are derived."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A motion by recursion, the operations that it takes, and these weighed."""

    algorithm: Algorithm
    motion: ConstrainedMotion
    count: int
    time: float


def cheaper_motion(
    problem: Problem, bodies: BodySystem, rows: ConstraintRows, general: Callable[[], ConstrainedMotion]
) -> ConstrainedMotion:
    """Return the motion by the form that takes less time, with the record of how that was decided.

    Parameters
    ----------
    problem, bodies, rows
        The model.
    general
        Derives it in the frames of the user.

    Raises
    ------
    DerivationError
        The mass matrix is singular, or the constraints do not determine a dependent speed.
    UnsupportedError
        A recursion is asked for that does not serve: there is no tree, or articulated bodies are not enough.
    """
    if problem.options.algorithm != "auto":
        return _asked_for(problem, bodies, rows)
    if not problem.options.trees:
        return general()
    given = None if len(problem.motion) >= _MANY else general()  # first: nodes keep the order that they had
    try:
        tree = place_tree(problem, bodies, find_tree(problem, bodies))
    except NoTreeError as error:
        return replace(
            given or general(), arrangement=f"u' in the frames given, as they are no tree of joints: {error}"
        )
    loads = _loads(problem, bodies)
    forms = _at_once(problem, bodies, rows, tree, loads, regular=given is not None)
    if given is None and forms and _least(problem, forms[0].motion) >= forms[0].time:
        return _told(forms[0].motion, tree, loads, forms, "where the elimination of M alone takes as much")
    given = given or general()
    most = _count(problem, given)
    if not forms or eliminated_at_least(problem, *tree.shortest(loads)) < forms[0].time:
        composite = by_composite_bodies(problem, bodies, tree, rows, loads)
        count = _count(problem, composite)
        forms.append(_Form(Algorithm.COMPOSITE, composite, count, count))
    best = min(forms, key=lambda form: form.time)
    if best.time >= _SAVED * most:
        words = f"u' in the frames given, {work_of(most)} beside {best.count} by {best.algorithm.title}"
        return replace(given, arrangement=f"{words} on {_words(tree)}")
    motion = best.motion
    if best.algorithm is Algorithm.ARTICULATED:
        motion = _with_shorter_matrices(problem, motion, given)
    others = [form for form in forms if form is not best]
    return _told(motion, tree, loads, [best, *others], f"beside {most} in the frames given")


def _asked_for(problem: Problem, bodies: BodySystem, rows: ConstraintRows) -> ConstrainedMotion:
    """Return the motion by the recursion that the user asks for."""
    name, option = problem.model.name, problem.options.algorithm
    try:
        tree = place_tree(problem, bodies, find_tree(problem, bodies))
    except NoTreeError as error:
        raise UnsupportedError(
            f"{name}: algorithm is {option!r}, which is for trees of joints, and its bodies are none: {error}; leave "
            "algorithm out"
        ) from None
    loads = _loads(problem, bodies)
    algorithm = algorithm_asked(name, option, _needs_matrix(problem, rows, tree, loads))
    if algorithm is Algorithm.ARTICULATED:
        motion = by_articulated_bodies(problem, bodies, tree, loads)
    else:
        algorithm = Algorithm.COMPOSITE
        if not rows:
            refuse_singular(problem, bodies, tree.mass_matrix())
        motion = by_composite_bodies(problem, bodies, tree, rows, loads)
    why = f"u' by {algorithm.title} on {_words(tree)}, as asked for"
    return replace(motion, recursion=Recursion(algorithm.value, why), arrangement=why, tree=tree.known(loads))


def _needs_matrix(problem: Problem, rows: ConstraintRows, tree: FoundTree, loads: Sequence[Node]) -> str:
    """Return what cannot do without M, "" where nothing is."""
    if rows:
        return "constraints act beside the joints"
    if tree.speeds.order is None:
        return "the speeds do not follow from the rates of the joints one by one"
    return "loads follow accelerations" if _hold_accelerations(problem, loads) else ""


def _loads(problem: Problem, bodies: BodySystem) -> tuple[Node, ...]:
    seeds = [*active_seeds(bodies), *potential_seeds(problem, bodies.system)]
    return tuple(generalized_forces(problem, seeds, bodies.system))


def _at_once(
    problem: Problem,
    bodies: BodySystem,
    rows: ConstraintRows,
    tree: FoundTree,
    loads: tuple[Node, ...],
    *,
    regular: bool,
) -> list[_Form]:
    """Return the form by articulated bodies, where these serve; whether M has an inverse may be known."""
    if _needs_matrix(problem, rows, tree, loads):
        return []
    motion = by_articulated_bodies(problem, bodies, tree, loads, regular)
    count = _count(problem, motion)
    return [_Form(Algorithm.ARTICULATED, motion, count, weight_of(has_limbs(tree.dynamics.rows)) * count)]


def _words(tree: FoundTree) -> str:
    return f"a tree of {counted(len(tree.dynamics.rows.rows), 'joint')} found in the bodies"


def _told(
    motion: ConstrainedMotion, tree: FoundTree, loads: Sequence[Node], forms: Sequence[_Form], beside: str
) -> ConstrainedMotion:
    """Return a motion by the first form with the record of that."""
    first = forms[0]
    why = f"u' by {first.algorithm.title} on {_words(tree)}, {work_of(first.count)} {beside}"
    recursion = Recursion(first.algorithm.value, why, tuple((form.algorithm.value, form.count) for form in forms))
    return replace(motion, recursion=recursion, arrangement=why, tree=tree.known(loads))


def _count(problem: Problem, motion: ConstrainedMotion) -> int:
    return cost(problem.graph, [*motion.accelerations, *motion.multipliers])


def _least(problem: Problem, motion: ConstrainedMotion) -> int:
    """Return what a form with M takes at least: its elimination, and two operations for each entry that varies."""
    levels = problem.graph.level
    varying = [entry for entry in lower_triangle(motion.mass_matrix) if levels[entry] == Level.VARYING]
    return operations(problem.graph, motion.mass_matrix) + 2 * len(varying)


def _system(problem: Problem, matrix: Rows, forcing: Sequence[Node]) -> int:
    """Return what M and f take."""
    return cost(problem.graph, [*lower_triangle(matrix), *forcing])


def eliminated_at_least(problem: Problem, matrix: Rows, forcing: Sequence[Node]) -> int:
    """Return what M, f and the elimination take at least: of the entries beside the pivots those that vary count."""
    graph = problem.graph
    varying = [
        [entry if i == j or graph.level[entry] == Level.VARYING else graph.zero for j, entry in enumerate(row)]
        for i, row in enumerate(matrix)
    ]
    return _system(problem, matrix, forcing) + operations(graph, varying)


def _hold_accelerations(problem: Problem, loads: Sequence[Node]) -> bool:
    return problem.has_u_dots and bool(depends_on(problem.graph, loads, problem.u_dots))


def _with_shorter_matrices(problem: Problem, best: ConstrainedMotion, given: ConstrainedMotion) -> ConstrainedMotion:
    """Return a motion that needs no M with the M and f that are shorter."""
    counts = [_system(problem, one.mass_matrix, one.forcing) for one in (best, given)]
    if counts[0] <= counts[1]:
        return best
    return replace(
        best,
        mass_matrix=given.mass_matrix,
        forcing=given.forcing,
        free_matrix=given.free_matrix,
        inertia=given.inertia,
        recursive=False,
    )
