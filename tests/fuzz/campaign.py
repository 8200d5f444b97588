"""The campaign: random mechanisms, trees of joints and expressions for as long as one likes.

    python tests/fuzz/campaign.py --seconds 1200 --seed 0        # or: make fuzz SECONDS=1200
    python tests/fuzz/campaign.py --only 4711                    # one mechanism again, all methods and forms
    python tests/fuzz/campaign.py --only 4711 --tree             # one tree of joints, and its bodies

Each mechanism and each tree goes through derivation and the interpreter, one in fifty through the C compiler too. What
is wrong is printed with its seed as soon as it is found; exit 1 when anything was. A seed that does not end within five
minutes is a fault as well: it is given up, with the place where it stood. Every half minute a line on stderr says how
far it is.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from comparing import Findings, examine
from expressions import examine_expression
from mechanisms import Mechanism
from trees import RandomTree

import eomc
from eomc.analysis.agreement import compare
from eomc.errors import EomcError

__all__ = ["examine_mechanism", "examine_seed", "through_c"]

_EXPRESSIONS = 20  # for each mechanism: they take a millisecond each
_COMPILED = 50  # every such mechanism and tree is compiled
_LONGEST = 300.0  # seconds for one seed; a second or two are usual, and a busy machine makes thirty of ten
_NEWS = 30.0  # seconds between two lines about the progress


_WORDS: dict[type[Mechanism | RandomTree], str] = {Mechanism: "mechanism", RandomTree: "tree"}


class TooLongError(BaseException):
    """A seed did not end in time; no handler of errors may keep this for itself."""


def examine_mechanism(seed: int, everything: bool = False, kind: type[Mechanism | RandomTree] = Mechanism) -> Findings:
    """Return what was found of one mechanism, or one tree; what is raised is a fault, too."""
    try:
        mechanism = kind(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # of a loop that no auxiliary speed moves: here it is meant
            findings = examine(mechanism.model(), seed, mechanism.time, mechanism.later, everything=everything)
    except Exception:  # a traceback is a fault of the product, whatever it is
        findings = Findings(models=1, faults=[traceback.format_exc(limit=-3)])
    findings.faults = [f"{_WORDS[kind]} {seed}: {fault}" for fault in findings.faults]
    return findings


def through_c(seed: int, kind: type[Mechanism | RandomTree] = Mechanism) -> Findings:
    """Return whether the emitted C of one mechanism, or one tree, has the interpreter's values."""
    model = kind(seed).model()
    findings = Findings(models=1)
    method = model.methods[seed % len(model.methods)]
    try:
        build = eomc.compile(model, method)
        agreements = compare(build, 6, seed).functions
    except EomcError as error:
        findings.refusals[f"{type(error).__name__} in C: {str(error)[:90]}"] = 1
        return findings
    findings.comparisons = len(agreements)
    findings.blunt = sum(not one.told for one in agreements)
    findings.faults = [
        f"{_WORDS[kind]} {seed} by {method} in C: {one}" for one in agreements if one.told and not one.holds
    ]
    return findings


def examine_seed(seed: int, longest: float = _LONGEST) -> tuple[Findings, int]:
    """Return what was found of one mechanism, one tree and its expressions, and the number of expressions."""
    found, expressions = Findings(), 0
    try:
        with _at_most(longest):
            for kind in _WORDS:
                found.add(examine_mechanism(seed, kind=kind))
                if seed % _COMPILED == 0:
                    found.add(through_c(seed, kind))
            for number in range(seed * _EXPRESSIONS, (seed + 1) * _EXPRESSIONS):
                count, faults = examine_expression(number)
                expressions += 1
                found.comparisons += count
                found.faults += faults
    except TooLongError:
        place = traceback.format_exc(limit=-8)
        found.faults.append(f"seed {seed}, after {expressions} expressions: not done in {longest:g} s\n{place}")
    return found, expressions


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise TooLongError in what is done inside when its time is over; where Python has no say, tell and exit."""

    def interrupt(number: int, frame: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    faulthandler.dump_traceback_later(2.0 * seconds, exit=True)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
        faulthandler.cancel_dump_traceback_later()


def main(arguments: list[str] | None = None) -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the first seed (default: the clock)")
    parser.add_argument("--only", type=int, help="one mechanism, by every method and form")
    parser.add_argument("--tree", action="store_true", help="with --only: the tree of joints of this seed")
    options = parser.parse_args(arguments)
    os.environ.setdefault("CFLAGS", "-O0")
    if options.only is not None:
        kind = RandomTree if options.tree else Mechanism
        found = examine_mechanism(options.only, everything=True, kind=kind)
        return _report(found, 0, 0.0)
    end, total, expressions = time.monotonic() + options.seconds, Findings(), 0
    seed = options.seed
    print(f"from seed {seed}, {options.seconds:g} s", flush=True)
    started = told = time.monotonic()
    while time.monotonic() < end:
        found, count = examine_seed(seed)
        for fault in found.faults:
            print(fault, flush=True)
        total.add(found)
        expressions += count
        seed += 1
        if time.monotonic() - told > _NEWS:
            told = time.monotonic()
            counts = f"{seed - options.seed} seeds, {total.comparisons} comparisons, {len(total.faults)} faults"
            print(f"{told - started:.0f} s: {counts}, the next is {seed}", file=sys.stderr, flush=True)
    return _report(total, expressions, time.monotonic() - started)


def _report(total: Findings, expressions: int, seconds: float) -> int:
    for text, count in sorted(total.refusals.items(), key=lambda item: -item[1]):
        print(f"refused {count} times: {text}")
    if not seconds:
        print("\n".join(total.faults))
    print(
        f"{total.models} mechanisms in {total.builds} builds, {expressions} expressions, "
        f"{total.comparisons} comparisons ({total.blunt} of them where rounding hides small differences), "
        f"{len(total.faults)} faults, {seconds:.0f} s"
    )
    return bool(total.faults)


if __name__ == "__main__":
    np.seterr(all="ignore")
    sys.exit(main())
