"""What the figures depend on."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["Machine", "machine"]

TOOLS = ("casadi", "pin", "mujoco", "pydy", "heyoka", "numba")


@dataclass(frozen=True, slots=True)
class Machine:
    """Date, processor, compiler with its flags, versions."""

    date: str
    processor: str
    cores: int
    load: float
    compiler: str
    flags: tuple[str, ...]
    math: str
    versions: tuple[tuple[str, str], ...]

    def text(self) -> str:
        """Return it in two lines."""
        versions = ", ".join(f"{name} {number}" for name, number in self.versions)
        return (
            f"{self.date}, {self.processor}, {self.cores} cores, load {self.load:.1f} at the start; "
            f"{self.compiler} {' '.join(self.flags)}; eomc with math={self.math}\n"
            f"Python {platform.python_version()}, {versions}"
        )


def machine(flags: tuple[str, ...], math: str) -> Machine:
    """Return what is known of this one."""
    told = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    versions = []
    for name in ("sympy", "numpy", *TOOLS):
        try:
            versions.append((name, version(name)))
        except PackageNotFoundError:
            continue
    date = datetime.date.today().isoformat()
    return Machine(date, _processor(), os.cpu_count() or 1, os.getloadavg()[0], told, flags, math, tuple(versions))


def _processor() -> str:
    """Return the processor's name, and its widest vectors, which names of virtual machines do not tell."""
    try:
        lines = [line.partition(":") for line in Path("/proc/cpuinfo").read_text().splitlines()]
    except OSError:
        return platform.machine()
    facts = {key.strip(): value.strip() for key, _, value in lines}
    family = f"family {facts.get('cpu family', '?')} model {facts.get('model', '?')}"
    have = facts.get("flags", "").split()
    wide = next((word for word in ("avx512f", "avx2", "avx") if word in have), "")
    return f"{facts.get('model name', platform.machine())} ({family}{', ' + wide if wide else ''})"
