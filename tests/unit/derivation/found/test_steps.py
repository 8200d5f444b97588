"""What single rotations are taken for: by their expressions, however they were written."""

from __future__ import annotations

import itertools

import pytest
import sympy
from sympy.physics.mechanics import ReferenceFrame, dynamicsymbols

from eomc.derivation.found.steps import Fixed, Turn, steps_of
from eomc.derivation.sampling import Sampling
from eomc.derivation.zeros import Zeros
from eomc.ir.graph import Graph, Level
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.scalars import ScalarLowering
from eomc.lowering.vectors import Matrix, matrix_of_rows

Q = dynamicsymbols("q1:4")
A = sympy.Symbol("a")


def lowered(matrix: sympy.Matrix) -> tuple[Graph, Matrix, list[int]]:
    """Return a rotation on a graph, with the nodes of the coordinates."""
    graph = Graph()
    nodes = [graph.symbol(Symbol(Role.STATE, k, f"q{k + 1}")) for k in range(3)]
    scalars = ScalarLowering(graph, dict(zip(Q, nodes, strict=True)))
    scalars.define(A, graph.symbol(Symbol(Role.PARAMETER, 0, "a")))
    return graph, matrix_of_rows([scalars(e) for e in matrix.row(i)] for i in range(3)), nodes


def steps_on(graph: Graph, rotation: Matrix, nodes: list[int]) -> tuple[Fixed | Turn, ...] | None:
    return steps_of(
        graph, Zeros(Sampling(graph, {}, {graph.symbol_of(q): (-1.0, 1.0) for q in nodes}, [], [])), rotation
    )


def of_frame(frame: ReferenceFrame, base: ReferenceFrame) -> tuple[Graph, tuple[Fixed | Turn, ...] | None, list[int]]:
    graph, rotation, nodes = lowered(frame.dcm(base).T)  # v_base = R v_frame
    return graph, steps_on(graph, rotation, nodes), nodes


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("quarters", range(-1, 4))
@pytest.mark.parametrize("sign", [1, -1])
def test_a_turn_about_an_axis_is_one_beyond_right_angles(axis: int, quarters: int, sign: int) -> None:
    """SymPy writes cos(q + pi/2) as -sin(q): the right angle is a constant rotation, and q what turns."""
    base, frame = ReferenceFrame("N"), ReferenceFrame("B")
    frame.orient_axis(base, list(base)[axis], sign * Q[0] + quarters * sympy.pi / 2)
    graph, steps, nodes = of_frame(frame, base)
    assert steps is not None
    turn = steps[-1]
    assert isinstance(turn, Turn)
    assert turn.axis == tuple(graph.one if k == axis else graph.zero for k in range(3))
    assert turn.angle == (nodes[0] if sign > 0 else graph.neg(nodes[0]))
    assert [type(step) for step in steps[:-1]] == [Fixed] * (quarters % 4 != 0)


@pytest.mark.parametrize("angle", [Q[0] + A, 2 * Q[0], Q[0] - Q[1], (1 + A) * Q[0]])
def test_an_angle_may_be_any_function(angle: sympy.Expr) -> None:
    """What the speeds are to its rate is asked later."""
    base, frame = ReferenceFrame("N"), ReferenceFrame("B")
    frame.orient_axis(base, base.y, angle)
    _, steps, _ = of_frame(frame, base)
    assert steps is not None
    assert [type(step) for step in steps] == [Turn]


@pytest.mark.parametrize("axis", [(1, 1, 0), (3, 4, 0), (2, 1, 2)])
def test_a_turn_about_an_axis_askew(axis: tuple[int, int, int]) -> None:
    """The axis is found, of length one."""
    base, frame = ReferenceFrame("N"), ReferenceFrame("B")
    frame.orient_axis(base, sum((k * e for k, e in zip(axis, base, strict=True)), 0 * base.x), Q[0])
    graph, steps, nodes = of_frame(frame, base)
    assert steps is not None
    (turn,) = steps
    assert isinstance(turn, Turn)
    found = [float(graph.number(e) or 0) for e in turn.axis]
    length = sum(k * k for k in axis) ** 0.5
    assert found == pytest.approx([k / length for k in axis], rel=1e-15)
    assert turn.angle == nodes[0]


@pytest.mark.parametrize("sequence", ["XYZ", "ZYX", "ZXZ", "YXY", "XZY"])
def test_three_angles_are_three_turns(sequence: str) -> None:
    """Each about the axis that its letter names, in the order of the letters."""
    base, frame = ReferenceFrame("N"), ReferenceFrame("B")
    frame.orient_body_fixed(base, Q, sequence)
    graph, steps, nodes = of_frame(frame, base)
    assert steps is not None
    assert all(isinstance(step, Turn) for step in steps)
    axes = ["XYZ"[[graph.number(e) for e in step.axis].index(1)] for step in steps if isinstance(step, Turn)]
    assert "".join(axes) == sequence
    assert [step.angle for step in steps if isinstance(step, Turn)] == nodes


def test_a_matrix_by_hand_is_what_it_says() -> None:
    """Cosines and sines of one angle in their places turn; of two, or with a factor beside, nothing does."""
    c, s = sympy.cos(Q[0]), sympy.sin(Q[0])
    t, u = sympy.cos(Q[1]), sympy.sin(Q[1])
    graph, turning, nodes = lowered(sympy.Matrix([[c, 0, s], [0, 1, 0], [-s, 0, c]]))
    assert steps_on(graph, turning, nodes) == (Turn((graph.zero, graph.one, graph.zero), nodes[0]),)
    for wrong in (
        [[c, 0, u], [0, 1, 0], [-u, 0, c]],
        [[2 * c, 0, s], [0, 1, 0], [-s, 0, 2 * c]],
        [[c, 0, s], [0, 1, 0], [s, 0, t]],
    ):
        graph, other, nodes = lowered(sympy.Matrix(wrong))
        assert steps_on(graph, other, nodes) is None


def test_what_holds_no_coordinate_is_fixed() -> None:
    """A rotation by a parameter, or by numbers, moves nothing."""
    base = ReferenceFrame("N")
    for angle, axis in itertools.product((A, sympy.Rational(1, 3)), (base.x, base.y)):
        frame = ReferenceFrame("B")
        frame.orient_axis(base, axis, angle)
        graph, steps, _ = of_frame(frame, base)
        assert steps is not None
        (step,) = steps
        assert isinstance(step, Fixed)
        assert all(graph.level[e] < Level.VARYING for row in step.rotation for e in row)
