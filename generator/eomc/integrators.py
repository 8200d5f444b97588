"""Every integrator by its name: what compiles, offers and refuses one reads it here.

Fixed schemes are rows of `tableaus`, adaptive pairs rows of `pairs`, power series rows of `expansions`, stiff
schemes rows of `rosenbrock`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from eomc.errors import UsageError
from eomc.expansions import EXPANSIONS, FORMS, MOST, Expansion
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
    def asked(self) -> str:
        """How it is asked for: power series of another order, or of certain equations, with these behind the name."""
        usual = _BY_NAME[self.name].order == self.order
        form = self.row.form if isinstance(self.row, Expansion) else ""
        return ":".join(filter(None, (self.name, "" if usual else str(self.order), form)))

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
    >>> integrator("taylor:15").order
    15
    >>> integrator("taylor:15:kane").asked
    'taylor:15:kane'
    """
    base, *words = str(name).split(":")
    found = _BY_NAME.get(base)
    if found is None:
        raise UsageError(f"unknown integrator {str(name)!r}; {did_you_mean(str(name), NAMES)}")
    return _expanding(found, words) if words else found


def _expanding(found: Integrator, words: list[str]) -> Integrator:
    """Return power series of another order, or of the equations of a certain method."""
    asked, row = ":".join((found.name, *words)), found.row
    if not isinstance(row, Expansion):
        raise UsageError(f"integrator {asked}: the order of {found.name} is {found.order}; taylor has any")
    forms = [word for word in words if word in FORMS]
    orders = [word for word in words if word not in FORMS]
    if any(not word.isdecimal() or not 3 <= int(word) <= MOST for word in orders):
        raise UsageError(
            f"integrator {asked}: the order is a whole number from 3 to {MOST}; the method whose equations are "
            f"expanded is one of {', '.join(FORMS)}"
        )
    if max(len(forms), len(orders)) > 1:
        raise UsageError(f"integrator {asked}: give one order and one method, as in {found.name}:15:{FORMS[0]}")
    row = row._replace(order=int(orders[0]) if orders else row.order, form=forms[0] if forms else "")
    return next((one for one in INTEGRATORS if one.row == row), Integrator(row.name, row.title, row.order, row))


def expansion_of(chosen: Iterable[Integrator]) -> Expansion:
    """Return the power series of some integrators, or the usual ones."""
    return next((row.row for row in chosen if isinstance(row.row, Expansion)), EXPANSIONS[0])


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
    names = [row.name for row in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"integrator names {twice} twice")
    return found


def tableaus_of(chosen: Iterable[Integrator]) -> tuple[Tableau, ...]:
    """Return the schemes of the model's steps, the first being its own: those of fixed steps, or the usual one."""
    return tuple(row.row for row in chosen if isinstance(row.row, Tableau)) or (DEFAULT_TABLEAU,)
