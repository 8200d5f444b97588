"""Bytes of a model's functions at -Os, on x86-64 and on a Cortex-M4, in double and in float.

python benchmarks/text_size.py [MODEL] [--functions F,...] [--optimize speed|size] [--each]

Text is what `size` tells of the objects, constants beside the functions included. `--each` names the functions of at
least a kilobyte.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from reporting import print_machine, print_table

import eomc
from eomc.targets import find_target


def sizes(folder: Path, macro: str, prefix: str, flags: tuple[str, ...], real: str) -> tuple[int, dict[str, int]]:
    """Return the text of all sources, and the bytes of each function."""
    total, functions = 0, dict[str, int]()
    for source in sorted(folder.glob("*.c")):
        defines = [f"-D{macro}_USE_FLOAT"] if real == "float" else []
        command = [f"{prefix}gcc", "-std=c99", "-Os", *flags, *defines, "-c", source.name, "-o", "part.o"]
        subprocess.run(command, cwd=folder, check=True)
        told = subprocess.run([f"{prefix}size", "part.o"], cwd=folder, check=True, capture_output=True, text=True)
        total += int(told.stdout.splitlines()[1].split()[0])
        command = [f"{prefix}nm", "--print-size", "-t", "d", "part.o"]
        told = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
        rows = [line.split() for line in told.stdout.splitlines()]
        functions |= {row[3]: int(row[1]) for row in rows if len(row) == 4 and row[2] in "tT"}
    return total, functions


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", metavar="MODEL", nargs="?", default="whipple_bicycle")
    parser.add_argument("--functions", help="as `eomc generate` takes them; the usual ones by default")
    parser.add_argument("--optimize", default="size", help="as `eomc generate` takes it; size by default")
    parser.add_argument("--each", action="store_true", help="name the functions, too")
    options = parser.parse_args()
    print_machine()
    target = find_target("cortex-m4", "double")
    machines = {"x86-64": ("", ()), "cortex-m4": (target.prefix, tuple(target.flags))}
    rows = []
    for real in ("double", "float"):
        build = eomc.compile(
            eomc.load(options.model), functions=options.functions, real=real, optimize=options.optimize
        )
        for machine, (prefix, flags) in machines.items():
            with tempfile.TemporaryDirectory() as folder:
                build.write(folder, library=True)
                total, functions = sizes(Path(folder), build.view.macro, prefix, flags, real)
            rows.append(["all", real, machine, str(total)])
            if options.each:
                large = sorted(((size, name) for name, size in functions.items() if size >= 1000), reverse=True)
                rows += [[f"  {name}", real, machine, str(size)] for size, name in large]
    print_table(["functions", "real", "machine", "bytes"], rows)


if __name__ == "__main__":
    main()
