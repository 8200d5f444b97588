"""Trajectories as pandas and xarray have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from eomc.binding.plotting import Columns
from eomc.binding.saving import needed

if TYPE_CHECKING:
    from pandas import DataFrame
    from xarray import Dataset


def dataframe(columns: Columns, further: Columns) -> DataFrame:
    """Return a DataFrame of columns, the first of which is the time."""
    needed("pandas", "pandas", "a DataFrame")
    import pandas

    (time, t), *rest = (*columns, *further)
    frame = pandas.DataFrame({q.name: values for q, values in rest}, index=pandas.Index(t, name=time.name))
    frame.attrs["units"] = {quantity.name: quantity.unit for quantity, _ in (*columns, *further)}
    return frame


def dataset(columns: Columns, further: Columns, about: Mapping[str, str]) -> Dataset:
    """Return a Dataset of columns, the first of which is the time; units and groups are attributes."""
    needed("xarray", "xarray", "a Dataset")
    import xarray

    (time, t), *rest = (*columns, *further)
    variables = {q.name: (time.name, values, {"units": q.unit, "group": q.group}) for q, values in rest}
    return xarray.Dataset(variables, {time.name: (time.name, t, {"units": time.unit})}, dict(about))
