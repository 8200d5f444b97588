"""What this machine has of what eomc needs, and how to get the rest.

::

    finding   one thing: found or missing, needed or not, and its remedy
    packages  Python, the packages that every use needs, and those of extras
    tools     the C compiler, make, further compilers, and those and the emulators of targets

Nothing here imports a package that may be missing before it is known to be there.
"""

from __future__ import annotations

from eomc.doctor.finding import Finding
from eomc.doctor.packages import find_extras, find_needed_packages
from eomc.doctor.tools import find_needed_tools, find_targets, find_tools

__all__ = ["Finding", "findings"]


def findings() -> list[Finding]:
    """Return everything that is looked for, what a normal use needs first."""
    return [*find_needed_packages(), *find_needed_tools(), *find_tools(), *find_targets(), *find_extras()]
