"""States and parameters at which the derivation looks: nothing hangs on the defaults, the ranges or the units.

Four kinds of points take turns. Near the defaults and within the ranges, where a model has a value if it has one
anywhere; at sizes of one, whatever the defaults are; at sizes drawn over decades about the defaults; at sizes of one
with signs drawn too, so that sqrt(x^2) is not taken for x. A parameter that is zero by default has the size of one.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from eomc.ir.graph import Graph
from eomc.ir.remembered import remembered
from eomc.ir.rounding import FreeKinks, Rounded
from eomc.ir.symbols import Symbol

_NEAR, _UNIT, _DECADES, _SIGNS = range(4)
_WIDE = 4.0  # coordinates beyond their ranges: angles past a half turn
_TRIED = range(32)
_ENOUGH = 4

Drawn = TypeVar("Drawn", bound=Rounded)
Seen = TypeVar("Seen")


def looks(
    draw: Callable[[int], Drawn],
    look: Callable[[Drawn], Seen | None],
    tried: Iterable[int] = _TRIED,
    enough: int = _ENOUGH,
) -> Iterator[Seen]:
    """Yield what is seen at as many points as are enough of those tried; None is seen where there is no value."""
    seen = (look(draw(number)) for number in tried)
    return itertools.islice((one for one in seen if one is not None), enough)


class Sampling:
    """Draws points.

    Parameters
    ----------
    graph
        The graph; nodes may be added later.
    parameters
        Symbols with their defaults.
    ranges
        Coordinates with the lower and the upper end of their ranges.
    motion
        The motion variables.
    others
        Time, inputs, extra states.
    units
        Coordinates that are together as long as one: quaternions, where they are to be looked at there alone.
    """

    def __init__(
        self,
        graph: Graph,
        parameters: Mapping[Symbol, float],
        ranges: Mapping[Symbol, tuple[float, float]],
        motion: Sequence[Symbol],
        others: Sequence[Symbol],
        units: Sequence[Sequence[Symbol]] = (),
    ) -> None:
        self.graph = graph
        self._parameters = parameters
        self._ranges = ranges
        self._motion = motion
        self._others = others
        self._units = units

    def on_units(self, units: Sequence[Sequence[Symbol]]) -> Sampling:
        """Return the same points, but for some coordinates that are brought to the length of one together."""
        return Sampling(self.graph, self._parameters, self._ranges, self._motion, self._others, units)

    @remembered
    def state(self, number: int) -> Rounded:
        """Return the graph's values at point `number`; 0, 4, 8, ... are near the defaults."""
        return Rounded(self.graph, self._drawn(number), number)

    def signed(self, number: int) -> Rounded:
        """Return the values at one of the points at which all parameters have the signs of their defaults."""
        return self.state(number + number // _SIGNS)

    @remembered
    def free(self, number: int) -> FreeKinks:
        """Return the values at the same point if each op with a kink had a value of its own."""
        return FreeKinks(self.graph, self._drawn(number), number)

    def _drawn(self, number: int) -> dict[Symbol, float]:
        generator, kind = random.Random(number), number % 4
        within = kind in (_NEAR, _DECADES)
        drawn = {
            **{symbol: _size(generator, kind, default) for symbol, default in self._parameters.items()},
            **{q: generator.uniform(*(given if within else (-_WIDE, _WIDE))) for q, given in self._ranges.items()},
            **{symbol: generator.uniform(-1.0, 1.0) for symbol in self._motion},
            **{
                symbol: generator.uniform(0.2, 1.2) * (generator.choice((1.0, -1.0)) if kind == _SIGNS else 1.0)
                for symbol in self._others
            },
        }
        for unit in self._units:
            length = math.hypot(*(drawn[q] for q in unit))
            drawn.update({q: drawn[q] / length for q in unit if length})
        return drawn


def _size(generator: random.Random, kind: int, default: float) -> float:
    """Return a value for a parameter."""
    near = default or 1.0
    if kind == _NEAR:
        return near * generator.uniform(0.8, 1.25)
    if kind == _DECADES:
        return near * math.pow(10.0, generator.uniform(-3.0, 3.0))
    size = math.pow(10.0, generator.uniform(-0.5, 0.5))
    negative = default < 0.0 if kind == _UNIT else generator.random() < 0.5
    return -size if negative else size
