"""The figure that `plotting` draws on, as a notebook shows it. Imported where matplotlib is."""

from __future__ import annotations

import io

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


class ShownFigure(Figure):
    """A figure that no window manages, and that a notebook shows once, as the value of a cell."""

    def _repr_png_(self) -> bytes:
        """Return the picture, for IPython."""
        picture = io.BytesIO()
        self.savefig(picture, format="png", dpi=100)
        return picture.getvalue()


def new_figure(width: float, height: float) -> ShownFigure:
    """Return an empty figure of a size in inches."""
    figure = ShownFigure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
