"""The tests of pivots, as C: one `if` for one pivot, a gathered test for several."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.backends.c99.layout import Line, align, comment, wrap
from eomc.ir.program import Check


def print_checks(tests: Sequence[tuple[str, Check]], failed: str, singular: str) -> list[str]:
    """Return the lines that leave a function unless all conditions hold.

    Several pivots are tested without a branch between them: each would keep a compiler from ordering what is around it.
    `REAL_RARELY` tells it which way a branch goes: without, gcc makes the other one the straight line, at two thirds of
    the speed of a chain of ten links.

    Parameters
    ----------
    tests
        Conditions as C expressions, each with its check; the number of the first that fails is reported.
    failed
        Place of that number.
    singular
        What the function returns then.
    """
    if len(tests) == 1:
        ((condition, check),) = tests
        head = wrap(f"    if (REAL_RARELY(!{condition})) {{")
        head[-1] += f" /* pivot of {comment(check.label)} */" if check.label else ""
        return [*head, f"        {failed} = {check.index};", f"        return {singular};", "    }"]
    lines = [
        Line(f"        failed = {condition} ? failed : {check.index};", comment(check.label))
        for condition, check in reversed(tests)  # the first to fail has the last word
    ]
    return [
        "    { /* which pivot vanishes; -1: none */",
        "        int failed = -1;",
        "",
        *align(lines),
        "        if (REAL_RARELY(failed >= 0)) {",
        f"            {failed} = failed;",
        f"            return {singular};",
        "        }",
        "    }",
    ]
