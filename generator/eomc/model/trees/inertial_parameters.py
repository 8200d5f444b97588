"""The ten inertial parameters of a link, and whether some distribution of mass has them.

A body has S = tr(I)/2 1 - I, the second moments of its mass about the centre, without negative eigenvalues: that is the
triangle inequality of its principal moments, and these are not negative then (Wensing, Kim and Slotine, 2018). S is
judged by its pivots, in units of the size of the terms that it is made of, whose rounding is added: of 32 half units,
storing brings 1 to 3, Steiner's terms 7, the sums of S 2, elimination 2 (Higham, *Accuracy and Stability of Numerical
Algorithms* (2002), theorem 10.3). A template of C99, `unphysical.c.jinja`, does the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.ir.rounding import ROUNDINGS
from eomc.model.trees.records import Entry, Link


@dataclass(frozen=True, slots=True)
class InertialParameters:
    """A link's mass, centre, and inertia about the centre: xx, yy, zz, xy, xz, yz.

    Where they are moments, first moments stand for the centre, and the inertia is about the frame's origin.
    """

    link: str
    moments: bool
    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, link: Link) -> InertialParameters:
        """Return what a link was made of."""
        first, tensor = link.moments or (link.centre, link.inertia)
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = tensor
        return cls(link.name, link.moments is not None, (link.mass, *first, xx, yy, zz, xy, xz, yz))

    @property
    def varies(self) -> bool:
        """Whether parameters are among the entries."""
        return any(isinstance(entry, sympy.Expr) and entry.free_symbols for entry in self.entries)


def varying_parameters(links: Iterable[Link]) -> tuple[InertialParameters, ...]:
    """Return the inertial parameters of the links that hold parameters of the model, in their order."""
    return tuple(one for one in map(InertialParameters.of, links) if one.varies)


def first_unphysical(
    links: Iterable[Link | InertialParameters],
    values: Mapping[sympy.Expr, float] = MappingProxyType({}),
    epsilon: float = math.ulp(1.0),
) -> int | None:
    """Return the place of the first link that is no body and no frame, None where all are.

    Parameters
    ----------
    links
        Links as they are given, before anything is merged into them.
    values
        Values of the parameters that their entries hold.
    epsilon
        Distance of one from the next number of the type that holds the values.
    """
    for place, link in enumerate(links):
        own = InertialParameters.of(link) if isinstance(link, Link) else link
        if not is_body([_value(entry, values) for entry in own.entries], own.moments, epsilon):
            return place
    return None


def first_unphysical_of_each(
    links: Iterable[InertialParameters],
    values: Mapping[sympy.Expr, NDArray[np.float64]],
    epsilon: float = math.ulp(1.0),
) -> NDArray[np.int64]:
    """Return for many sets of values the place of the first link that is no body and no frame, -1 where all are.

    Parameters
    ----------
    links
        As `varying_parameters` has them.
    values
        Of each parameter as many, shape (k,).
    epsilon
        As for `first_unphysical`.
    """
    count = len(next(iter(values.values()), ()))
    found = np.full(count, -1)
    for place, link in enumerate(links):
        numbers = np.array([np.broadcast_to(column, count) for column in _columns(link.entries, values)])
        found[(found < 0) & ~are_bodies(numbers, link.moments, epsilon)] = place
    return found


def is_body(numbers: Sequence[float], moments: bool = False, epsilon: float = math.ulp(1.0)) -> bool:
    """Return whether ten numbers are those of a body, a point, rod or plate among them, or of a frame: zeros."""
    return bool(are_bodies(np.array(numbers, dtype=np.float64), moments, epsilon))


@np.errstate(all="ignore")  # what is not finite compares as no body
def are_bodies(numbers: NDArray[np.float64], moments: bool, epsilon: float) -> NDArray[np.bool_]:
    """Return of each set of ten numbers whether it is that of a body, as `is_body` says.

    Parameters
    ----------
    numbers
        Shape (10,) or (10, k), in the order that :class:`InertialParameters` has.
    moments
        As there.
    epsilon
        Distance of one from the next number of the type that holds them.
    """
    mass, x, y, z, xx, yy, zz, xy, xz, yz = numbers
    massive = (mass > 0) & (mass < math.inf)
    weight = np.where(massive, 1 / mass, 1.0) if moments else mass
    reach = weight * (x * x + y * y + z * z)
    if moments:
        xx, yy, zz = xx - weight * (y * y + z * z), yy - weight * (x * x + z * z), zz - weight * (x * x + y * y)
        xy, xz, yz = xy + weight * (x * y), xz + weight * (x * z), yz + weight * (y * z)
    size = reach + sum(map(abs, (xx, yy, zz, xy, xz, yz)))
    little = ROUNDINGS * epsilon
    first = (yy + zz - xx) / 2 / size + little
    p, q = xy / size, xz / size
    second = (xx + zz - yy) / 2 / size + little - p * p / first
    r = yz / size + p * q / first
    third = (xx + yy - zz) / 2 / size + little - q * q / first - r * r / second
    solid = massive & (size > 0) & (size < math.inf) & (first > 0) & (second > 0) & (third > 0)
    found: NDArray[np.bool_] = np.where(size == 0, massive | (mass == 0), solid)
    return found


def _columns(
    entries: Sequence[Entry], values: Mapping[sympy.Expr, NDArray[np.float64]]
) -> Iterator[NDArray[np.float64] | float]:
    """Return entries with each set of values, NaN where they are not real."""
    for entry in entries:
        if not isinstance(entry, sympy.Expr):
            yield float(entry)
        elif entry in values:
            yield values[entry]
        else:
            own = sorted(entry.free_symbols, key=str)
            with np.errstate(all="ignore"):
                yield sympy.lambdify(own, entry, "numpy")(*(values[one] for one in own))


def _value(entry: Entry, values: Mapping[sympy.Expr, float]) -> float:
    if not isinstance(entry, sympy.Expr):
        return float(entry)
    if entry in values:
        return values[entry]
    try:
        return float(sympy.N(entry.xreplace({key: sympy.Float(value) for key, value in values.items()})))
    except TypeError:  # it is not real
        return math.nan
