"""Expressions drawn at random, values and slopes, against mpmath: at random points and at those where branches meet."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import mpmath
import sympy

from eomc.errors import LoweringError
from eomc.ir.graph import Graph
from eomc.ir.interpreter import Sample
from eomc.ir.symbols import Role, Symbol
from eomc.lowering.scalars import ScalarLowering
from eomc.passes.differentiate import gradient, jacobian

__all__ = ["examine_expression"]

X, Y = sympy.symbols("x y", real=True)
_Relational = sympy.core.relational.Relational
_DIGITS = 60
_STEP = mpmath.mpf(10) ** -24
_FAR = mpmath.mpf(10) ** -12
_STEEP = 1e9  # slopes beyond count as infinite: a root at zero, a jump
_SPECIAL = (0, 1, -1, sympy.Rational(1, 2), 2)
_TOLERANCE = 1e-9
_LARGEST = mpmath.mpf(10) ** (_DIGITS - 10)  # of a number beyond fewer than ten decimals are known


class Expression:
    """A tree over x and y of everything that a model may hold; small integers and halves as constants."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.tree = self._tree(3)

    def _tree(self, depth: int) -> Any:
        choose = self.random
        if depth == 0 or choose.random() < 0.12:
            return choose.choice([X, Y, X, Y, sympy.Integer(choose.randint(-3, 3)), sympy.Rational(1, 2)])
        a, b = self._tree(depth - 1), self._tree(depth - 1)
        kind = choose.choice(
            ["sum", "sum", "product", "product", "quotient", "power", "one", "one", "one", "choice", "choice", "guard"]
        )
        if kind == "sum":
            return a + choose.choice([-2, -1, 1, 3]) * b
        if kind == "product":
            return a * b
        if kind == "quotient":
            return a / b if b != 0 else a
        if kind == "power":
            exponent = choose.choice([2, 3, -1, -2, sympy.Rational(1, 2), sympy.Rational(3, 2), sympy.Rational(1, 3)])
            return a**exponent if a != 0 else b
        if kind == "one":
            functions = [sympy.sin, sympy.cos, sympy.exp, sympy.log, sympy.sqrt, sympy.Abs, sympy.tanh, sympy.atan]
            functions += [sympy.sinh, sympy.asin, sympy.acos, sympy.tan, sympy.sign, sympy.floor]
            return choose.choice(functions)(a)
        condition = choose.choice([a > 0, b < 1, a >= b, X > 0, Y <= 1, sympy.Abs(X) < 1])
        if kind == "choice":
            inner = self._tree(depth - 1)
            made = [sympy.Max(a, b), sympy.Min(a, b), sympy.atan2(a, b), sympy.Mod(a, 2)]
            return choose.choice([*made, sympy.Piecewise((a, condition), (inner, True))])
        fragile = choose.choice([sympy.sqrt(a), sympy.log(a), 1 / a if a != 0 else b, a ** sympy.Rational(3, 2)])
        mask = choose.choice([sympy.Heaviside(a), sympy.Piecewise((b, a > 0), (0, True)), sympy.Heaviside(a, 0)])
        return mask * fragile


def _value(expression: Any, x: Any, y: Any) -> Any:
    """Return the value by SymPy's definitions at 60 digits, branch by branch; None where it has none."""
    with mpmath.workdps(_DIGITS):
        try:
            found = _evaluated(expression, {X: mpmath.mpf(x), Y: mpmath.mpf(y)})
        except (ArithmeticError, ValueError, TypeError):
            return None
        return found if found is not None and mpmath.isfinite(found) else None


# They need the decimals of their argument: mpmath looks for them in as many bits as its exponent says, be it 10^12.
_BY_DECIMALS = (
    sympy.exp, sympy.sinh, sympy.cosh, sympy.sin, sympy.cos, sympy.tan, sympy.cot, sympy.sec, sympy.csc,
)  # fmt: skip
_FUNCTIONS = {
    sympy.sin: mpmath.sin, sympy.cos: mpmath.cos, sympy.exp: mpmath.exp, sympy.sinh: mpmath.sinh,
    sympy.tanh: lambda x: mpmath.tanh(max(-_LARGEST, min(x, _LARGEST))),  # +-1 long before
    sympy.atan: mpmath.atan, sympy.cosh: mpmath.cosh, sympy.tan: mpmath.tan,
    sympy.Abs: abs, sympy.sign: mpmath.sign, sympy.floor: mpmath.floor, sympy.Max: max, sympy.Min: min,
    sympy.atan2: mpmath.atan2, sympy.ceiling: mpmath.ceil, sympy.cot: mpmath.cot, sympy.sec: mpmath.sec,
    sympy.csc: mpmath.csc,
}  # fmt: skip


def _evaluated(e: Any, at: dict[Any, Any]) -> Any:
    """Return a real number; raise where there is none. Of a choice only the branch that is taken is looked at."""
    if e.is_Symbol:
        return at[e]
    if e.is_Number or e.is_NumberSymbol:
        if not e.is_finite:
            raise ValueError(e)
        return e._to_mpmath(mpmath.mp.prec)
    if isinstance(e, sympy.Piecewise):
        for value, condition in e.args:
            if _holds(condition, at):
                return _evaluated(value, at)
        raise ValueError("no branch")
    if e.is_Mul:
        return _product(e, at)
    if e.is_Add:
        return mpmath.fsum(_evaluated(a, at) for a in e.args)
    if e.is_Pow:
        return _power(*(_evaluated(a, at) for a in e.args), e.args[1])
    if isinstance(e, sympy.Heaviside):
        x = _evaluated(e.args[0], at)
        return mpmath.mpf(1) if x > 0 else mpmath.mpf(0) if x < 0 else _evaluated(e.args[1], at)
    if isinstance(e, sympy.Mod):
        a, b = (_evaluated(x, at) for x in e.args)
        return a - b * mpmath.floor(a / b)
    args = [_evaluated(a, at) for a in e.args]
    if isinstance(e, sympy.log | sympy.asin | sympy.acos):
        inside = args[0] > 0 if isinstance(e, sympy.log) else abs(args[0]) <= 1
        if not inside:
            raise ValueError(e)
        return {sympy.log: mpmath.log, sympy.asin: mpmath.asin, sympy.acos: mpmath.acos}[type(e)](args[0])
    if isinstance(e, _BY_DECIMALS) and abs(args[0]) > _LARGEST:
        raise OverflowError(e)
    return _FUNCTIONS[type(e)](*args)


def _product(e: Any, at: dict[Any, Any]) -> Any:
    """A step or a branch that is zero makes the product zero, whether or not its other factors have a value."""
    if any(_switches_off(factor, at) for factor in e.args):
        return mpmath.mpf(0)
    return mpmath.fprod(_evaluated(a, at) for a in e.args)


def _switches_off(factor: Any, at: dict[Any, Any]) -> bool:
    """Whether a factor is a step that is zero, or a choice whose branch is the number zero."""
    if isinstance(factor, sympy.Piecewise):
        taken = next((value for value, condition in factor.args if _holds(condition, at)), None)
        return taken is not None and taken == 0
    return isinstance(factor, sympy.Heaviside) and _evaluated(factor, at) == 0


def _power(base: Any, exponent: Any, written: Any) -> Any:
    if base < 0 and not written.is_Integer:
        raise ValueError("root of a negative number")
    if base == 0 and exponent < 0:
        raise ZeroDivisionError
    if abs(exponent) > _LARGEST:
        raise OverflowError(exponent)
    return mpmath.power(base, exponent)


def _holds(condition: Any, at: dict[Any, Any]) -> bool:
    if condition in (sympy.true, sympy.false):
        return bool(condition)
    if isinstance(condition, sympy.ITE):
        chosen = condition.args[1] if _holds(condition.args[0], at) else condition.args[2]
        return _holds(chosen, at)
    if isinstance(condition, sympy.Not):
        return not _holds(condition.args[0], at)
    if isinstance(condition, sympy.And | sympy.Or):
        return (all if isinstance(condition, sympy.And) else any)(_holds(a, at) for a in condition.args)
    a, b = (_evaluated(x, at) for x in condition.args)
    return {">": a > b, "<": a < b, ">=": a >= b, "<=": a <= b, "==": a == b, "!=": a != b}[condition.rel_op]


def _is_steep(e: Any, at: dict[Any, Any]) -> bool:
    """Whether a root, an arc or an angle that counts at a point has no slope there, so that NaN is a fair answer."""
    if _is_unsure(e, at):
        return True
    if not e.args or isinstance(e, sympy.sign | sympy.Heaviside):
        return False
    if isinstance(e, sympy.Piecewise):
        return any(_is_steep(value, at) for value, condition in e.args[:1] if _holds(condition, at)) or (
            not _holds(e.args[0][1], at) and _is_steep(sympy.Piecewise(*e.args[1:], evaluate=False), at)
        )
    if isinstance(e, sympy.Max | sympy.Min):
        extreme = _evaluated(e, at)
        jumps = e.atoms(*_JUMPS)  # of an argument that loses, too: on the other side of the jump it may win
        return any(_is_unsure(jump, at) for jump in jumps) or any(
            _is_steep(a, at) for a in e.args if _evaluated(a, at) == extreme
        )
    if e.is_Mul and any(_switches_off(a, at) for a in e.args):
        return False
    values = [abs(_evaluated(a, at)) for a in e.args]
    near = mpmath.mpf(10) ** -9
    if e.is_Pow and not e.args[1].is_Integer and values[0] < near:
        return True
    if isinstance(e, sympy.asin | sympy.acos) and abs(values[0] - 1) < near:
        return True
    return any(_is_steep(a, at) for a in e.args)


_JUMPS = (sympy.floor, sympy.Mod, sympy.sign, sympy.Heaviside, sympy.atan2, sympy.Piecewise)


def _is_unsure(e: Any, at: dict[Any, Any]) -> bool:
    """Whether a function stands so near to a jump of its own that rounding, or the sign of a zero, decides."""
    near = mpmath.mpf(10) ** -9
    if isinstance(e, sympy.floor | sympy.Mod):  # on the jump where floats are not exact
        ratio = _evaluated(e.args[0], at) / (_evaluated(e.args[1], at) if isinstance(e, sympy.Mod) else 1)
        exact = ratio == mpmath.nint(ratio) and all(map(_is_exact, e.args))
        return bool(abs(ratio - mpmath.nint(ratio)) < near and not exact)
    if isinstance(e, sympy.sign | sympy.Heaviside):
        return bool(0 < abs(_evaluated(e.args[0], at)) < near)
    if isinstance(e, sympy.atan2):
        y, x = (_evaluated(a, at) for a in e.args)
        return bool(abs(y) < near and x < near)
    if isinstance(e, sympy.Piecewise):
        return any(_is_close(one, at) for _, condition in e.args for one in condition.atoms(_Relational))
    return False


def _is_close(relation: Any, at: dict[Any, Any]) -> bool:
    """Whether rounding decides about a relation."""
    gap = abs(_evaluated(relation.lhs, at) - _evaluated(relation.rhs, at))
    exact = gap == 0 and _is_exact(relation.lhs) and _is_exact(relation.rhs)
    return bool(gap < mpmath.mpf(10) ** -9 and not exact)


def _is_exact(e: Any) -> bool:
    """Whether floats evaluate an expression of small integers and halves without rounding."""
    if e.is_Pow:
        return bool(e.args[1].is_Integer and e.args[1] > 0) and _is_exact(e.args[0])
    steps = (sympy.Abs, sympy.sign, sympy.floor, sympy.Max, sympy.Min, sympy.Heaviside)
    return bool(not e.args or e.is_Add or e.is_Mul or isinstance(e, steps)) and all(map(_is_exact, e.args))


def _is_tied(e: Any, at: dict[Any, Any]) -> bool:
    """Whether arguments of an extremum are equal at a point, or a step is there: slopes are then those of one side."""
    if not e.args:
        return False
    if isinstance(e, sympy.Max | sympy.Min):
        values = sorted(_evaluated(a, at) for a in e.args)
        if any(abs(a - b) < mpmath.mpf(10) ** -9 for a, b in itertools.pairwise(values)):
            return True
    if isinstance(e, sympy.sign | sympy.Heaviside | sympy.floor):
        x = _evaluated(e.args[0], at)
        return bool(x == mpmath.nint(x))
    if isinstance(e, sympy.Mod):
        ratio = _evaluated(e.args[0], at) / _evaluated(e.args[1], at)
        if ratio == mpmath.nint(ratio):
            return True
    if isinstance(e, sympy.Piecewise):
        relations = (one for _, condition in e.args for one in condition.atoms(_Relational))
        if any(abs(_evaluated(one.lhs, at) - _evaluated(one.rhs, at)) < mpmath.mpf(10) ** -9 for one in relations):
            return True
        return any(_is_tied(value, at) for value, condition in e.args if _holds(condition, at))
    if e.is_Mul and any(_switches_off(a, at) for a in e.args):
        return False
    return any(_is_tied(a, at) for a in e.args if isinstance(a, sympy.Expr))


def _nature(expression: Any, x: float, y: float) -> tuple[bool, bool]:
    """Return whether an expression is steep at a point, or so near to where it has no value, and whether it is tied."""
    with mpmath.workdps(_DIGITS):
        at = {X: mpmath.mpf(x), Y: mpmath.mpf(y)}
        try:
            return _is_steep(expression, at), _is_tied(expression, at)
        except (ArithmeticError, ValueError):
            return True, True


def _slopes(expression: Any, x: Any, y: Any, value: Any) -> list[tuple[float, float] | None]:
    """Return, for x and y, the slopes to the left and to the right in order; None where one does not exist."""
    found: list[tuple[float, float] | None] = []
    with mpmath.workdps(_DIGITS):
        for dx, dy in ((1, 0), (0, 1)):
            pair = []
            for side in (-1, 1):
                near, far = (_difference(expression, x, y, value, side * h * dx, side * h * dy) for h in (_STEP, _FAR))
                settled = near is not None and far is not None and abs(near - far) <= 1e-4 * (1 + abs(near))
                pair.append(near if settled else None)  # x log(x^2) has a slope nowhere near zero
            known = [slope for slope in pair if slope is not None and abs(slope) < _STEEP]
            found.append((min(known), max(known)) if len(known) == 2 else None)
    return found


def _difference(expression: Any, x: Any, y: Any, value: Any, dx: Any, dy: Any) -> float | None:
    """Return the difference quotient towards a point beside, None where there is no value."""
    moved = _value(expression, mpmath.mpf(x) + dx, mpmath.mpf(y) + dy)
    return None if moved is None else float((moved - value) / (dx + dy))


def examine_expression(seed: int) -> tuple[int, list[str]]:
    """Return how many numbers were compared, and what was wrong."""
    try:
        made = Expression(seed)
    except (TypeError, ValueError, RecursionError):  # SymPy refuses to compare complex numbers, or loses itself
        return 0, []
    expression = made.tree
    graph = Graph()
    symbols = [Symbol(Role.STATE, index, name) for index, name in enumerate("xy")]
    leaves = [graph.symbol(symbol) for symbol in symbols]
    if expression.has(sympy.zoo, sympy.nan, sympy.oo, sympy.I) or not expression.free_symbols:
        return 0, []
    try:
        node = ScalarLowering(graph, dict(zip((X, Y), leaves, strict=True)))(expression)
    except LoweringError:  # it holds a complex constant, such as asin(3)
        return 0, []
    forward = jacobian(graph, [node], leaves)[0]
    reverse = gradient(graph, node, leaves)
    points = [(made.random.uniform(-2, 2), made.random.uniform(-2, 2)) for _ in range(2)]
    points += [(made.random.choice(_SPECIAL), made.random.uniform(-2, 2)), (made.random.choice(_SPECIAL),) * 2]
    count, faults = 0, []
    for x, y in ((float(a), float(b)) for a, b in points):
        value = _value(expression, x, y)
        if value is None or abs(value) > 1e12:
            continue
        steep, tied = _nature(expression, x, y)
        if steep:
            continue
        sample = Sample(graph, dict(zip(symbols, (x, y), strict=True)))
        slopes = _slopes(expression, x, y, value)
        largest = max((abs(s) for pair in slopes if pair for s in pair), default=0.0)
        allowed = _TOLERANCE * (1 + abs(float(value)) + 1e-6 * largest)
        count += 1
        if not abs(sample[node] - float(value)) <= allowed:
            faults.append(f"seed {seed}: {expression} at {x}, {y} is {float(value)!r}, not {sample[node]!r}")
        for name, pair, *ours in zip("xy", slopes, forward, reverse, strict=True):
            if pair is None:
                continue
            for way, slope in zip(("forward", "reverse"), (sample[n] for n in ours), strict=True):
                count += 1
                # The curvature moves the difference by a step's worth; at a kink anything between is a slope.
                room = 1e-7 * (1 + max(map(abs, pair)))
                smooth = pair[1] - pair[0] <= room and not tied  # elsewhere any finite slope will do
                if not math.isfinite(slope) or (smooth and not pair[0] - room <= slope <= pair[1] + room):
                    faults.append(
                        f"seed {seed}: d/d{name}, {way}, of {expression} at {x}, {y} is in {pair}, not {slope!r}"
                    )
    return count, faults
