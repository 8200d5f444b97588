"""The mass matrix of Kane's equations, cluster by cluster.

M_rs = sum over bodies of m v_r.v_s + w_r.I.w_s, with the partial velocities v_r and partial angular velocities w_r
(Kane & Levinson, *Dynamics* (1985), sections 2.14 and 4.11, generalized inertia forces). All bodies in the
intersection S of a cluster of r with a cluster of s move as one for both speeds, so the sum over S is that of one
body with the composite mass, first moment h and inertia I of S about a point P of it: v_r.(m v_s + w_s x h) + w_r.(I
w_s + h x v_s).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from eomc.derivation.bodies import BodySystem, inertia_shift, matrix_add
from eomc.derivation.clusters import Clusters
from eomc.ir.graph import Graph, Node, Rows
from eomc.ir.remembered import remembered
from eomc.lowering.vectors import Components, Matrix, add, apply, cross, dot, each, matrix_of_rows, plus, scale
from eomc.model.sympy_private import Frame, Point
from eomc.passes.collect import CollectedSums
from eomc.passes.differentiate import vjp

_MANY = 12  # bodies

_Set = frozenset[int]


@dataclass(frozen=True, slots=True)
class Composite:
    """Mass, first moment and inertia of a set of bodies about a point; None stands for zero.

    Velocities and the first moment are components in `frame`, angular velocities and the inertia in `spin_frame`; the
    two differ only where there is no first moment that couples them.
    """

    body: int
    point: Point
    frame: Frame
    spin_frame: Frame
    mass: Node
    moment: Components | None
    inertia: Matrix | None


class MassMatrix:
    """Makes the mass matrix for one choice of frames.

    Parameters
    ----------
    system, clusters
        The bodies and which of them move as one.
    frames
        For each body the frame in which its velocity is expressed.
    """

    def __init__(self, system: BodySystem, clusters: Clusters, frames: Sequence[Frame]) -> None:
        self._system = system
        self._graph = system.graph
        self._clusters = clusters
        self._frame_of = frames
        self._overlaps = [self._overlaps_of(s) for s in range(len(clusters.of_speed))]
        self._pairs = self._intersections()
        self._family = sorted(self._pairs, key=lambda bodies: (len(bodies), sorted(bodies)))
        self._motion = clusters.motion
        self._partial = system.problem.partials
        zero = system.graph.zero
        self._nothing: Components = (zero, zero, zero)

    def _intersections(self) -> dict[_Set, dict[int, list[int]]]:
        """Return every set of bodies that two speeds move as one, with each speed's partners in that."""
        pairs: dict[_Set, dict[int, list[int]]] = {}
        for s, overlaps in enumerate(self._overlaps):
            for r, common in overlaps.items():
                for bodies in dict.fromkeys(bodies for _, _, bodies in common):
                    pairs.setdefault(bodies, {}).setdefault(s, []).append(r)
        return pairs

    def _overlaps_of(self, s: int) -> dict[int, list[tuple[_Set, _Set, _Set]]]:
        """Return speed r -> (cluster of r, cluster of s, what both have in common), for all that have something."""
        found = {}
        for r, others in enumerate(self._clusters.of_speed):
            shared: list[tuple[_Set, _Set, _Set]] = []
            for own in self._clusters.of_speed[s]:
                common: list[tuple[_Set, _Set, _Set]] = []
                for other in others:
                    if not other.isdisjoint(own):
                        common.append((other, own, other & own))  # a comprehension would be a call for each pair
                shared += sorted(common, key=lambda one: min(one[2])) if len(common) > 1 else common
            if shared:
                found[r] = shared
        return found

    @property
    def has_rotation(self) -> bool:
        """Whether some composite of several bodies turns; without that both ways of multiplying out are the same."""
        return any(self._composite(bodies).moment is not None for bodies in self._family if len(bodies) > 1)

    @property
    def is_long_chain(self) -> bool:
        """Whether so many bodies turn with others that carrying momenta inwards wins without being counted."""
        return len(self._system.bodies) >= _MANY and self.has_rotation

    # -- forward: partial velocities dotted --------------------------------------------------------------------------

    def forward(self) -> Rows:
        """Return the matrix from dot products of partial twists with the momenta they produce."""
        return symmetric(list(self.upper_rows()))

    def upper_rows(self) -> Iterator[list[Node]]:
        """Yield the rows of the same matrix from the diagonal on, one by one."""
        n = len(self._clusters.of_speed)
        collected_sum = CollectedSums(self._graph)
        for r in range(n):
            row = [self._graph.zero] * (n - r)
            for s, overlaps in self._overlaps[r].items():
                if s < r:
                    continue
                terms: list[Node] = []
                for whole, _, common in overlaps:
                    # The momentum of the speed whose whole cluster this is serves all others.
                    first, second = (r, s) if common == whole else (s, r)
                    terms.extend(self._products(common, first, second))
                row[s - r] = collected_sum(terms)
            yield row

    def _products(self, bodies: _Set, r: int, s: int) -> list[Node]:
        """Return v_r.f + w_r.n, term by term."""
        linear, angular = self._momentum(bodies, s)
        velocity, spin = self._twist(bodies, r)
        if angular == self._nothing:
            return list(map(self._graph.mul, velocity, linear))
        return list(map(self._graph.mul, (*velocity, *spin), (*linear, *angular)))

    # -- reverse: momenta pulled inwards -----------------------------------------------------------------------------

    def reverse(self) -> Rows:
        """Return the matrix by columns: the momentum that a speed gives a cluster, projected on all speeds at once.

        The reverse sweep through the recursive velocities carries it from body to body inwards, as the
        composite-rigid-body algorithm does.
        """
        graph, speeds = self._graph, self._clusters.of_speed
        motion = self._system.problem.motion
        n = len(speeds)
        terms: list[Rows] = [[[] for _ in range(n)] for _ in range(n)]
        done: set[tuple[int, int, _Set]] = set()
        for bodies in self._family:
            partners = self._pairs[bodies]
            for s in sorted(partners, key=lambda k: bodies not in speeds[k]):
                wanted = [r for r in partners[s] if (r, s, bodies) not in done]
                if not wanted:
                    continue
                linear, angular = self._momentum(bodies, s)
                velocity, spin = self._velocities(bodies)
                seeds = list(zip((*velocity, *spin), (*linear, *angular), strict=True))
                for r, value in zip(wanted, vjp(graph, seeds, [motion[r] for r in wanted]), strict=True):
                    terms[r][s].append(value)
                    done.update({(r, s, bodies), (s, r, bodies)})
        matrix = [[graph.zero] * n for _ in range(n)]
        collected_sum = CollectedSums(graph)
        for r in range(n):
            for s in range(r, n):
                both = terms[r][s] if r == s else terms[r][s] + terms[s][r]
                matrix[r][s] = matrix[s][r] = collected_sum(both)
        return matrix

    # -- pieces ------------------------------------------------------------------------------------------------------

    @remembered
    def _velocities(self, bodies: _Set) -> tuple[Components, Components]:
        """Return the velocity of the composite's point and its angular velocity in its frame."""
        composite, system = self._composite(bodies), self._system
        velocity = system.motion.velocity_in(composite.point, composite.frame)
        frame = system.bodies[composite.body].frame
        spin = self._nothing if frame is None else system.motion.angular_velocity_in(frame, composite.spin_frame)
        return velocity, spin

    @remembered
    def _twist(self, bodies: _Set, r: int) -> tuple[Components, Components]:
        """Return the partial velocity and partial angular velocity of a composite for a speed."""
        velocity, spin = self._velocities(bodies)
        partial = self._partial[r]
        if spin != self._nothing:
            spin = each(partial, spin)
        return each(partial, velocity), spin

    @remembered
    def _momentum(self, bodies: _Set, s: int) -> tuple[Components, Components]:
        """Return the linear and angular momentum of a composite for a unit of a speed, about its point."""
        graph, composite = self._graph, self._composite(bodies)
        velocity, spin = self._twist(bodies, s)
        linear = scale(graph, composite.mass, velocity)
        angular = self._nothing if composite.inertia is None else apply(graph, composite.inertia, spin)
        if composite.moment is not None:
            linear = plus(graph, linear, cross(graph, spin, composite.moment))
            angular = plus(graph, angular, cross(graph, composite.moment, velocity))
        return linear, angular

    @remembered
    def _composite(self, bodies: _Set) -> Composite:
        """Return the composite of a set, built from composites of its largest known subsets."""
        return self._single(bodies) if len(bodies) == 1 else self._merged(bodies)

    def _single(self, bodies: _Set) -> Composite:
        (index,) = bodies
        body = self._system.bodies[index]
        frame = self._frame_of[index]
        return Composite(index, body.center, frame, body.basis or frame, body.mass, None, body.inertia)

    def _merged(self, bodies: _Set) -> Composite:
        graph = self._graph
        lead = min(bodies, key=lambda b: (self._clusters.moved_by[b], b))
        parts: list[_Set] = []
        left = bodies - {lead}
        for subset in reversed(self._family):
            if len(subset) < len(bodies) and subset <= left:
                parts.append(subset)
                left -= subset
        parts.extend(frozenset({b}) for b in sorted(left))
        members = [self._single(frozenset({lead})), *(self._composite(part) for part in reversed(parts))]
        masses = graph.sum(member.mass for member in members)
        if self._translates(bodies):
            head = members[0]
            return Composite(lead, head.point, head.frame, head.spin_frame, masses, None, None)
        point, frame = self._reference(lead)
        moments, inertias = zip(*(self._shifted(member, point, frame) for member in members), strict=True)
        moment = reduce(partial(plus, graph), moments)
        inertia = reduce(partial(matrix_add, graph), inertias)
        return Composite(lead, point, frame, frame, masses, moment, inertia)

    def _shifted(self, part: Composite, point: Point, frame: Frame) -> tuple[Components, Matrix]:
        """Return a part's first moment and inertia about another point, in another frame."""
        graph, system = self._graph, self._system
        zero = graph.zero
        moment = (zero, zero, zero)
        inertia: Matrix = ((zero,) * 3,) * 3
        path = system.frames.path(part.spin_frame, frame)
        if part.moment is not None:
            moment = system.frames.express({part.frame: part.moment}, frame)
        if part.inertia is not None:
            inertia = part.inertia
            for here, there in itertools.pairwise(path):
                inertia = _rotated(graph, system.frames.neighbour_rotation(there, here), inertia)
        if part.point is point:
            return moment, inertia
        arm = system.frames.express(system.motion.between(point, part.point), frame)
        inertia = matrix_add(graph, inertia, inertia_shift(graph, part.mass, arm))
        if part.moment is not None:
            inertia = matrix_add(graph, inertia, _moment_shift(graph, moment, arm))
        return add(graph, {frame: moment}, {frame: scale(graph, part.mass, arm)})[frame], inertia

    def _reference(self, lead: int) -> tuple[Point, Frame]:
        """Return the point of the leading body that the fewest speeds move (a joint, often), and its frame."""
        system = self._system
        body = system.bodies[lead]
        if body.frame is None:
            return body.center, self._frame_of[lead]
        frame = body.frame if body.frame in system.frames else (body.basis or self._frame_of[lead])
        beside = [p for p in system.motion.neighbours(body.center) if self._motion.is_fixed_in(body, p)]
        return min([body.center, *beside], key=lambda point: len(self._motion.shifting(point))), frame

    def _translates(self, bodies: _Set) -> bool:
        """Whether no speed that moves these bodies as one turns any of them."""
        turned = [self._motion.turning(f) for b in bodies if (f := self._system.bodies[b].frame) is not None]
        speeds = {s for found in turned for s in found}
        return not any(bodies <= cluster for s in speeds for cluster in self._clusters.of_speed[s])


def mass_matrices(system: BodySystem, clusters: Clusters, frames: Sequence[Frame]) -> Iterator[Rows]:
    """Yield the mass matrix, multiplied out in each way that is worth counting."""
    maker = MassMatrix(system, clusters, frames)
    if not maker.is_long_chain:
        yield maker.forward()
    if maker.has_rotation:
        yield maker.reverse()


def symmetric(upper: Sequence[Sequence[Node]]) -> Rows:
    """Return a whole matrix from its rows from the diagonal on."""
    return [[above[i - k] for k, above in enumerate(upper[:i])] + list(row) for i, row in enumerate(upper)]


def mirrored(matrix: Sequence[Sequence[Node]]) -> Rows:
    """Return a symmetric matrix from its lower triangle: the same functions, written once."""
    return [[*row[: i + 1], *[below[i] for below in matrix[i + 1 :]]] for i, row in enumerate(matrix)]


def lower_triangle(matrix: Sequence[Sequence[Node]]) -> list[Node]:
    """Return the entries on and below the diagonal, by rows."""
    return list(itertools.chain.from_iterable(row[: i + 1] for i, row in enumerate(matrix)))


def _rotated(graph: Graph, rotation: Matrix, inertia: Matrix) -> Matrix:
    """Return C I C^T, computed for the upper triangle and mirrored."""
    columns = matrix_of_rows(zip(*inertia, strict=True))
    half = matrix_of_rows(zip(*(apply(graph, rotation, column) for column in columns), strict=True))  # C I
    return matrix_of_rows(symmetric([[dot(graph, half[i], rotation[j]) for j in range(i, 3)] for i in range(3)]))


def _moment_shift(graph: Graph, moment: Components, arm: Components) -> Matrix:
    """Return 2 (h.d) 1 - h d^T - d h^T: what a first moment h about a point at `arm` adds to the inertia."""
    double = [graph.mul(graph.constant(2), product) for product in map(graph.mul, moment, arm)]

    def mixed(i: int, j: int) -> Node:
        return graph.neg(graph.add(graph.mul(moment[i], arm[j]), graph.mul(moment[j], arm[i])))

    upper = [
        [graph.add(double[1], double[2]), mixed(0, 1), mixed(0, 2)],
        [graph.add(double[0], double[2]), mixed(1, 2)],
        [graph.add(double[0], double[1])],
    ]
    return matrix_of_rows(symmetric(upper))
