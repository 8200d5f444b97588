"""Values of compiled functions against the same formulas in Python's own arithmetic."""

from __future__ import annotations

import math

import pytest

from eomc.ir.ops import Op
from eomc.ir.systems import Factorization
from eomc.passes.chunk import CHUNK

pytestmark = pytest.mark.needs_cc


def close(actual, expected, tolerance):
    return all(
        (math.isnan(a) and math.isnan(b)) or a == b or abs(a - b) <= tolerance * (1 + abs(b))
        for a, b in zip(actual, expected, strict=True)
    )


POINTS = [(0.3, 0.7), (0.7, 0.3), (0.5, 0.5), (0.9, 0.01)]


@pytest.mark.parametrize("point", POINTS)
def test_every_op_in_double(point, emit, programs, expected):
    """Each op of the table means what Python's math means, to rounding."""
    loaded = emit(programs["all_ops"]()).load()
    loaded.prepare()
    status, values = loaded.call("outputs", 0.0, point)
    assert status == 0
    assert close(values, expected["all_ops"](*point), 4e-15)


def test_every_op_in_float(emit, programs, expected):
    """In float the same to single precision; what float cannot hold is zero or infinite, as in C."""
    loaded = emit(programs["all_ops"]()).load("float")
    loaded.prepare()
    _, values = loaded.call("outputs", 0.0, (0.25, 0.75))
    wanted = expected["all_ops"](0.25, 0.75)
    epsilon = next(i for i, value in enumerate(wanted) if value == 0.25 * 2.0**-52)
    wanted[epsilon] = 0.25 * 2.0**-23
    wanted = [math.inf if value > 3e38 else value for value in wanted]
    assert close(values, wanted, 3e-6)


def test_sign_of_zero_and_modulo_of_negatives(emit, programs, expected):
    """sign(0) is 0; a modulus takes the sign of the divisor."""
    loaded = emit(programs["signs"]()).load()
    loaded.prepare()
    for x, y in ((0.0, 3.0), (-0.0, 3.0), (-7.5, 2.0), (7.5, -2.0), (-7.5, -2.0), (7.5, 2.0)):
        _, values = loaded.call("outputs", 0.0, (x, y))
        sign = 0.0 if x == 0 else math.copysign(1.0, x)
        assert values == [sign, x % y]


def test_comparisons_with_nan(emit, programs):
    """Every comparison with NaN is false but for `not equal`."""
    loaded = emit(programs["all_ops"]()).load()
    loaded.prepare()
    _, values = loaded.call("outputs", 0.0, (math.nan, 0.5))
    first = 16 + 9
    assert values[first : first + 4] == [0.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("size", [30, 300, 5000])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_programs(size, seed, emit, dag):
    """A random program means the same in one chunk or in many; its values are bounded, so rounding stays small."""
    random = dag(size, seed)
    folder = emit(random.program)
    loaded = folder.load()
    parameters = [0.31, 0.42, 0.53, 0.64]
    assert loaded.prepare(parameters) == 0
    x = [0.05 + 0.07 * i for i in range(12)]
    expected = random.evaluate(x, parameters)
    status, values = loaded.call("rhs", 0.0, x)
    assert status == 0
    assert close(values, expected, 1e-11)
    assert loaded.call("outputs", 0.0, x)[1] == values[:3]
    chunks = len(folder.result.schedule.routines[0].all_chunks)
    assert chunks == 1 if size < 300 else chunks >= max(1, size // CHUNK)


def test_long_prepare(emit, dag):
    """What depends on parameters alone may take several parts too, and fails as a whole."""
    random = dag(4000, 8, constant=True)
    folder = emit(random.program)
    loaded = folder.load()
    assert len(folder.result.schedule.prepare.chunks) > 2
    parameters = [0.31, 0.42, 0.53, 0.64, *(0.05 + 0.07 * i for i in range(12))]
    assert loaded.prepare(parameters) == 0
    expected = random.evaluate(parameters[4:], parameters[:4])
    assert close(loaded.call("rhs", 0.0, [0.0] * 12)[1], expected, 1e-11)
    assert folder.result.schedule.routines[0].counts.total == 0
    assert loaded.prepare([math.nan] * 16) == 1


@pytest.mark.parametrize("kind", [Factorization.LDLT, Factorization.LU])
@pytest.mark.parametrize(("n", "columns"), [(1, 1), (2, 1), (3, 2), (7, 1), (12, 3)])
@pytest.mark.parametrize("constant", [False, True])
def test_linear_systems(kind, n, columns, constant, emit, system):
    """A X = B for the kernels, checked by multiplying A with X by hand."""
    loaded = emit(system(n, columns, kind, constant=constant)).load()
    assert loaded.prepare() == 0
    x = [0.1 * (i + 1) for i in range(n)]
    source = [0.2 * (i + 1) for i in range(n)] if constant else x
    diagonal = source[0] if constant else 1.0
    matrix = [[source[i] * source[j] for j in range(n)] for i in range(n)]
    for i in range(n):
        if kind is Factorization.LDLT:
            matrix[i][i] += diagonal
        else:
            matrix[i][(i + 1) % n] += diagonal * -(i + 2)
    right = [sum(source[i] + k for k in range(columns)) for i in range(n)]
    status, values = loaded.call("rhs", 0.0, x)
    assert status == 0
    solution = [value - own for value, own in zip(values, x, strict=True)]
    back = [sum(row[j] * solution[j] for j in range(n)) for row in matrix]
    assert close(back, right, 1e-12)


@pytest.mark.parametrize("kind", [Factorization.LDLT, Factorization.LU])
def test_singular_system_reports_its_row(kind, emit, system):
    """A rank-one matrix fails in its second row, tells its name and leaves the result alone."""
    folder = emit(system(4, 1, kind))
    loaded = folder.load()
    loaded.prepare()
    status, values = loaded.call("rhs", 0.0, [0.1, 0.2, 0.3, 0.4], [0.0])
    assert status == 1
    assert values == [-77.0] * 4
    assert folder.result.schedule.check_labels[loaded.failed()] in ("row 1", "row 2", "row 3")
    status, _ = loaded.call("rhs", 0.0, [math.nan, 0.2, 0.3, 0.4], [1.0])
    assert status == 1


@pytest.mark.parametrize("kind", [Factorization.LDLT, Factorization.LU])
@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_scale_of_a_system_does_not_matter(kind, scale, emit, system):
    """Rank is judged in proportion: a small regular matrix is regular."""
    loaded = emit(system(3, 1, kind)).load()
    loaded.prepare()
    root = math.sqrt(scale)
    status, values = loaded.call("rhs", 0.0, [0.1 * root, 0.2 * root, 0.3 * root], [scale])
    assert status == 0
    assert all(math.isfinite(value) for value in values)


def test_state_may_be_overwritten_by_its_derivative(emit, dag):
    """rhs(x -> x) equals rhs into other memory, also through several chunks."""
    random = dag(2000, 4)
    loaded = emit(random.program).load()
    loaded.prepare()
    x = [0.1 + 0.05 * i for i in range(12)]
    _, expected = loaded.call("rhs", 0.0, x)
    state = loaded.array(x)
    function = getattr(loaded.library, f"{loaded.folder.name}_rhs")
    function(loaded.real(0.0), state, loaded.array([0.0]), loaded.constants, loaded.work, state)
    assert list(state) == expected


@pytest.mark.parametrize("forward", [True, False])
def test_many_states_may_be_overwritten_by_their_derivatives(forward, emit, builder):
    """The same where several functions hand out the rates: those that are other states, later or earlier ones."""
    b = builder("many")
    x = [b.state(f"x{i}") for i in range(900)]
    moved = [*x[450:], *x[450:]] if forward else [*x[::-1]]
    rates = [b.graph.unary(Op.SIN, node) if i >= 450 else node for i, node in enumerate(moved)]
    b.function("rhs", rates, title="State derivative.")
    folder = emit(b.program())
    loaded = folder.load()
    loaded.prepare()
    values = [0.001 * i for i in range(900)]
    assert (len(folder.result.schedule.routines[0].chunks) > 1) is forward
    expected = [*values[450:], *values[450:]] if forward else values[::-1]
    expected[450:] = map(math.sin, expected[450:])
    state = loaded.array(values)
    function = loaded.library.many_rhs
    function(loaded.real(0.0), state, loaded.array([0.0]), loaded.constants, loaded.work, state)
    assert list(state) == pytest.approx(expected, rel=1e-15)


def test_state_survives_a_failing_step(emit, system):
    """When a stage fails the state is what it was."""
    loaded = emit(system(3, 1, Factorization.LDLT)).load()
    loaded.prepare()
    status, values = loaded.step(0.0, 0.1, [0.1, 0.2, 0.3], [[1.0], [1.0], [0.0]])
    assert status == 1
    assert values == [0.1, 0.2, 0.3]


def test_parameters_that_allow_no_motion(emit, programs):
    """prepare fails where a pivot of the parameters vanishes, or is not a number."""
    loaded = emit(programs["pendulum"]()).load()
    assert loaded.prepare([1.0, 1.0, 9.81]) == 0
    assert loaded.prepare([0.0, 1.0, 9.81]) == 1
    assert loaded.prepare([math.nan, 1.0, 9.81]) == 1


def test_guard_in_a_later_chunk(emit, dag):
    """A check that fails in any chunk ends the function at once, result untouched."""
    random = dag(3000, 5)
    folder = emit(random.program)
    loaded = folder.load()
    loaded.prepare()
    status, values = loaded.call("rhs", 0.0, [math.nan] * 12)
    assert status == 1
    assert values == [-77.0] * 12
    assert folder.result.schedule.check_labels[loaded.failed()].startswith("node ")


def test_nasty_names_compute(emit, programs):
    """Renaming changes no value: the sum of products comes out as Python has it."""
    folder = emit(programs["nasty"]())
    loaded = folder.load()
    loaded.prepare()
    program = folder.result.schedule.program
    x = [0.1 * (i + 1) for i in range(len(program.states))]
    inputs = [0.25] * len(program.inputs)
    total = sum(2.0 * x[i % len(x)] for i in range(len(program.parameters)))
    total += sum(0.25 * math.sin(x[i % len(x)]) for i in range(len(inputs)))
    _, values = loaded.call("rhs", 3.0, x, inputs)
    assert close(values, [total * 3.0 * (i + 1) / 7 for i in range(len(x))], 1e-14)


def test_a_function_with_several_arrays(emit, programs):
    """Consecutive outputs go to consecutive arguments; an empty array may be a null pointer."""
    loaded = emit(programs["several_arrays"]()).load()
    loaded.prepare()
    a, c = loaded.array([-77.0] * 5), loaded.array([-77.0] * 4)
    slopes = loaded.library.several_arrays_slopes
    status = slopes(
        loaded.real(0.0), loaded.array([3.0, 5.0]), loaded.array([]), loaded.constants, loaded.work, a, None, c
    )
    assert status == 0
    assert list(a) == [30.0, -2.0, 7.0, 0.0, -77.0]
    assert list(c) == [3.0, 1.0, 30.0, -77.0]
