"""No function calls a well-conditioned state singular: pivot tests of shipped models, parameters over decades too."""

from __future__ import annotations

from functools import cache

import pytest
from comparing import program_of
from singular import alarms, forms_of

import eomc
from eomc.agreement.sampling import Samples, draw
from eomc.reference import reference

CASES = [
    ("whipple_bicycle", "kane", 20),
    ("rolling_disk", "kane", 100),
    ("heavy_top", "lagrange", 100),
    ("two_link_arm", "hamilton", 100),
]


@cache
def _samples(name: str, method: str, count: int) -> list[Samples]:
    return draw(reference(eomc.load(name), method), count, 0)


@pytest.mark.parametrize(("name", "method", "count"), CASES)
def test_no_alarm_at_a_regular_state(name: str, method: str, count: int) -> None:
    """Where the condition number, units scaled out, is below a million, every pivot passes its test."""
    model = eomc.load(name)
    program = program_of(model, method, forms_of(model)[0])
    assert program.checks
    found = [(alarm.label, alarm.functions) for alarm in alarms(program, _samples(name, method, count))]
    assert found == []
