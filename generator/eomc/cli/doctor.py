"""Tell what this machine has of what eomc needs, and how to get the rest."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from eomc.cli.failures import DONE, FAILED
from eomc.cli.terminal import print_json, working


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--json", action="store_true", help="as a JSON list, for programs")


def run(options: argparse.Namespace) -> int:
    """Print a line for each thing; 1 where one is missing that every use needs."""
    from eomc.doctor import findings

    with working("looking for compilers and packages"):
        found = findings()
    is_well = all(one.is_there for one in found if one.is_needed)
    if options.json:
        print_json([asdict(one) for one in found])
        return DONE if is_well else FAILED
    width = max(len(one.name) for one in found)
    for one in found:
        mark = "ok" if one.is_there else "MISSING" if one.is_needed else "-"
        remedy = f" ({one.remedy})" if one.remedy else ""
        print(f"{mark:<7}  {one.name:<{width}}  {one.found}{remedy}")
    missing = [one.name for one in found if one.is_needed and not one.is_there]
    print(f"eomc lacks: {', '.join(missing)}" if missing else "All that eomc needs is here.")
    return DONE if is_well else FAILED
