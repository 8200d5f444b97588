"""Laws of what is moved so that sines and cosines of four angles stand together."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from eomc.ir.graph import Graph
from eomc.ir.ops import Op
from eomc.ir.symbols import Role, Symbol
from eomc.passes.fours import fours_of, in_fours, turns_of
from eomc.passes.order import find_partners, order
from eomc.passes.repeats import Each, Repeat, Statement
from eomc.passes.steps import Compute, Heading


class Arm:
    """Sines and cosines of angles, each result a product of both."""

    def __init__(self, *angles):
        self.graph = g = Graph()
        self.q = [g.symbol(Symbol(Role.STATE, i, f"q{i}")) for i in range(8)]
        self.angles = [angle(g, self.q) for angle in angles]
        self.sines = [g.unary(Op.SIN, angle) for angle in self.angles]
        self.cosines = [g.unary(Op.COS, angle) for angle in self.angles]
        self.results = [g.mul(a, g.add(b, self.q[0])) for a, b in zip(self.sines, self.cosines, strict=True)]
        self.partners = find_partners(g, self.sines, self.cosines)

    def events(self):
        """Return what happens, depth first."""
        g = self.graph
        live = set(g.reachable(self.results))
        leaves = {node for node in live if not g.args[node]}
        return order(g, live, leaves, (), self.results, {}, {}, self.partners)

    def turns(self, events):
        """Return how many angles stand together, in order."""
        named = {event for event in events if isinstance(event, int)}
        steps = [Compute(event, "") if isinstance(event, int) else event for event in events]
        return fours_of(self.graph, turns_of(self.graph, steps), named)


def alone(k):
    return lambda g, q: q[k]


def both(i, k):
    return lambda g, q: g.add(q[i], q[k])


def of_a_sine(k):
    """Return an angle that is made of the sine of another."""
    return lambda g, q: g.add(q[7], g.unary(Op.SIN, q[k]))


def of_a_quotient(k):
    return lambda g, q: g.div(q[k], q[6])


ANGLES = st.one_of(
    st.integers(0, 5).map(alone),
    st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda pair: both(*pair)),
    st.integers(0, 5).map(of_a_sine),
    st.integers(0, 5).map(of_a_quotient),
)


def is_an_order(graph, events):
    """Whether each node comes once, after what it is made of."""
    seen = set()
    for event in events:
        assert event not in seen
        assert all(arg in seen or not graph.args[arg] for arg in graph.args[event])
        seen.add(event)


@settings(max_examples=100, deadline=None)
@given(st.lists(ANGLES, min_size=1, max_size=14))
def test_it_stays_an_order(angles):
    """The same nodes, each after its operands, and at least as many fours as before."""
    arm = Arm(*angles)
    events = arm.events()
    moved = in_fours(arm.graph, events, arm.partners, frozenset())
    assert sorted(moved) == sorted(events)
    is_an_order(arm.graph, moved)
    assert len(arm.turns(moved)) >= len(arm.turns(events))


def test_four_of_an_arm_stand_together():
    """Sums of coordinates go to the first sine, and what is left follows the last four."""
    arm = Arm(alone(1), both(1, 2), alone(3), both(4, 5), alone(0), alone(2))
    moved = in_fours(arm.graph, arm.events(), arm.partners, frozenset())
    ((first, four),) = arm.turns(moved)
    assert [turn.angle for turn in four] == arm.angles[:4]
    ops = [arm.graph.ops[event] for event in moved]
    assert ops[:2] == [Op.ADD, Op.ADD]
    assert ops[2:14] == [Op.SIN, Op.COS] * 6
    assert first == 2


def test_three_stay_where_they_are():
    """Fewer than four are no four."""
    arm = Arm(alone(1), alone(2), both(1, 2))
    events = arm.events()
    assert in_fours(arm.graph, events, arm.partners, frozenset()) == events


def test_what_is_not_known_at_once_is_left():
    """Angles of quotients, of other functions, of tested nodes and of loops do not move; headings stay."""
    arm = Arm(alone(1), of_a_quotient(2), of_a_sine(3), both(3, 4), both(4, 5), alone(5))
    events = [Heading("first"), *arm.events()]
    assert len(arm.turns(in_fours(arm.graph, events, arm.partners, frozenset()))) == 1
    assert in_fours(arm.graph, events, arm.partners, {arm.angles[3]}) == events
    angles = tuple(arm.angles[3:5])
    loop = Repeat(("a", "b"), (Statement(angles, (Each(tuple(arm.q[3:5])), Each(tuple(arm.q[4:6])))),))
    looped = [loop, *(event for event in events if event not in angles)]
    assert in_fours(arm.graph, looped, arm.partners, frozenset()) == looped


def test_an_angle_made_of_anothers_sine_is_no_member():
    """Four in a row are none where one needs another's sine, which has no name of its own in between."""
    arm = Arm(alone(1), of_a_sine(1), alone(3), alone(4), alone(5))
    (g, a) = arm.graph, arm.angles
    events = [node for k in range(5) for node in (arm.sines[k], arm.cosines[k])]  # the second angle written in place
    ((first, four),) = arm.turns(events)
    assert [turn.angle for turn in four] == a[1:]
    assert first == 2
    assert g.args[a[1]]
