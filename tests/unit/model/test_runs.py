"""The usual run of a model: what may be said of it, and what is refused."""

from __future__ import annotations

import math

import pytest
import sympy
from sympy.physics.mechanics import dynamicsymbols

import eomc
from eomc.errors import ModelError
from eomc.model.runs import run_of

z = dynamicsymbols("z")


def decay(**described: object) -> eomc.Model:
    """Return z' = -z."""
    return eomc.Model(name="decay", extra_states={z: -z}, initial={z: 1.0}, **described)


def test_ten_seconds_in_milliseconds_where_nothing_is_said() -> None:
    """Of every model without a run of its own; what is left out of one is usual."""
    for given in (None, {}, {"t_end": 10}, {"dt": (1, "ms")}):
        run = decay(run=given).run
        assert (run.t_end, run.dt, run.stabilization) == (10.0, 1e-3, "none")
    assert decay().run == decay(run={}).run


def test_times_have_units() -> None:
    """A number beside a unit is in that unit, a bare one in seconds, of whatever type."""
    run = run_of({"t_end": (2, "min"), "dt": sympy.Rational(1, 8)}.items())
    assert (run.t_end, run.dt) == (120.0, 0.125)


def test_a_model_keeps_its_run() -> None:
    """Under another name, and without its events."""
    model = decay(run={"t_end": 0.5, "dt": 0.25}, events={"low": eomc.Event(z - sympy.Rational(1, 2))})
    for other in (model.renamed("other"), model.uninterrupted()):
        assert other.run == model.run


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"tend": 1.0}, "run: 'tend' is nothing of a run: did you mean t_end"),
        ({"dt": 0}, "run: dt is 0: give a number above zero"),
        ({"t_end": -1.0}, "run: t_end is -1: give a number above zero"),
        ({"dt": (1, "m")}, "run: dt is in m: give a time"),
        ({"dt": math.nan}, "run: dt must be a finite number, not nan"),
        ({"t_end": "10"}, "run: t_end must be a finite number, not '10'"),
        ({"stabilization": "projected"}, "run: stabilization is 'projected': give 'none' or"),
        ({"speed": 0.0}, "run: speed is 0: give a number above zero"),
        ({"stabilization": None}, "run: stabilization is None: give 'none' or"),
        ((10.0, 1e-3), "run is (10.0, 0.001): give a mapping"),
    ],
)
def test_what_is_no_run_is_refused(given: object, says: str) -> None:
    """By one sentence with what, where and what to do."""
    with pytest.raises(ModelError) as caught:
        decay(run=given)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
