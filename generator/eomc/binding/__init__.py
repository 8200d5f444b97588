"""The emitted C in Python: compiled by the system's compiler, cached by content, loaded by cffi.

::

    contract     what a build must offer
    compiler     $CC, $CFLAGS -> shared library
    cache        texts, flags and compiler -> file
    shim         private C with entry points over flat arrays
    library      cffi's view of the file
    later        further libraries, when they are first asked for
    loading      a build -> that view
    calls        buffers of a thread, prepared constants
    vectors      names <-> arrays
    sources      inputs, held or following functions of time
    evaluation   one function at one state or at many
    columns      the same at states as columns, as SciPy has them
    simulator    what users call
    samples      inputs as a table over time
    integration  runs in fixed steps
    adaptive     runs to a tolerance; controls checks what they may take, feeding gives them inputs
    controllers  what is called at sample times of a run; steps makes single ones
    trajectory   their result; along and interpolation know more of it, plotting draws it, saving and frames hand it on
    table        the CSV of it, decimals in C where it is long
    ensemble     many runs at once
    sensitivity  how a run depends on its start and on parameters
"""

from __future__ import annotations

from eomc.binding.contract import Compiled
from eomc.binding.ensemble.result import Ensemble
from eomc.binding.loading import open_build
from eomc.binding.samples import Samples
from eomc.binding.sensitivity.result import Sensitivities
from eomc.binding.simulator import Simulator
from eomc.binding.trajectory import Trajectory

__all__ = ["Ensemble", "Samples", "Sensitivities", "Simulator", "Trajectory", "load"]


def load(build: Compiled) -> Simulator:
    """Compile a build, or find it compiled, and return its simulator.

    Raises
    ------
    BuildError
        No compiler is there, or it fails: the message shows its command and its output.
    VerificationError
        The emitted C does not belong to the program.
    """
    return Simulator(build, open_build(build), load)
