"""The files of runs: what the schemes share, and one pair for each scheme."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.backends.artifacts import Artifact
from eomc.backends.c99.folding import drawn
from eomc.backends.c99.runs.views import SchemeView
from eomc.backends.c99.views import ModelView

TEMPLATES = (("c99/runs/run.h.jinja", "{name}_run.h", "header"), ("c99/runs/run.c.jinja", "{name}_run.c", "source"))
"""Template, file, kind; those of the schemes come beside."""


@dataclass(frozen=True, slots=True)
class SchemeFileView:
    """A model and one of its schemes."""

    model: ModelView
    scheme: SchemeView


def runs_artifacts(view: ModelView) -> list[Artifact]:
    """Return the files of runs."""
    if view.code.runs is None:
        return []
    found = [Artifact(path.format(name=view.name), drawn(template, view), kind) for template, path, kind in TEMPLATES]
    for scheme in view.code.runs.schemes:
        file, path = SchemeFileView(view, scheme), f"{view.name}_{scheme.name}"
        found.append(Artifact(f"{path}.h", drawn("c99/runs/scheme.h.jinja", file), "header"))
        found.append(Artifact(f"{path}.c", drawn(scheme.template, file), "source"))
    return found
