"""A contender in a process of its own: it is asked line by line, and answers so.

Own processes keep libraries apart that do not go together, can be ended when they take too long, and wait without
work while others are timed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from comparison.contenders import contender_class
from comparison.contenders.contender import Contender, Refused, Task
from comparison.rows import ROWS

__all__ = ["answered", "main"]


def _ended(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


def _answer(asked: dict[str, Any], task: Task, made: list[Contender]) -> dict[str, Any]:
    what, column = asked["what"], asked.get("column", "")
    if what == "describe":
        from comparison.contenders.eomc_ import describe

        describe(task)
        return {}
    if what == "install":
        tool = contender_class(asked["contender"])
        tool.install(task.folder.parent, task.flags)
        return {"refusals": {name: tool.serves(ROWS[name]) for name in asked["rows"]}}
    if what == "build":
        signal.alarm(int(task.limit))
        try:
            tool = contender_class(asked["contender"])
            if column not in tool.columns:
                raise Refused(tool.why_not.get(column, "it has none"))
            if not made:
                made.append(tool(task))
            return {"figures": made[0].build(column)}
        finally:
            signal.alarm(0)
    if what == "values":
        values = made[0].values(column)
        np.save(task.folder / f"{asked['contender']}-{column}.npy", values)
        return {}
    if what == "forces":
        given = np.load(task.folder / f"{asked['of']}-rhs.npy")
        np.save(task.folder / f"{asked['of']}-forces.npy", made[0].forces(given))
        np.save(task.folder / "eomc-bias.npy", made[0].forces(np.zeros_like(given)))
        return {}
    if what == "pin":
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
        return {}
    return {"seconds": made[0].seconds(column, asked["calls"])}


def main() -> None:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print goes to the log
    signal.signal(signal.SIGALRM, _ended)
    task, made = Task.read(Path(sys.argv[1])), list[Contender]()
    for line in sys.stdin:
        print(json.dumps(answered(json.loads(line), task, made)), file=answers, flush=True)


def answered(asked: dict[str, Any], task: Task, made: list[Contender]) -> dict[str, Any]:
    """Return the answer to a question, or why there is none; what no library raises ends the process."""
    installs = asked["what"] == "install"  # where a library is seen for the first time, and may raise whatever it likes
    faults = (Exception,) if installs else contender_class(asked["contender"]).faults
    try:
        return _answer(asked, task, made)
    except Refused as error:
        return {"refused": str(error)}
    except TimeoutError:
        return {"late": True}
    except faults as error:
        traceback.print_exc()
        return {"failed": f"{type(error).__name__}: {error}"[:300]}
