"""Compare the emitted C with the reference in NumPy, at random states."""

from __future__ import annotations

import argparse
import itertools

from eomc.cli.arguments import add_method, add_model, count, natural
from eomc.cli.failures import DONE, FAILED
from eomc.cli.terminal import print_table, working
from eomc.wording import counted

__all__ = ["configure", "run"]


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
    parser.add_argument("--samples", metavar="N", type=count, default=100, help="number of random states; 100")
    parser.add_argument("--seed", metavar="N", type=natural, default=0, help="seed of the random states; 0")


def run(options: argparse.Namespace) -> int:
    """Print the worst differences per function; fail when one is too large."""
    import eomc
    from eomc.agreement import TOLERANCE, compare
    from eomc.derivation.options import CONSTRAINTS

    model = eomc.load(options.model)
    methods = model.methods if options.method == "all" else (options.method,)
    forms = CONSTRAINTS if options.constraints == "all" else (options.constraints,)
    code = DONE
    for method, form in itertools.product(methods, forms):
        with working(f"checking {options.model}"):
            build = eomc.compile(model, method=method, constraints=form)
            agreements = compare(build, options.samples, options.seed)
        rows = [
            (one.function, str(one.size), f"{one.worst:.1e}", "agrees" if one.holds else "DIFFERS")
            for one in agreements
        ]
        how = f"{build.method}, {form}" if len(forms) > 1 or form != "eliminated" else build.method
        title = (
            f"{model.name} ({how}): emitted C against the reference at "
            f"{counted(options.samples, 'random state')}, "
            f"|a - b|/(1 + |b|) <= {TOLERANCE:g}"
        )
        print_table(("function", "size", "worst", ""), rows, title=title, right=("size",))
        if not all(one.holds for one in agreements):
            code = FAILED
    return code
