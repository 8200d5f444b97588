"""What is said of a model in comments: its description, its summary, its notes."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.backends.ascii import plain
from eomc.backends.c99.layout import doc, wrap_words
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.views import TextView
from eomc.ir.program import Variable
from eomc.passes.steps import Schedule

_TEXT = 92  # columns of prose in a comment


def text_view(schedule: Schedule, scope: Scope, memory: str) -> TextView:
    """Return the words of the header."""
    program = schedule.program
    return TextView(
        title=plain(program.name) or scope.prefix,
        description=tuple(wrap_words(doc(program.description), _TEXT)) if program.description else (),
        summary=_summary(schedule, memory),
        notes=tuple(line for note in program.notes for line in prose(note)),
        memory=memory,
    )


def prose(text: str) -> list[str]:
    """Return lines for a comment; a line that fits keeps its own spacing, a formula stays as it was set."""
    indent = " " * (len(text) - len(text.lstrip(" ")))
    clean = doc(text)
    if len(clean) + len(indent) <= _TEXT:
        return [indent + clean]
    return [indent + line for line in wrap_words(clean, _TEXT - len(indent))]


def _summary(schedule: Schedule, memory: str) -> tuple[str, ...]:
    program = schedule.program
    rows: list[tuple[str, list[str]]] = [
        ("method", [program.method.authors]),
        ("state", _listing("x", program.states)),
        ("inputs", _listing("r", program.inputs)),
        ("parameters", _listing("p", program.parameters)),
    ]
    operations = [f"{one.function.name} {one.counts}" for one in (schedule.prepare, *schedule.routines)]
    rows += [("operations", operations), ("memory", [f"work {memory}"])]
    return tuple(f"{'' if k else title:<14} {text}" for title, texts in rows for k, text in enumerate(texts))


def _listing(letter: str, variables: Sequence[Variable]) -> list[str]:
    if not variables:
        return [f"{letter} = []"]
    names = dict.fromkeys(
        f"{one.array}[{','.join(map(str, one.shape))}]" if one.array else one.name for one in variables
    )
    return wrap_words(f"{letter} = [{', '.join(map(doc, names))}]", _TEXT - 14)
