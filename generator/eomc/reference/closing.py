"""Which coordinates and speeds the constraints admit, and the shortest way to them from any others."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cached_property

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.model import Model, bounds_of
from eomc.reference.arrays import multiplied
from eomc.reference.instant import Instant
from eomc.reference.jets import Array, Jet
from eomc.reference.kane import Kane
from eomc.reference.lagrange import Lagrange

TOLERANCE = 1e-12
"""Residuals beside the sizes of their terms."""

STEPS = 50
"""Of Newton's method, at most."""

_ASIDE = 0.1  # in proportion to the coordinates
_SHORT = 1e-15  # a step beside the coordinates: the last one
_NEGLIGIBLE = 1e-9  # a singular value beside the largest, an entry of R R^T - 1


class Closing:
    """Brings coordinates and speeds onto the constraints of a model.

    Parameters
    ----------
    model
        The model.
    speeds
        Its motion variables.
    bound
        What knows the constraints on q and on the speeds, u or q'; None where there are none.
    kane
        The motion of bodies, None without them.
    somewhere
        Makes states of the model's ranges, at which rotation matrices are looked at once.
    """

    def __init__(
        self,
        model: Model,
        speeds: tuple[sympy.Expr, ...],
        bound: Kane | Lagrange | None,
        kane: Kane | None,
        somewhere: Callable[[], Instant],
    ) -> None:
        self._model = model
        self._speeds = speeds
        self._bound = bound
        self._kane = kane
        self._somewhere = somewhere

    def with_coordinates(self, instant: Instant, moving: list[int], steps: int = STEPS) -> Instant:
        """Move some of the coordinates until configuration constraints and rotations are met, if they can be.

        Gauss and Newton's method with the shortest step. A quaternion that is no unit quaternion makes a matrix that is
        no rotation, under which the equations of motion have no meaning.
        """
        if self._bound is None:
            return instant
        coordinates, sizes = instant.coordinates.copy(), self._configuration_sizes(instant)
        rows = np.arange(instant.states)  # those that are not there yet
        for _ in range(steps):
            here = replace(instant.at_rows(rows), coordinates=coordinates[rows])
            residuals, matrix = self._configuration(here)
            if residuals.shape[1] == 0:
                break
            step = _shortest(matrix, residuals, _widened(sizes[rows], residuals), moving)
            coordinates[rows] = here.coordinates - step
            with np.errstate(invalid="ignore"):
                rows = rows[np.any(np.abs(step) > _SHORT * self._size(coordinates[rows]), axis=1)]
            if len(rows) == 0:
                break
        return replace(instant, coordinates=coordinates)

    def _configuration(self, instant: Instant) -> tuple[Array, Array]:
        """Return residuals (k, m) and their derivatives with respect to the coordinates (k, m, nq)."""
        assert self._bound is not None
        residuals, matrix = self._bound.configuration_constraints(instant)
        for excess in self._excess(instant, self._loose):
            assert self._kane is not None
            residuals = np.concatenate([residuals, excess.value], axis=1)
            partials = excess.partials(self._kane.setting.seeds.coordinate_block, len(self._model.coordinates))
            matrix = np.concatenate([matrix, partials], axis=1)
        return residuals, matrix

    @cached_property
    def _loose(self) -> list[int]:
        """The numbers of the rotation matrices that are none for some coordinates, such as a quaternion's."""
        if self._kane is None:
            return []
        with np.errstate(all="ignore"):
            found = self._excess(self._somewhere(), range(self._kane.rotations))
        return [k for k, one in enumerate(found) if not np.all(np.abs(one.value) < _NEGLIGIBLE)]

    def _excess(self, instant: Instant, numbers: Collection[int]) -> list[Jet]:
        """Return what is zero where some of the rotation matrices are rotations, each (k, m)."""
        if not numbers:
            return []
        assert self._kane is not None
        return self._kane.excess(instant, list(numbers))

    @property
    def has_loose(self) -> bool:
        """Whether there are coordinates for which a rotation matrix is none."""
        return bool(self._loose)

    def turning(self, instant: Instant) -> Array:
        """Return the projections (k, nq, nq) onto changes of the coordinates that leave rotations what they are."""
        assert self._kane is not None
        block, count = self._kane.setting.seeds.coordinate_block, len(self._model.coordinates)
        excesses = self._excess(instant, self._loose)
        rows = np.concatenate([excess.partials(block, count) for excess in excesses], axis=1)
        return np.asarray(np.eye(count) - np.linalg.pinv(rows, rcond=_NEGLIGIBLE) @ rows, dtype=np.float64)

    def with_speeds(self, instant: Instant, moving: list[int]) -> Instant:
        """Change some of the speeds, by the shortest step, to those that the constraints on speeds admit."""
        if self._bound is None:
            return instant
        slopes: Array | None = None
        for _ in range(2):  # the second time for the rounding
            residuals, matrix = self._bound.velocity_constraint_matrix(instant)
            if residuals.shape[1] == 0:
                break
            slopes = self._speed_slopes(instant, matrix) if slopes is None else slopes
            speeds = instant.speeds - _shortest(matrix, residuals, self._speed_sizes(instant, slopes), moving)
            instant = replace(instant, speeds=speeds)
        return instant

    def opening(self, instant: Instant) -> Array:
        """Return by how much configuration constraints are open (k,), beside the sizes of their terms."""
        if self._bound is None:
            return np.zeros(instant.states)
        residuals, _ = self._configuration(instant)
        return _worst(residuals, _widened(self._configuration_sizes(instant), residuals))

    def _slipping(self, instant: Instant) -> Array:
        """Return by how much constraints on speeds are not met (k,), beside the sizes of their terms."""
        if self._bound is None:
            return np.zeros(instant.states)
        residuals, matrix = self._bound.velocity_constraint_matrix(instant)
        given = residuals - multiplied(matrix, instant.speeds)
        slopes = self._speed_slopes(instant, matrix)
        return _worst(residuals, self._speed_sizes(instant, slopes) + np.abs(given))

    def _configuration_sizes(self, instant: Instant) -> Array:
        """Return the sizes of the terms of configuration constraints (k, m): by what they change with the coordinates.

        Here or a little aside, because slopes may vanish here.
        """
        assert self._bound is not None
        slopes = [self._bound.configuration_constraints(at)[1] for at in (instant, self._aside(instant))]
        return multiplied(np.fmax(*map(np.abs, slopes)), self._size(instant.coordinates))

    def _speed_slopes(self, instant: Instant, matrix: Array) -> Array:
        """Return how large the slopes of constraints on speeds are (k, m, n), here (`matrix`) or a little aside."""
        assert self._bound is not None
        aside = self._bound.velocity_constraint_matrix(self._aside(instant))[1]
        return np.asarray(np.fmax(np.abs(matrix), np.abs(aside)), dtype=np.float64)

    def _speed_sizes(self, instant: Instant, slopes: Array) -> Array:
        """Return the sizes of the terms of constraints on speeds (k, m), as far as they hold speeds."""
        return multiplied(slopes, np.maximum(np.abs(instant.speeds), self._bounds(self._speeds)))

    def _aside(self, instant: Instant) -> Instant:
        """Return states a little aside."""
        signs = np.cos(np.arange(instant.coordinates.shape[1]))
        coordinates = instant.coordinates + _ASIDE * self._size(instant.coordinates) * signs
        return replace(instant, coordinates=coordinates)

    def residual(self, instant: Instant) -> Array:
        """Return the largest violation of a constraint (k,), beside the sizes of its terms."""
        return np.maximum(self.opening(instant), self._slipping(instant))

    def admissible(self, instant: Instant) -> NDArray[np.bool_]:
        """Return which states the constraints admit (k,)."""
        return self.residual(instant) <= TOLERANCE

    def _size(self, coordinates: Array) -> Array:
        """Return how large coordinates are (k, nq): themselves, or in the model's ranges."""
        return np.maximum(np.abs(coordinates), self._bounds(self._model.coordinates))

    def _bounds(self, symbols: tuple[sympy.Expr, ...]) -> Array:
        """Return the larger ends of the ranges."""
        return np.array([max(abs(low), abs(high)) for low, high in bounds_of(self._model, symbols)])


def _worst(residuals: Array, sizes: Array) -> Array:
    """Return the largest residual (k,) beside the size of its terms; infinite where one has no value."""
    with np.errstate(divide="ignore", invalid="ignore"):
        violations = np.where(residuals == 0.0, 0.0, np.abs(residuals) / sizes)
    violations = np.where(np.isfinite(violations), violations, np.inf)
    return np.asarray(np.max(violations, axis=1, initial=0.0), dtype=np.float64)


def _widened(sizes: Array, residuals: Array) -> Array:
    """Return sizes of configuration constraints (k, m) with those of rotations, which have the size 1, behind them."""
    ones = np.ones((len(sizes), residuals.shape[1] - sizes.shape[1]))
    return np.concatenate([sizes, ones], axis=1)


def _shortest(matrix: Array, residuals: Array, sizes: Array, moving: list[int]) -> Array:
    """Return the shortest step (k, n) of the unknowns `moving` that takes linear residuals (k, m) away."""
    step = np.zeros((matrix.shape[0], matrix.shape[2]))
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    rows = np.nan_to_num(matrix[:, :, moving] / sizes[..., None])
    inverse = np.linalg.pinv(rows, rcond=_NEGLIGIBLE)
    step[:, moving] = np.einsum("kij,kj->ki", inverse, np.nan_to_num(residuals / sizes))
    return step
