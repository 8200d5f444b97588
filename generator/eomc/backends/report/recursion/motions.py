"""How a joint moves its body, for each kind of joint."""

from __future__ import annotations

from eomc.backends.report.recursion.algebra import (
    ZERO,
    Call,
    Formula,
    Product,
    Transposed,
    plus,
)
from eomc.backends.report.recursion.features import Features, Variant
from eomc.backends.report.recursion.sections import Section, Step, s, turned


def joints(features: Features) -> Section:
    """Return how each kind of joint moves its body."""
    several = len(features.kinds) > 1 or not features.simple
    steps = [step for one in features.variants for step in (one.words, *motion(one, several))]
    return Section("A joint i on body p", "outwards", tuple(steps))


def motion(variant: Variant, several: bool = True) -> list[Step]:
    """Return how a joint moves its body; with `several` kinds, its unit motions phi and psi too."""
    if variant.kind == "revolute":
        own: list[Step] = [
            Formula(s("R"), Product(s("C"), Call("turn", (s("e"), s("q"))))),
            Formula(s("r"), s("d")),
            Formula(s("wj"), Product(s("e"), s("u"))),
        ]
        return own + [Formula(s("vj"), ZERO), Formula(s("phi"), s("e")), Formula(s("psi"), ZERO)] * several
    if variant.kind == "prismatic":
        own = [
            Formula(s("R"), s("C")),
            Formula(s("r"), plus(s("d"), Product(Product(s("C"), s("e")), s("q")))),
            Formula(s("vj"), Product(s("e"), s("u"))),
        ]
        return own + [Formula(s("wj"), ZERO), Formula(s("phi"), ZERO), Formula(s("psi"), s("e"))] * several
    inside = Product(Transposed(s("R")), s("P"))
    turning, moving = (Product(inside, one) if variant.outside else one for one in (s("u"), s("v")))
    steps: list[Step] = [Formula(s("R"), Product(s("C"), Call("turn", (s("q"),)))), Formula(s("wj"), turning)]
    if variant.angles:
        steps.append(Formula(s("wj"), Call("angular", (s("q"), s("qd")))))
    else:
        steps.append(Formula(s("qd"), Call("half", (s("q"), s("wj")))))
    if variant.kind == "ball":
        told = "{phi_i} is one of the three unit vectors of the body, {psi_i} is zero"
        return [*steps, Formula(s("r"), s("d")), Formula(s("vj"), ZERO), told]
    return [
        *steps,
        Formula(s("r"), plus(s("d"), Product(s("P"), s("s")))),
        Formula(s("vj"), moving),
        Formula(s("sd"), Product(Transposed(s("P")), turned("i", s("vj")))),
        "{psi_i} is a unit vector of the body for the first three speeds, {phi_i} for the others, the other one zero",
    ]
