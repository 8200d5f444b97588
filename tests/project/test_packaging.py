"""The wheel: what is in it, and that it works without the checkout."""

from __future__ import annotations

import email
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

import eomc

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of this checkout: that of `make wheel`, else one that is built here."""
    if "EOMC_WHEEL" in os.environ:
        return Path(os.environ["EOMC_WHEEL"]).resolve()
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (found,) = folder.glob("*.whl")
    return found


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    """One package at the top, its templates inside, no tests, no second copy under another name."""
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"eomc", f"eomc-{eomc.__version__}.dist-info"}
    templates = {str(path.relative_to(ROOT)) for path in (ROOT / "templates").rglob("*.jinja")}
    assert {f"eomc/{name}" for name in templates} <= set(names)
    files = (ROOT / "generator" / "eomc").rglob("*.*")
    sources = {
        path.relative_to(ROOT / "generator").as_posix() for path in files if path.suffix in (".py", ".html", ".js")
    }
    assert {"eomc/pictures/page.html", "eomc/pictures/drawing.js", "eomc/cli/animate.py"} <= sources <= set(names)
    assert "eomc/py.typed" in names


def test_the_wheel_describes_itself(wheel: Path) -> None:
    """Name, version, licence and the command are in the metadata."""
    archive = zipfile.ZipFile(wheel)
    info = f"eomc-{eomc.__version__}.dist-info"
    metadata = email.message_from_bytes(archive.read(f"{info}/METADATA"))
    assert (metadata["Name"], metadata["Version"], metadata["License-Expression"]) == ("eomc", eomc.__version__, "MIT")
    assert b"The eomc authors" in archive.read(f"{info}/licenses/LICENSE")
    assert b"eomc = eomc.cli:main" in archive.read(f"{info}/entry_points.txt")


@pytest.mark.slow
def test_the_installed_wheel_emits_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    """In a venv with the wheel, away from the checkout, a model is rendered as in generated/."""
    place = tmp_path / "venv"
    venv.create(place, with_pip=False)
    python = place / "bin" / "python"
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(place), "platbase": str(place)}))
    # Dependencies come from the running environment one by one, so that the checkout's editable install does not.
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(python),
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            str(wheel),
        ],
        check=True,
    )
    for distribution in Path(sysconfig.get_path("purelib")).iterdir():
        target = site / distribution.name
        if "eomc" not in distribution.name and distribution.suffix != ".pth" and not target.exists():
            target.symlink_to(distribution)
    out = tmp_path / "out"
    subprocess.run([place / "bin" / "eomc", "generate", "rolling_disk", "-o", out], cwd=tmp_path, check=True)
    where = subprocess.run(
        [python, "-c", "import eomc; print(eomc.__file__)"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert Path(where.stdout.strip()).is_relative_to(place)
    golden = ROOT / "generated" / "rolling_disk"
    emitted = {path.name: path.read_bytes() for path in out.iterdir()}
    assert "rolling_disk.c" in emitted
    assert [name for name, text in emitted.items() if text != (golden / name).read_bytes()] == []
