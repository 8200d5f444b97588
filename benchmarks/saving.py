"""Processor time to write 200,000 rows of 9 columns as CSV, in C and as Python alone does: medians of runs in turn.

python benchmarks/saving.py
"""

from __future__ import annotations

import statistics
import time

import numpy as np

from eomc.binding import table

ROWS = 200_000


def seconds(columns: list[np.ndarray], few: int) -> tuple[float, int]:
    """Return how long the text took, tables of up to `few` numbers being Python's, and its length."""
    table._FEW = few
    start = time.process_time()
    size = sum(map(len, table.table_text("txyzuvwab", columns, "double")))
    return time.process_time() - start, size


def main() -> None:
    """Measure both in turn."""
    t = np.arange(ROWS) * 1e-3
    columns = [t, *(np.sin((k + 1) * t) * 10.0 ** (k - 3) for k in range(8))]
    seconds(columns, 0)  # the library is compiled, or found
    runs = [(seconds(columns, 0), seconds(columns, 10**9)) for _ in range(5)]
    assert all(c[1] == python[1] for c, python in runs)
    for name, which in (("C", 0), ("Python", 1)):
        print(f"{name}: {statistics.median(run[which][0] for run in runs):.2f} s")


if __name__ == "__main__":
    main()
