"""Which builds a page can run."""

from __future__ import annotations

from eomc.errors import UnsupportedError
from eomc.live.contract import Runnable


def refuse_what_is_not_served(build: Runnable) -> None:
    """Make sure that a page can run a build.

    Raises
    ------
    UnsupportedError
        What stands in the way, and what to do.
    """
    name = build.model.name
    if build.integrator.adaptive:
        raise UnsupportedError(
            f"{name}: a live page takes steps of one length, and {build.integrator.name} chooses its own: give "
            "--integrator rk4, or another of fixed steps"
        )
    if build.tableau.implicit:
        raise UnsupportedError(
            f"{name}: a live page takes explicit steps, and {build.tableau.name} solves equations in each: give "
            "--integrator rk4, or another explicit scheme"
        )
    if build.real != "double":
        raise UnsupportedError(f"{name}: a live page has numbers in double precision; leave out --real float")
