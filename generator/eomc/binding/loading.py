"""A build's C, compiled or found compiled, and opened."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.binding.cache import cache_directory, cached_library, key_of
from eomc.binding.calls import real_type
from eomc.binding.compiler import find_compiler
from eomc.binding.contract import Compiled
from eomc.binding.library import Library, open_library
from eomc.binding.shim import library_sources
from eomc.errors import VerificationError
from eomc.ir.program import Program
from eomc.waiting import waiting


def open_build(build: Compiled, flags: Sequence[str] = ()) -> Library:
    """Compile a build, or find it compiled, and open it.

    Parameters
    ----------
    build
        What is compiled.
    flags
        For the compiler, before those that the build needs.

    Raises
    ------
    BuildError
        No compiler is there, or it fails: the message shows its command and its output.
    VerificationError
        The emitted C does not belong to the program.
    """
    sources = library_sources(build)
    compiler = find_compiler((*flags, *build.flags))
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
    return library


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
