"""Integrator -> SchemeView: every text that the templates of runs place."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.backends.c99.costs import cost_views
from eomc.backends.c99.runs.costs import pair_costs
from eomc.backends.c99.runs.embedded import pair_members, pair_reals, pair_view
from eomc.backends.c99.runs.expansion import expansion_costs, expansion_members, expansion_reals
from eomc.backends.c99.runs.fixed import DENSE_ORDER, fixed_members, fixed_reals, fixed_view
from eomc.backends.c99.runs.shared import (
    given,
    option_lines,
    run_lines,
    run_reals,
    scheme_signatures,
    shared_view,
    source_lines,
)
from eomc.backends.c99.runs.views import RunsView, SchemeView
from eomc.backends.c99.runs.watching import INTEGERS, REALS, watch_view
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.series import TAYLOR_ORDERS
from eomc.backends.c99.stack import STEP
from eomc.errors import UnsupportedError
from eomc.expansions import Expansion
from eomc.integrators import Integrator
from eomc.pairs import Pair
from eomc.passes.steps import Schedule
from eomc.tableaus import Tableau


def runs_view(
    chosen: Sequence[Integrator],
    schedule: Schedule,
    scope: Scope,
    *,
    real: str,
    own_mathematics: bool,
    leads: bool,
) -> RunsView | None:
    """Return what the templates place of runs by some integrators, of which the first may lead the emitted program."""
    if not chosen:
        return None
    schemes = tuple(_scheme(one, schedule, scope, real, own_mathematics) for one in chosen)
    return RunsView(
        source=source_lines(scope),
        options=option_lines(scope),
        run=run_lines(scope, bool(schedule.program.events)),
        shared=shared_view(scope, any(one.expands for one in chosen)),
        events=watch_view(scope, given(scope)) if schedule.program.events else None,
        schemes=schemes,
        files=(f"{scope.prefix}_run", *(f"{scope.prefix}_{one.name}" for one in chosen)),
        own=schemes[0] if leads else None,
    )


def _scheme(chosen: Integrator, schedule: Schedule, scope: Scope, real: str, own_mathematics: bool) -> SchemeView:
    """Return the view of one scheme."""
    row, projected = chosen.row, schedule.program.projected
    if isinstance(row, Pair):
        operations, stack, dense_text = pair_costs(row, schedule, own_mathematics)
        reals = run_reals(scope) + pair_reals(row, scope, projected)
        return SchemeView(
            name=row.name,
            title=row.title,
            order=row.order,
            adaptive=True,
            template="c99/runs/embedded.c.jinja",
            details=("The length of each step follows from an estimate of its error.",),
            memory=_memory(reals, real, schedule),
            members=pair_members(row, scope, projected),
            signatures=scheme_signatures(row.name, scope),
            operations=operations,
            stack=stack,
            dense_order=row.dense_order,
            dense_text=dense_text,
            pair=pair_view(row, scope, projected),
        )
    if isinstance(row, Tableau):
        step = cost_views(schedule, row, own_mathematics)[STEP]
        reals = run_reals(scope) + fixed_reals(row, scope, projected)
        return SchemeView(
            name=row.name,
            title=row.title,
            order=row.order,
            adaptive=False,
            template="c99/runs/fixed.c.jinja",
            details=(
                "Steps are as long as options.first_step says, 1e-3 where it is 0; one that ends at a limit or at a",
                "jump may be shorter, and steps are counted anew from there.",
            ),
            memory=_memory(reals, real, schedule),
            members=fixed_members(row, scope, projected),
            signatures=scheme_signatures(row.name, scope),
            operations=step.operations,
            stack=f"{step.stack}, and 256 of its own",
            dense_order=DENSE_ORDER,
            dense_text="the state derivative at both ends",
            fixed=fixed_view(row, scope, projected),
        )
    assert isinstance(row, Expansion)
    if projected:
        raise UnsupportedError(
            f"{row.name}: a step that ends with a projection onto the constraints has no power series; its steps "
            "leave the constraints by rounding alone, so that stabilization='none' serves"
        )
    operations, stack, dense_text = expansion_costs(schedule, own_mathematics, real)
    return SchemeView(
        name=row.name,
        title=row.title,
        order=TAYLOR_ORDERS[real],
        adaptive=True,
        template="c99/runs/taylor.c.jinja",
        details=(
            f"The order is {scope.macro}_TAYLOR_ORDER; a step is a part of the radius of convergence that the last",
            "two coefficients tell. Inputs are held or sampled: what is called has no series.",
        ),
        memory=_memory(run_reals(scope) + expansion_reals(scope, real), real, schedule),
        members=expansion_members(scope),
        signatures=scheme_signatures(row.name, scope),
        operations=operations,
        stack=stack,
        dense_order=TAYLOR_ORDERS[real],
        dense_text=dense_text,
        pair=None,
    )


def _memory(reals: int, real: str, schedule: Schedule) -> str:
    """Return the size of the struct of a run, where pointers and integers are as for x86-64."""
    size, events = 8 if real == "double" else 4, len(schedule.program.events)
    integers = 8 + 6 * 4  # atols; most_steps, dense, steps, rejected, kept, dense
    if events:
        reals += len(schedule.program.states) + REALS * events + 1
        integers += 4 * (INTEGERS * events + 3)
    return f"{-(-(reals * size + integers) // 8) * 8} bytes ({real}, with pointers of 8 bytes)"
