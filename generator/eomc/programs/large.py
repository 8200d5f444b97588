"""What a large model has: fewer functions when nothing is said, and none whose results are a large dense matrix."""

from __future__ import annotations

from eomc.errors import UnsupportedError
from eomc.ir.equations import EquationsOfMotion, MotionMatrices

LARGE = 50
"""Motion variables above which a model has the functions of `OF_LARGE` alone when nothing else is said."""

OF_LARGE = ("outputs", "energy")
"""Beside the right-hand side, the steps and what these call."""

_DENSE = 150
"""Motion variables up to which results may be a dense matrix of them; others may be as large where they are sparse."""


def is_large(motion_variables: int) -> bool:
    """Whether a model of so many motion variables is large."""
    return motion_variables > LARGE


def on_request(motion_variables: int, function: str) -> str:
    """Say why a large model has not a function that others have."""
    return (
        f"with {motion_variables} motion variables, more than {LARGE}, it is there on request: write "
        f"eomc.compile(model, functions=[{', '.join(map(repr, (*OF_LARGE, function)))}])"
    )


def refuse_dense(equations: EquationsOfMotion, shape: tuple[int, int], what: str) -> None:
    """Refuse a dense matrix of a model with too many motion variables.

    M tells whether it is dense; one that nothing has made so far, of a tree of joints, is taken for it.

    Raises
    ------
    UnsupportedError
        It names the size.
    """
    rows, columns = shape
    motion_variables = len(equations.motion.accelerations)
    if motion_variables > _DENSE and not _is_sparse(equations):
        raise UnsupportedError(
            f"{what} is a dense matrix of {rows} x {columns} = {rows * columns:,} entries; with more than {_DENSE} "
            f"motion variables, here {motion_variables}, there are no such functions: rhs solves for the accelerations "
            "without it"
        )


def refuse_many(equations: EquationsOfMotion, shape: tuple[int, int], what: str) -> None:
    """Refuse a matrix with more entries than the largest dense one of the motion variables, where these are too many.

    Raises
    ------
    UnsupportedError
        It names the size.
    """
    rows, columns = shape
    motion_variables = len(equations.motion.accelerations)
    if motion_variables > _DENSE and rows * columns > _DENSE**2 and not _is_sparse(equations):
        raise UnsupportedError(
            f"{what} is a matrix of {rows} x {columns} = {rows * columns:,} entries; with more than {_DENSE} motion "
            f"variables, here {motion_variables}, no more than {_DENSE**2:,} are written out: ask for fewer"
        )


def _is_sparse(equations: EquationsOfMotion) -> bool:
    """Whether M has been made, with fewer entries that are not zero than the largest dense one."""
    made = equations.motion.matrices
    if not isinstance(made, MotionMatrices):
        return False
    zero = equations.graph.zero
    return sum(entry != zero for row in made.mass_matrix for entry in row) <= _DENSE**2
