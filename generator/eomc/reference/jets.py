"""Jets: numbers that carry their first and second derivatives with respect to chosen seeds.

A jet of order 2 over n seeds s is the Taylor polynomial f + g . ds + 1/2 ds . H ds. Arithmetic on jets is exact up
to rounding, so that derivatives come without differences and without complex numbers, whose steps go wrong at abs,
min, max and sign.

Values are NumPy arrays: one jet holds a quantity at many states at once. `gradient` has the value's shape and one
more axis, `hessian` two more; both may be anything that broadcasts to that, and None stands for zeros.

Source: A. Griewank, A. Walther, *Evaluating Derivatives* (2008), ch. 3 and 13 (forward mode, truncated Taylor
polynomials).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Derivative: TypeAlias = Array | None

EXACT = 9
"""Order of a constant: its derivatives of every order are known."""


class Jet:
    """A value with its derivatives up to `order` (2 at most, apart from constants)."""

    __slots__ = ("gradient", "hessian", "order", "value")

    def __init__(
        self, value: Array, gradient: Derivative = None, hessian: Derivative = None, order: int = EXACT
    ) -> None:
        self.value = value
        self.gradient = gradient
        self.hessian = hessian
        self.order = order

    def __repr__(self) -> str:
        return f"Jet({self.value!r}, order={self.order})"

    def __add__(self, other: Jet) -> Jet:
        gradient, hessian = _plus(self.gradient, other.gradient), _plus(self.hessian, other.hessian)
        return _jet(self.value + other.value, gradient, hessian, min(self.order, other.order))

    def __sub__(self, other: Jet) -> Jet:
        return self + -other

    def __neg__(self) -> Jet:
        return _jet(-self.value, _minus(self.gradient), _minus(self.hessian), self.order)

    def __mul__(self, other: Jet) -> Jet:
        x, y, order = self, other, min(self.order, other.order)
        gradient = hessian = None
        if order >= 1:
            gradient = _plus(_scaled(x.gradient, y.value, 1), _scaled(y.gradient, x.value, 1))
        if order >= 2:
            hessian = _plus(_scaled(x.hessian, y.value, 2), _scaled(y.hessian, x.value, 2))
            hessian = _plus(hessian, _cross(x.gradient, y.gradient))
        return _jet(x.value * y.value, gradient, hessian, order)

    def __truediv__(self, other: Jet) -> Jet:
        """Return z = x/y with z_k = (x_k - z y_k)/y and z_kl = (x_kl - z y_kl - z_k y_l - y_k z_l)/y."""
        x, y, order = self, other, min(self.order, other.order)
        value, inverse = x.value / y.value, 1.0 / y.value
        gradient = _scaled(_plus(x.gradient, _scaled(y.gradient, -value, 1)), inverse, 1)
        hessian = None
        if order >= 2:
            hessian = _plus(_plus(x.hessian, _scaled(y.hessian, -value, 2)), _minus(_cross(gradient, y.gradient)))
            hessian = _scaled(hessian, inverse, 2)
        return _jet(value, gradient, hessian, order)

    def __getitem__(self, index: int | tuple[int | slice, ...]) -> Jet:
        """Return one item along the first axis of the value."""
        return self.mapped(lambda array, _: array[index])

    def mapped(self, change: Callable[[Array, int], Array]) -> Jet:
        """Return a linear function of the jet: of each array, which ends with a number of axes for the seeds."""
        full = self.expanded()
        gradient = None if full.gradient is None else change(full.gradient, 1)
        hessian = None if full.hessian is None else change(full.hessian, 2)
        return _jet(change(full.value, 0), gradient, hessian, self.order)

    def expanded(self, shape: tuple[int, ...] | None = None) -> Jet:
        """Return the same jet with its value of `shape` (default: its own) and its derivatives of full shape."""
        shape = np.shape(self.value) if shape is None else shape
        value, gradient, hessian = self.value, self.gradient, self.hessian
        if np.shape(value) != shape:
            value = np.broadcast_to(value, shape)
        if gradient is not None and gradient.shape[:-1] != shape:
            gradient = np.broadcast_to(gradient, (*shape, gradient.shape[-1]))
        if hessian is not None and hessian.shape[:-2] != shape:
            hessian = np.broadcast_to(hessian, (*shape, *hessian.shape[-2:]))
        return Jet(value, gradient, hessian, self.order)

    def truncated(self, order: int) -> Jet:
        """Return the same jet without the derivatives above `order`."""
        return self if self.order <= order else _jet(self.value, self.gradient, self.hessian, min(self.order, order))

    def derivative(self, seeds: slice, count: int) -> Jet:
        """Return the derivatives with respect to `count` seeds, along a new last axis; the order drops by one."""
        if self.order < 1:
            raise ValueError("a jet of order 0 has no derivatives")
        if self.gradient is None:
            return Jet(np.zeros((*np.shape(self.value), count)))
        full = self.expanded()
        assert full.gradient is not None
        hessian = None if full.hessian is None else full.hessian[..., seeds, :]
        return _jet(full.gradient[..., seeds], hessian, None, self.order - 1)

    def partials(self, seeds: slice, count: int) -> Array:
        """Return the values of the partial derivatives with respect to `count` seeds, along a new last axis."""
        return self.derivative(seeds, count).value


def constant(value: float | Array) -> Jet:
    """Return a jet that depends on no seed."""
    return Jet(np.asarray(value, dtype=np.float64))


def seed(value: Array, index: int, count: int, order: int) -> Jet:
    """Return the seed number `index` of `count`, at `value`."""
    gradient = np.zeros(count)
    gradient[index] = 1.0
    return _jet(value, gradient, None, order)


def chain(x: Jet, value: Array, first: Callable[[], Array], second: Callable[[], Array]) -> Jet:
    """Return f(x) from f, f' and f'' at the value of x; the latter are computed only where they are needed."""
    if x.gradient is None or x.order < 1:
        return _jet(value, None, None, x.order)
    slope = _tamed(x, first())
    hessian = None
    if x.order >= 2:
        curvature = _tamed(x, second())
        hessian = _plus(_scaled(x.hessian, slope, 2), _scaled(_outer(x.gradient, x.gradient), curvature, 2))
    return _jet(value, _scaled(x.gradient, slope, 1), hessian, x.order)


def combine(x: Jet, y: Jet, value: Array, first: tuple[Array, Array], second: tuple[Array, Array, Array]) -> Jet:
    """Return f(x, y) from its partial derivatives (f_x, f_y) and (f_xx, f_xy, f_yy)."""
    order = min(x.order, y.order)
    first = (_tamed(x, first[0]), _tamed(y, first[1]))
    second = (_tamed(x, second[0]), _tamed(x, _tamed(y, second[1])), _tamed(y, second[2]))
    gradient = _plus(_scaled(x.gradient, first[0], 1), _scaled(y.gradient, first[1], 1))
    hessian = None
    if order >= 2:
        hessian = _plus(_scaled(x.hessian, first[0], 2), _scaled(y.hessian, first[1], 2))
        hessian = _plus(hessian, _scaled(_cross(x.gradient, y.gradient), second[1], 2))
        for jet, curvature in ((x, second[0]), (y, second[2])):
            if jet.gradient is not None:
                hessian = _plus(hessian, _scaled(_outer(jet.gradient, jet.gradient), curvature, 2))
    return _jet(value, gradient, hessian, order)


def select(condition: NDArray[np.bool_], x: Jet, y: Jet) -> Jet:
    """Return x where the condition holds, else y; what the other branch makes of its operands is dropped."""
    gradient = _where(condition, x.gradient, y.gradient, 1)
    hessian = _where(condition, x.hessian, y.hessian, 2)
    return _jet(np.where(condition, x.value, y.value), gradient, hessian, min(x.order, y.order))


def at_zero(x: Jet) -> NDArray[np.bool_]:
    """Return where a jet is zero with all its derivatives."""
    zero: NDArray[np.bool_] = np.asarray(x.value == 0.0) & ~_moves(x)
    return zero


def _moves(x: Jet) -> NDArray[np.bool_]:
    """Return where a jet has a derivative that is not zero."""
    moves = np.zeros(np.shape(x.value), dtype=bool)
    if x.gradient is not None:
        moves = moves | (x.gradient != 0.0).any(axis=-1)
    if x.hessian is not None:
        moves = moves | (x.hessian != 0.0).any(axis=(-1, -2))
    return moves


def _tamed(x: Jet, slope: Array) -> Array:
    """Return derivatives of a function of x, zero in place of infinity where x is at rest, such as Max(y, 0) may be."""
    return slope if np.isfinite(slope).all() else np.where(_moves(x) | np.isfinite(slope), slope, 0.0)


def _jet(value: Array, gradient: Derivative, hessian: Derivative, order: int) -> Jet:
    """Keep order and derivatives consistent: no gradient is a constant of every order, but for order 0."""
    if order < 1:
        return Jet(value, None, None, 0)
    return Jet(value, gradient, hessian if order >= 2 else None, order if gradient is not None else EXACT)


def _plus(x: Derivative, y: Derivative) -> Derivative:
    if x is None or y is None:
        return y if x is None else x
    return x + y


def _minus(x: Derivative) -> Derivative:
    return None if x is None else -x


def _scaled(x: Derivative, factor: Array, axes: int) -> Derivative:
    if x is None:
        return None
    return x * (factor[..., None] if axes == 1 else factor[..., None, None])


def _outer(x: Array, y: Array) -> Array:
    product: Array = x[..., :, None] * y[..., None, :]
    return product


def _cross(x: Derivative, y: Derivative) -> Derivative:
    """Return x y^T + y x^T."""
    if x is None or y is None:
        return None
    product = _outer(x, y)
    return product + np.swapaxes(product, -1, -2)


def _where(condition: NDArray[np.bool_], x: Derivative, y: Derivative, axes: int) -> Derivative:
    if x is None and y is None:
        return None
    lifted = condition[..., None] if axes == 1 else condition[..., None, None]
    return np.where(lifted, 0.0 if x is None else x, 0.0 if y is None else y)
