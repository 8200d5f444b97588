"""What a file of MJCF switches off as a whole, by the flags of its options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Switches:
    """What of the motion is on; MuJoCo itself has neither fluid nor weights taken away without springs and dampers."""

    gravity: bool
    springs: bool
    dampers: bool
    friction: bool
    actuators: bool
    equalities: bool
    limits: bool
    contacts: bool
    groups: frozenset[int]  # of actuators, that are off

    @property
    def floats(self) -> bool:
        """Whether weights are taken away, and the medium has forces."""
        return self.springs or self.dampers


def switches_of(mujoco: Any, model: Any) -> Switches:
    """Return the switches of a compiled model; versions differ in the names of bits, and a bit that is not is on."""

    def on(*names: str) -> bool:
        bits = [int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}", 0)) for name in names]
        return not any(int(model.opt.disableflags) & bit for bit in bits)

    groups = int(getattr(model.opt, "disableactuator", 0))
    return Switches(
        gravity=on("GRAVITY"),
        springs=on("SPRING", "PASSIVE"),
        dampers=on("DAMPER", "PASSIVE"),
        friction=on("FRICTIONLOSS", "CONSTRAINT"),
        actuators=on("ACTUATION"),
        equalities=on("EQUALITY", "CONSTRAINT"),
        limits=on("LIMIT", "CONSTRAINT"),
        contacts=on("CONTACT", "CONSTRAINT"),
        groups=frozenset(group for group in range(groups.bit_length()) if groups >> group & 1),
    )
