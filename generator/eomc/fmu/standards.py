"""The versions of the standard, a row each: what differs between them outside of the description and the C."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from eomc.errors import UsageError
from eomc.fmu import fmi2, fmi3
from eomc.fmu.description import Description

Machine = tuple[str, str, bool]
"""System, processor, and whether addresses have 64 bits."""


@dataclass(frozen=True, slots=True)
class Standard:
    """A version of the Functional Mock-up Interface."""

    version: str
    interface: str  # the C of its functions; no model has this name
    templates: tuple[str, str]  # of its C and of its header
    describe: Callable[[Description], str]
    build: Callable[[Description], str] | None  # a description of how its sources are compiled
    timed: bool  # whether the time is one of the variables
    folders: Mapping[Machine, str]  # of libraries

    @property
    def header(self) -> str:
        """The header of its functions."""
        return self.interface.removesuffix(".c") + ".h"


STANDARDS = MappingProxyType(
    {
        2: Standard(
            "2.0",
            "fmi-2.c",
            ("fmu/fmi2.c.jinja", "fmu/fmi2.h.jinja"),
            fmi2.describe,
            None,
            False,
            {
                ("linux", "x86_64", True): "linux64",
                ("darwin", "x86_64", True): "darwin64",
                ("darwin", "arm64", True): "darwin64",
                ("win32", "AMD64", True): "win64",
            },
        ),
        3: Standard(
            "3.0",
            "fmi-3.c",
            ("fmu/fmi3.c.jinja", "fmu/fmi3.h.jinja"),
            fmi3.describe,
            fmi3.build_description,
            True,
            {
                ("linux", "x86_64", True): "x86_64-linux",
                ("linux", "aarch64", True): "aarch64-linux",
                ("darwin", "x86_64", True): "x86_64-darwin",
                ("darwin", "arm64", True): "aarch64-darwin",
                ("win32", "AMD64", True): "x86_64-windows",
            },
        ),
    }
)
"""By their number."""


def standard_of(fmi: int) -> Standard:
    """Return a version.

    Raises
    ------
    UsageError
        There is none of this number.
    """
    row = next((row for number, row in STANDARDS.items() if number == fmi), None)
    if row is None:
        raise UsageError(f"fmi must be {' or '.join(map(str, STANDARDS))}, not {fmi!r}")
    return row
