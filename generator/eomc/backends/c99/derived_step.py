"""The derivative of a step with inputs that are held, by the chain rule through its stages.

With Y = [dy/dx dy/dr] of a stage's state y and K = [dk/dx dk/dr] of its slopes k = f(t, y, r):
Y_i = [1 0] + h sum_j a_ij K_j, K_i = A(y_i) Y_i + [0 B(y_i)], [F G] = [1 0] + h sum_i b_i K_i; where a step is
semi-implicit, the rows of the coordinates are those of their rates at the new values of all other states. A projection
adds to [F G] what each of its corrections adds to the state, differentiated: D_x [F G] + [0 D_r].
"""

from __future__ import annotations

from eomc.backends.c99.costs import most_of_name, step_cost, told_rounds, told_stacks
from eomc.backends.c99.layout import declaration
from eomc.backends.c99.scope import Scope
from eomc.backends.c99.step_views import CostView, StepJacobianView, TangentsView
from eomc.backends.c99.stepping import change_along, factored
from eomc.ir.operations import OperationCounts
from eomc.ir.program import CORRECTION_DERIVATIVES, STEP_JACOBIAN
from eomc.passes.steps import Schedule
from eomc.tableaus import Tableau


def step_jacobian_view(
    schedule: Schedule, tableau: Tableau, scope: Scope, own_mathematics: bool
) -> StepJacobianView | None:
    """Return what the template places of it, None where it is not wanted."""
    program, prefix, macro = schedule.program, scope.prefix, scope.macro
    if STEP_JACOBIAN not in program.further:
        return None
    change = change_along(*factored(tableau.b)).replace("work->k", "work->dk")
    stages = [
        TangentsView(
            change_along(*factored(row)).replace("work->k", "work->dk") if any(row) else "",
            "0",
            f"{macro}_NX",
            f"work->dk[{i}]",
        )
        for i, row in enumerate(tableau.a)
    ]
    if tableau.semi_implicit:
        coordinates = str(program.coordinates)
        stages.append(TangentsView(change, f"{coordinates} * {macro}_NXR", coordinates, "work->dk[0]"))
    arguments = (
        f"{prefix}_real t",
        f"{prefix}_real h",
        f"const {prefix}_inputs *r",
        f"const {prefix}_constants *c",
        f"{prefix}_work *work",
        f"{prefix}_real x[{macro}_NX]",
        f"{prefix}_real F[{macro}_NX * {macro}_NX]",
        f"{prefix}_real G[{macro}_NX * {macro}_NR]" if scope.inputs else f"{prefix}_real *G",
    )
    signature = declaration(f"{prefix}_status {prefix}_{tableau.name}_{STEP_JACOBIAN}(", arguments)
    operations = told_rounds(*_cost(schedule, tableau))
    cost = CostView(operations, told_stacks(schedule, own_mathematics)[STEP_JACOBIAN])
    return StepJacobianView(signature, cost, tuple(stages), change)


def _cost(schedule: Schedule, tableau: Tableau) -> tuple[OperationCounts, OperationCounts]:
    """Return the most that it takes beside the rounds of its projection, and in each of them.

    That is the step, a Jacobian for each stage and the derivatives of corrections, products and sums of matrices.
    """
    program = schedule.program
    n, width = len(program.states), len(program.states) + len(program.inputs)
    elements = n * width
    total, each_round = step_cost(schedule, tableau)
    products = OperationCounts(additions=n, multiplications=n) * elements
    stages = len(tableau.b) + tableau.semi_implicit
    total += (most_of_name(schedule, "jacobian") + products) * stages
    sums = sum(len(factored(row)[1]) for row in (*tableau.a, tableau.b)) + tableau.semi_implicit
    total += OperationCounts(additions=1, multiplications=1) * (elements * sums)
    if not program.projected:
        return total, each_round
    in_rounds, after = CORRECTION_DERIVATIVES
    for function in program.functions:
        rows = len(function.outputs) // (1 + width)
        moved = OperationCounts(additions=n + 1, multiplications=n) * (rows * width)
        if function.name == in_rounds:
            each_round += most_of_name(schedule, in_rounds) + moved
        elif function.name == after:
            total += most_of_name(schedule, after) + moved
    return total, each_round
