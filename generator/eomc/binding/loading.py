"""A build's C, compiled or found compiled, and opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.binding.cache import cache_directory, cached_library, key_of
from eomc.binding.calls import real_type
from eomc.binding.compiler import find_compiler
from eomc.binding.contract import Compiled
from eomc.binding.library import Library, open_library
from eomc.binding.shim import library_sources
from eomc.errors import VerificationError
from eomc.programs.choice import FURTHER, base_of, belongs_to_a_trajectory
from eomc.waiting import waiting


@dataclass(frozen=True, slots=True)
class Source:
    """All that a library is made of: a value, which may go to another machine and be compiled there."""

    name: str
    what: str  # of the model is in it, for people who wait
    real: str  # "double" or "float"
    files: tuple[tuple[str, str], ...]  # name, text
    flags: tuple[str, ...]  # for the compiler, after those of the environment
    defaults: tuple[tuple[str, tuple[float, ...]], ...]  # what, and their values in the order of the C

    def opened(self) -> Library:
        """Compile it, or find it compiled, and open it.

        Raises
        ------
        BuildError
            No compiler is there, or it fails: the message shows its command and its output.
        VerificationError
            The emitted C does not belong to the program.
        """
        compiler = find_compiler(self.flags)
        key = key_of([*(text for file in self.files for text in file), compiler.identity()])

        def compiled() -> bytes:
            place = f"kept in {cache_directory()} for the next time"
            with waiting(f"{compiler.command[0]} compiles {self.name} ({self.what}); {place}"):
                return compiler.shared_library(dict(self.files))

        library = open_library(cached_library(key, compiled), self.real)
        self._verify(library)
        return library

    def _verify(self, library: Library) -> None:
        """Make sure that the C's structs and arrays have the order of the program: their defaults are compared."""
        import numpy as np

        model = library.model
        pointers = (model.initial_state, model.default_inputs, model.default_parameters)
        for (what, values), pointer in zip(self.defaults, pointers, strict=True):
            expected = np.array(values).astype(real_type(library))
            if not np.array_equal(library.array(pointer, len(values)), expected, equal_nan=True):
                raise VerificationError(f"{self.name}: the {what} of the emitted C differ from the program's")


def source_of(build: Compiled, flags: Sequence[str] = ()) -> Source:
    """Return what a build's library is made of.

    Parameters
    ----------
    build
        What is compiled.
    flags
        For the compiler, before those that the build needs.
    """
    program = build.program
    variables = (("states", program.states), ("inputs", program.inputs), ("parameters", program.parameters))
    return Source(
        build.model.name,
        _what(build),
        build.real,
        tuple(sorted(library_sources(build).items())),
        (*flags, *build.flags),
        tuple((what, tuple(one.value for one in some)) for what, some in variables),
    )


def _what(build: Compiled) -> str:
    """Return what a library is made for, in words: a run is made for its steps, whatever else its points have."""
    if build.functions is None:
        return "its usual functions"
    steps = build.integrator
    named = [(name, base_of(name)) for name in build.functions if name not in steps.needed]
    beside = [name for name, base in named if base in FURTHER or not belongs_to_a_trajectory(base)]
    return ", ".join(beside) or f"steps of {steps.name}"


def open_build(build: Compiled) -> Library:
    """Compile a build, or find it compiled, and open it: `Source.opened` of its `source_of`."""
    return source_of(build).opened()
