"""What there is to know about an own function beside its template, and what the template sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Precision: TypeAlias = Literal["double", "single"]
Shape: TypeAlias = Literal["floats", "fused", "integers"]
Coefficients: TypeAlias = Mapping[str, str | tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Bound:
    """Largest error of a function in units in the last place, contraction on or off."""

    double: float
    single: float


@dataclass(frozen=True, slots=True)
class OwnFunction:
    """A function in C: ``templates/c99/mathematics/<template or name>.c.jinja``; its C name is ``real_<name>``.

    What has no bound is a part of others (the reduction of angles, say), never called by an expression.
    """

    name: str
    needs: tuple[str, ...] = ()  # names of the functions that its text calls
    bound: Bound | None = None
    arity: int = 1
    results: tuple[str, ...] = ()  # fields of the struct that it returns, each named as its function; (): a number
    core: str | None = None  # branch-free function of the same arguments and results, of `<name>_core` or its own text
    range: str | None = None  # for |x| in which it is: the part that tells; "": for all x; None: another or none
    template: str | None = None
    fused: tuple[str, ...] | None = None  # what it needs in the shape of that name, when this is something else
    integers: tuple[str, ...] | None = None

    def needed(self, shape: Shape) -> tuple[str, ...]:
        """Return what it calls in a shape."""
        others = {"fused": self.fused, "integers": self.integers}.get(shape)
        return self.needs if others is None else others


@dataclass(frozen=True, slots=True)
class OwnView:
    """What the template of an own function sees as `m`."""

    real: str  # the scalar type
    double: bool  # its precision; False: single
    shape: Shape
    c: Coefficients  # of this precision, all families

    @property
    def word(self) -> str:
        """Unsigned integer as wide as the scalar."""
        return "uint64_t" if self.double else "uint32_t"

    @property
    def width(self) -> int:
        """Bits of the scalar."""
        return 64 if self.double else 32

    @property
    def mantissa(self) -> int:
        """Bits of the mantissa that are stored."""
        return 52 if self.double else 23

    @property
    def bias(self) -> int:
        """What is added to the stored exponent."""
        return 1023 if self.double else 127

    @property
    def largest(self) -> str:
        """Largest finite number."""
        return "1.7976931348623157e+308" if self.double else "3.40282347e+38"


@dataclass(frozen=True, slots=True)
class RootView:
    """What the template that chooses between square roots sees as `m`."""

    double: bool  # the scalar's precision
    own: str  # the text of ours
