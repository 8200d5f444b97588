"""Which arrangement of Kane's equations a tree is solved by: the one asked for, the only one, or the cheaper one.

Composite bodies make M and solve M nu' = tau - c from the leaves to the root; articulated bodies never make M. Both are
counted on the graph, and the count is weighed by what was measured: a sweep along one row waits for each result, limbs
side by side keep a processor busy. Composite bodies are not even made where depth alone says that they cost more; where
rates follow others or M is needed there is no choice.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence

from eomc.derivation.trees.rows import GROUND, TreeRows
from eomc.errors import UnsupportedError
from eomc.ir.equations import Recursion
from eomc.wording import counted


class Algorithm(enum.Enum):
    """How the accelerations of a tree are found."""

    COMPOSITE = "composite"
    ARTICULATED = "articulated"

    @property
    def title(self) -> str:
        """Its name in sentences."""
        return f"{self.value} bodies"


SIDE_BY_SIDE, IN_A_ROW = 0.93, 1.1
"""Time of an operation of articulated bodies beside one of composite bodies, on trees with branches and without.

Measured on an x86-64 server core with gcc 12 at -O2, both in one process by turns, the least of 3000 blocks; first for
the native processor with contraction, then with -std=c99. With branches: ANYmal 0.96 and 0.90, Solo12 0.99 and 0.83,
HyQ 0.96 and 0.90, Talos 0.99 and 0.89, G1 0.97 and 0.91, Centauro 0.95 and 0.80. Without: UR5 1.19 and 1.12, Panda
without fingers 1.09 and 0.97, chains of 3, 7, 12, 20 and 30 joints 1.06, 1.29, 1.35, 1.01, 1.38 and 1.10, 1.11, 0.90,
1.02, 1.43. The right-hand sides of UR5 and of the chain of 7 are slower by fewer operations of articulated bodies."""

_MOST = 400
"""Operations, at most, that a joint of one rate costs articulated bodies."""


def algorithm_asked(model: str, option: str, needs_matrix: str) -> Algorithm | None:
    """Return what the option `algorithm` asks for; None: the cheaper one.

    Parameters
    ----------
    model
        Its name.
    option
        As it is given.
    needs_matrix
        What cannot do without M, so that articulated bodies do not serve; "" where nothing is.

    Raises
    ------
    UnsupportedError
        Articulated bodies are asked for, and do not serve.
    """
    if option == "auto":
        return Algorithm.COMPOSITE if needs_matrix else None
    algorithm = Algorithm(option)
    if needs_matrix and algorithm is Algorithm.ARTICULATED:
        raise UnsupportedError(
            f"{model}: algorithm is {option!r}, which makes no mass matrix, but {needs_matrix}: take 'composite'"
        )
    return algorithm


def worth_trying(parents: Sequence[int], rates: Sequence[int]) -> list[Algorithm]:
    """Return the algorithms that may be the cheapest, by the parent of each row and the number of its rates."""
    depths: list[int] = []  # rates between the ground and each row, its own among them
    least = 0  # operations of elimination and of carrying columns inwards
    for parent, own in zip(parents, rates, strict=True):
        depths.append(own + (0 if parent == GROUND else depths[parent]))
        least += sum(d * d + 10 * d for d in range(depths[-1] - own, depths[-1]))
    if least > _MOST * sum(rates):
        return [Algorithm.ARTICULATED]
    return [Algorithm.COMPOSITE, Algorithm.ARTICULATED]


def has_limbs(rows: TreeRows) -> bool:
    """Whether a body, or the ground, carries more than one row."""
    carriers = [row.parent for row in rows.rows]
    return len(set(carriers)) < len(carriers)


def cheaper(costs: Mapping[Algorithm, int], limbs: bool) -> Algorithm:
    """Return the algorithm whose operations, weighed, take the least time."""
    weights = {Algorithm.COMPOSITE: 1.0, Algorithm.ARTICULATED: weight_of(limbs)}
    return min(costs, key=lambda one: costs[one] * weights[one])


def weight_of(limbs: bool) -> float:
    """Return the time of an operation of articulated bodies beside one of forms that factor M."""
    return SIDE_BY_SIDE if limbs else IN_A_ROW


def recursion_of(
    algorithm: Algorithm,
    costs: Mapping[Algorithm, int],
    *,
    rows: TreeRows | None = None,
    asked: bool = False,
    forced: str = "",
) -> Recursion:
    """Return the record of a choice, with its sentence.

    Parameters
    ----------
    algorithm, costs
        What was taken, and the work of what was tried, in additions.
    rows
        The tree, where more than one was tried.
    asked
        Whether the user asked for it.
    forced
        What leaves no choice.
    """
    title = algorithm.title
    if forced:
        why = f"u' by {title}, for {forced}"
    elif asked:
        why = f"u' by {title}, as asked for"
    elif rows is None or len(costs) == 1:
        why = f"u' by {title}: at this depth composite bodies cost more"
    elif all(row.parent == GROUND for row in rows.rows):
        why = f"u' by {title}: no joint carries another"  # both do the same
        costs = {algorithm: costs[algorithm]}
    else:
        (other,) = (one for one in costs if one is not algorithm)
        limbs = has_limbs(rows)
        shape = "trees with branches" if limbs else "joints in a row"
        weighed = f"that of articulated bodies counts {weight_of(limbs)} on {shape}"
        work = f"{work_of(costs[algorithm])} beside {costs[other]} by {other.title}"
        why = f"u' by {title}, {work}; {weighed}"
    return Recursion(algorithm.value, why, tuple((one.value, count) for one, count in costs.items()))


def work_of(additions: int) -> str:
    """Return the words for a cost: what is emitted is counted otherwise, each operation once."""
    return f"the work of {counted(additions, 'addition')}"
