"""A model from a KanesMethod of sympy.physics.mechanics, before or after its own derivation.

Nothing is derived here: the kinematical equations come from the implicit matrices k_kqdot q' + k_ku u + f_k = 0
(solving them, as ``kindiffdict`` does, would cost a hundred times the operations for a quaternion), velocity
constraints from k_nh u + f_nh = 0 unless the raw expressions are given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import sympy
from sympy.physics.mechanics import KanesMethod

from eomc.errors import ModelError
from eomc.frontends.resting import what_moves
from eomc.model import Model
from eomc.model.arguments import Equations, sequence_of
from eomc.model.described import Described
from eomc.model.records import time_of
from eomc.model.sympy_private import KaneMatrices, kane_matrices
from eomc.wording import suggesting


@suggesting
def from_kanes_method(
    kane: Any,
    *,
    bodies: Sequence[Any] | None = None,
    loads: Sequence[Any] | None = None,
    kinematical_equations: Equations | None = None,
    configuration_constraints: Equations | None = None,
    velocity_constraints: Equations | None = None,
    gravity: Any = None,
    potential_energy: Any = 0,
    dissipation_function: Any = 0,
    reactions: Sequence[sympy.Expr] | Mapping[sympy.Expr, Any] = (),
    name: str = "kane",
    **described: Unpack[Described],
) -> Model:
    """Return the model of a ``KanesMethod``, without running its derivation.

    Parameters
    ----------
    kane
        The object; ``kanes_equations`` may have been called or not.
    bodies, loads
        What ``kanes_equations`` would be called with; needed if `kane` has not got them. Bodies and loads fixed in the
        inertial frame are left out.
    kinematical_equations, configuration_constraints, velocity_constraints
        Used instead of what `kane` has. SymPy does not keep velocity constraints as they were written; giving the raw
        expressions makes the derived program shorter.
    gravity, potential_energy, dissipation_function
        Further forces beside the loads: give each force once. Potential energies of bodies, which ``KanesMethod`` does
        not read, count too.
    reactions, extra_states, inputs, outputs, parameters, initial, ranges, events, impacts, origin, points, shapes,
    ground, lines, run, unused, name, description
        As for :class:`~eomc.model.model.Model`.

    Returns
    -------
    Model
        Coordinates and speeds in the order of ``kane.q`` and ``kane.u``, then the auxiliary speeds.

    Raises
    ------
    ModelError
        `kane` is no KanesMethod, lacks bodies, loads or kinematical equations, or the model is not well formed.

    Examples
    --------
    >>> import eomc
    >>> from sympy import symbols
    >>> from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols
    >>> q, u = dynamicsymbols("q u")
    >>> m, k, N, O = *symbols("m k"), ReferenceFrame("N"), Point("O")
    >>> O.set_vel(N, 0)
    >>> P = O.locatenew("P", q * N.x)
    >>> P.set_vel(N, u * N.x)
    >>> kane = KanesMethod(N, q_ind=[q], u_ind=[u], kd_eqs=[q.diff() - u])
    >>> block = {"bodies": [Particle("block", P, m)], "loads": [(P, -k * q * N.x)], "parameters": {m: 2.0, k: 50.0}}
    >>> eomc.from_kanes_method(kane, name="block", **block)
    <eomc.Model 'block': MechanicalSystem, 1 coordinate, 1 speed>
    """
    if not isinstance(kane, KanesMethod):
        raise ModelError(f"from_kanes_method: {type(kane).__name__} is no KanesMethod of sympy.physics.mechanics")
    given = kane_matrices(kane)
    if bodies is None and given.bodies is None:
        raise ModelError(
            "this KanesMethod does not know its bodies and loads before kanes_equations: give bodies=[...] and "
            "loads=[...]"
        )
    if loads is None and given.loads is None and bodies is not None:
        raise ModelError(
            "this KanesMethod does not know its loads before kanes_equations: give loads=[...], empty if there are none"
        )
    known_bodies = sequence_of("bodies", given.bodies if bodies is None else bodies)
    known_loads = sequence_of("loads", (given.loads or ()) if loads is None else loads)
    if kinematical_equations is None:
        kinematical_equations = _kinematics(given)
    if velocity_constraints is None:
        velocity_constraints = _linear((given.k_nh, given.speeds), constant=tuple(given.f_nh))
    auxiliary = [speed for speed in given.auxiliary_speeds if speed not in given.speeds]
    return Model(
        name=name,
        inertial_frame=given.inertial_frame,
        coordinates=given.coordinates,
        speeds=(*given.speeds, *auxiliary),
        kinematical_equations=kinematical_equations,
        gravity=gravity,
        dissipation_function=dissipation_function,
        configuration_constraints=(
            given.configuration_constraints if configuration_constraints is None else configuration_constraints
        ),
        velocity_constraints=velocity_constraints,
        dependent_coordinates=given.dependent_coordinates,
        dependent_speeds=given.dependent_speeds,
        auxiliary_speeds=given.auxiliary_speeds,
        reactions=reactions,
        **what_moves(known_bodies, known_loads, potential_energy, given.inertial_frame),
        **described,
    )


def _kinematics(given: KaneMatrices) -> tuple[sympy.Expr, ...]:
    """Return the kinematical equations k_kqdot q' + k_ku u + f_k."""
    if not given.k_kqdot:
        raise ModelError("this KanesMethod has no kinematical equations: give kinematical_equations=[...]")
    time = time_of((*given.coordinates, *given.speeds))
    rates = tuple(sympy.Derivative(coordinate, time) for coordinate in given.coordinates)
    return _linear((given.k_kqdot, rates), (given.k_ku, given.speeds), constant=tuple(given.f_k))


def _linear(
    *terms: tuple[sympy.Matrix, tuple[sympy.Expr, ...]], constant: tuple[sympy.Expr, ...]
) -> tuple[sympy.Expr, ...]:
    """Return the rows of sum matrix @ unknowns + constant, as written expressions; zero entries are left out."""
    return tuple(
        sympy.Add(
            *(
                entry * unknown
                for matrix, unknowns in terms
                for entry, unknown in zip(matrix.row(row), unknowns, strict=True)
                if entry != 0
            ),
            value,
        )
        for row, value in enumerate(constant)
    )
