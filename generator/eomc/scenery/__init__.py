"""What a model looks like in numbers, apart from any format: shapes, what each follows, and where all of it is."""

from eomc.scenery.placing import Placed, placed
from eomc.scenery.records import Scene, Segment, Solid
from eomc.scenery.resolving import scene

__all__ = ["Placed", "Scene", "Segment", "Solid", "placed", "scene"]
