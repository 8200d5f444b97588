"""Two FMUs, and an importer of our own: ctypes and the standard library, no line of eomc."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import eomc
from eomc.fmu import write_fmu

sys.path.insert(0, str(Path(__file__).parent))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what writes further FMUs, or needs importers, to the stage people."""
    if "EOMC_IMPORTERS" not in os.environ:
        skip = pytest.mark.skip(reason="of the stage people: it sets EOMC_IMPORTERS")
        for item in items:
            if item.get_closest_marker("importers"):
                item.add_marker(skip)


@pytest.fixture(scope="module", autouse=True)
def optimization() -> None:
    """Compile as users do: what goes into the file is the subject."""
    return


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write the FMUs of a model with an input and outputs, and of one with neither, but with an event."""
    folder = tmp_path_factory.mktemp("fmu")
    names = ("cart_pole", "bouncing_ball")
    return {name: write_fmu(eomc.compile(eomc.load(name)), folder / f"{name}.fmu") for name in names}
