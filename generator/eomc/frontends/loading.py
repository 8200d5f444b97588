"""From what a user names on the command line to a Model: a shipped model or a Python file.

::

    rolling_disk              shipped model
    n_link_pendulum:10        shipped model with arguments
    heavy_top:quaternion      shipped model that takes a word
    path/model.py             the only Model in the file, or the one named ``model``
    path/model.py:sleigh      the Model (or function without arguments that returns one) of that name
    path/robot.urdf           the robot, its root fixed
    path/robot.urdf:angles    the robot with a free base: by three angles, or by a quaternion
    path/robot.xml            the robot of a file of MJCF; its free and ball joints by a quaternion, or by :angles

Where a file has no Model, a KanesMethod, LagrangesMethod or System of sympy.physics.mechanics does as well, as far as
it needs no values of parameters. Listing the shipped models imports none of them.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import math
import os
import pkgutil
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eomc.errors import ModelError, UsageError
from eomc.wording import with_article

if TYPE_CHECKING:
    from eomc.model import Model


def load(spec: str | os.PathLike[str]) -> Model:
    """Return the model that `spec` names.

    Parameters
    ----------
    spec
        ``name[:arguments]`` of a shipped model, arguments being numbers (or words, where the model takes them)
        separated by commas; or
        ``path/model.py[:object]``, ``path/robot.urdf[:base]`` with one of the bases of
        :func:`~eomc.frontends.urdf.front.from_urdf`, or ``path/robot.xml[:orientation]`` with one of the orientations
        of :func:`~eomc.frontends.mjcf.front.from_mjcf`. What ends in .py, .urdf or .xml, contains a path
        separator or has another suffix is a file.

    Returns
    -------
    Model
        A shipped model with arguments carries them in its name: ``n_link_pendulum:3`` is ``n_link_pendulum_3``.

    Raises
    ------
    UsageError
        There is no such shipped model, file or object, or the arguments do not fit.
    ModelError
        The file raises, holds no model, or its model is not well formed.

    Examples
    --------
    >>> import eomc
    >>> eomc.load("n_link_pendulum:3").name
    'n_link_pendulum_3'
    """
    if not isinstance(spec, (str, os.PathLike)):
        raise UsageError(
            f"{spec!r} is no name of a model: give a shipped name, path/model.py[:object] or path/robot.urdf[:base]"
        )
    text = os.fspath(spec)
    file = re.fullmatch(r"(?P<path>.*\.py)(?::(?P<name>[^:/\\]*))?", text, flags=re.DOTALL)
    if file:
        path = Path(file["path"])
        if not path.is_file():
            raise UsageError(f"{path}: there is no such file; eomc models lists the shipped models")
        return _from_file(path, file["name"])
    robot = named_robot(text)
    if robot is not None:
        from eomc.frontends.urdf.front import from_urdf

        return from_urdf(robot[0], base=robot[1])
    described = re.fullmatch(r"(?P<path>.*\.xml)(?::(?P<orientation>[^:/\\]*))?", text, flags=re.DOTALL)
    if described:
        from eomc.frontends.mjcf.front import from_mjcf

        return from_mjcf(described["path"], orientation=described["orientation"] or "quaternion")
    if os.sep in text or (os.altsep and os.altsep in text) or "." in text.partition(":")[0]:
        raise UsageError(f"{text}: a model's file ends in .py, .urdf or .xml")
    return _shipped(text)


def named_robot(spec: str) -> tuple[str, str] | None:
    """Return the file and the base of ``path/robot.urdf[:base]``, None where `spec` names no robot.

    Examples
    --------
    >>> named_robot("panda.urdf"), named_robot("solo.urdf:angles"), named_robot("rolling_disk")
    (('panda.urdf', 'fixed'), ('solo.urdf', 'angles'), None)
    """
    found = re.fullmatch(r"(?P<path>.*\.urdf)(?::(?P<base>[^:/\\]*))?", spec, flags=re.DOTALL)
    if found is None:
        return None
    return found["path"], "fixed" if found["base"] is None else found["base"]


def shipped_models() -> list[str]:
    """Return the names of the shipped models, sorted; none of them is imported."""
    package = importlib.import_module("eomc.models")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__) if not module.name.startswith("_"))


def _shipped(spec: str) -> Model:
    name, colon, text = spec.partition(":")
    known = shipped_models()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        hint = f"did you mean {', '.join(near)}? " if near else ""
        here = f"write ./{name}.py for the file of that name; " if Path(f"{name}.py").is_file() else ""
        raise UsageError(f"there is no shipped model {name!r}: {hint}{here}eomc models lists them all")
    make = importlib.import_module(f"eomc.models.{name}").model
    signature = inspect.signature(make)
    words = [isinstance(parameter.default, str) for parameter in signature.parameters.values()]
    arguments = _arguments(spec, text, words) if colon else ()
    try:
        signature.bind(*arguments)
    except TypeError as error:
        names = ", ".join(signature.parameters)
        raise UsageError(f"{spec}: {name} takes {f'the arguments {names}' if names else 'no arguments'}") from error
    model: Model = make(*arguments)
    if arguments and model.name == name:
        suffix = "_".join(re.sub(r"\W", "_", str(argument).replace("-", "m")) for argument in arguments)
        model = model.renamed(f"{name}_{suffix}")
    return model


def _arguments(spec: str, text: str, words: list[bool]) -> tuple[int | float | str, ...]:
    """Return what stands after the colon: words where `words` says so, else numbers, whole ones as int."""
    arguments: list[int | float | str] = []
    for place, part in enumerate(text.split(",")):
        if place < len(words) and words[place]:
            arguments.append(part.strip())
            continue
        try:
            number = float(part)
            arguments.append(int(part) if re.fullmatch(r"\s*[-+]?\d+\s*", part) else number)
        except ValueError as error:
            raise UsageError(f"{spec}: {part!r} is no number; write numbers separated by commas") from error
        if not math.isfinite(number):
            raise UsageError(f"{spec}: {part!r} is not finite; write numbers separated by commas")
    return tuple(arguments)


def _from_file(path: Path, name: str | None) -> Model:
    from eomc.frontends.adopting import adopt, is_adoptable
    from eomc.frontends.files import call_in_file, run_file
    from eomc.model import Model

    namespace = run_file(path)
    models = {key: value for key, value in namespace.items() if isinstance(value, Model)}
    listed = f"it has {', '.join(models)}" if models else "it has no Model"
    if name is not None:
        if name not in namespace:
            near = difflib.get_close_matches(name, namespace, n=1)
            raise UsageError(
                f"{path}: there is no object {name!r}; {listed}{f'; did you mean {near[0]}?' if near else ''}"
            )
    else:
        name = _only_model(path, models, namespace)
    chosen, called = namespace[name], name
    if callable(chosen):
        chosen, called = call_in_file(path, chosen), f"{name}()"
    if isinstance(chosen, Model):
        return chosen
    if is_adoptable(chosen):
        return adopt(path, called, chosen)
    if called != name:
        raise ModelError(f"{path}: {called} returns {with_article(type(chosen).__name__)}, not a Model")
    raise ModelError(f"{path}: {name} is {with_article(type(chosen).__name__)}, not a Model; {listed}")


def _only_model(path: Path, models: dict[str, Model], namespace: dict[str, Any]) -> str:
    """Return the name of what the file offers without being asked for one."""
    from eomc.frontends.adopting import is_adoptable

    if not models and inspect.isfunction(namespace.get("model")):
        return "model"
    found: dict[str, Any] = models or {key: value for key, value in namespace.items() if is_adoptable(value)}
    if "model" in found or len({id(value) for value in found.values()}) == 1:
        return "model" if "model" in found else next(iter(found))
    if found:
        raise UsageError(
            f"{path}: there are several models, {', '.join(found)}: say which one, as in {path}:{next(iter(found))}, "
            f"or name one of them model"
        )
    raise ModelError(f"{path}: there is no Model in this file; make one, as in model = eomc.Model(name=...)")
