"""What a user who named no method may want to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eomc.build import Build


def hint_of_series(build: Build) -> str:
    """Return that power series would take much less in another state than that of a model's own method, or ""."""
    from eomc.analysis.expanding import cheaper_state

    if not build.statistics.series_products:
        return ""
    own, products = build.statistics.series_products[0]
    found = cheaper_state(build.model, build.equations, build.options, products)
    if found is None:
        return ""
    other, fewer = found
    return (
        f"power series of {build.model.name} take {fewer} products at each order by --method {other.name}, with "
        f"{other.second.heading.lower()} in the state, and {products} by {own}"
    )
