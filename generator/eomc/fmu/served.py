"""Which builds an FMU can be made of, so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.errors import UnsupportedError, UsageError
from eomc.fmu.variables import outputs_of

if TYPE_CHECKING:
    from eomc.build import Build


def refuse_what_is_not_served(build: Build) -> None:
    """Make sure that an FMU says all that a build does.

    Raises
    ------
    UsageError
        It was compiled without the outputs of its model.
    UnsupportedError
        What the build has that an FMU has no place for, and what to do.
    """
    name = build.model.name
    if build.real != "double":
        raise UnsupportedError(f"{name}: an FMU has numbers in double precision; leave out --real float")
    if build.model.outputs and outputs_of(build.program) is None:
        raise UsageError(f"{name}: it has outputs, and was compiled without: have outputs among its functions")
