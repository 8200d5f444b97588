"""What a method of derivation is: a name, who may use it, and how it derives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from eomc.derivation.problem import Problem
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.method import Method
from eomc.model.model import Model
from eomc.model.parts import Dynamics


class Need(Enum):
    """What only the expressions tell: counts of constraints and speeds leave it open."""

    ENERGY = auto()  # the generalized forces follow from energies
    LINEAR_MOMENTA = auto()  # p = dL/dq' is linear in q'
    HOLONOMIC = auto()  # constraints on velocities are rates of constraints on the configuration


Derive: TypeAlias = Callable[[Method, Problem], EquationsOfMotion]


@dataclass(frozen=True, slots=True)
class Derivation(Method):
    """A method with what the derivation alone needs of it."""

    native: type[Dynamics] | None  # the description whose own method it is
    refusal: Callable[[Model], str]  # why it cannot serve a model, by kinds and counts; "" when it can
    needs: frozenset[Need]
    derive: Derive  # from the model written in its speeds
