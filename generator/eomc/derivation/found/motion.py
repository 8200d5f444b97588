"""The motion of bodies by the tree that was found in them, or as their frames stand: whichever takes less time.

Operations of u' and multipliers together are counted and weighed as the algorithms of trees are. Comments and reports
speak of the frames that were given, so that a tree takes their place where it leaves out a tenth, not before. What is
known to take more is not derived to its end: M is not eliminated where that surely does, and of many speeds no M in the
frames given is made where the elimination of a matrix with as many entries would take more than articulated bodies do
in all. A recursion that the user asks for is taken, whatever it costs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from eomc.derivation.added_inertia import EquationMatrix
from eomc.derivation.bodies import BodySystem
from eomc.derivation.constrained import ConstrainedMotion
from eomc.derivation.constraints import ConstraintRows
from eomc.derivation.forces import active_seeds, generalized_forces, potential_seeds
from eomc.derivation.found.drafts import NoTreeError
from eomc.derivation.found.finder import find_tree
from eomc.derivation.found.recursion import Articulated, by_articulated_bodies, by_composite_bodies, refuse_singular
from eomc.derivation.found.tree import FoundTree, place_tree
from eomc.derivation.given_frames import GivenFrames, eliminated_at_least, system_cost
from eomc.derivation.mass_matrix import lower_triangle
from eomc.derivation.problem import Problem
from eomc.derivation.trees.choice import Algorithm, algorithm_asked, has_limbs, weight_of, work_of
from eomc.errors import UnsupportedError
from eomc.ir.cone import walked
from eomc.ir.equations import Recursion
from eomc.ir.graph import Graph, Level, Node, Rows
from eomc.ir.ops import OPS, Op
from eomc.passes.cost import cost
from eomc.passes.differentiate import depends_on
from eomc.solving.ldlt import operations
from eomc.wording import counted

_SAVED = 0.9
"""Share of the operations of the user's frames below which a tree takes their place."""

_SEVERAL = 9
"""Speeds from which on M in the frames given is not eliminated before it is known whether that can be cheaper."""

_TURNING = frozenset({Op.SIN, Op.COS})

_MANY = 12
"""Speeds from which on it is asked whether other forms than a tree can be cheaper, before they are derived."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A recursion, what it finds, the operations that the accelerations take by it, and these weighed."""

    algorithm: Algorithm
    found: Articulated | ConstrainedMotion
    count: int
    time: float


def cheaper_motion(problem: Problem, bodies: BodySystem, rows: ConstraintRows, given: GivenFrames) -> ConstrainedMotion:
    """Return the motion by the form that takes less time, with the record of how that was decided.

    Parameters
    ----------
    problem, bodies, rows
        The model.
    given
        The same in the frames of the user.

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
        return given.motion
    is_large = len(problem.motion) >= _MANY
    if not is_large:  # first: nodes keep the order that they had
        given.derive(solved=len(problem.motion) < _SEVERAL)
    try:
        tree = place_tree(problem, bodies, find_tree(problem, bodies))
    except NoTreeError as error:
        return replace(given.motion, arrangement=f"u' in the frames given, as they are no tree of joints: {error}")
    loads = _loads(problem, bodies)
    forms = list[_Form]()
    if not _needs_matrix(problem, rows, tree, loads):
        if is_large:
            refuse_singular(problem, bodies, tree.mass_matrix())
        elif given.is_solved:
            tree.mass_matrix()  # first, too
        at_once = by_articulated_bodies(problem, tree, loads)
        forms.append(_weighed(problem, tree, at_once))
        if is_large and _least(problem, tree.mass_matrix()) >= forms[0].time:
            motion = at_once.motion(tree.equations(loads), recursive=True)
            return _told(motion, tree, loads, forms, "where the elimination of M alone takes as much")
    if is_large:
        given.derive(solved=False)
    if not forms or not _composite_takes(problem, tree, loads, given, forms[0].time):
        forms.append(_weighed(problem, tree, by_composite_bodies(problem, bodies, tree, rows, loads)))
    best = min(forms, key=lambda form: form.time)
    beside = f"at least {given.least}"
    if given.is_solved or best.time >= _SAVED * given.least:
        if best.time >= _SAVED * given.count:
            words = f"u' in the frames given, {work_of(given.count)} beside {best.count} by {best.algorithm.title}"
            return replace(given.motion, arrangement=f"{words} on {_words(tree)}")
        beside = str(given.count)
    others = [form for form in forms if form is not best]
    found = best.found
    motion = found.motion(*_shorter(problem, tree, loads, given)) if isinstance(found, Articulated) else found
    return _told(motion, tree, loads, [best, *others], f"beside {beside} in the frames given")


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
        refuse_singular(problem, bodies, tree.mass_matrix())
        motion = by_articulated_bodies(problem, tree, loads).motion(tree.equations(loads), recursive=True)
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


def _weighed(problem: Problem, tree: FoundTree, found: Articulated | ConstrainedMotion) -> _Form:
    """Return a form with the cost of accelerations and multipliers."""
    if isinstance(found, Articulated):
        count = cost(problem.graph, found.accelerations)
        return _Form(Algorithm.ARTICULATED, found, count, weight_of(has_limbs(tree.dynamics.rows)) * count)
    count = cost(problem.graph, [*found.accelerations, *found.multipliers])
    return _Form(Algorithm.COMPOSITE, found, count, count)


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


def _least(problem: Problem, matrix: Rows) -> int:
    """Return what a form with M takes at least: its elimination, and two operations for each entry that varies."""
    levels = problem.graph.level
    varying = [entry for entry in lower_triangle(matrix) if levels[entry] == Level.VARYING]
    return operations(problem.graph, matrix) + 2 * len(varying)


def _composite_takes(
    problem: Problem, tree: FoundTree, loads: tuple[Node, ...], given: GivenFrames, time: float
) -> bool:
    """Whether M of composite bodies, f and the elimination take that time or more.

    Nothing is made where M in the frames given tells, which is the same function: as many entries, and a sine or a
    cosine of each angle; nor f, where M as the recursion gives it tells: f takes more than what is left out of M after.
    """
    missing = time - _least(problem, given.equations.entries)
    if _turns(problem.graph, lower_triangle(given.equations.entries), missing / OPS[Op.SIN].weight):
        return True
    matrix = tree.mass_matrix()
    if eliminated_at_least(problem, matrix, ()) >= time:
        return True
    return eliminated_at_least(problem, *tree.shortest(loads)) >= time


def _turns(graph: Graph, roots: Sequence[Node], angles: float) -> bool:
    """Whether so many angles that vary, or more, have their sine or cosine below some roots."""
    ops, level = graph.ops, graph.level
    turning = (node for node in walked(graph, roots) if ops[node] in _TURNING and level[node] == Level.VARYING)
    found = set[Node]()
    while len(found) < angles:
        node = next(turning, None)
        if node is None:
            return False
        found.add(graph.args[node][0])
    return True


def _shorter(
    problem: Problem, tree: FoundTree, loads: tuple[Node, ...], given: GivenFrames
) -> tuple[EquationMatrix, bool]:
    """Return M and f for accelerations that need none, the shorter ones, and whether they are those of the tree.

    Where the speeds are sums of its rates, these are longer by what makes sums of M and f.
    """
    graph, equations = problem.graph, given.equations
    if tree.speeds.are_sums:
        return equations, False
    most = system_cost(graph, equations.entries, equations.forcing)
    matrix = tree.mass_matrix()
    if system_cost(graph, matrix, ()) <= most and system_cost(graph, matrix, tree.forcing(loads)) <= most:
        return tree.equations(loads), True
    return equations, False


def _hold_accelerations(problem: Problem, loads: Sequence[Node]) -> bool:
    return problem.has_u_dots and bool(depends_on(problem.graph, loads, problem.u_dots))
