"""What builds the documentation: where pages go, what is made of the program, what a finished site must keep."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import eomc
from eomc.cli.parser import build_parser

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "docs" / "site"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch):
    """Return a function that loads a module of docs/site, which finds the others beside it."""
    monkeypatch.syspath_prepend(SITE)

    def loaded(name: str) -> ModuleType:
        monkeypatch.delitem(sys.modules, name, raising=False)
        spec = importlib.util.spec_from_file_location(name, SITE / f"{name}.py")
        found = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, found)
        spec.loader.exec_module(found)
        return found

    return loaded


def test_links_follow_their_pages(module) -> None:
    """Relative links lead to where pages stand on the site; what the site has not is its text, code is left alone."""
    linked = module("places").linked
    text = "[a](../ensembles/README.md#x) [b](../../LICENSE) ![c](../drift.png) [`d`](../pictures/sheet.py) `[e](f)`"
    assert linked(text, "docs/events/README.md") == (
        "[a](ensembles.md#x) b ![c](../drift.png) [`d`](../pictures/sheet.py) `[e](f)`"
    )
    assert linked("[a](docs/events/README.md)", "CHANGELOG.md") == "[a](../howto/events.md)"
    assert linked("```\n[a](b)\n```\n", "CHANGELOG.md") == "```\n[a](b)\n```\n"


def test_every_place_has_its_page(module) -> None:
    """Pages of the repository that stand elsewhere on the site are there, no two at one place, each in a list."""
    places = module("places")
    staged = places.pages()
    assert len(set(staged.values())) == len(staged)
    for path, place in staged.items():
        assert (ROOT / path).is_file(), path
        if Path(place).name != "index.md":
            home = ROOT / "docs" / Path(place).parent / "index.md"
            listed = home.read_text(encoding="utf-8").partition("```{toctree}")[2].partition("```")[0].split()
            assert Path(place).stem in listed, path


def test_the_reference_of_the_command_line_is_whole(module) -> None:
    """Each command has its part with an example, each option its row."""
    commands = module("commands")
    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert re.findall(r"^<!-- made: command (\w+) -->$", page, flags=re.MULTILINE) == commands.names()
    assert re.findall(r"^## eomc (\w+)$", page, flags=re.MULTILINE) == commands.names()
    (group,) = (action for action in build_parser()._actions if action.dest == "command")
    for name, parser in group.choices.items():
        assert f"\neomc {name}" in page
        options = {text for action in parser._actions for text in action.option_strings} - {"-h", "--help"}
        assert set(re.findall(r"`(--?[\w-]+)", commands.table(name))) == options


def test_every_public_name_has_a_page(module, tmp_path: Path) -> None:
    """One for each, and one for the modules; the list has a sentence of each."""
    module("objects").write_objects(tmp_path)
    assert {path.stem for path in tmp_path.glob("*.rst")} == set(eomc.__all__) - {"__version__", "EomcError"} | {
        "trees",
        "errors",
    }
    rows = re.findall(r"^\| \[`eomc\.(\w+)`\]\(\w+\.rst\) \| (.+) \|$", (tmp_path / "index.md").read_text(), re.M)
    assert all(sentence.strip() for _, sentence in rows)
    assert {name for name, _ in rows} == {path.stem for path in tmp_path.glob("*.rst")}


def test_what_pages_ask_for_is_made(module) -> None:
    """Each `made:` of a page names a maker, whose text is none of a missing section."""
    makers = module("makers")
    asked = set()
    for path in (ROOT / "docs").rglob("*.md"):
        asked |= set(re.findall(r"^<!-- made: (\w+)((?: [\w-]+)*) -->$", path.read_text(encoding="utf-8"), re.M))
    assert len(asked) > 10
    for maker, what in asked:
        assert getattr(makers, maker)(*what.split()).strip(), (maker, what)


@pytest.mark.needs_cc
def test_a_page_of_the_gallery(module, tmp_path: Path, eomc_command, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the picture, every parameter, the energies of the run, the equations; its commands run."""
    gallery = module("gallery")
    gallery.write_gallery(tmp_path / "pages", tmp_path / "extra", ["cart_pole"])
    page = (tmp_path / "pages" / "cart_pole.md").read_text(encoding="utf-8")
    model = eomc.load("cart_pole")
    assert all(f"| `{one.name}` |" in page for one in (*model.parameters, *model.inputs, *model.outputs))
    assert page.count("\\begin{align*}") == page.count("\\end{align*}") > 4
    assert "| `energy_total` |" in page
    pictures = [path.stat().st_size for path in (tmp_path / "extra").iterdir()]
    assert len(pictures) == 2
    assert sum(pictures) < 100_000
    monkeypatch.chdir(tmp_path)
    entry = gallery.Entry("cart_pole")
    for command in gallery.commands(entry):
        assert command in page
        assert eomc_command(*command.split()[1:]).code == 0, command


def test_the_command_that_stands_for_long_equations(module, eomc_command) -> None:
    """It is told with the size of what it stands for, and writes a page that has the equations."""
    told = "\n".join(
        module("gallery")._equations(SimpleNamespace(name="hanging_chain", model=eomc.load("hanging_chain")))
    )
    size = int(re.search(r"(\d+) kB of LaTeX", told)[1])
    (command,) = re.findall(r"^eomc (.*) > hanging_chain\.html$", told, flags=re.MULTILINE)
    latex = eomc_command(*command.replace("html", "latex").split())
    page = eomc_command(*command.split())
    assert (latex.code, page.code) == (0, 0)
    assert size == len(latex.out.rstrip("\n")) // 1000 >= 12
    assert page.out.count("<math") > 100
    assert page.out.rstrip().endswith("</html>")


def test_an_account_of_a_model_is_prose_and_drawings(module) -> None:
    """What is indented stays as it stands, double backticks are code, the rest is escaped."""
    text = '"""First.\n\n::\n\n    O--> x\n\n    y\n\nBecause ``a_b`` is a_b, *so*:\n\n    a = b\n"""'
    assert module("gallery").account(text) == [
        "```none", "O--> x\n\ny", "```", "", "Because `a_b` is a\\_b, *so*:", "", "```none", "a = b", "```", "",
    ]  # fmt: skip


def test_a_site_at_fault_is_told(module, tmp_path: Path) -> None:
    """Dead links and anchors, what comes from another host, TeX outside of code; and nothing else."""
    (tmp_path / "a.html").write_text(
        '<p id="x">See <a href="b.html#y">b</a>, <a href="#x">x</a>, <a href="#z">z</a>, <a href="c.html">c</a> '
        '<a href="https://e.org/">e</a> <code>\\frac</code> \\frac{1}{2}</p><script src="https://cdn.org/a.js"></script>'
    )
    (tmp_path / "b.html").write_text('<link rel="stylesheet" href="b.css"><img src="p.svg">')
    (tmp_path / "b.css").write_text("@import url(//fonts.org/f.css); a { background: url(data:x) }")
    faults, outside = module("checks").faults_of(tmp_path)
    assert sorted(faults) == [
        "a.html: #z has no such part",
        "a.html: TeX is left: \\frac{1}{2}",
        "a.html: b.html#y has no such part",
        "a.html: c.html leads nowhere",
        "a.html: loads https://cdn.org/a.js",
        "b.css: loads //fonts.org/f.css",
        "b.html: p.svg leads nowhere",
    ]
    assert outside == {"https://e.org/": "a.html"}


def test_what_is_missing_is_told_in_a_line_each(
    module, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Without node and KaTeX `make docs` says so, and how to get them, and builds nothing."""
    build = module("build")
    monkeypatch.setattr(build.shutil, "which", lambda _: None)
    monkeypatch.setattr(sys.modules["katex_folder"], "PLACES", (str(tmp_path), ""))
    monkeypatch.setattr(build.importlib.util, "find_spec", lambda name: None if name == "sphinx" else object())
    assert build.main(str(tmp_path / "docs")) == 2
    said = capsys.readouterr().err.splitlines()
    assert [line.split(":")[2].split(",")[0].strip() for line in said] == ["sphinx", "node", "KaTeX"]
    assert all(any(word in line for word in ("pip install", "apt-get install")) for line in said)
    assert not (tmp_path / "docs").exists()


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (("katex.js", "katex.min.css", "fonts/a.woff2"), True),
        (("katex.js", "katex.min.css"), False),
        (("katex.js", "fonts/a.woff2"), False),
        ((), False),
    ],
)
def test_katex_is_there_with_its_fonts_or_is_named(files: tuple[str, ...], found: bool, tmp_path: Path) -> None:
    """As a command, without node in PATH, whatever Python has: a line each names what is missing, and no traceback."""
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    program = f"""
import importlib.util, sys
sys.path.insert(0, {str(SITE)!r})
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "sphinx" else real(name, *more)
import build, katex_folder
katex_folder.PLACES = ({str(tmp_path)!r},)
sys.exit(build.main({str(tmp_path / "docs")!r}))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PATH": str(tmp_path)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    said = done.stderr.splitlines()
    assert done.returncode == 2
    assert all(line.startswith("make docs: missing: ") for line in said)
    assert [line.split(":")[2].split(",")[0].strip() for line in said][1:] == ["node"] + ["KaTeX"] * (not found)
    assert "sphinx" in said[0]
    assert not (tmp_path / "docs").exists()


def test_the_picture_of_the_first_page(tmp_path: Path, eomc_command) -> None:
    """docs/pictures/four_bar.svg is what the command on the page makes, to a fiftieth of a pixel."""
    assert eomc_command("animate", "four_bar", "-o", str(tmp_path / "made.svg"), "--t-end", "4").code == 0
    number = re.compile(r"-?\d+(?:\.\d+)?")
    kept, made = ((ROOT / "docs/pictures/four_bar.svg").read_text(), (tmp_path / "made.svg").read_text())
    assert number.sub("#", kept) == number.sub("#", made)
    pairs = zip(map(float, number.findall(kept)), map(float, number.findall(made)), strict=True)
    assert all(abs(one - other) <= 0.02 for one, other in pairs)
    assert "eomc animate four_bar -o four_bar.svg --t-end 4" in (ROOT / "docs/index.md").read_text(encoding="utf-8")
