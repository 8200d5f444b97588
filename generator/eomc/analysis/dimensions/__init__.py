"""Whether the units that a model states agree in all of its expressions."""

from eomc.analysis.dimensions.check import check_dimensions, refuse_disagreeing, states_its_units

__all__ = ["check_dimensions", "refuse_disagreeing", "states_its_units"]
