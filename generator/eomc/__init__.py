"""eomc: an equations-of-motion compiler. Mechanisms in Python, standalone C99 simulators out.

Names are loaded when first used, so that ``import eomc`` and ``eomc --help`` do not wait for SymPy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from eomc.answers import answered_by
from eomc.version import __version__

if TYPE_CHECKING:
    from eomc.analysis.linearization import Linearization as Linearization
    from eomc.analysis.linearization import linearize as linearize
    from eomc.analysis.trimmed import Trim as Trim
    from eomc.analysis.trimming import trim as trim
    from eomc.binding import Ensemble as Ensemble
    from eomc.binding import Samples as Samples
    from eomc.binding import Sensitivities as Sensitivities
    from eomc.binding import Simulator as Simulator
    from eomc.binding import Trajectory as Trajectory
    from eomc.build import Build as Build
    from eomc.build import compile as compile
    from eomc.frontends.hamiltonian import from_hamiltonian as from_hamiltonian
    from eomc.frontends.kanes_method import from_kanes_method as from_kanes_method
    from eomc.frontends.lagranges_method import from_lagranges_method as from_lagranges_method
    from eomc.frontends.lagrangian import from_lagrangian as from_lagrangian
    from eomc.frontends.loading import load as load
    from eomc.frontends.mjcf.front import from_mjcf as from_mjcf
    from eomc.frontends.system import from_system as from_system
    from eomc.frontends.trees import from_tree as from_tree
    from eomc.frontends.urdf.front import from_urdf as from_urdf
    from eomc.model import Event as Event
    from eomc.model import Impact as Impact
    from eomc.model import JointTree as JointTree
    from eomc.model import Model as Model
    from eomc.model import Shape as Shape
    from eomc.printed import Equations as Equations
    from eomc.printed import equations as equations
    from eomc.reference import reference as reference
    from eomc.scenery import Scene as Scene
    from eomc.scenery import scene as scene

answered_by(
    bodies=("eomc.frontends.bodies_of_trees", "bodies_of"),
    methods=("eomc.derivation.methods", "admissible_methods"),
    settled=("eomc.derivation.settling", "settled"),
)

_HOMES = {
    "Build": "eomc.build",
    "Ensemble": "eomc.binding",
    "EomcError": "eomc.errors",
    "Equations": "eomc.printed",
    "Event": "eomc.model",
    "Impact": "eomc.model",
    "JointTree": "eomc.model",
    "Linearization": "eomc.analysis.linearization",
    "Model": "eomc.model",
    "Samples": "eomc.binding",
    "Scene": "eomc.scenery",
    "Shape": "eomc.model",
    "Sensitivities": "eomc.binding",
    "Simulator": "eomc.binding",
    "Trajectory": "eomc.binding",
    "Trim": "eomc.analysis.trimmed",
    "compile": "eomc.build",
    "equations": "eomc.printed",
    "from_hamiltonian": "eomc.frontends.hamiltonian",
    "from_kanes_method": "eomc.frontends.kanes_method",
    "from_lagrangian": "eomc.frontends.lagrangian",
    "from_lagranges_method": "eomc.frontends.lagranges_method",
    "from_system": "eomc.frontends.system",
    "from_tree": "eomc.frontends.trees",
    "from_mjcf": "eomc.frontends.mjcf.front",
    "from_urdf": "eomc.frontends.urdf.front",
    "linearize": "eomc.analysis.linearization",
    "load": "eomc.frontends.loading",
    "reference": "eomc.reference",
    "scene": "eomc.scenery",
    "trim": "eomc.analysis.trimming",
}

__all__ = [
    "Build",
    "Ensemble",
    "EomcError",
    "Equations",
    "Event",
    "Impact",
    "JointTree",
    "Linearization",
    "Model",
    "Samples",
    "Scene",
    "Sensitivities",
    "Shape",
    "Simulator",
    "Trajectory",
    "Trim",
    "__version__",
    "compile",
    "equations",
    "from_hamiltonian",
    "from_kanes_method",
    "from_lagranges_method",
    "from_lagrangian",
    "from_mjcf",
    "from_system",
    "from_tree",
    "from_urdf",
    "linearize",
    "load",
    "reference",
    "scene",
    "trim",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if name == "trees":  # links and joints have a module of their own
        return importlib.import_module("eomc.trees")
    if home is None:
        raise AttributeError(f"module 'eomc' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
