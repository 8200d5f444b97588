"""What the short form of a tree's equations has to say: kinds of joints, rotors, loads, constraints."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Variant:
    """A kind of joint: revolute, prismatic, ball or free, the last two by angles or a quaternion.

    The speeds of these are in axes of the body, or `outside`, of the link that carries the joint.
    """

    kind: str
    angles: bool = False
    outside: bool = False

    @property
    def words(self) -> str:
        """What stands above its formulas."""
        if self.kind in ("revolute", "prismatic"):
            return f"{self.kind}, with the speed u = q':"
        number = "three speeds" if self.kind == "ball" else "six speeds, those of the origin first,"
        by = "angles" if self.angles else "a quaternion"
        axes = "the link that carries it" if self.outside else "the body"
        return f"{self.kind}, by {by}, with {number} in axes of {axes}:"


@dataclass(frozen=True, slots=True)
class Features:
    """What a tree has: kinds of joints, and the rest."""

    variants: tuple[Variant, ...]
    rotors: bool = False
    rotors_outside: bool = False  # on free joints whose speeds are in axes of what carries them
    link_loads: bool = False
    followers: bool = False
    constrained: bool = False

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of joints."""
        return frozenset(one.kind for one in self.variants)

    @property
    def outer(self) -> bool:
        """Whether speeds are in axes of what carries the joint."""
        return any(one.outside for one in self.variants)

    @property
    def turning(self) -> bool:
        """Whether a joint turns."""
        return self.kinds != {"prismatic"}

    @property
    def sliding(self) -> bool:
        """Whether a joint slides."""
        return not self.kinds.isdisjoint({"prismatic", "free"})

    @property
    def simple(self) -> bool:
        """Whether all joints have one speed."""
        return self.kinds <= {"revolute", "prismatic"}
