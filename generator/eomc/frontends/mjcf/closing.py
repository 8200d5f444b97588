"""Constraints of a file as closures between links, and as equations between joints that follow no linear law."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from eomc.frontends.mjcf.assembly import Assembly
from eomc.frontends.mjcf.loads import JointScalars
from eomc.frontends.mjcf.quaternions import matrix
from eomc.frontends.mjcf.records import Compiled, Equality, EqualityType
from eomc.model.trees.records import Closure, ClosureKind


def closures_of(compiled: Compiled) -> Iterator[Closure]:
    """Return what joins bodies: points, or whole frames."""
    for one in compiled.equalities:
        if one.type is EqualityType.JOINT:
            continue
        kind = ClosureKind.POINT if one.type is EqualityType.CONNECT else ClosureKind.FIXED
        yield Closure(
            name=one.name,
            kind=kind,
            first=one.first,
            second=one.second,
            at_first=one.at_first,
            at_second=one.at_second,
            rotation=matrix(one.turn),
        )


def equations_of(compiled: Compiled, assembly: Assembly) -> Iterator[sympy.Expr]:
    """Return what is zero of joints that are bound and do not follow: q - q_0 - sum of a_k (p - p_0)^k."""
    scalars = JointScalars(assembly)
    starts = {joint.name: joint.start[0] for body in compiled.bodies for joint in body.joints}
    for one in compiled.equalities:
        if one.type is EqualityType.JOINT and not _follows(one, assembly):
            q = scalars.coordinate(one.first) - starts[one.first]
            p = scalars.coordinate(one.second) - starts[one.second] if one.second else sympy.S.Zero
            bound = one.polynomial[: 5 if one.second else 1]
            yield q - sum((a * p**k for k, a in enumerate(bound) if a), sympy.S.Zero)


def _follows(one: Equality, assembly: Assembly) -> bool:
    law = assembly.joint(one.first).mimic
    return law is not None and law.joint == one.second
