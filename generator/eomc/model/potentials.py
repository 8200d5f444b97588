"""Potential energies that bodies have of their own: ``body.potential_energy``, as LagrangesMethod users give them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy

from eomc.errors import ModelError
from eomc.model.arguments import expression_of


def own_potential(body: Any) -> sympy.Expr:
    """Return the potential energy that the user set for a body; zero without one, and for what is no body."""
    return expression_of(f"the potential energy of {body}", getattr(body, "potential_energy", 0))


def with_own_potentials(bodies: Iterable[Any], given: sympy.Expr) -> sympy.Expr:
    """Return the potential energy of a system: that given as such, and those of its bodies, each once.

    Raises
    ------
    ModelError
        All that a body has of its own is in what is given as such, too.
    """
    total, terms = given, _terms(given)
    for body in dict.fromkeys(bodies):
        own = own_potential(body)
        if own == 0:
            continue
        if all(_holds(terms, term, factor) for term, factor in _terms(own).items()):
            raise ModelError(
                f"potential_energy holds {body.name}.potential_energy, which is added by itself: give each potential "
                f"energy once"
            )
        total += own
    return total


def _terms(expression: sympy.Expr) -> dict[sympy.Expr, sympy.Expr]:
    return dict(sympy.expand(expression).as_coefficients_dict())


def _holds(terms: dict[sympy.Expr, sympy.Expr], term: sympy.Expr, factor: sympy.Expr) -> bool:
    """Whether a sum has a term at least as often."""
    ratio = terms.get(term, sympy.S.Zero) / factor
    return bool(ratio >= 1 - 1e-12)
