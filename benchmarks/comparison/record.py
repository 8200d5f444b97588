"""What is known of a row: figures, why there is none, disagreements; kept in a file as soon as it is made."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

__all__ = ["Record", "Told", "load", "save"]


@dataclass
class Told:
    """What one contender has in one row: figures by columns, and reasons where there is no figure."""

    figures: dict[str, float] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)


@dataclass
class Record:
    """A row: its contenders, eomc first, what disagreed, how busy the machine was; or why there is no such row."""

    row: str
    told: dict[str, Told] = field(default_factory=dict)
    missing: str = ""  # what its mechanism is described by, so that nobody was asked
    disagreements: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    worst: float = 0.0  # the largest difference that was seen, beside the largest component
    waited: float = 1.0  # seconds that passed for a second of processor time: 1 on a quiet machine
    seconds: float = 0.0  # that the row took

    @property
    def silent(self) -> str:
        """Why the row has no figures, in a word or two; nothing where it may have some."""
        return "not measured" if self.missing else "no agreement" if self.disagreements else ""

    def ratio(self, column: str) -> tuple[float, str] | None:
        """Return eomc's figure beside the best peer's, and who that is; None where one of both is missing."""
        own = self.told["eomc"].figures.get(column) if "eomc" in self.told else None
        peers = {
            name: told.figures[column]
            for name, told in self.told.items()
            if name != "eomc" and told.figures.get(column, 0.0) > 0.0
        }
        if not own or not peers:
            return None
        best = min(peers, key=peers.__getitem__)
        return own / peers[best], best


def save(record: Record, folder: Path, mark: str) -> None:
    """Write a row whole or not at all; `mark` says what it was made with."""
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f"{record.row}.json.new"
    new.write_text(json.dumps({"mark": mark, **asdict(record)}, indent=1))
    new.rename(folder / f"{record.row}.json")


def load(row: str, folder: Path, mark: str) -> Record | None:
    """Return a row that was made with the same, or None."""
    try:
        kept = json.loads((folder / f"{row}.json").read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return None
    if kept.pop("mark", None) != mark:
        return None
    kept["told"] = {name: Told(**one) for name, one in kept["told"].items()}
    return Record(**kept)
