"""Names of a model as C identifiers."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eomc.backends.c99.identifiers import (
    LONGEST,
    clean,
    distinct,
    local_names,
    model_identifier,
    temporary_prefix,
)
from eomc.backends.c99.reserved import RESERVED

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("m", "m"), ("x_{1}", "x_1"), ("f_{ext}", "f_ext"), ("\\theta_0", "theta_0"), ("q'", "q_prime"),
        ("two words", "two_words"), ("1x", "v_1x"), ("", "v"), ("θ", "theta"), ("Θ", "Theta"), ("φ̇", "phi_d"),
        ("φ̈", "phi_dd"), ("ñ", "n"), ("λ", "lambda"), ("ς", "sigma"), ("x₁", "x_1"[0:1] + "1"), ("a.b-c/d", "a_b_c_d"),
        ("ü", "u"), ("__x__", "x_"), ("日本", "v"), ("x_", "x_"),
    ],
)  # fmt: skip
def test_spelling(name, identifier):
    """Odd characters become words or go; the rest stays."""
    assert clean(name) == identifier


@pytest.mark.parametrize(
    "name",
    [
        "int",
        "double",
        "restrict",
        "inline",
        "_Bool",
        "complex",
        "I",
        "y0",
        "j1",
        "gamma",
        "signbit",
        "INFINITY",
        "NULL",
        "errno",
        "main",
        "time",
        "M_PI",
        "class",
        "new",
        "sinf",
        "REAL_SIN",
    ],
)
def test_reserved_words_are_changed(name):
    """No word of C, C++ or libm is an identifier of ours."""
    (identifier,) = distinct([name])
    assert identifier != name
    assert identifier not in RESERVED


def test_good_names_stay_and_bad_ones_give_way():
    """A name that is fine keeps its spelling even when a changed one comes first."""
    assert distinct(["x_{1}", "x_1"]) == ("x_1_2", "x_1")
    assert distinct(["int", "int_"]) == ("int_2", "int_")
    assert distinct(["q", "Q"]) == ("q", "Q")
    assert distinct(["q", "Q"], ignore_case=True) == ("q", "Q_2")


def test_long_names_differ_early():
    """Names that differ late differ within the characters that C99 promises."""
    names = distinct(["a" * 70, "a" * 71, "a" * 31, "a" * 40 + "b"])
    assert len({name[:31] for name in names}) == 4
    assert names[2] == "a" * 31


@given(st.lists(st.text(max_size=45), max_size=12))
def test_always_identifiers_and_distinct(names):
    """Whatever the names: identifiers, ASCII, not reserved, short, all different."""
    for ignore_case in (False, True):
        result = distinct(names, prefix="model", ignore_case=ignore_case)
        assert len(result) == len(names)
        assert all(IDENTIFIER.fullmatch(name) and len(name) <= LONGEST and name not in RESERVED for name in result)
        assert all(not name.lower().startswith("model_") or name.endswith("_") or name[-1].isdigit() for name in result)
        seen = {name.upper() if ignore_case else name for name in result}
        assert len(seen) == len(result)
        assert distinct(names, prefix="model", ignore_case=ignore_case) == result


@given(st.lists(st.sampled_from(["x", "x_", "x_2", "t", "q", "r", "t_"]), unique=True))
def test_locals_keep_clear_of_arguments(identifiers):
    """No local variable is called like an argument, and no two are called the same."""
    result = local_names(identifiers, ["x", "t", "r"])
    assert not set(result) & {"x", "t", "r"}
    assert len(set(result)) == len(result)


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("rolling_disk", "rolling_disk"),
        ("main", "main_model"),
        ("math", "math_model"),
        ("test", "test_model"),
        ("int", "int_model"),
        ("n_link_pendulum:10", "n_link_pendulum_10"),
        ("2 discs", "v_2_discs"),
        ("String", "String_model"),
    ],
)
def test_model_prefix(name, identifier):
    """The model's name makes files, targets and prefixes: none may hide a header or a target of make."""
    assert model_identifier(name) == identifier


def test_temporaries_step_aside():
    """Temporaries take another letter when the model has such names."""
    assert temporary_prefix(("z", "w"), ["x", "zeta", "z"]) == "z"
    assert temporary_prefix(("z", "w"), ["z1"]) == "w"
    assert temporary_prefix(("z", "w"), ["z1", "w0"]) == "z__"
