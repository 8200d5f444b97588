"""A simulator that runs in a page: the emitted C in WebAssembly, what it looks like, and what people turn.

::

    served      which builds a page can run
    building    the C of the model and what a page calls of it, by clang and lld -> WebAssembly
    appearance  shapes with their sizes, as JavaScript of the parameters
    meshes      surfaces of robots, in few triangles
    dials       which numbers people turn, and how far
    section     the part of a page: markup, script, styles
"""

from __future__ import annotations

from eomc.live.building import compiled, refuse_without_tools, sources
from eomc.live.section import section
from eomc.live.served import refuse_what_is_not_served

__all__ = ["compiled", "refuse_what_is_not_served", "refuse_without_tools", "section", "sources"]
