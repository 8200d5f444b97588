"""Objects of sympy.physics.mechanics in a user's file, taken for the model that they describe."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sympy.physics.mechanics import KanesMethod, LagrangesMethod, System

from eomc.errors import ModelError
from eomc.frontends.kanes_method import from_kanes_method
from eomc.frontends.lagranges_method import from_lagranges_method
from eomc.frontends.system import from_system
from eomc.model import Model
from eomc.wording import with_article

_CONVERTERS: dict[type, Callable[..., Model]] = {
    KanesMethod: from_kanes_method,
    LagrangesMethod: from_lagranges_method,
    System: from_system,
}


def is_adoptable(value: Any) -> bool:
    """Whether a front end makes a model of `value`."""
    return type(value) in _CONVERTERS


def adopt(path: Path, name: str, value: Any) -> Model:
    """Return the model of the object that the file `path` calls `name`, under the file's name.

    Raises
    ------
    ModelError
        The object does not say all that a model needs, such as values of its parameters; the message has the call in
        which the user can.
    """
    convert = _CONVERTERS[type(value)]
    stem = path.stem if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", path.stem) else "model"
    try:
        return convert(value, name=stem)
    except ModelError as error:
        call = f"{with_article(type(value).__name__)}: write model = eomc.{convert.__name__}({name}, "
        if error.remedy:
            raise type(error)(f"{path}: {name} is {call}{error.remedy}), with your values") from error
        raise type(error)(f"{path}: {name} is {call}...); {error}") from error
