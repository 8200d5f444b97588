"""Independent numeric implementation in NumPy, the oracle for everything that eomc derives and emits.

It reads the model and nothing else of eomc: no graph, no lowering, no derivation, no solving. Positions,
velocities and potentials are evaluated as jets (values with first and second derivatives), partial velocities,
accelerations and momenta are their derivatives, and the linear systems are left to `numpy.linalg`.
"""

from __future__ import annotations

import sys
from types import ModuleType

from eomc.model import Model
from eomc.reference.oracle import Reference

__all__ = ["Reference", "reference"]


def reference(model: Model, method: str | None = None) -> Reference:
    """Return the reference of `model` by `method` (None: the native one).

    Parameters
    ----------
    model
        The mechanism.
    method
        ``"kane"``, ``"gibbs-appell"``, ``"lagrange"``, ``"hamilton"`` or ``"hamilton-multipliers"``.

    Raises
    ------
    UsageError
        There is no such method.
    UnsupportedError
        The method cannot serve the model.

    Examples
    --------
    >>> import eomc
    >>> oracle = eomc.reference(eomc.load("simple_pendulum"))
    >>> oracle.rhs(0.0, [0.0, 1.0]).round(3).tolist()
    [1.0, 14.014]
    """
    return Reference(model, method)


class _Callable(ModuleType):
    """``eomc.reference(model)`` is the function, also after an import has put this package in its place."""

    def __call__(self, model: Model, method: str | None = None) -> Reference:
        return reference(model, method)


sys.modules[__name__].__class__ = _Callable
