"""How a build is asked for on the command line."""

from __future__ import annotations

from eomc.analysis.contract import Built


def options_of(build: Built) -> list[str]:
    """Return the options of the command line that the equations of a build differ by from the usual ones."""
    options = build.options
    kept = build.view.projection is not None or options.stabilization == "baumgarte"
    asked = {
        "method": ("" if build.method == build.model.methods[0] else build.method, ""),
        "constraints": (options.constraints, "eliminated"),
        "stabilization": (
            options.stabilization if kept else build.model.run.stabilization,
            build.model.run.stabilization,
        ),
        "algorithm": (options.algorithm, "auto"),
    }
    return [word for name, (value, usual) in asked.items() if value != usual for word in (f"--{name}", value)]
