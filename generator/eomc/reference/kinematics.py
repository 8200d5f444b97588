"""Equations that are linear in unknowns, solved as jets: q' from u, and u from q'."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy

from eomc.errors import ModelError
from eomc.reference.arrays import solve, stack
from eomc.reference.jets import Jet, constant
from eomc.reference.plan import Environment, Plan
from eomc.wording import counted


class Kinematics:
    """The kinematical differential equations: n_q equations, linear in q' and u."""

    def __init__(
        self, equations: Sequence[sympy.Expr], rates: Sequence[sympy.Expr], speeds: Sequence[sympy.Expr]
    ) -> None:
        self.plan = Plan()
        self.rates = tuple(rates)
        self.speeds = tuple(speeds)
        self._places = [self.plan.add(equation) for equation in equations]

    def coordinate_rates(self, environment: Environment, states: int) -> dict[sympy.Basic, Jet]:
        """Return q' from the speeds in `environment`."""
        what = "the kinematic matrix d(equations)/dq'"
        return solve_linear(self.plan, self._places, environment, self.rates, self.speeds, states, what)

    def speeds_of(self, environment: Environment, states: int) -> dict[sympy.Basic, Jet]:
        """Return u from the q' in `environment`; there have to be as many speeds as coordinates."""
        what = "the kinematic matrix d(equations)/du"
        return solve_linear(self.plan, self._places, environment, self.speeds, self.rates, states, what)


def solve_linear(
    plan: Plan,
    places: Sequence[int],
    environment: Environment,
    unknowns: Sequence[sympy.Expr],
    knowns: Sequence[sympy.Expr],
    states: int,
    what: str,
) -> dict[sympy.Basic, Jet]:
    """Return the unknowns that make linear expressions vanish, with their derivatives.

    The coefficients are read off by evaluation, all at once along a further axis: with all unknowns and knowns
    zero, with one unknown after the other one, and with the knowns as they are.
    """
    if len(places) != len(unknowns):
        raise ModelError(
            f"{what} is not square: {counted(len(places), 'equation')} for {counted(len(unknowns), 'unknown')}"
        )
    count = len(unknowns)
    rows = count + 2
    local = dict(environment)
    for index, symbol in enumerate(unknowns):
        column = np.zeros((rows, 1))
        column[index + 1] = 1.0
        local[symbol] = constant(column)
    switch = np.zeros((rows, 1))
    switch[-1] = 1.0
    for symbol in knowns:
        local[symbol] = environment[symbol] * constant(switch)
    results = plan.run(local)
    residuals = stack([results[place] for place in places], (rows, states))
    matrix = stack([residuals[index + 1] - residuals[0] for index in range(count)], (states, count))
    solution = solve(matrix, -residuals[rows - 1], what)
    return {symbol: solution[:, index] for index, symbol in enumerate(unknowns)}
