"""Python and the packages that eomc's own metadata ask for, by what is installed and without importing any."""

from __future__ import annotations

import platform
import re
import sys
from importlib import metadata
from typing import NamedTuple

from eomc.doctor.finding import Finding
from eomc.version import __version__

EXTRAS = {
    "plot": "figures of trajectories",
    "pictures": "pictures that move in .webp",
    "pandas": "trajectories as data frames",
    "xarray": "trajectories as datasets",
    "parquet": "files in .parquet",
    "hdf5": "files in .h5",
    "control": "linearizations for python-control",
    "mjcf": "robots in MJCF",
    "units": "units that SI does not have",
    "dask": "ensembles on a cluster",
}
"""The extras of users, and what each is for."""

_REQUIREMENT = re.compile(
    r"(?P<package>[\w.-]+)\s*(?:\[[^\]]*\])?\s*\(?(?P<range>[^;)]*)\)?\s*(?:;.*extra == ['\"](?P<extra>[\w-]+)['\"])?"
)


class Requirement(NamedTuple):
    """A package, its least version and the extra that asks for it."""

    package: str
    least: str  # "" for any
    extra: str  # "" for every use


def requirements(lines: list[str]) -> list[Requirement]:
    """Return what lines of metadata (Requires-Dist) ask for."""
    found = []
    for line in lines:
        match = _REQUIREMENT.match(line)
        if match:
            least = re.search(r">=\s*([\w.]+)", match["range"])
            found.append(Requirement(match["package"], least[1] if least else "", match["extra"] or ""))
    return found


def find_needed_packages() -> list[Finding]:
    """Return eomc, Python, and the packages that every use needs."""
    found = [
        _itself(),
        Finding("Python", True, True, f"{platform.python_version()}, {sys.executable}"),
    ]
    for one in _asked():
        if not one.extra:
            found.append(_package(one.package, one, f"pip install '{one.package}>={one.least}'", is_needed=True))
    return found


def find_extras() -> list[Finding]:
    """Return the packages of each extra that users may want."""
    asked = _asked()
    return [
        _package(f"extra {extra}", one, f"pip install 'eomc[{extra}]', for {use}", is_needed=False)
        for extra, use in EXTRAS.items()
        for one in asked
        if one.extra == extra
    ]


def _asked() -> list[Requirement]:
    """Return what the installed eomc asks for: nothing where its folder is merely on the path."""
    try:
        return requirements(metadata.requires("eomc") or [])
    except metadata.PackageNotFoundError:
        return []


def _itself() -> Finding:
    """Return which eomc this is; packages are not known of one whose folder is merely on the path."""
    try:
        metadata.version("eomc")
    except metadata.PackageNotFoundError:
        return Finding(
            "eomc", False, False, f"{__version__}, not installed: its packages are not known", "pip install ."
        )
    return Finding("eomc", True, True, __version__)


def _package(name: str, asked: Requirement, remedy: str, *, is_needed: bool) -> Finding:
    """Return what is installed of a package."""
    label = "" if name == asked.package else f"{asked.package} "
    try:
        version = metadata.version(asked.package)
    except metadata.PackageNotFoundError:
        return Finding(name, is_needed, False, f"{label}is not installed", remedy)
    if _numbers(version) < _numbers(asked.least):
        return Finding(name, is_needed, False, f"{label}{version} is older than {asked.least}", remedy)
    return Finding(name, is_needed, True, f"{label}{version}")


def _numbers(version: str) -> tuple[int, ...]:
    """Return the numbers that a version begins with: 2.1.0rc1 -> 2, 1, 0."""
    leading = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(int(part) for part in leading[0].split(".")) if leading else ()
