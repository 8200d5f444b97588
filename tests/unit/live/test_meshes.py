"""Meshes of a page that runs: what it unpacks is what the file had, or coarser and as many triangles as it bears."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

from eomc.live.meshes import MOST, Packed, packed
from eomc.model.surfaces import Surface, joined


def ball(n: int, stretch: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Surface:
    """Return the surface of a ball in n strips."""
    a, b = np.meshgrid(np.linspace(0, np.pi, n + 1), np.linspace(0, 2 * np.pi, 2 * n + 1), indexing="ij")
    points = np.stack([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)], axis=-1).round(12) * stretch
    number = np.arange(points[..., 0].size).reshape(a.shape)
    p, q, r, s = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    corners = np.concatenate([np.stack([p, q, r], axis=-1), np.stack([p, r, s], axis=-1)]).reshape(-1, 3)
    return joined(points.reshape(-1, 3), corners)


def unpacked(found: Packed) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return points and triangles of each surface, as a page reads them."""
    numbers = np.frombuffer(zlib.decompress(base64.b64decode(found.data)), dtype="<u2").astype(float)
    made, place = [], 0
    for one in found.sizes:
        count, low, high = 3 * one["points"], np.array(one["low"]), np.array(one["high"])
        points = low + (high - low) * numbers[place : place + count].reshape(-1, 3) / 65535
        place += count
        triangles = numbers[place : place + 3 * one["triangles"]].astype(int).reshape(-1, 3)
        place += 3 * one["triangles"]
        made.append((points, triangles))
    assert place == len(numbers)
    return made


def test_what_is_small_is_as_it_was() -> None:
    """To the six digits of its box and two bytes of a coordinate; a file that several bodies wear is there once."""
    one, flat = ball(6, (3.0, 1.0, 0.5)), joined([[0, 0, 7], [1, 0, 7], [0, 1, 7]], [[0, 1, 2]])
    found = packed([(one, np.ones(3)), (flat, np.ones(3)), (one, 2 * np.ones(3))])
    assert [found.numbers[id(surface)] for surface in (one, flat)] == [0, 1]
    for surface, (points, triangles) in zip((one, flat), unpacked(found), strict=True):
        assert triangles.tolist() == surface.triangles.tolist()
        assert points == pytest.approx(surface.points, abs=2e-5 * np.abs(surface.points).max())


def test_what_is_large_has_few_triangles() -> None:
    """All files together; every point of them is one of the file, and the ball is round to the size of a cell."""
    given = [ball(60), ball(80, (2.0, 2.0, 2.0))]
    found = packed((one, np.ones(3)) for one in given)
    assert MOST // 3 < sum(one["triangles"] for one in found.sizes) <= MOST
    for surface, radius, (points, triangles) in zip(given, (1.0, 2.0), unpacked(found), strict=True):
        apart = np.linalg.norm(points[:, None] - surface.points[None], axis=-1).min(axis=1)
        assert apart.max() < 1e-4 * radius
        middles = np.linalg.norm(points[triangles].mean(axis=1), axis=1)
        assert middles.min() > 0.8 * radius
        assert triangles.max() == len(points) - 1


def test_nothing_of_no_mesh() -> None:
    """A page without meshes has no data of them."""
    assert packed([]) == Packed({}, (), "")
