"""Every public name has an example that is run, and every argument of what is public is told of."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import eomc


def public(name: str) -> Any:
    """Return what is public by a name: of a module that is called like its function, once imported, the function."""
    value = getattr(eomc, name)
    return getattr(value, name) if inspect.ismodule(value) and callable(value) else value


PUBLIC = {name: public(name) for name in eomc.__all__ if name != "__version__"}


def told(text: str) -> set[str]:
    """Return the names that a docstring tells of: in its lists of parameters and attributes, or as code."""
    found = set(re.findall(r"`(\w+)", text))
    for title in ("Parameters", "Attributes"):
        part = re.search(rf"{title}\n-+\n(.*?)(?=\n\n?[A-Z]\w+\n-+\n|\Z)", text, flags=re.DOTALL)
        for line in part[1].splitlines() if part else ():
            if line and not line.startswith(" "):
                found |= {name.strip(" *") for name in line.split(" : ")[0].split(",")}
    return found


def callables() -> Iterator[tuple[str, Callable[..., Any], str]]:
    """Yield what can be called: functions, classes and their public methods, each with the text that tells of it."""
    for name, value in PUBLIC.items():
        text = inspect.getdoc(value) or ""
        if not (inspect.isclass(value) and issubclass(value, Exception)):
            yield name, value, text
        for key, member in vars(value).items() if inspect.isclass(value) else ():
            if not key.startswith("_") and (
                inspect.isfunction(member) or isinstance(member, classmethod | staticmethod)
            ):
                method = getattr(value, key)
                yield f"{name}.{key}", method, f"{inspect.getdoc(method) or ''}\n{text}"


def test_every_public_name_has_an_example() -> None:
    """Its docstring has one; test_doctests.py runs all."""
    assert [name for name, value in PUBLIC.items() if ">>> " not in (inspect.getdoc(value) or "")] == []


def test_every_argument_is_told_of() -> None:
    """By its own name, where the function or method is described, or in the text of its class."""
    missing, count = {}, 0
    for name, value, text in callables():
        arguments = [one for one in inspect.signature(value).parameters if not one.startswith("_")]
        arguments = [one for one in arguments if one not in ("self", "cls")]
        count += len(arguments)
        absent = set(arguments) - told(text)
        if absent:
            missing[name] = sorted(absent)
    assert missing == {}
    assert count > 300


def test_what_is_not_told_of_would_be_noticed() -> None:
    """A word in prose is no description of an argument."""
    text = (
        "The length of it.\n\nParameters\n----------\na, b\n    Two `c`.\n*d : int\n    One.\n\nReturns\n-------\ne\n"
    )
    assert told(text) == {"a", "b", "c", "d"}
