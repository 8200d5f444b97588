"""Integrator -> SchemeView: every text that the templates of runs place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eomc.backends.c99.costs import step_cost_view, told_stacks
from eomc.backends.c99.runs.costs import pair_costs
from eomc.backends.c99.runs.embedded import pair_members, pair_view
from eomc.backends.c99.runs.expansion import expansion_costs, expansion_members
from eomc.backends.c99.runs.factors import choose_factors
from eomc.backends.c99.runs.fixed import dense_order, fixed_members, fixed_view
from eomc.backends.c99.runs.linear import (
    rosenbrock_costs,
    rosenbrock_members,
    rosenbrock_view,
    slopes_signature,
)
from eomc.backends.c99.runs.shared import (
    given,
    member_lines,
    option_lines,
    run_lines,
    run_reals,
    scheme_signatures,
    shared_view,
    source_lines,
)
from eomc.backends.c99.runs.views import DenseView, RunsView, SchemeView
from eomc.backends.c99.runs.watching import INTEGERS, REALS, watch_view
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.series import order_of
from eomc.backends.c99.step_views import CostView
from eomc.errors import UnsupportedError
from eomc.expansions import Expansion
from eomc.integrators import Integrator, Row
from eomc.pairs import Pair
from eomc.passes.steps import Schedule
from eomc.rosenbrock import Rosenbrock


def runs_view(
    chosen: Sequence[Integrator],
    schedule: Schedule,
    scope: Scope,
    *,
    real: str,
    own_mathematics: bool,
    lanes: bool,
) -> RunsView | None:
    """Return what the templates place of runs by some integrators, by the first of which the emitted program goes.

    Those of pairs may go side by side in `lanes`.
    """
    if not chosen:
        return None
    schemes = tuple(_scheme(one, schedule, scope, real, own_mathematics, lanes) for one in chosen)
    return RunsView(
        source=source_lines(scope),
        options=option_lines(scope),
        run=run_lines(scope, bool(schedule.program.events)),
        shared=shared_view(
            scope,
            any(one.expands for one in chosen),
            slopes_signature(scope) if any(map(_linearizes, chosen)) else (),
        ),
        events=watch_view(scope, given(scope)) if schedule.program.events else None,
        schemes=schemes,
        files=(f"{scope.prefix}_run", *(f"{scope.prefix}_{one.name}" for one in chosen)),
        own=schemes[0],
    )


def _scheme(
    chosen: Integrator, schedule: Schedule, scope: Scope, real: str, own_mathematics: bool, lanes: bool
) -> SchemeView:
    """Return the view of one scheme."""
    row = chosen.row
    parts = _parts(row, schedule, scope, own_mathematics, real, lanes)
    members = parts.pop("members")
    reals = run_reals(scope) + sum(one.reals for one in members)
    return SchemeView(
        name=row.name,
        title=row.title,
        order=parts.pop("order", row.order),
        adaptive=chosen.adaptive,
        roundings=chosen.roundings,
        memory=_memory(reals, real, schedule),
        members=member_lines(members, scope),
        signatures=scheme_signatures(row.name, scope),
        **parts,
    )


def _parts(row: Row, schedule: Schedule, scope: Scope, own_mathematics: bool, real: str, lanes: bool) -> dict[str, Any]:
    """Return what differs between kinds of schemes."""
    projected, program = schedule.program.projected, schedule.program
    if isinstance(row, Pair):
        operations, stack, dense_text = pair_costs(row, schedule, own_mathematics)
        return {
            "template": "c99/runs/embedded.c.jinja",
            "details": ("The length of each step follows from an estimate of its error.",),
            "members": pair_members(row, scope, projected),
            "cost": CostView(operations, stack),
            "dense": DenseView(row.dense_order, dense_text),
            "pair": pair_view(row, scope, projected, lanes),
        }
    if isinstance(row, Rosenbrock):
        factors = choose_factors(program, len(row.c))
        operations, stack, dense_text = rosenbrock_costs(row, schedule, factors, own_mathematics)
        return {
            "template": "c99/runs/rosenbrock.c.jinja",
            "details": (
                "For stiff motions: each step takes the Jacobian and solves linear systems with one matrix.",
                "The length of each step follows from an estimate of its error.",
            ),
            "members": rosenbrock_members(row, scope, program, factors),
            "cost": CostView(operations, stack),
            "dense": DenseView(row.dense_order, dense_text),
            "rosenbrock": rosenbrock_view(row, scope, program, factors),
        }
    if isinstance(row, Expansion):
        return _expansion_parts(row, schedule, scope, own_mathematics, real)
    step = step_cost_view(schedule, row, told_stacks(schedule, own_mathematics))
    return {
        "template": "c99/runs/fixed.c.jinja",
        "details": (
            "Steps are as long as options.first_step says, 1e-3 where it is 0; one that ends at a limit or at a",
            "jump may be shorter, and steps are counted anew from there."
            + (" An event divides the step in which it is." if program.events else ""),
        ),
        "members": fixed_members(row, scope, projected, bool(program.events)),
        "cost": CostView(step.operations, f"{step.stack}, and 256 of its own"),
        "dense": DenseView(
            dense_order(row),
            "the state derivative at both ends" + (", and four times between" if dense_order(row) > 3 else ""),
        ),
        "fixed": fixed_view(row, scope, projected),
    }


def _expansion_parts(
    row: Expansion, schedule: Schedule, scope: Scope, own_mathematics: bool, real: str
) -> dict[str, Any]:
    """Return what power series have of their own."""
    if schedule.program.projected:
        raise UnsupportedError(
            f"{row.name}: a step that ends with a projection onto the constraints has no power series; its steps "
            "leave the constraints by rounding alone, so that stabilization='none' serves"
        )
    order = order_of(row, real)
    operations, stack, dense_text = expansion_costs(schedule, own_mathematics, order)
    return {
        "template": "c99/runs/taylor.c.jinja",
        "details": (
            f"The series is that of {schedule.program.expanded}'s equations. The order is",
            f"{scope.macro}_TAYLOR_ORDER; a step is a part of the radius of convergence that the last",
            "two coefficients tell. Inputs are held or sampled: what is called has no series.",
        ),
        "order": order,
        "members": expansion_members(scope, order, bool(schedule.program.events)),
        "cost": CostView(operations, stack),
        "dense": DenseView(order, dense_text),
    }


def _linearizes(chosen: Integrator) -> bool:
    return isinstance(chosen.row, Rosenbrock)


def _memory(reals: int, real: str, schedule: Schedule) -> str:
    """Return the size of the struct of a run, where pointers and integers are as for x86-64."""
    size, events = 8 if real == "double" else 4, len(schedule.program.events)
    integers = 8 + 6 * 4  # atols; most_steps, dense, steps, rejected, kept, dense
    if events:
        reals += len(schedule.program.states) + REALS * events + 1
        integers += 4 * (INTEGERS * events + 3)
    return f"{-(-(reals * size + integers) // 8) * 8} bytes ({real}, with pointers of 8 bytes)"
