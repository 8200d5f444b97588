"""Answers of methods that each object remembers: a question with the same arguments is worked out once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

_Self = TypeVar("_Self")
_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def remembered(method: Callable[Concatenate[_Self, _Given], _Answer]) -> Callable[Concatenate[_Self, _Given], _Answer]:
    """Let each object remember what a method answered; the answers go when the object goes."""
    return cast(Callable[Concatenate[_Self, _Given], _Answer], _Remembered(method))


class _Remembered:
    """Gives an object its own memory of a method, in the method's place, when it is first asked for."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(self, instance: object, owner: type) -> Callable[..., Any]:
        """Return the object's method with a memory."""
        known = vars(instance)[self._method.__name__] = cache(self._method.__get__(instance))
        return known
