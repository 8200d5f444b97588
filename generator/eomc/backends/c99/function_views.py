"""What the templates place of each function of the program."""

from __future__ import annotations

from eomc.backends.ascii import plain
from eomc.backends.c99.arguments import function_arguments, routine_signature
from eomc.backends.c99.code_views import FunctionView, ResultView
from eomc.backends.c99.destinations import index_words, row_words
from eomc.backends.c99.layout import doc
from eomc.backends.c99.prose import prose
from eomc.backends.c99.results import result_arrays
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.step_views import CostView
from eomc.backends.c99.variables import enumeration, told
from eomc.passes.steps import Routine


def function_view(routine: Routine, scope: Scope, cost: CostView) -> FunctionView:
    """Return what is placed of one function; `cost` says what it takes."""
    function = routine.function
    arrays = result_arrays(function, scope.macro)
    rows = row_words(function, scope)
    enumerators = rows or index_words(function, scope)
    texts = function.output_texts or (("", ""),) * len(function.outputs)
    described = list(zip(function.row_names or function.output_names, enumerators, texts, strict=False))
    remarks = [
        told(plain(unit), plain(text), "" if word.endswith(f"_{name.upper()}") else plain(name))
        for name, word, (unit, text) in described
    ]
    return FunctionView(
        name=function.name,
        title=doc(function.title) or function.name,
        details=tuple(line for detail in function.details for line in prose(detail)),
        arrays=arrays,
        accelerations=", ".join(plain(variable.name) for variable in function.accelerations),
        cost=cost,
        signature=routine_signature(
            scope, function.name, function_arguments(scope, arrays, bool(function.accelerations))
        ),
        fallible=routine.fallible,
        enumerators=enumeration(enumerators, remarks) if enumerators else (),
        by_rows=bool(rows),
        results=tuple(
            ResultView(word, *(plain(cell).replace("|", "\\|") for cell in (name, unit, text)))
            for name, word, (unit, text) in described
        ),
    )
