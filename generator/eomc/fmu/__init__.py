"""Functional Mock-up Units: a build as one file that other simulators import.

::

    Build -> variables, dependencies, units -> description (XML) and views -> sources -> library -> archive
"""

from eomc.fmu.archive import write_fmu

__all__ = ["write_fmu"]
