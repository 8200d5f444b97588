"""The command that makes the tables of coefficients.

    python tests/mathematics/coefficients.py trigonometric             # prints what the table must be
    python tests/mathematics/coefficients.py trigonometric --write     # and writes it

A family is a module ``coefficients_<family>.py`` beside this one with a function ``table(precision)`` that returns
name -> literal or tuple of literals.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
from pathlib import Path

from mpmath import mp
from remez import PREC

__all__ = ["FAMILIES", "table", "text"]

FAMILIES = ("trigonometric", "elementary")
PLACE = Path(__file__).resolve().parents[2] / "generator" / "eomc" / "backends" / "c99" / "mathematics" / "coefficients"


def table(family: str, precision: str) -> dict[str, str | tuple[str, ...]]:
    """Compute the coefficients of a family."""
    with mp.workprec(PREC):  # its constants as well
        return importlib.import_module(f"coefficients_{family}").table(precision)


def text(family: str) -> str:
    """Return the module that holds the table of a family."""
    name = family.upper()
    lines = [
        f'"""Made by ``python tests/mathematics/coefficients.py {family} --write``; texts that read back exactly."""',
        "",
        "from __future__ import annotations",
        "",
        "from eomc.backends.c99.mathematics.record import Coefficients, Precision",
        "",
        f'__all__ = ["{name}"]',
        "",
        f"{name}: dict[Precision, Coefficients] = {{",
    ]
    for precision in ("double", "single"):
        lines.append(f'    "{precision}": {{')
        for key, value in table(family, precision).items():
            if isinstance(value, str):
                lines.append(f'        "{key}": "{value}",')
            else:
                lines += [f'        "{key}": (', *(f'            "{one}",' for one in value), "        ),"]
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


def main() -> None:
    """Print or write the table of a family."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    made = text(arguments.family)
    if arguments.write:
        path = PLACE / f"{arguments.family}.py"
        path.write_text(made, encoding="utf-8")
        subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", str(path)], check=True)
    else:
        print(made, end="")


if __name__ == "__main__":
    main()
