"""What is singular: the kernels and the interpreter ask the pivots' terms, in double and in float."""

from __future__ import annotations

import math

import numpy as np
import pytest

from eomc.ir.interpreter import Sample
from eomc.ir.systems import Factorization

pytestmark = pytest.mark.needs_cc

N = 3
FORMS = list(Factorization)
ROUNDING = {"double": np.finfo(np.float64).eps, "float": np.finfo(np.float32).eps}


def matrices(epsilon):
    """Return terms X, Y of A = X - Y, and whether A is regular to rounding; A is symmetric."""
    eye, none, ones = np.eye(N), np.zeros((N, N)), np.ones((N, N))
    last = np.diag([0.0, 0.0, 1.0])
    tiny = np.diag([1.0, 1.0, 2 * epsilon])
    yield "regular", eye, none, True
    yield "small by itself", tiny, none, True
    yield "nothing", np.diag([1.0, 1.0, 0.0]), none, False
    yield "rounding of its terms", eye + 2 * epsilon * last, last, False
    yield "more than rounding of its terms", eye + 64 * epsilon * last, last, True
    yield "rows alike", ones + eye - last, np.diag([0.0, 1.0, 0.0]), False
    yield "rows alike to rounding", ones + epsilon * last, none, False
    yield "eliminated to rounding", ones + np.diag([9.0, 0.0, epsilon]), none, False
    yield "eliminated to more", ones + np.diag([9.0, 0.0, 64 * epsilon]), none, True
    yield "large terms of small entries", 1e12 * (eye + 2 * epsilon * last), 1e12 * last, False


def asked(program):
    """Return the unknowns as the interpreter finds them in what is emitted."""
    (function,) = [function for function in program.functions if function.name == "outputs"]

    def at(values):
        sample = Sample(program.graph, {variable.symbol: x for variable, x in zip(program.states, values, strict=True)})
        return [sample[node] for node in function.outputs]

    return at


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("form", FORMS)
def test_pivots_are_judged_by_their_terms(form, real, emit, differences):
    """What is left of larger terms is singular, what is small by itself is not; C and interpreter alike."""
    folder = emit(differences(N, form))
    loaded = folder.load(real)
    loaded.prepare()
    interpreted = asked(folder.result.schedule.program)
    for name, x, y, regular in matrices(ROUNDING[real]):
        for scale in (1.0, 2.0**-33, 2.0**33):
            values = [float(v) for part in (x, y) for i in range(N) for v in (scale * part)[i, : i + 1]]
            status, found = loaded.call("outputs", 0.0, values)
            assert status == (0 if regular else 1), (name, scale)
            assert all(map(math.isfinite, found)) or not regular
            if real == "double":
                assert math.isfinite(sum(interpreted(values)[:N])) == regular, (name, scale)
