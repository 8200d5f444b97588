"""A model from its Hamiltonian: q' = dH/dp, p' = -dH/dq + Q.

Source: H. Goldstein, *Classical Mechanics*, sect. 8.1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import sympy

from eomc.frontends.generalized_forces import generalized_forces_of
from eomc.model import Hamiltonian, Model
from eomc.model.arguments import expression_of, expressions_of
from eomc.model.described import Described
from eomc.wording import suggesting


@suggesting
def from_hamiltonian(
    H: sympy.Expr,
    *,
    coordinates: Sequence[sympy.Expr],
    momenta: Sequence[sympy.Expr],
    generalized_forces: Mapping[sympy.Expr, Any] | None = None,
    name: str = "hamiltonian",
    **described: Unpack[Described],
) -> Model:
    """Return the model of the Hamiltonian H(q, p, t).

    Parameters
    ----------
    H
        The Hamiltonian [J], in coordinates, momenta and the time.
    coordinates, momenta
        Time functions q(t) and p(t), in the same order; the state is [q; p; z].
    generalized_forces
        Mapping coordinate -> nonconservative generalized force Q_r(q, p, t), added to p_r'; zero where there is none.
        It may hold q', too, which is dH/dp.
    parameters, initial, inputs, outputs, ranges, events, impacts, extra_states, origin, points, shapes, ground,
    lines, run, unused, name, description
        As for :class:`~eomc.model.model.Model`; initial values are in coordinates and momenta.

    Returns
    -------
    Model
        Its speeds are the momenta.

    Raises
    ------
    ModelError
        Something is missing, listed twice, unused, or of the wrong kind; the message names it.

    Examples
    --------
    >>> import sympy
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> x, p = dynamicsymbols("x p")
    >>> m, k = sympy.symbols("m k")
    >>> from_hamiltonian(p**2 / (2 * m) + k * x**2 / 2, coordinates=[x], momenta=[p], parameters={m: 1, k: 4})
    <eomc.Model 'hamiltonian': Hamiltonian, 1 coordinate, 1 speed>
    """
    q = expressions_of("coordinates", coordinates)
    return Model.of_dynamics(
        Hamiltonian(expression_of("the Hamiltonian", H), generalized_forces_of(q, generalized_forces)),
        name=name,
        coordinates=q,
        speeds=expressions_of("momenta", momenta),
        **described,
    )
