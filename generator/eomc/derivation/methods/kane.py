"""Kane's method: of bodies by partial velocities, of a Lagrangian by its kinetic energy."""

from __future__ import annotations

from dataclasses import replace

from eomc.derivation.kane import derive_kane
from eomc.derivation.lagrange import kinetic_form
from eomc.derivation.methods.in_speeds import InSpeeds, derive_in_speeds, summary_in_speeds
from eomc.derivation.methods.in_velocities import InVelocities, derive_in_velocities
from eomc.derivation.methods.record import Derivation
from eomc.derivation.problem import Problem
from eomc.derivation.source import Source
from eomc.derivation.states import rate_names
from eomc.derivation.trees.equations import derive_tree
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.method import Method, SecondHalf
from eomc.model.parts import MechanicalSystem
from eomc.model.trees.tree import JointTree
from eomc.passes.differentiate import gradient


def _with_active_forces(problem: Problem, source: Source) -> Source:
    """Return K = L - L(q' = 0), what q' brings into L, with the forces Q - dV/dq beside it.

    Kane's generalized inertia forces are dK/dq - d/dt(dK/dq') (Kane & Levinson, *Dynamics* (1985), section 5.6).
    """
    graph = problem.graph
    at_rest = problem.still(source.full)
    kinetic = kinetic_form(problem, graph.sub(source.full, at_rest))
    slopes = gradient(graph, at_rest, problem.q)
    forces = [graph.add(force, slope) for force, slope in zip(source.forces, slopes, strict=True)]
    return replace(source, forms=[kinetic], forces=forces)


_BODIES = InSpeeds(
    solve=derive_kane,
    matrix_title="mass matrix: M_rs = sum m v_r.v_s + w_r.I.w_s",
    forcing_title="generalized active and inertia forces without u': f",
)
_LAGRANGIAN = InVelocities(
    prepare=_with_active_forces,
    labels=rate_names,
    matrix_title="mass matrix: M = d2K/dq'2",
    forcing_title="generalized active forces Q - dV/dq and inertia forces dK/dq - d/dt(dK/dq') without q'': f",
    summary=summary_in_speeds,
)


def _derive(method: Method, problem: Problem) -> EquationsOfMotion:
    if isinstance(problem.model.dynamics, JointTree):
        return derive_tree(method, problem)
    if isinstance(problem.model.dynamics, MechanicalSystem):
        return derive_in_speeds(method, problem, _BODIES)
    return derive_in_velocities(method, problem, _LAGRANGIAN)


KANE = Derivation(
    name="kane",
    second=SecondHalf.SPEEDS,
    title="Kane's method",
    authors="Kane",
    native=MechanicalSystem,
    refusal=lambda model: "",
    needs=frozenset(),
    derive=_derive,
)
