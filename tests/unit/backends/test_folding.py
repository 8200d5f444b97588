"""Heads of functions that are too long for a line."""

from __future__ import annotations

import pytest

from eomc.backends.c99.folding import WIDTH, folded

NAME = "a_" * 30 + "model"


def test_parameters_stand_below_each_other() -> None:
    """Each has a line, beneath the first."""
    head = f"static {NAME}_status {NAME}_look("
    text = f"/* a */\n{head}const double x[2], int *which, {NAME}_work *work)\n{{\n    return 0;\n}}\n"
    pad = "\n" + " " * len(head)
    assert folded(text) == text.replace(", ", f",{pad}")


def test_types_of_functions_are_folded_too() -> None:
    """With what stands behind the parenthesis."""
    head = f"typedef {NAME}_status (*{NAME}_at)("
    assert folded(f"{head}const {NAME}_run *run, double t);") == (
        f"{head}const {NAME}_run *run,\n{' ' * len(head)}double t);"
    )


@pytest.mark.parametrize(
    "line",
    [
        "static int found(int a, int b)",
        f"    status = {NAME}({', '.join(['argument'] * 12)});",
        f"static const double {NAME}[3] = {{{', '.join(['1.0'] * 20)}}};",
        f"static int {NAME}(int a) {{ return b({', '.join(['a'] * 30)}); }}",
    ],
)
def test_all_else_stays(line: str) -> None:
    """Short heads, statements, tables, functions of one line."""
    assert (len(line) > WIDTH) is not line.startswith("static int found")
    assert folded(line) == line
