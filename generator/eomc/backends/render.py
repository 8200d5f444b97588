"""View -> text: the Jinja environment. A template sees one variable, `m`, and only places text."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from eomc.errors import RenderError

if TYPE_CHECKING:
    import jinja2


def find_templates() -> Path:
    """Return the folder of the templates: inside the installed package, or at the top of a checkout."""
    package = Path(__file__).resolve().parents[1]
    places = [package / "templates", package.parents[1] / "templates"]
    for place in places:
        if (place / "c99").is_dir():
            return place
    raise RenderError(f"the templates are missing: looked in {places[0]} and {places[1]}; install eomc again")


def render(template: str, view: object) -> str:
    """Return the text of a template.

    Parameters
    ----------
    template
        Path below the folder of templates, such as ``c99/model.h.jinja``.
    view
        Frozen record of texts, numbers, truth values and tuples of these: the template's `m`.

    Raises
    ------
    RenderError
        The template is missing, is malformed, or asks for something that the view does not have.
    """
    import jinja2

    try:
        return _environment().get_template(template).render(m=view)
    except jinja2.TemplateError as error:
        raise RenderError(f"{template}: {type(error).__name__}: {error}; this is a defect of eomc") from error


@functools.cache
def _environment() -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(find_templates()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        newline_sequence="\n",
        autoescape=lambda name: name is not None and ".html." in name,  # not C, make, Markdown, LaTeX
    )
