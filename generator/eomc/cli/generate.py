"""Write the C simulators of models."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from eomc.cli import depfile
from eomc.cli.arguments import (
    add_compile_options,
    add_optimize,
    compile_options,
    file_or_folder,
)
from eomc.cli.failures import DONE
from eomc.cli.steps import add_integrators
from eomc.cli.terminal import working
from eomc.collector import uncollected
from eomc.errors import EomcError, OutputError, UsageError
from eomc.targets import NAMES
from eomc.wording import counted

if TYPE_CHECKING:
    from eomc.backends.artifacts import Artifact


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "models",
        metavar="MODEL",
        nargs="+",
        help="shipped name[:argument], path/model.py[:object], path/robot.urdf[:base] or path/robot.xml; several "
        "share one start of the program",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        type=file_or_folder,
        help="folder for the files, ./build/<model> by default; of several models, the folder of their folders",
    )
    add_compile_options(parser)
    add_optimize(parser)
    add_integrators(parser)
    parser.add_argument(
        "--target",
        metavar="T",
        choices=NAMES,
        help=f"processor for which files are written beside, that build a library and run it: {', '.join(NAMES)}",
    )
    parser.add_argument(
        "--functions",
        metavar="F,...",
        help="functions beside the right-hand side, such as jacobian,energy, or all; by default all but those "
        "that are long, such as jacobian; inverse_dynamics:F:tau names forces that it tells; rhs_lanes, of several "
        "states side by side, evaluate, which serves all at one state, and unphysical_link, which finds a link of a "
        "tree of joints that is no body with given parameters, are emitted where they are named",
    )
    parser.add_argument(
        "--library", action="store_true", help="write headers and sources alone, of all models into one folder"
    )
    parser.add_argument(
        "--depfile", metavar="F", type=file_or_folder, help="also write a dependency file for make or ninja"
    )
    parser.add_argument(
        "--depfile-target",
        metavar="T",
        type=file_or_folder,
        help="what depends on the sources in that file; the emitted files by default",
    )


@uncollected()
def run(options: argparse.Namespace) -> int:
    """Derive and emit all models, then write, and say what was written; what is imported for it is not searched."""
    import eomc
    from eomc.backends.writing import write_all

    if options.depfile is not None and options.depfile.is_dir():
        raise OutputError(f"--depfile: {options.depfile} is a folder; name a file in it")
    if options.depfile_target is not None and options.depfile is None:
        raise UsageError("--depfile-target names a target in a dependency file: give --depfile, too")
    jobs: dict[Path, list[Artifact]] = {}
    told, rules, names = [], [], dict[str, str]()
    for spec in options.models:
        with working(f"generating {spec}"):
            try:
                model = eomc.load(spec)
                build = eomc.compile(
                    model,
                    functions=options.functions,
                    integrator=options.integrator,
                    target=options.target,
                    optimize=options.optimize,
                    **compile_options(options),
                )
            except EomcError as error:
                if len(options.models) > 1:
                    raise UsageError(f"{spec}: {error}; nothing was written") from error
                raise
        if model.name in names:
            raise UsageError(f"{names[model.name]} and {spec} are both named {model.name}; generate them one by one")
        names[model.name] = spec
        folder = _folder(options, model.name)
        artifacts = build.library if options.library else build.artifacts
        jobs.setdefault(folder, []).extend(artifacts)
        files = [folder / artifact.path for artifact in artifacts]
        rules.append((files, spec))
        states = counted(len(build.program.states), "state")
        told += [f"{model.name}: {build.method}, {states}, {options.real}", *(f"  {file}" for file in files)]
    write_all(jobs)
    if options.depfile is not None:
        depfile.write(options.depfile, rules, options.depfile_target)
    print("\n".join(told))
    return DONE


def _folder(options: argparse.Namespace, name: str) -> Path:
    """Return where the files of a model go."""
    if options.library:
        return options.output or Path("build")
    if options.output is None:
        return Path("build") / name
    several: Sequence[str] = options.models[1:]
    base: Path = options.output
    return base / name if several else base
