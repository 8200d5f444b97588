"""EquationsOfMotion -> Program: which functions the simulator offers, with the text-book names of their parts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence, Set
from dataclasses import replace

from eomc.errors import UnsupportedError
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.finite import refuse_infinite
from eomc.ir.graph import Node
from eomc.ir.program import (
    CORRECTION_DERIVATIVES,
    STEP_JACOBIAN,
    TAYLOR_COEFFICIENTS,
    UNPHYSICAL_LINK,
    Check,
    Function,
    Program,
)
from eomc.ir.runs import USUAL, Run
from eomc.passes.checking import checked_among
from eomc.passes.equal import join_equal
from eomc.passes.strength import reduce_strength
from eomc.programs.choice import FURTHER, base_of, is_everything, named_after, usual_functions
from eomc.programs.constancy import constancy_of
from eomc.programs.functions import FUNCTIONS, ROWS, Presence, in_letters
from eomc.programs.large import OF_LARGE, is_large, on_request
from eomc.programs.series import Expanded


def make_program(
    equations: EquationsOfMotion,
    name: str,
    description: str,
    initial: Sequence[float],
    remarks: Sequence[str] = (),
    functions: Sequence[str] | None = None,
    *,
    needed: Sequence[str] = (),
    series: Expanded | None = None,
    run: Run = USUAL,
) -> Program:
    """Return the program of a model's simulator.

    Parameters
    ----------
    equations
        Derived equations of motion.
    name, description
        Of the model.
    initial
        Initial state, one number per state.
    remarks
        What the user should know beside the form of the equations: the last of the program's notes.
    functions
        Optional functions to offer, as far as the equations give them; None for the usual ones.
    needed
        Functions that are there in any way, for what integrates calls them.
    series
        The power series of the motion, where it is wanted.
    run
        Of the model, where nothing else is said.
    """
    states = tuple(replace(state, value=value) for state, value in zip(equations.states, initial, strict=True))
    size = len(equations.motion.accelerations)
    fewer = functions is None and is_large(size)
    wanted = (*(OF_LARGE if fewer else usual_functions() if functions is None else functions), *needed)
    expanded = series.functions if series else ()
    if expanded:
        wanted = tuple(dict.fromkeys([*wanted, TAYLOR_COEFFICIENTS]))
    if STEP_JACOBIAN in wanted and equations.constraints.projected:
        wanted = tuple(dict.fromkeys([*wanted, *CORRECTION_DERIVATIVES]))
    if UNPHYSICAL_LINK in wanted and not equations.motion.tree.links:
        raise UnsupportedError(
            f"{UNPHYSICAL_LINK}: {name} has no tree of joints with a link whose mass, centre or inertia holds "
            'parameters; of a file, parameters="all" keeps them'
        )
    named = () if functions is None or is_everything(functions) else functions
    made, refused = _made(equations, wanted, frozenset(map(base_of, (*named, *needed))))
    if fewer:
        there = {function.name for function in made}
        refused.update({name: on_request(size, name) for name in usual_functions() if name not in there})
    energetics = equations.energetics
    evaluated = (*made, *expanded)
    live = equations.graph.below(itertools.chain.from_iterable(function.outputs for function in evaluated))
    program = Program(
        name=name,
        description=description,
        method=equations.method,
        graph=equations.graph,
        time=equations.time,
        states=states,
        inputs=equations.inputs,
        parameters=equations.parameters,
        functions=tuple(replace(function, checks=()) for function in made),
        checks=_live_checks(equations, evaluated, live),
        coordinates=len(equations.motion.rates),
        in_a_row=equations.motion.tree.in_a_row,
        projected=equations.constraints.projected and any(ROWS[function.name].ends_steps for function in made),
        further=tuple(name for name in FURTHER if name in wanted),
        refused=tuple(refused.items()),
        series=tuple(replace(function, checks=()) for function in expanded),
        siblings=equations.motion.tree.siblings,
        expanded=series.authors if series else "",
        links=equations.motion.tree.links if UNPHYSICAL_LINK in wanted else (),
        links_vary=bool(equations.motion.tree.links),
        run=run,
        notes=(*_form(equations), *constancy_of(energetics, [*energetics.energies, *energetics.momenta]), *remarks),
    )
    reduced = reduce_strength(program, live)  # which puts numbers together
    refuse_infinite(reduced.graph, name)
    return join_equal(reduced)


def _form(equations: EquationsOfMotion) -> tuple[str, ...]:
    """Return the form of the equations, and by which recursion a tree is solved."""
    recursion = equations.motion.recursion
    return (equations.summary,) if recursion is None else (equations.summary, recursion.why)


def _made(
    equations: EquationsOfMotion, wanted: Sequence[str], strict: frozenset[str]
) -> tuple[list[Function], dict[str, str]]:
    """Return the functions, and why there are not others; all those of `strict` have to be there."""
    names = {*map(base_of, wanted), *(FURTHER[name] for name in wanted if name in FURTHER)}
    made, refused = [], dict[str, str]()
    for row in FUNCTIONS:
        returned = equations.constraints.projected or equations.motion.events is not None  # to the constraints
        needed = row.presence is Presence.ALWAYS or (row.ends_steps and returned)
        if not needed and row.name not in names:
            continue
        try:
            function = row.made(equations, named_after(row.name, wanted))
        except UnsupportedError as error:
            if row.name in strict:
                raise UnsupportedError(f"{row.name}: {error}") from error
            refused[row.name] = str(error)
            continue
        if function is not None:
            made.append(replace(function, name=row.name, title=function.title or in_letters(equations, row.title)))
    return made, refused


def _live_checks(equations: EquationsOfMotion, functions: Sequence[Function], needed: Set[Node]) -> tuple[Check, ...]:
    """Return the tests of what the functions evaluate, numbered anew: a derivation tries more than it keeps."""
    tests = dict.fromkeys([*equations.checks, *(check for function in functions for check in function.checks)])
    checked = checked_among(equations.graph, tuple(tests), needed)
    return tuple(
        replace(check, node=node, index=index) for index, (check, nodes) in enumerate(checked.items()) for node in nodes
    )
