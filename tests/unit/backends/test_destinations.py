"""Where results go: an index into a matrix by rows holds no operation that does nothing."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import eomc
from eomc.backends.c99.destinations import function_destinations, row_words
from eomc.backends.c99.kernels import count_system
from eomc.backends.c99.scope import make_scope
from eomc.passes.schedule import schedule


@pytest.mark.parametrize("width", [1, 3, 7])
def test_places_of_a_matrix_by_rows(width: int) -> None:
    """Each is width times the row plus the column; nothing is added to zero or taken once (MISRA C, rule 2.2)."""
    build = eomc.compile(eomc.load("four_bar"), functions=["poses"])
    function = next(f for f in build.program.functions if f.name == "poses")
    rows = len(function.row_names)
    function = replace(function, shape=(rows, width), outputs=function.outputs[: rows * width])
    scope = make_scope(schedule(build.program, count_system))
    numbers = {word: k for k, word in enumerate(row_words(function, scope))}
    place = function_destinations(function, scope)
    for index in range(rows * width):
        _, text = place(index)
        inside = re.fullmatch(r"out\[(.+)\]", text)
        assert inside is not None
        assert eval(inside[1], {}, numbers) == index
        assert not re.search(r"\+ 0\b|\b[01] \*", text)
        assert ("(" in text) == ("+" in text)  # the order of operators is written out: rule 12.1
