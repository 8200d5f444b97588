"""Times in turn: many short blocks of each, and the least of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

__all__ = ["BLOCK", "LONG_BLOCK", "busyness", "race"]

BLOCK = 1e-3  # s that a block takes
LONG_BLOCK = 0.05  # where a block begins with work that is no part of it
ROUNDS = (15, 200)  # at least, at most
BUDGET = 5.0  # s for all blocks of a column, where the least rounds allow it


def calls_of_a_block(seconds: Callable[[int], float], block: float) -> int:
    """Return how many calls make a block of so many seconds; the first ones warm everything up."""
    calls = 1
    while True:
        took = seconds(calls)
        if took >= block or calls >= 1 << 24:
            return max(1, round(calls * min(1.0, block / took)))
        calls = calls * 2 if took < block / 8 else max(calls + 1, round(calls * block / took * 1.1))


def race(
    racers: Mapping[str, Callable[[int], float]], *, block: float = BLOCK, budget: float = BUDGET
) -> dict[str, float]:
    """Return the least time of a call of each; a racer is a function that returns the time of so many calls."""
    calls = {name: calls_of_a_block(seconds, block) for name, seconds in racers.items()}
    best = dict.fromkeys(racers, float("inf"))
    begin, rounds = time.perf_counter(), 0
    while rounds < ROUNDS[1] and (rounds < ROUNDS[0] or time.perf_counter() - begin < budget):
        for name, seconds in racers.items():
            best[name] = min(best[name], seconds(calls[name]) / calls[name])
        rounds += 1
    return best


def busyness(seconds: float = 0.2) -> float:
    """Return how much time passes for a second of this process's work: 1 on a quiet machine, 2 where it has half."""
    wall, processor = time.perf_counter(), time.process_time()
    while time.process_time() - processor < seconds:
        pass
    return (time.perf_counter() - wall) / (time.process_time() - processor)
