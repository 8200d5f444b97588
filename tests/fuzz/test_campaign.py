"""A stretch of the campaign of `make fuzz`, from fixed seeds, and that the campaign sees what is wrong."""

from __future__ import annotations

import dataclasses
import time
import warnings
from typing import Any

import campaign
import comparing
import expressions
import mpmath
import pytest
import sympy
from campaign import examine_mechanism, examine_seed, through_c
from expressions import examine_expression
from mechanisms import Mechanism
from trees import RandomTree

from eomc.ir.program import Program

MECHANISMS = range(15)
TREES = (2, 3, 11, 20, 22, 30, 41, 60)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("first", MECHANISMS[::5])
def test_random_mechanisms(first: int) -> None:
    """Rates, energies, momenta, multipliers and Jacobians are the reference's, by every method that is drawn."""
    for seed in range(first, first + 5):
        found = examine_mechanism(seed)
        assert found.faults == []
        assert found.comparisons > 10


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", TREES)
def test_random_trees(seed: int) -> None:
    """Recursions have the values of the reference, and those of another method for the same links as bodies."""
    found = examine_mechanism(seed, kind=RandomTree)
    assert found.faults == []
    assert found.comparisons > 10


def test_what_is_refused_as_a_tree_may_be_refused_as_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A constraint on the velocity of a ball joint's origin, which rests; bodies alone must not refuse."""
    found = examine_mechanism(100014, kind=RandomTree)
    assert found.faults == []
    assert [text for text in found.refusals if "no generalized speed appears in velocity constraint 1" in text]
    monkeypatch.setattr(comparing, "program_of", lambda *_: None)
    assert "no generalized speed appears" in "".join(examine_mechanism(100014, kind=RandomTree).faults)


@pytest.mark.needs_cc
@pytest.mark.parametrize("kind", [Mechanism, RandomTree])
def test_a_random_mechanism_in_c(kind: type[Mechanism | RandomTree]) -> None:
    """The emitted C has the reference's values."""
    found = through_c(5, kind)
    assert found.faults == []
    assert found.comparisons > 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", range(0, 1000, 250))
def test_random_expressions(first: int) -> None:
    """Values and slopes are those of mpmath, at random points and at those where branches meet."""
    compared = 0
    for seed in range(first, first + 250):
        count, faults = examine_expression(seed)
        assert faults == []
        compared += count
    assert compared > 1000


def test_a_small_error_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A term of the right-hand side that is wrong by one part in a hundred million is a fault."""
    right = comparing.program_of

    def wrong(model: Any, method: str, form: str) -> Program:
        program = right(model, method, form)
        graph, (first, *others) = program.graph, program.functions
        rates = list(first.outputs)
        rates[-1] = graph.mul(rates[-1], graph.constant(1.0 + 1e-8))
        return dataclasses.replace(program, functions=(dataclasses.replace(first, outputs=tuple(rates)), *others))

    monkeypatch.setattr(comparing, "program_of", wrong)
    warnings.simplefilter("ignore", RuntimeWarning)  # restored by pytest
    seen = [bool(comparing.examine(Mechanism(seed).model(), seed, 1.0, {}).faults) for seed in range(4)]
    assert sum(seen) >= 3  # where sizes differ much, rounding may hide it


def test_a_seed_that_does_not_end_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up with its seed and its place, whatever handler of errors it is in, and the next one is taken."""

    def endless(seed: int) -> tuple[int, list[str]]:
        while True:
            try:
                time.sleep(0.01)
            except Exception:  # what is examined may catch everything
                continue

    monkeypatch.setattr(campaign, "examine_mechanism", lambda seed, kind: comparing.Findings(models=1))
    monkeypatch.setattr(campaign, "examine_expression", endless)
    found, expressions = examine_seed(7, longest=0.2)
    assert (found.models, expressions) == (2, 0)  # a mechanism and a tree
    assert len(found.faults) == 1
    assert found.faults[0].startswith("seed 7, after 0 expressions")
    assert "in endless" in found.faults[0]
    monkeypatch.setattr(campaign, "examine_expression", lambda seed: (3, []))
    found, expressions = examine_seed(8, longest=0.2)
    assert (found.faults, expressions) == ([], 20)


def test_the_campaign_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts and the next seed stand on stderr."""
    found = comparing.Findings(models=1, comparisons=20, faults=["one"])
    monkeypatch.setattr(campaign, "examine_seed", lambda seed: (found, 3))
    monkeypatch.setattr(campaign, "_NEWS", -1.0)
    assert campaign.main(["--seconds", "0.02", "--seed", "7"]) == 1
    assert "s: 2 seeds, 40 comparisons, 2 faults, the next is 9" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["tan(sinh(1/x))", "exp(cosh(1/x))", "y**sinh(1/x)"])
def test_no_value_where_decimals_would_fill_the_memory(text: str) -> None:
    """The decimals of sinh(10^12) are not asked for; where the result is known without them, it is found."""
    x = mpmath.mpf(10) ** -12
    with campaign._at_most(20.0):
        assert expressions._value(sympy.sympify(text, {"x": expressions.X, "y": expressions.Y}), x, 0.7) is None
        assert abs(expressions._value(sympy.tanh(sympy.exp(1 / expressions.X)), x, 0.7) - 1) < 1e-50
        assert 0 < expressions._value(sympy.exp(-1 / expressions.X**2), x, 0.7) < mpmath.mpf(10) ** -1000


@pytest.mark.parametrize(
    ("text", "unsure"),
    [
        ("Min(y, atan2(-x, x - 1))", True),  # -pi for -0.0, pi for 0
        ("Min(y, atan2(-x, x + 1))", False),
        ("Max(y, floor(3*(x + y)))", False),
        ("Max(y, floor(x + 10*y))", True),  # 10 times the double 0.7 is not 7
    ],
)
def test_a_jump_counts_in_an_extremum_that_it_loses(text: str, unsure: bool) -> None:
    """Where the sign of a zero or rounding decides about a value, it decides which of several is the least."""
    made = sympy.sympify(text, {"x": expressions.X, "y": expressions.Y})
    assert expressions._nature(made, 0.0, 0.7)[0] is unsure


@pytest.mark.parametrize(
    ("text", "unsure"),
    [
        ("Piecewise((x, x >= sqrt(2)*sqrt(y)/2), ((-y)**(1/3), True))", True),  # in floats the root is above 1/2
        ("Piecewise((x, x >= y), ((-y)**(1/3), True))", False),
        ("Piecewise((x, x <= sqrt(y)), ((-y)**(1/3), True))", False),
        ("Max(7, Piecewise((x, x >= sqrt(2)*sqrt(y)/2), (9, True)))", True),
    ],
)
def test_a_condition_that_rounding_decides_is_unsure(text: str, unsure: bool) -> None:
    """At a point where both sides are equal the program may take either branch, but where floats are exact."""
    made = sympy.sympify(text, {"x": expressions.X, "y": expressions.Y})
    assert expressions._nature(made, 0.5, 0.5)[0] is unsure
