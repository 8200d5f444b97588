"""Who takes part: eomc first, then its peers, each a module with a class `Tool`."""

from __future__ import annotations

import importlib

from comparison.contenders.contender import Contender

__all__ = ["CONTENDERS", "HOW", "contender_class"]

CONTENDERS = {
    "eomc": "eomc_",
    "CasADi": "casadi_",
    "Pinocchio": "pinocchio_",
    "MuJoCo": "mujoco_",
    "heyoka": "heyoka_",
    "numba": "numba_",
    "PyDy": "pydy_",
}
"""Names in the table, and modules."""

HOW = {
    "eomc": "one function at a time by its usual options, called from C; ensembles by native=True, math='fast'",
    "CasADi": "SX graphs of articulated and of composite bodies, Jacobians of both and by implicit differentiation, "
    "the fastest of them; its own C by the same compiler and flags, called from C; steps by simpleRK",
    "Pinocchio": "its C++ templates by g++ and the same flags, called from C++ in one loop over states; articulated "
    "bodies in local or world axes, whichever are faster; computeABADerivatives. No call from Python is in it",
    "MuJoCo": "its library as it is installed, called from C: kinematics, composite bodies, factor, bias and solve "
    "alone for accelerations; mj_step by RK4 with contacts, limits and all else off; ensembles by mujoco.rollout",
    "heyoka": "eomc's graph of the right-hand side, compiled by LLVM for this processor; one state at a time for rhs "
    "and steps, vectors of states for ensembles",
    "numba": "KanesMethod, cse, lines as lambdify prints them, with L D L^T beside (elimination with pivots where "
    "speeds are dependent), compiled by LLVM; loops over states are compiled, too",
    "PyDy": "KanesMethod, generate_ode_function by Cython with the same flags, the fastest of its solvers; called from "
    "Python, which is most of its time in small rows",
}
"""How each is asked."""


def contender_class(name: str) -> type[Contender]:
    """Return the class of a contender."""
    tool: type[Contender] = importlib.import_module(f"comparison.contenders.{CONTENDERS[name]}").Tool
    return tool
