"""Regions with periods -> loops that go side by side: how many periods are an instance, and where it begins.

Where one pass repeats itself with every joint and another with every other, two periods of the first are an instance
of its loop. An instance begins where the fewest values pass from one to the next, and where it reads of other loops
what a single instance of them has found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eomc.ir.graph import Graph, Node
from eomc.passes.columns import Loop

_MOST = 4  # periods that are an instance
_NEAR = 0.25  # of an instance, by which counts of periods may miss a multiple
_BULK = 0.9  # of the nodes of loops that read each other, which counts of instances have to suit


@dataclass(slots=True, eq=False)
class _Band:
    """The nodes of a region, with the period of its instances and where the first begins."""

    nodes: Sequence[Node]
    period: int
    first: int = 0

    @property
    def count(self) -> int:
        return (len(self.nodes) - self.first) // self.period

    def loop(self) -> Loop:
        end = self.first + self.count * self.period
        return Loop([list(self.nodes[self.first + slot : end : self.period]) for slot in range(self.period)])


def arrange(graph: Graph, regions: Iterable[tuple[Sequence[Node], int]]) -> list[Loop]:
    """Return the loops of regions, each given by its nodes and its period, in their order."""
    bands = [_Band(nodes, period) for nodes, period in regions]
    _Arranging(graph, bands).arrange()
    return [band.loop() for band in bands]


class _Arranging:
    """What is known of bands while they are arranged."""

    def __init__(self, graph: Graph, bands: Sequence[_Band]) -> None:
        self._graph = graph
        self._bands = bands
        self._at = {node: (band, place) for band in bands for place, node in enumerate(band.nodes)}
        self._links: dict[_Band, list[tuple[int, int, _Band, int, int]]] = {band: [] for band in bands}
        for band in bands:
            self._link(band)

    def arrange(self) -> None:
        """Choose period and first place of each band."""
        for group in self._groups():
            self._unite(group)
        placed: set[_Band] = set()
        for band in sorted(self._bands, key=lambda one: -len(one.nodes)):
            band.first = min(self._starts(band), key=lambda start: self._rank(band, start, placed))
            placed.add(band)

    def _link(self, band: _Band) -> None:
        """Note what a band reads of others in its middle, and by how much that moves on with a period."""
        args, period = self._graph.args, band.period
        middle = band.count // 3 * period
        for place in range(middle, min(middle + _MOST * period, len(band.nodes) - _MOST * period)):
            for one, later in zip(args[band.nodes[place]], args[band.nodes[place + _MOST * period]], strict=True):
                if one in self._at and later in self._at:
                    (other, there), (same, after) = self._at[one], self._at[later]
                    if other is same and other is not band and there != after:
                        self._links[band].append((place, there, other, _MOST * period, after - there))
                        self._links[other].append((there, place, band, after - there, _MOST * period))

    def _groups(self) -> Iterable[list[_Band]]:
        """Yield bands that read each other."""
        left = dict.fromkeys(self._bands)
        while left:
            group = [next(iter(left))]
            del left[group[0]]
            for band in group:
                for _, _, other, _, _ in self._links[band]:
                    if other in left:
                        del left[other]
                        group.append(other)
            yield group

    @staticmethod
    def _unite(group: Sequence[_Band]) -> None:
        """Let bands have as many instances as each other, as far as few periods make one."""
        total = sum(len(band.nodes) for band in group)
        for target in sorted({band.count for band in group}):
            times = {band: round(band.count / target) for band in group}
            suited = [
                band for band, n in times.items() if 1 <= n <= _MOST and abs(band.count / target - n) <= _NEAR * n
            ]
            if sum(len(band.nodes) for band in suited) >= _BULK * total:
                for band in suited:
                    band.period *= times[band]
                return

    def _starts(self, band: _Band) -> list[int]:
        """Return the places to begin at across which the fewest values pass."""
        args, period = self._graph.args, band.period
        crossing = [0] * period
        middle = band.count // 2 * period
        last_use: dict[int, int] = {}
        for place in range(middle, min(middle + 2 * period, len(band.nodes))):
            for node in args[band.nodes[place]]:
                found = self._at.get(node)
                if found is not None and found[0] is band:
                    last_use[found[1]] = place
        for born, used in last_use.items():
            for place in range(born + 1, used + 1):
                crossing[place % period] += 1
        fewest = min(crossing)
        return [place for place in range(period) if crossing[place] <= fewest + fewest // 4]

    def _rank(self, band: _Band, start: int, placed: set[_Band]) -> tuple[int, int]:
        """Return in how many instances of others an instance looks that begins there, and are looked at by."""
        offsets: dict[_Band, set[int]] = {}
        for place, there, other, step, their_step in self._links[band]:
            if other in placed:
                own, its = (place - start) // band.period, (there - other.first) // other.period
                direction = 1 if (step > 0) == (their_step > 0) else -1
                offsets.setdefault(other, set()).add(own - direction * its)
        return sum(map(len, offsets.values())), start
