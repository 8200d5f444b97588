"""A model from its Lagrangian: d/dt(dL/dq') - dL/dq = Q, with constraints adjoined by multipliers.

Source: H. Goldstein, *Classical Mechanics*, sect. 1.4 and 2.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import sympy

from eomc.frontends.generalized_forces import generalized_forces_of
from eomc.model import Lagrangian, Model
from eomc.model.arguments import Equations, equations_of, expression_of, expressions_of
from eomc.model.described import Described
from eomc.model.records import time_of
from eomc.wording import suggesting


@suggesting
def from_lagrangian(
    L: sympy.Expr,
    *,
    coordinates: Sequence[sympy.Expr],
    generalized_forces: Mapping[sympy.Expr, Any] | None = None,
    dissipation_function: Any = 0,
    configuration_constraints: Equations = (),
    velocity_constraints: Equations = (),
    name: str = "lagrangian",
    **described: Unpack[Described],
) -> Model:
    """Return the model of the Lagrangian L(q, q', t).

    Parameters
    ----------
    L
        Kinetic minus potential energy [J], in the coordinates, their time derivatives and the time.
    coordinates
        Time functions q(t), in the order of the state [q; q'; z].
    generalized_forces
        Mapping coordinate -> nonconservative generalized force Q_r(q, q', t); zero where there is none.
    dissipation_function
        F(q, q', t); makes the generalized forces -dF/dq_r' [W].
    configuration_constraints
        Expressions f(q, t) that are zero, SymPy's ``Eq``, or a mapping {left: right}.
    velocity_constraints
        Equations linear in q', given likewise.
    parameters, initial, inputs, outputs, ranges, events, impacts, extra_states, origin, points, shapes, ground,
    lines, run, unused, name, description
        As for :class:`~eomc.model.model.Model`; initial values and ranges of velocities have the key ``q.diff(t)``.

    Returns
    -------
    Model
        Its speeds are the time derivatives of the coordinates, as ``Derivative(q, t)``.

    Raises
    ------
    ModelError
        Something is missing, listed twice, unused, or of the wrong kind; the message names it.

    Examples
    --------
    >>> import sympy
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> theta, t = dynamicsymbols("theta"), dynamicsymbols._t
    >>> m, l, g = sympy.symbols("m l g")
    >>> L = m * l**2 * theta.diff(t) ** 2 / 2 + m * g * l * sympy.cos(theta)
    >>> from_lagrangian(L, coordinates=[theta], parameters={m: 1, l: 1, g: 9.81}, name="pendulum")
    <eomc.Model 'pendulum': Lagrangian, 1 coordinate, 1 speed>
    """
    q = expressions_of("coordinates", coordinates)
    time = time_of(q)
    dynamics = Lagrangian(
        expression_of("the Lagrangian", L),
        generalized_forces_of(q, generalized_forces),
        equations_of("configuration_constraints", configuration_constraints),
        equations_of("velocity_constraints", velocity_constraints),
        expression_of("dissipation_function", dissipation_function),
    )
    return Model.of_dynamics(
        dynamics,
        name=name,
        coordinates=q,
        speeds=tuple(sympy.Derivative(coordinate, time) for coordinate in q),
        **described,
    )
