"""Inverse dynamics: the forces along actuated directions with which a motion has given accelerations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eomc.errors import UnsupportedError
from eomc.ir.equations import Balance, EquationsOfMotion
from eomc.ir.graph import Node
from eomc.ir.program import Block, Function, OutputArray
from eomc.passes.differentiate import depends_on
from eomc.passes.substitute import Substitution
from eomc.programs.actuation import Actuation, Forces, actuation_of, told_of
from eomc.programs.results import returns
from eomc.solving.jacobian import sparse_jacobian

_MOMENTS = (
    "of a link its mass, first moments and inertia about the origin of its frame do: parameters='moments' where a file "
    "is read, Link.of_moments elsewhere"
)


def inverse_dynamics(equations: EquationsOfMotion, named: Sequence[str]) -> Function | None:
    """Return the forces along the named inputs and speeds; along all, or the independent ones, where none are named.

    Raises
    ------
    UnsupportedError
        Forces depend on reactions, or a named input does not act as a force.
    UsageError
        A name that is neither an input nor a speed.
    """
    balance = _balance(equations)
    if balance is None:
        return None
    actuation = actuation_of(equations, balance, named, "inverse_dynamics")
    if not actuation.names:
        return None
    forces = Forces(equations.graph, balance, actuation)
    values = tuple(forces.checked([row[0] for row in forces.along([[node] for node in actuation.missing], 0)]))
    blocks = [
        Block("missing forces w = M v' + c + g - Q", tuple(zip(balance.names, actuation.missing, strict=True))),
        Block("forces along the actuated directions", tuple(zip(actuation.names, values, strict=True))),
    ]
    return returns(
        values,
        actuation.names,
        tuple(blocks),
        (told_of(balance, actuation),),
        tuple(("", text) for text in actuation.texts),
        accelerations=balance.accelerations,
        chosen=actuation.chosen,
        checks=(*balance.checks, *forces.checks.all()),
    )


def regressor(equations: EquationsOfMotion, named: Sequence[str]) -> Function | None:
    """Return Y and y0 of tau = Y p + y0 for the named parameters; other names are directions of the forces.

    Raises
    ------
    UnsupportedError
        No parameter is named, one does not enter linearly, or `inverse_dynamics` is refused.
    UsageError
        A name that is none of a parameter, an input or a speed.
    """
    balance, graph = _balance(equations), equations.graph
    if balance is None:
        return None
    known = {variable.name: variable for variable in equations.parameters}
    chosen = [name for name in dict.fromkeys(named) if name in known]
    actuation = actuation_of(equations, balance, [name for name in named if name not in known], "regressor", known)
    if not actuation.names:
        return None
    if not chosen:
        raise UnsupportedError("name the parameters that enter linearly, masses say, as in functions=['regressor:m']")
    leaves = [graph.symbol(known[name].symbol) for name in chosen]
    columns = sparse_jacobian(graph, actuation.missing, leaves, equations.systems)
    _refuse_nonlinear(equations, balance, actuation, dict(zip(chosen, leaves, strict=True)), columns)
    rest = Substitution(graph, dict.fromkeys(leaves, graph.zero)).all(list(actuation.missing))
    forces = Forces(graph, balance, actuation)
    right = [[*row, zero, whole] for row, zero, whole in zip(columns, rest, actuation.missing, strict=True)]
    rows = [row[:-1] for row in forces.along(right, -1)]
    outputs = forces.checked([entry for row in rows for entry in row[:-1]] + [row[-1] for row in rows])
    return returns(
        tuple(outputs),
        blocks=(Block("Y and y0 of tau = Y p + y0", tuple(("", entry) for entry in outputs if entry != graph.zero)),),
        details=(
            f"tau: {', '.join(actuation.names)}; p: {', '.join(chosen)}; tau = Y p + y0 holds for any values of p, and "
            "neither Y nor y0 depends on them.",
        ),
        arrays=(
            OutputArray("Y", "dtau/dp", (len(rows), len(chosen))),
            OutputArray("y0", "tau at p = 0", (len(rows),)),
        ),
        accelerations=balance.accelerations,
        chosen=(*actuation.chosen, *chosen),
        checks=(*balance.checks, *forces.checks.all()),
    )


def _refuse_nonlinear(
    equations: EquationsOfMotion,
    balance: Balance,
    actuation: Actuation,
    chosen: dict[str, Node],
    columns: Sequence[Sequence[Node]],
) -> None:
    """Refuse a parameter whose column depends on one of them, or on which constraints or directions depend."""
    graph = equations.graph
    outside = [*balance.turned, *(x for row in (*balance.jacobian, *actuation.columns) for x in row)]
    for place, name in enumerate(chosen):
        for other, leaf in chosen.items():
            if depends_on(graph, [row[place] for row in columns], [leaf]):
                beside = "" if other == name else f" beside {other}"
                hint = f"; {_MOMENTS}" if equations.motion.tree.links else ""
                raise UnsupportedError(f"the parameter {name} does not enter the forces linearly{beside}{hint}")
        if depends_on(graph, outside, [chosen[name]]):
            raise UnsupportedError(
                f"the parameter {name} does not enter the forces linearly: constraints or directions depend on it"
            )


def gravity_forces(equations: EquationsOfMotion) -> Function | None:
    """Return g, one for each speed."""
    details = "of weights and of the potential energy: g = dV/dq dq'/dv, on the side of M v' in M v' + c + g = Q"
    return _terms(equations, lambda balance: balance.gravity, details)


def coriolis_forces(equations: EquationsOfMotion) -> Function | None:
    """Return c, one for each speed."""
    details = (
        "of inertia where v' = 0: Coriolis and centrifugal forces, those of prescribed motions and of masses that "
        "vary; on the side of M v' in M v' + c + g = Q"
    )
    return _terms(equations, lambda balance: balance.coriolis, details)


def _terms(equations: EquationsOfMotion, terms: Callable[[Balance], Sequence[Node]], details: str) -> Function | None:
    """Return terms of the balance as a function, None where nothing moves."""
    balance = equations.on_request.balance()
    if balance is None:
        return None
    if not balance.gravity:
        raise UnsupportedError("a Hamiltonian as given does not tell gravity from inertia")
    nodes = terms(balance)
    entries = tuple(zip(balance.names, nodes, strict=True))
    return returns(tuple(nodes), balance.names, (Block("", entries),), (details,), checks=balance.checks)


def _balance(equations: EquationsOfMotion) -> Balance | None:
    """Return the balance of forces, None where nothing moves.

    Raises
    ------
    UnsupportedError
        Forces depend on reactions.
    """
    balance = equations.on_request.balance()
    if balance is not None and balance.follows:
        raise UnsupportedError(
            f"forces follow the reactions {', '.join(balance.follows)}, which the accelerations alone do not tell"
        )
    return balance
