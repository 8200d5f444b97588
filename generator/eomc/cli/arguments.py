"""Arguments that several commands take, and the checks that need no model."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eomc.cli.values import read_amount, read_number
from eomc.errors import UsageError

if TYPE_CHECKING:
    from eomc.model import Model


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add the positional MODEL."""
    parser.add_argument(
        "model",
        metavar="MODEL",
        help="shipped name[:argument], path/model.py[:object], path/robot.urdf[:base] or path/robot.xml",
    )


def add_method(parser: argparse.ArgumentParser, extra: str = "") -> None:
    """Add --method."""
    parser.add_argument(
        "--method",
        metavar="M",
        help=f"kane, gibbs-appell, lagrange, hamilton, hamilton-multipliers{extra}; the model's native one by default",
    )


def add_constraints(parser: argparse.ArgumentParser) -> None:
    """Add --constraints and --stabilization."""
    parser.add_argument(
        "--constraints",
        metavar="F",
        default="eliminated",
        help="how constraints are solved: eliminated (by default), augmented, range-space or null-space",
    )
    add_stabilization(parser)


def add_units(parser: argparse.ArgumentParser) -> None:
    """Add --units."""
    parser.add_argument(
        "--units",
        choices=("check", "ignore"),
        default="check",
        help="whether the units of the model must agree where all parameters have them (check, by default)",
    )


def add_algorithm(parser: argparse.ArgumentParser) -> None:
    """Add --algorithm."""
    parser.add_argument(
        "--algorithm",
        metavar="A",
        default="auto",
        help="how trees of joints, and bodies that are one, are solved: composite or articulated (bodies), or the one "
        "of fewer operations (auto, by default)",
    )


def take_run(options: argparse.Namespace, model: Model) -> None:
    """Put the model's usual run in the place of what is not given, once there is a model."""
    for name in ("t_end", "stabilization"):
        if getattr(options, name, "") is None:
            setattr(options, name, getattr(model.run, name))


def add_stabilization(parser: argparse.ArgumentParser, note: str = "") -> None:
    """Add --stabilization."""
    parser.add_argument(
        "--stabilization",
        metavar="S",
        help=f"against drift from the constraints: none, baumgarte or projection; as of the model's usual run by "
        f"default, none{note}",
    )


def constraint_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return what add_constraints read, as keywords of eomc.compile."""
    return {"constraints": options.constraints, "stabilization": options.stabilization}


def add_compile_options(parser: argparse.ArgumentParser) -> None:
    """Add --method and how it becomes C: what `compile_options` reads."""
    for add in (add_method, add_constraints, add_algorithm, add_real, add_math, add_units):
        add(parser)


def compile_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return as keywords of eomc.compile what `add_compile_options` has read."""
    own = {name: getattr(options, name) for name in ("method", "real", "math", "algorithm", "units")}
    return {**own, **constraint_options(options)}


def add_output(parser: argparse.ArgumentParser, what: str) -> None:
    """Add --output, which must be given; help says what is written."""
    parser.add_argument("-o", "--output", metavar="FILE", type=file_or_folder, required=True, help=what)


def add_speed(parser: argparse.ArgumentParser) -> None:
    """Add --speed of a picture that moves."""
    parser.add_argument(
        "--speed",
        metavar="V",
        type=positive,
        help="seconds of the motion in one of the picture; of the model's usual run by default, 1",
    )


def add_follow(parser: argparse.ArgumentParser) -> None:
    """Add --follow of a picture that moves."""
    parser.add_argument("--follow", metavar="NAME", help="body, link or point that stays where it is in the picture")


def add_real(parser: argparse.ArgumentParser) -> None:
    """Add --real."""
    parser.add_argument("--real", choices=("double", "float"), default="double", help="default precision of the C")


def add_optimize(parser: argparse.ArgumentParser) -> None:
    """Add --optimize."""
    parser.add_argument(
        "--optimize",
        choices=("speed", "size"),
        default="speed",
        help="what the C is short of: time (speed, by default), or bytes at -Os, where there are constraints",
    )


def add_math(parser: argparse.ArgumentParser) -> None:
    """Add --math."""
    parser.add_argument(
        "--math",
        metavar="M",
        default="libm",
        help="whose sin, cos, exp, ... the C calls: libm's (by default), or its own: strict, the same bits from every "
        "compiler, or fast, where products and sums may be contracted",
    )


def add_run(parser: argparse.ArgumentParser, note: str = "", starts: bool = False) -> None:
    """Add --t-end, --set, --init and --input, and --t0 if the run `starts` anywhere; help ends with `note`."""
    if starts:
        parser.add_argument("--t0", metavar="S", type=finite, default=0.0, help=f"time of the start in s; 0{note}")
    parser.add_argument(
        "--t-end",
        metavar="S",
        type=finite if starts else duration,
        help=f"time of the end in s; of the model's usual run by default, 10{note}",
    )
    add_assignments(
        parser,
        "value of a parameter in SI, or with a unit: 0.5, pi/2, 3*deg, 200mm",
        "initial value of a coordinate, speed, momentum (hamilton) or extra state",
        "value at which an input is held",
        note,
    )


def add_assignments(parser: argparse.ArgumentParser, parameter: str, initial: str, given: str, note: str = "") -> None:
    """Add --set, --init and --input, with what each gives."""
    for option, what in (("--set", parameter), ("--init", initial), ("--input", given)):
        parser.add_argument(
            option, metavar="NAME=V", type=assignment, nargs="+", action="extend", default=[], help=f"{what}{note}"
        )


def positive(text: str) -> float:
    """Read a finite number above zero."""
    value = finite(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text} is not above zero")
    return value


def duration(text: str) -> float:
    """Read a finite number of seconds, zero or more."""
    value = finite(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is below zero")
    return value


_LARGEST = 2_000_000_000  # as in the emitted program


def natural(text: str) -> int:
    """Read a whole number that is not negative."""
    return _whole(text, 0, "zero")


def count(text: str) -> int:
    """Read a whole number above zero."""
    return _whole(text, 1, "one")


def _whole(text: str, least: int, word: str) -> int:
    value = read_number(text)
    if value is None or value != math.floor(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    if value < least:
        raise argparse.ArgumentTypeError(f"{text} is below {word}")
    if value > _LARGEST:
        raise argparse.ArgumentTypeError(f"{text} is more than {_LARGEST}")
    return int(value)


def assignment(text: str) -> tuple[str, float]:
    """Read NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not (name.strip() and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE (MODEL comes before the options)")
    try:
        return name.strip(), amount(value)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{name.strip()}: {error}") from None


def finite(text: str) -> float:
    """Read a finite number, as `values` says."""
    value = read_number(text)
    if value is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a finite number: write 0.5, 1e-3, pi/2 or 3*deg, without spaces"
        )
    return value


def amount(text: str) -> float:
    """Read a finite number, or one with a unit, as `values` says."""
    try:
        value = read_amount(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if value is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a finite number: write 0.5, 1e-3, pi/2, 3*deg or 200mm, without spaces"
        )
    return value


def file_or_folder(text: str) -> Path:
    """Read the path of a file or folder."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; name a file or folder (. is the current one)")
    return Path(text)
