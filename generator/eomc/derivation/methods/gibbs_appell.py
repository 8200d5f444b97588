"""Gibbs and Appell's method: of bodies, by the energy of their accelerations."""

from __future__ import annotations

from functools import partial

from eomc.derivation.gibbs_appell import derive_gibbs_appell, gibbs_function
from eomc.derivation.methods.in_speeds import InSpeeds, derive_in_speeds
from eomc.derivation.methods.record import Derivation
from eomc.ir.method import SecondHalf
from eomc.model.model import Model
from eomc.model.parts import Lagrangian

_BODIES = InSpeeds(
    solve=derive_gibbs_appell,
    matrix_title="mass matrix: M = d2S/du'2 of the Gibbs function S",
    forcing_title="f = Q - dS/du' at u' = 0",
    prefix="dS/du' = Q with the Gibbs function S: ",
    gibbs=gibbs_function,
)


def _refusal(model: Model) -> str:
    if isinstance(model.dynamics, Lagrangian):
        return "a Lagrangian alone has no accelerations, of which the Gibbs function is made"
    return ""


GIBBS_APPELL = Derivation(
    name="gibbs-appell",
    second=SecondHalf.SPEEDS,
    title="Gibbs and Appell's method",
    authors="Gibbs-Appell",
    native=None,
    refusal=_refusal,
    needs=frozenset(),
    derive=partial(derive_in_speeds, own=_BODIES),
)
