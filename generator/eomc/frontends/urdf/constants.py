"""The numbers of links as parameters: mass, centre, six moments of inertia of each link that asks for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import sympy

from eomc.errors import UsageError
from eomc.frontends.urdf.names import Names, identifier
from eomc.model.trees.records import Link
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
        ``"none"``, ``"all"``, or the names of links.
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
    for link in links:
        made.append(_with_parameters(link, parameters, names) if link.name in wanted else link)
    return Parametrized(tuple(made), parameters)


def _wanted(
    links: Sequence[str], chosen: str | Collection[str], still: Collection[str], heavy: Collection[str]
) -> set[str]:
    if isinstance(chosen, str):
        if chosen not in ("none", "all"):
            raise UsageError(f"parameters={chosen!r}: give 'none', 'all' or a list of links")
        return set(heavy) - set(still) if chosen == "all" else set()
    try:
        listed = list(chosen)
    except TypeError:
        raise UsageError(f"parameters={chosen!r}: give 'none', 'all' or a list of names of links") from None
    for name in listed:
        if name not in links:
            raise UsageError(f"parameters= names link {name!r}, which the robot has not: {did_you_mean(name, links)}")
        if name in still:
            raise UsageError(f"parameters= names link {name!r}, which does not move: its numbers have no effect")
    return set(listed)


def _with_parameters(link: Link, parameters: dict[sympy.Symbol, tuple[float, str, str]], names: Names) -> Link:
    word = identifier(link.name, "link")

    def parameter(letter: str, value: object, unit: str, what: str) -> sympy.Symbol:
        symbol = sympy.Symbol(names.take(f"{letter}_{word}"))
        parameters[symbol] = (float(value), unit, f"{what} of link {link.name}")  # type: ignore[arg-type]
        return symbol

    mass = parameter("m", link.mass, "kg", "mass")
    x, y, z = (
        parameter(f"c{axis}", value, "m", f"{axis} of the centre of mass")
        for axis, value in zip("xyz", link.centre, strict=True)
    )
    xx, xy, xz, yy, yz, zz = (
        parameter(f"I{pair}", link.inertia[i][k], "kg m^2", f"I_{pair} about the centre of mass")
        for pair, i, k in _PAIRS
    )
    return replace(link, mass=mass, centre=(x, y, z), inertia=((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
