"""Where a function's results go: the arrays that come last among its arguments."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.ir.program import Function

__all__ = ["ResultArray", "result_arrays"]


@dataclass(frozen=True, slots=True)
class ResultArray:
    """One array of results: consecutive outputs of the function."""

    name: str  # of the argument
    macro: str  # its length
    size: int
    description: str

    @property
    def declarator(self) -> str:
        """Return the argument without its type; C has no arrays without elements."""
        return f"{self.name}[{self.macro}]" if self.size else f"*{self.name}"


def result_arrays(function: Function, macro: str) -> tuple[ResultArray, ...]:
    """Return the arrays of a function, in order; `macro` begins the names of the model's macros."""
    size = len(function.outputs)
    if function.name == "rhs":
        return (ResultArray("dx", f"{macro}_NX", size, "state derivative; may be x itself"),)
    prefix = f"{macro}_{function.name.upper()}"
    if not function.arrays:
        return (ResultArray("out", f"{prefix}_SIZE", size, _shape(function.shape) or "result"),)
    return tuple(
        ResultArray(
            array.name,
            f"{prefix}_{array.name.upper()}_SIZE",
            array.size,
            ", ".join(filter(None, (array.title, _shape(array.shape))))
            if array.size
            else f"{array.title}: empty, may be a null pointer",
        )
        for array in function.arrays
    )


def _shape(shape: tuple[int, ...]) -> str:
    return f"{shape[0]} x {shape[1]}, by rows" if len(shape) == 2 else ""
