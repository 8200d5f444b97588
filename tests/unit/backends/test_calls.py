"""What a function consumes that calls others."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from eomc.backends.c99.arguments import Argument
from eomc.backends.c99.calls import Call, in_turn

SCOPE = SimpleNamespace(macro="DISK", prefix="disk")


@pytest.mark.parametrize(("passed", "consumed"), [(("c", "A"), True), (("x", "A"), False), (("work", "A"), False)])
def test_storage_is_consumed_where_no_call_reads_it(passed, consumed):
    """What was left in the storage stands for the state: who is given none of both has the storage for nothing."""
    arguments = [Argument(f"disk_work *{name}", name, "not read") for name in ("c", "work", "A")]
    text = "\n".join(map(str, in_turn([Call("part", passed, fallible=False)], arguments, SCOPE, {"x": "work->x"})))
    assert ("(void)work;" in text) is consumed
