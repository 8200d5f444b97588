"""Which functions of a model call a state singular: none where its condition number is small.

    python tests/fuzz/singular.py --samples 400 [MODEL ...]

Every pivot test that the derivation writes is evaluated by the interpreter, of all functions, methods and forms, at
well-conditioned states of the shipped models: half of them with the default parameters, half with parameters over
decades. A test that fails there is a false alarm; each is printed, exit 1 when there was any.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from comparing import program_of
from interpreted import evaluate

import eomc
from eomc.analysis.agreement.sampling import Samples, draw
from eomc.derivation.options import CONSTRAINTS
from eomc.errors import UnsupportedError
from eomc.frontends.loading import shipped_models
from eomc.ir.program import Program
from eomc.ir.symbols import Symbol
from eomc.reference import reference

__all__ = ["Alarm", "alarms", "forms_of", "leaves_of"]


@dataclass(frozen=True, slots=True)
class Alarm:
    """A pivot test that fails at one state."""

    label: str
    functions: tuple[str, ...]  # that divide by the pivot
    sample: Samples
    row: int


def forms_of(model: eomc.Model) -> tuple[str, ...]:
    """Return the solution forms that differ for a model: one where it has no constraints."""
    system = model.dynamics
    constrained = getattr(system, "configuration_constraints", ()) or getattr(system, "velocity_constraints", ())
    return CONSTRAINTS if constrained else CONSTRAINTS[:1]


def leaves_of(program: Program, sample: Samples) -> dict[Symbol, Any]:
    """Return the values of a program's symbols, one for each state of a sample."""
    count = len(sample.states)
    leaves: dict[Symbol, Any] = {program.time: np.full(count, sample.time)}
    tables = (sample.states, sample.inputs, np.tile(sample.parameters, (count, 1)))
    for variables, table in zip((program.states, program.inputs, program.parameters), tables, strict=True):
        leaves.update((variable.symbol, table[:, place]) for place, variable in enumerate(variables))
    return leaves


def alarms(program: Program, samples: Sequence[Samples]) -> Iterator[Alarm]:
    """Yield each pivot test that fails, with the functions of the state that it stops."""
    graph = program.graph
    reached = {one.name: set(graph.reachable(one.outputs)) for one in program.functions if not one.accelerations}
    checks = [check for check in program.checks if any(check.node in nodes for nodes in reached.values())]
    conditions = [check.condition for check in checks]
    for sample in samples:
        values = evaluate(graph, conditions, leaves_of(program, sample), len(sample.states))
        for check in checks:
            stopped = tuple(name for name, nodes in reached.items() if check.node in nodes)
            for row in np.flatnonzero(~np.broadcast_to(values[check.condition], (len(sample.states),))).tolist():
                yield Alarm(check.label, stopped, sample, row)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="False alarms of pivot tests at well-conditioned states.")
    parser.add_argument("--samples", type=int, default=400, help="states of each model and method")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("models", nargs="*", help="shipped models; all by default")
    return parser.parse_args()


def main() -> int:
    """Look at all methods and forms of the models, and print the alarms."""
    options = _arguments()
    found = 0
    for name in options.models or shipped_models():
        model = eomc.load(name)
        for method in model.methods:
            oracle = reference(model, method)
            samples = draw(oracle, options.samples, options.seed)
            for form in forms_of(model):
                try:
                    program = program_of(model, method, form)
                except UnsupportedError:
                    continue
                seen = list(alarms(program, samples))
                found += len(seen)
                states = sum(len(sample.states) for sample in samples)
                print(f"{name} {method} {form}: {len(program.checks)} tests at {states} states, {len(seen)} alarms")
                for alarm in seen[:10]:
                    print(f"  {alarm.label}: {', '.join(alarm.functions)} at t = {alarm.sample.time!r}")
                    print(f"    state {alarm.sample.states[alarm.row].tolist()}")
                    print(f"    parameters {alarm.sample.parameters.tolist()}", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
