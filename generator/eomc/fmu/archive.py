"""Texts and library -> one file: a zip archive whose bytes follow from what is in it."""

from __future__ import annotations

import io
import os
import platform
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from eomc.binding.compiler import find_compiler
from eomc.errors import OutputError, UnsupportedError, UsageError
from eomc.files import path_of, write_whole
from eomc.fmu.exchange import exchange_of
from eomc.fmu.served import refuse_what_is_not_served
from eomc.fmu.sources import contents_of
from eomc.fmu.standards import Standard, standard_of
from eomc.model.arguments import number_of
from eomc.version import __version__

if TYPE_CHECKING:
    from eomc.build import Build

_ENDINGS = {"linux": "so", "darwin": "dylib", "win32": "dll"}
_SHORT = {  # functions that nobody calls are left out, tables that only C++ and debuggers read, and what lies between
    "linux": (
        "-ffunction-sections", "-fno-asynchronous-unwind-tables", "-fno-plt", "-fno-tree-vectorize",
        "-fno-schedule-insns2", "-falign-functions=1", "-falign-loops=1", "-falign-jumps=1",
        "-Wl,--gc-sections,--build-id=none", "-Wl,--no-eh-frame-hdr,--hash-style=sysv,-z,noseparate-code", "-s",
    )
}  # fmt: skip
_TIME = (1980, 1, 1, 0, 0, 0)  # the first that an archive can hold


def write_fmu(
    build: Build,
    path: str | os.PathLike[str],
    *,
    dt: float | None = None,
    fmi: int = 2,
    exchange: str = "baumgarte",
    gain: float | None = None,
) -> Path:
    """Write a Functional Mock-up Unit, with its sources.

    It is for co-simulation, by the steps of `simulate`, and for model exchange.

    Parameters
    ----------
    build
        Its integrator makes the steps of co-simulation; one that chooses its own has the importer's tolerance.
    path
        The file, whose name ends in ``.fmu``; one that is there is replaced if it is an FMU.
    dt
        The longest step of co-simulation, in s; one that is left of a communication step is shorter. Integrators that
        choose their steps leave it out. None: that of the model's usual run.
    fmi
        The version of the standard: 2 for FMI 2.0, 3 for FMI 3.0.
    exchange
        What keeps constraints in model exchange, whose importer does not: ``baumgarte``, feedback in the rates, or
        ``projection``, after each step of an importer that enters event mode where it is asked to.
    gain
        Both gains of that feedback at the start, baumgarte_alpha and baumgarte_beta, in 1/s. None: the largest rate of
        small motions about the model's start.

    Raises
    ------
    UnsupportedError
        The build has what an FMU has no place for, or the standard has no name for this machine.
    UsageError
        `dt` or `gain` is not a positive number, or no gain can be had; there is no such version, or no such way; or the
        name does not end in ``.fmu``.
    BuildError
        There is no compiler, or it refuses the code.
    OutputError
        The file cannot be written, or a file is there that is no FMU.
    """
    refuse_what_is_not_served(build)
    target = path_of(path)
    if target.suffix != ".fmu":
        raise UsageError(f"{target}: the name of a Functional Mock-up Unit ends in .fmu")
    step = number_of("dt", build.program.run.dt if dt is None else dt, UsageError)
    if not step > 0.0:
        raise UsageError(f"dt must be a positive number of seconds, not {dt!r}")
    standard = standard_of(fmi)
    folder = _folder(standard)
    way = exchange_of(build, exchange, gain)
    contents = contents_of(build.with_steps_alone(), standard, way, step, f"eomc {__version__}")
    compiler = find_compiler((*build.flags, *_SHORT.get(sys.platform, ())))
    library = compiler.shared_library(contents.sources, contents.units)
    files = {
        "modelDescription.xml": contents.description.encode(),
        f"binaries/{folder}/{build.model.name}.{_ENDINGS[sys.platform]}": library,
        **{f"sources/{name}": text.encode() for name, text in sorted(contents.sources.items())},
    }
    _write(target, _packed(files))
    return target


def _folder(standard: Standard) -> str:
    """Return the folder of libraries for this machine."""
    key = (sys.platform, platform.machine(), sys.maxsize > 2**32)
    if key not in standard.folders:
        raise UnsupportedError(
            f"FMI {standard.version} has no name for machines such as this one ({key[0]}, {key[1]}), so that no "
            "importer would find the library: write the FMU on x86-64"
        )
    return standard.folders[key]


def _packed(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files, in their order; no date and no owner are in it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, wherever it is written
            entry.external_attr = (0o755 if name.startswith("binaries/") else 0o644) << 16
            archive.writestr(entry, data, compresslevel=9)
    return stream.getvalue()


def _write(target: Path, data: bytes) -> None:
    """Write a file whole or not at all, over nothing but an FMU."""
    try:
        if target.exists() and not _is_fmu(target):
            raise OutputError(f"{target} is there and is no Functional Mock-up Unit; move it or choose another name")
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, data)
    except OSError as error:
        raise OutputError(f"cannot write {target}: {error.strerror or error}; choose another place") from error


def _is_fmu(path: Path) -> bool:
    """Whether a file is an archive with a description in it."""
    if not path.is_file() or not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return "modelDescription.xml" in archive.namelist()
