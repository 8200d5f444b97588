"""Who takes part: each contender is installed in a process of its own, and says which rows it cannot serve.

Whatever goes wrong there, in its import, in a compiler or in a crash, ends its part alone: the others go on without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from comparison.contenders import CONTENDERS
from comparison.contenders.contender import Task
from comparison.process import Ended, Process
from comparison.rows import Row

__all__ = ["NOT_INSTALLED", "Entries", "install"]

PATIENCE = 3600.0  # s: what is compiled once takes minutes, on a busy machine more
NOT_INSTALLED = "not installed: "


@dataclass(frozen=True, slots=True)
class Entries:
    """Why contenders take no part: at all, or in one row."""

    missing: dict[str, str] = field(default_factory=dict)
    refusals: dict[str, dict[str, str]] = field(default_factory=dict)

    def why_not(self, name: str, row: Row) -> str:
        """Return why a contender is not in a row, or nothing."""
        if name in self.missing:
            return NOT_INSTALLED + self.missing[name]
        return self.refusals.get(name, {}).get(row.name, "")


def install(
    rows: Sequence[Row], folder: Path, flags: tuple[str, ...], math: str, names: Iterable[str] = CONTENDERS
) -> Entries:
    """Let all contenders make what serves all rows, and return who takes part in which.

    Raises
    ------
    SystemExit
        eomc itself does not.
    """
    task = Task(rows[0], folder / "install", flags, PATIENCE, math)
    task.write()
    entries = Entries()
    for name in names:
        process = Process(name, task.folder)
        try:
            answer = process.ask("install", PATIENCE, rows=[row.name for row in rows])
        except Ended as ended:
            answer = {"failed": f"{ended}, see {task.folder / name}.log"}
        finally:
            process.end()
        if "refusals" in answer:
            entries.refusals[name] = answer["refusals"]
        else:
            entries.missing[name] = " ".join(str(answer.get("failed", answer)).split())
    if "eomc" in entries.missing:
        raise SystemExit(f"eomc is {NOT_INSTALLED}{entries.missing['eomc']}")
    return entries
