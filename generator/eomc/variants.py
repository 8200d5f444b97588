"""What a build makes of others: another part of the same program, or the same emitted in another way.

Nothing is derived here. Where what is there does not serve, a variant says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from eomc.emission import Emission
from eomc.integrators import Integrator, tableaus_of
from eomc.ir.equations import EquationsOfMotion
from eomc.ir.program import RUN, STEP_LANES, TAYLOR_COEFFICIENTS, Program
from eomc.programs.choice import always_there, base_of, belongs_to_a_run, belongs_to_a_trajectory, chosen_functions
from eomc.programs.program import make_program
from eomc.programs.series import expanded
from eomc.programs.variational import variational_equations


@dataclass(frozen=True, slots=True)
class Variant:
    """A program and how it becomes C; where there is no program, all is derived anew."""

    emission: Emission
    program: Program | None = None


def by_integrators(program: Program, emission: Emission, chosen: tuple[Integrator, ...]) -> Variant:
    """Return the variant of a program by other integrators.

    It is derived anew where one of them takes the power series of the motion and none did, or none does and one did,
    or they are of other equations, and where one takes functions that are not there.
    """
    other = replace(emission, integrators=chosen)
    if (other.expands, other.form) != (emission.expands, emission.form) or not _has(program, other.needed):
        return Variant(other)
    return Variant(other, program)


def of_a_run(program: Program, emission: Emission, chosen: tuple[Integrator, ...], run: bool) -> Variant:
    """Return the variant by other integrators with the functions of a trajectory alone; with a `run`, its run in C."""
    by_others = replace(emission, integrators=chosen)
    listed = (one.name for one in program.functions if belongs_to_a_trajectory(one.name))
    names = tuple(dict.fromkeys((*by_others.needed, *listed)))
    other = replace(by_others, functions=tuple(name for name in names if not always_there(name)) + (RUN,) * run)
    has_series = program.series and other.form == emission.form
    if (other.expands and not has_series) or not _has(program, names):
        return Variant(replace(other, functions=chosen_functions(other.functions, tableaus_of(chosen)[0].name)))
    fewer = replace(
        program,
        functions=tuple(one for one in program.functions if one.name in names),
        further=(TAYLOR_COEFFICIENTS,) if other.expands else (),
        series=program.series if other.expands else (),
    )
    return Variant(other, fewer)


def of_steps(program: Program, emission: Emission) -> Variant:
    """Return the variant with what steps, runs in C and outputs call, by the same integrators."""
    functions = tuple(
        one for one in program.functions if belongs_to_a_run(one.name) or base_of(one.name) in emission.needed
    )
    further = tuple(name for name in program.further if name in (RUN, TAYLOR_COEFFICIENTS))
    names = tuple(one.name for one in functions if not always_there(one.name))
    return Variant(
        replace(emission, functions=(*names, *further)),
        replace(program, functions=functions, further=further),
    )


def in_lanes(program: Program, emission: Emission) -> Variant:
    """Return the variant with a step of several states side by side, and with what a run needs beside."""
    first = replace(emission, integrators=emission.integrators[:1])
    functions = tuple(one for one in program.functions if belongs_to_a_run(one.name) or one.name in first.needed)
    names = tuple(one.name for one in functions if one.name != "rhs")
    series = program.series if first.expands else ()
    return Variant(
        replace(first, functions=(*names, STEP_LANES)),
        replace(program, functions=functions, further=(STEP_LANES,), series=series),
    )


def of_changes(equations: EquationsOfMotion, program: Program, emission: Emission, named: Sequence[str]) -> Variant:
    """Return the variant of power series alone: of the motion, and of its change by its start and by named parameters.

    Parameters
    ----------
    equations
        From which the program was made.
    program, emission
        Of the motion; the integrator is one that takes its power series.
    named
        Parameters.
    """
    start = [*(state.value for state in program.states), *(0.0 for _ in program.states)]
    changing = variational_equations(equations, named)
    other = make_program(changing, program.name, program.description, start, functions=(), series=expanded(changing))
    return Variant(replace(emission, functions=(), target=None), other)


def _has(program: Program, names: Iterable[str]) -> bool:
    """Whether a program has all these functions."""
    return {function.name for function in program.functions}.issuperset(names)
