"""What a caller's `build` adds to a tree of joints that was read from a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from eomc.errors import UsageError
from eomc.frontends.trees import model_of_tree
from eomc.model import JointTree, Model
from eomc.model.arguments import mapping_of, quoted, sequence_of
from eomc.model.described import Described
from eomc.wording import did_you_mean

_HUNG = ("loads", "closures", "configuration_constraints", "velocity_constraints")
_MERGED = ("initial", "ranges", "parameters", "inputs", "shapes")

Build = Callable[[JointTree], Mapping[str, Any]]
"""Takes the tree, and returns what else the model has."""


def build_model(
    tree: JointTree, build: Build | None, *, name: str, description: str, own: Mapping[str, Mapping[Any, Any]]
) -> Model:
    """Return the model of a tree with what `build` makes of it.

    Parameters
    ----------
    tree
        As it was read.
    build
        None: nothing more.
    own
        Initial values, parameters, inputs and shapes that the tree has by itself; those of `build` come before them.
    name, description
        Of the model, the description unless `build` has one.

    Raises
    ------
    UsageError
        `build` is no function, or returns what cannot be meant.
    """
    wishes = {} if build is None else _wishes(build, tree)
    tree = tree.with_loads(*sequence_of("loads", wishes.get("loads", ())))
    tree = tree.with_closures(*sequence_of("closures", wishes.get("closures", ())))
    tree = tree.with_constraints(
        configuration=wishes.get("configuration_constraints", ()), velocity=wishes.get("velocity_constraints", ())
    )
    described: dict[str, Any] = {key: value for key, value in wishes.items() if key not in (*_HUNG, *_MERGED)}
    for key in _MERGED:
        described[key] = {**own.get(key, {}), **_pairs(key, wishes.get(key, {}))}
    described.setdefault("description", description)
    return model_of_tree(tree, name=name, **described)


def _wishes(build: Build, tree: JointTree) -> Mapping[str, Any]:
    """Return what `build` makes of a tree, with names that are known."""
    if not callable(build):
        raise UsageError(f"build={quoted(build)}: give a function that takes the tree and returns a mapping")
    wishes = build(tree)
    known = [*_HUNG, *Described.__annotations__]
    if not isinstance(wishes, Mapping):
        raise UsageError(
            f"build returns {quoted(wishes)}: it returns a mapping, such as {{'outputs': ...}}, of {', '.join(known)}"
        )
    for key in wishes:
        if key not in known:
            raise UsageError(f"build returns {key!r} among its keys: {did_you_mean(str(key), known)}")
    return wishes


def _pairs(what: str, given: Any) -> Mapping[Any, Any]:
    """Return a mapping; of inputs, which may be a list, with the value zero."""
    if what == "inputs" and not isinstance(given, Mapping):
        return dict.fromkeys(sequence_of(what, given), 0.0)
    return mapping_of(what, given)
