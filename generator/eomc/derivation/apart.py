"""Generalized active and inertia forces apart, as text-books write them: F_r + F*_r = 0.

F_r are those of weights, loads, potentials and dissipation; F*_r = -dS/du'_r of the Gibbs function S, with u' in them
(Kane & Levinson, *Dynamics* (1985), sections 4.4 and 4.11). They are made for reading only: the equations that are
solved are derived with both in one sweep.
"""

from __future__ import annotations

from eomc.derivation.bodies import BodySystem
from eomc.derivation.forces import active_seeds, generalized_forces, potential_seeds, weight_seeds
from eomc.derivation.gibbs_appell import gibbs_function
from eomc.derivation.problem import Problem
from eomc.errors import UsageError
from eomc.ir.equations import ForcesApart
from eomc.model.parts import MechanicalSystem
from eomc.passes.differentiate import depends_on, vjp
from eomc.passes.shorten import shorten


def forces_apart(problem: Problem) -> ForcesApart:
    """Return F_r and F*_r of all speeds, dependent ones included, on the graph of a derived problem.

    Raises
    ------
    UsageError
        The model has no bodies, or loads that follow reactions.
    """
    graph, system = problem.graph, problem.model.dynamics
    if not isinstance(system, MechanicalSystem):
        raise UsageError(
            f"{problem.model.name}: forces are told apart for bodies and loads; this model is not made of them"
        )
    bodies = BodySystem(problem)
    loads = [*weight_seeds(bodies), *active_seeds(bodies), *potential_seeds(problem, system)]
    active = shorten(graph, generalized_forces(problem, loads, system))
    if depends_on(graph, active, problem.symbols.reactions):
        raise UsageError(
            f"{problem.model.name}: forces that follow reactions are solved together with the motion; "
            "print this model without forces='apart'"
        )
    inertia = shorten(graph, vjp(graph, [(gibbs_function(bodies).node, graph.constant(-1))], problem.u_dots))
    return ForcesApart(tuple(active), tuple(inertia), tuple(problem.u_dots))
