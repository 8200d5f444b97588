"""How deep a call goes on the stack: bounds that gcc keeps at -O2 and -Os, for x86-64 and in float for Cortex-M4.

Of straight lines a compiler keeps no more values at a time than have names, and in front of them what a frame takes in
any case; where arithmetic is made of calls it keeps a few more. Kernels and own functions of mathematics take what they
were measured to take, rounded up. What libm takes is libm's. `tests/c/test_stack.py` holds gcc to the bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.backends.c99.fixed_order import named_values
from eomc.backends.c99.kernels import KERNELS
from eomc.ir.program import CORRECTION_DERIVATIVES, EVALUATE, STEP_JACOBIAN, STEP_LANES, Program
from eomc.passes.loops import carried_of
from eomc.passes.rates import RATES
from eomc.passes.repeats import Each
from eomc.passes.splitting import FORCES
from eomc.passes.steps import Compute, LaneRoutine, Loop, Multipliers, Routine, Schedule, Solve, SystemPlace

STEP, PROJECT, RESET = "step", "project", "reset"
"""Keys of the step, of the projection and of what makes the state after an event, beside the names of functions."""

_FRAME = 112  # saved registers, the address of return, arguments that registers do not hold, alignment
_KERNEL = 192  # of a square system
_CONSTRAINED = 512  # of a system under constraints, with what it calls
_MATHEMATICS = 160  # the deepest own function, that of large angles
_LANES = 8  # as headers have it where nobody says otherwise
_VECTOR = 16  # of several lanes, in a register


def stack_bounds(schedule: Schedule, size: int, own_mathematics: bool) -> dict[str, int]:
    """Return the most bytes of stack in a call of each function, by its name, with all that it calls.

    Parameters
    ----------
    schedule
        The program, scheduled.
    size
        Bytes of a real.
    own_mathematics
        Functions of mathematics are the model's own.
    """

    def of(routine: Routine, without: Sequence[Routine] = ()) -> int:
        chunks = [one for part in (*routine.before, routine) if part not in without for one in part.chunks]
        deepest = 0
        if routine.systems:
            solving = [step for one in chunks for step in one.steps if isinstance(step, (Solve, Multipliers))]
            solved = {step.system for step in solving}
            deepest = max((_of_system(schedule, routine.systems[k], size) for k in solved), default=0)
        calls = own_mathematics and (routine.counts.functions or routine.counts.square_roots)
        names = max([len(one.loads) + one.kinds.get(Compute, 0) for one in chunks])
        frames = 1 if len(chunks) == 1 and not without else 2
        looped = [one for one in chunks if Loop in one.kinds]
        of_loops = [sum([_of_loop(step, size) for step in one.steps if isinstance(step, Loop)]) for one in looped]
        loops = max(of_loops, default=0)
        return frames * _FRAME + names * size + loops + max(deepest, _MATHEMATICS if calls else 0)

    bounds = {
        routine.function.name: of(routine) for routine in (schedule.prepare, *schedule.routines, *schedule.series)
    }
    if schedule.evaluation:
        once = schedule.evaluation.before
        bounds |= {f"{one.function.name}_from": _FRAME + of(one, once) for one in schedule.routines}
        bounds["rhs_from"] = _FRAME + of(schedule.evaluation, once)
        bounds[EVALUATE] = _FRAME + max([of(part) for part in once], default=0)
    bounds[PROJECT] = _of_projection(schedule.program, bounds, size)
    if schedule.program.events:
        bounds[RESET] = _of_reset(schedule.program, bounds, size)
    beside = [bounds[PROJECT]] if schedule.program.projected else []
    bounds[STEP] = 2 * _FRAME + max(bounds["rhs"], bounds.get(RATES, 0), bounds.get(FORCES, 0), *beside)
    ended = [_of_projection(schedule.program, bounds, size, CORRECTION_DERIVATIVES)] if beside else []
    bounds[STEP_JACOBIAN] = 2 * _FRAME + max(bounds["rhs"], bounds.get(RATES, 0), bounds.get("jacobian", 0), *ended)
    one_state = _FRAME + size * len(schedule.program.states)
    own = {one.function.name: _of_lanes(one, size) for one in schedule.lanes}
    bounds |= {f"{name}_lanes": frame + one_state + bounds[name] for name, frame in own.items()}
    stages = [_of_lanes(one, size) for one in schedule.stages]
    bounds[STEP_LANES] = 2 * _FRAME + max([one_state + bounds[STEP], *stages])
    return bounds


def _of_loop(loop: Loop, size: int) -> int:
    """Return what a loop takes: arrays before it and those that it leaves, and what it keeps of its vectors."""
    repeat = loop.repeat
    if repeat.in_a_row:  # it has no arrays there
        return size * (len(loop.named) + len(carried_of(repeat)) + len(repeat.statements))
    each = {one.nodes for statement in repeat.statements for one in statement.operands if isinstance(one, Each)}
    return (len(each) + len(loop.kept)) * repeat.count * size + _VECTOR * len(loop.named)


def _of_lanes(routine: LaneRoutine, size: int) -> int:
    """Return the bound of a function's own frame: arrays between loops, and what a loop keeps of its vectors."""
    named = [len(loop.leaves) + sum(isinstance(step, Compute) for step in loop.steps) for loop in routine.loops]
    return _FRAME + _LANES * size * len(routine.kept) + _VECTOR * max(named, default=0)


def _of_system(schedule: Schedule, place: SystemPlace, size: int) -> int:
    """Return the bound of a linear system: its kernel, or the fixed order that is tried before."""
    kernel = KERNELS[schedule.program.graph.system_of(place.node).factorization]
    deepest = _CONSTRAINED if "constrained" in kernel.after else _KERNEL
    written = [_FRAME + size * len(named_values(one)) for one in (place.fixed, place.multipliers) if one]
    return max([deepest, *written])


def _of_projection(program: Program, bounds: Mapping[str, int], size: int, called: Sequence[str] = ()) -> int:
    """Return the bound of a projection: both corrections in its frame, and the deepest of them and the `called`."""
    corrections = [one for one in program.functions if one.name.endswith("_correction")]
    deepest = max((bounds[name] for name in (*(one.name for one in corrections), *called) if name in bounds), default=0)
    return 2 * _FRAME + size * sum(len(one.outputs) for one in corrections) + deepest


def _of_reset(program: Program, bounds: Mapping[str, int], size: int) -> int:
    """Return the bound of what makes the state after an event: its arrays, those of impulses, and what it calls."""
    sizes = {one.name: len(one.outputs) for one in program.functions}
    impacts = sum(kind.impact for kind in program.events)
    own = len(program.states) + sizes.get("resets", 0)
    collision = sizes.get("impacts", 0) + 3 * sizes["events"] + 2 * impacts
    solving = 6 * impacts + impacts * impacts
    called = ("resets", "impacts", "events", "event_rates", "event_sizes")
    deepest = max(bounds.get(name, 0) for name in called)
    inner = 2 * _FRAME + collision * size + max(deepest, 4 * _FRAME + solving * size) if impacts else deepest
    return _FRAME + own * size + max(inner, bounds[PROJECT])
