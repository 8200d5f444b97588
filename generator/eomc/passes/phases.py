"""Regions with periods -> loops that go side by side: how many periods are an instance, and where it begins.

Where one pass repeats itself with every joint and another with every other, two periods of the first are an instance
of its loop. An instance begins where the fewest values pass from one to the next, and where it reads of other loops
what a single instance of them has found.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from eomc.ir.graph import Graph, Node
from eomc.passes.columns import LEAST, Loop

_MOST = 4  # periods that are an instance
_SHORT, _LONGEST = 2, 64  # periods that say little, and those that they may be a part of
_SMALL = 20  # a loop of so many times fewer nodes than another says nothing about it


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
    home = {node: k for k, band in enumerate(bands) for node in band.nodes}
    bands = [part for k, band in enumerate(bands) for part in _parts(graph, band, k, home)]
    _Arranging(graph, bands).arrange()
    return [band.loop() for band in bands if band.count >= LEAST]


def _parts(graph: Graph, band: _Band, own: int, home: Mapping[Node, int]) -> list[_Band]:
    """Return the parts of a band that read different others: those of two rows, one after the other.

    `home` tells the number of each node's band, `own` is that of this one.
    """
    args, nodes, period = graph.args, band.nodes, band.period
    read = [
        {home.get(arg, own) for node in nodes[place : place + period] for arg in args[node]}
        for place in range(0, len(nodes), period)
    ]
    parts: list[_Band] = []
    start = 0
    for _, same in itertools.groupby(read):
        end = start + period * len(list(same))
        if end - start >= LEAST * period:
            parts.append(_Band(nodes[start:end], period))
        start = end
    return parts if len(parts) > 1 else [band]


class _Arranging:
    """What is known of bands while they are arranged."""

    def __init__(self, graph: Graph, bands: Sequence[_Band]) -> None:
        self._graph = graph
        self._bands = bands
        self._at = {node: (band, place) for band in bands for place, node in enumerate(band.nodes)}
        self._links: dict[_Band, list[tuple[int, int, _Band, int, int]]] = {band: [] for band in bands}
        for band in bands:
            self._lengthen(band)
        for band in bands:
            self._link(band)

    def arrange(self) -> None:
        """Choose period and first place of each band."""
        for group in self._groups():
            self._unite(group)
        placed: set[_Band] = set()
        largest_first = sorted(self._bands, key=lambda one: -len(one.nodes))
        for band in largest_first * 2:  # once more, as those that were placed later say something, too
            band.first = min(self._starts(band), key=lambda start: self._rank(band, start, placed))
            placed.add(band)

    def _lengthen(self, band: _Band) -> None:
        """Let a period that says little, such as that of so many products, be one after which the same is read."""
        args, at, short = self._graph.args, self._at, band.period
        if short > _SHORT:
            return
        middle = band.count // 2 * short
        for period in range(short, min(_LONGEST, len(band.nodes) - middle - 1) + 1, short):
            found = [
                (at.get(one), at.get(later))
                for place in range(middle, min(middle + period, len(band.nodes) - period))
                for one, later in zip(args[band.nodes[place]], args[band.nodes[place + period]], strict=True)
            ]
            pairs = [(one, later) for one, later in found if one is not None and one[0] is not band]
            if pairs and all(
                later is not None
                and later[0] is one[0]
                and later[1] != one[1]
                and (later[1] - one[1]) % one[0].period == 0
                for one, later in pairs
            ):
                band.period = period
                return

    def _link(self, band: _Band) -> None:
        """Note what a band reads of others about its middle, and after how many periods it does so again."""
        args, at, period = self._graph.args, self._at, band.period
        middle = band.count // 3 * period
        for place in range(middle, min(middle + _MOST * period, len(band.nodes))):
            for number, one in enumerate(args[band.nodes[place]]):
                if one not in at or at[one][0] is band:
                    continue
                other, there = at[one]
                for step in range(period, min(_MOST * period, len(band.nodes) - 1 - place) + 1, period):
                    same, after = at.get(args[band.nodes[place + step]][number], (None, there))
                    if same is other and after != there and (after - there) % other.period == 0:
                        self._links[band].append((place, there, other, step, after - there))
                        self._links[other].append((there, place, band, after - there, step))
                        break

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

    def _unite(self, group: Sequence[_Band]) -> None:
        """Let instances of bands go along with each other, as far as few periods make one.

        How many periods of one go with those of another is seen from what they read of each other.
        """
        heavy = [band for band in group if _SMALL * len(band.nodes) >= max(len(one.nodes) for one in group)]
        times = {max(heavy, key=lambda band: len(band.nodes)): Fraction(1)}
        for _ in group:
            votes: dict[_Band, Counter[Fraction]] = {}
            for band, own in times.items():
                for _, _, other, step, their_step in self._links[band]:
                    if other not in times:
                        rate = Fraction(abs(their_step), other.period) / Fraction(abs(step), band.period)
                        votes.setdefault(other, Counter())[own * rate] += len(band.nodes)
            if not votes:
                break
            times |= {band: vote.most_common(1)[0][0] for band, vote in votes.items()}
        common = math.lcm(*(times[band].denominator for band in heavy if band in times))
        for band, share in times.items():
            if share * common <= _MOST and (share * common).denominator == 1:
                band.period *= int(share * common)

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
        """Return over how many instances of others an instance looks that begins there, and is looked at by."""
        offsets: dict[_Band, set[int]] = {}
        for place, there, other, step, their_step in self._links[band]:
            if other in placed:
                own, its = (place - start) // band.period, (there - other.first) // other.period
                direction = 1 if (step > 0) == (their_step > 0) else -1
                offsets.setdefault(other, set()).add(own - direction * its)
        return sum(len(other.nodes) * (max(found) - min(found)) for other, found in offsets.items()), start
