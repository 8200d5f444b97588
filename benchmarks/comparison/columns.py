"""The columns of the table. In each of them less is better."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["COLUMNS", "DT", "FIGURES", "STARTS", "STATES", "STEPS", "TIMED", "Column"]

STATES = 100  # random states at which all must agree
STARTS = 1024  # trajectories of an ensemble
STEPS = 8  # steps after which ensembles are compared
DT = 1e-3


@dataclass(frozen=True, slots=True)
class Column:
    """A quantity that is compared."""

    name: str
    title: str
    unit: str
    timed: bool  # by blocks in turn; what is not comes out of making the right-hand side
    tolerance: float = 0.0  # of the agreement, beside the largest component


COLUMNS = {
    column.name: column
    for column in (
        Column("derive", "derive", "s", False),
        Column("emit", "emit", "s", False),
        Column("compile", "compile", "s", False),
        Column("rhs", "rhs", "ns", True, 1e-8),
        Column("inverse_dynamics", "inverse dynamics", "ns", True, 1e-8),
        Column("jacobian", "Jacobian", "ns", True, 1e-7),
        Column("rk4", "RK4 step", "ns", True, 1e-8),
        Column("ensemble", "ensemble step", "ns", True, 1e-8),
        Column("text", "text", "B", False),
        Column("operations", "operations", "", False),
    )
}
TIMED = tuple(column.name for column in COLUMNS.values() if column.timed)
FIGURES = tuple(column.name for column in COLUMNS.values() if not column.timed)
