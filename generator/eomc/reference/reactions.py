"""Reactions that forces themselves depend on, by trying their signs.

What is left of the auxiliary speeds' equations, F_r + F*_r + R_r, is a function of the reactions N that is affine as
long as none changes its sign, for forces hold N and |N|. In each orthant the function is taken from its values at a
few points there, and solved; a solution with the signs of its orthant is one.

Source: J. Awrejcewicz and P. Olejnik, *Applied Mechanics Reviews* 58 (2005), on Painleve's paradoxes, where there may
be several solutions or none.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from eomc.errors import SingularSystemError
from eomc.reference.arrays import solve_values
from eomc.reference.jets import Array

_ROUNDING = 1e-13  # of the largest reaction: below it a sign says nothing
_BALANCED = 1e-8  # of what balances: more is left where the function is not affine in this orthant


def by_signs(balance: Callable[[Array], Array], states: int, count: int) -> Array:
    """Return N (states, count) at which `balance` (states, count) is zero, NaN where no signs fit.

    Of several solutions the one with the earliest signs, positive before negative, is taken.

    Raises
    ------
    SingularSystemError
        No signs fit at the only state given.
    """
    found = np.full((states, count), np.nan)
    for signs in itertools.product((1.0, -1.0), repeat=count):
        base = np.broadcast_to(signs, (states, count))
        at_base = balance(base)
        columns = [balance(base + np.array(signs) * (np.arange(count) == i)) - at_base for i in range(count)]
        slopes = np.stack(columns, axis=-1) * np.array(signs)
        try:
            solution = base - solve_values(slopes, at_base[..., None], "the auxiliary speeds' matrix")[..., 0]
        except SingularSystemError:
            continue
        size = np.max(np.abs(solution), axis=1, initial=0.0)
        signed = np.all(solution * np.array(signs) >= -_ROUNDING * size[:, None], axis=1)
        left = np.max(np.abs(balance(solution)), axis=1, initial=0.0)
        scale = np.max(np.abs(at_base), axis=1, initial=0.0) + np.max(np.abs(slopes), axis=(1, 2), initial=0.0) * size
        fits = signed & (left <= _BALANCED * scale) & np.isnan(found[:, 0])
        found[fits] = solution[fits]
    if states == 1 and np.isnan(found).any():
        raise SingularSystemError("no signs of the reactions agree with the friction that they make at this state")
    return found
