"""What eomc.compile says to arguments that mean nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.errors import UsageError


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "newton"}, "unknown method 'newton': choose one of kane, lagrange, hamilton"),
        ({"method": 3}, "method is of type int: it must be 'kane' or 'lagrange' or 'hamilton'"),
        ({"method": np.array(["kane", "lagrange"])}, "method is of type ndarray: "),
        ({"method": ["kane"]}, "method is of type list: "),
        ({"real": "quad"}, "real is 'quad': it must be 'double' or 'float'"),
        ({"real": None}, "real is of type NoneType: it must be 'double' or 'float'"),
        ({"constraints": "ignored"}, "constraints is 'ignored': it must be 'eliminated'"),
        ({"constraints": ["eliminated"]}, "constraints is of type list: "),
        ({"stabilization": 0.5}, "stabilization is of type float: it must be 'none'"),
    ],
)
def test_an_argument_without_meaning_is_answered_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any], message: str
) -> None:
    """The options are looked at before anything is derived, whatever their type."""
    model = eomc.load("kepler")
    monkeypatch.setattr("eomc.pipeline.derive", lambda *_: pytest.fail("derived before the options were read"))
    with pytest.raises(UsageError, match="^" + message) as caught:
        eomc.compile(model, **arguments)
    assert "\n" not in str(caught.value)
