"""Words that messages of all layers share."""

from __future__ import annotations

import difflib
import functools
import inspect
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, get_args, get_type_hints

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "speed"), counted(2, "speed"), counted(0, "momentum", "momenta")
    ('1 speed', '2 speeds', '0 momenta')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def are(number: int, noun: str) -> str:
    """Return what follows "there" where so many are counted.

    Examples
    --------
    >>> are(1, "speed"), are(2, "speed")
    ('is 1 speed', 'are 2 speeds')
    """
    return f"{'is' if number == 1 else 'are'} {counted(number, noun)}"


def wrapped(sentence: str, width: int = 118) -> list[str]:
    """Return a sentence below a heading, in lines that a terminal shows.

    Examples
    --------
    >>> wrapped("the mass of both links is zero", 20)
    ['  the mass of both', '      links is zero']
    """
    return textwrap.wrap(sentence, width, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False)


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article, by its first letter.

    Examples
    --------
    >>> with_article("KanesMethod"), with_article("int")
    ('a KanesMethod', 'an int')
    """
    return f"{'an' if noun[:1].lower() in tuple('aeiou') else 'a'} {noun}"


def did_you_mean(name: str, known: Sequence[str]) -> str:
    """Return the known names that are nearest to one that is not known, or all of them when none is near.

    Examples
    --------
    >>> did_you_mean("chek", ["check", "stats"]), did_you_mean("x", ["kane", "hamilton"]), did_you_mean("x", [])
    ('did you mean check?', 'known are kane, hamilton', 'there are none')
    """
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    if known:
        return f"known are {', '.join(known[:12])}{', ...' if len(known) > 12 else ''}"
    return "there are none"


def suggesting(function: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Return a function that tells the nearest of its arguments where it is given one that it does not have.

    Keywords that it takes together, as ``**given: Unpack[...]``, are shown one by one in its signature.

    Examples
    --------
    >>> suggesting(lambda mass, length: mass * length)(mass=1.0, lenght=2.0)
    Traceback (most recent call last):
    TypeError: <lambda> has no argument 'lenght': did you mean length?
    """
    signature = _spelled_out(function)
    known = [name for name in signature.parameters if name != "self"]

    @functools.wraps(function)
    def call(*args: _Given.args, **given: _Given.kwargs) -> _Result:
        for name in given:
            if name not in known:
                owner = function.__qualname__.removesuffix(".__init__")
                raise TypeError(f"{owner} has no argument {name!r}: {did_you_mean(name, known)}")
        return function(*args, **given)

    call.__dict__["__signature__"] = signature
    return call


def _spelled_out(function: Callable[..., Any]) -> inspect.Signature:
    """Return a signature with every keyword of a TypedDict that the function unpacks."""
    signature = inspect.signature(function)
    parameters = []
    for parameter in signature.parameters.values():
        if parameter.kind is not parameter.VAR_KEYWORD:
            parameters.append(parameter)
            continue
        (keywords,) = get_args(get_type_hints(function)[parameter.name])
        parameters += [
            parameter.replace(name=name, kind=parameter.KEYWORD_ONLY, annotation=kind.__forward_arg__, default=...)
            for name, kind in keywords.__annotations__.items()
        ]
    return signature.replace(parameters=parameters)
