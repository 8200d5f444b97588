"""What a large model has: fewer functions when nothing is said, and none whose results are a large dense matrix."""

from __future__ import annotations

from eomc.errors import UnsupportedError

LARGE = 50
"""Motion variables above which a model has the functions of `OF_LARGE` alone when nothing else is said."""

OF_LARGE = ("outputs", "energy")
"""Beside the right-hand side, the steps and what these call."""

_DENSE = 150
"""Motion variables up to which results may be a dense matrix of them."""


def is_large(motion_variables: int) -> bool:
    """Whether a model of so many motion variables is large."""
    return motion_variables > LARGE


def on_request(motion_variables: int, function: str) -> str:
    """Say why a large model has not a function that others have."""
    return (
        f"with {motion_variables} motion variables, more than {LARGE}, it is there on request: write "
        f"eomc.compile(model, functions=[{', '.join(map(repr, (*OF_LARGE, function)))}])"
    )


def refuse_dense(motion_variables: int, shape: tuple[int, int], what: str) -> None:
    """Refuse a dense matrix of a model with too many motion variables.

    Raises
    ------
    UnsupportedError
        It names the size.
    """
    rows, columns = shape
    if motion_variables > _DENSE:
        raise UnsupportedError(
            f"{what} is a dense matrix of {rows} x {columns} = {rows * columns:,} entries; with more than {_DENSE} "
            f"motion variables, here {motion_variables}, there are no such functions: rhs solves for the accelerations "
            "without it"
        )
