"""A page for each shipped model: it moves, and is told by its parameters, equations, energies and commands."""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import re
import runpy
import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from markdown_text import below, escaped, table

import eomc
from eomc.frontends.loading import shipped_models
from eomc.model.names import name_of
from eomc.model.parts import Parameter
from eomc.pictures import write
from eomc.pictures.webp import still

HERE = Path(__file__).resolve().parent
LONGEST = 12_000
"""Characters of LaTeX up to which equations stand on a page: more are read with the command that prints them."""
SHOWN = runpy.run_path(str(HERE.parent / "pictures" / "sheet.py"), run_name="sheet")["shown"]
"""A model in the motion of the sheet of all models."""
SHARE = 0.3  # of the motion, where the picture of the list is taken


class Entry:
    """A shipped model, run."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.build, self.t_end, self.followed, self.run, self.motion = SHOWN(name)
        self.model = self.build.model
        self.ending = ".svg" if self.motion.view.planar else ".html"

    @property
    def module(self) -> str:
        """The text of the file that describes the model."""
        return inspect.getsource(importlib.import_module(f"eomc.models.{self.name}"))

    @property
    def options(self) -> str:
        """What the commands of the page say of the run."""
        return f"--t-end {self.t_end:g}"


def _number(value: float) -> str:
    return f"{value:.6g}"


def _parameters(entry: Entry) -> list[str]:
    """Return the parameters, arrays by their name."""
    rows, seen = [], set()
    for one in entry.model.parameters:
        if one.array in seen and one.array:
            continue
        seen.add(one.array)
        rows.append((f"`{one.array or one.name}`", _value(entry, one), escaped(one.unit), escaped(one.description)))
    return table(("parameter", "value", "unit", "is"), rows)


def _value(entry: Entry, one: Parameter) -> str:
    if not one.array:
        return _number(one.value)
    values = [_number(other.value) for other in entry.model.parameters if other.array == one.array]
    return ", ".join(values) if len(values) <= 4 else f"{values[0]}, ... ({len(values)} values)"


def _variables(entry: Entry) -> list[str]:
    """Return the coordinates, speeds and other states, inputs and outputs."""
    model = entry.model
    meant = {one.symbol: one for one in model.meanings}
    start = dict(zip(entry.build.load().state_names, entry.run.x[0], strict=True))
    rows = []
    for kind, symbols in (("coordinate", model.coordinates), ("speed", model.speeds)):
        for symbol in symbols:
            name, meaning = name_of(symbol), meant.get(symbol)
            unit, told = (meaning.unit, meaning.description) if meaning else ("", "")
            value = _number(start[name]) if name in start else ""
            rows.append((f"`{name}`", kind, value, escaped(unit), escaped(told)))
    for one in model.inputs:
        rows.append((f"`{one.name}`", "input", _number(one.value), escaped(one.unit), escaped(one.description)))
    for one in model.outputs:
        rows.append((f"`{one.name}`", "output", "", escaped(one.unit), escaped(one.description)))
    return table(("name", "is", "at the start", "unit", "meaning"), rows)


def sections(latex: str) -> list[tuple[str, list[str]]]:
    """Return titles and lines of a printed document, its formulas as Markdown with TeX between dollars."""
    found = []
    for part in latex.partition(r"\end{document}")[0].split(r"\section{")[1:]:
        title, _, body = part.partition("}\n")
        lines = []
        for piece in re.split(r"(\\begin\{align\*\}.*?\\end\{align\*\})", body, flags=re.DOTALL):
            if piece.startswith(r"\begin"):
                lines += [piece, ""]
                continue
            for sentence in re.split(r" \\\\ |\\par\n?|\\\\\n", piece):
                text = " ".join(sentence.split())
                lines += [_prose(text), ""] if text else []
        found.append((_prose(title), lines))
    return found


def _prose(text: str) -> str:
    """Return a sentence of LaTeX in Markdown: formulas stay, and what LaTeX escapes is plain."""
    pieces = re.split(r"(\$[^$]*\$)", text)
    return "".join(
        piece if piece.startswith("$") else escaped(re.sub(r"\\([_&%#{}])", r"\1", piece)) for piece in pieces
    )


def _equations(entry: Entry) -> list[str]:
    """Return the printed equations by the native method, or the command that prints them."""
    command = f"eomc equations {entry.name}"
    printed = eomc.equations(entry.model)
    latex = printed.latex
    if len(latex) > LONGEST:
        size = f"{len(latex) // 1000} kB"
        return [
            f"They take {size} of LaTeX, and are left out here; this makes a page of them:",
            "",
            "```sh",
            f"{command} --format html > {entry.name}.html",
            "```",
            "",
        ]
    lines = [f"By {_method(printed.method)}, as `{command}` prints them:", ""]
    for title, body in sections(latex):
        lines += [f"**{title}**", "", *body]
    return lines


def _method(name: str) -> str:
    words = {"kane": "Kane's method", "lagrange": "Lagrange's equations", "hamilton": "Hamilton's equations"}
    return words.get(name, name)


def _energies(entry: Entry) -> list[str]:
    """Return what the energies are at both ends of the run, and how far they move between."""
    found = entry.run.energies
    if not found:
        return ["Its energy is not known: its equations are given as they are.", ""]
    rows = [
        (f"`energy_{name}`", *map(_number, (values[0], values[-1], np.ptp(values)))) for name, values in found.items()
    ]
    build = entry.build
    fixed = f"by {build.integrator.name} in steps of {1e3 * build.model.run.dt:g} ms"
    steps = "by steps to a tolerance" if build.integrator.adaptive else fixed
    head = f"Of the run above, {entry.t_end:g} s {steps}, in J:"
    return [head, "", *table(("energy", "at the start", "at the end", "greatest less least"), rows)]


def commands(entry: Entry) -> list[str]:
    """Return the commands of a page; tests run them."""
    name, options = entry.name, entry.options
    follow = f" --follow {entry.followed}" if entry.followed else ""
    return [
        f"eomc simulate {name} {options} -o {name}.csv",
        f"eomc animate {name} {options}{follow} -o {name}{entry.ending}",
        f"eomc check {name} --samples 20",
        f"eomc generate {name} -o {name}",
    ]


def account(module: str) -> list[str]:
    """Return the file's own account of the model: paragraphs, and as it stands what is indented."""
    text = ast.get_docstring(ast.parse(module)) or ""
    lines: list[str] = []
    for indented, group in itertools.groupby(_blocks(text.partition("\n")[2]), key=lambda block: block.startswith(" ")):
        if indented:
            lines += ["```none", textwrap.dedent("\n\n".join(group)), "```", ""]
            continue
        for block in group:
            lines += [_paragraph(block), ""] if block != "::" else []
    return lines


def _blocks(text: str) -> list[str]:
    """Return what blank lines part."""
    return [block.strip("\n") for block in re.split(r"\n\s*\n", text) if block.strip()]


def _paragraph(text: str) -> str:
    """Return a paragraph of a docstring in Markdown."""
    text = re.sub(r"::$", ":", " ".join(text.split()))
    pieces = re.split(r"(``.+?``|\*[^*\s][^*]*[^*\s]\*)", text)
    return "".join(
        piece.replace("``", "`") if piece.startswith("``") else piece if piece.startswith("*") else escaped(piece)
        for piece in pieces
    )


def _code(module: str) -> str:
    """Return the file without its account."""
    tree = ast.parse(module)
    first = tree.body[0]
    return "\n".join(module.splitlines()[first.end_lineno :]).strip("\n")


def _caption(entry: Entry) -> str:
    """Return what the picture shows, and who can derive it."""
    about = f", drawn about {escaped(entry.followed)}" if entry.followed else ""
    return f"{entry.t_end:g} s of its motion{about}. Methods: {', '.join(f'`{one}`' for one in entry.model.methods)}."


def page(entry: Entry) -> str:
    """Return the page of a model, in Markdown."""
    name = entry.name
    if entry.ending == ".svg":
        moving = f'<object class="motion" type="image/svg+xml" data="{name}.svg" aria-label="{name}"></object>'
    else:
        moving = f'<iframe class="motion" src="{name}.motion.html" title="{name}" loading="lazy"></iframe>'
    lines = [
        f"# {name}", "", f"{escaped(entry.model.description)}.", "",
        "```{raw} html", moving, "```", "",
        _caption(entry), "",
        "## The mechanism", "", *account(entry.module),
        "## Parameters", "", *_parameters(entry), "## Variables", "", *_variables(entry),
        "## Equations", "", *_equations(entry), "## Energies", "", *_energies(entry),
        "## Commands", "", "```sh", *commands(entry), "```", "",
        "## Its file", "", f"`eomc/models/{name}.py`, without the account above:", "",
        "```python", _code(entry.module), "```", "",
    ]  # fmt: skip
    return "\n".join(lines)


def write_gallery(folder: Path, static: Path, names: Sequence[str] = ()) -> None:
    """Write the pages, their pictures beside where the pages will be, and the list of all.

    Parameters
    ----------
    folder, static
        Where the pages go, and files that Sphinx copies as they are to the place of the pages.
    names
        The models; all that are shipped by default.
    """
    folder.mkdir(parents=True, exist_ok=True)
    static.mkdir(parents=True, exist_ok=True)
    cards = []
    chosen = list(names or shipped_models())
    for name in chosen:
        entry = Entry(name)
        (folder / f"{name}.md").write_text(page(entry), encoding="utf-8")
        moving = f"{name}.motion.html" if entry.ending == ".html" else f"{name}.svg"  # {name}.html is the page
        write(entry.motion, static / moving, entry.model.run.speed, 25.0)
        picture = static / f"{name}.still.webp"
        still(entry.motion, SHARE).save(picture, quality=70, method=4)
        cards.append(f'<a href="{name}.html"><img src="{picture.name}" alt=""><span>{name}</span></a>')
    text = [
        "# Gallery", "",
        f"The {len(chosen)} models that are shipped, each with its picture, its parameters, its equations and its "
        "file. `eomc models` lists them; a name serves wherever a MODEL is asked for.", "",
        "```{raw} html", '<div class="cards">', *cards, "</div>", "```", "",
        *below(chosen),
    ]  # fmt: skip
    (folder / "index.md").write_text("\n".join(text), encoding="utf-8")
