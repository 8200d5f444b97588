"""Install the peers of `make bench`, the extra `bench` of pyproject.toml, into this interpreter's environment.

All at once, so that their versions go together; where that fails each by itself, so that one that this machine cannot
have leaves the others in the table. The stamp is written when all are there: the next call tries again what is not.

python benchmarks/install_peers.py STAMP
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

__all__ = ["install", "main", "peers"]

ROOT = Path(__file__).resolve().parents[1]
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")


def peers() -> list[str]:
    """Return the requirements of the extra, eomc's own apart."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [one for one in told["project"]["optional-dependencies"]["bench"] if not one.startswith("eomc[")]


def by_pip(requirements: Sequence[str]) -> str:
    """Install requirements, and return why that failed, or nothing."""
    done = subprocess.run([*PIP, *requirements], stderr=subprocess.PIPE, text=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
    return (lines or [f"ERROR: pip ends with {done.returncode}"])[-1].removeprefix("ERROR: ") if done.returncode else ""


def install(requirements: Sequence[str], installed: Callable[[Sequence[str]], str]) -> dict[str, str]:
    """Install all that can be had, and return the rest, with the reasons."""
    if not installed(requirements):
        return {}
    return {one: why for one in requirements if (why := installed([one]))}


def main() -> None:
    """Install, tell what is missing, and write the stamp when nothing is."""
    missing = install(peers(), by_pip)
    for one, why in missing.items():
        print(f"*** {one} is not installed: {why} ***", file=sys.stderr)
    if not missing:
        Path(sys.argv[1]).touch()


if __name__ == "__main__":
    main()
