"""What the templates see of what functions call: macros, headers, kernels, mathematics."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MacroView:
    """A macro that follows the scalar type."""

    name: str  # with its arguments
    double: str
    single: str


@dataclass(frozen=True, slots=True)
class SharedKernelView:
    """A solve kernel that the files of a large model share."""

    function: str  # its own name
    signature: tuple[str, ...]  # under the name that they share, without a semicolon
    arguments: str  # that it hands on


@dataclass(frozen=True, slots=True)
class BoundView:
    """An own function and its largest error in units in the last place."""

    name: str
    double: str
    single: str


@dataclass(frozen=True, slots=True)
class MathematicsView:
    """Whose mathematics the functions call."""

    name: str  # of the option
    own: bool
    contracted: bool
    flags: tuple[str, ...]  # with which the model is compiled
    headers: tuple[str, ...]
    aliases: tuple[str, ...]  # definitions of macros that are own functions
    double: str  # texts of these
    single: str
    integers: str  # of double for machines without hardware for it, where these have other ones
    bounds: tuple[BoundView, ...]

    @property
    def libm(self) -> bool:
        """Whether functions of libm are called."""
        return "math.h" in self.headers


@dataclass(frozen=True, slots=True)
class UsesView:
    """What the functions call."""

    macros: tuple[MacroView, ...]  # those that differ between the scalar types
    sign: bool
    mod: bool
    equal: bool
    clear: bool
    copy: bool
    inputs: bool  # by their numbers
    parameters: bool  # likewise
    rarely: bool  # branches are told to be seldom taken
    headers: tuple[str, ...]
    kernels: tuple[str, ...]  # templates of the kernels, each after what it calls
    shared: tuple[SharedKernelView, ...]  # kernels that several files call
    mathematics: MathematicsView
