"""What a notebook shows as the value of a cell: plain HTML and SVG, without script, colours or styles of its own.

::

    page       a heading, sentences and tables, everything escaped
    matrix     numbers with names of rows and columns
    sparkline  a curve as small as a word

Text is in the notebook's colour, light or dark; a curve is drawn in it. Tables and matrices end where nobody reads on,
and say how much is left out. The same object has the same bytes.
"""

from __future__ import annotations

from eomc.cells.matrix import matrix
from eomc.cells.page import Cell, Markup, number, page, sentence, table
from eomc.cells.sparkline import sparkline

__all__ = ["Cell", "Markup", "matrix", "number", "page", "sentence", "sparkline", "table"]
