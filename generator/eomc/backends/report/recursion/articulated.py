"""Articulated bodies in blocks of 3 x 3: Featherstone (2008), section 7.3."""

from __future__ import annotations

from eomc.backends.report.recursion.algebra import (
    Cross,
    Dot,
    Dyad,
    Formula,
    Number,
    Over,
    Product,
    Quotient,
    Skew,
    Transposed,
    minus,
    plus,
)
from eomc.backends.report.recursion.features import Features
from eomc.backends.report.recursion.sections import Section, Step, by_rate, carried, into, outside, s, terms_of, turned


def articulated(features: Features) -> list[Section]:
    """Return the way inwards and the way outwards again."""
    force, moment = carried("fa", "na")
    again = "of several rates the last comes first, and the next finds what it leaves as articulated inertia"

    def tensor(name: str) -> Product:
        return turned("c", Product(s(name, "c"), Transposed(s("R", "c"))))

    arm, half = Skew(s("r", "c")), Quotient(Number(1), Number(2))
    moved = plus(Product(arm, Transposed(s("K", "c"))), Product(s("K", "c"), Transposed(arm)))
    inwards: list[Step] = [
        "c stands for each joint on the body",
        Formula(s("IA"), plus(s("I"), Over("c", plus(tensor("Ia"), moved)))),
        Formula(s("HA"), plus(Skew(s("h")), Over("c", plus(tensor("Ha"), Product(arm, tensor("Ma")))))),
        Formula(s("MA"), plus(Product(s("m"), s("one", "")), Over("c", tensor("Ma")))),
        Formula(s("fA"), plus(s("f"), force)),
        Formula(s("nA"), plus(s("n"), moment)),
        Formula(s("k"), plus(Product(s("IA"), s("phi")), Product(s("HA"), s("psi")))),
        Formula(s("l"), plus(Product(Transposed(s("HA")), s("phi")), Product(s("MA"), s("psi")))),
        Formula(s("D"), plus(by_rate(s("k"), s("l")), s("J"))),
        Formula(s("T"), minus(s("tau"), *terms_of(by_rate(s("nA"), s("fA"))))),
        Formula(s("Ia"), minus(s("IA"), Quotient(Dyad(s("k"), s("k")), s("D")))),
        Formula(s("Ha"), minus(s("HA"), Quotient(Dyad(s("k"), s("l")), s("D")))),
        Formula(s("Ma"), minus(s("MA"), Quotient(Dyad(s("l"), s("l")), s("D")))),
        Formula(s("fa"), plus(s("fA"), Quotient(Product(s("T"), s("l")), s("D")))),
        Formula(s("na"), plus(s("nA"), Quotient(Product(s("T"), s("k")), s("D")))),
        Formula(
            s("K", "i"),
            plus(
                turned("i", Product(s("Ha"), Transposed(s("R")))),
                Product(half, Product(Skew(s("r")), turned("i", Product(s("Ma"), Transposed(s("R")))))),
            ),
        ),
        *([] if features.simple else [again]),
    ]
    reached = "at the ground {al} and {a} are zero"
    before = [
        Formula(s("al"), into(s("al", "p"))),
        Formula(s("a"), into(plus(s("a", "p"), Cross(s("al", "p"), s("r"))))),
    ]
    solved = Quotient(minus(s("T"), Dot(s("k"), s("al-")), Dot(s("l"), s("a-"))), s("D"))
    outwards: list[Step] = [
        reached,
        *(Formula(s(f"{one.left.name}-"), one.right) for one in before),
        Formula(s("ud"), solved),
        Formula(s("al"), plus(s("al-"), Product(s("phi"), s("ud")))),
        Formula(s("a"), plus(s("a-"), Product(s("psi"), s("ud")))),
        *([] if features.simple else ["of several rates the first comes first and adds to {al_i} and {a_i}"]),
        *outside(features),
    ]
    return [
        Section("Inwards, from the ends to the ground: articulated bodies", "inwards", tuple(inwards)),
        Section("Outwards again: accelerations", "outwards", tuple(outwards)),
    ]
