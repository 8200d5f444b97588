"""Show what a model costs: seconds per stage, operations per function, memory; of a robot first its bodies."""

from __future__ import annotations

import argparse
import sys
import warnings
from typing import TYPE_CHECKING, Any

from eomc.cli.arguments import (
    add_compile_options,
    add_model,
    add_optimize,
    compile_options,
)
from eomc.cli.failures import DONE
from eomc.cli.hints import hint_of_series
from eomc.cli.steps import add_integrators
from eomc.cli.terminal import print_json, print_table, working
from eomc.wording import counted, wrapped

if TYPE_CHECKING:
    from eomc.build import Build
    from eomc.model import Model


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_model(parser)
    add_compile_options(parser)
    add_optimize(parser)
    add_integrators(parser)
    parser.add_argument("--json", action="store_true", help="as a JSON object, for programs")


def run(options: argparse.Namespace) -> int:
    """Derive, emit, compile, and print the figures."""
    import eomc
    from eomc.frontends.loading import named_robot

    named = named_robot(options.model)
    robot = None if named is None else _robot(*named, options.json)
    with working(f"measuring {options.model}"):
        with warnings.catch_warnings():
            if robot is not None:  # what is found stands on its page
                warnings.simplefilter("ignore", UserWarning)
            model = eomc.load(options.model)
        if named is None and not options.json:
            _print_tree(model)
        build = eomc.compile(
            model,
            optimize=options.optimize,
            integrator=options.integrator,
            **compile_options(options),
        )
    recursion = _recursion(build, options.json)
    with working(f"compiling {options.model}"):
        own = {"hint": hint_of_series(build) if options.method is None else ""}
        figures = {**_figures(build), **own, **recursion}
    if options.json:
        print_json({**(robot or {}), **figures})
    else:
        _print(figures)
    return DONE


def _robot(path: str, base: str, as_json: bool) -> dict[str, Any]:
    """Print the page of a robot, or return it as a part of the JSON."""
    from eomc.frontends.urdf.page import figures_of, page_of
    from eomc.frontends.urdf.taking import take_robot

    taken = take_robot(path, base=base)
    if as_json:
        return {"robot": figures_of(taken)}
    print("\n".join([*page_of(taken), ""]))
    return {}


def _print_tree(model: Model) -> None:
    """Print the tree of a model that is one, with its masses where they are numbers."""
    from eomc.frontends.robots.bodies import bodies_of
    from eomc.frontends.robots.drawing import drawn
    from eomc.model import JointTree

    tree = model.dynamics
    if not isinstance(tree, JointTree):
        return
    entries = [x for link in tree.links for x in (link.mass, *link.centre, *(e for row in link.inertia for e in row))]
    entries += [x for joint in tree.joints for x in (*joint.offset, *(e for row in joint.rotation for e in row))]
    if all(isinstance(entry, (int, float)) for entry in entries):
        print("\n".join([*drawn(bodies_of(tree.links, tree.joints, tree.root)), ""]))


def _recursion(build: Build, as_json: bool) -> dict[str, Any]:
    """Print how a tree of joints, or bodies, are solved, before the compiler takes its time, or return it for JSON."""
    from dataclasses import asdict

    from eomc.backends.c99.loops import told
    from eomc.derivation.trees.told import preparation_of
    from eomc.model import JointTree

    recursion, arrangement = build.equations.motion.recursion, build.equations.motion.arrangement
    if recursion is None:
        if arrangement and not as_json:
            print("\n".join(["how it is solved:", *wrapped(arrangement), ""]))
        return {"arrangement": arrangement} if arrangement and as_json else {}
    dynamics = build.model.dynamics
    preparation = preparation_of(dynamics) if isinstance(dynamics, JointTree) else None
    if as_json:
        own = {**asdict(recursion), "work": dict(recursion.work)}
        found = {"recursion": own, "side_by_side": [list(branches) for branches in _side_by_side(build)]}
        return {**found, **({} if preparation is None else {"preparation": asdict(preparation)})}
    sentences = [recursion.why, *([] if preparation is None else preparation.sentences())]
    sentences += [f"side by side: {told(branches)}, with what they carry" for branches in _side_by_side(build)]
    print("\n".join(["how it is solved:", *(line for sentence in sentences for line in wrapped(sentence)), ""]))
    return {}


def _side_by_side(build: Build) -> list[tuple[str, ...]]:
    """Return the joints that branches begin with which the state derivative evaluates in loops, by groups."""
    repeats = [repeat for repeat in build.schedule.routines[0].repeats if not repeat.in_a_row]
    return list(dict.fromkeys(repeat.instances for repeat in repeats))


def _figures(build: Build) -> dict[str, Any]:
    """Return everything that is shown, in the form of the JSON."""
    import resource
    from dataclasses import asdict

    from eomc.binding.measuring import measure

    code = build.statistics.code
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    compiled, series = measure(build), build.view.code.series
    return {
        "model": build.model.name,
        "method": build.method,
        "real": build.real,
        "math": build.math,
        "states": len(build.program.states),
        "nodes": build.statistics.nodes,
        "stages": [{"stage": stage, "seconds": seconds} for stage, seconds in build.statistics.stage_times],
        "functions": [
            {
                "function": one.name,
                "operations": one.counts.total,
                **asdict(one.counts),
                "temporaries": one.temporaries,
                "chunks": one.chunks,
                "stack_bytes": compiled.stack.get(one.name),
            }
            for one in (code.prepare, *code.functions)
        ],
        "series_products": None if series is None else series.products + series.squares,
        "series_by_method": dict(build.statistics.series_products),
        "constants": code.constants,
        "lines": code.lines,
        "work_bytes": code.work_bytes,
        "step_stack_bytes": compiled.stack.get(f"{build.tableau.name}_step"),
        "code_bytes": compiled.code_bytes,
        "compile_seconds": compiled.seconds,
        "compiler": compiled.compiler,
        "peak_memory_bytes": peak,
    }


def _print(figures: dict[str, Any]) -> None:
    """Print the figures as tables."""
    stages = [(one["stage"], f"{1e3 * one['seconds']:.1f}") for one in figures["stages"]]
    stages.append((f"compile ({figures['compiler']})", f"{1e3 * figures['compile_seconds']:.1f}"))
    title = f"{figures['model']} ({figures['method']}, {figures['real']}): {counted(figures['states'], 'state')}"
    print_table(("stage", "ms"), stages, title=title, right=("ms",))
    kinds = ("operations", "additions", "multiplications", "divisions", "square_roots", "functions", "others")
    headings = ("function", "operations", "+ -", "*", "/", "sqrt", "sin ...", "other", "chunks", "stack")
    rows = []
    for one in figures["functions"]:
        stack = "-" if one["stack_bytes"] is None else str(one["stack_bytes"])
        rows.append((one["function"], *(str(one[kind]) for kind in kinds), str(one["chunks"]), stack))
    print_table(headings, rows, right=headings[1:])
    code = "-" if figures["code_bytes"] is None else counted(figures["code_bytes"], "byte")
    lines = counted(figures["lines"], "line")
    constants = counted(figures["constants"], "prepared constant")
    print(f"graph {counted(figures['nodes'], 'node')}, {lines} of C, {constants}")
    deep = figures["step_stack_bytes"]
    step = "" if deep is None else f", stack of a step {counted(deep, 'byte')}"
    print(f"code {code}, work struct {counted(figures['work_bytes'], 'byte')}{step}")
    if figures["series_products"] is not None:
        (chosen, count), *others = figures["series_by_method"].items()
        beside = "".join(f", {name} {products}" for name, products in others).replace(",", ";", 1)
        print(f"power series: {counted(count, 'product')} of two at each order, by {chosen}{beside}")
    if figures["hint"]:
        print(f"hint: {figures['hint']}")
    print(f"peak memory of this process {figures['peak_memory_bytes'] / 2**20:.0f} MiB")
