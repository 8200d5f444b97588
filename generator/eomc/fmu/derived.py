"""Programs beside that of a run, whose functions keep their bits so: derivatives, and the rates of model exchange."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from eomc.build import compile
from eomc.derivation.options import BAUMGARTE_GAINS
from eomc.errors import UnsupportedError
from eomc.fmu.dependencies import dependencies

if TYPE_CHECKING:
    from eomc.build import Build


@dataclass(frozen=True, slots=True)
class Beside:
    """The same model under another name, without events."""

    build: Build
    derives: bool  # whether it has derivatives of rates and outputs by states, inputs and parameters


def beside(build: Build, *, feeds: bool, timed: bool) -> Beside | None:
    """Return the program beside that of a run; None where there is none.

    Models that are too large for dense matrices have no derivatives; nor have those whose parameters cannot be named
    together.

    Parameters
    ----------
    build
        Of the run.
    feeds
        Whether Baumgarte's feedback, which those of the run have not, is wanted in the rates.
    timed
        Whether derivatives of rates by the time are wanted.
    """
    feedback = "baumgarte" if feeds or build.options.stabilization == "baumgarte" else "none"
    parameters = [parameter.name for parameter in build.program.parameters]
    if feeds:
        parameters += BAUMGARTE_GAINS
    wanted = ["jacobian"]
    if parameters:
        wanted.append("rhs_parameter_jacobian")
    if timed:
        wanted.append("time_derivative")
    if build.model.outputs:
        wanted.append(":".join(["outputs_derivatives", *parameters]))
    if feeds and build.model.outputs:
        wanted.append("outputs")
    if not any(":" in name or "," in name for name in parameters):
        made = _compiled(build, feedback, wanted)
        if made is not None:
            return Beside(made, True)
    made = _compiled(build, feedback, ["outputs"] if build.model.outputs else []) if feeds else None
    return None if made is None else Beside(made, False)


def depends_on_time(build: Build, feeds: bool) -> bool:
    """Whether rates hold the time, and constraints where these feed back into them."""
    equations = build.equations
    nodes = [*equations.motion.derivative]
    if feeds:
        nodes += [one.node for one in equations.constraints.residuals]
    return any(dependencies(equations.graph, nodes, [equations.time]))


def fixed_parameters(build: Build) -> frozenset[str]:
    """Return the parameters of constraints that nothing in a run returns to: another length would tear a loop."""
    if build.options.stabilization != "none":
        return frozenset()
    equations = build.equations
    nodes = [one.node for one in equations.constraints.residuals]
    held = dependencies(equations.graph, nodes, [one.symbol for one in equations.parameters])
    return frozenset(equations.parameters[k].name for row in held for k in row)


def _compiled(build: Build, feedback: str, wanted: list[str]) -> Build | None:
    """Return a build with some functions beside its rates."""
    options = build.options
    try:
        made = compile(
            build.model.uninterrupted().renamed(f"d_{build.model.name}"), build.method, functions=wanted,
            units="ignore", constraints=options.constraints, stabilization=feedback, algorithm=options.algorithm,
            math=build.math, optimize="size", integrator="euler",
        )  # fmt: skip
    except UnsupportedError:
        return None
    return None if made.view.name == build.view.name else made  # long names are cut, and the beginning tells them apart
