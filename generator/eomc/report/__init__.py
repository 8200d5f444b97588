"""What a person reads of a model, in one page that needs nothing beside it; its parts serve pages of others.

::

    symbols      states, inputs, parameters, outputs: letter, name, value, unit, meaning
    formulas     equations of motion in MathML; where they are long, the command that prints them
    energetics   energies over time, drawn by `chart`
    eigenvalues  those at the start, where the motion is steady there
    counts       what each function of the C takes
    composing    all of it on one page, with the picture that moves

Each part is a text of HTML, set by `style`.
"""

from __future__ import annotations

from eomc.report.composing import page, style
from eomc.report.counts import operations
from eomc.report.eigenvalues import modes
from eomc.report.energetics import energies
from eomc.report.formulas import equations
from eomc.report.symbols import inputs, outputs, parameters, states
from eomc.report.writing import refuse_unwritable, write_report

__all__ = [
    "energies",
    "equations",
    "inputs",
    "modes",
    "operations",
    "outputs",
    "page",
    "parameters",
    "refuse_unwritable",
    "states",
    "style",
    "write_report",
]
