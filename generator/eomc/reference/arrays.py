"""Arrays of jets: stacking, products of matrices and vectors, linear systems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eomc.errors import SingularSystemError
from eomc.reference.jets import EXACT, Array, Jet, constant


def zeros(*shape: int) -> Jet:
    """Return a constant array of zeros."""
    return constant(np.zeros(shape))


def crossed(a: Array, b: Array) -> Array:
    """Return a x b of vectors (..., 3); NumPy's own takes ten times as long for few of them."""
    x, y, z, u, v, w = a[..., 0], a[..., 1], a[..., 2], b[..., 0], b[..., 1], b[..., 2]
    first = y * w - z * v
    found = np.empty((*first.shape, 3))
    found[..., 0], found[..., 1], found[..., 2] = first, z * u - x * w, x * v - y * u
    return found


def stack(jets: Sequence[Jet], shape: tuple[int, ...]) -> Jet:
    """Return the jets, each broadcast to `shape`, along a new last axis of the value."""
    value = np.empty((*shape, len(jets)))
    for index, jet in enumerate(jets):
        value[..., index] = jet.value
    order = min((jet.order for jet in jets), default=EXACT)
    gradients = [jet.gradient for jet in jets if jet.gradient is not None]
    if not gradients or order < 1:
        return Jet(value, order=order)
    count = gradients[0].shape[-1]
    gradient = np.zeros((*shape, len(jets), count))
    for index, jet in enumerate(jets):
        if jet.gradient is not None:
            gradient[..., index, :] = jet.gradient
    if order < 2 or all(jet.hessian is None for jet in jets):
        return Jet(value, gradient, None, order)
    hessian = np.zeros((*shape, len(jets), count, count))
    for index, jet in enumerate(jets):
        if jet.hessian is not None:
            hessian[..., index, :, :] = jet.hessian
    return Jet(value, gradient, hessian, order)


def reshaped(jet: Jet, shape: tuple[int, ...]) -> Jet:
    """Return the jet with its value in another shape."""
    return jet.mapped(lambda array, seeds: array.reshape(*shape, *array.shape[array.ndim - seeds :]))


def lifted(jet: Jet, states: int, axes: int) -> Jet:
    """Return a jet of shape (k, ...) with `axes` more axes after that of the states; one value counts for all."""
    full = jet.expanded((states,) if np.ndim(jet.value) == 0 else None)
    return full.mapped(lambda array, _: array.reshape(states, *(1,) * axes, *array.shape[1:]))


def multiplied(matrices: Array, vectors: Array) -> Array:
    """Return the product at every state; shapes (k, m, n) and (k, n)."""
    return np.asarray(np.einsum("kij,kj->ki", matrices, vectors), dtype=np.float64)


def product(x: Jet, y: Jet, left: str, right: str, result: str) -> Jet:
    """Return the bilinear product of two arrays of jets after one state axis, axes named as in Einstein's notation."""
    order = min(x.order, y.order)
    x, y = x.expanded(), y.expanded()

    def of(a: Array, more_a: str, b: Array, more_b: str, more: str) -> Array:
        axes = f"...{left}{more_a},...{right}{more_b}->...{result}{more}"
        return np.asarray(np.einsum(axes, a, b), dtype=np.float64)

    value = of(x.value, "", y.value, "", "")
    if order < 1:
        return Jet(value, order=0)
    gradient = None
    if x.gradient is not None:
        gradient = of(x.gradient, "y", y.value, "", "y")
    if y.gradient is not None:
        part = of(x.value, "", y.gradient, "y", "y")
        gradient = part if gradient is None else gradient + part
    hessian = None
    if order >= 2:
        parts = []
        if x.hessian is not None:
            parts.append(of(x.hessian, "yz", y.value, "", "yz"))
        if y.hessian is not None:
            parts.append(of(x.value, "", y.hessian, "yz", "yz"))
        if x.gradient is not None and y.gradient is not None:
            mixed = of(x.gradient, "y", y.gradient, "z", "yz")
            parts.append(mixed + np.swapaxes(mixed, -1, -2))
        hessian = sum(parts[1:], parts[0]) if parts else None
    return Jet(value, gradient, hessian, order if gradient is not None else EXACT)


def matvec(matrix: Jet, vector: Jet) -> Jet:
    """Return the matrix-vector product; shapes (k, m, n) and (k, n)."""
    return product(matrix, vector, "ij", "j", "i")


def dot(x: Jet, y: Jet) -> Jet:
    """Return the scalar products of vectors; shapes (k, n) and (k, n)."""
    return product(x, y, "i", "i", "")


_PERMUTATION = np.zeros((3, 3, 3))
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _PERMUTATION[_i, _j, _k], _PERMUTATION[_i, _k, _j] = 1.0, -1.0


def cross(x: Jet, y: Jet) -> Jet:
    """Return the vector products; shapes (k, 3) and (k, 3)."""
    matrix = product(constant(_PERMUTATION), x, "ijk", "j", "ik")
    return product(matrix, y, "ik", "k", "i")


def solve(matrix: Jet, right: Jet, what: str) -> Jet:
    """Return x with A x = b as jets; shapes (k, n, n) and (k, n).

    Raises
    ------
    SingularSystemError
        A is singular at the only state that was given; among several, x is NaN there.

    Notes
    -----
    By differentiation of the system: A x_k = b_k - A_k x and A x_kl = b_kl - A_kl x - A_k x_l - A_l x_k.
    """
    order = min(matrix.order, right.order)
    a, b = matrix.expanded(), right.expanded()
    value = solve_values(a.value, b.value[..., None], what)[..., 0]
    given = a.gradient if a.gradient is not None else b.gradient
    if given is None:
        return Jet(value, order=order)
    if order < 1:
        return Jet(value, order=0)
    count = given.shape[-1]
    residual = np.zeros((*value.shape, count))
    if b.gradient is not None:
        residual = residual + b.gradient
    if a.gradient is not None:
        residual = residual - np.einsum("...ijy,...j->...iy", a.gradient, value)
    gradient = solve_values(a.value, residual, what)
    if order < 2 or (a.gradient is None and b.hessian is None):  # b is linear, and A a constant
        return Jet(value, gradient, None, order)
    curvature = np.zeros((*value.shape, count, count))
    if b.hessian is not None:
        curvature = curvature + b.hessian
    if a.hessian is not None:
        curvature = curvature - np.einsum("...ijyz,...j->...iyz", a.hessian, value)
    if a.gradient is not None:
        mixed = np.einsum("...ijy,...jz->...iyz", a.gradient, gradient)
        curvature = curvature - mixed - np.swapaxes(mixed, -1, -2)
    flat = curvature.reshape(*value.shape, count * count)
    return Jet(value, gradient, solve_values(a.value, flat, what).reshape(curvature.shape), order)


def solve_values(matrix: Array, right: Array, what: str) -> Array:
    """Return A^-1 B state by state; shapes (k, n, n) and (k, n, m).

    Raises
    ------
    SingularSystemError
        The only matrix given is singular; among several, the rows of the singular ones are NaN.
    """
    if matrix.shape[-1] == 0:
        return np.zeros_like(right)
    try:
        return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
    except np.linalg.LinAlgError:
        if matrix.shape[0] == 1:
            raise SingularSystemError(f"{what} is singular at this state: it has no inverse") from None
    result = np.full(right.shape, np.nan)
    for index in range(matrix.shape[0]):
        try:
            result[index] = np.linalg.solve(matrix[index], right[index])
        except np.linalg.LinAlgError:
            continue
    return result


def equilibrated(matrices: Array) -> Array:
    """Return square matrices (k, n, n) with rows and columns divided by sizes that make their largest entries one.

    D. Ruiz, A scaling algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034.
    """
    found = matrices
    for _ in range(8 if matrices.size else 0):
        sizes = np.max(np.abs(found), axis=2, keepdims=True), np.max(np.abs(found), axis=1, keepdims=True)
        for peaks in sizes:
            found = found / np.sqrt(np.where(peaks > 0.0, peaks, 1.0))
    return found
