"""Files of trajectories: what each ending means, and which package it needs."""

from __future__ import annotations

import importlib.util
import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eomc.binding.plotting import Columns
from eomc.binding.table import table_text
from eomc.errors import OutputError
from eomc.files import path_of, whole


@dataclass(frozen=True, slots=True)
class Recorded:
    """A run as a file holds it."""

    model: str
    method: str
    real: str
    columns: Columns  # time, states, outputs
    further: Columns  # inputs, energies, events: what the emitted main does not print


def _write_csv(run: Recorded, path: Path) -> None:
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(table_text([q.name for q, _ in run.columns], [values for _, values in run.columns], run.real))


def _write_npz(run: Recorded, path: Path) -> None:
    """Write an array for each column, as ``numpy.savez_compressed`` does, whatever the names."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for quantity, values in (*run.columns, *run.further):
            with archive.open(zipfile.ZipInfo(f"{quantity.name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, values, allow_pickle=False)


def _write_parquet(run: Recorded, path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = (*run.columns, *run.further)
    fields = [pyarrow.field(q.name, pyarrow.float64(), metadata={"unit": q.unit, "group": q.group}) for q, _ in columns]
    about = {"model": run.model, "method": run.method}
    arrays = [pyarrow.array(values) for _, values in columns]
    parquet.write_table(pyarrow.table(arrays, pyarrow.schema(fields, metadata=about)), path)


def _write_hdf5(run: Recorded, path: Path) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        file.attrs["model"], file.attrs["method"] = run.model, run.method
        for quantity, values in (*run.columns, *run.further):
            dataset = file.create_dataset(quantity.name, data=values)
            dataset.attrs["unit"], dataset.attrs["group"] = quantity.unit, quantity.group


@dataclass(frozen=True, slots=True)
class _Format:
    write: Callable[[Recorded, Path], None]
    package: str = ""  # that it needs beside NumPy
    extra: str = ""  # of eomc, which brings it


_FORMATS = {
    ".csv": _Format(_write_csv),
    ".npz": _Format(_write_npz),
    ".parquet": _Format(_write_parquet, "pyarrow", "parquet"),
    ".h5": _Format(_write_hdf5, "h5py", "hdf5"),
}
ENDINGS = tuple(_FORMATS)


def _format_of(path: Path, asked: str = "") -> _Format:
    """Return what a file's ending means, CSV where it has none, as ``/dev/stdout``.

    Parameters
    ----------
    path
        The file.
    asked
        What messages begin with.

    Raises
    ------
    OutputError
        The ending is unknown, or what it needs is not installed.
    """
    ending = path.suffix.lower() or ".csv"
    if ending not in _FORMATS:
        raise OutputError(
            f"{asked}{path}: a trajectory is written as {', '.join(ENDINGS)}, not as {ending}; name it so"
        )
    found = _FORMATS[ending]
    if found.package:
        needed(found.package, found.extra, f"{asked}{path}: {ending}")
    return found


def refuse_unwritable(path: str | os.PathLike[str], asked: str = "") -> None:
    """Say before a run what would keep its trajectory from being written there: an ending, or a missing package.

    Parameters
    ----------
    path
        The file.
    asked
        What the message begins with: the option that names the file.

    Raises
    ------
    OutputError
        So it is.
    """
    _format_of(path_of(path, asked), asked)


def save(run: Recorded, path: str | os.PathLike[str]) -> None:
    """Write a run in the format of the file's ending; a file that is there stays until the new one is whole.

    Raises
    ------
    OutputError
        The ending is unknown, what it needs is not installed, or the file cannot be written.
    """
    target = path_of(path)
    chosen = _format_of(target)
    try:
        with whole(target) as place:
            chosen.write(run, place)
    except OSError as error:
        why = error.strerror or str(error)
        raise OutputError(f"the trajectory cannot be written to {os.fspath(path)!r}: {why}") from error


def needed(package: str, extra: str, what: str) -> None:
    """Make sure of a package that an extra of eomc brings, without importing it.

    Raises
    ------
    OutputError
        It is not installed; the message names `what` needs it.
    """
    if importlib.util.find_spec(package) is None:
        raise OutputError(f"{what} needs {package}: pip install 'eomc[{extra}]'")
