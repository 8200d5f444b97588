"""Pictures that move: one sampled motion of a scene, and the formats that are written from it."""

from eomc.pictures.motion import Motion, Node, View
from eomc.pictures.sampling import refuse_empty, sampled
from eomc.pictures.writing import FORMATS, refuse_unwritable, warn_of_unread, write

__all__ = [
    "FORMATS",
    "Motion",
    "Node",
    "View",
    "refuse_empty",
    "refuse_unwritable",
    "sampled",
    "warn_of_unread",
    "write",
]
