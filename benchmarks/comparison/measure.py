"""One row from its description to its record: made, compared, then timed."""

from __future__ import annotations

import math
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from comparison.columns import COLUMNS, DT, STARTS, STEPS, TIMED
from comparison.contenders import CONTENDERS
from comparison.contenders.contender import Task
from comparison.entries import Entries
from comparison.gate import disagreements, missed
from comparison.process import Ended, Process
from comparison.race import BLOCK, LONG_BLOCK, busyness, race
from comparison.record import Record, Told
from comparison.rows import Row

__all__ = ["measure"]

PATIENCE = 15.0  # s more than the limit, before a process that does not end itself is ended
PATIENCE_OF_A_BLOCK = 60.0  # s
DENSE = 150  # speeds beyond which eomc refuses dense results, and nobody is asked for them
FORCES = 1e-10  # of the largest: what forces of accelerations may differ by where the accelerations do by more


class _Made:
    """A contender with the functions that it has made."""

    def __init__(self, name: str, task: Task) -> None:
        self.name, self.task, self.told = name, task, Told()
        self.columns: list[str] = []
        self._pinned = False
        self.process = Process(name, task.folder)

    def make(self, wanted: tuple[str, ...]) -> _Made:
        """Ask for each function; whoever is late once is not asked for what is larger."""
        for column in wanted:
            try:
                answer = self._built(column)
            except Ended as ended:
                self.told.reasons[column] = self._why(ended)
                self._anew()
            else:
                if "figures" in answer:
                    self.columns.append(column)
                    self.told.figures |= {name: figure for name, figure in answer["figures"].items() if figure}
                else:
                    self.told.reasons[column] = self._why(answer)
            if "rhs" not in self.columns:  # all others are larger, or rest on it
                left = [other for other in wanted if other not in self.columns]
                self.told.reasons |= dict.fromkeys(left, self.told.reasons["rhs"])
                break
        return self

    def pin(self) -> None:
        """Keep it on one processor from now on."""
        self._pinned = True
        try:
            self.process.ask("pin", PATIENCE_OF_A_BLOCK)
        except Ended:
            self._anew()

    def ask(self, what: str, limit: float, column: str, **more: Any) -> dict[str, Any] | None:
        """Return what it answers of a column; None where there is no answer, and the column is lost for it.

        When its process ends, it starts again for the others.
        """
        try:
            answer = self.process.ask(what, limit, column=column, **more)
        except Ended as ended:
            self._lose(column, str(ended))
            self._anew()
            return None
        if answer and "seconds" not in answer:
            self._lose(column, self._why(answer))
            return None
        return answer

    def block(self, column: str, calls: int) -> float:
        """Return the seconds of so many calls; infinity from a contender that has lost the column, or loses it now."""
        if column not in self.columns:
            return math.inf
        answer = self.ask("block", PATIENCE_OF_A_BLOCK, column, calls=calls)
        return math.inf if answer is None else float(answer["seconds"])

    def _lose(self, column: str, why: str) -> None:
        """Leave out a column."""
        self.columns.remove(column)
        self.told.reasons[column] = why

    def _anew(self) -> None:
        """Start again after an end, with the functions that were quick to make.

        Whatever is not made this time is lost, and what ends the process again is not asked for a third time.
        """
        self.process = Process(self.name, self.task.folder)
        try:
            if self._pinned:
                self.process.ask("pin", PATIENCE_OF_A_BLOCK)
        except Ended as ended:
            for column in list(self.columns):
                self._lose(column, str(ended))
            return
        for column in list(self.columns):
            try:
                answer = self._built(column)
            except Ended as ended:
                self._lose(column, self._why(ended))
                self._anew()
                return
            if "figures" not in answer:
                self._lose(column, self._why(answer))

    def _built(self, column: str) -> dict[str, Any]:
        return self.process.ask("build", self.task.limit + PATIENCE, column=column)

    def _why(self, answer: dict[str, Any] | Ended) -> str:
        """Return why there is no function, of an answer or of an end without one."""
        if isinstance(answer, Ended):
            answer = {"late": True} if answer.late else {"failed": str(answer)}
        if "late" in answer:
            return f"over {self.task.limit:.0f} s"
        return answer.get("refused") or answer.get("failed") or "failed"


def measure(
    row: Row, folder: Path, flags: tuple[str, ...], limit: float, columns: tuple[str, ...], math: str, entries: Entries
) -> Record:
    """Return the record of a row, in which those take part whom `entries` does not leave out."""
    begin = time.perf_counter()
    here = folder / row.name
    shutil.rmtree(here, ignore_errors=True)
    task = Task(row, here, flags, limit, math)
    task.write()
    record = Record(row.name)
    wanted = tuple(column for column in TIMED if column in columns or column == "rhs")
    first = _Made("eomc", task)
    try:
        told = first.process.ask("describe", limit + PATIENCE)
        if told:
            raise Ended(told.get("failed", str(told)))
    except Ended as ended:
        record.missing = str(ended)
        first.process.end()
        return record
    contenders = [first]
    try:
        for name in [name for name in CONTENDERS if name != "eomc"]:
            if why := entries.why_not(name, row):
                record.told[name] = Told(reasons=dict.fromkeys(COLUMNS, why))
            else:
                contenders.append(_Made(name, task))
        if row.size > DENSE and "jacobian" in wanted:
            wanted = tuple(column for column in wanted if column != "jacobian")
            for one in contenders:
                one.told.reasons["jacobian"] = f"dense, of more than {DENSE} speeds"
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda one: one.make(wanted), contenders))
        record.told = {one.name: one.told for one in contenders} | record.told
        _compare(record, contenders)
        if not record.disagreements:
            record.waited = busyness()
            _time(record, contenders)
            record.waited = max(record.waited, busyness())
    finally:
        for one in contenders:
            one.process.end()
        if not record.disagreements:
            shutil.rmtree(here, ignore_errors=True)
    record.seconds = time.perf_counter() - begin
    return record


def _compare(record: Record, contenders: list[_Made]) -> None:
    """Compare all results of a column with eomc's; whoever has none there is left out."""
    slack = 0.0  # of states after a step, where accelerations are known to few digits
    for column in TIMED:
        results = {}
        for one in contenders:
            if column not in one.columns:
                continue
            if one.ask("values", 4 * PATIENCE_OF_A_BLOCK, column) is None:
                continue
            results[one.name] = np.load(one.task.folder / f"{one.name}-{column}.npy")
        if len(results) > 1 and "eomc" in results:
            tolerance = COLUMNS[column].tolerance
            if column in ("rk4", "ensemble"):
                tolerance += slack * (1 if column == "rk4" else STEPS)
            found, worst = disagreements(results, tolerance)
            if found and column == "rhs" and "inverse_dynamics" in contenders[0].columns:
                found = _judged_by_forces(record, contenders[0], results, worst)
                apart = max(float(abs(one - results["eomc"]).max()) for one in results.values())
                slack = 2 * DT * apart / float(abs(contenders[0].task.arrays["x"]).max(axis=1).min())
            record.disagreements += [f"{COLUMNS[column].title}: {sentence}" for sentence in found]
            record.worst = max(record.worst, worst)


def _judged_by_forces(record: Record, first: _Made, results: dict[str, np.ndarray], worst: float) -> list[str]:
    """Judge accelerations that differ by the forces that they need, by eomc's inverse dynamics."""
    given, found, most = first.task.forces(), [], 0.0
    for name in results:
        try:
            answer = first.process.ask("forces", 4 * PATIENCE_OF_A_BLOCK, of=name)
        except Ended as ended:
            answer = {"failed": str(ended)}
        if answer:
            return [f"forces of accelerations: {answer}"]
        needed, bias = (np.load(first.task.folder / f"{what}.npy") for what in (f"{name}-forces", "eomc-bias"))
        apart = missed(needed, given, bias)
        most = max(most, apart)
        if not apart <= FORCES:
            found.append(f"accelerations of {name} need other forces, by {apart:.1e}")
    record.remarks.append(
        f"accelerations differ by {worst:.0e}, for M is nearly singular; they need the same forces, to {most:.0e}"
    )
    return found


def _time(record: Record, contenders: list[_Made]) -> None:
    """Time the columns one after the other, in each all contenders in turn, on one processor."""
    for one in contenders:
        if one.columns:
            one.pin()
    for column in TIMED:
        there = {one.name: one for one in contenders if column in one.columns}
        racers = {name: partial(one.block, column) for name, one in there.items()}
        for name, seconds in race(racers, block=LONG_BLOCK if column == "ensemble" else BLOCK).items():
            if column in there[name].columns:  # to the end: the blocks before a crash are no measurement
                record.told[name].figures[column] = seconds * 1e9 / (STARTS if column == "ensemble" else 1)
