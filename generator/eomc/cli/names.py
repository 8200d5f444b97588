"""Names that the user typed against names that a model has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eomc.errors import UsageError

__all__ = ["assignments"]


def assignments(
    option: str, kind: str, owner: str, pairs: Iterable[tuple[str, float]], known: Sequence[str]
) -> dict[str, float]:
    """Return the assigned values by name.

    Parameters
    ----------
    option, kind, owner
        For the message: ``--set``, ``parameter``, ``rolling_disk``.
    pairs
        Name and value, as given with `option`.
    known
        The names that there are.

    Raises
    ------
    UsageError
        A name is unknown or given twice.
    """
    values: dict[str, float] = {}
    for name, value in pairs:
        if name not in known:
            from eomc.binding.vectors import unknown_name

            raise UsageError(f"{option}: {unknown_name(owner, kind, name, known)}")
        if name in values:
            raise UsageError(f"{option}: {name} is given twice; give it one value")
        values[name] = value
    return values
