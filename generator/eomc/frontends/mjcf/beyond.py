"""What of a compiled model has a part in MuJoCo's motion and none in the tree's, as sentences.

Fields that a version of MuJoCo has not are of no effect there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from eomc.frontends.mjcf.switches import Switches


def of_the_whole(m: Any, on: Switches) -> Iterator[str]:
    """Tell what no single joint, tendon or actuator has."""
    touching = any(m.geom_contype[g] or m.geom_conaffinity[g] for g in range(m.ngeom)) or m.npair
    if touching and on.contacts:
        yield "contacts of shapes are left out: impacts= of a model has gaps that impulses keep open"
    if (m.opt.density or m.opt.viscosity) and on.floats:
        yield "forces of the medium (density, viscosity) are left out"
    if m.nplugin:
        yield "plugins are left out"


def of_joints(m: Any, names: Sequence[str], on: Switches) -> Iterator[str]:
    """Tell of weights that actuators take away: within their limits, and not where there is no actuator."""
    lifted = getattr(m, "jnt_actgravcomp", [0] * m.njnt)
    if not (any(m.body_gravcomp) and on.gravity):
        return
    for k, name in enumerate(names):
        if lifted[k] and (m.jnt_actfrclimited[k] or not (len(m.actuator_trntype) and on.actuators)):
            yield (
                f"joint {name!r}: actuators take the weight away (actuatorgravcomp), within their limits alone; here "
                f"it is taken away whole"
            )


def of_tendon(m: Any, k: int, name: str, on: Switches) -> Iterator[str]:
    """Tell what of a tendon along joints is no load."""
    if _at(m, "tendon_armature", k):
        yield f"tendon {name!r}: its armature is left out"
    if m.tendon_frictionloss[k] and on.friction:
        yield f"tendon {name!r}: its dry friction is left out"
    if m.tendon_limited[k] and on.limits:
        yield f"tendon {name!r}: its limits are left out"
    if _at(m, "tendon_actfrclimited", k):
        yield f"tendon {name!r}: forces of its actuators are not held in actuatorfrcrange"


def of_actuators(m: Any, names: Sequence[str], on: Switches) -> Iterator[str]:
    """Tell what of actuators is there without their control, also where they are switched off or not wanted."""
    for k, name in enumerate(names):
        if _at(m, "actuator_armature", k):
            yield f"actuator {name!r}: its armature is left out"
        if any([_at(m, "actuator_damping", k), *_row(m, "actuator_dampingpoly", k)]) and on.dampers:
            yield f"actuator {name!r}: its damping is left out"


def delayed(m: Any, k: int) -> bool:
    """Whether an actuator has its control later than it is given."""
    return bool(_at(m, "actuator_delay", k))


def nonlinear(m: Any, fields: Mapping[str, int]) -> bool:
    """Whether one of these has an entry that is not zero: coefficients beyond the linear one, and where springs yield.

    Parameters
    ----------
    m
        The compiled model.
    fields
        Names of fields, with the row of each.
    """
    return any(any(_row(m, field, k)) for field, k in fields.items())


def _at(m: Any, field: str, k: int) -> float:
    found = getattr(m, field, None)
    return 0.0 if found is None else float(found[k])


def _row(m: Any, field: str, k: int) -> list[float]:
    """Return the entries of one row; of a field that has one for each, this one."""
    found = getattr(m, field, None)
    if found is None:
        return []
    return [float(one) for one in (found[k] if hasattr(found[k], "__len__") else [found[k]])]
