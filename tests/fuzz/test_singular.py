"""Which states functions call singular: no well-conditioned one, parameters over decades too, and all that are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from comparing import program_of
from singular import alarms, forms_of

import eomc
from eomc.analysis.agreement.sampling import Samples, draw
from eomc.reference import reference

CASES = [
    ("whipple_bicycle", "kane", 20),
    ("rolling_disk", "kane", 100),
    ("heavy_top", "lagrange", 100),
    ("two_link_arm", "hamilton", 100),
]


@pytest.mark.parametrize(("name", "method", "count"), CASES)
def test_no_alarm_at_a_regular_state(name: str, method: str, count: int) -> None:
    """Where the condition number, units scaled out, is below a million, every pivot passes its test."""
    model = eomc.load(name)
    program = program_of(model, method, forms_of(model)[0])
    assert program.checks
    found = [(alarm.label, alarm.functions) for alarm in alarms(program, draw(reference(model, method), count, 0))]
    assert found == []


SINGULAR = [
    *[("heavy_top", "theta", angle) for angle in (0.0, 1e-17, math.pi, -math.pi, 2000 * math.pi)],
    ("spherical_pendulum", "theta", math.pi),
    *[("rolling_disk", "theta", angle) for angle in (0.0, math.pi)],
    ("rolling_disk_dependent", "theta", math.pi),
    ("double_pendulum", "m2", 0.0),
]


@pytest.mark.parametrize(("name", "changed", "value"), SINGULAR)
def test_a_singular_state_is_one_to_all(name: str, changed: str, value: float) -> None:
    """Where no rates exist, to rounding, right-hand side and Jacobian say so by each method; at 1/100 beside, none."""
    model = eomc.load(name)
    programs = {method: program_of(model, method, forms_of(model)[0]) for method in model.methods}
    written = {method: program for method, program in programs.items() if program.checks}
    assert written  # others have kernels, which judge at run time
    for method, program in written.items():
        for step, stopped in ((0.0, True), (1e-2, False)):
            known = {p.name: p.value for p in model.parameters} | {changed: value + step}
            states = [known.get(s.name, s.value or 0.7) for s in program.states]
            sample = Samples(
                0.0,
                np.array([states]),
                np.zeros((1, len(program.inputs))),
                np.array([known[p.name] for p in program.parameters]),
            )
            functions = {one for alarm in alarms(program, [sample]) for one in alarm.functions}
            assert ({"rhs", "jacobian"} <= functions) is stopped, (method, step)
            assert stopped or not functions
