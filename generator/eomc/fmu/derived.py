"""The derivatives of a model, in a program of their own: the functions of a run keep their bits beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.build import compile
from eomc.errors import UnsupportedError

if TYPE_CHECKING:
    from eomc.build import Build


def derivatives_of(build: Build, *, timed: bool = False) -> Build | None:
    """Return a build of the derivatives of rates and outputs by states, inputs and parameters, under another name.

    `timed`: those of rates by the time, too.

    Models that are too large for dense matrices have none; nor have those whose parameters cannot be named together.
    """
    model, options = build.model, build.options
    parameters = [parameter.name for parameter in build.program.parameters]
    if any(":" in name or "," in name for name in parameters):
        return None
    wanted = ["jacobian"]
    if parameters:
        wanted.append("rhs_parameter_jacobian")
    if timed:
        wanted.append("time_derivative")
    if model.outputs:
        wanted.append(":".join(["outputs_derivatives", *parameters]))
    feedback = options.stabilization if options.stabilization == "baumgarte" else "none"  # what stands in the rates
    try:
        made = compile(
            model.uninterrupted().renamed(f"d_{model.name}"), build.method, functions=wanted, units="ignore",
            constraints=options.constraints, stabilization=feedback, algorithm=options.algorithm,
            math=build.math, optimize=build.optimize, integrator="euler",
        )  # fmt: skip
    except UnsupportedError:
        return None
    return None if made.view.name == build.view.name else made  # long names are cut, and the beginning tells them apart
