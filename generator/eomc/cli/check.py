"""Compare the emitted C with the reference in NumPy, at random states; or prove a run by its energy balance."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from eomc.cli.arguments import (
    add_algorithm,
    add_math,
    add_method,
    add_model,
    add_optimize,
    add_run,
    add_stabilization,
    add_units,
    count,
    natural,
)
from eomc.cli.energy import check_energy
from eomc.cli.failures import DONE, FAILED
from eomc.cli.steps import OPTIONS, add_steps
from eomc.cli.terminal import finite_or_none, print_json, print_table, working
from eomc.errors import UsageError
from eomc.wording import counted

if TYPE_CHECKING:
    from eomc.analysis.agreement import Agreement
    from eomc.analysis.agreement.methods import MethodAgreement
    from eomc.model import Model

_MOTIONS = 20  # at which the methods are compared with each other
_OF_STATES = {"samples": 100, "seed": 0, "jacobian": False}
_OF_RUNS: dict[str, Any] = {
    "t_end": None,
    "set": [],
    "init": [],
    "input": [],
    "stabilization": None,
    "integrator": None,
    **dict.fromkeys(OPTIONS),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    add_method(parser, ", or all")
    parser.add_argument(
        "--constraints",
        metavar="F",
        default="eliminated",
        help="how constraints are solved: eliminated (by default), augmented, range-space, null-space, or all",
    )
    add_algorithm(parser)
    add_math(parser)
    add_units(parser)
    add_optimize(parser)
    parser.add_argument("--samples", metavar="N", type=count, default=100, help="number of random states; 100")
    parser.add_argument("--seed", metavar="N", type=natural, default=0, help="seed of the random states; 0")
    parser.add_argument(
        "--jacobian",
        action="store_true",
        help="also the Jacobians of motion and outputs and df/dt, against differences of the reference, to 1e-8",
    )
    parser.add_argument(
        "--energy", action="store_true", help="simulate instead, and compare the change of energy with the work"
    )
    add_run(parser, "; with --energy")
    add_stabilization(parser, "; with --energy")
    add_steps(parser, "; with --energy")
    parser.add_argument("--json", action="store_true", help="as a JSON list, for programs")


def run(options: argparse.Namespace) -> int:
    """Check as asked; fail when something is not as it should be."""
    import eomc
    from eomc.derivation.options import CONSTRAINTS

    _refuse_without_effect(options)
    model = eomc.load(options.model)
    methods = model.methods if options.method == "all" else (options.method,)
    every = CONSTRAINTS if model.is_constrained else CONSTRAINTS[:1]  # without constraints all are the same
    forms = every if options.constraints == "all" else (options.constraints,)
    check = check_energy if options.energy else _check_states
    return check(options, model, methods, forms)


def _refuse_without_effect(options: argparse.Namespace) -> None:
    """Refuse options of the other kind of check."""
    others, where = (_OF_STATES, "without") if options.energy else (_OF_RUNS, "with")
    for name, default in others.items():
        if getattr(options, name, default) != default:
            raise UsageError(f"--{name.replace('_', '-')} has an effect only {where} --energy")


def _check_states(
    options: argparse.Namespace, model: Model, methods: Sequence[str | None], forms: Sequence[str]
) -> int:
    """Compare all functions at random states, and print the worst differences."""
    import eomc
    from eomc.analysis.agreement import TOLERANCE, compare_all
    from eomc.analysis.agreement.methods import compare_methods

    described: list[dict[str, Any]] = []
    between: Sequence[MethodAgreement] = ()
    if options.method == "all":
        with working(f"comparing the methods of {options.model}"):
            between = compare_methods(model, model.methods, min(options.samples, _MOTIONS), options.seed)
    functions = "all" if options.jacobian else None
    builds = (
        eomc.compile(
            model,
            method=method,
            math=options.math,
            constraints=form,
            stabilization="none",  # what holds at each state is compared, not what a run does against drift
            functions=functions,
            optimize=options.optimize,
            algorithm=options.algorithm,
            units=options.units,
        )
        for method, form in itertools.product(methods, forms)
    )
    comparisons = compare_all(builds, options.samples, options.seed)
    for _ in range(len(methods) * len(forms)):
        with working(f"checking {options.model}"):
            build, comparison = next(comparisons)
        form = build.options.constraints
        figures = [_figures(one.function, one, one.told) for one in comparison]
        figures += [
            _figures(f"{one.quantity} as by {one.native}", one)
            for one in between
            if one.method == build.method and form == forms[0]
        ]
        described.append(
            {
                "model": model.name,
                "method": build.method,
                "constraints": form,
                "samples": options.samples,
                "near_defaults": comparison.near,
                "ill_conditioned": comparison.ill,
                "tolerance": TOLERANCE,
                "functions": figures,
                "holds": all(figure["holds"] for figure in figures),
            }
        )
        if not options.json:
            _print(described[-1], len(forms) > 1 or form != "eliminated")
    if options.json:
        print_json(described)
    return DONE if all(entry["holds"] for entry in described) else FAILED


def _figures(name: str, one: Agreement | MethodAgreement, told: bool = True) -> dict[str, Any]:
    """Return what is known of a function, or of a method beside the native one."""
    return {
        "name": name,
        "size": one.size,
        "worst": finite_or_none(one.worst),
        "tolerance": one.tolerance,
        "told": told,
        "holds": one.holds,
    }


def _print(entry: dict[str, Any], says_form: bool) -> None:
    from eomc.analysis.agreement import CONDITION_LIMIT

    how = f"{entry['method']}, {entry['constraints']}" if says_form else entry["method"]
    title = (
        f"{entry['model']} ({how}): emitted C against the reference at {counted(entry['samples'], 'random state')}, "
        f"|a - b| <= {entry['tolerance']:g} of the size of the terms"
    )
    rows = [
        (
            one["name"],
            str(one["size"]),
            "nan" if one["worst"] is None else f"{one['worst']:.1e}",
            _verdict(one) + _remark(one["tolerance"], entry["tolerance"]),
        )
        for one in entry["functions"]
    ]
    print_table(("function", "size", "worst", ""), rows, title=title, right=("size",))
    if entry["near_defaults"]:
        print(
            f"{counted(entry['near_defaults'], 'state')} of {entry['samples']} with parameters within 25 % of the "
            "defaults: in 50 tries none over decades could be closed and was well-conditioned",
            end="\n\n",
        )
    if entry["ill_conditioned"]:
        print(
            f"{counted(entry['ill_conditioned'], 'state')} of {entry['samples']} with a mass matrix whose condition, "
            f"without units, is above {CONDITION_LIMIT:g}: there rhs is judged by inverse dynamics, the forces M u' "
            "that its accelerations take against those that act",
            end="\n\n",
        )


def _verdict(one: dict[str, Any]) -> str:
    if one["told"]:
        return "agrees" if one["holds"] else "DIFFERS"
    return "CANNOT BE TOLD: rounding hides errors of 1e-8; give ranges of coordinates where less cancels"


def _remark(tolerance: float, usual: float) -> str:
    """Return the tolerance where it is not the usual one."""
    return "" if tolerance == usual else f" (<= {tolerance:g})"
