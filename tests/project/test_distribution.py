"""The sdist and the wheel as others get them: whole, with a page and a citation that lead somewhere or nowhere."""

from __future__ import annotations

import email
import importlib.util
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

import eomc

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "https://example.org/somebody/eomc"
NAME = f"eomc-{eomc.__version__}"


def build(folder: Path, kind: str, out: Path) -> subprocess.CompletedProcess[str]:
    """Build one distribution of a folder, which keeps no bytecode of its hook."""
    command = [sys.executable, "-B", "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the sdist of this checkout, unpacked: a folder that git knows nothing of."""
    out = tmp_path_factory.mktemp("sdist")
    done = build(ROOT, "sdist", out)
    assert done.returncode == 0, done.stderr
    with tarfile.open(out / f"{NAME}.tar.gz") as archive:
        archive.extractall(out, filter="data")
    return out / NAME


def with_address(folder: Path, address: str) -> None:
    """Set the one setting."""
    path = folder / "pyproject.toml"
    text, count = re.subn(r'(?m)^address = ".*?"', f'address = "{address}"', path.read_text(encoding="utf-8"))
    assert count == 1
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def wheel_with(sdist: Path, tmp_path: Path):
    """Return a function that makes a wheel of the sdist with an address, as `(metadata, citation)`."""

    def made(address: str) -> tuple[Any, dict[str, Any]]:
        before = (sdist / "pyproject.toml").read_text(encoding="utf-8")
        try:
            with_address(sdist, address)
            done = build(sdist, "wheel", tmp_path)
        finally:
            (sdist / "pyproject.toml").write_text(before, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        archive = zipfile.ZipFile(tmp_path / f"{NAME}-py3-none-any.whl")
        about = email.message_from_bytes(archive.read(f"{NAME}.dist-info/METADATA"))
        return about, yaml.safe_load(archive.read("eomc/CITATION.cff"))

    return made


def links(page: str) -> list[tuple[str, str]]:
    """Return picture mark and target of each link of a page, outside of code."""
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`(?!\])", "", page, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)\)", prose)


def test_with_an_address_every_link_is_absolute(wheel_with) -> None:
    """The page's links lead to files of this checkout at the address; urls and the citation have it."""
    about, citation = wheel_with(ADDRESS)
    found = links(about.get_payload())
    relative = links((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(found) == len(relative) > 10
    for (picture, target), (_, before) in zip(found, relative, strict=True):
        assert target == f"{ADDRESS}/{'raw' if picture else 'blob'}/HEAD/{before}"
        assert (ROOT / before).exists()
    assert dict(line.split(", ") for line in about.get_all("Project-URL"))["Source"] == ADDRESS
    assert about["Description-Content-Type"] == "text/markdown"
    assert citation["repository-code"] == ADDRESS


def test_without_an_address_links_are_their_text(wheel_with) -> None:
    """No link, no picture, no url, no address of the citation; words and code are all there."""
    about, citation = wheel_with("")
    page = about.get_payload()
    assert links(page) == []
    assert about.get_all("Project-URL") is None
    assert "repository-code" not in citation
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^```.*?^```$", page, re.M | re.S) == re.findall(r"^```.*?^```$", readme, re.M | re.S)
    assert "generator/README.md for the architecture" in page


def test_an_address_that_is_none_is_refused(sdist: Path, tmp_path: Path) -> None:
    """A build says which line is wrong, and what to write."""
    before = (sdist / "pyproject.toml").read_text(encoding="utf-8")
    with_address(sdist, "git@example.org:somebody/eomc")
    done = build(sdist, "wheel", tmp_path)
    (sdist / "pyproject.toml").write_text(before, encoding="utf-8")
    assert done.returncode != 0
    assert "pyproject.toml, [tool.eomc]: address = 'git@example.org:somebody/eomc'" in done.stderr


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    """Return hatch_build.py as a module."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_code_anchors_and_addresses_stay_as_they_are(hook: ModuleType) -> None:
    """Only relative links of prose are touched, also ones whose text is code."""
    text = (
        "`a[0](x)` [here](#part) [there](https://sympy.org) [`f`](docs/f.md#g)\n```\n[x](y)\n```\n![two](p.png) end\n"
    )
    placed = "`a[0](x)` [here](#part) [there](https://sympy.org) [`f`]({0}/blob/HEAD/docs/f.md#g)\n```\n[x](y)\n```\n"
    assert hook.page(text, ADDRESS) == placed.format(ADDRESS) + f"![two]({ADDRESS}/raw/HEAD/p.png) end\n"
    assert hook.page(text, "") == "`a[0](x)` [here](#part) [there](https://sympy.org) `f`\n```\n[x](y)\n```\n end\n"


def test_the_address_of_a_citation_is_set_once(hook: ModuleType) -> None:
    """A citation that has an address gets the new one, or none: an sdist is built from again."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    once = hook.citation(text, ADDRESS)
    assert hook.citation(once, ADDRESS) == once
    assert hook.citation(once, "") == text
    assert yaml.safe_load(once) == {**yaml.safe_load(text), "repository-code": ADDRESS}


def test_the_sdist_holds_what_git_holds(sdist: Path) -> None:
    """Every file that is committed is in the sdist, but what only git reads."""
    if not (ROOT / ".git").exists():
        pytest.skip("this folder is an unpacked sdist itself")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    tracked = {name for name in listed if (ROOT / name).exists()}
    held = {path.relative_to(sdist).as_posix() for path in sdist.rglob("*") if path.is_file()}
    assert tracked - held == set()
    assert not [name for name in held if "__pycache__" in name or name.startswith((".venv", "build/", "dist/"))]


def test_the_wheel_of_the_sdist_is_that_of_the_checkout(sdist: Path, tmp_path: Path) -> None:
    """Who builds from the sdist gets the same package."""
    contents = []
    for place, folder in (("checkout", ROOT), ("sdist", sdist)):
        done = build(folder, "wheel", tmp_path / place)
        assert done.returncode == 0, done.stderr
        archive = zipfile.ZipFile(tmp_path / place / f"{NAME}-py3-none-any.whl")
        contents.append({name: archive.read(name) for name in archive.namelist()})
    assert contents[0] == contents[1]


def test_citation_and_recipe_say_what_the_project_says() -> None:
    """Version, licence and what is required stand in three files alike."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
    assert citation["keywords"] == project["keywords"]
    assert [one["name"] for one in citation["authors"]] == [one["name"] for one in project["authors"]]
    recipe = yaml.safe_load((ROOT / "docs" / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == project["version"]
    assert f">={recipe['context']['python_min']}" == project["requires-python"]
    run = {text.split()[0]: text.partition(" ")[2] for text in recipe["requirements"]["run"]}
    assert run.pop("python") == ">=${{ python_min }}"
    assert {run.pop("make"), run.pop("c-compiler")} == {""}
    assert run == {one.name: str(one.specifier) for one in map(Requirement, project["dependencies"])}
    assert [f"{name} = {what}" for name, what in project["scripts"].items()] == recipe["build"]["python"][
        "entry_points"
    ]
    assert recipe["about"]["summary"] == project["description"]
    assert recipe["about"]["license"] == project["license"]
