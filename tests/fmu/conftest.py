"""Two FMUs, and an importer of our own: ctypes and the standard library, no line of eomc."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import eomc
from eomc.fmu import write_fmu

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="module", autouse=True)
def optimization() -> None:
    """Compile as users do: what goes into the file is the subject."""
    return


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write the FMUs of a model with an input and outputs, and of one with neither."""
    folder = tmp_path_factory.mktemp("fmu")
    return {
        name: write_fmu(eomc.compile(eomc.load(name)), folder / f"{name}.fmu") for name in ("cart_pole", "henon_heiles")
    }
