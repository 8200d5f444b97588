"""What a simulator knows of events: g, dg/dt, sizes of g, states after resets, what impulses do."""

from __future__ import annotations

import itertools
from dataclasses import replace

from eomc.ir.equations import EquationsOfMotion, Events
from eomc.ir.program import Function, OutputArray
from eomc.passes.sizes import Sizes
from eomc.programs.results import returns, state_names


def events(equations: EquationsOfMotion) -> Function | None:
    """Return g of each event, the gaps of impacts last."""
    made = equations.motion.events
    return None if made is None else replace(_named(equations, made, made.functions), kinds=made.kinds)


def event_rates(equations: EquationsOfMotion) -> Function | None:
    """Return dg/dt of each event along the motion."""
    made = equations.motion.events
    return None if made is None else _named(equations, made, made.rates)


def event_sizes(equations: EquationsOfMotion) -> Function | None:
    """Return the size of the terms of each g, which its rounding is proportional to."""
    made = equations.motion.events
    if made is None:
        return None
    return _named(equations, made, tuple(map(Sizes(equations.graph).size, made.functions)))


def _named(equations: EquationsOfMotion, made: Events, nodes: tuple[int, ...]) -> Function:
    solved = {node for node in equations.motion.accelerations if equations.graph.args[node]}
    moving = not solved.isdisjoint(equations.graph.reachable(nodes))
    return returns(
        nodes,
        tuple(kind.name for kind in made.kinds),
        equations.blocks if moving else (),
        texts=tuple(("", kind.description) for kind in made.kinds),
        checks=made.checks,
    )


def event_times(equations: EquationsOfMotion) -> Function | None:
    """Return the times of events that are known beforehand."""
    made = equations.motion.events
    if made is None or not made.times:
        return None
    return returns(made.times, tuple(kind.name for kind in made.kinds if kind.timed))


def resets(equations: EquationsOfMotion) -> Function | None:
    """Return the state after each event that is no impact, a row for each."""
    made = equations.motion.events
    if made is None or not made.after:
        return None
    names = [kind.name for kind in made.kinds if not kind.impact]
    entries = tuple(itertools.chain.from_iterable(made.after))
    shape = (len(names), len(equations.states))
    return returns(
        entries,
        details=(f"A row for each of {', '.join(names)}; columns: {', '.join(state_names(equations))}.",),
        arrays=(OutputArray("after", "states after the events", shape),),
        checks=made.checks,
    )


def impacts(equations: EquationsOfMotion) -> Function | None:
    """Return W, the jumps that impulses make, and the coefficients of restitution."""
    made = equations.motion.events
    if made is None or not made.impulses:
        return None
    count, moving = len(made.impulses), len(made.jumps)
    outputs = (*itertools.chain(*made.impulses), *itertools.chain(*made.jumps), *made.restitution)
    return returns(
        outputs,
        arrays=(
            OutputArray("W", "rates of the gaps by impulses", (count, count)),
            OutputArray("jumps", "second half of the state by impulses", (moving, count)),
            OutputArray("e", "coefficients of restitution", (count,)),
        ),
        checks=made.checks,
    )
