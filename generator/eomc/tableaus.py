"""Schemes of Runge and Kutta, each a row: what emits, binds, offers and judges a fixed step reads it here.

A step of length h from x at the time t is::

    k_i = f(t + c_i h, x + h sum_j a_ij k_j),    x := x + h sum_i b_i k_i,    c_i = sum_j a_ij

of which the k_i follow one by one where a_ij = 0 for j >= i; else all follow from each other, by iteration.

A splitting goes along one part of the motion at a time: coordinates q drift along q'(p) for a share of h, then the
rest p of the state is kicked along p'(t, q) for another, and so on; a kick is at the time to which q has drifted.

The semi-implicit (symplectic) Euler step is Euler's but for the coordinates q of x = [q; w], whose rates it takes at
the new w::

    w := w + h w'(t, q, w),    q := q + h q'(t, q, w),    the second w being the new one

References: Kutta (1901); Heun (1900); Ralston, *Runge-Kutta methods with minimum error bounds* (1962); Hairer, Norsett
and Wanner, *Solving Ordinary Differential Equations I*, sec. II.1; Hairer, Lubich and Wanner, *Geometric Numerical
Integration*, sec. I.1.2, II.1.3, VI.3.1 and VIII.6; Hairer, McLachlan and Razakarivony, *Achieving
Brouwer's law with implicit Runge-Kutta methods* (2008); Yoshida, *Construction of higher order symplectic integrators*
(1990).
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import NamedTuple

from eomc.errors import UsageError
from eomc.wording import did_you_mean


class Tableau(NamedTuple):  # no dataclass, whose import would be the longest part of `eomc --help`
    """One scheme in Butcher's notation."""

    name: str  # by which it is chosen; a part of the names in C
    title: str  # whose it is
    order: int
    a: tuple[tuple[Fraction | int, ...], ...]  # the row of stage i has i entries, of an implicit scheme all
    b: tuple[Fraction | int, ...]
    semi_implicit: bool = False  # coordinates go along their rates at the new values of all other states
    drifts: tuple[Fraction, ...] = ()  # of a splitting, one more than kicks, which are b

    @property
    def implicit(self) -> bool:
        """Whether the slopes of the stages follow from each other."""
        return any(map(len, self.a[:1]))

    @property
    def explicit(self) -> bool:
        """Whether it is a scheme of Runge and Kutta whose slopes follow one by one."""
        return not self.implicit and not self.drifts

    @property
    def slopes(self) -> int:
        """How many slopes a step keeps at a time."""
        return 1 if self.drifts else len(self.b)

    @property
    def looks_beside(self) -> bool:
        """Whether a step evaluates anything at another state than that from which it goes."""
        return len(self.b) > 1 or self.implicit or self.semi_implicit or bool(self.drifts)

    @property
    def c(self) -> tuple[Fraction, ...]:
        """Times of the stages, in steps from the beginning of the step."""
        if self.drifts:
            return tuple(itertools.accumulate(self.drifts[:-1]))
        return tuple(Fraction(sum(row)) for row in self.a)

    def times(self, projected: bool) -> tuple[Fraction, ...]:
        """Return when a step takes inputs, in order: at its stages, and at its end where that is `projected`."""
        return tuple(sorted({*self.c, *([Fraction(1)] if projected else [])}))


F = Fraction
_ROOT = F(math.isqrt(15 * 10**100), 10**50)  # of 15, to fifty digits
TABLEAUS = (
    Tableau(
        "rk4", "classical Runge-Kutta", 4,
        a=((), (F(1, 2),), (0, F(1, 2)), (0, 0, 1)),
        b=(F(1, 6), F(1, 3), F(1, 3), F(1, 6)),
    ),
    Tableau("heun", "Heun", 2, a=((), (1,)), b=(F(1, 2), F(1, 2))),
    Tableau("ralston", "Ralston", 2, a=((), (F(2, 3),)), b=(F(1, 4), F(3, 4))),
    Tableau("euler", "Euler", 1, a=((),), b=(1,)),
    Tableau("semi_implicit_euler", "semi-implicit Euler", 1, a=((),), b=(1,), semi_implicit=True),
    Tableau(
        "gauss3", "Gauss", 6,
        a=(
            (F(5, 36), F(2, 9) - _ROOT / 15, F(5, 36) - _ROOT / 30),
            (F(5, 36) + _ROOT / 24, F(2, 9), F(5, 36) - _ROOT / 24),
            (F(5, 36) + _ROOT / 30, F(2, 9) + _ROOT / 15, F(5, 36)),
        ),
        b=(F(5, 18), F(4, 9), F(5, 18)),
    ),
)  # fmt: skip
_OUTER = 1 / (2 - F("1.25992104989487316476721060727822835057025146470150798008197511"))  # of the cube root of 2
_INNER = 1 - 2 * _OUTER
SPLITTINGS = (
    Tableau("verlet", "Stormer and Verlet", 2, a=(), b=(F(1),), drifts=(F(1, 2), F(1, 2))),
    Tableau(
        "yoshida4", "Yoshida", 4, a=(), b=(_OUTER, _INNER, _OUTER),
        drifts=(_OUTER / 2, (_OUTER + _INNER) / 2, (_OUTER + _INNER) / 2, _OUTER / 2),
    ),
)  # fmt: skip
DEFAULT = TABLEAUS[0]
NAMES = tuple(row.name for row in (*TABLEAUS, *SPLITTINGS))


def tableau(name: str) -> Tableau:
    """Return the scheme of this name.

    Raises
    ------
    UsageError
        There is none.

    Examples
    --------
    >>> tableau("ralston").c
    (Fraction(0, 1), Fraction(2, 3))
    """
    for row in (*TABLEAUS, *SPLITTINGS):
        if row.name == name:
            return row
    raise UsageError(f"unknown integrator {str(name)!r}; {did_you_mean(str(name), NAMES)}")
