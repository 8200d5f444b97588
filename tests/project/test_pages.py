"""Every page of the documentation does what it says: its Python is one session, its commands run, its files compile."""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pages import blocks

from eomc.live.building import TOOLS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
OWN = {"README.md", "mjcf.md", "messages.md"}  # these have tests of their own
PAGES = {path.relative_to(DOCS).as_posix(): path for path in sorted(DOCS.rglob("*.md")) if path.name not in OWN}
FILE = re.compile(r"(?:#|/\*|<!--) (?P<name>[\w.]+\.\w+|Makefile)(?: \*/| -->)?")
OF_THE_MACHINE = ("python3 -m venv", ". .venv", "pip install", "apt-get", "eomc doctor")
"""Commands that set up a machine: this one is set up, and what eomc doctor says of it is its own."""
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class Session:
    """One page, from its first block to its last, in a folder of its own."""

    def __init__(self, shell: Callable[[str], str], capsys: pytest.CaptureFixture[str]) -> None:
        self.shell, self.capsys = shell, capsys
        self.names: dict[str, object] = {"__name__": "page"}
        self.said = ""

    def python(self, text: str) -> None:
        """Run a block in the session."""
        self.capsys.readouterr()
        exec(compile(text, "page", "exec"), self.names)
        self.said = self.capsys.readouterr().out

    def sh(self, text: str) -> None:
        """Run the commands of a block."""
        self.said = ""
        for line in text.replace("\\\n", " ").splitlines():
            command = line.split("  #")[0].strip()
            if command and not command.startswith(("#", *OF_THE_MACHINE)):
                self.said += self.shell(command)

    def text(self, shown: str) -> None:
        """Hold what a page shows against what the block before it printed: these lines, in this order, of its lines."""
        lines = iter(self.said.splitlines())
        for line in filter(None, map(str.strip, shown.splitlines())):
            assert line == "..." or any(alike(line, other) for other in lines), f"{line!r} was not said: {self.said}"


def alike(shown: str, said: str) -> bool:
    """Whether two lines have the same words, and numbers that agree to the digits that anybody reads."""
    if "".join(NUMBER.sub("#", shown).split()) != "".join(NUMBER.sub("#", said).split()):
        return False
    pairs = zip(map(float, NUMBER.findall(shown)), map(float, NUMBER.findall(said)), strict=True)
    return all(math.isclose(one, other, rel_tol=1e-3, abs_tol=1e-9) for one, other in pairs)


@pytest.mark.needs_cc
@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [name for name, path in PAGES.items() if blocks(path.read_text(encoding="utf-8"))])
def test_a_page_does_what_it_says(
    name: str,
    shell: Callable[[str], str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A block that begins with the name of a file is that file; Python is one session; what is shown was printed."""
    if (PAGES[name].parent / "files").is_dir():
        shutil.copytree(PAGES[name].parent / "files", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    scripts = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    monkeypatch.setenv("PATH", os.pathsep.join(scripts))  # as in an environment that was entered: make calls eomc
    if name == "howto/live.md" and None in map(shutil.which, TOOLS):
        pytest.skip("clang or lld is missing")
    session = Session(shell, capsys)
    for kind, text in blocks(PAGES[name].read_text(encoding="utf-8")):
        file = FILE.fullmatch(text.split("\n", 1)[0])
        if file:
            Path(file["name"]).write_text(text, encoding="utf-8")
            sys.modules.pop(Path(file["name"]).stem, None)
        elif kind in ("python", "sh", "text"):
            getattr(session, kind)(text)
        else:
            assert kind in ("make", "none"), f"{name}: a block of {kind} that nobody runs"


def test_links_of_pages_lead_somewhere() -> None:
    """A relative link of any page of docs/ has its file in the repository, or is a page that `make docs` makes."""
    for path in DOCS.rglob("*.md"):
        prose = re.sub(r"^```.*?^```|`[^`\n]*`(?!\])", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[\w-]+)?\)", prose):
            there = (path.parent / target).resolve()
            made = re.fullmatch(r"docs/(gallery|reference/python)/\w+\.(md|rst)", os.path.relpath(there, ROOT))
            assert there.exists() or made, f"{path.relative_to(ROOT)}: {target}"


def test_every_page_is_in_a_list() -> None:
    """Each page of a section stands in the section's list, and the sections in that of the first page."""
    for path in PAGES.values():
        if path.name == "index.md" and path.parent != DOCS:
            home, name = DOCS / "index.md", f"{path.parent.name}/index"
        else:
            home, name = path.parent / "index.md", path.stem
        listed = home.read_text(encoding="utf-8").partition("```{toctree}")[2].partition("```")[0].split()
        assert path == DOCS / "index.md" or name in listed, path.relative_to(ROOT)
