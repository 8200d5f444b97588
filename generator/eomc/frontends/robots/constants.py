"""The numbers of links as parameters: mass, centre, six moments of inertia of each link that asks for it.

Or mass, first moments and inertia about the origin of the link's frame, of which forces are linear: by the theorem of
Huygens and Steiner J = I + m (c.c 1 - c c^T).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy

from eomc.errors import UsageError
from eomc.frontends.robots.names import Names, identifier
from eomc.model.trees.records import Link, Tensor, Triple
from eomc.wording import did_you_mean

_PAIRS = (("xx", 0, 0), ("xy", 0, 1), ("xz", 0, 2), ("yy", 1, 1), ("yz", 1, 2), ("zz", 2, 2))


@dataclass(frozen=True, slots=True)
class Parametrized:
    """Links that hold parameters, and the parameters with value, unit and description."""

    links: tuple[Link, ...]
    parameters: Mapping[sympy.Symbol, tuple[float, str, str]]


def parametrize(
    links: Sequence[Link], chosen: str | Collection[str], still: Collection[str], heavy: Collection[str], names: Names
) -> Parametrized:
    """Return links of which all ten numbers are parameters, zeros too: no form follows from a default.

    Parameters
    ----------
    links
        Links whose entries are numbers.
    chosen
        ``"none"``, ``"all"``, the names of links, or ``"moments"``: of all links with mass what is linear in forces.
    still
        Links that do not move: they have no part in the motion.
    heavy
        Links that the file gives an inertial element.
    names
        Names that are taken.
    """
    wanted = _wanted([link.name for link in links], chosen, still, heavy)
    made: list[Link] = []
    parameters: dict[sympy.Symbol, tuple[float, str, str]] = {}
    write = _with_moments if chosen == "moments" else _with_parameters
    for link in links:
        made.append(write(link, parameters, names) if link.name in wanted else link)
    return Parametrized(tuple(made), parameters)


def _wanted(
    links: Sequence[str], chosen: str | Collection[str], still: Collection[str], heavy: Collection[str]
) -> set[str]:
    if isinstance(chosen, str):
        if chosen not in ("none", "all", "moments"):
            raise UsageError(f"parameters={chosen!r}: give 'none', 'all', 'moments' or a list of links")
        return set() if chosen == "none" else set(heavy) - set(still)
    try:
        listed = list(chosen)
    except TypeError:
        raise UsageError(f"parameters={chosen!r}: give 'none', 'all', 'moments' or a list of links") from None
    for name in listed:
        if name not in links:
            raise UsageError(f"parameters= names link {name!r}, which the robot has not: {did_you_mean(name, links)}")
        if name in still:
            raise UsageError(f"parameters= names link {name!r}, which does not move: its numbers have no effect")
    return set(listed)


def _with_parameters(link: Link, parameters: dict[sympy.Symbol, tuple[float, str, str]], names: Names) -> Link:
    """Return a link with mass, centre and inertia about the centre as parameters."""
    write = _Writer(link, parameters, names)
    mass = write.one("m", link.mass, "kg", "mass")
    centre = write.three("c", link.centre, "m", "of the centre of mass")
    return replace(link, mass=mass, centre=centre, inertia=write.six("I", link.inertia, "about the centre of mass"))


def _with_moments(link: Link, parameters: dict[sympy.Symbol, tuple[float, str, str]], names: Names) -> Link:
    """Return a link with mass, first moments and inertia about the origin as parameters; one without mass as it is."""
    if not link.mass:
        return link
    write = _Writer(link, parameters, names)
    mass, c = float(link.mass), [float(entry) for entry in link.centre]
    square = sum(entry * entry for entry in c)
    about_origin = [
        [float(entry) + mass * ((square if i == k else 0.0) - c[i] * c[k]) for k, entry in enumerate(row)]
        for i, row in enumerate(link.inertia)
    ]
    return Link.of_moments(
        name=link.name,
        mass=write.one("m", mass, "kg", "mass"),
        first=write.three("h", [mass * entry for entry in c], "kg m", "of the first moment of mass"),
        inertia=write.six("J", about_origin, "about the origin of the frame"),
    )


@dataclass(frozen=True, slots=True)
class _Writer:
    """Makes the parameters of a link."""

    link: Link
    parameters: dict[sympy.Symbol, tuple[float, str, str]]
    names: Names

    def one(self, letter: str, value: Any, unit: str, what: str) -> sympy.Symbol:
        symbol = sympy.Symbol(self.names.take(f"{letter}_{identifier(self.link.name, 'link')}"))
        self.parameters[symbol] = (float(value), unit, f"{what} of link {self.link.name}")
        return symbol

    def three(self, letter: str, values: Any, unit: str, what: str) -> Triple:
        axes = zip("xyz", values, strict=True)
        x, y, z = (self.one(letter + axis, value, unit, f"{axis} {what}") for axis, value in axes)
        return x, y, z

    def six(self, letter: str, values: Any, what: str) -> Tensor:
        xx, xy, xz, yy, yz, zz = (
            self.one(letter + pair, values[i][k], "kg m^2", f"{letter}_{pair} {what}") for pair, i, k in _PAIRS
        )
        return (xx, xy, xz), (xy, yy, yz), (xz, yz, zz)
