"""The command: rows that are missing are measured, each is kept at once, and the table is written anew."""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from comparison.columns import COLUMNS
from comparison.entries import NOT_INSTALLED, install
from comparison.machine import Machine, machine
from comparison.measure import measure
from comparison.picture import draw
from comparison.record import Record, load, save
from comparison.render import table
from comparison.rows import ROWS, chosen

__all__ = ["main", "parser"]

ROOT = Path(__file__).resolve().parents[2]
FLAGS = {"native": ("-O3", "-march=native"), "c99": ("-O2", "-std=c99", "-ffp-contract=off")}
PEERS = ("casadi", "pin", "mujoco", "pydy", "heyoka", "numba", "example-robot-data", "sympy")
BUSY = 1.1


def main() -> None:
    """Measure what is asked for, and write the table."""
    options = parser().parse_args()
    columns = tuple(options.columns.split()) or tuple(COLUMNS)
    if unknown := [name for name in columns if name not in COLUMNS]:
        raise SystemExit(f"no column {', '.join(unknown)}; there are {' '.join(COLUMNS)}")
    rows = chosen(options.rows)
    flags = FLAGS[options.flags]
    about = machine(flags, options.math)
    folder, output = options.folder / "rows", options.output or options.folder
    print(about.text(), flush=True)
    entries = install(rows, options.folder / "work", flags, options.math)
    for name, why in entries.missing.items():
        _warn(f"{name} takes no part, {NOT_INSTALLED}{why}")
    mark = _mark(flags, columns, options.limit, options.math, about, tuple(entries.missing))
    for row in rows:
        if not options.again and load(row.name, folder, mark):
            continue
        record = measure(row, options.folder / "work", flags, options.limit, columns, options.math, entries)
        save(record, folder, mark)
        _write(columns, folder, mark, about, output)
        print("\n" + table([record], columns) + f"({record.seconds:.0f} s)", flush=True)
        if record.waited > BUSY:
            _warn(f"the machine is busy: {record.waited:.2f} s passed for a second of work; {row.name} tells little")
    records = _write(columns, folder, mark, about, output)
    print("", *filter(Path.exists, (output / "table.txt", output / "table.png")), sep="\n")
    if busy := [record.row for record in records if record.waited > BUSY]:
        _warn(f"the machine was busy in {len(busy)} of {len(records)} rows, whose times tell little")
    for record in records:
        if record.missing:
            _warn(f"{record.row} is not measured: {record.missing}")
    if without := [record.row for record in records if record.silent]:
        raise SystemExit(f"these rows have no times, the table says why: {' '.join(without)}")


def parser() -> argparse.ArgumentParser:
    """Return what reads the options."""
    found = argparse.ArgumentParser(prog="make bench", description="eomc beside its peers, one table")
    found.add_argument("--rows", default="", help=f"names between spaces, all by default: {' '.join(ROWS)}")
    found.add_argument("--columns", default="", help=f"names between spaces, all by default: {' '.join(COLUMNS)}")
    found.add_argument("--flags", choices=[*FLAGS], default="native", help="of the C compiler, for all the same")
    found.add_argument("--math", choices=["libm", "strict", "fast"], default="libm", help="whose sine eomc's C calls")
    found.add_argument("--limit", type=float, default=60.0, help="s for making one function by one contender")
    found.add_argument("--again", action="store_true", help="measure rows that are there, too")
    found.add_argument("--folder", type=Path, default=ROOT / "build" / "bench", help="of rows that are kept")
    found.add_argument("--output", type=Path, help="folder of table.txt and table.png; that of rows by default")
    return found


def _warn(text: str) -> None:
    print(f"\n*** {text} ***\n", file=sys.stderr, flush=True)


def _write(columns: tuple[str, ...], folder: Path, mark: str, about: Machine, to: Path) -> list[Record]:
    """Write the table of all rows that are there, and return them."""
    kept = [load(name, folder, mark) for name in ROWS]
    records = [record for record in kept if record]
    head = about.text()
    if busy := [record.row for record in records if record.waited > BUSY]:
        head += f"\nTHE MACHINE WAS BUSY in these rows, whose times tell little: {' '.join(busy)}"
    to.mkdir(parents=True, exist_ok=True)
    (to / "table.txt").write_text(f"{head}\n\n{table(records, columns, legend=True)}", encoding="utf-8")
    draw(records, columns, head, to / "table.png")
    return records


def _mark(
    flags: tuple[str, ...], columns: tuple[str, ...], limit: float, math: str, about: Machine, missing: tuple[str, ...]
) -> str:
    """Return a hash of all that a row depends on: rows of another state of the code do not stand beside these."""
    found = hashlib.sha256(repr((flags, columns, limit, math, about.processor, about.compiler, missing)).encode())
    for name in PEERS:
        try:
            found.update(f"{name} {version(name)}".encode())
        except PackageNotFoundError:
            found.update(name.encode())
    for base in ("generator/eomc", "templates", "benchmarks"):
        for path in sorted((ROOT / base).rglob("*")):
            if path.suffix in (".py", ".jinja") and "results" not in path.parts:
                found.update(os.fsencode(path.relative_to(ROOT)) + path.read_bytes())
    return found.hexdigest()[:16]
