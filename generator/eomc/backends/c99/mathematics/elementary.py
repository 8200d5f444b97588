"""Records of exponential, hyperbolic and inverse trigonometric functions, powers and roots."""

from __future__ import annotations

from eomc.backends.c99.mathematics.record import OwnFunction

__all__ = ["ELEMENTARY"]

ELEMENTARY: tuple[OwnFunction, ...] = ()
