"""A model from a System of sympy.physics.mechanics: bodies, joints, loads, actuators and constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import sympy
from sympy.physics.mechanics import System

from eomc.errors import ModelError
from eomc.frontends.resting import what_moves
from eomc.model import Model
from eomc.model.described import Described
from eomc.wording import suggesting


@suggesting
def from_system(
    system: Any,
    *,
    gravity: Any = None,
    potential_energy: Any = 0,
    dissipation_function: Any = 0,
    reactions: Sequence[sympy.Expr] | Mapping[sympy.Expr, Any] = (),
    name: str = "system",
    **described: Unpack[Described],
) -> Model:
    """Return the model of a ``System``, without forming its equations.

    Parameters
    ----------
    system
        The object. Velocity constraints are the time derivatives of its holonomic constraints and its nonholonomic
        ones, or those that were set. Bodies and loads fixed in its frame are left out. Potential energies of bodies
        count, which ``KanesMethod`` would not read and ``LagrangesMethod`` would: give each force once.
    gravity, potential_energy, dissipation_function
        Further forces beside the loads and actuators: give each force once.
    reactions, extra_states, inputs, outputs, parameters, initial, ranges, events, impacts, origin, points, shapes,
    ground, lines, run, unused, name, description
        As for :class:`~eomc.model.model.Model`.

    Returns
    -------
    Model
        Coordinates and speeds in the order of ``system.q`` and ``system.u``, then the auxiliary speeds.

    Raises
    ------
    ModelError
        `system` is no System, or the model is not well formed.

    Examples
    --------
    >>> import eomc
    >>> from sympy.physics.mechanics import PrismaticJoint, RigidBody, System, dynamicsymbols
    >>> rail, block = RigidBody("rail"), RigidBody("block", mass=2)
    >>> system = System.from_newtonian(rail)
    >>> system.add_joints(PrismaticJoint("slide", rail, block, *dynamicsymbols("q u")))
    >>> eomc.from_system(system, name="block").methods[0]
    'kane'
    """
    if not isinstance(system, System):
        raise ModelError(f"from_system: {type(system).__name__} is no System of sympy.physics.mechanics")
    auxiliary = tuple(speed for speed in system.u_aux if speed not in tuple(system.u))
    return Model(
        name=name,
        inertial_frame=system.frame,
        coordinates=tuple(system.q),
        speeds=(*system.u, *auxiliary),
        kinematical_equations=tuple(system.kdes),
        gravity=gravity,
        dissipation_function=dissipation_function,
        configuration_constraints=tuple(system.holonomic_constraints),
        velocity_constraints=tuple(system.velocity_constraints),
        dependent_coordinates=tuple(system.q_dep),
        dependent_speeds=tuple(system.u_dep),
        auxiliary_speeds=tuple(system.u_aux),
        reactions=reactions,
        **what_moves(system.bodies, [*system.loads, *system.actuators], potential_energy, system.frame),
        **described,
    )
