"""Whose functions a model calls: what the option `math` chooses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mathematics:
    """A value of the option."""

    name: str
    own: bool  # functions of eomc's own, written into the model; else libm's
    contracted: bool  # the compiler may make one operation of a product and a sum
    flags: tuple[str, ...]  # for the compilation of the model, after all others


LIBM = Mathematics("libm", own=False, contracted=True, flags=())

MATHEMATICS: dict[str, Mathematics] = {
    one.name: one
    for one in (
        LIBM,
        Mathematics("strict", own=True, contracted=False, flags=("-fno-math-errno", "-ffp-contract=off")),
        Mathematics("fast", own=True, contracted=True, flags=("-fno-math-errno", "-ffp-contract=fast")),
    )
}
"""All values, by name."""

DEFAULT_MATHEMATICS = LIBM.name
