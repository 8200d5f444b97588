"""Pieces of pages that are made of the program: `<!-- made: NAME [WORD] -->` in a page is what NAME(WORD) returns."""

from __future__ import annotations

import commands
from markdown_text import table
from places import ROOT

from eomc.integrators import INTEGRATORS
from eomc.programs.functions import FUNCTIONS, Presence
from eomc.units.table import LONG_PREFIXES, NAMES, PREFIXES, UNITS


def command(name: str) -> str:
    """Return usage and options of a command."""
    return commands.table(name)


def functions() -> str:
    """Return the functions of a simulator with what they return."""
    rows = [
        (f"`{row.name}`", row.title.replace("|", "\\|"), row.presence.value)
        for row in FUNCTIONS
        if row.presence is not Presence.NAMED
    ]
    return "\n".join(table(("function", "returns", "emitted"), rows))


def integrators() -> str:
    """Return the names of the integrators."""
    return ", ".join(f"`{row.name}`" for row in INTEGRATORS)


def units() -> str:
    """Return every unit that is read without a package, with its value in SI."""
    other: dict[str, list[str]] = {}
    for word, symbol in NAMES.items():
        other.setdefault(symbol, []).append(word)
    rows = [
        (
            f"`{name}`",
            f"{float(unit.factor):.12g}",
            _product(unit.si),
            "yes" if unit.prefixed else "no",
            ", ".join(f"`{word}`" for word in other.get(name, [])),
        )
        for name, unit in UNITS.items()
    ]
    return "\n".join(table(("unit", "is", "of", "with prefixes", "also"), rows))


def prefixes() -> str:
    """Return the prefixes."""
    words = {short: word for word, short in LONG_PREFIXES.items()}
    rows = [(f"`{short}`", f"1e{power}", words.get(short, "")) for short, power in PREFIXES.items()]
    return "\n".join(table(("prefix", "is", "written out"), rows))


def _product(pairs: tuple[tuple[str, object], ...]) -> str:
    """Return a product of coherent units in the spelling of headers."""
    return " ".join(symbol if power == 1 else f"{symbol}^{power}" for symbol, power in pairs) or "1"


def readme(*title: str) -> str:
    """Return a section of README.md, without its heading."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return text.partition(f"\n## {' '.join(title)}\n\n")[2].partition("\n## ")[0]


def drift() -> str:
    """Return README's table of drifts."""
    (drifts,) = [part for part in readme("Constraints").split("\n\n") if part.startswith("| stabilization")]
    return drifts


_SECTIONS = {
    "kinematical": "Kinematical differential equations",
    "matrix": "Mass matrix",
    "forces": "Generalized active and inertia forces",
    "apart": "Generalized active forces|Generalized inertia forces",
    "gibbs": "Gibbs function",
    "rates": "q' from",
    "momenta": "p' =",
    "motion": "Motion under the constraints",
    "constants": "Constants of the motion",
}


def printed(spec: str, *parts: str) -> str:
    """Return sections of the printed equations of a shipped model, as `eomc equations` prints them in LaTeX."""
    from gallery import sections

    import eomc

    name, _, method = spec.partition("--")
    forces = "apart" if "apart" in parts else "together"
    found = sections(eomc.equations(eomc.load(name), method, forces=forces).latex)
    lines: list[str] = []
    for part in parts:
        chosen = [body for title, body in found if any(title.startswith(words) for words in _SECTIONS[part].split("|"))]
        if part == "forces" and not chosen:  # of other methods than Kane's
            chosen = [body for title, body in found if title.startswith("f =")]
        for body in chosen:
            lines += body
    return "\n".join(lines)
