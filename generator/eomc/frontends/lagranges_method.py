"""A model from a LagrangesMethod of sympy.physics.mechanics, before or after its own derivation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import sympy
from sympy.physics.mechanics import LagrangesMethod

from eomc.errors import ModelError
from eomc.frontends.generalized_forces import virtual_power_forces
from eomc.frontends.lagrangian import from_lagrangian
from eomc.model import Model
from eomc.model.arguments import Equations, mapping_of
from eomc.model.described import Described
from eomc.model.loads import loads_of
from eomc.model.parts import Actuator, Lagrangian
from eomc.model.sympy_private import lagrange_constraints, lagrangian_of
from eomc.wording import suggesting


@suggesting
def from_lagranges_method(
    lagrange: Any,
    *,
    loads: Sequence[Any] | None = None,
    inertial_frame: Any = None,
    generalized_forces: Mapping[sympy.Expr, Any] | None = None,
    dissipation_function: Any = 0,
    configuration_constraints: Equations | None = None,
    velocity_constraints: Equations | None = None,
    name: str = "lagrange",
    **described: Unpack[Described],
) -> Model:
    """Return the model of a ``LagrangesMethod``, without running its derivation.

    Parameters
    ----------
    lagrange
        The object; ``form_lagranges_equations`` may have been called or not.
    loads, inertial_frame
        Nonconservative forces and torques and the frame of their velocities, instead of those of `lagrange`; they
        become generalized forces Q_r = sum F . dv/dq_r' + sum T . domega/dq_r'.
    generalized_forces
        Further generalized forces, added to those.
    dissipation_function
        F(q, q', t); makes the generalized forces -dF/dq_r' beside all those [W].
    configuration_constraints, velocity_constraints
        Used instead of what `lagrange` has.
    parameters, initial, inputs, outputs, ranges, events, impacts, extra_states, origin, points, shapes, ground,
    lines, run, unused, name, description
        As for :func:`~eomc.frontends.lagrangian.from_lagrangian`.

    Returns
    -------
    Model
        A Lagrangian with the coordinates in the order of ``lagrange.q``.

    Raises
    ------
    ModelError
        `lagrange` is no LagrangesMethod, has loads but no frame, or the model is not well formed.

    Examples
    --------
    >>> import eomc
    >>> from sympy import symbols
    >>> from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols
    >>> q, (m, k) = dynamicsymbols("q"), symbols("m k")
    >>> lagrange = LagrangesMethod(m * q.diff() ** 2 / 2 - k * q**2 / 2, [q])
    >>> eomc.from_lagranges_method(lagrange, name="block", parameters={m: 2.0, k: 50.0}).methods
    ('lagrange', 'kane', 'hamilton')
    """
    if not isinstance(lagrange, LagrangesMethod):
        raise ModelError(
            f"from_lagranges_method: {type(lagrange).__name__} is no LagrangesMethod of sympy.physics.mechanics"
        )
    coordinates = tuple(lagrange.q)
    frame = lagrange.inertial if inertial_frame is None else inertial_frame
    known_loads, actuators = loads_of((lagrange.forcelist or ()) if loads is None else loads)
    forces = dict(mapping_of("generalized_forces", generalized_forces))
    for coordinate, force in virtual_power_forces(coordinates, known_loads, frame).items():
        forces[coordinate] = force + forces.get(coordinate, 0)
    configuration, velocity = lagrange_constraints(lagrange)
    model = from_lagrangian(
        lagrangian_of(lagrange),
        coordinates=coordinates,
        generalized_forces=forces,
        dissipation_function=dissipation_function,
        configuration_constraints=configuration if configuration_constraints is None else configuration_constraints,
        velocity_constraints=velocity if velocity_constraints is None else velocity_constraints,
        name=name,
        **described,
    )
    if not actuators:
        return model
    members_of = [known_loads[one.first : one.first + one.count] for one in actuators]
    given = [tuple(virtual_power_forces(coordinates, members, frame).values()) for members in members_of]
    return _settled(model, frame, list(zip(actuators, given, strict=True)))


def _settled(model: Model, frame: Any, actuators: Sequence[tuple[Actuator, tuple[sympy.Expr, ...]]]) -> Model:
    """Return the model with the generalized forces of those actuators turned that do the opposite of what they say."""
    from eomc.derivation.settling import settled_forces

    dynamics = model.dynamics
    assert isinstance(dynamics, Lagrangian)
    forces = dynamics.generalized_forces
    for (_, own), factor in zip(actuators, settled_forces(model, frame, actuators), strict=True):
        if factor != 1:
            forces = tuple(force + (factor - 1) * part for force, part in zip(forces, own, strict=True))
    return model.with_dynamics(replace(dynamics, generalized_forces=forces))
