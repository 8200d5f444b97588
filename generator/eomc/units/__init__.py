"""Units of measurement: what people write, its factor to SI, its dimension, and one spelling of it in SI."""

from eomc.units.dimension import NONE, Dimension, power, product
from eomc.units.reading import read_unit
from eomc.units.spelling import spelled
from eomc.units.unit import Unit, with_unit

__all__ = ["NONE", "Dimension", "Unit", "power", "product", "read_unit", "spelled", "with_unit"]
