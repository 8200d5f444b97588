"""Every error that eomc raises on purpose.

::

    EomcError
    ├── UsageError             a command line or a call that cannot be meant: unknown name, wrong type, dt <= 0
    ├── ModelError             the mechanism's description is incomplete or contradicts itself
    │   └── UnsupportedError   well formed, but outside what eomc derives (says what to use instead)
    ├── LoweringError          a SymPy expression that has no meaning in real arithmetic
    ├── DerivationError        the equations of motion do not exist for this model (no inertia, singular kinematics)
    ├── VerificationError      an internal stage broke its own contract: a defect of eomc, never the user's
    ├── RenderError            a template and its view disagree: a defect of eomc
    ├── OutputError            files cannot be written, or a foreign file is in the way
    ├── BuildError             the system compiler is missing or refuses the emitted C
    └── RunError               at run time there is no way on; that of a simulation has its points so far
        ├── SingularSystemError    a pivot vanished: no unique accelerations at this state
        ├── DivergenceError        the state left the finite numbers, or a step is not found: smaller steps may help
        ├── StepError              no step is short enough for the tolerance, or there are too many of them
        └── EventError             events follow each other at one instant without an end

A message says what is wrong, where (model, function, symbol) and what to do.
"""

from __future__ import annotations

from typing import Any


class EomcError(Exception):
    """Root of the tree; the command line turns it into one line and exit code 2.

    Examples
    --------
    >>> import eomc
    >>> try:
    ...     eomc.load("rolling_dsk")
    ... except eomc.EomcError as error:
    ...     print(type(error).__name__)
    UsageError
    """


class UsageError(EomcError):
    """A command line or a call that cannot be meant."""


class ModelError(EomcError):
    """The description of the mechanism is incomplete or contradicts itself.

    Attributes
    ----------
    remedy
        Arguments that would complete it, as Python text such as ``parameters={m: 1.0}``; else empty.
    """

    remedy: str = ""


class UnsupportedError(ModelError):
    """A well-formed model that the asked method cannot serve."""


class LoweringError(EomcError):
    """A SymPy expression that has no meaning in real arithmetic."""


class DerivationError(EomcError):
    """The equations of motion do not exist for this model."""


class VerificationError(EomcError):
    """A stage broke its own contract; please report it."""


class RenderError(EomcError):
    """A template and its view disagree; please report it."""


class OutputError(EomcError):
    """Files cannot be written where they were asked for."""


class BuildError(EomcError):
    """The system compiler is missing, or refuses the emitted C."""


class RunError(EomcError):
    """At run time there is no way on.

    Attributes
    ----------
    trajectory
        The points before, where a simulation raised it (a ``Trajectory``); else None.
    """

    trajectory: Any = None


class SingularSystemError(RunError):
    """At run time a pivot vanished: the accelerations are not determined at this state."""


class DivergenceError(RunError):
    """A simulated motion left the finite numbers, or the iteration of an implicit step does not converge."""


class StepError(RunError):
    """An adaptive run found no step that meets its tolerance, or tried more than it may."""


class EventError(RunError):
    """Events of a simulated motion follow each other at one instant without an end."""
