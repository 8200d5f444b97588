"""Arrays of constants: every column that a loop reads stands in one of them at even distances, and none is long."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from eomc.ir.graph import Graph
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.passes.repeats import Each, Repeat, Statement
from eomc.passes.tables import Tables, tables_for

COLUMNS = st.lists(
    st.one_of(
        st.builds(
            lambda first, count, step: tuple(range(first, first + count * step, step)),
            st.integers(20, 60), st.integers(5, 15), st.sampled_from([1, -1, 2]),
        ),
        st.lists(st.integers(0, 80), min_size=5, max_size=9).map(tuple),
    ),
    min_size=1,
    max_size=8,
)  # fmt: skip


@given(columns=COLUMNS)
@example(columns=[(5, 1, 5, 4, 3, 2, 1, 0, 0)] * 2 + [(5, 4, 3, 2, 1)])  # part of one with a node twice, taken twice
def test_each_column_is_found_where_it_stands(columns) -> None:
    """Forwards, backwards, at every second place, or as it comes: read by its index it is the column."""
    tables = Tables()
    for column in columns:
        tables.take(column)
    done = tables.done()
    again = Tables(done)
    for column in columns:
        table, first, step = again.find(column)
        assert tuple(done[table][first + j * step] for j in range(len(column))) == column
        assert column[0] in again
    assert sum(map(len, done)) <= sum(map(len, columns))


def test_one_array_for_all_passes() -> None:
    """Masses read outwards, inwards and from another joint on are one array of all that is read."""
    graph = Graph()
    masses = [graph.symbol(Symbol(Role.PARAMETER, k, f"m{k}")) for k in range(20)]
    angles = [graph.symbol(Symbol(Role.STATE, k, f"q{k}")) for k in range(20)]

    def read(column: list[int]) -> Repeat:
        products = tuple(graph.mul(m, q) for m, q in zip(column, angles, strict=False))
        operands = Each(tuple(column)), Each(tuple(angles[: len(column)]))
        return Repeat(("",) * len(column), (Statement(products, operands),), arithmetic=False, in_a_row=True)

    repeats = [read(masses[3:18]), read(masses[15:1:-1]), read(masses[5:20])]
    steady = frozenset(node for node, op in enumerate(graph.ops) if op is Op.SYMBOL and node in masses)
    assert tables_for(repeats, steady) == [tuple(masses[2:])]
    assert tables_for([], steady) == []
