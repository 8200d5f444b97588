"""Is an expression linear in given symbols? Answered from its structure; SymPy is asked only in doubtful cases."""

from __future__ import annotations

from collections.abc import Iterable

import sympy

from eomc.model.walking import degree, mentions


def nonlinear_symbols(expression: sympy.Expr, symbols: Iterable[sympy.Expr]) -> list[sympy.Expr]:
    """Return the `symbols` in which `expression` is not linear (alone or together with another); empty if it is linear.

    Notes
    -----
    The structural degree may be too high where terms cancel; only then are second derivatives formed and simplified.
    """
    names = set(symbols)
    if degree(expression, names) <= 1:
        return []
    plain = {symbol: sympy.Dummy(real=True) for symbol in mentions(expression, names)}
    replaced = expression.xreplace(plain)
    return [
        symbol
        for symbol, dummy in plain.items()
        if any(not _vanishes(sympy.diff(replaced, dummy, other)) for other in plain.values())
    ]


def _vanishes(expression: sympy.Expr) -> bool:
    return bool(expression == 0 or sympy.expand(expression) == 0 or sympy.simplify(expression) == 0)
