"""States, inputs and parameters: their views, what is remarked of them, their initializers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eomc.backends.ascii import plain
from eomc.backends.c99.layout import Line, doc, wrap_words
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.spelling import number
from eomc.backends.c99.strings import c_string
from eomc.backends.c99.views import VariableView
from eomc.ir.program import Variable


def variable_views(
    variables: Sequence[Variable], identifiers: Sequence[str], enumerators: Sequence[str] = ()
) -> tuple[VariableView, ...]:
    """Return what is placed of each variable."""
    return tuple(
        VariableView(
            name=plain(variable.name),
            string=c_string(variable.name),
            identifier=identifiers[position],
            enumerator=enumerators[position] if enumerators else "",
            literal=f"REAL({number(variable.value)})",
            value=f"{variable.value:.12g}",
            unit=plain(variable.unit),
            description=plain(variable.description),
            name_cell=f"`{plain(variable.name)}`".replace("|", "\\|") if plain(variable.name) else "",
            description_cell=plain(variable.description).replace("|", "\\|"),
        )
        for position, variable in enumerate(variables)
    )


def remark(view: VariableView) -> tuple[str, str]:
    """Return unit and description for a comment; a name that had to be changed is told."""
    is_changed = view.name != view.identifier.rstrip("_") or (not view.enumerator and view.name != view.identifier)
    return told(view.unit, view.description, view.name if is_changed else "")


def told(unit: str, description: str, name: str) -> tuple[str, str]:
    """Return unit and description for a comment, and the model's name where the C does not say it."""
    words = filter(None, [description, f'model name "{name}"' if name else ""])
    return f"[{doc(unit)}]" if unit else "", doc("; ".join(words))


def array_remarks(
    variables: Sequence[Variable], views: Sequence[VariableView], fields: Sequence[str]
) -> list[tuple[str, str]]:
    """Return unit and description of each field: of a parameter that is no element of an array, and of each array."""
    firsts = [(one, view) for one, view in zip(variables, views, strict=True) if not any(one.index)]
    return [
        remark(replace(view, name=plain(one.array), identifier=field) if one.array else view)
        for (one, view), field in zip(firsts, fields, strict=True)
    ]


def remark_texts(remarks: Sequence[tuple[str, str]]) -> list[str]:
    """Return unit and description in two columns, or in one where nothing has a unit."""
    widest = max((len(unit) for unit, _ in remarks), default=0)
    return [f"{unit:<{widest}} {text}".rstrip() if widest else text for unit, text in remarks]


def documented(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return struct members or enumerators with doxygen comments in one column."""
    code = max((len(line.code) for line in lines), default=0)
    text = max((len(line.remark) for line in lines), default=0)
    result = []
    for line in lines:
        if not line.remark:
            result.append(line.code)
        elif code + text <= 108:
            result.append(f"{line.code:<{code}} /**< {line.remark:<{text}} */")
        elif len(line.code) + len(line.remark) <= 110:
            result.append(f"{line.code} /**< {line.remark} */")
        else:
            indent = " " * (len(line.code) - len(line.code.lstrip()))
            prose = wrap_words(line.remark, 100)
            result.append(f"{indent}/** {prose[0]}")
            result += [f"{indent} *  {more}" for more in prose[1:]]
            result[-1] += " */"
            result.append(line.code)
    return tuple(result)


def enumeration(names: Sequence[str], remarks: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the enumerators of indices, with unit and description of each."""
    texts = remark_texts(remarks) if remarks else [""] * len(names)
    last = len(names) - 1
    lines = [
        Line(f"    {name} = {position}{'' if position == last else ','}", text)
        for position, (name, text) in enumerate(zip(names, texts, strict=True))
    ]
    return documented(lines)


def members(scope: Scope, names: Sequence[str], remarks: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the members of a struct of reals, with unit and description of each."""
    texts = remark_texts(remarks)
    if not names:
        return (f"    {scope.prefix}_real unused; /**< a struct must not be empty */",)
    return documented([Line(f"    {scope.prefix}_real {name};", text) for name, text in zip(names, texts, strict=True)])


def initializer(variables: Sequence[VariableView], braces: Sequence[tuple[str, str]] = ()) -> tuple[str, ...]:
    """Return the lines that give variables their values; `braces` stand around elements of arrays."""
    if not variables:
        return ("    REAL(0.0) /* unused */",)
    last = len(variables) - 1
    around = braces or [("", "")] * len(variables)
    codes = [
        f"    {opening}{view.literal}{closing}{'' if position == last else ','}"
        for position, (view, (opening, closing)) in enumerate(zip(variables, around, strict=True))
    ]
    widest = max(len(code) for code in codes)
    return tuple(
        f"{code:<{widest}} /* {view.identifier if not view.enumerator else view.enumerator} */"
        for code, view in zip(codes, variables, strict=True)
    )


def braces(index: Sequence[int], shape: Sequence[int]) -> tuple[str, str]:
    """Return the braces that open before an element of an array, and those that close after it."""
    first = next((k for k, i in enumerate(reversed(index)) if i), len(index))
    last = next(
        (k for k, (i, n) in enumerate(zip(reversed(index), reversed(shape), strict=True)) if i + 1 < n), len(index)
    )
    return ("{" * first).rjust(len(shape)), "}" * last
