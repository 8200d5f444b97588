"""eomc and its peers in one table: what `make bench` runs, in an environment that has the peers.

python benchmarks/table.py [--rows "panda ur5"] [--columns "rhs jacobian"] [--flags native|c99] [--limit SECONDS]
"""

from __future__ import annotations

from comparison.main import main

if __name__ == "__main__":
    main()
