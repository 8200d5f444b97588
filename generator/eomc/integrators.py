"""Every integrator by its name: what compiles, offers and refuses one reads it here.

Fixed schemes are rows of `tableaus`, adaptive pairs rows of `pairs`, power series rows of `expansions`, stiff
schemes rows of `rosenbrock`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from eomc.errors import UsageError
from eomc.expansions import EXPANSIONS, Expansion
from eomc.pairs import PAIRS, Pair
from eomc.rosenbrock import NEEDED, ROSENBROCK, Rosenbrock
from eomc.tableaus import DEFAULT as DEFAULT_TABLEAU
from eomc.tableaus import SPLITTINGS, TABLEAUS, Tableau
from eomc.wording import did_you_mean

Row: TypeAlias = Tableau | Pair | Expansion | Rosenbrock
"""What an integrator is made from."""

Staged: TypeAlias = Tableau | Pair
"""One whose steps sum slopes at stages: a work goes along as one more state."""


class Integrator(NamedTuple):
    """One integrator."""

    name: str
    title: str
    order: int
    row: Row

    @property
    def adaptive(self) -> bool:
        """Whether the length of its steps follows from a tolerance."""
        return not isinstance(self.row, Tableau)

    @property
    def remembers(self) -> bool:
        """Whether a step takes something from the one before: a run is more than its steps."""
        return not isinstance(self.row, Tableau) or self.row.implicit

    @property
    def roundings(self) -> int:
        """How many roundings the relative tolerance is at least; series subtract nothing."""
        return 1 if self.expands else 10

    @property
    def expands(self) -> bool:
        """Whether it takes the power series of the motion."""
        return isinstance(self.row, Expansion)

    @property
    def staged(self) -> Staged | None:
        """The scheme whose stages a work follows; None for power series and where slopes of the power were needed."""
        return self.row if isinstance(self.row, (Tableau, Pair)) else None

    @property
    def needed(self) -> tuple[str, ...]:
        """Functions of the model that its steps evaluate beside the rates."""
        return NEEDED if isinstance(self.row, Rosenbrock) else ()


_ROWS = (*TABLEAUS, *SPLITTINGS, *PAIRS, *EXPANSIONS, *ROSENBROCK)
INTEGRATORS = tuple(Integrator(row.name, row.title, row.order, row) for row in _ROWS)
NAMES = tuple(row.name for row in INTEGRATORS)
_BY_NAME = {row.name: row for row in INTEGRATORS}
DEFAULT = _BY_NAME[DEFAULT_TABLEAU.name]
ADAPTIVE = _BY_NAME["dop853"]
"""What a tolerance alone asks for."""


def integrator(name: str) -> Integrator:
    """Return the integrator of this name.

    Raises
    ------
    UsageError
        There is none.

    Examples
    --------
    >>> integrator("dopri5").order
    5
    """
    found = _BY_NAME.get(name)
    if found is None:
        raise UsageError(f"unknown integrator {str(name)!r}; {did_you_mean(str(name), NAMES)}")
    return found


def integrators(asked: str | Iterable[str]) -> tuple[Integrator, ...]:
    """Return the integrators that were asked for, the first first.

    Parameters
    ----------
    asked
        Names, or one text with commas.

    Raises
    ------
    UsageError
        One is unknown, or named twice, or there is none.
    """
    names = [name.strip() for name in asked.split(",")] if isinstance(asked, str) else list(asked)
    found = tuple(map(integrator, names))
    if not found:
        raise UsageError(f"integrator names none; choose among {', '.join(NAMES)}")
    twice = next((row.name for row in found if found.count(row) > 1), None)
    if twice is not None:
        raise UsageError(f"integrator names {twice} twice")
    return found


def tableaus_of(chosen: Iterable[Integrator]) -> tuple[Tableau, ...]:
    """Return the schemes of the model's steps, the first being its own: those of fixed steps, or the usual one."""
    return tuple(row.row for row in chosen if isinstance(row.row, Tableau)) or (DEFAULT_TABLEAU,)
