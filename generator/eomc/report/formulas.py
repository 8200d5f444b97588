"""The equations of motion as a part of a page, in MathML; where they are long, what prints them."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from eomc.analysis.contract import Built
from eomc.backends.render import render
from eomc.live.asking import options_of
from eomc.passes.cost import cost
from eomc.printed import Equations
from eomc.printed import equations as printed_equations

MOST = 5_000
"""Operations of the motion above which equations are not written out: a bicycle has 2,800."""

LONGEST = 450_000
"""Bytes of equations above which they are left out of a page."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The `m` of what stands in the place of equations."""

    why: str
    command: str


def equations(build: Built, named: str = "") -> str:
    """Return the equations of a build, in MathML.

    They are those that `eomc.equations` prints of the same model, method and constraints: the short form of a tree of
    more than three joints.

    Parameters
    ----------
    build
        What `eomc.compile` returns.
    named
        What the command line calls the model: the command that prints the equations stands in their place where they
        are left out, above `MOST` operations of the motion, or `LONGEST` bytes.
    """
    options = build.options
    printed = printed_equations(
        build.model,
        build.method,
        constraints=options.constraints,
        stabilization=options.stabilization,
        algorithm=options.algorithm,
        units="ignore",  # they were checked, or were not to be
    )
    operations = 0 if printed.short is not None else cost(
        printed.equations.graph, printed.equations.motion.derivative
    )  # fmt: skip
    if operations > MOST:
        return _left_out(f"{operations} operations are more than the {MOST}", _command(build, named))
    text = _short(printed)
    size = len(text.encode())
    if size > LONGEST:
        return _left_out(f"{size // 1000} kB are more than the {LONGEST // 1000} kB", _command(build, named))
    return text


def _short(printed: Equations) -> str:
    """Return the sections in UTF-8, a style in place of what each formula says, headings below those of a page."""
    text = printed.sections.replace(' displaystyle="true"', "").replace("h2>", "h3>")
    text = re.sub(r"&#x([0-9A-Fa-f]+);|&#(\d+);", _character, text)
    return re.sub(r"\s*\n\s*", "\n", text)


def _character(match: re.Match[str]) -> str:
    """Return what a reference stands for; ASCII may mean something in HTML and stays one."""
    code = int(match[1], 16) if match[1] else int(match[2])
    return chr(code) if code > 127 else match[0]


def _command(build: Built, named: str) -> str:
    """Return what prints the equations."""
    return shlex.join(["eomc", "equations", named, *options_of(build)]) if named else "print(eomc.equations(model))"


def _left_out(why: str, command: str) -> str:
    return render("report/left_out.html.jinja", LeftOut(why, command))
