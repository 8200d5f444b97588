"""The emitted C in Python: compiled by the system's compiler, cached by content, loaded by cffi.

::

    contract     what a build must offer
    compiler     $CC, $CFLAGS -> shared library
    cache        texts, flags and compiler -> file
    shim         private C with entry points over flat arrays
    library      cffi's view of the file
    later        further libraries, when they are first asked for
    calls        buffers of a thread, prepared constants
    vectors      names <-> arrays
    sources      inputs, held or following functions of time
    evaluation   one function at one state or at many
    columns      the same at states as columns, as SciPy has them
    simulator    what users call
    integration  fixed-step runs
    trajectory   their result; along and interpolation know more of it, plotting draws it, saving and frames hand it on
    table        the CSV of it, decimals in C where it is long
"""

from __future__ import annotations

from eomc.binding.cache import cache_directory, cached_library, key_of
from eomc.binding.calls import real_type
from eomc.binding.compiler import find_compiler
from eomc.binding.contract import Compiled
from eomc.binding.library import Library, open_library
from eomc.binding.shim import library_sources
from eomc.binding.simulator import Simulator
from eomc.binding.trajectory import Trajectory
from eomc.errors import VerificationError
from eomc.ir.program import Program
from eomc.waiting import waiting

__all__ = ["Simulator", "Trajectory", "load"]


def load(build: Compiled) -> Simulator:
    """Compile a build, or find it compiled, and return its simulator.

    Raises
    ------
    BuildError
        No compiler is there, or it fails: the message shows its command and its output.
    VerificationError
        The emitted C does not belong to the program.
    """
    sources = library_sources(build)
    compiler = find_compiler(build.flags)
    texts = [text for name in sorted(sources) for text in (name, sources[name])]
    key = key_of([*texts, compiler.identity()])

    def compiled() -> bytes:
        what = "its usual functions" if build.functions is None else ", ".join(build.functions) or "its steps"
        command = compiler.command[0]
        with waiting(f"{command} compiles {build.model.name} ({what}); kept in {cache_directory()} for the next time"):
            return compiler.shared_library(sources)

    path = cached_library(key, compiled)
    library = open_library(path, build.real)
    _verify(build.program, library)
    return Simulator(build, library, load)


def _verify(program: Program, library: Library) -> None:
    """Make sure that the C's structs and arrays have the order of the program: their defaults are compared."""
    import numpy as np

    for what, variables, pointer in (
        ("states", program.states, library.model.initial_state),
        ("inputs", program.inputs, library.model.default_inputs),
        ("parameters", program.parameters, library.model.default_parameters),
    ):
        expected = np.array([variable.value for variable in variables]).astype(real_type(library))
        if not np.array_equal(library.array(pointer, len(variables)), expected, equal_nan=True):
            raise VerificationError(f"{program.name}: the {what} of the emitted C differ from the program's")
